"""Rotate consolidation.log by renaming it. Its writers watch it: who had it open finishes a line in the old one."""

from pathlib import Path

from brainbridge.daemon.lock import attempted

KEPT = 5


def rotate(log_file: Path, max_bytes: int, *, kept: int = KEPT) -> bool:
    """Move a log that has grown to `max_bytes` away to `.1`, the one before to `.2`, up to `kept`; the oldest goes.

    Returns:
        Whether it was moved. Safe to call from many processes at once: one of them does it.
    """
    if not _is_full(log_file, max_bytes):
        return False
    with attempted(log_file.with_name(f".{log_file.name}.lock")) as ours:
        # Looked at again: another process may have rotated between the first look and the lock.
        if not ours or not _is_full(log_file, max_bytes):
            return False
        for number in range(kept - 1, 0, -1):
            older = numbered(log_file, number)
            if older.exists():
                older.replace(numbered(log_file, number + 1))
        log_file.replace(numbered(log_file, 1))
        return True


def numbered(log_file: Path, number: int) -> Path:
    """The name of the `number`-th oldest log: 1 is the youngest of those moved away."""
    return log_file.with_name(f"{log_file.name}.{number}")


def _is_full(log_file: Path, max_bytes: int) -> bool:
    try:
        return log_file.stat().st_size >= max_bytes
    except FileNotFoundError:
        return False
