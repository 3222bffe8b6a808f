"""What is known of a daemon from its files."""

import os
from pathlib import Path

import pytest

from brainbridge.daemon.lock import attempted, daemon_lock, is_held
from brainbridge.daemon.spool import Spool
from brainbridge.daemon.state import DaemonState, LastRun, read_state, state_file, write_state
from brainbridge.daemon.status import DaemonStatus, daemon_status
from brainbridge.settings import Settings

RUN = LastRun("r1", "2026-03-01T12:00:00+00:00", "schedule", "ok")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


def test_nothing_is_known_of_a_daemon_that_never_ran(settings: Settings) -> None:
    """And looking leaves no file behind."""
    assert daemon_status(settings, "milo") == DaemonStatus("milo", False, None, None, None, 0)
    assert list(settings.home.iterdir()) == []


def test_it_runs_as_long_as_its_lock_is_held(settings: Settings) -> None:
    """A state file that a killed daemon left does not make it alive; what it did last stays known."""
    write_state(state_file(settings.home, "milo"), DaemonState(os.getpid(), "2026-03-01T11:00:00+00:00", RUN))
    Spool(settings.home).put("milo")
    Spool(settings.home).put("ada")

    with attempted(daemon_lock(settings.home, "milo")):
        alive = daemon_status(settings, "milo")
    gone = daemon_status(settings, "milo")

    assert alive == DaemonStatus("milo", True, os.getpid(), "2026-03-01T11:00:00+00:00", RUN, 1)
    assert gone == DaemonStatus("milo", False, None, None, RUN, 1)


@pytest.mark.parametrize("content", ["", "[]", '{"pid": 1}'])
def test_a_state_file_that_cannot_be_read_counts_as_none(settings: Settings, content: str) -> None:
    """It is a note for people, nothing depends on it."""
    path = state_file(settings.home, "milo")
    path.parent.mkdir()
    path.write_text(content)

    assert read_state(path) is None


def test_looking_at_a_lock_takes_nothing_away(tmp_path: Path) -> None:
    """It is seen while held and only then, and can be taken right after a look."""
    path = tmp_path / "a.lock"

    assert not is_held(path)
    with attempted(path) as ours:
        assert ours
        assert is_held(path)
        with attempted(path) as second:
            assert not second
    assert not is_held(path)
