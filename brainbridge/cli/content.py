"""Texts that come from the command line, from a file or from standard input; taken whole and unaltered, or refused."""

import sys
from pathlib import Path

from brainbridge.domain.errors import InvalidValue, UsageError

MAX_BYTES = 1_048_576  # 1 MiB


def read_text(operand: str | None, file: str | None, *, what: str) -> str:
    """The text that is meant: the operand itself, standard input for `-`, or a file.

    Args:
        what: what the text is, for the errors: "content", "Cypher".

    Raises:
        UsageError: neither or both are given, or the file cannot be read.
        InvalidValue: it is over 1 MiB or not UTF-8. Nothing of it is taken.
    """
    if (operand is None) == (file is None):
        raise UsageError(f"give the {what} once: as text, as - for standard input, or with --file FILE.")
    if operand is not None and operand != "-":
        return operand
    source = "standard input" if file in (None, "-") else str(file)
    return _decoded(_bytes(file), source)


def _bytes(file: str | None) -> bytes:
    # One byte more than allowed is enough to know; an endless stream is not read to its end.
    if file in (None, "-"):
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        with Path(str(file)).open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}. Nothing was done.") from error


def _decoded(raw: bytes, source: str) -> str:
    if len(raw) > MAX_BYTES:
        raise InvalidValue(f"{source} is larger than {MAX_BYTES:,} bytes (1 MiB). Nothing was done: split it.")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidValue(f"{source} is not UTF-8: byte {error.start} cannot be read. Nothing was done.") from error


def refuse_overwriting(file: str) -> None:
    """Raise if there is a file of that name; a pipe or a device is none.

    Raises:
        UsageError: there is one.
    """
    if Path(file).is_file():
        raise UsageError(f"there is a file {file} already. Nothing was written: say --force to replace it.")
