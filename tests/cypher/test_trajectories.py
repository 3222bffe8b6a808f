"""The courses of model.md §5, computed by the Cypher on a real server, to 1e-9; more of them in test_remember.py."""

import math
from collections.abc import Callable
from datetime import datetime

import pytest
from pydantic import SecretStr

import brainbridge
from brainbridge.app import Brain
from brainbridge.domain.tier import Tier
from brainbridge.settings import Settings
from tests.support import T0, hours, minutes, query

EXACT = 1e-9


def born(brain: Brain, **birth: str | bool) -> str:
    """A real memory born at T0; its id. A promotion gives it another one, its root stays."""
    return brain.remember("a note", at=T0, **birth).id  # type: ignore[arg-type]


def head(brain: Brain, root: str) -> dict[str, object]:
    """The memory of a lineage that is not archived."""
    rows = query(
        brain.graph,
        "MATCH (m:Memory {root: $root}) WHERE m.validTo IS NULL RETURN properties(m) AS m",
        root=root,
    )
    assert len(rows) == 1
    return dict(rows[0]["m"])


def run_until_expired(brain: Brain, root: str, latest: float) -> float:
    """Consolidate every 15 minutes; the hour of the run that expired the memory."""
    quarter = 0
    while quarter / 4 <= latest:
        quarter += 1
        brain.consolidate(now=T0 + minutes(15 * quarter))
        if head(brain, root)["tier"] == Tier.EXPIRED:
            return quarter / 4
    raise AssertionError(f"not expired after {latest} h")


@pytest.mark.parametrize(
    ("producer", "hour"),
    [("system", 2.0), ("inference", 5.0)],
)
def test_untouched_working_memories_expire_in_the_first_run_after_their_time(
    brain: Brain, producer: str, hour: float
) -> None:
    """By producer: system 0.2707 expires in the run at 2.0 h, inference 1.2131 at 5.0 h (R-000-01, R-004-19)."""
    root = born(brain, producer=producer)

    assert run_until_expired(brain, root, hour + 1) == hour


def test_an_untouched_learning_never_promotes_and_expires_after_6_hours(brain: Brain) -> None:
    """Learning 2.0: the threshold is strict, so it stays working; 2.0·e^(-0.5·5.99) < 0.1 (R-004-18, R-004-20)."""
    root = born(brain, memory_type="learning")

    assert run_until_expired(brain, root, 7) == 6.0
    assert head(brain, root)["expiredFrom"] == Tier.WORKING


@pytest.mark.parametrize(
    ("memory_type", "energy", "expires"),
    [("reminder", 2.5, 62.25), ("crystallization", 3.0, 66.0)],
)
def test_reminders_and_crystallizations_promote_at_the_first_run(
    brain: Brain, memory_type: str, energy: float, expires: float
) -> None:
    """Promoted at 0.25 h with what decay left, expired from shortTerm at 62.25 h and 66.0 h (R-004-26, R-004-20)."""
    root = born(brain, memory_type=memory_type)
    left = energy * math.exp(-0.5 * 0.25)

    brain.consolidate(now=T0 + minutes(15))
    promoted = head(brain, root)
    # No run in between changes the course (R-004-17), so the last two around the expiry are enough.
    brain.consolidate(now=T0 + hours(expires - 0.25))
    before = head(brain, root)
    brain.consolidate(now=T0 + hours(expires))
    after = head(brain, root)

    assert (Tier.SHORT_TERM, pytest.approx(left, abs=EXACT)) == (promoted["tier"], promoted["energy"])
    assert (Tier.SHORT_TERM, Tier.EXPIRED) == (before["tier"], after["tier"])


@pytest.fixture(params=["boost", "open"])
def access(request: pytest.FixtureRequest, brain: Brain) -> Callable[[str, datetime], tuple[float, float]]:
    """An access, by either verb: energy before and after."""

    def boost(ref: str, now: datetime) -> tuple[float, float]:
        _, done = brain.boost(ref, now=now)
        return done.before, done.after

    def open_(ref: str, now: datetime) -> tuple[float, float]:
        done = brain.open(ref, now=now)
        assert done.before is not None
        return done.before, done.energy

    return boost if request.param == "boost" else open_


Access = Callable[[str, datetime], tuple[float, float]]


def test_a_learning_opened_once_at_one_hour_becomes_short_term(brain: Brain, access: Access) -> None:
    """1.213 + 1.0 = 2.213 at 1 h, promoted by that hour's run, expired at 63 h (model.md §5)."""
    root = born(brain, memory_type="learning")

    opened_at, left_with = access(root, T0 + hours(1))
    brain.consolidate(now=T0 + hours(1))
    promoted = head(brain, root)
    brain.consolidate(now=T0 + hours(62.75))
    before = head(brain, root)
    brain.consolidate(now=T0 + hours(63))

    assert pytest.approx([2 * math.exp(-0.5), 2 * math.exp(-0.5) + 1], abs=EXACT) == [opened_at, left_with]
    assert (Tier.SHORT_TERM, pytest.approx(left_with, abs=EXACT)) == (promoted["tier"], promoted["energy"])
    assert (Tier.SHORT_TERM, Tier.EXPIRED) == (before["tier"], head(brain, root)["tier"])


