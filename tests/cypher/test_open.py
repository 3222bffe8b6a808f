"""Opening a memory: an access worth energy at most once in half an hour; where an archive leads; what is shown."""

import math
from datetime import timedelta

import pytest

from brainbridge.app import Brain
from brainbridge.domain.energy import DEFAULT_LAW, effective_energy
from brainbridge.domain.errors import NotFound
from brainbridge.domain.tier import Tier
from tests.support import T0, everything_but, hours, kinds_of, minutes, properties_of, query

EXACT = 1e-9


def test_an_opening_adds_energy_and_an_access(brain: Brain) -> None:
    """max(x, min(x + 1.0, 10)) on what decay left; accessCount, lastAccessed, lastOpened (R-004-08)."""
    made = brain.remember("a note", memory_type="learning", at=T0)
    left = 2.0 * math.exp(-0.5)

    opened = brain.open(made.id, now=T0 + hours(1))

    assert (pytest.approx(left, abs=EXACT), pytest.approx(left + 1, abs=EXACT)) == (opened.before, opened.energy)
    assert (True, T0 + hours(1)) == (opened.counted, opened.at)
    after = properties_of(brain, made.id)
    assert (2, *[T0 + hours(1)] * 3) == tuple(
        after[name] for name in ("accessCount", "lastAccessed", "lastOpened", "lastDecay")
    )
    assert after["energy"] == opened.energy
    assert ["born", "opened"] == kinds_of(brain, made.id)


# Minutes after T0 at which a memory is opened, and which of the openings add energy.
LIMITER = [
    ([0], [True]),
    ([0, 0], [True, False]),
    ([0, 29.999], [True, False]),
    ([0, 30], [True, True]),
    ([0, 20, 40, 60, 80], [True, False, True, False, True]),
    ([0, 10, 20, 30, 59, 60], [True, False, False, True, False, True]),
    ([0, 45, 60, 75], [True, True, False, True]),
]


@pytest.mark.parametrize(("at", "counted"), LIMITER, ids=lambda case: str(case))
def test_energy_at_most_once_in_half_an_hour(brain: Brain, at: list[float], counted: list[bool]) -> None:
    """Measured from the last opening that counted; every opening is an access and has its event (model.md §3)."""
    made = brain.create_test_memory("a note", 2.0, "longTerm", now=T0)

    opened = [brain.open(made.id, test=True, now=T0 + minutes(minute)) for minute in at]

    assert counted == [each.counted for each in opened]
    assert [pytest.approx(1.0 if counts else 0.0, abs=EXACT) for counts in counted] == [
        each.energy - (each.before or 0) for each in opened
    ]
    assert 1 + len(at) == properties_of(brain, made.id)["accessCount"]
    assert ["born", *["opened"] * len(at)] == kinds_of(brain, made.id, test=True)


def test_the_interval_is_a_constant_of_the_law(brain: Brain) -> None:
    """openIntervalMinutes of the ConsolidationConfig, read by the Cypher (R-004-34)."""
    brain.set_law(open_interval_minutes=5.0)
    made = brain.create_test_memory("a note", 2.0, "longTerm", now=T0)

    counted = [brain.open(made.id, test=True, now=T0 + minutes(minute)).counted for minute in (0, 4, 5)]

    assert [True, False, True] == counted


@pytest.mark.parametrize(("energy", "after"), [(9.5, 10.0), (10.0, 10.0), (11.0, 11.0), (0.0, 1.0)])
def test_an_opening_never_lowers_and_stops_at_the_limit(brain: Brain, energy: float, after: float) -> None:
    """As a boost: up to 10, and what stands above stays there."""
    made = brain.create_test_memory("a note", energy, "working", now=T0)

    assert after == brain.open(made.id, test=True, now=T0).energy


def test_a_boost_and_an_opening_do_not_limit_each_other(brain: Brain) -> None:
    """The limiter looks at openings only."""
    made = brain.create_test_memory("a note", 2.0, "longTerm", now=T0)

    brain.boost(made.id, test=True, now=T0)
    opened = brain.open(made.id, test=True, now=T0)

    assert (3.0, 4.0, True) == (opened.before, opened.energy, opened.counted)


def test_an_archived_id_leads_to_the_memory_it_lives_on_in(brain: Brain) -> None:
    """Through every promotion; the live one gets the access (R-004-27)."""
    made = brain.create_test_memory("a note", 6.0, "working", now=T0)
    for _ in range(2):
        brain.consolidate(test=True, now=T0)

    opened = brain.open(made.id, test=True, now=T0)

    assert ("longTerm", 7.0, made.id) == (opened.memory.tier, opened.energy, opened.memory.root)
    assert made.id != opened.memory.id
    assert ["working", "shortTerm", "longTerm"] == [step["tier"] for step in opened.lineage]
    assert 1 == properties_of(brain, made.id)["accessCount"]


