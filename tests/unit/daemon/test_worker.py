"""Which goodbyes a worker takes on, and when it ends. The attempt itself: tests/acceptance/test_goodbye.py."""

from pathlib import Path

import pytest

from brainbridge.daemon.lock import attempted, daemon_lock, goodbye_lock
from brainbridge.daemon.spool import Spool
from brainbridge.daemon.worker import work_off


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path)


def test_a_goodbye_left_during_an_attempt_is_seen_after_it(spool: Spool) -> None:
    """Its own worker found the lock taken and ended: the holder looks again, so nobody is left waiting."""
    spool.put("milo")
    late = iter([True, False])
    attempts: list[int] = []

    def attempt(spool: Spool, brain: str) -> None:
        waiting = spool.entries(brain)
        attempts.append(len(waiting))
        if next(late):
            spool.put(brain)
            work_off(spool, brain, attempt)  # the worker of the late goodbye
        spool.remove(waiting)

    work_off(spool, "milo", attempt)

    assert attempts == [1, 1]
    assert spool.entries() == []


def test_one_said_again_during_an_attempt_is_seen_after_it(spool: Spool) -> None:
    """It has the name of the one before it, and a run that began before it does not answer it."""
    spool.put("milo", key="claude s1 SessionEnd ")
    answered: list[int] = []

    def attempt(spool: Spool, brain: str) -> None:
        waiting = spool.entries(brain)
        answered.append(len(waiting))
        if len(answered) == 1:
            spool.put(brain, key="claude s1 SessionEnd ")
        spool.remove(waiting)

    work_off(spool, "milo", attempt)

    assert answered == [1, 1]
    assert spool.entries() == []


def test_what_an_attempt_left_is_not_tried_again(spool: Spool) -> None:
    """The database is down: one attempt, then the goodbyes wait for the daemon or the next worker."""
    spool.put("milo")
    spool.put("milo")
    attempts: list[str] = []

    work_off(spool, "milo", lambda _, brain: attempts.append(brain))

    assert attempts == ["milo"]
    assert len(spool.entries()) == 2


@pytest.mark.parametrize("lock", [daemon_lock, goodbye_lock])
def test_a_worker_leaves_it_to_who_is_there(spool: Spool, tmp_path: Path, lock: object) -> None:
    """A daemon of that brain, or another worker at it."""
    assert callable(lock)
    spool.put("milo")
    attempts: list[str] = []

    with attempted(lock(tmp_path, "milo")):
        work_off(spool, "milo", lambda _, brain: attempts.append(brain))

    assert attempts == []
