"""Files that belong to somebody else: read as they are, replaced in one step, and given back as they were.

The first change of a file leaves a copy beside it, which a removal puts back byte for byte if nobody has changed
anything else in between.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brainbridge.domain.errors import BrainbridgeError, InvalidValue

BACKUP = ".before-brainbridge"


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of one file.

    Attributes:
        before, after: its bytes; None: it is not there.
        mode: its permissions; None: those it has, for a new file 0600.
        folders: how many folders above it go with it when it is deleted, if nothing is left in them.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int | None = None
    folders: int = 0

    @property
    def needed(self) -> bool:
        """Whether anything changes."""
        return self.before != self.after


def read_bytes(path: Path) -> bytes | None:
    """What stands in a file; None if there is none.

    Raises:
        BrainbridgeError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BrainbridgeError(f"cannot read {path}: {error.strerror}. Nothing was changed.") from error


def parsed(path: Path, content: bytes | None) -> dict[str, Any]:
    """A JSON file's object; an empty one for a file that is missing or empty.

    Raises:
        InvalidValue: it is not plain JSON: what cannot be read in full cannot be written back in full.
    """
    if content is None or not content.strip():
        return {}
    try:
        document = json.loads(content.decode("utf-8"), object_pairs_hook=_without_doubles)
    except ValueError as error:
        raise InvalidValue(
            f"{path} is not plain JSON: {error}. It was left as it is. Mend it, or put in by hand what --dry-run shows."
        ) from error
    if not isinstance(document, dict):
        raise InvalidValue(f"{path} holds no JSON object. It was left as it is.")
    return document


def rendered(document: Mapping[str, Any], like: bytes | None) -> bytes:
    """A JSON file in the style of the one before: its indentation, its end of lines, its end."""
    text = (like or b"").decode("utf-8")
    indent = re.search(r"\n([ \t]+)\S", text)
    made = json.dumps(document, ensure_ascii=not _is_utf8(document), indent=indent[1] if indent else 2)
    if not text.strip() or text.endswith("\n"):
        made += "\n"
    return (made.replace("\n", "\r\n") if "\r\n" in text else made).encode("utf-8")


def backup_of(path: Path) -> Path:
    """Where the copy of a file lies."""
    return path.with_name(path.name + BACKUP)


def apply(change: Change) -> None:
    """Make one change, in one step.

    Raises:
        BrainbridgeError: it could not be made; the file is what it was.
    """
    if not change.needed:
        return
    try:
        if change.after is None:
            change.path.unlink(missing_ok=True)
            _remove_empty(change.path.parents[: change.folders])
        else:
            _replace(change.path, change.after, change.mode)
    except OSError as error:
        raise BrainbridgeError(f"cannot write {change.path}: {error.strerror}. It is what it was.") from error


def mode_of(path: Path) -> int | None:
    """A file's permissions; None if there is none."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return None


def _remove_empty(folders: Sequence[Path]) -> None:
    with suppress(OSError):  # one that is not empty stays, and so do those above it
        for folder in folders:
            folder.rmdir()


def _replace(path: Path, content: bytes, mode: int | None) -> None:
    # A settings file is often a link into a repository of such files: what it leads to is replaced, not the link.
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = mode or mode_of(target) or 0o600
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.chmod(mode)
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _is_utf8(document: Mapping[str, Any]) -> bool:
    """Whether every character can be written as itself: half a surrogate pair cannot."""
    try:
        json.dumps(document, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("a key stands in it twice")
    return document