def test_an_expired_memory_is_shown_as_it_is(brain: Brain) -> None:
    """It says that it is expired; nothing changes, not even the access count (R-004-29)."""
    made = brain.create_test_memory("faint", 0.05, "working", now=T0)
    brain.consolidate(test=True, now=T0)
    before = properties_of(brain, made.id)

    opened = brain.open(made.id, test=True, now=T0 + hours(5))

    assert ("expired", 0.05, None, None) == (opened.memory.state, opened.energy, opened.before, opened.counted)
    assert before == properties_of(brain, made.id)
    assert ["born", "expired"] == kinds_of(brain, made.id, test=True)


def test_a_forgotten_memory_is_shown_as_it_is(brain: Brain) -> None:
    """By its id, with the reason; nothing changes."""
    made = brain.remember("a note", at=T0)
    brain.forget(made.id, reason="wrong", now=T0)
    before = properties_of(brain, made.id)

    opened = brain.open(made.id, now=T0 + hours(5))

    assert ("forgotten", "wrong", None) == (opened.memory.state, opened.memory.forgotten_reason, opened.before)
    assert before == properties_of(brain, made.id)


def test_an_archive_that_leads_nowhere(brain: Brain) -> None:
    """The archive of a memory that was forgotten after its promotion: not found, nothing changed."""
    made = brain.create_test_memory("a note", 3.0, "working", now=T0)
    brain.consolidate(test=True, now=T0)
    brain.forget(made.id, test=True, now=T0)

    with pytest.raises(NotFound, match="no live successor"):
        brain.open(made.id, test=True, now=T0)


def test_what_is_shown_is_all_there_is(brain: Brain) -> None:
    """Every property, the relations in both directions, the lineage (interfaces §9)."""
    made = brain.remember("the port is 7687", memory_type="learning", subject="ports", at=T0)
    other = brain.remember("bolt wants a free address", memory_type="learning", at=T0)
    brain.link(made.id, "extends", other.id, now=T0)

    opened, opposite = brain.open(made.id, now=T0), brain.open(other.id, now=T0)

    stored = properties_of(brain, made.id)
    assert {name: value for name, value in stored.items() if name != "labels"} == opened.record.properties
    assert [("extends", True, other.id)] == [(r.relation, r.outgoing, r.other.id) for r in opened.relations]
    assert [("extends", False, made.id)] == [(r.relation, r.outgoing, r.other.id) for r in opposite.relations]
    assert [made.id] == [step["id"] for step in opened.lineage]


@pytest.mark.parametrize("is_test", [True, False])
def test_an_opening_touches_one_memory(brain: Brain, is_test: bool) -> None:
    """Neither the other scope nor another memory of this one; an id of the other scope is not found (R-004-10, P6)."""
    test = brain.create_test_memory("a note", 2.0, "working", now=T0).id
    real = brain.remember("a note", at=T0).id
    mine, theirs = (test, real) if is_test else (real, test)
    outside, sibling = everything_but(brain.graph, brain.name, is_test=is_test), properties_of(brain, theirs)

    brain.open(mine, test=is_test, now=T0 + hours(1))
    with pytest.raises(NotFound):
        brain.open(theirs, test=is_test, now=T0 + hours(1))

    assert outside == everything_but(brain.graph, brain.name, is_test=is_test)
    assert sibling == properties_of(brain, theirs)


def test_a_crystallization_opened_three_times_becomes_long_term(brain: Brain) -> None:
    """At 0.5, 1.0, 1.5 h with runs every 15 min: 3.615, 4.525, 5.414, longTerm at 1.5 h (model.md §5)."""
    root = brain.remember("a note", memory_type="crystallization", at=T0).id
    course = []
    for quarter in range(1, 7):
        now = T0 + minutes(15 * quarter)
        if quarter % 2 == 0:
            course.append(brain.open(root, now=now).energy)
        brain.consolidate(now=now)

    (head,) = query(
        brain.graph, "MATCH (m:LiveMemory {root: $root}) RETURN m.tier AS tier, m.energy AS energy", root=root
    )
    assert pytest.approx([3.615, 4.525, 5.414], abs=1e-3) == course
    assert ("longTerm", pytest.approx(course[-1], abs=EXACT)) == (head["tier"], head["energy"])


def test_a_clock_that_steps_back(brain: Brain) -> None:
    """The opening is at the instant the memory was settled for: no energy is lost, the limiter holds (P10)."""
    made = brain.create_test_memory("a note", 2.0, "working", now=T0)
    brain.open(made.id, test=True, now=T0 + hours(1))

    opened = brain.open(made.id, test=True, now=T0)

    left = effective_energy(2.0, Tier.WORKING, 1.0, law=DEFAULT_LAW)
    assert (T0 + hours(1), False, pytest.approx(left + 1)) == (opened.at, opened.counted, opened.energy)
    assert brain.open(made.id, test=True, now=T0 + hours(1) + timedelta(minutes=30)).counted
