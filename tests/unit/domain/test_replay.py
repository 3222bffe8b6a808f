"""A ledger replayed through the law meets the stored energy, or the replay says where it does not."""

import math
from datetime import UTC, datetime, timedelta

import pytest

from brainbridge.domain.energy import DEFAULT_LAW, Law, boosted, contradicted, reinforced, supported
from brainbridge.domain.ledger import Event, Standing
from brainbridge.domain.replay import CHANGEOVER, Fault, Laws, course, replay
from brainbridge.domain.tier import Tier
from tests.support import T0, hours, minutes

ALWAYS = datetime.min.replace(tzinfo=UTC)
ONE_LAW = Laws(((ALWAYS, DEFAULT_LAW),))
FASTER = Law(lambda_working=1.0, boost_amount=0.5)
CHANGED = Laws(((ALWAYS, DEFAULT_LAW), (T0 + hours(2), FASTER)))


def event(kind: str, hour: float, before: float | None, after: float, tier: Tier = Tier.WORKING) -> Event:
    return Event(kind, T0 + hours(hour), before, after, tier)


def stored(energy: float, hour: float, tier: Tier = Tier.WORKING, *, core: bool = False) -> Standing:
    return Standing(T0 + hours(hour), energy, tier, core)


BORN = event("born", 0, None, 2.0)
AFTER_1H = 2.0 * math.exp(-0.5)


def test_a_birth_and_decay() -> None:
    """Decay leaves no events: the stored energy follows from the birth alone (R-004-13)."""
    assert [] == replay([BORN], stored(2.0 * math.exp(-0.5 * 3), 3), ONE_LAW)


def test_nothing_is_said_without_events() -> None:
    """A pruned ledger proves nothing and accuses nobody."""
    assert [] == replay([], stored(7.0, 1), ONE_LAW)


@pytest.mark.parametrize(
    ("kind", "after"),
    [
        ("boosted", boosted(AFTER_1H)),
        ("opened", boosted(AFTER_1H)),
        ("opened", AFTER_1H),
        ("reinforced", reinforced(AFTER_1H, Tier.WORKING)),
        ("related", supported(AFTER_1H)),
        ("related", contradicted(AFTER_1H, Tier.WORKING)),
        ("edited", 7.0),
        ("adopted", 7.0),
        ("from the future", 7.0),
    ],
)
def test_what_each_event_may_do(kind: str, after: float) -> None:
    """Each kind has the outcomes the law gives it; what was found as it is, and unknown kinds, may leave any."""
    assert [] == replay([BORN, event(kind, 1, AFTER_1H, after)], stored(after, 1), ONE_LAW)


@pytest.mark.parametrize("kind", ["boosted", "opened", "reinforced", "related", "pinned", "forgotten"])
def test_an_outcome_that_the_law_does_not_give(kind: str) -> None:
    """The event is named with the energy that was expected."""
    (fault,) = replay([BORN, event(kind, 1, AFTER_1H, 7.0)], stored(7.0, 1, core=kind == "pinned"), ONE_LAW)

    assert (kind, "after", 7.0) == (fault.event, fault.what, fault.found)


def test_a_wrong_before_is_one_fault() -> None:
    """After it the replay goes on from what the ledger says."""
    events = [BORN, event("boosted", 1, 1.5, 2.5), event("boosted", 2, 2.5 * math.exp(-0.5), 2.5 * math.exp(-0.5) + 1)]

    faults = replay(events, stored(events[-1].after, 2), ONE_LAW)

    assert [Fault("boosted", T0 + hours(1), "before", pytest.approx(AFTER_1H), 1.5)] == faults


@pytest.mark.parametrize(("off", "faults"), [(1e-10, 0), (1e-8, 1)])
def test_how_exact_a_stored_energy_must_be(off: float, faults: int) -> None:
    """To a billionth of itself."""
    assert faults == len(replay([BORN], stored(AFTER_1H * (1 + off), 1), ONE_LAW))


