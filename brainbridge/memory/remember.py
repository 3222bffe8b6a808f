"""Remember: a new text is born as a memory, a restatement reinforces the one that is there; no error, no copy.

Exact and near duplicates are looked for among all memories of the scope, of every tier. The wording that was there
first stays. One text and thousands take the same way: probe, decide, write, in one transaction.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any
from uuid import uuid4

from neo4j import ManagedTransaction

from brainbridge.domain.energy import Law, checked_energy, weight_of_energy
from brainbridge.domain.errors import AlreadyThere, InvalidValue
from brainbridge.domain.memory import Memory, checked_content
from brainbridge.domain.relation import Declaration, Relation
from brainbridge.domain.scope import Scope
from brainbridge.domain.secrets import refuse_secrets
from brainbridge.domain.source import Source
from brainbridge.domain.tier import MemoryType, Producer, Tier
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import in_force
from brainbridge.graph.records import iso
from brainbridge.graph.statements import edges, memory, runs
from brainbridge.graph.statements.memory import Candidate, Raised, Settled
from brainbridge.graph.transitions import Head
from brainbridge.memory.reference import resolve_current
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
class Note:
    """What is to be remembered. `at` is the instant of birth; None means now, by the database server's clock.

    `declares`: what it says of memories that are there; if it restates one of them, that one says it.
    `allow_secret`: store it even if a text of it holds what looks like a secret.
    """

    content: str
    memory_type: MemoryType | None = None
    producer: Producer = Producer.USER
    core: bool = False
    subject: str | None = None
    at: datetime | None = None
    source: Source | None = None
    declares: Declaration | None = None
    allow_secret: bool = False

    def texts(self) -> dict[str, str]:
        """Every text of it that would be stored, by what people call it."""
        found = {"content": self.content, "subject": self.subject}
        if (source := self.source) is not None:
            found |= {"id of its source": source.id}
            found |= {f"{name} of its source": value for name, value in (source.properties or {}).items()}
        return {name: str(text) for name, text in found.items() if isinstance(text, str | list | tuple)}


@dataclass(frozen=True, slots=True)
class Declared:
    """A relation to the memory `id`. `created`: False if it was there before. `inert`: an end has expired."""

    relation: Relation
    id: str
    created: bool
    inert: bool


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
    declared: tuple[Declared, ...] = ()

    @property
    def weight(self) -> float:
        """The display weight of the energy, 0 to 1."""
        return weight_of_energy(self.energy)


def remember(graph: Graph, scope: Scope, note: Note, *, now: datetime | None = None) -> Remembered:
    """Remember one note.

    Raises:
        InvalidValue: the content is empty, too long, or cannot be stored unaltered; or it restates the very memory that
            it declares a relation to.
        Refused: it holds a secret. NotFound, Ambiguous: a memory that it declares a relation to.
            Nothing is written in any of these cases.
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


class _LookAgain(AlreadyThere):
    """A memory was promoted, forgotten or revived, or has faded, since the probe."""

    def __init__(self, id: str) -> None:
        super().__init__(f"memory {id} changed while a text about it was remembered. Try again.")
        self.id = id


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
        targets = {text.id: _targets(graph, scope, text.note) for text in texts if text.note.declares}
        work = partial(_remember, scope=scope, texts=texts, targets=targets, now=now)
        try:
            return graph.write("memory/create_memories", work)
        except _LookAgain as again:
            if attempt == ATTEMPTS - 1:
                raise
            # Where events promote it may have faded, which the probe sees only once it is marked.
            graph.write("memory/settle", partial(transitions.settle, scope=scope, now=now, id=again.id))
        except AlreadyThere:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


def _targets(graph: Graph, scope: Scope, note: Note) -> list[Memory]:
    """The memories that a note declares relations to; looked up at each attempt, because a promotion moves them."""
    return [resolve_current(graph, scope, ref) for ref in (note.declares.targets if note.declares else ())]


