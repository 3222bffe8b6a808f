"""Plain notes: what of a line or a Markdown file becomes which part of a note."""

import io
import json
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from brainbridge.domain.energy import DEFAULT_LAW
from brainbridge.domain.errors import InvalidValue, Refused, UsageError
from brainbridge.domain.tier import MemoryType, Producer, Tier
from brainbridge.memory.note import Note, Remembered
from brainbridge.transfer.notes import import_markdown, import_notes
from tests.support import T0, hours


class Remember:
    """Takes notes and keeps them."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def __call__(self, notes: Iterable[Note]) -> list[Remembered]:
        for note in notes:
            self.notes.append(note)
        return [Remembered(str(i), "created", 1.0, Tier.WORKING) for i, _ in enumerate(self.notes)]


def taken(*lines: Any) -> list[Note]:
    """The notes that lines become."""
    remember = Remember()
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    import_notes(io.StringIO(text), remember, DEFAULT_LAW, T0)
    return remember.notes


def of_markdown(folder: Path, text: str, name: str = "file name.md", *, changed: datetime = T0) -> list[Note]:
    """The notes that a folder with one file becomes."""
    (folder / name).write_text(text, encoding="utf-8")
    os.utime(folder / name, (changed.timestamp(), changed.timestamp()))
    remember = Remember()
    import_markdown(folder, remember, DEFAULT_LAW, T0)
    return remember.notes


def test_a_line_becomes_a_note() -> None:
    """Only the text is needed; a note without a type is an import."""
    full = {
        "text": "日本語 🧠", "type": "reminder", "producer": "user", "core": True, "subject": "s",
        "at": "2026-02-01T01:00:00+01:00",
    }  # fmt: skip

    assert [
        Note("a", producer=Producer.IMPORT),
        Note("b", producer=Producer.IMPORT),
        Note("日本語 🧠", MemoryType.REMINDER, Producer.USER, True, "s", datetime(2026, 2, 1, tzinfo=UTC)),
    ] == taken({"text": "a"}, "", {"content": "b"}, full)


def test_an_instant_in_the_future_is_now() -> None:
    """A stamp ten years ahead would keep a memory fresh for ten years."""
    assert [T0] == [note.at for note in taken({"text": "a", "at": "2036-01-01T00:00:00Z"})]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "it is cut off or not JSON"),
        ("[1]", "it is no object"),
        ({"subject": "s"}, "it has no text"),
        ({"text": " "}, "the content is empty"),
        ({"text": 5}, "it has no text"),
        ({"text": "\ud800"}, "lone surrogate"),
        ({"text": "a", "type": "idea"}, "type is 'idea', not one of crystallization"),
        ({"text": "a", "producer": "me"}, "producer is 'me'"),
        ({"text": "a", "core": 1}, "core is 1, not true or false"),
        ({"text": "a", "at": 5}, "at is 5, not an instant"),
        ({"text": "a", "at": "yesterday"}, "'yesterday' is not an instant"),
        ({"text": "a", "tags": []}, "'tags' is no part of a note"),
    ],
)
def test_a_line_that_is_no_note_is_named(line: Any, said: str) -> None:
    """By its number, with the reason."""
    with pytest.raises(InvalidValue, match=f"standard input, line 2: .*{said}"):
        taken({"text": "a"}, line)


SECRET = "hunter" + "22"


@pytest.mark.parametrize(
    ("note", "what"),
    [
        ({"text": f"DB_PASSWORD={SECRET}"}, "the content holds .* assigned-password, characters 13 to 20"),
        (
            {"text": "a", "subject": f"password: {SECRET}"},
            "the subject holds .* assigned-password, characters 11 to 18",
        ),
    ],
)
def test_a_line_with_a_secret_is_named_and_refused(note: dict[str, str], what: str) -> None:
    """By its number, and what to say if it is meant; the secret is not repeated."""
    with pytest.raises(Refused) as refused:
        taken({"text": "a"}, note)

    assert re.search(f"standard input, line 2: {what.replace('.* ', '.*[(]')}.*--allow-secret", str(refused.value))
    assert SECRET not in str(refused.value)


def test_a_file_with_a_secret_is_named_and_refused(tmp_path: Path) -> None:
    """By its name; with leave to store it, it becomes a note that has that leave too."""
    text = f"mail password: {SECRET}\n"

    with pytest.raises(Refused, match=r"a\.md: the content holds"):
        of_markdown(tmp_path, text, "a.md")

    remember = Remember()
    import_markdown(tmp_path, remember, DEFAULT_LAW, T0, allow_secret=True)
    assert [(text.strip(), True)] == [(note.content, note.allow_secret) for note in remember.notes]


def test_faded_notes_are_counted() -> None:
    """What the next run would expire is said at once."""
    lines = [{"text": str(age), "at": (T0 - hours(age)).isoformat()} for age in (0, 4.9, 5.1, 1000)]
    text = "\n".join(map(json.dumps, lines))

    report = import_notes(io.StringIO(text), Remember(), DEFAULT_LAW, T0)

    assert (4, 2) == (report.created, report.faded)


def test_fresh_notes_are_of_now_whatever_their_date() -> None:
    """A vault of years would be gone with the next run."""
    text = json.dumps({"text": "old", "at": (T0 - hours(1000)).isoformat()})
    remember = Remember()

    report = import_notes(io.StringIO(text), remember, DEFAULT_LAW, T0, fresh=True)

    assert (1, 0, [None]) == (report.created, report.faded, [note.at for note in remember.notes])


def test_front_matter_says_title_date_and_type(tmp_path: Path) -> None:
    """`key: value` lines; others are passed over, and the body stays as it is."""
    text = '---\ntitle: "Tea: green"\ntags:\n  - x\nDate: 2026-02-01\ntype: learning\n---\n\n# Heading\n\nbody  \n'

    assert [
        Note(
            "# Heading\n\nbody  ",
            MemoryType.LEARNING,
            Producer.IMPORT,
            False,
            "Tea: green",
            datetime(2026, 2, 1, tzinfo=UTC),
        )
    ] == of_markdown(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("words\n\n## The *heading* ##\n", "The *heading*"),
        ("words only", "file name"),
        ("---\nno end", "file name"),
        ("---\ntype: daily note\n---\nwords", "file name"),
    ],
)
def test_the_subject_is_heading_or_file_name(tmp_path: Path, text: str, subject: str) -> None:
    """The instant is when the file was changed; a type that is not ours is another program's."""
    (note,) = of_markdown(tmp_path, text, changed=T0 - hours(3))

    assert (subject, T0 - hours(3), None) == (note.subject, note.at, note.memory_type)


def test_hidden_and_empty_files_are_passed_over(tmp_path: Path) -> None:
    """Folders of other programs, and files without a word."""
    (tmp_path / ".trash").mkdir()
    (tmp_path / ".trash" / "old.md").write_text("old")
    (tmp_path / "empty.md").write_text("---\ntitle: x\n---\n\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.md").write_text("b")

    assert ["a", "b"] == [note.content for note in of_markdown(tmp_path, "a", "a.md")]


def test_a_file_that_is_no_note_is_named(tmp_path: Path) -> None:
    """By its name, with the reason."""
    with pytest.raises(UsageError, match="no Markdown file"):
        import_markdown(tmp_path, Remember(), DEFAULT_LAW, T0)
    with pytest.raises(InvalidValue, match=r"a\.md: 'May' is not an instant"):
        of_markdown(tmp_path, "---\ndate: May\n---\nx", "a.md")
    (tmp_path / "a.md").write_bytes(b"\xff")
    with pytest.raises(InvalidValue, match=r"a\.md: it is not UTF-8"):
        import_markdown(tmp_path, Remember(), DEFAULT_LAW, T0)
    with pytest.raises(UsageError, match="is no folder"):
        import_markdown(tmp_path / "none", Remember(), DEFAULT_LAW, T0)
