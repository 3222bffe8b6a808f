"""co_recalled: what is opened together grows together, without anybody saying so, and without touching an energy."""

import io
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.coactivation import MOST
from brainbridge.domain.errors import Refused
from tests.learning_support import notes, recalled
from tests.support import T0, everything_but, hours, minutes, query

EXACT = 1e-12


def bonds(brain: Brain, *, test: bool = True) -> list[dict[str, Any]]:
    """All co_recalled of a scope, by pair, with the ids at their ends."""
    return [
        row["r"]
        for row in query(
            brain.graph,
            "MATCH (a)-[r:co_recalled]->(b) WHERE r.brain = $brain AND r.isTest = $test "
            "RETURN r {.*, from: a.root, to: b.root} AS r ORDER BY r.pair",
            brain=brain.name,
            test=test,
        )
    ]


def weights(brain: Brain) -> list[float]:
    return [bond["weight"] for bond in bonds(brain)]


def open_at(brain: Brain, at: datetime, *ids: str, test: bool = True) -> None:
    for id_ in ids:
        brain.open(id_, test=test, now=at)


@pytest.mark.parametrize(("apart", "pairs"), [(0, 1), (29, 1), (30, 1), (30.001, 0)])
def test_two_openings_within_half_an_hour_make_a_pair(brain: Brain, apart: float, pairs: int) -> None:
    """0.15 at first, from the lower root to the higher one, whichever was opened first (R-003-01, -02, -09)."""
    high, low = sorted(notes(brain, 2), reverse=True)

    open_at(brain, T0, high)
    open_at(brain, T0 + minutes(apart), low)

    made = bonds(brain)
    assert pairs == len(made)
    for bond in made:
        assert (low, high, f"{low}|{high}", 1, "2026-03-01") == tuple(
            bond[name] for name in ("from", "to", "pair", "fires", "lastFiredDay")
        )
        assert pytest.approx(0.15, abs=EXACT) == bond["weight"]
        assert T0 + minutes(apart) == bond["lastFired"]


def test_every_opening_counts_also_one_that_adds_no_energy(brain: Brain) -> None:
    """Opened at 0, 20 and 40 min: the second added none, and is what the third is paired by (R-003-01)."""
    one, other = notes(brain, 2)
    open_at(brain, T0, one)
    open_at(brain, T0 + minutes(20), one)

    open_at(brain, T0 + minutes(45), other)

    assert 1 == len(bonds(brain))


def test_every_other_one_of_the_window_is_paired(brain: Brain) -> None:
    """Four in a row make six pairs (R-003-01)."""
    open_at(brain, T0, *notes(brain, 4))

    assert [pytest.approx(0.15, abs=EXACT)] * 6 == weights(brain)


def test_a_pair_fires_once_a_utc_day(brain: Brain) -> None:
    """Noon, then before midnight: nothing; after midnight: from what is left of 0.15 (R-003-03, -04)."""
    pair = notes(brain, 2)
    open_at(brain, T0, *pair)
    open_at(brain, T0 + hours(11.9), *pair)
    same_day = bonds(brain)
    open_at(brain, T0 + hours(12.1), *pair)

    left = 0.15 * 0.5 ** (12.1 / 24 / 30)
    assert [(1, T0)] == [(bond["fires"], bond["lastFired"]) for bond in same_day]
    (bond,) = bonds(brain)
    assert (2, "2026-03-02") == (bond["fires"], bond["lastFiredDay"])
    assert pytest.approx(left + 0.15 * (1 - left), abs=EXACT) == bond["weight"]


def test_the_day_is_that_of_utc_whatever_zone_the_clock_is_in(brain: Brain) -> None:
    """Half past midnight in Auckland is still the day before in UTC (R-003-03)."""
    pair = notes(brain, 2)
    auckland = timezone(hours(13))
    open_at(brain, T0, *pair)

    open_at(brain, (T0 + hours(3)).astimezone(auckland), *pair)

    assert [1] == [bond["fires"] for bond in bonds(brain)]


def test_five_days_make_it_visible(brain: Brain) -> None:
    """.150 .275 .378 .464 .535; `open` lists it with its effective weight from the fifth day on (R-003-02, -13)."""
    one, other = notes(brain, 2)
    course, listed = [], []
    for day in range(5):
        at = T0 + timedelta(days=day)
        open_at(brain, at, one)
        listed.append([companion.id for companion in brain.open(other, test=True, now=at).often_recalled_with])
        course += weights(brain)

    assert [0.150, 0.275, 0.378, 0.464, 0.535] == [round(weight, 3) for weight in course]
    assert [[], [], [], [], [one]] == listed