def _remember(
    tx: ManagedTransaction,
    *,
    scope: Scope,
    texts: Sequence[_Text],
    targets: Mapping[str, Sequence[Memory]],
    now: datetime | None,
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
    births = {text.id: text.birth(*law.birth(**_kind(text.note)), now) for text in batch.new}
    if births:
        memory.create_memories(tx, scope, births=list(births.values()))
    for text in batch.new:
        _link_source(tx, scope, text.note, text.id, now)
    heads = _Heads(_promoted_at_birth(tx, scope, law, births.values()))
    # Locks are taken in the order of ids, so that two batches cannot wait for each other.
    in_order = sorted(batch.decisions, key=lambda pair: pair[1].restates.id if pair[1].restates else "")
    done = {text.id: _outcome(tx, scope, law, text, decided, births, heads, now) for text, decided in in_order}
    outcomes = [heads.named(done[text.id]) for text in texts]
    return [
        replace(outcome, declared=tuple(_declared(tx, scope, text.note, outcome.id, targets[text.id], heads, now)))
        if text.id in targets
        else outcome
        for text, outcome in zip(texts, outcomes, strict=True)
    ]


class _Heads:
    """What this transaction has promoted so far: where events promote, the next text finds it under its new id."""

    def __init__(self, heads: dict[str, Head]) -> None:
        self._heads = heads

    def add(self, id: str, head: Head) -> None:
        """Note that the memory `id` lives on as `head`."""
        if head.id != id:
            self._heads[id] = head

    def of(self, id: str) -> str:
        """The id that the memory `id` lives on with by now."""
        while (head := self._heads.get(id)) is not None:
            id = head.id  # noqa: A001  # the same memory's
        return id

    def named(self, outcome: Remembered) -> Remembered:
        """`outcome` with the id and the tier that its memory lives on with."""
        while (head := self._heads.get(outcome.id)) is not None:
            outcome = replace(outcome, id=head.id, tier=head.tier)
        return outcome


def _promoted_at_birth(
    tx: ManagedTransaction, scope: Scope, law: Law, births: Iterable[Mapping[str, Any]]
) -> dict[str, Head]:
    """Where events promote, what those that are born above the threshold live on as; each at its instant."""
    if not law.by_event:
        return {}
    by_instant: dict[str, list[str]] = {}
    for birth in births:
        if birth["tier"] == Tier.WORKING and birth["energy"] > law.threshold_working:
            by_instant.setdefault(birth["at"], []).append(birth["id"])
    heads: dict[str, Head] = {}
    for at, ids in by_instant.items():
        heads |= transitions.lifted(tx, scope, ids=ids, tier=Tier.WORKING, at=datetime.fromisoformat(at))
    return heads


def _link_source(tx: ManagedTransaction, scope: Scope, note: Note, id: str, now: datetime) -> None:
    """Hang a memory on the node it came from; before a promotion, so that its archive hangs there too."""
    if (source := note.source) is not None:
        memory.link_source(
            tx, scope, now=now, id=id, label=source.label, source=source.id, properties=source.properties or {}
        )


def _declared(
    tx: ManagedTransaction,
    scope: Scope,
    note: Note,
    id: str,
    targets: Sequence[Memory],
    heads: _Heads,
    now: datetime,
) -> Iterator[Declared]:
    assert note.declares is not None  # only notes that declare something have targets
    for target in targets:
        to_id = heads.of(target.id)
        if to_id == id:
            raise InvalidValue(
                f"the text restates memory {id}, and a memory cannot be related to itself. Nothing was written: "
                "name another memory, or change the text."
            )
        done = edges.link(
            tx,
            scope,
            from_id=id,
            relation=note.declares.relation,
            to_id=to_id,
            declared_by=note.producer.value,
            now=note.at or now,
        )
        if done is None:
            raise _LookAgain(to_id)
        yield Declared(note.declares.relation, to_id, done.created, done.inert)


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
    law: Law,
    text: _Text,
    decided: _Decision,
    births: Mapping[str, Mapping[str, Any]],
    heads: _Heads,
    now: datetime,
) -> Remembered:
    same = decided.restates
    if same is None:
        birth = births[text.id]
        return Remembered(
            birth["id"], "created", birth["energy"], Tier(birth["tier"]), decided.similarity, related=decided.related
        )
    id_ = heads.of(same.id)
    outcome, raised, head = _raise(tx, scope, law, text, id_, text.note.at or now)
    heads.add(id_, head)
    return Remembered(id_, outcome, raised.after, raised.tier, decided.similarity, existing=same.content)


def _raise(
    tx: ManagedTransaction, scope: Scope, law: Law, text: _Text, id: str, now: datetime
) -> tuple[str, Raised, Head]:
    """Reinforce a live memory, or revive an expired one; what that did, and what it lives on as.

    Raises:
        _LookAgain: it is neither.
    """
    settled = transitions.settle(tx, scope, now=now, id=id)
    if settled is not None and (raised := memory.reinforce(tx, scope, id=id, event=text.event)) is not None:
        _link_source(tx, scope, text.note, id, now)
        return "reinforced", raised, transitions.risen(tx, scope, id=id, settled=settled, energy=raised.after)
    raised = memory.revive(tx, scope, now=now, id=id, event=text.event)
    if raised is None:
        raise _LookAgain(id)
    _link_source(tx, scope, text.note, id, now)
    settled = Settled(raised.after, Tier.WORKING, raised.at, law.threshold_working if law.by_event else None)
    return "revived", raised, transitions.risen(tx, scope, id=id, settled=settled, energy=raised.after)
