"""What the daemon makes of failures; what it does with a database is proved in tests/integration/test_daemon.py."""

import logging
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from brainbridge.app import Brain
from brainbridge.daemon.spool import Spool
from brainbridge.daemon.upkeep import BUSY_PAUSE, Upkeep
from brainbridge.domain.errors import (
    AuthenticationFailed,
    BrainbridgeError,
    DatabaseUnreachable,
    LeaseHeld,
    UnknownBrain,
)
from brainbridge.settings import Settings


@pytest.fixture
def failing(tmp_path: Path) -> Callable[..., Upkeep]:
    """An upkeep whose attempts to open the brain fail with the given errors, one after the other."""

    def make(*errors: Exception) -> Upkeep:
        coming = iter(errors)

        def open_brain(_: Settings) -> Brain:
            raise next(coming)

        return Upkeep(Settings(home=tmp_path), "milo", open_brain=open_brain)

    return make


@pytest.fixture
def events(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """The names of the events logged so far."""
    monkeypatch.setattr(logging.getLogger("brainbridge"), "propagate", True)
    caplog.set_level(logging.INFO, "brainbridge")
    return lambda: [str(record.msg["event"]) for record in caplog.records if isinstance(record.msg, dict)]


def test_a_database_that_stays_down_is_logged_once(
    failing: Callable[..., Upkeep], events: Callable[[], list[str]]
) -> None:
    """Tried again at growing intervals, goodbyes included; one warning per change of state, not per try."""
    upkeep = failing(*[DatabaseUnreachable("down")] * 6)

    waits = [upkeep.wake() for _ in range(6)]

    assert [wake.after.total_seconds() for wake in waits] == [5, 10, 20, 40, 60, 60]
    assert all(wake.after == wake.goodbyes_after for wake in waits)
    assert events() == ["database.lost"]
    assert upkeep.fatal is None


def test_another_trouble_is_another_line(failing: Callable[..., Upkeep], events: Callable[[], list[str]]) -> None:
    """Unreachable, then reachable with a wrong password: both are said, and the daemon goes on trying."""
    upkeep = failing(*[DatabaseUnreachable("down")] * 2, *[AuthenticationFailed("no")] * 2)

    for _ in range(4):
        upkeep.wake()

    assert events() == ["database.lost", "database.lost"]
    assert upkeep.fatal is None


@pytest.mark.parametrize("error", [UnknownBrain("who"), AuthenticationFailed("no")])
def test_a_mistake_in_the_set_up_ends_the_daemon_at_its_first_contact(
    failing: Callable[..., Upkeep], error: BrainbridgeError
) -> None:
    """Waiting would not mend it; the exit code says what it was."""
    upkeep = failing(error)

    upkeep.wake()

    assert upkeep.fatal is error


def test_another_run_in_progress_is_no_failure(failing: Callable[..., Upkeep], events: Callable[[], list[str]]) -> None:
    """It is skipped and looked at again soon."""
    upkeep = failing(LeaseHeld("busy"))

    assert upkeep.wake().after == BUSY_PAUSE
    assert events() == ["run.skipped"]


def test_a_fault_in_one_pass_does_not_end_the_next(
    failing: Callable[..., Upkeep], events: Callable[[], list[str]]
) -> None:
    """Logged with its traceback, tried again."""
    upkeep = failing(ZeroDivisionError())

    assert upkeep.wake().after == timedelta(seconds=5)
    assert events() == ["pass.crashed"]


def test_goodbyes_to_an_unknown_brain_are_set_aside(
    failing: Callable[..., Upkeep], events: Callable[[], list[str]], tmp_path: Path
) -> None:
    """They can never be answered; other brains' are left alone."""
    spool = Spool(tmp_path)
    spool.put("milo")
    spool.put("ada")

    failing(UnknownBrain("there is no brain 'milo' here")).wake()

    assert [entry.brain for entry in spool.entries()] == ["ada"]
    assert len(list(spool.failed.iterdir())) == 1
    assert events() == ["goodbye.rejected"]