def test_a_tier_that_no_event_gave() -> None:
    """A tier typed in by hand is found at the stored state, and at the next event."""
    raised = event("boosted", 0, 2.0, 3.0, Tier.LONG_TERM)

    assert [Fault("stored", T0, "tier", "working", "longTerm")] == replay(
        [BORN], stored(2.0, 0, Tier.LONG_TERM), ONE_LAW
    )
    assert [Fault("boosted", T0, "tier", "working", "longTerm")] == replay(
        [BORN, raised], stored(3.0, 0, Tier.LONG_TERM), ONE_LAW
    )


def test_what_does_not_fade_in_between() -> None:
    """Pinned, forgotten and expired memories keep their energy; they fade again after (R-000-28, R-004-29)."""
    kept = [
        (event("pinned", 1, AFTER_1H, AFTER_1H), event("unpinned", 9, AFTER_1H, AFTER_1H)),
        (event("forgotten", 1, AFTER_1H, AFTER_1H), event("restored", 9, AFTER_1H, AFTER_1H)),
        (event("expired", 1, AFTER_1H, AFTER_1H, Tier.EXPIRED), event("revived", 9, AFTER_1H, 2.5)),
    ]

    assert [[], [], []] == [replay([BORN, *pair], stored(pair[1].after * math.exp(-0.5), 10), ONE_LAW) for pair in kept]


def test_a_promotion_changes_how_it_fades() -> None:
    """By the λ of the tier it is in (R-004-14)."""
    promoted = event("promoted", 1, AFTER_1H, AFTER_1H, Tier.SHORT_TERM)

    assert [] == replay([BORN, promoted], stored(AFTER_1H * math.exp(-0.05 * 4), 5, Tier.SHORT_TERM), ONE_LAW)


def test_each_stretch_of_time_goes_by_its_own_law() -> None:
    """Two hours with λ 0.5, then one with λ 1, and boosts of that hour's size (R-004-34)."""
    left = 2.0 * math.exp(-0.5 * 2 - 1.0 * 1)

    assert [] == replay([BORN, event("boosted", 3, left, left + 0.5)], stored(left + 0.5, 3), CHANGED)
    assert 1 == len(replay([BORN, event("boosted", 3, left, left + 1.0)], stored(left + 1.0, 3), CHANGED))


@pytest.mark.parametrize(("late", "faults"), [(CHANGEOVER / 2, 0), (2 * CHANGEOVER, 1)])
def test_an_event_while_the_law_changes_may_go_by_the_one_before(late: timedelta, faults: int) -> None:
    """Until the new version is committed, events see the old one; the energy after it fades by the new one."""
    at = T0 + hours(2) + late
    left = 2.0 * math.exp(-0.5 * (at - T0) / hours(1))
    raised = Event("boosted", at, left, left + 1.0, Tier.WORKING)
    end = Standing(at + hours(1), (left + 1.0) * math.exp(-1.0), Tier.WORKING)

    assert faults == len(replay([BORN, raised], end, CHANGED))


def test_the_laws_before_the_first_version() -> None:
    """Memories may be older than the brain that they were imported into."""
    laws = Laws(((T0 + hours(100), DEFAULT_LAW),))

    assert [] == replay([BORN], stored(AFTER_1H, 1), laws)


def test_the_course_keeps_every_peak() -> None:
    """A boost between two points shows, and the last point is the energy at the end."""
    standings = [stored(2.0, 0), stored(3.0, 2.1)]

    heights = course(standings, ONE_LAW, T0 + hours(4), 4)

    assert pytest.approx([2.0, 2.0 * math.exp(-1.0), 3.0, 3.0 * math.exp(-0.5 * 1.9)]) == heights


def test_the_course_of_a_memory_that_was_just_born() -> None:
    """No time has passed, so there is one point."""
    assert [2.0] == course([stored(2.0, 0)], ONE_LAW, T0 - minutes(1), 60)
