"""File locks: one daemon per machine and brain, one at a time who answers a brain's goodbyes, one who rotates.

The system drops a lock when its holder dies, so none is ever left behind. Standard library until a lock is taken: the
goodbye only looks.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def daemon_lock(home: Path, brain: str) -> Path:
    """What the daemon of `brain` holds as long as it lives."""
    return home / "daemon" / f"{brain}.lock"


def goodbye_lock(home: Path, brain: str) -> Path:
    """What is held while the goodbyes to `brain` are being answered."""
    return home / "daemon" / f"{brain}.goodbyes.lock"


def is_held(path: Path) -> bool:
    """Whether another process holds the lock; it is neither made nor kept. Always False where there is no flock."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    else:
        return False
    finally:
        os.close(descriptor)


@contextmanager
def attempted(path: Path, *, patience: float = 0.0) -> Iterator[bool]:
    """Try to hold a lock; gives whether it is ours.

    Args:
        patience: seconds to go on trying.
    """
    from filelock import FileLock, Timeout

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(path, mode=0o600)
    try:
        lock.acquire(timeout=patience, poll_interval=0.05)
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()
