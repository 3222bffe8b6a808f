"""A brain, opened: the verbs of the command line as methods. Built by brainbridge/app.py, never by hand."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Self

from brainbridge.consolidation import run as consolidation_run
from brainbridge.consolidation.report import RunReport
from brainbridge.domain.energy import Law
from brainbridge.domain.errors import InvalidValue, UnknownBrain
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import MemoryType, Producer
from brainbridge.graph import law as graph_law
from brainbridge.graph import schema
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import LawVersion
from brainbridge.graph.statements import brains as brain_statements
from brainbridge.graph.statements import config as config_statements
from brainbridge.graph.statements import inspect
from brainbridge.graph.statements import runs as run_statements
from brainbridge.graph.statements.memory import Boosted, read_memory
from brainbridge.inspection import console
from brainbridge.inspection.console import Table
from brainbridge.inspection.health import RUNS_LOOKED_AT, Health, health
from brainbridge.inspection.status import Status, status
from brainbridge.memory import test_memories
from brainbridge.memory.boost import boost
from brainbridge.memory.reference import resolve
from brainbridge.memory.remember import Note, Remembered, remember, remember_many
from brainbridge.settings import Settings


def list_brains(graph: Graph) -> list[str]:
    """The names of all brains registered in a database."""
    schema.check(graph)
    return graph.read("brains/list_brains", brain_statements.list_brains)


class Brain:
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
    def open(cls, graph: Graph, name: str, settings: Settings) -> Self:
        """Open a registered brain on a connection.

        Raises:
            UnknownBrain: it is not registered; the registered ones are listed.
        """
        known = list_brains(graph)
        if name not in known:
            there = f"Known: {', '.join(known)}." if known else "There is none yet."
            raise UnknownBrain(
                f"there is no brain {name!r} here. {there} Make it with: brainbridge --brain={name} init"
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

    def scope(self, *, test: bool = False) -> Scope:
        """The scope that `test` means."""
        return Scope(self.name, is_test=test)

    # Memories

    def remember(
        self,
        content: str,
        *,
        memory_type: MemoryType | str | None = None,
        producer: Producer | str = Producer.USER,
        core: bool = False,
        subject: str | None = None,
        at: datetime | None = None,
        test: bool = False,
    ) -> Remembered:
        """Bear one memory; its energy follows from core, else type, else producer. `at`: its birth, if not now.

        Raises:
            InvalidValue: unknown type or producer, or content that cannot be stored unaltered.
        """
        note = Note(
            content,
            memory_type=_word(MemoryType, memory_type) if memory_type is not None else None,
            producer=_word(Producer, producer),
            core=core,
            subject=subject,
            at=at,
        )
        return remember(self.graph, self.scope(test=test), self.law().law, note)

    def remember_many(
        self, notes: Iterable[Note], *, test: bool = False, progress: Callable[[int], None] | None = None
    ) -> list[Remembered]:
        """Bear many memories in large transactions; `progress` is called with the number written so far."""
        return remember_many(self.graph, self.scope(test=test), self.law().law, notes, progress=progress)

    def find(self, ref: str, *, test: bool = False) -> Memory:
        """The one memory that `ref` names: an id, its first 6 characters, or a unique piece of its text.

        Raises:
            NotFound, Ambiguous.
        """
        return resolve(self.graph, self.scope(test=test), ref)

    def is_test_memory(self, id: str) -> bool:
        """Whether `id` is the full id of one of this brain's test memories."""
        scope = self.scope(test=True)
        return self.graph.read("memory/read_memory", partial(read_memory, scope=scope, id=id)) is not None

    def boost(self, ref: str, *, test: bool = False, now: datetime | None = None) -> tuple[Memory, Boosted]:
        """Add one access to a memory, or to the one it lives on in; what it was before, and what the boost did."""
        scope = self.scope(test=test)
        return boost(self.graph, scope, resolve(self.graph, scope, ref), now=now)

    def lineage(self, ref: str, *, test: bool = False) -> list[dict[str, Any]]:
        """A memory's way through the tiers, oldest first: id, tier, energy, since, until."""
        scope = self.scope(test=test)
        found = resolve(self.graph, scope, ref)
        return self.graph.read("inspect/lineage", partial(inspect.lineage, scope=scope, id=found.id))

    def ledger(self, ref: str, *, test: bool = False) -> list[dict[str, Any]]:
        """A memory's events, oldest first: kind, at, before, after, tier."""
        scope = self.scope(test=test)
        found = resolve(self.graph, scope, ref)
        return self.graph.read("inspect/ledger", partial(inspect.ledger, scope=scope, id=found.id))

    # Test memories

    def create_test_memory(self, content: str, energy: float, tier: str, *, now: datetime | None = None) -> Remembered:
        """A test memory with exactly this energy and tier."""
        return test_memories.create(self.graph, self.name, content, energy=energy, tier=tier, now=now)

    def list_test_memories(self, *, limit: int = 1_000) -> list[Memory]:
        """Test memories that are not archived, the most energetic first."""
        return test_memories.listed(self.graph, self.name, limit=limit)

    def clear_test_memories(self) -> int:
        """Delete every test memory of this brain; real ones are out of reach. How many."""
        return test_memories.clear(self.graph, self.name)

    # Consolidation

    def consolidate(self, **options: Any) -> RunReport:
        """A whole run: adopt, decay, expire, promote. Options as in `run`."""
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

    def since_last_run(self, operation: str = "consolidate", *, test: bool = False) -> timedelta | None:
        """How long ago, by the database server's clock, a run of `operation` began; None if none is on record."""
        recent = partial(run_statements.list_runs, scope=self.scope(test=test), limit=RUNS_LOOKED_AT)
        for run in self.graph.read("runs/list_runs", recent):
            if run.get("operation") == operation:
                began: datetime = run["startedAt"]
                return self.graph.now() - began
        return None

    # Looking

    def status(self, *, test: bool = False, now: datetime | None = None) -> Status:
        """How many memories stand in each tier, and what comes next."""
        return status(self.graph, self.scope(test=test), now=now)

    def health(self, *, now: datetime | None = None) -> Health:
        """Whether the law is in force and runs, and what is wrong where it is not."""
        interval = timedelta(minutes=self.settings.daemon.interval_minutes)
        return health(self.graph, self.name, interval=interval, owns_unowned=self.owns_unowned, now=now)

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

    def law(self) -> LawVersion:
        """The constants in force."""
        configs = self.graph.read("config/read_config", partial(config_statements.read_config, brain=self.name))
        return graph_law.current(configs, self.name)

    def law_history(self) -> list[LawVersion]:
        """Every version of the constants, newest first."""
        configs = self.graph.read("config/list_configs", partial(config_statements.list_configs, brain=self.name))
        return [graph_law.law_version(config) for config in configs]

    def set_law(self, **changes: float) -> LawVersion:
        """Change constants, by their names in `Law`; the version in force gets its validTo, a new one begins.

        Raises:
            InvalidValue: an unknown name, or a law that contradicts itself. Nothing is written.
        """
        if unknown := sorted(set(changes) - set(Law.names())):
            raise InvalidValue(f"{unknown[0]!r} is not a constant. There are: {', '.join(Law.names())}.")
        before = self.law()
        after = before.law.with_changes(**changes)
        if after == before.law:
            return before
        properties = {graph_law.camel(name): float(value) for name, value in changes.items()}
        version = self.graph.write(
            "config/write_config",
            partial(
                config_statements.write_config,
                brain=self.name,
                now=self.graph.now(),
                version=before.version,
                changes=properties,
            ),
        )
        if not version:
            raise InvalidValue(f"the constants changed meanwhile (version {before.version} is closed). Try again.")
        return self.law()


def _word(kind: Any, value: Any) -> Any:
    """`value` as a member of the closed enum `kind`."""
    with suppress(ValueError):
        return kind(value)
    raise InvalidValue(f"{value!r} is not a {kind.__name__}. Use one of {', '.join(kind)}.")