def test_a_learning_restated_three_times_becomes_short_term(make_brain: Callable[..., Brain]) -> None:
    """At 10, 20 and 30 min: 2.363; shortTerm at 0.25 h with 2.266; 2.898; 3.690; expired at 72.75 h (model.md §5).

    Through `brainbridge.connect`, as a stranger opens a brain.
    """
    made = make_brain()
    address = made.graph.address
    settings = Settings(uri=address.uri, username=address.username, password=SecretStr(address.password))

    with brainbridge.connect(made.name, settings=settings) as brain:
        root = born(brain, memory_type="learning")
        said = [brain.remember("a note", at=T0 + minutes(10)).energy]
        brain.consolidate(now=T0 + minutes(15))
        promoted = head(brain, root)
        said += [brain.remember("a note", at=T0 + minutes(minute)).energy for minute in (20, 30)]
        brain.consolidate(now=T0 + hours(72.5))
        before = head(brain, root)["tier"]
        brain.consolidate(now=T0 + hours(72.75))
        after = head(brain, root)["tier"]

    gain = math.exp(0.25)
    first = 2 * math.exp(-0.5 / 6) * gain
    at_run = first * math.exp(-0.5 / 12)
    second = at_run * math.exp(-0.05 / 12) * gain
    third = second * math.exp(-0.05 / 6) * gain
    assert pytest.approx([first, second, third], abs=EXACT) == said
    assert pytest.approx([2.363, 2.898, 3.690], abs=1e-3) == said
    assert (Tier.SHORT_TERM, pytest.approx(at_run, abs=EXACT)) == (promoted["tier"], promoted["energy"])
    assert (Tier.SHORT_TERM, Tier.EXPIRED) == (before, after)


def test_a_crystallization_opened_three_times_becomes_long_term(brain: Brain, access: Access) -> None:
    """Opened at 0.5, 1.0, 1.5 h with runs every 15 min: 3.615, 4.525, 5.414, longTerm at 1.5 h (model.md §5)."""
    root = born(brain, memory_type="crystallization")
    course = []
    for quarter in range(1, 7):
        now = T0 + minutes(15 * quarter)
        if quarter % 2 == 0:
            course.append(access(root, now)[1])
        brain.consolidate(now=now)

    first = 3 * math.exp(-0.5 * 0.25) * math.exp(-0.05 * 0.25) + 1
    second = first * math.exp(-0.05 * 0.5) + 1
    third = second * math.exp(-0.05 * 0.5) + 1
    assert pytest.approx([first, second, third], abs=EXACT) == course
    assert pytest.approx([3.615, 4.525, 5.414], abs=1e-3) == course
    assert (Tier.LONG_TERM, pytest.approx(third, abs=EXACT)) == (
        head(brain, root)["tier"],
        head(brain, root)["energy"],
    )


@pytest.mark.parametrize(("energy", "days"), [(5.0, 163), (10.0, 192)])
def test_long_term_memories_fall_to_the_floor_and_stay(brain: Brain, energy: float, days: int) -> None:
    """5.0 reaches the floor after 163 days, 10 after 192; there it neither falls further nor expires (R-000-27)."""
    made = brain.create_test_memory("fact", energy, "longTerm", now=T0)

    def energy_after(d: float) -> float:
        brain.consolidate(test=True, now=T0 + hours(24 * d))
        return float(head(brain, made.id)["energy"])  # type: ignore[arg-type]

    course = [energy_after(d) for d in (days - 1, days + 1, 4000)]

    assert course[0] > 0.1
    assert [0.1, 0.1] == course[1:]
    assert head(brain, made.id)["tier"] == Tier.LONG_TERM


def instants(start: datetime, step_minutes: float, count: int) -> list[datetime]:
    """`count` instants, `step_minutes` apart, the first one step after `start`."""
    return [start + minutes(step_minutes * (i + 1)) for i in range(count)]


@pytest.mark.parametrize("tier", ["working", "shortTerm", "longTerm"])
@pytest.mark.parametrize(
    "partition",
    [
        pytest.param(instants(T0, 15, 24), id="24 runs of 15 min"),
        pytest.param(instants(T0, 360, 1), id="one run of 6 h"),
        pytest.param([*instants(T0, 1, 10), T0 + hours(6)], id="sub-hour, then the rest"),
        pytest.param([T0 + hours(6), T0 + hours(6)], id="twice at one instant"),
        pytest.param([T0 + hours(6), T0 + hours(2), T0 + hours(6)], id="the clock steps back"),
    ],
)
def test_any_partition_of_time_gives_the_same_energy(brain: Brain, tier: str, partition: list[datetime]) -> None:
    """One pass of 6 h equals 24 of 15 min, whatever lies between (R-004-16, R-004-17, R-004-41, P10)."""
    rate = {"working": 0.5, "shortTerm": 0.05, "longTerm": 0.001}[tier]
    made = brain.create_test_memory("a note", 1.5, tier, now=T0)

    for now in partition:
        brain.decay(test=True, now=now)

    assert pytest.approx(1.5 * math.exp(-rate * 6), abs=EXACT) == head(brain, made.id)["energy"]


def test_a_gap_of_more_than_a_day_counts_in_full(brain: Brain) -> None:
    """45 and 200 days are 1,080 and 4,800 hours: no unit of a calendar is dropped."""
    made = brain.create_test_memory("a note", 9.0, "longTerm", now=T0)

    brain.decay(test=True, now=T0 + hours(45 * 24))
    after_45 = head(brain, made.id)["energy"]
    brain.decay(test=True, now=T0 + hours(200 * 24))

    assert pytest.approx(9 * math.exp(-0.001 * 1080), abs=EXACT) == after_45
    assert pytest.approx(max(9 * math.exp(-0.001 * 4800), 0.1), abs=EXACT) == head(brain, made.id)["energy"]


def test_a_clock_that_steps_back_changes_nothing(brain: Brain) -> None:
    """A run an hour before the last one leaves energy and lastDecay as they are (P10)."""
    made = brain.create_test_memory("a note", 1.5, "working", now=T0)
    brain.consolidate(test=True, now=T0 + hours(2))
    before = head(brain, made.id)

    report = brain.consolidate(test=True, now=T0 + hours(1))

    assert before == head(brain, made.id)
    assert report.changed("decay") == 0
