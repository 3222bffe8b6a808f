"""Remember: a memory is born, with the energy its kind gives it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any
from uuid import uuid4

from brainbridge.domain.energy import Law, checked_energy
from brainbridge.domain.memory import checked_content
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import MemoryType, Producer, Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.records import iso
from brainbridge.graph.statements import memory

# Rows per transaction in bulk: large enough that the commit is paid once, small enough to hold locks under a second.
BULK = 2_000


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be remembered. `at` is the instant of birth; None means now, by the database server's clock."""

    content: str
    memory_type: MemoryType | None = None
    producer: Producer = Producer.USER
    core: bool = False
    subject: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """The outcome for one note. `outcome` is `created`; energy is the one at birth."""

    id: str
    outcome: str
    energy: float
    tier: Tier


def remember(graph: Graph, scope: Scope, law: Law, note: Note, *, now: datetime | None = None) -> Remembered:
    """Bear one memory.

    Raises:
        InvalidValue: the content is empty, too long, or cannot be stored unaltered. Nothing is written.
    """
    return remember_many(graph, scope, law, [note], now=now)[0]


def remember_many(
    graph: Graph,
    scope: Scope,
    law: Law,
    notes: Iterable[Note],
    *,
    now: datetime | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Remembered]:
    """Bear many memories, `BULK` a transaction; a bad note stops before its batch is written.

    Args:
        progress: called after each batch with the number of memories written so far.
    """
    now = now or graph.now()
    born: list[Remembered] = []
    source = iter(notes)
    while batch := list(islice(source, BULK)):
        births = [_birth(note, law, now) for note in batch]
        graph.write("memory/create_memories", partial(memory.create_memories, scope=scope, births=births))
        born += [Remembered(b["id"], "created", b["energy"], Tier(b["tier"])) for b in births]
        if progress:
            progress(len(born))
    return born


def remember_exactly(
    graph: Graph, scope: Scope, content: str, *, energy: float, tier: Tier, now: datetime | None = None
) -> Remembered:
    """Bear a memory with a given energy and tier; for test memories, whose whole point that is.

    Raises:
        InvalidValue: bad content, or an energy that is negative or no finite number.
    """
    birth = _row(Note(content), tier, checked_energy(energy), now or graph.now())
    graph.write("memory/create_memories", partial(memory.create_memories, scope=scope, births=[birth]))
    return Remembered(birth["id"], "created", birth["energy"], tier)


def _birth(note: Note, law: Law, now: datetime) -> dict[str, Any]:
    tier, energy = law.birth(memory_type=note.memory_type, producer=note.producer, core=note.core)
    return _row(note, tier, energy, note.at or now)


def _row(note: Note, tier: Tier, energy: float, at: datetime) -> dict[str, Any]:
    # Ids are made here, not in the statement: when the answer to a commit is lost, the same rows can be sent again.
    return {
        "id": str(uuid4()),
        "event": str(uuid4()),
        "content": checked_content(note.content),
        "tier": tier.value,
        "energy": energy,
        "core": note.core,
        "memoryType": note.memory_type and note.memory_type.value,
        "producer": note.producer.value,
        "subject": note.subject,
        "sourceNodeId": None,
        "at": iso(at),
    }
