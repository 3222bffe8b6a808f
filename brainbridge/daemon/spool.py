"""The spool: one small file per goodbye, kept until a run has answered it. Standard library only: hooks write it.

A file appears whole or not at all: written under a name nobody looks for, synced, then renamed. What cannot be read, or
can never be answered, moves to `failed/`, so that it is neither lost nor tried for ever. A goodbye with a key is named
by it: said again, it takes the place of the one that waits.
"""

import json
import os
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

SCHEMA = 1
_PREFIX = "goodbye-"
_SUFFIX = ".json"
_UNFINISHED = ".tmp"
# What of a key goes into a file's name as it is; and how much of it, so that the name stays under 255 bytes.
_UNFIT = re.compile(r"[^A-Za-z0-9._]+")
_LONGEST_KEY = 150
# A writer takes milliseconds; an unfinished file this old has no writer any more.
_ABANDONED = 3600.0  # seconds


class Entry(NamedTuple):
    """One goodbye: whose memories to consolidate, the real or the test ones, and when it was asked (ISO 8601, UTC).

    `asked_by` is its key, if it has one: the agent, session, event and prompt of a hook. `version` tells this file from
    one that took its place.
    """

    path: Path
    brain: str
    is_test: bool
    at: str
    asked_by: str | None = None
    version: tuple[int, int] = (0, 0)


class Unreadable(NamedTuple):
    """A file that is no goodbye, and why."""

    path: Path
    reason: str


class Spool:
    """The goodbyes below one home. Any number of processes may write and read at once."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "spool"
        self.failed = self.folder / "failed"

    def put(self, brain: str, *, is_test: bool = False, key: str | None = None) -> Path:
        """Add one goodbye; it survives a crash of this process, or of the machine, from here on.

        Args:
            key: who asks and why. One with the same key, brain and scope that still waits is replaced.

        Raises:
            OSError: it could not be written. Nothing is left behind.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Ordered by time, unique by process and chance: no two writers ever meet.
        unique = f"{time.time_ns():020d}-{os.getpid()}-{os.urandom(4).hex()}"
        name = f"{_PREFIX}{unique if key is None else _named(brain, is_test, key)}{_SUFFIX}"
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        content = json.dumps({"schema": SCHEMA, "brain": brain, "isTest": is_test, "at": at, "askedBy": key})
        unfinished = self.folder / f".{_PREFIX}{unique}{_UNFINISHED}"
        try:
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(content + "\n")
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(self.folder / name)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
        return self.folder / name

    def entries(self, brain: str | None = None, *, is_test: bool | None = None) -> list[Entry]:
        """The goodbyes that wait, oldest first; only those to one brain or one scope, if given."""
        found = [
            entry
            for path in self._paths()
            if isinstance(entry := _read(path), Entry)
            and (brain is None or entry.brain == brain)
            and (is_test is None or entry.is_test == is_test)
        ]
        return sorted(found, key=lambda entry: (entry.at, entry.path.name))

    def unreadable(self) -> list[Unreadable]:
        """The files that look like goodbyes by name only."""
        return [entry for path in self._paths() if isinstance(entry := _read(path), Unreadable)]

    def remove(self, entries: Iterable[Entry]) -> None:
        """Forget goodbyes that were answered. One that was said again meanwhile stays: its run is still to come."""
        for entry in entries:
            with suppress(FileNotFoundError):
                if _version(entry.path.stat()) == entry.version:
                    entry.path.unlink()

    def reject(self, entries: Iterable[Entry | Unreadable]) -> None:
        """Move what can never be answered to `failed/`."""
        for entry in entries:
            self.failed.mkdir(mode=0o700, exist_ok=True)
            try:
                entry.path.replace(self.failed / entry.path.name)
            except FileNotFoundError:
                continue  # another process was quicker

    def sweep(self) -> int:
        """Delete what writers that died half-way left an hour ago or more; how many."""
        swept = 0
        for path in self.folder.glob(f".{_PREFIX}*{_UNFINISHED}"):
            try:
                if time.time() - path.stat().st_mtime > _ABANDONED:
                    path.unlink()
                    swept += 1
            except FileNotFoundError:
                continue
        return swept

    def _paths(self) -> list[Path]:
        return sorted(self.folder.glob(f"{_PREFIX}*{_SUFFIX}"))


def _read(path: Path) -> Entry | Unreadable | None:
    """What stands in a file; None if it has gone meanwhile."""
    try:
        version = _version(path.stat())
        document = json.loads(path.read_bytes())
        if document["schema"] != SCHEMA:
            return Unreadable(path, f"schema {document['schema']}, this brainbridge reads {SCHEMA}")
        brain, is_test, at, key = document["brain"], document["isTest"], document["at"], document.get("askedBy")
    except FileNotFoundError:
        return None
    except OSError as error:
        return Unreadable(path, f"cannot be read: {error.strerror}")
    except (ValueError, TypeError, KeyError) as error:
        return Unreadable(path, f"is not a goodbye: {type(error).__name__} {error}")
    if not (isinstance(brain, str) and isinstance(is_test, bool) and isinstance(at, str)):
        return Unreadable(path, "is not a goodbye: brain, isTest or at is of another kind")
    return Entry(path, brain, is_test, at, key if isinstance(key, str) else None, version)


def _named(brain: str, is_test: bool, key: str) -> str:
    return f"{brain}-{'test' if is_test else 'real'}-{_UNFIT.sub('-', key)[:_LONGEST_KEY]}"


def _version(found: os.stat_result) -> tuple[int, int]:
    return found.st_ino, found.st_mtime_ns