def test_what_is_listed_has_faded_and_reading_writes_nothing(brain: Brain) -> None:
    """Lazily: after 30 days half is shown, the stored weight stays (R-003-04)."""
    one, other = notes(brain, 2)
    open_at(brain, T0, one, other)
    query(
        brain.graph, "MATCH ()-[r:co_recalled {pair: $pair}]-() SET r.weight = 1.0", pair="|".join(sorted([one, other]))
    )
    before = bonds(brain)

    (companion,) = brain.open(one, test=True, now=T0 + timedelta(days=29)).often_recalled_with
    gone = brain.open(one, test=True, now=T0 + timedelta(days=31)).often_recalled_with

    assert (other, pytest.approx(0.5 ** (29 / 30), abs=EXACT)) == (companion.id, companion.weight)
    assert () == gone
    assert before == bonds(brain)


def test_a_recall_makes_no_bond(brain: Brain) -> None:
    """Shown is not opened (R-003-06); neither is a boost."""
    pair = notes(brain, 2)
    recalled(brain, pair)
    for id_ in pair:
        brain.boost(id_, test=True, now=T0)

    assert [] == bonds(brain)


def test_source_nodes_have_no_part_in_it(brain: Brain) -> None:
    """Memory to memory only (R-003-07)."""
    ids = [brain.capture("learning", concept, "what it is", at=T0, test=True).id for concept in ("one", "two")]

    open_at(brain, T0, *ids)

    assert [{"Memory"}] == [
        {label for label in row["labels"] if label != "LiveMemory"}
        for row in query(
            brain.graph,
            "MATCH (n)-[:co_recalled]-() WHERE n.brain = $brain UNWIND labels(n) AS label "
            "RETURN collect(DISTINCT label) AS labels",
            brain=brain.name,
        )
    ]


@pytest.mark.parametrize("relation", ["extends", "updates", "derives", "contradicts"])
@pytest.mark.parametrize("turned", [False, True])
def test_declared_pairs_are_skipped(brain: Brain, relation: str, turned: bool) -> None:
    """Any type, either direction; the third memory is paired with both (R-003-08)."""
    one, other, third = notes(brain, 3)
    brain.link(*((one, relation, other) if not turned else (other, relation, one)), test=True, now=T0)

    open_at(brain, T0, one, other, third)

    assert {"|".join(sorted(pair)) for pair in ((one, third), (other, third))} == {
        bond["pair"] for bond in bonds(brain)
    }


def test_nobody_declares_one(brain: Brain) -> None:
    """link refuses it and says why (R-003-10)."""
    one, other = notes(brain, 2)

    with pytest.raises(Refused, match="hide the real signal"):
        brain.link(one, "co_recalled", other, test=True)


def test_a_promotion_keeps_the_bonds_and_starts_no_second_one(brain: Brain) -> None:
    """The live memory has them, under its new id; the next fire is the second of the pair (R-003-09, R-004-26)."""
    one, other = notes(brain, 2, energy=3.0, tier="working")
    open_at(brain, T0, one, other)
    brain.promote(test=True, now=T0 + minutes(1))
    later = T0 + timedelta(days=1)

    open_at(brain, later, one, other)  # by the ids of the archives

    (bond,) = bonds(brain)
    assert (2, "|".join(sorted([one, other]))) == (bond["fires"], bond["pair"])
    assert [2] == [
        row["live"]
        for row in query(
            brain.graph,
            "MATCH (a:LiveMemory)-[:co_recalled {pair: $pair}]->(b:LiveMemory) "
            "RETURN count(DISTINCT a) + count(DISTINCT b) AS live",
            pair=bond["pair"],
        )
    ]


