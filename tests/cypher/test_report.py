"""The report counts what the ledger and the pages say of a period."""

from datetime import timedelta

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.recall import Strength
from brainbridge.learning.report import Period
from tests.learning_support import recalled, weak
from tests.support import T0, minutes, query

DAY = timedelta(days=1)


@pytest.fixture
def busy(brain: Brain) -> Brain:
    """A brain with a month of use, the last day of it at T0."""
    old = brain.remember("the port is 7687", memory_type="crystallization", at=T0 - 40 * DAY)
    brain.consolidate(now=T0 - 40 * DAY + minutes(15))
    faint = brain.remember("a passing thought", producer="system", at=T0 - 20 * DAY)
    brain.consolidate(now=T0 - 19 * DAY)
    new = brain.remember("bolt wants a free address", memory_type="learning", at=T0 - 3 * DAY)
    brain.remember("bolt wants a free address", at=T0 - 3 * DAY + minutes(1))
    fresh = brain.remember("stones sink", core=True, at=T0 - minutes(90))
    for at, id_ in ((2 * DAY, new.id), (minutes(50), fresh.id), (minutes(10), fresh.id)):
        brain.open(id_, now=T0 - at)
    strong, weakly = Strength.STRONG, Strength.WEAK
    recalled(brain, [(fresh.id, 0.9, strong), (new.id, 0.8, strong)], at=T0 - 2 * DAY, test=False)
    recalled(brain, [(fresh.id, 0.9, strong), (new.id, 0.5, weakly)], at=T0 - minutes(5), test=False)
    recalled(brain, weak(old.id), question="where is the key", at=T0 - 5 * DAY, test=False)
    recalled(brain, weak(faint.id), question="where is the key", at=T0 - minutes(4), test=False)
    recalled(brain, [], question="who is who", at=T0 - 25 * DAY, test=False)
    return brain


@pytest.mark.parametrize(
    ("period", "counts", "recalled_", "misses"),
    [
        ("day", (1, 2, 0, 0, 0), 2, 1),
        ("week", (2, 3, 1, 0, 0), 4, 2),
        ("month", (3, 3, 1, 0, 2), 5, 3),
        ("all", (4, 3, 1, 1, 2), 5, 3),
    ],
)
def test_what_a_period_counts(busy: Brain, period: str, counts: tuple[int, ...], recalled_: int, misses: int) -> None:
    """captured, opened, reinforced, promoted, expired, recalled; the last 24 hours, 7 and 30 days, or everything."""
    found = busy.report(period, now=T0)

    words = ("captured", "opened", "reinforced", "promoted", "expired")
    assert counts == tuple(found.counts[word] for word in words)
    assert (recalled_, misses) == (found.recalled, found.misses)


def test_boosts_are_counted_beside_openings(brain: Brain) -> None:
    """Both are accesses, and a boost is no opening."""
    made = brain.remember("rivers freeze", at=T0)
    brain.boost(made.id, now=T0)

    assert (1, 0) == tuple(brain.report("day", now=T0).counts[word] for word in ("boosted", "opened"))


def test_open_questions_are_counted_whatever_the_period(busy: Brain) -> None:
    """The unanswered queries of R-003-24, the most asked first."""
    found = busy.report(Period.DAY, now=T0)

    assert (2, [("where is the key", 2), ("who is who", 1)]) == (
        found.unanswered,
        [(miss.query, miss.count) for miss in found.unanswered_queries],
    )


def test_the_most_recalled_are_those_that_were_answers(busy: Brain) -> None:
    """By the pages on which they were strong; a weak hit is none."""
    week, day = (
        [(top.content, top.pages) for top in busy.report(period, now=T0).top_recalled] for period in ("week", "day")
    )

    assert [("stones sink", 2), ("bolt wants a free address", 1)] == week
    assert [("stones sink", 1)] == day


def test_an_unknown_period_is_refused(brain: Brain) -> None:
    """With those there are."""
    with pytest.raises(InvalidValue, match="Use one of day, week, month, all"):
        brain.report("fortnight")


def test_the_report_of_one_scope_counts_nothing_of_the_other(busy: Brain) -> None:
    """Test memories have a report of their own (P6)."""
    busy.create_test_memory("a note", 1.0, "working", now=T0)

    found = busy.report("all", test=True, now=T0)

    assert (1, 0, 0) == (found.counts["captured"], found.recalled, found.unanswered)
    assert 4 == busy.report("all", now=T0).counts["captured"]


def test_the_report_writes_nothing(busy: Brain) -> None:
    """Neither shown nor opened."""
    count = "MATCH (n {brain: $b}) RETURN count(n) AS nodes"
    before = query(busy.graph, count, b=busy.name)

    busy.report("all", now=T0)

    assert before == query(busy.graph, count, b=busy.name)
