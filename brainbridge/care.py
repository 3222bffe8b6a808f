"""The half of a Brain that is about single memories: finding, reading and keeping them, and proving their energies."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from brainbridge.domain.ledger import Event, Standing, walk
from brainbridge.domain.memory import Memory
from brainbridge.domain.replay import Laws
from brainbridge.domain.scope import Scope
from brainbridge.graph import law as graph_law
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import LawVersion
from brainbridge.graph.statements import config as config_statements
from brainbridge.graph.statements import inspect
from brainbridge.graph.statements.memory import Archived, Boosted, Pinned, Restored, read_memory
from brainbridge.inspection.explain import Explanation, explain
from brainbridge.inspection.verify import Verification, verify, verify_one
from brainbridge.learning.opening import Lesson
from brainbridge.memory.boost import boost
from brainbridge.memory.forget import forget, restore
from brainbridge.memory.open_memory import Opened, open_memory
from brainbridge.memory.pin import pin
from brainbridge.memory.reference import resolve, resolve_current
from brainbridge.memory.supersede import supersede


class Care:
    """One brain's single memories. REF is an id, at least 6 characters of its beginning, or a unique piece of the text.

    Every method that takes one raises NotFound if nothing matches and Ambiguous if several memories do.
    """

    graph: Graph
    name: str

    def scope(self, *, test: bool = False) -> Scope:
        """The scope that `test` means."""
        return Scope(self.name, is_test=test)

    def find(self, ref: str, *, test: bool = False) -> Memory:
        """The one memory that `ref` names, in whatever state it is."""
        return resolve(self.graph, self.scope(test=test), ref)

    def find_current(self, ref: str, *, test: bool = False) -> Memory:
        """The memory that `ref` names, or the one it lives on in if it is an archive.

        Raises:
            NotFound: as above, or the archive has no successor.
        """
        return resolve_current(self.graph, self.scope(test=test), ref)

    def is_test_memory(self, id: str) -> bool:
        """Whether `id` is the full id of one of this brain's test memories."""
        scope = self.scope(test=True)
        return self.graph.read("memory/read_memory", partial(read_memory, scope=scope, id=id)) is not None

    # Events

    def boost(self, ref: str, *, test: bool = False, now: datetime | None = None) -> tuple[Memory, Boosted]:
        """Add one access to a memory, or to the one it lives on in; what it was before, and what the boost did."""
        return boost(self.graph, self.scope(test=test), self.find(ref, test=test), now=now)

    def open(self, ref: str, *, test: bool = False, now: datetime | None = None) -> Opened:
        """Read one memory in full, or the one it lives on in: an access, worth energy at most once in half an hour.

        Memories that are opened within half an hour of each other grow together (docs/explanation/learning.md).
        One that has expired or was forgotten is shown as it is; nothing changes.
        """
        found = self.find(ref, test=test)
        return open_memory(self.graph, self.scope(test=test), found, Lesson(), now=now)

    def pin(self, ref: str, *, test: bool = False, now: datetime | None = None) -> tuple[Memory, Pinned]:
        """Protect a memory: it no longer decays, expires or promotes. What it was before, and how it stands.

        Raises:
            Refused: it has expired.
        """
        return pin(self.graph, self.scope(test=test), self.find(ref, test=test), core=True, now=now)

    def unpin(self, ref: str, *, test: bool = False, now: datetime | None = None) -> tuple[Memory, Pinned]:
        """Let a protected memory fade again, from now on. What it was before, and how it stands."""
        return pin(self.graph, self.scope(test=test), self.find(ref, test=test), core=False, now=now)

    def forget(
        self,
        ref: str,
        *,
        reason: str | None = None,
        test: bool = False,
        now: datetime | None = None,
        allow_secret: bool = False,
    ) -> tuple[Memory, Archived]:
        """Archive a memory; it is not deleted, and `restore` undoes it. What it was before, and what it had.

        Raises:
            Refused: another one has taken its place, or the reason holds a secret and not `allow_secret`.
        """
        scope, found = self.scope(test=test), self.find(ref, test=test)
        return forget(self.graph, scope, found, reason=reason, now=now, allow_secret=allow_secret)

    def restore(self, ref: str, *, test: bool = False, now: datetime | None = None) -> tuple[Memory, Restored]:
        """Undo a forgetting; the memory decays from now on. What it was while forgotten, and how it stands.

        Raises:
            Refused: it was not forgotten, or its text has been remembered anew since.
        """
        return restore(self.graph, self.scope(test=test), self.find(ref, test=test), now=now)

    def supersede(
        self,
        old: str,
        new: str,
        *,
        reason: str | None = None,
        test: bool = False,
        now: datetime | None = None,
        allow_secret: bool = False,
    ) -> tuple[Memory, Memory, Archived]:
        """Archive `old` in favour of `new`: both, and what the old one had.

        Raises:
            InvalidValue: they are one memory. Refused: `old` was superseded before, `new` has expired, or the
                reason holds a secret and not `allow_secret`.
        """
        scope, before, after = self.scope(test=test), self.find(old, test=test), self.find(new, test=test)
        return supersede(self.graph, scope, before, after, reason=reason, now=now, allow_secret=allow_secret)

    # Reading

    def lineage(self, ref: str, *, test: bool = False) -> list[dict[str, Any]]:
        """A memory's way through the tiers, oldest first: id, tier, energy, since, until."""
        found = self.find(ref, test=test)
        return self.graph.read("inspect/lineage", partial(inspect.lineage, scope=self.scope(test=test), id=found.id))

    def history(self, ref: str, *, test: bool = False) -> list[tuple[Event, Standing]]:
        """A memory's events as they happened, each with how the memory stood after it."""
        found = self.find(ref, test=test)
        events = self.graph.read("inspect/ledger", partial(inspect.ledger, scope=self.scope(test=test), id=found.id))
        return list(walk(events, core=found.core))

    def explain(self, ref: str, *, test: bool = False, now: datetime | None = None) -> Explanation:
        """Why a memory stands where it stands, and what becomes of it if nothing happens; changes nothing."""
        found = self.find(ref, test=test)
        return explain(self.graph, self.scope(test=test), self.law().law, found.id, now=now)

    def verify(self, ref: str | None = None, *, test: bool = False) -> Verification:
        """Replay the ledgers of all memories, or of one, through the law: do they lead to the stored energies?"""
        scope = self.scope(test=test)
        if ref is None:
            return verify(self.graph, scope, self.laws)
        return verify_one(self.graph, scope, self.laws, self.find(ref, test=test))

    # The law

    def law(self) -> LawVersion:
        """The constants in force."""
        return self.graph.read("config/read_config", partial(graph_law.in_force, brain=self.name))

    def law_history(self) -> Sequence[LawVersion]:
        """Every version of the constants, newest first."""
        configs = self.graph.read("config/list_configs", partial(config_statements.list_configs, brain=self.name))
        return [graph_law.law_version(config) for config in configs]

    def laws(self) -> Laws:
        """The constants through time."""
        return graph_law.through_time(self.law_history())