@pytest.mark.parametrize("how", ["forget", "supersede", "expire"])
def test_what_is_no_longer_live_is_inert(brain: Brain, how: str) -> None:
    """Its bonds stay as they are: neither listed nor fired; a memory that is restored has them again."""
    one, other, third = notes(brain, 3)
    if how == "expire":
        query(brain.graph, "MATCH (m:Memory {id: $id}) SET m.tier = 'working', m.energy = 0.02", id=other)
    open_at(brain, T0, one, third)
    query(
        brain.graph,
        """
        MATCH (a:Memory {id: $low}), (b:Memory {id: $high})
        CREATE (a)-[:co_recalled {brain: $brain, isTest: true, pair: $low + '|' + $high, weight: 1.0, lastFired: $at,
                                  lastFiredDay: '2026-02-01', fires: 9}]->(b)
        """,
        low=min(one, other),
        high=max(one, other),
        brain=brain.name,
        at=T0,
    )
    query(
        brain.graph,
        "MATCH (m:Memory {id: $id}) CREATE (:EnergyEvent {id: randomUUID(), brain: $brain, isTest: true, "
        "kind: 'opened', at: $at, before: m.energy, after: m.energy, tier: m.tier})-[:OF]->(m)",
        id=other,
        brain=brain.name,
        at=T0,
    )
    seen = [companion.id for companion in brain.open(one, test=True, now=T0 + minutes(1)).often_recalled_with]
    match how:
        case "forget":
            brain.forget(other, test=True, now=T0 + minutes(2))
        case "supersede":
            brain.supersede(other, third, test=True, now=T0 + minutes(2))
        case _:
            brain.consolidate(test=True, now=T0 + minutes(2))
    before = [bond for bond in bonds(brain) if bond["fires"] > 1]

    opened = brain.open(one, test=True, now=T0 + minutes(3))

    assert [other] == seen
    assert other not in [companion.id for companion in opened.often_recalled_with]
    assert before == [bond for bond in bonds(brain) if bond["fires"] > 1]
    if how == "forget":
        brain.restore(other, test=True, now=T0 + minutes(4))
        assert [other] == [c.id for c in brain.open(one, test=True, now=T0 + minutes(5)).often_recalled_with]


def hub_with(brain: Brain, count: int) -> tuple[str, list[str]]:
    """A memory with `count` bonds, of rising weight in the order of the list."""
    hub, *others = notes(brain, count + 1)
    query(
        brain.graph,
        """
        UNWIND range(0, size($others) - 1) AS i
        MATCH (h:Memory {id: $hub}), (o:Memory {id: $others[i]})
        WITH i, CASE WHEN h.id < o.id THEN h ELSE o END AS low, CASE WHEN h.id < o.id THEN o ELSE h END AS high
        CREATE (low)-[:co_recalled {brain: $brain, isTest: true, pair: low.id + '|' + high.id, fires: 1,
                                    weight: 0.2 + i * 0.01, lastFired: $at, lastFiredDay: '2026-02-20'}]->(high)
        """,
        hub=hub,
        others=others,
        brain=brain.name,
        at=T0 - timedelta(days=9),
    )
    return hub, others


@pytest.mark.parametrize("opened_last", ["hub", "new"])
def test_a_full_memory_lets_its_weakest_bond_go(brain: Brain, opened_last: str) -> None:
    """At most 32, on whichever end the 33rd is; the newborn is weaker than all and stays (R-003-05)."""
    hub, others = hub_with(brain, MOST)
    (new,) = notes(brain, 1)
    pair = (new, hub) if opened_last == "hub" else (hub, new)

    open_at(brain, T0, *pair)

    ends = {end for bond in bonds(brain) for end in (bond["from"], bond["to"])} - {hub}
    assert MOST == len(bonds(brain))
    assert {others[0]} == {*others, new} - ends


def test_the_weakest_is_the_one_with_the_least_left(brain: Brain) -> None:
    """By effective weight: a heavy bond that has not fired for long goes before a light fresh one (R-003-05)."""
    hub, others = hub_with(brain, MOST)
    (new,) = notes(brain, 1)
    query(
        brain.graph,
        "MATCH ({id: $id})-[r:co_recalled]-() SET r.weight = 0.9, r.lastFired = $at",
        id=others[-1],
        at=T0 - timedelta(days=120),
    )

    open_at(brain, T0, hub, new)

    ends = {end for bond in bonds(brain) for end in (bond["from"], bond["to"])}
    assert {others[-1]} == {*others} - ends


def test_a_crowd_opened_at_once_leaves_nobody_with_more_than_are_kept(brain: Brain) -> None:
    """36 in a row: every memory has at most 32 bonds (R-003-05)."""
    ids = notes(brain, 36)

    open_at(brain, T0, *ids)

    ends = [end for bond in bonds(brain) for end in (bond["from"], bond["to"])]
    assert MOST == max(ends.count(id_) for id_ in ids)


def test_two_who_open_a_pair_in_opposite_orders_at_once_make_one_bond(brain: Brain) -> None:
    """20 pairs, two threads each from another side: one bond, one fire, no deadlock worth a retry (R-003-03, -09)."""
    pairs = [notes(brain, 2) for _ in range(20)]
    tries = {"begun": 0}
    counting = threading.Lock()
    write = brain.graph.write

    def counted(query_: str, work: Any, **options: Any) -> Any:
        def counting_work(tx: Any) -> Any:
            with counting:
                tries["begun"] += 1
            return work(tx)

        return write(query_, counting_work, **options)

    brain.graph.write = counted  # type: ignore[method-assign]
    try:
        with ThreadPoolExecutor(2) as threads:
            for turn, pair in enumerate(pairs):
                at = T0 + timedelta(hours=turn)
                barrier = threading.Barrier(2)

                def both(ids: list[str], at: datetime = at, barrier: threading.Barrier = barrier) -> None:
                    barrier.wait()
                    open_at(brain, at, *ids)

                list(threads.map(both, [pair, pair[::-1]]))
    finally:
        brain.graph.write = write  # type: ignore[method-assign]

    assert [(1, pytest.approx(0.15, abs=EXACT))] * 20 == [(bond["fires"], bond["weight"]) for bond in bonds(brain)]
    assert 80 == tries["begun"]


