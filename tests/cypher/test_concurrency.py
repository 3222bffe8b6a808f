"""Several hands at once: no boost is lost, nothing decays twice, a promotion makes one successor (P2, P3)."""

import math
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from itertools import pairwise
from time import monotonic, sleep
from uuid import uuid4

import pytest

from brainbridge.app import Brain
from brainbridge.consolidation import decay, expire, promote, relate
from brainbridge.consolidation.passes import Run
from brainbridge.domain.energy import Law, effective_energy
from brainbridge.domain.errors import LeaseHeld, NotFound
from brainbridge.domain.tier import Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.cypher import statement
from brainbridge.graph.statements import memory
from tests.support import T0, create_test_memories, hours, query


def energy_of(brain: Brain, id_: str) -> float:
    """The stored energy."""
    (row,) = query(brain.graph, "MATCH (m:Memory {id: $id}) RETURN m.energy AS energy", id=id_)
    return float(row["energy"])


def wait_until_blocked(graph: Graph, name: str, seconds: float = 10) -> None:
    """Return once the transaction with the metadata `query: name` waits for a lock."""
    deadline = monotonic() + seconds
    while monotonic() < deadline:
        rows = query(graph, "SHOW TRANSACTIONS YIELD metaData, status RETURN metaData.query AS query, status")
        if any(row["query"] == name and row["status"].startswith("Blocked") for row in rows):
            return
        sleep(0.02)
    raise AssertionError(f"{name} never waited for a lock")


@contextmanager
def boost_not_yet_committed(brain: Brain, id_: str, hour: float) -> Iterator[None]:
    """A boost at T0 + `hour` that holds its lock while the block runs, and commits at its end."""
    scope = brain.scope(test=True)
    with brain.graph.session() as session, session.begin_transaction() as tx:
        memory.settle(tx, scope, now=T0 + hours(hour), id=id_)
        memory.boost(tx, scope, id=id_, event=str(uuid4()))
        yield
        tx.commit()


def decay_beside_a_boost(brain: Brain, text: str, *, boost_at: float) -> float:
    """The energy after a decay page to T0 + 2 h that waits for a boost at `boost_at` h to commit."""
    made = brain.create_test_memory("a note", 1.5, "working", now=T0)
    parameters = {
        "brain": brain.name,
        "isTest": True,
        "tier": "working",
        "batch": 100,
        "now": T0 + hours(2),
        "dueBefore": T0 + hours(2),
    }
    name = f"waiting {made.id}"
    failed: list[Exception] = []

    def page() -> None:
        try:
            brain.graph.write(name, lambda tx: tx.run(text, parameters).consume())  # type: ignore[arg-type]
        except Exception as error:
            failed.append(error)

    waiting = threading.Thread(target=page)
    with boost_not_yet_committed(brain, made.id, boost_at):
        waiting.start()
        wait_until_blocked(brain.graph, name)
    waiting.join()
    assert [] == failed
    return energy_of(brain, made.id)


# What must stand after a boost at hour 1 and a decay to hour 2; and after a boost at hour 3, which is settled later
# than the page's instant, so that the page must leave it alone.
EXPECTED = {1: (1.5 * math.exp(-0.5) + 1) * math.exp(-0.5), 3: 1.5 * math.exp(-1.5) + 1}


@pytest.mark.parametrize("boost_at", [1, 3])
def test_a_boost_made_while_a_decay_page_waits_is_neither_lost_nor_decayed_twice(brain: Brain, boost_at: int) -> None:
    """The page locks, then reads: it decays what the boost left, and never sets lastDecay back (P2)."""
    energy = decay_beside_a_boost(brain, statement("consolidation/decay").text, boost_at=boost_at)

    assert pytest.approx(EXPECTED[boost_at], abs=1e-9) == energy


def without_lock(text: str) -> str:
    """The law's page without the line that takes the lock."""
    return text.replace("SET m:Memory\n", "")


def without_reading_again(text: str) -> str:
    """The law's page checking, after the lock, the values that the index seek cached before it."""
    start, end = text.index("CALL () {"), text.index("SET m:Memory")
    seek = text[text.index("MATCH (found:LiveMemory)") : text.index("  RETURN DISTINCT")].replace("found", "m")
    return f"{text[:start]}{seek}WITH DISTINCT m, lambda, floor LIMIT $batch\n{text[end:]}"


