"""Remember: a new text is born as a memory, a restatement reinforces the one that is there; no error, no copy.

Exact and near duplicates are looked for among all memories of the scope, of every tier. The wording that was there
first stays. One text and thousands take the same way: probe, decide, write, in one transaction.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any
from uuid import uuid4

from neo4j import ManagedTransaction

from brainbridge.domain.energy import checked_energy, weight_of_energy
from brainbridge.domain.errors import AlreadyThere
from brainbridge.domain.memory import checked_content
from brainbridge.domain.scope import Scope
from brainbridge.domain.secrets import refuse_secrets
from brainbridge.domain.tier import MemoryType, Producer, Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import in_force
from brainbridge.graph.records import iso
from brainbridge.graph.statements import memory, runs
from brainbridge.graph.statements.memory import Candidate, Raised
from brainbridge.memory.restatement import SIMILAR, Comparison, Fingerprint, compare, fingerprint

# Texts per transaction in bulk: large enough that the commit is paid once, small enough to hold locks under a second.
BULK = 500
# What the full-text index shows late is looked for among the newest; it was never more than 0.14 s behind (measured).
# A batch waits for the index once instead: looking among the newest for each of its texts, which the batch before it
# has made many, took 6 ms a text (measured), and the wait takes 13 ms in all.
INDEX_LAG = timedelta(seconds=1)
CANDIDATES = 10
MOST_RELATED = 3
# Two writers of the same text at one instant: one is born, the other looks again and reinforces.
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Source:
    """The node a memory came from: its label, its own id, and the properties to make it with if it is not there."""

    label: str
    id: str
    properties: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be remembered. `at` is the instant of birth; None means now, by the database server's clock.

    `allow_secret`: store it even if a text of it holds what looks like a secret.
    """

    content: str
    memory_type: MemoryType | None = None
    producer: Producer = Producer.USER
    core: bool = False
    subject: str | None = None
    at: datetime | None = None
    source: Source | None = None
    allow_secret: bool = False

    def texts(self) -> dict[str, str]:
        """Every text of it that would be stored, by what people call it."""
        found = {"content": self.content, "subject": self.subject}
        if (source := self.source) is not None:
            found |= {"id of its source": source.id}
            found |= {f"{name} of its source": value for name, value in (source.properties or {}).items()}
        return {name: str(text) for name, text in found.items() if isinstance(text, str | list | tuple)}


