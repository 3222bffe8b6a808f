"""The arithmetic of co-activation, and counting every pair again from the openings."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.domain.coactivation import (
    MOST,
    VISIBLE,
    Bond,
    Life,
    count_again,
    faded,
    fired,
    first_bond,
    pair_of,
    utc_day,
)
from tests.support import T0, hours, minutes

EXACT = 1e-12
weights = st.floats(0, 1)
spans = st.timedeltas(timedelta(0), timedelta(days=400))


def days(count: float) -> timedelta:
    return timedelta(days=count)


def daily(count: int, *, start: datetime = T0) -> Bond:
    """A pair after a fire on each of `count` days."""
    bond = first_bond(start)
    for day in range(1, count):
        bond = bond.fired_at(start + days(day))
    return bond


def test_daily_fires() -> None:
    """.150 .275 .378 .464 .535: visible from the fifth day on (R-003-02, -04)."""
    course = [daily(count).weight for count in range(1, 6)]

    assert [0.150, 0.275, 0.378, 0.464, 0.535] == [round(weight, 3) for weight in course]
    assert [False] * 4 + [True] == [weight >= VISIBLE for weight in course]


def test_daily_fires_for_ever_settle() -> None:
    """At rate / (1 − (1 − rate) · 2^(−1/30)) = 0.8854: it never reaches 1."""
    assert 0.8854 == round(daily(400).weight, 4) == round(0.15 / (1 - 0.85 * 0.5 ** (1 / 30)), 4)


@pytest.mark.parametrize(("elapsed", "left"), [(0, 1.0), (30, 0.5), (60, 0.25), (15, 0.5**0.5), (-5, 1.0)])
def test_half_is_left_after_thirty_days(elapsed: float, left: float) -> None:
    """A clock that steps back adds nothing (R-003-04)."""
    assert pytest.approx(0.8 * left, abs=EXACT) == faded(0.8, days(elapsed))


@pytest.mark.parametrize(
    ("hour", "fires"), [(0, False), (11.99, False), (12, True), (12.01, True), (-13, False), (36, True)]
)
def test_a_pair_fires_once_a_utc_day(hour: float, fires: bool) -> None:
    """T0 is noon UTC: the next day begins twelve hours later; a day before it does not fire again (R-003-03)."""
    before = first_bond(T0)

    assert fires is (before is not (after := before.fired_at(T0 + hours(hour))))
    assert (2 if fires else 1) == after.fires


@given(weights, spans, spans)
def test_fading_composes(weight: float, one: timedelta, other: timedelta) -> None:
    """It does not matter who looks in between: a read writes nothing (R-003-04)."""
    assert pytest.approx(faded(weight, one + other), abs=EXACT) == faded(faded(weight, one), other)


@given(weights)
def test_a_fire_never_lowers_and_never_passes_one(weight: float) -> None:
    """w + 0.15 · (1 − w) (R-003-02)."""
    assert weight <= fired(weight) <= 1


@given(st.uuids().map(str), st.uuids().map(str))
def test_a_pair_has_one_key(one: str, other: str) -> None:
    """Whichever of the two is named first; the lower root is its start (R-003-09)."""
    assert pair_of(one, other) == pair_of(other, one)
    assert pair_of(one, other).partition("|")[0] == min(one, other)


def lives(*openings: tuple[str, float], gone: dict[str, list[tuple[float, bool]]] | None = None) -> list[Life]:
    """Memories that were opened at these minutes after T0; `gone`: minutes from which they were live or not."""
    roots = sorted({root for root, _ in openings})
    changes = {root: tuple((T0 + minutes(at), live) for at, live in found) for root, found in (gone or {}).items()}
    return [
        Life(root, tuple(T0 + minutes(at) for other, at in openings if other == root), changes.get(root, ()))
        for root in roots
    ]


@pytest.mark.parametrize(
    ("openings", "pairs"),
    [
        ([("a", 0)], set()),
        ([("a", 0), ("a", 5)], set()),
        ([("a", 0), ("b", 30)], {"a|b"}),
        ([("a", 0), ("b", 30.001)], set()),
        ([("b", 0), ("a", 10), ("c", 35)], {"a|b", "a|c"}),
        ([("a", 0), ("b", 20), ("a", 20), ("c", 45)], {"a|b", "b|c", "a|c"}),
    ],
)
def test_who_belongs_together(openings: list[tuple[str, float]], pairs: set[str]) -> None:
    """Every two that were opened within half an hour, the limit included; the last opening counts (R-003-01)."""
    found = count_again(lives(*openings), {})

    assert pairs == set(found)
    assert {0.15} >= {round(bond.weight, 12) for bond in found.values()}


def test_only_live_memories_pair() -> None:
    """One that had expired or was forgotten by then does not; one that came back does (R-003-01)."""
    openings = [("a", 0.0), ("b", 0.0), ("c", 10.0)]

    found = count_again(lives(*openings, gone={"a": [(5, False)], "b": [(5, False), (9, True)]}), {})

    assert {"a|b", "b|c"} == set(found)


def test_declared_pairs_are_skipped_from_then_on() -> None:
    """A relation declared later takes nothing back (R-003-08)."""
    openings = [("a", 0.0), ("b", 1.0), ("c", 2.0)]

    found = count_again(lives(*openings), {"a|b": T0 + minutes(1), "a|c": T0 + minutes(3)})

    assert {"a|c", "b|c"} == set(found)


def test_a_full_memory_lets_the_weakest_go_and_never_the_newborn() -> None:
    """32 bonds, the one of the second day stronger; the 33rd comes, an old weak one goes (R-003-05)."""
    old = [f"o{number:02}" for number in range(MOST)]
    first = [(root, float(number * 100)) for number, root in enumerate(old)]
    with_hub = [("hub", at + 1) for _, at in first]
    tomorrow = 1440 * 5.0
    again = [("o00", tomorrow), ("hub", tomorrow + 1), ("new", tomorrow + 50), ("hub", tomorrow + 51)]

    found = count_again(lives(*first, *with_hub, *again), {})

    kept = {pair.replace("hub", "").strip("|") for pair in found if "hub" in pair}
    assert MOST == len(kept)
    assert {"new", "o00"} <= kept
    assert {"o01"} == set(old) - kept  # the oldest of those that fired once


def test_more_at_once_than_are_kept() -> None:
    """Of 40 that fire in one opening 32 stay: never more, whatever happens at once (R-003-05)."""
    crowd = [(f"r{number:02}", number / 100) for number in range(40)]

    found = count_again(lives(*crowd, ("hub", 2.0)), {})

    of = [pair for pair in found if "hub" in pair]
    assert MOST == len(of)
    degrees = [sum(root in pair.split("|") for pair in found) for root, _ in crowd]
    assert max(degrees) <= MOST


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 6_000)), max_size=25),
    st.randoms(use_true_random=False),
)
def test_the_order_in_which_openings_are_read_does_not_matter(openings: list[tuple[str, int]], random: object) -> None:
    """Counting again gives one result, and no pair fires twice on a day (R-003-03, -11)."""
    made = lives(*openings)
    shuffled = list(made)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    found = count_again(made, {})

    assert found == count_again(shuffled, {})
    opened_days = {utc_day(at) for life in made for at in life.openings}
    assert all(bond.fires <= len(opened_days) for bond in found.values())