@pytest.mark.parametrize(("broken", "boost_at"), [(without_lock, 1), (without_reading_again, 3)])
def test_the_decay_page_needs_its_lock_and_its_second_read(
    brain: Brain, broken: Callable[[str], str], boost_at: int
) -> None:
    """The test above can fail: take the lock, or the read after it, out of the law, and the boost is undone."""
    text = broken(statement("consolidation/decay").text)
    assert text != statement("consolidation/decay").text

    energy = decay_beside_a_boost(brain, text, boost_at=boost_at)

    assert pytest.approx(EXPECTED[boost_at], abs=1e-9) != energy


def in_threads(count: int, work: Callable[[int], object]) -> list[object]:
    """Run `work(0) … work(count - 1)` at once; their results."""
    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(work, range(count)))


def test_decays_at_one_instant_equal_one_decay(brain: Brain) -> None:
    """8 threads × 6 passes at the same `now` over 50 memories (P2)."""
    create_test_memories(brain, [(f"note {i}", 1.5, "working") for i in range(50)])
    run = Run("r", brain.scope(test=True), T0 + hours(1), brain.law().law)

    in_threads(8, lambda _: [decay.decay(brain.graph, run, batch=20) for _ in range(6)])

    rows = query(brain.graph, "MATCH (m:LiveMemory {brain: $b}) RETURN DISTINCT m.energy AS e", b=brain.name)
    assert [pytest.approx(1.5 * math.exp(-0.5), abs=1e-9)] == [row["e"] for row in rows]


def test_concurrent_promotions_make_one_successor_each(brain: Brain) -> None:
    """Two promote passes without a lease over 200 memories above the threshold: out-degree 1 everywhere (P3)."""
    create_test_memories(brain, [(f"note {i}", 3.0, "working") for i in range(200)])
    run = Run("r", brain.scope(test=True), T0, brain.law().law)

    changed = in_threads(2, lambda _: promote.promote(brain.graph, run, batch=25))

    (row,) = query(
        brain.graph,
        """
        MATCH (m:Memory {brain: $b})
        RETURN count(CASE WHEN m:LiveMemory THEN 1 END) AS live,
               count(CASE WHEN m:ArchivedMemory THEN 1 END) AS archived,
               max(COUNT { (m)-[:PROMOTED_TO]->() }) AS out, count(DISTINCT m.id) AS ids
        """,
        b=brain.name,
    )
    assert 200 == sum(changed)  # type: ignore[arg-type]
    assert {"live": 200, "archived": 200, "out": 1, "ids": 400} == row


def test_concurrent_relate_passes_apply_each_relation_once(brain: Brain) -> None:
    """Two passes without a lease, in small pages over memories that share relations: 60 effects, each once (P2, P3)."""
    ids = create_test_memories(brain, [(f"note {i}", 1.0, "working") for i in range(31)])
    for source, target in pairwise(ids):
        brain.link(source, "extends", target, test=True, now=T0)
        brain.link(ids[0], "updates", target, test=True, now=T0)
    run = Run("r", brain.scope(test=True), T0, brain.law().law)

    applied = in_threads(2, lambda _: relate.relate(brain.graph, run, batch=7))

    (row,) = query(
        brain.graph,
        "MATCH (e:EnergyEvent {brain: $b, kind: 'related'})-[:OF]->(m) "
        "RETURN count(*) AS events, count(DISTINCT m) AS of",
        b=brain.name,
    )
    assert 60 == sum(applied)  # type: ignore[arg-type]
    assert {"events": 60, "of": 30} == row
    assert [1.0] + [pytest.approx(math.exp(0.5), abs=1e-9)] * 30 == [energy_of(brain, each) for each in ids]


def test_a_second_run_on_the_same_scope_is_refused_and_another_scope_is_not(brain: Brain) -> None:
    """The lease covers one brain and scope; the refusal says who holds it."""
    from brainbridge.consolidation import lease

    with lease.held(brain.graph, brain.scope(), "first"):
        with pytest.raises(LeaseHeld, match=f"another run on {brain.name}/real is in progress"):
            brain.consolidate(now=T0)
        other = brain.consolidate(test=True, now=T0)

    assert "ok" == other.outcome
    assert "ok" == brain.consolidate(now=T0).outcome


