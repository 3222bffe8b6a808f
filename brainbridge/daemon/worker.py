"""The process that `brainbridge goodbye` detaches when no daemon runs: it answers what waits in the spool, and ends.

`python -m brainbridge.daemon.worker`. Nobody looks at its exit code; what comes of it stands in consolidation.log.
"""

import sys
import time
from collections.abc import Callable

from brainbridge.daemon.lock import attempted, daemon_lock, goodbye_lock, is_held
from brainbridge.daemon.quick import quick_settings
from brainbridge.daemon.spool import Spool

# Three tries in half a minute: enough for a server that is just starting. Later is for the daemon or the next worker.
TRIES_AFTER = (0.0, 10.0, 20.0)  # seconds
# Longer than any run holds its lease: what was asked during one must not be lost to it.
LEASE_PATIENCE = 150.0  # seconds


def main() -> int:
    """Answer all goodbyes that nobody else is answering."""
    spool = Spool(quick_settings().home)
    for brain in sorted({entry.brain for entry in spool.entries()}):
        work_off(spool, brain, _attempt_with_retries)
    if spool.unreadable():
        _tidy(spool)
    return 0


def work_off(spool: Spool, brain: str, attempt: Callable[[Spool, str], None]) -> None:
    """Have `attempt` called until every goodbye to `brain` was there during one call, by us or by somebody else.

    A goodbye left while another worker holds the lock starts a worker that gives up at once: the holder must look again
    after it let go, or that goodbye waits for the next one. What an attempt could not answer is not tried again here.
    """
    home, tried = spool.folder.parent, set[tuple[object, ...]]()
    while fresh := {(entry.path, entry.version) for entry in spool.entries(brain)} - tried:
        if is_held(daemon_lock(home, brain)):
            return
        with attempted(goodbye_lock(home, brain)) as ours:
            if not ours:
                return
            tried |= fresh
            attempt(spool, brain)


def _attempt_with_retries(spool: Spool, brain: str) -> None:
    # Imported with the lock in hand: of ten workers started at once nine end without having loaded a database driver.
    from brainbridge import logs
    from brainbridge.daemon.attempt import attempt

    logs.configure(spool.folder.parent / "logs" / "consolidation.log", verbosity=-1)
    attempt(spool, brain, tries_after=TRIES_AFTER, lease_patience=LEASE_PATIENCE, sleep=time.sleep)


def _tidy(spool: Spool) -> None:
    from brainbridge import logs
    from brainbridge.daemon.drain import reject_unreadable

    logs.configure(spool.folder.parent / "logs" / "consolidation.log", verbosity=-1)
    reject_unreadable(spool)


if __name__ == "__main__":
    sys.exit(main())
