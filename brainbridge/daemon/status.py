"""What `brainbridge daemon status` shows, from files alone: it answers with the database down."""

from dataclasses import dataclass

from brainbridge.daemon.lock import daemon_lock, is_held
from brainbridge.daemon.spool import Spool
from brainbridge.daemon.state import LastRun, read_state, state_file
from brainbridge.settings import Settings


@dataclass(frozen=True, slots=True)
class DaemonStatus:
    """One brain's daemon on this machine. `pid` and `since` are None where none runs; `last_run` outlives it."""

    brain: str
    running: bool
    pid: int | None
    since: str | None
    last_run: LastRun | None
    pending_goodbyes: int


def daemon_status(settings: Settings, brain: str) -> DaemonStatus:
    """Look at lock, state file and spool of `brain`; nothing is written."""
    running = is_held(daemon_lock(settings.home, brain))
    state = read_state(state_file(settings.home, brain))
    return DaemonStatus(
        brain,
        running,
        pid=state.pid if state and running else None,
        since=state.since if state and running else None,
        last_run=state.last_run if state else None,
        pending_goodbyes=len(Spool(settings.home).entries(brain)),
    )
