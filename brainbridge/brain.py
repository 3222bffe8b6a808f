"""A brain, opened: the verbs of the command line as methods. Built by brainbridge/app.py, never by hand."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Self, TextIO

from brainbridge.asking import Asking
from brainbridge.consolidation import run as consolidation_run
from brainbridge.consolidation.change_law import change_law, changed
from brainbridge.consolidation.report import RunReport
from brainbridge.domain.errors import UnknownBrain
from brainbridge.domain.memory import Memory
from brainbridge.domain.naming import listed
from brainbridge.domain.relation import Relation, declaration
from brainbridge.domain.source import Source
from brainbridge.domain.tier import MemoryType, Producer, word
from brainbridge.graph import schema
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import LawVersion
from brainbridge.graph.statements import brains as brain_statements
from brainbridge.graph.statements.edges import Related
from brainbridge.inspection import console
from brainbridge.inspection.console import Table
from brainbridge.learning.prune import clear_test_records
from brainbridge.looking import Looking
from brainbridge.memory import relate, test_memories
from brainbridge.memory.capture import captured
from brainbridge.memory.note import Note, Remembered
from brainbridge.memory.relate import Linked, Unlinked
from brainbridge.memory.remember import remember, remember_many
from brainbridge.practice import Practice
from brainbridge.settings import Settings
from brainbridge.transfer import exchange
from brainbridge.transfer.exchange import Format
from brainbridge.transfer.report import ExportReport, ImportReport


def list_brains(graph: Graph) -> list[str]:
    """The names of all brains registered in a database."""
    schema.check(graph)
    return graph.read("brains/list_brains", brain_statements.list_brains)


def _there(name: str, known: Sequence[str]) -> str:
    """What there is instead of the brain `name`."""
    close = get_close_matches(name, known, n=1)
    meant = f"Did you mean {close[0]}? " if close else ""
    return f"{meant}Known: {listed(known)}." if known else "There is none yet."


class Brain(Asking, Practice, Looking):
    """One brain, opened: the verbs of the command line as methods with typed results.

    `test=True` on a method means its test memories; without it only real ones are read or written. `now` replaces the
    database server's clock, for tests and for replaying a history. Thread-safe. Close it, or use it in a `with`.
    """

    def __init__(self, graph: Graph, name: str, settings: Settings, *, owns_unowned: bool) -> None:
        self.graph = graph
        self.name = name
        self.settings = settings
        self.owns_unowned = owns_unowned

    @classmethod
    def on(cls, graph: Graph, name: str, settings: Settings) -> Self:
        """Open a registered brain on a connection.

        Raises:
            UnknownBrain: it is not registered; the registered ones are listed.
        """
        known = list_brains(graph)
        if name not in known:
            raise UnknownBrain(
                f"there is no brain {name!r} here. {_there(name, known)} Make it with: brainbridge --brain={name} init"
            )
        schema.prepare(graph, graph.now())
        profile = settings.brains.get(name)
        return cls(graph, name, settings, owns_unowned=known == [name] or bool(profile and profile.adopt_unowned))

    def close(self) -> None:
        """Close the connection."""
        self.graph.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Memories

    def remember(
        self,
        content: str,
        *,
        memory_type: MemoryType | str | None = None,
        producer: Producer | str = Producer.USER,
        core: bool = False,
        subject: str | None = None,
        source: Source | None = None,
        relation: Relation | str | None = None,
        related_to: str | Sequence[str] = (),
        at: datetime | None = None,
        test: bool = False,
        allow_secret: bool = False,
    ) -> Remembered:
        """Remember one text: a new one is born, a restatement reinforces or revives the memory that is there.

        Args:
            memory_type, producer, core: decide the energy at birth: core first, then type, then producer.
            source: the node it came from, made if it is not there, joined to the memory by HAS_MEMORY.
            relation, related_to: what it says of memories that are there, each named as in `link`. A restatement says
                it of the memory that it restates.
            at: the instant it is remembered at, if not now.
            allow_secret: store it even if a text of it holds what looks like a key, a token or a password.

        Raises:
            InvalidValue: unknown type, producer or relation; a relation without target, or the reverse, or of a memory
                to itself; content that cannot be stored unaltered.
            Refused: a secret, or `co_recalled`. NotFound, Ambiguous: a target. Nothing is written in any of these.
        """
        note = Note(
            content,
            memory_type=word(MemoryType, memory_type) if memory_type is not None else None,
            producer=word(Producer, producer),
            core=core,
            subject=subject,
            at=at,
            source=source,
            declares=declaration(relation, [related_to] if isinstance(related_to, str) else related_to),
            allow_secret=allow_secret,
        )
        return remember(self.graph, self.scope(test=test), note)

    def capture(
        self,
        kind: MemoryType | str,
        *texts: str,
        at: datetime | None = None,
        test: bool = False,
        allow_secret: bool = False,
    ) -> Remembered:
        """Write down a crystallization (trigger, insight), a learning (concept, what) or a reminder (thing).

        Makes or finds the node of that kind, remembers its text, and joins both by HAS_MEMORY.

        Raises:
            InvalidValue: an unknown kind, another number of texts than it has, or a text that cannot be stored.
            Refused: a text holds a secret and not `allow_secret`.
        """
        note = replace(captured(word(MemoryType, kind), *texts, allow_secret=allow_secret), at=at)
        return remember(self.graph, self.scope(test=test), note)

    def remember_many(
        self, notes: Iterable[Note], *, test: bool = False, progress: Callable[[int], None] | None = None
    ) -> list[Remembered]:
        """Remember many notes in large transactions; `progress` is called with the number dealt with so far.

        Raises:
            InvalidValue, Refused: a note that cannot be stored, or holds a secret and not `allow_secret`. Its batch
                is not written, those before it are.
        """
        return remember_many(self.graph, self.scope(test=test), notes, progress=progress)

    # Relations

    def link(
        self,
        from_ref: str,
        relation: Relation | str,
        to_ref: str,
        *,
        declared_by: str = "user",
        test: bool = False,
        now: datetime | None = None,
    ) -> Linked:
        """Declare that a memory extends, updates, derives from or contradicts another; once, however often it is said.

        Raises:
            InvalidValue: no such relation, or both ends are the same memory. Refused: `co_recalled`.
            NotFound, Ambiguous: an end. Nothing is written in any of these cases.
        """
        scope = self.scope(test=test)
        return relate.link(self.graph, scope, from_ref, relation, to_ref, declared_by=declared_by, now=now)

    def unlink(self, from_ref: str, relation: Relation | str, to_ref: str, *, test: bool = False) -> Unlinked:
        """Take a declared relation back; what it has done to energies stays."""
        return relate.unlink(self.graph, self.scope(test=test), from_ref, relation, to_ref)

    def relations(self, ref: str, *, test: bool = False) -> list[Related]:
        """The declared relations of a memory in both directions, the oldest first."""
        return relate.relations(self.graph, self.scope(test=test), ref)

    # Export and import

    def export_to(
        self, target: Path | str | TextIO, *, test: bool = False, progress: Callable[[int], None] | None = None
    ) -> ExportReport:
        """Write all memories, their ledger and their edges as JSON lines to a file or a text stream.

        Raises:
            LeaseHeld: a run on the scope does not end. UsageError: the file cannot be written; none was made.
        """
        scope, law = self.scope(test=test), self.law().law
        return exchange.export_to(self.graph, scope, law, target, owns_unowned=self.owns_unowned, progress=progress)

    def import_from(
        self,
        source: Path | str | TextIO | BinaryIO,
        *,
        format: Format | str = Format.BRAINBRIDGE,
        test: bool = False,
        allow_secret: bool = False,
        fresh: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """Import an export, plain notes or a folder of Markdown; what is here is never overwritten.

        Args:
            allow_secret: also take notes that hold what looks like a secret. An export is taken as it is anyway.
            fresh: notes are remembered as of now, whatever their date; an export never is.

        Raises:
            InvalidValue: something in it cannot be read; its place is named, and its batch not written.
            Refused: test memories for real ones, ids of another brain in this database, or a note with a secret.
        """
        kind, scope = word(Format, format), self.scope(test=test)
        if kind is Format.BRAINBRIDGE:
            return exchange.import_from(self.graph, scope, source, progress=progress)
        remember_all = partial(self.remember_many, test=test, progress=progress)
        return exchange.import_notes(
            source, kind, remember_all, self.law().law, self.graph.now(), allow_secret=allow_secret, fresh=fresh
        )

    # Test memories

    def create_test_memory(
        self, content: str, energy: float, tier: str, *, now: datetime | None = None, allow_secret: bool = False
    ) -> Remembered:
        """A test memory with exactly this energy and tier."""
        return test_memories.create(
            self.graph, self.name, content, energy=energy, tier=tier, now=now, allow_secret=allow_secret
        )

    def list_test_memories(self, *, limit: int = 1_000) -> list[Memory]:
        """Test memories that are not archived, the most energetic first."""
        return test_memories.listed(self.graph, self.name, limit=limit)

    def clear_test_memories(self) -> int:
        """Delete every test memory of this brain, and what was recorded of their recalls; how many memories.

        Real ones are out of reach.
        """
        cleared = test_memories.clear(self.graph, self.name)
        clear_test_records(self.graph, self.name)
        return cleared

    # Consolidation

    def consolidate(self, **options: Any) -> RunReport:
        """A whole run: adopt, decay, relate, expire, promote. Options as in `run`."""
        return self.run("consolidate", **options)

    def decay(self, **options: Any) -> RunReport:
        """Bring every energy to now. Options as in `run`."""
        return self.run("decay", **options)

    def expire(self, **options: Any) -> RunReport:
        """Mark what has faded below the threshold. Options as in `run`."""
        return self.run("expire", **options)

    def promote(self, **options: Any) -> RunReport:
        """Promote what stands above its threshold. Options as in `run`."""
        return self.run("promote", **options)

    def run(
        self,
        operation: str,
        *,
        test: bool = False,
        now: datetime | None = None,
        dry_run: bool = False,
        trigger: str = "api",
        wait_seconds: float = 0.0,
    ) -> RunReport:
        """Run `consolidate`, `decay`, `expire` or `promote`.

        Args:
            dry_run: only say what would change.
            wait_seconds: how long to wait for another run on the same scope.

        Raises:
            LeaseHeld: another run on the same scope is in progress.
        """
        scope, law = self.scope(test=test), self.law()
        if dry_run:
            return consolidation_run.preview(
                self.graph, scope, law, operation=operation, now=now, owns_unowned=self.owns_unowned
            )
        return consolidation_run.run(
            self.graph,
            scope,
            law,
            operation=operation,
            trigger=trigger,
            now=now,
            owns_unowned=self.owns_unowned,
            wait_seconds=wait_seconds,
        )

    # Cypher

    def cypher(self, text: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False) -> Table:
        """Run one Cypher text, read-only unless `write`."""
        return console.run(self.graph, text, parameters, write=write)

    def plan(self, name: str) -> Mapping[str, Any]:
        """The plan that the database makes for the statement `name`, as the driver gives it; nothing is run.

        Raises:
            NotFound: there is no such statement.
        """
        return console.plan(self.graph, name)

    # The law

    def set_law(self, now: datetime | None = None, /, **changes: float | str) -> LawVersion:
        """Change constants, by their names in `Law`; the version in force gets its validTo, a new one begins.

        If λ or the floor changes, all energies are brought to that instant by the old constants first.

        Raises:
            InvalidValue: an unknown name, or a law that contradicts itself. Nothing is written.
            LeaseHeld: a run on this brain did not finish in a minute.
        """
        before = self.law()
        if changed(before.law, changes) == before.law:
            return before
        change_law(self.graph, self.name, before, changes, now=now)
        return self.law()
