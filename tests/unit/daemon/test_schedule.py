"""When the daemon wakes: pure decisions."""

from datetime import timedelta

import pytest

from brainbridge.daemon.schedule import Reading, backoff, clock_step, due_in, jitter_seconds

QUARTER = timedelta(minutes=15)


@pytest.mark.parametrize(
    ("since_last", "expected"),
    [
        (None, timedelta()),
        (timedelta(minutes=15), timedelta()),
        (timedelta(hours=9), timedelta()),
        (timedelta(minutes=14, seconds=59.5), timedelta()),
        (timedelta(minutes=5), timedelta(minutes=10)),
        (timedelta(), QUARTER),
        (timedelta(hours=-1), QUARTER),
    ],
    ids=["never ran", "just due", "slept", "timer a little early", "restarted", "just ran", "clock set back"],
)
def test_a_run_is_due_one_interval_after_the_last(since_last: timedelta | None, expected: timedelta) -> None:
    """Due at once if the last run is older than the interval, else at the remaining time, never later than that."""
    assert due_in(since_last, QUARTER) == expected


def test_the_wait_after_failures_doubles_up_to_a_minute() -> None:
    """5 s, 10 s, 20 s, 40 s, then 60 s for ever."""
    waits = [backoff(failures).total_seconds() for failures in (1, 2, 3, 4, 5, 6, 10_000)]

    assert waits == [5, 10, 20, 40, 60, 60, 60]


@pytest.mark.parametrize(
    ("wall", "monotonic", "expected"),
    [(1.0, 1.0, None), (5.9, 1.0, None), (-3.9, 1.0, None), (28_800.0, 1.0, 28_799.0), (-3_599.0, 1.0, -3_600.0)],
    ids=["a tick", "drift ahead", "drift behind", "suspended or set forward", "set back"],
)
def test_a_clock_has_stepped_when_both_clocks_disagree_by_more_than_five_seconds(
    wall: float, monotonic: float, expected: float | None
) -> None:
    """The wall clock's step is what it moved more, or less, than the monotonic one."""
    before = Reading(1_800_000_000.0, 50.0)

    step = clock_step(before, Reading(before.wall + wall, before.monotonic + monotonic))

    assert step == expected


@pytest.mark.parametrize(("seconds", "expected"), [(900, 20.0), (60, 6.0), (5, 0.5)])
def test_jitter_stays_small_beside_the_wait(seconds: float, expected: float) -> None:
    """A retry after 5 s is not put off by 20 s of chance."""
    assert jitter_seconds(timedelta(seconds=seconds), 20.0) == expected
