"""Remember: a new text is born as a memory, a restatement reinforces the one that is there; no error, no copy.

Exact and near duplicates are looked for among all memories of the scope, of every tier. The wording that was there
first stays. One text and thousands take the same way: probe, decide, write, in one transaction.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any

from neo4j import Transaction

from brainbridge.domain.energy import Law, checked_energy
from brainbridge.domain.errors import AlreadyThere, InvalidValue
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import in_force_now
from brainbridge.graph.statements import edges, memory
from brainbridge.graph.statements.memory import Raised, Settled
from brainbridge.graph.transitions import Head
from brainbridge.memory.decision import Batch, Decision
from brainbridge.memory.note import Declared, Note, Remembered, Text
from brainbridge.memory.reference import resolve_current

# Texts per transaction in bulk: large enough that the commit is paid once, small enough to hold locks under a second.
BULK = 500
# What the full-text index shows late is looked for among the newest; it was never more than 0.14 s behind (measured).
# A batch waits for the index once instead: looking among the newest for each of its texts, which the batch before it
# has made many, took 6 ms a text (measured), and the wait takes 13 ms in all.
INDEX_LAG = timedelta(seconds=1)
CANDIDATES = 10
# Two writers of the same text at one instant: one is born, the other looks again and reinforces.
ATTEMPTS = 5


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
        texts = [Text(note) for note in batch]
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
    text = Text(Note(content, allow_secret=allow_secret))
    birth = text.birth(tier, checked_energy(energy), now) | {"contentKey": None}
    graph.write("memory/create_memories", partial(memory.create_memories, scope=scope, births=[birth]))
    return Remembered(birth["id"], "created", birth["energy"], tier)


class _LookAgain(AlreadyThere):
    """A memory was promoted, forgotten or revived, or has faded, since the probe."""

    def __init__(self, id: str) -> None:
        super().__init__(f"memory {id} changed while a text about it was remembered. Try again.")
        self.id = id


def _until_settled(graph: Graph, scope: Scope, texts: Sequence[Text], now: datetime | None) -> list[Remembered]:
    for attempt in range(ATTEMPTS):
        targets = {text.id: _targets(graph, scope, text.note) for text in texts if text.note.declares}
        work = partial(_remember, scope=scope, texts=texts, targets=targets, now=now)
        try:
            return graph.write("memory/create_memories", work)
        except _LookAgain as again:
            # Where events promote it may have faded, which the probe sees only once it is marked; and a hand edit may
            # have spoiled it, which is said by its name.
            instant = now or graph.now()
            graph.write("memory/settle", partial(transitions.settle, scope=scope, now=instant, id=again.id))
            graph.read("memory/read_memory", partial(memory.read_memory, scope=scope, id=again.id))
            if attempt == ATTEMPTS - 1:
                raise
        except AlreadyThere:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


def _targets(graph: Graph, scope: Scope, note: Note) -> list[Memory]:
    """The memories that a note declares relations to; looked up at each attempt, because a promotion moves them."""
    return [resolve_current(graph, scope, ref) for ref in (note.declares.targets if note.declares else ())]


def _remember(
    tx: Transaction,
    *,
    scope: Scope,
    texts: Sequence[Text],
    targets: Mapping[str, Sequence[Memory]],
    now: datetime | None,
) -> list[Remembered]:
    """Probe all texts, bear the new ones in one statement, then reinforce: so a text may restate one of its batch."""
    version, clock = in_force_now(tx, scope.brain)
    law, now = version.law, now or clock
    probes = [text.probe(row, scope) for row, text in enumerate(texts)]
    lag = INDEX_LAG
    if len(texts) > 1:
        memory.await_bands(tx)
        lag = timedelta(0)
    found = memory.probe_restatements(tx, scope, probes=probes, lag=lag, limit=CANDIDATES)
    batch = Batch(revives=law.revive_expired > 0)
    for text, (exact, near) in zip(texts, found, strict=True):
        batch.decide(text, exact, near)
    for id_ in batch.released:
        memory.release_text(tx, scope, id=id_)
    births = {text.id: text.birth(*text.note.birth(law), now) for text in batch.new}
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


def _promoted_at_birth(tx: Transaction, scope: Scope, law: Law, births: Iterable[Mapping[str, Any]]) -> dict[str, Head]:
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


def _link_source(tx: Transaction, scope: Scope, note: Note, id: str, now: datetime) -> None:
    """Hang a memory on the node it came from; before a promotion, so that its archive hangs there too."""
    if (source := note.source) is not None:
        memory.link_source(
            tx, scope, now=now, id=id, label=source.label, source=source.id, properties=source.properties or {}
        )


def _declared(
    tx: Transaction,
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


def _outcome(
    tx: Transaction,
    scope: Scope,
    law: Law,
    text: Text,
    decided: Decision,
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


def _raise(tx: Transaction, scope: Scope, law: Law, text: Text, id: str, now: datetime) -> tuple[str, Raised, Head]:
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