@dataclass(frozen=True, slots=True)
class Related:
    """A memory that is similar, but says something else: perhaps what this one updates."""

    id: str
    similarity: float
    content: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of one note.

    `outcome`: created, reinforced or revived. `similarity`: to the memory that was found, else to the nearest one, 0.0
    without any. `existing`: the wording that was there and stays, None for a new memory. `energy`: afterwards.
    """

    id: str
    outcome: str
    energy: float
    tier: Tier
    similarity: float = 0.0
    existing: str | None = None
    related: tuple[Related, ...] = ()

    @property
    def weight(self) -> float:
        """The display weight of the energy, 0 to 1."""
        return weight_of_energy(self.energy)


def remember(graph: Graph, scope: Scope, note: Note, *, now: datetime | None = None) -> Remembered:
    """Remember one note.

    Raises:
        InvalidValue: the content is empty, too long, or cannot be stored unaltered. Refused: it holds a secret.
            Nothing is written.
    """
    return remember_many(graph, scope, [note], now=now)[0]


def remember_many(
    graph: Graph,
    scope: Scope,
    notes: Iterable[Note],
    *,
    now: datetime | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Remembered]:
    """Remember many notes, `BULK` a transaction; a bad note stops before its batch is written.

    Args:
        progress: called after each batch with the number of notes dealt with so far.
    """
    outcomes: list[Remembered] = []
    source = iter(notes)
    while batch := list(islice(source, BULK)):
        texts = [_Text(note) for note in batch]
        outcomes += _until_settled(graph, scope, texts, now)
        if progress:
            progress(len(outcomes))
    return outcomes


def remember_exactly(
    graph: Graph,
    scope: Scope,
    content: str,
    *,
    energy: float,
    tier: Tier,
    now: datetime | None = None,
    allow_secret: bool = False,
) -> Remembered:
    """Bear a memory with a given energy and tier, also if its text is there; for test memories, whose point that is.

    Raises:
        InvalidValue: bad content, or an energy that is negative or no finite number. Refused: the content holds a
            secret.
    """
    now = now or graph.now()
    text = _Text(Note(content, allow_secret=allow_secret))
    birth = text.birth(tier, checked_energy(energy), now) | {"contentKey": None}
    graph.write("memory/create_memories", partial(memory.create_memories, scope=scope, births=[birth]))
    return Remembered(birth["id"], "created", birth["energy"], tier)


class _Text:
    """A note with what the transaction needs of it, made once although the transaction may run several times."""

    def __init__(self, note: Note) -> None:
        self.note = note
        self.content = checked_content(note.content)
        if not note.allow_secret:
            refuse_secrets(note.texts())
        self.print: Fingerprint = fingerprint(self.content)
        # Ids are made here, not in the statement: when the answer to a commit is lost, the same rows can be sent again.
        self.id, self.event = str(uuid4()), str(uuid4())

    def probe(self, row: int, scope: Scope) -> dict[str, Any]:
        """What memory/probe_restatements asks for this text. Tokens of the bands are hexadecimal: nothing to escape."""
        bands = " ".join(self.print.bands) or "none"
        lucene = f"+scope:{scope.token}^0 +bands:({bands})"
        return {"row": row, "contentKey": self.print.key, "lucene": lucene, "bands": list(self.print.bands)}

    def birth(self, tier: Tier, energy: float, now: datetime) -> dict[str, Any]:
        """The row that memory/create_memories makes a memory of."""
        note = self.note
        return {
            "id": self.id,
            "event": self.event,
            "content": self.content,
            "contentKey": self.print.key,
            "bands": " ".join(self.print.bands),
            "tier": tier.value,
            "energy": energy,
            "core": note.core,
            "memoryType": note.memory_type and note.memory_type.value,
            "producer": note.producer.value,
            "subject": note.subject,
            "at": iso(note.at or now),
        }


def _until_settled(graph: Graph, scope: Scope, texts: Sequence[_Text], now: datetime | None) -> list[Remembered]:
    for attempt in range(ATTEMPTS):
        work = partial(_remember, scope=scope, texts=texts, now=now)
        try:
            return graph.write("memory/create_memories", work)
        except AlreadyThere:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


def _remember(
    tx: ManagedTransaction, *, scope: Scope, texts: Sequence[_Text], now: datetime | None
) -> list[Remembered]:
    """Probe all texts, bear the new ones in one statement, then reinforce: so a text may restate one of its batch."""
    now = now or runs.server_now(tx)
    law = in_force(tx, scope.brain).law
    probes = [text.probe(row, scope) for row, text in enumerate(texts)]
    lag = INDEX_LAG
    if len(texts) > 1:
        memory.await_bands(tx)
        lag = timedelta(0)
    found = memory.probe_restatements(tx, scope, probes=probes, lag=lag, limit=CANDIDATES)
    batch = _Batch(revives=law.revive_expired > 0)
    for text, (exact, near) in zip(texts, found, strict=True):
        batch.decide(text, exact, near)
    for id_ in batch.released:
        memory.release_text(tx, scope, id=id_)
    births = [text.birth(*law.birth(**_kind(text.note)), now) for text in batch.new]
    if births:
        memory.create_memories(tx, scope, births=births)
    born = {birth["id"]: birth for birth in births}
    # Locks are taken in the order of ids, so that two batches cannot wait for each other.
    in_order = sorted(batch.decisions, key=lambda pair: pair[1].restates.id if pair[1].restates else "")
    done = {text.id: _outcome(tx, scope, text, decided, born, now) for text, decided in in_order}
    outcomes = [done[text.id] for text in texts]
    for text, outcome in zip(texts, outcomes, strict=True):
        if (source := text.note.source) is not None:
            memory.link_source(
                tx,
                scope,
                now=now,
                id=outcome.id,
                label=source.label,
                source=source.id,
                properties=source.properties or {},
            )
    return outcomes


def _kind(note: Note) -> dict[str, Any]:
    return {"memory_type": note.memory_type, "producer": note.producer, "core": note.core}


@dataclass(frozen=True, slots=True)
class _Decision:
    """What a text restates (None: nothing, it is born), how similar that is, and what else came near."""

    restates: Candidate | None
    similarity: float
    related: tuple[Related, ...]


class _Batch:
    """The decisions on one batch; each new text is a candidate for those after it."""

    def __init__(self, *, revives: bool) -> None:
        self._revives = revives
        self.released: list[str] = []
        self.new: list[_Text] = []
        self.decisions: list[tuple[_Text, _Decision]] = []
        self._by_band: dict[str, list[_Text]] = {}
        self._by_key: dict[str, _Text] = {}

    def decide(self, text: _Text, exact: Candidate | None, near: Sequence[Candidate]) -> None:
        """Decide whether `text` restates a memory that is there, or one of this batch."""
        if not self._revives:
            near = [one for one in near if one.tier is not Tier.EXPIRED]
            if exact is not None and exact.tier is Tier.EXPIRED:
                self.released.append(exact.id)
                exact = None
        if exact is None and (twin := self._by_key.get(text.print.key)) is not None:
            exact = Candidate(twin.id, twin.content, Tier.WORKING)
        if exact is not None:
            self.decisions.append((text, _Decision(exact, 1.0, ())))
            return
        compared = [(compare(fingerprint(one.content), text.print), one) for one in [*near, *self._near(text)]]
        compared.sort(key=lambda pair: -pair[0].similarity)
        same = next(((result, one) for result, one in compared if result.restates), None)
        decision = _Decision(
            restates=same[1] if same else None,
            similarity=same[0].similarity if same else max((result.similarity for result, _ in compared), default=0.0),
            related=tuple(_related(compared)) if same is None else (),
        )
        self.decisions.append((text, decision))
        if same is None:
            self._add(text)

    def _near(self, text: _Text) -> list[Candidate]:
        found = {id(one): one for band in text.print.bands for one in self._by_band.get(band, ())}
        return [Candidate(one.id, one.content, Tier.WORKING) for one in found.values()]

    def _add(self, text: _Text) -> None:
        self.new.append(text)
        self._by_key[text.print.key] = text
        for band in text.print.bands:
            self._by_band.setdefault(band, []).append(text)


def _related(compared: Iterable[tuple[Comparison, Candidate]]) -> list[Related]:
    near = [Related(one.id, result.similarity, one.content) for result, one in compared if result.similarity >= SIMILAR]
    return near[:MOST_RELATED]


def _outcome(
    tx: ManagedTransaction,
    scope: Scope,
    text: _Text,
    decided: _Decision,
    born: Mapping[str, Mapping[str, Any]],
    now: datetime,
) -> Remembered:
    same = decided.restates
    if same is None:
        birth = born[text.id]
        return Remembered(
            birth["id"], "created", birth["energy"], Tier(birth["tier"]), decided.similarity, related=decided.related
        )
    raised = _raise(tx, scope, same.id, text.event, text.note.at or now)
    if raised is None:
        # It was promoted, forgotten or revived since the probe: look again.
        raise AlreadyThere(f"memory {same.id} changed while its restatement was remembered. Try again.")
    outcome, (energy, tier) = raised
    return Remembered(same.id, outcome, energy, tier, decided.similarity, existing=same.content)


def _raise(
    tx: ManagedTransaction, scope: Scope, id: str, event: str, now: datetime
) -> tuple[str, tuple[float, Tier]] | None:
    """Reinforce a live memory, or revive an expired one; None if it is neither."""
    if memory.settle(tx, scope, now=now, id=id) is not None:
        reinforced: Raised | None = memory.reinforce(tx, scope, id=id, event=event)
        return ("reinforced", (reinforced.after, reinforced.tier)) if reinforced else None
    revived = memory.revive(tx, scope, now=now, id=id, event=event)
    return ("revived", (revived.after, revived.tier)) if revived else None
