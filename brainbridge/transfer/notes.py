"""Import of plain notes: JSON lines, or a folder of Markdown files.

They are remembered like any text: a note that is known already reinforces the memory it restates, and one without a
type begins with the energy of an import.
"""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO, TextIO, TypeVar

from brainbridge.domain.clock import hours_between, parse_instant
from brainbridge.domain.energy import Law, effective_energy
from brainbridge.domain.errors import InvalidValue, Refused, UsageError
from brainbridge.domain.memory import checked_content
from brainbridge.domain.secrets import secret_among
from brainbridge.domain.tier import MemoryType, Producer
from brainbridge.memory.note import Note, Remembered
from brainbridge.transfer.files import name_of, numbered_lines
from brainbridge.transfer.report import ImportReport

Remember = Callable[[Iterable[Note]], list[Remembered]]
W = TypeVar("W", bound=StrEnum)

_KEYS = frozenset({"text", "content", "type", "producer", "core", "subject", "at"})
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_PAIR = re.compile(r"([A-Za-z][\w-]*):[ \t]*(.*)")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)


def import_notes(
    source: Path | str | TextIO | BinaryIO,
    remember: Remember,
    law: Law,
    now: datetime,
    *,
    allow_secret: bool = False,
    fresh: bool = False,
) -> ImportReport:
    """Remember JSON lines `{"text": …, "type"?, "producer"?, "core"?, "subject"?, "at"?}`; `content` is `text` too.

    Args:
        remember: takes the notes, many in one transaction.
        fresh: they are remembered as of now, whatever their date.

    Raises:
        InvalidValue: a line that is no note, by its number. Its batch is not written, those before it are.
        Refused: likewise, a line that holds a secret and not `allow_secret`.
    """
    with numbered_lines(source) as lines:
        name = name_of(source)
        notes = (_note(name, number, text, now, allow_secret) for number, text in lines if text.strip())
        return _remembered(notes, remember, law, now, fresh=fresh)


def import_markdown(
    folder: Path | str,
    remember: Remember,
    law: Law,
    now: datetime,
    *,
    allow_secret: bool = False,
    fresh: bool = False,
) -> ImportReport:
    """Remember each Markdown file of a folder and its subfolders; those that begin with a dot are passed over.

    The subject is the front matter's `title`, else the first heading, else the file's name; the instant its `date`,
    else when the file was changed, or now if they are `fresh`; the type its `type`, if it is one of ours.

    Raises:
        UsageError: no such folder, or it holds no Markdown. InvalidValue: a file that is no note, by its name.
        Refused: likewise, a file that holds a secret and not `allow_secret`.
    """
    root = Path(folder)
    if not root.is_dir():
        raise UsageError(f"{root} is no folder. Give the folder that holds the Markdown files.")
    files = sorted(path for path in root.rglob("*.md") if path.is_file() and not _hidden(path.relative_to(root)))
    if not files:
        raise UsageError(f"there is no Markdown file (*.md) in {root}.")
    notes = (note for path in files if (note := _file(path, now, allow_secret)))
    return _remembered(notes, remember, law, now, fresh=fresh)


def _remembered(notes: Iterable[Note], remember: Remember, law: Law, now: datetime, *, fresh: bool) -> ImportReport:
    began = time.perf_counter()
    faded = 0

    def watched() -> Iterator[Note]:
        nonlocal faded
        for dated in notes:
            note = replace(dated, at=None) if fresh else dated
            faded += _has_faded(note, law, now)
            yield note

    outcomes = Counter(done.outcome for done in remember(watched()))
    created = outcomes.pop("created", 0)
    return ImportReport(
        created=created,
        events=created + outcomes.total(),
        reinforced=outcomes.total(),
        faded=faded,
        seconds=time.perf_counter() - began,
    )


def _has_faded(note: Note, law: Law, now: datetime) -> bool:
    """Whether the next run expires it: said at once, because an import of old notes would be a short pleasure."""
    tier, energy = law.birth(memory_type=note.memory_type, producer=note.producer, core=note.core)
    left = effective_energy(energy, tier, hours_between(note.at or now, now), core=note.core, law=law)
    return left < law.expiry_threshold