def test_boosts_decays_expiries_and_promotions_at_once_leave_a_ledger_that_proves_every_energy(brain: Brain) -> None:
    """A storm on 60 memories with λ × 720, then each energy replayed from its events by the pure law, to 1e-9."""
    law = brain.set_law(lambda_working=360.0, lambda_short_term=36.0, lambda_long_term=0.72).law
    start = brain.graph.now()
    ids = create_test_memories(brain, [(f"n{i}", 0.2 + i % 20 / 8, "working") for i in range(60)], now=start)
    stop = monotonic() + 4

    def boosts(seed: int) -> None:
        turn = seed
        while monotonic() < stop:
            turn += 7
            try:
                brain.boost(ids[turn % len(ids)], test=True)
            except NotFound:
                continue  # it has expired

    def runs(_: int) -> None:
        while monotonic() < stop:
            run = Run("storm", brain.scope(test=True), brain.graph.now(), law)
            for step in (decay.decay, expire.expire, promote.promote):
                step(brain.graph, run, batch=25)

    in_threads(5, lambda i: boosts(i) if i < 3 else runs(i))

    wrong = [text for row in heads(brain) for text in replay(row, law)]
    assert [] == wrong


def heads(brain: Brain) -> list[dict[str, object]]:
    """Every memory that is not archived, with its events in their order."""
    return query(
        brain.graph,
        """
        MATCH (m:Memory {brain: $b}) WHERE m.validTo IS NULL
        RETURN m.id AS id, m.tier AS tier, m.energy AS energy, m.lastDecay AS settled,
               COLLECT { MATCH (e:EnergyEvent)-[:OF]->(m)
                         RETURN e ORDER BY e.at, CASE e.kind WHEN 'born' THEN 0 WHEN 'boosted' THEN 1
                                                 WHEN 'promoted' THEN 2 ELSE 3 END, e.after } AS events
        """,
        b=brain.name,
    )


def replay(row: dict[str, object], law: Law) -> Iterator[str]:
    """What in a ledger the pure law does not reproduce."""
    first, *rest = (dict(event) for event in row["events"])  # type: ignore[attr-defined]
    energy, tier, at = first["after"], Tier(first["tier"]), first["at"].to_native()
    for event in rest:
        then = event["at"].to_native()
        expected = effective_energy(energy, tier, (then - at) / timedelta(hours=1), law=law)
        if abs(expected - event["before"]) > 1e-9 * max(1, expected):
            yield f"{row['id']} {event['kind']}: {event['before']} instead of {expected}"
        energy, tier, at = event["after"], Tier(event["tier"]), then
    settled: object = row["settled"]
    left = effective_energy(energy, tier, (settled - at) / timedelta(hours=1), law=law)  # type: ignore[operator]
    if abs(left - row["energy"]) > 1e-9 * max(1, left):  # type: ignore[operator]
        yield f"{row['id']} now: {row['energy']} instead of {left}"


def test_sixteen_boosts_at_once_all_count(brain: Brain) -> None:
    """16 parallel boosts at one instant add 16 accesses; the energy stops at 10."""
    made = brain.create_test_memory("a note", 1.0, "longTerm", now=T0)

    in_threads(16, lambda _: brain.boost(made.id, test=True, now=T0))

    after = brain.find(made.id, test=True)
    assert (17, 10.0) == (after.access_count, after.energy)


def test_two_inits_at_once_make_one_brain_with_one_version(graph: Graph) -> None:
    """`init` from two programs at once: one Brain, one ConsolidationConfig."""
    from brainbridge.app import initialise

    name = f"twice{uuid4().hex[:8]}"
    created = in_threads(4, lambda _: partial(initialise, graph, name)())

    (row,) = query(
        graph,
        "RETURN COUNT { (:Brain {name: $b}) } AS brains, COUNT { (:ConsolidationConfig {brain: $b}) } AS configs",
        b=name,
    )
    assert {"brains": 1, "configs": 1} == row
    assert 1 == created.count(True)