def test_two_first_openings_at_one_instant_see_each_other(brain: Brain) -> None:
    """Neither was opened before: whoever comes second is paired with the first, always (R-003-01)."""
    pairs = [notes(brain, 2) for _ in range(15)]

    with ThreadPoolExecutor(2) as threads:
        for turn, pair in enumerate(pairs):
            at = T0 + timedelta(hours=turn)
            list(threads.map(lambda id_, at=at: open_at(brain, at, id_), pair))

    assert {"|".join(sorted(pair)) for pair in pairs} == {bond["pair"] for bond in bonds(brain)}


@pytest.mark.parametrize("is_test", [True, False])
def test_bonds_stay_in_their_scope(brain: Brain, is_test: bool) -> None:
    """A memory of the other scope, opened just before, is no partner; nothing outside changes (R-004-10, P6)."""
    texts = ("the port is 7687", "bolt wants a free address", "rivers freeze from above")
    mine = [brain.remember(text, at=T0, test=is_test).id for text in texts[:2]]
    theirs = brain.remember(texts[2], at=T0, test=not is_test).id
    open_at(brain, T0, theirs, test=not is_test)
    outside = everything_but(brain.graph, brain.name, is_test=is_test)

    open_at(brain, T0, *mine, test=is_test)

    assert outside == everything_but(brain.graph, brain.name, is_test=is_test)
    assert (1, 0) == (len(bonds(brain, test=is_test)), len(bonds(brain, test=not is_test)))


def test_bonds_are_not_exported(brain: Brain) -> None:
    """Derived, of this machine, and to be had again from the openings (R-003-11, -26)."""
    one, other = notes(brain, 2)
    recalled(brain, [one, other])
    recalled(brain, [], question="an open question")
    open_at(brain, T0, one, other)
    file = io.StringIO()

    report = brain.export_to(file, test=True)

    assert (2, 0, 1) == (report.memories, report.relations, len(bonds(brain)))
    derived = ("co_recalled", "SHOWED", "FROM_PAGE", "an open question", "where is the port")
    assert [] == [word for word in derived if word in file.getvalue()]


def test_a_copy_of_a_memory_by_hand_breaks_no_opening(brain: Brain) -> None:
    """It has the root of the first: its pair is taken, so it has no bond, and that is all."""
    one, other = notes(brain, 2)
    query(
        brain.graph,
        "MATCH (m:Memory {id: $id}) CREATE (c:Memory:LiveMemory) SET c = m {.*, id: 'copy-of-' + m.id}",
        id=one,
    )
    open_at(brain, T0, one, other)

    open_at(brain, T0, f"copy-of-{one}", other)

    assert [1] == [bond["fires"] for bond in bonds(brain)]


def test_verify_is_not_disturbed(brain: Brain) -> None:
    """Learning changes no energy: every ledger still leads to what is stored."""
    ids = notes(brain, 5)
    recalled(brain, ids)
    for day in range(3):
        open_at(brain, T0 + timedelta(days=day), *ids)

    found = brain.verify(test=True)

    assert (5, ()) == (found.memories, found.wrong)


@pytest.mark.parametrize("spoiled", ["", "{weight: 0.9}", "{weight: 'much', lastFired: datetime()}", "{lastFired: 7}"])
def test_a_bond_drawn_by_hand_breaks_nothing(brain: Brain, spoiled: str) -> None:
    """It is not listed and lifts nothing; the pair fires beside it; counting again takes it away."""
    one, other, third = notes(brain, 3)
    query(
        brain.graph,
        f"MATCH (a:Memory {{id: $a}}), (b:Memory {{id: $b}}) CREATE (a)-[r:co_recalled {spoiled}]->(b) "
        "SET r.brain = a.brain, r.isTest = true",
        a=one,
        b=other,
    )

    open_at(brain, T0, one, other, third)
    opened = brain.open(one, test=True, now=T0)
    recalled(brain, [third, other], at=T0)
    made = len(bonds(brain))
    brain.rebuild_co_recalled(test=True)

    assert ((), 4, 3) == (opened.often_recalled_with, made, len(bonds(brain)))
