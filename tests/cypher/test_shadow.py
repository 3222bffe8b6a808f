"""Attribution and shadow: which page an opening is a verdict on, and what a candidate would have done with it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.comparison import Verdict
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.recall import Strength
from brainbridge.learning.candidates.co_activation import lifted
from brainbridge.settings import LearningSettings
from tests.learning_support import nodes, notes, page_of, recalled, recorded, weak
from tests.support import SECRET, T0, everything_but, minutes, query

DAY = timedelta(days=1)


def verdicts(brain: Brain) -> list[tuple[str, str]]:
    """(root of the opened memory, page) of every opening that was attributed."""
    found = query(
        brain.graph,
        "MATCH (m)<-[:OF]-(e:EnergyEvent {brain: $brain})-[:FROM_PAGE]->(p) "
        "RETURN m.root AS root, p.id AS page ORDER BY e.at",
        brain=brain.name,
    )
    return [(row["root"], row["page"]) for row in found]


@pytest.mark.parametrize(("after", "attributed"), [(0, True), (10, True), (10.001, False), (-0.001, False)])
def test_an_opening_within_ten_minutes_is_a_verdict(brain: Brain, after: float, attributed: bool) -> None:
    """On the page that showed the memory; not before it (R-003-31)."""
    (id_,) = notes(brain, 1)
    page = recalled(brain, [id_], at=T0 + minutes(60))

    brain.open(id_, test=True, now=T0 + minutes(60 + after))

    assert ([(id_, page)] if attributed else []) == verdicts(brain)


def test_it_is_a_verdict_on_the_last_page_that_showed_the_memory_and_on_that_only(brain: Brain) -> None:
    """Not on a later one without it, nor on an earlier one with it (R-003-31)."""
    id_, other = notes(brain, 2)
    recalled(brain, [id_], at=T0)
    wanted = recalled(brain, [other, id_], at=T0 + minutes(1))
    recalled(brain, [other], at=T0 + minutes(2))

    brain.open(id_, test=True, now=T0 + minutes(3))

    assert [(id_, wanted)] == verdicts(brain)


def test_each_opening_is_a_verdict_of_its_own(brain: Brain) -> None:
    """Also one that adds no energy; one that follows no page is none."""
    id_, other = notes(brain, 2)
    page = recalled(brain, [id_], at=T0)
    for at, opened in ((1, id_), (2, id_), (3, other)):
        brain.open(opened, test=True, now=T0 + minutes(at))

    assert [(id_, page)] * 2 == verdicts(brain)


def test_it_is_a_verdict_also_if_the_memory_was_promoted_meanwhile(brain: Brain) -> None:
    """Shown under its old id, opened under the old or the new one (R-003-31)."""
    (id_,) = notes(brain, 1, energy=3.0, tier="working")
    page = recalled(brain, [id_], at=T0)
    brain.promote(test=True, now=T0 + minutes(1))

    live = brain.open(id_, test=True, now=T0 + minutes(2)).memory.id
    brain.open(live, test=True, now=T0 + minutes(3))

    assert id_ != live
    assert [(id_, page)] * 2 == verdicts(brain)


def bound(brain: Brain, one: str, other: str, weight: float) -> None:
    """A bond of this effective weight at T0."""
    query(
        brain.graph,
        """
        MATCH (a:Memory {id: $low}), (b:Memory {id: $high})
        MERGE (a)-[r:co_recalled {pair: $low + '|' + $high}]->(b)
        SET r.brain = $brain, r.isTest = a.isTest, r.weight = $weight, r.lastFired = $at, r.fires = 5,
            r.lastFiredDay = '2026-03-01'
        """,
        low=min(one, other),
        high=max(one, other),
        brain=brain.name,
        weight=weight,
        at=T0,
    )


def orders(brain: Brain, *, test: bool = True) -> list[list[int]]:
    return [stored["places"] for stored in nodes(brain, "ShadowRank", test=test)]


@pytest.mark.parametrize(
    ("weight", "score"), [(0.0, 0.8), (0.4999, 0.8), (0.5, 1.0), (0.8854, 0.8 * 1.4427), (1.0, 1.2)]
)
def test_what_a_bond_lifts(weight: float, score: float) -> None:
    """score · (1 + 0.5 · w) from w = 0.5 on: a factor of 1.25 to 1.44 in practice (R-003-36)."""
    assert pytest.approx(score) == lifted(0.8, weight)


def test_a_hit_that_is_bound_to_what_was_opened_just_now_comes_before_others(brain: Brain) -> None:
    """Third by 0.7, first by 0.7 · 1.3; the order is kept, the page is not touched (R-003-30, -35, -36)."""
    opened, first, second, third = notes(brain, 4)
    bound(brain, opened, third, 0.6)
    brain.open(opened, test=True, now=T0)
    hits = [(first, 0.9, Strength.STRONG), (second, 0.8, Strength.WEAK), (third, 0.7, Strength.WEAK)]
    page = page_of(brain, hits, at=T0)

    recalled(brain, hits, at=T0)

    (stored,) = nodes(brain, "ShadowRank")
    assert ("co-activation", [2, 3, 1], T0) == (stored["candidate"], stored["places"], stored["at"])
    assert page == page_of(brain, hits, at=T0)


@pytest.mark.parametrize(
    ("weight", "opened_before", "kept"),
    [(0.6, 0, True), (0.6, 30, True), (0.6, 30.01, False), (0.49, 0, False), (0.505, 0, True), (0.505, 29, True)],
)
def test_an_order_is_kept_only_if_it_differs(brain: Brain, weight: float, opened_before: float, kept: bool) -> None:
    """No visible bond, or nothing opened in the last half hour: the order is the live one (R-003-30, -36)."""
    opened, first, second = notes(brain, 3)
    bound(brain, opened, second, weight)
    brain.open(opened, test=True, now=T0)

    recalled(brain, [(first, 0.9, Strength.WEAK), (second, 0.89, Strength.WEAK)], at=T0 + minutes(opened_before))

    assert ([[2, 1]] if kept else []) == orders(brain)


def test_a_bond_counts_by_what_is_left_of_it(brain: Brain) -> None:
    """0.6 is 0.3 after 30 days (R-003-04, -36)."""
    opened, first, second = notes(brain, 3)
    bound(brain, opened, second, 0.6)
    later = T0 + 30 * DAY
    query(brain.graph, "MATCH ({id: $id})-[r:co_recalled]-() SET r.lastFiredDay = '2099-01-01'", id=opened)
    brain.open(opened, test=True, now=later)

    recalled(brain, weak(first, second), at=later)

    assert [] == orders(brain)


def test_of_several_bonds_the_strongest_counts(brain: Brain) -> None:
    """Three of 0.5 lift like one (R-003-36)."""
    *opened, first, second = notes(brain, 5)
    for each in opened:
        bound(brain, each, second, 0.5)
        brain.open(each, test=True, now=T0)

    for score in (0.81, 0.79):  # · 1.25 is above 1 and below
        recalled(brain, [(first, 1.0, Strength.WEAK), (second, score, Strength.WEAK)], at=T0)

    assert [[2, 1]] == orders(brain)


def test_shadow_can_be_switched_off(brain: Brain) -> None:
    """shadow_ranking = false computes and keeps nothing (R-003-38)."""
    opened, first, second = notes(brain, 3)
    bound(brain, opened, second, 0.9)
    brain.open(opened, test=True, now=T0)

    recalled(brain, weak(first, second), at=T0, settings=LearningSettings(shadow_ranking=False))

    assert ([], 1) == (orders(brain), len(nodes(brain, "RecallPage")))


def test_a_question_with_a_secret_leaves_no_shadow(brain: Brain) -> None:
    """Neither an order nor anything else (R-003-27)."""
    opened, first, second = notes(brain, 3)
    bound(brain, opened, second, 0.9)
    brain.open(opened, test=True, now=T0)
    page = replace(page_of(brain, weak(first, second)), query=SECRET)

    recorded(brain, page)

    assert ([], []) == (orders(brain), nodes(brain, "RecallPage"))


def judged(brain: Brain, *, wins: int, losses: int, ties: int = 0, test: bool = True, **page: Any) -> None:
    """Pages with two hits that a candidate would swap, or all three, and one opening from each."""
    texts = ("rivers freeze", "stones sink", "wind sings")
    one, other, third = notes(brain, 3) if test else [brain.remember(text, at=T0).id for text in texts]
    for number, opened in enumerate([other] * wins + [one] * losses + [third] * ties):
        at = page.get("at", T0) + minutes(20 * number)
        page_id = recalled(brain, [one, other, third], at=at, test=test)
        query(
            brain.graph,
            "MATCH (p:RecallPage {id: $page}) CREATE (:ShadowRank {id: randomUUID(), brain: $brain, isTest: $test, "
            "at: p.at, candidate: 'co-activation', places: [2, 1, 3]})-[:SHADOWS]->(p)",
            page=page_id,
            brain=brain.name,
            test=test,
        )
        brain.open(opened, test=test, now=at + minutes(1))


def test_the_scoreboard(brain: Brain) -> None:
    """MRR of the opened hit by both orders, wins, losses, ties, decided pages; pages nobody opened from are out."""
    judged(brain, wins=3, losses=1, ties=2)
    recalled(brain, notes(brain, 2), at=T0 - minutes(30))

    result = brain.shadow(test=True).comparison

    assert (6, 3, 1, 2, 4) == (result.pages, result.wins, result.losses, result.ties, result.decided)
    assert pytest.approx((3 / 2 + 1 + 2 / 3) / 6) == result.mrr_live
    assert pytest.approx((3 + 1 / 2 + 2 / 3) / 6) == result.mrr_candidate
    assert (pytest.approx(0.625), Verdict.TOO_FEW) == (result.p_value, result.verdict)


def test_the_scoreboard_of_the_last_days(brain: Brain) -> None:
    """--days counts from now; without it everything that is kept (R-003-32)."""
    judged(brain, wins=2, losses=0, at=T0)
    judged(brain, wins=0, losses=1, at=T0 + 9 * DAY)
    now = T0 + 10 * DAY

    found = [brain.shadow(test=True, days=days, now=now).comparison.pages for days in (None, 20, 9.5, 2, 0.5, 1e9)]

    assert [3, 3, 1, 1, 0, 3] == found
    with pytest.raises(InvalidValue, match="Give a number above 0"):
        brain.shadow(test=True, days=0)
    with pytest.raises(InvalidValue, match="There are: co-activation"):
        brain.shadow("telepathy")


def test_a_promoted_memory_keeps_its_verdict(brain: Brain) -> None:
    """Page and opening stay with the live memory, so the rank is found whatever its id is now (R-003-31)."""
    judged(brain, wins=1, losses=0)
    query(brain.graph, "MATCH (m:LiveMemory {brain: $b}) SET m.tier = 'working', m.energy = 3.0", b=brain.name)
    brain.promote(test=True, now=T0 + minutes(2))

    assert (1, 1) == ((result := brain.shadow(test=True).comparison).pages, result.wins)


@pytest.mark.parametrize("is_test", [True, False])
def test_shadow_and_verdicts_stay_in_their_scope(brain: Brain, is_test: bool) -> None:
    """Neither pages nor orders nor openings of the other scope are seen or touched (R-004-10, P6)."""
    judged(brain, wins=1, losses=0, test=not is_test)
    outside = everything_but(brain.graph, brain.name, is_test=is_test)

    judged(brain, wins=0, losses=2, test=is_test)

    assert outside == everything_but(brain.graph, brain.name, is_test=is_test)
    result = brain.shadow(test=is_test).comparison
    assert (2, 0, 2) == (result.pages, result.wins, result.losses)


def test_reading_the_scoreboard_writes_nothing(brain: Brain) -> None:
    """Nothing promotes itself (R-003-35)."""
    judged(brain, wins=1, losses=0)
    before = everything_but(brain.graph, "nobody", is_test=False)

    brain.shadow(test=True)

    assert before == everything_but(brain.graph, "nobody", is_test=False)