def _note(name: str, number: int, text: str, now: datetime, allow_secret: bool) -> Note:
    try:
        found = json.loads(text)
        if not isinstance(found, dict):
            raise InvalidValue("it is no object")
        return _without_secret(_from_keys(found, now), f"{name}, line {number}", allow_secret)
    except (InvalidValue, ValueError, RecursionError) as error:
        reason = "it is cut off or not JSON" if isinstance(error, json.JSONDecodeError) else str(error).rstrip(".")
        raise InvalidValue(
            f"{name}, line {number}: {reason}. Nothing of its batch was written; what stands before it is imported. "
            'Write it as {"text": "…"}.'
        ) from error


def _without_secret(note: Note, place: str, allow_secret: bool) -> Note:
    """`note` as it may be remembered; the place is named here, where it is known."""
    if not allow_secret and (said := secret_among(note.texts())):
        raise Refused(
            f"{place}: {said}. Nothing of its batch was written; what stands before it is imported. "
            "Take it out, or say --allow-secret (allow_secret=True in Python) if it must be stored."
        )
    return replace(note, allow_secret=allow_secret)


def _from_keys(found: Mapping[str, Any], now: datetime) -> Note:
    if unknown := sorted(found.keys() - _KEYS):
        raise InvalidValue(f"{unknown[0]!r} is no part of a note; there are {', '.join(sorted(_KEYS))}")
    content = found.get("text", found.get("content"))
    if not isinstance(content, str):
        raise InvalidValue("it has no text")
    core, subject, at = found.get("core", False), found.get("subject"), found.get("at")
    if not isinstance(core, bool):
        raise InvalidValue(f"core is {core!r}, not true or false")
    if not isinstance(subject, str | None):
        raise InvalidValue(f"subject is {subject!r}, not text")
    return Note(
        checked_content(content),
        memory_type=_word(MemoryType, found["type"], "type") if found.get("type") is not None else None,
        producer=_word(Producer, found.get("producer") or Producer.IMPORT, "producer"),
        core=core,
        subject=subject,
        at=_instant(at, now) if at is not None else None,
    )


def _word(kind: type[W], value: Any, name: str) -> W:
    try:
        return kind(value)
    except ValueError:
        raise InvalidValue(f"{name} is {value!r}, not one of {', '.join(kind)}") from None


def _instant(value: Any, now: datetime) -> datetime:
    """An instant that is not after `now`: energy decays from it."""
    if not isinstance(value, str):
        raise InvalidValue(f"at is {value!r}, not an instant such as 2026-12-01T09:30:00Z")
    return min(parse_instant(value), now)


def _file(path: Path, now: datetime, allow_secret: bool) -> Note | None:
    """One Markdown file as a note; None if it is empty."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        note = _from_markdown(text, path.stem, changed, now)
        return note and _without_secret(note, str(path), allow_secret)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}. What stands before it is imported.") from error
    except (InvalidValue, UnicodeDecodeError) as error:
        reason = str(error).rstrip(".") if isinstance(error, InvalidValue) else "it is not UTF-8"
        raise InvalidValue(
            f"{path}: {reason}. Nothing of its batch was written; what stands before it is imported."
        ) from error


def _from_markdown(text: str, stem: str, changed: datetime, now: datetime) -> Note | None:
    front, body = _front_matter(text)
    if not body.strip():
        return None
    heading = _HEADING.search(body)
    kind = front.get("type", "")
    return Note(
        checked_content(body.strip("\n")),
        memory_type=MemoryType(kind) if kind in tuple(MemoryType) else None,
        producer=Producer.IMPORT,
        subject=front.get("title") or (heading[1] if heading else stem),
        at=min(parse_instant(front["date"]) if front.get("date") else changed, now),
    )


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """The `key: value` lines at the top, other lines passed over, and what follows them."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        return {}, text
    pairs = (_PAIR.fullmatch(line.rstrip()) for line in found[1].splitlines())
    return {pair[1].lower(): pair[2].strip().strip("\"'") for pair in pairs if pair}, text[found.end() :]


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
