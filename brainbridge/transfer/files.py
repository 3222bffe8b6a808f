"""Where an export goes and an import comes from: a path or a text stream."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from tempfile import mkstemp
from typing import BinaryIO, TextIO

from brainbridge.domain.errors import InvalidValue, UsageError

# A memory of 1 MiB is at most 6 MiB of JSON; the rest is room for its ledger. More is no file of memories.
MOST_IN_LINE = 64 * 1024 * 1024


@contextmanager
def sink(target: Path | str | TextIO) -> Iterator[TextIO]:
    """Where to write: a stream as it is, or a file that gets its name only when it is complete and on the disk.

    The file is readable by its owner alone: memories are private.

    Raises:
        UsageError: it cannot be written. Nothing stands under its name that did not before.
    """
    if not isinstance(target, Path | str):
        yield target
        return
    path = Path(target)
    try:
        with _whole(path) as stream:
            yield stream
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}. No file was made.") from error


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file that gets its name only when it is complete and on the disk; its owner alone may read it.

    Raises:
        UsageError: it cannot be written. Nothing stands under its name that did not before.
    """
    try:
        with _whole(path) as stream:
            stream.buffer.write(content)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}. No file was made.") from error


@contextmanager
def _whole(path: Path) -> Iterator[TextIOWrapper]:
    """What is written to: a pipe or a device itself, for there is nothing to put in its place; else a replacement."""
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        return
    with _replacement(path) as stream:
        yield stream


@contextmanager
def _replacement(path: Path) -> Iterator[TextIOWrapper]:
    """A file beside `path`, 0600, that takes its name at the end; gone if the work fails."""
    try:
        path = path.resolve()
    except RuntimeError as error:  # Python 3.11 and 3.12 say so of a link that leads to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from error
    if path.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    descriptor, part = mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")  # 0600
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as stream:  # noqa: PTH123  # it is open already
            yield stream
            stream.flush()
            os.fsync(descriptor)
        Path(part).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(part).unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name itself durable, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def numbered_lines(source: Path | str | TextIO | BinaryIO) -> Iterator[Iterator[tuple[int, str]]]:
    """The lines of a file or stream, each with its number from 1 and with its line end if it has one.

    Raises:
        UsageError: it cannot be read. InvalidValue, later: a line is not UTF-8, or endless.
    """
    if not isinstance(source, Path | str):
        yield _numbered(source)
        return
    try:
        stream = Path(source).open("rb")  # noqa: SIM115  # errors of opening and of the work under it are not the same
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}. Nothing was done.") from error
    with stream:
        yield _numbered(stream)


def _numbered(stream: TextIO | BinaryIO) -> Iterator[tuple[int, str]]:
    number = 0
    while line := stream.readline(MOST_IN_LINE + 1):
        number += 1
        if len(line) > MOST_IN_LINE:
            raise InvalidValue(f"line {number} is longer than {MOST_IN_LINE // 2**20} MiB, so it is no memory")
        yield number, line if isinstance(line, str) else _decoded(line, number)


def _decoded(line: bytes, number: int) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InvalidValue(f"line {number} is not UTF-8: its byte {error.start + 1} cannot be read") from error


def name_of(source: object) -> str:
    """How errors call a source."""
    return str(source) if isinstance(source, Path | str) else "standard input"
