"""When the daemon wakes next: pure decisions, no clock read here."""

from datetime import timedelta
from typing import NamedTuple

FIRST_RETRY = timedelta(seconds=5)
LONGEST_RETRY = timedelta(seconds=60)
# Nearer than this counts as due: the timer and the server's clock never agree to the millisecond.
TOLERANCE = timedelta(seconds=1)
# What a clock may drift from its monotonic twin between two looks before somebody must have set it.
STEP_LIMIT = 5.0  # seconds


class Reading(NamedTuple):
    """Both clocks at one moment, in seconds: the one on the wall, and the one nobody can set."""

    wall: float
    monotonic: float


class Wake(NamedTuple):
    """When to wake next, and from when on a new goodbye may wake the daemon earlier; both counted from now."""

    after: timedelta
    goodbyes_after: timedelta = timedelta()


def due_in(since_last: timedelta | None, interval: timedelta) -> timedelta:
    """How long until the next run is due; zero if it is due now.

    Args:
        since_last: how long ago the last run began, by one clock; None if there was none. Negative if that clock was
            set back meanwhile: the wait is never longer than one interval.
    """
    if since_last is None:
        return timedelta()
    left = min(interval - since_last, interval)
    return left if left > TOLERANCE else timedelta()


def backoff(failures: int) -> timedelta:
    """The wait after the `failures`-th failure in a row: 5 s, doubled each time, at most 60 s."""
    doublings = min(max(failures - 1, 0), 10)
    return min(FIRST_RETRY * (1 << doublings), LONGEST_RETRY)


def clock_step(before: Reading, after: Reading) -> float | None:
    """By how many seconds the wall clock was moved between two readings; None if by no more than 5 s.

    A suspended machine looks the same: Linux and macOS stop the monotonic clock while it sleeps. So this is also how
    the daemon notices that it has slept, and why it does not oversleep by the rest of an interval.
    """
    step = (after.wall - before.wall) - (after.monotonic - before.monotonic)
    return step if abs(step) > STEP_LIMIT else None


def jitter_seconds(after: timedelta, configured: float) -> float:
    """How much chance to add to a wait: what is configured, but never a tenth of the wait or more."""
    return min(configured, after.total_seconds() / 10)
