"""What people see: aligned, on one line, never repainted by what was stored; and what programs read."""

import io
import json
import math
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.cli import output
from brainbridge.cli.output import (
    Column,
    Grid,
    Output,
    cell,
    columns,
    instant,
    plain_table,
    shorten,
    to_json,
)
from brainbridge.domain.printable import printable

ID = "d50e3289-37a3-4ae0-9f82-d1d400ad1fa9"


def test_plain_table_aligns_numbers_right_and_text_left() -> None:
    """Off a terminal a table is aligned text without trailing blanks."""
    grid = Grid((Column("tier"), Column("memories", "number")), [("working", 5), ("shortTerm", 12_000)])

    assert "tier       memories\nworking           5\nshortTerm     12000" == plain_table(grid)


def test_wide_characters_count_two_columns() -> None:
    """Columns stay straight after Chinese text and emoji."""
    grid = Grid((Column("content", "text"), Column("n", "number")), [("日本", 1), ("ab🙂", 2)])

    assert ["日本     1", "ab🙂     2"] == plain_table(grid).splitlines()[1:]


def test_content_is_cut_and_ids_never() -> None:
    """A long content ends in an ellipsis; whatever else stands in the row is whole."""
    grid = Grid((Column("id"), Column("content", "text")), [(ID, "x" * 500)])

    row = plain_table(grid).splitlines()[1]

    assert row.startswith(f"{ID}  xxx")
    assert row.endswith("x…")
    assert len(ID) + 2 + output.TEXT_WIDTH == columns(row)


def test_terminal_table_shows_whole_ids_on_a_narrow_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal narrower than an id rich would cut it; the id is worth the overflow."""
    screen = io.StringIO()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", "30")

    Output(color=True).show("x/1", {}, Grid((Column("id"), Column("content", "text")), [(ID, "y" * 300)]))

    assert ID in screen.getvalue()
    assert "y…" in screen.getvalue()


def test_memories_cannot_repaint_the_terminal() -> None:
    """Control and direction characters are left out on display: an escape, a bell, a right-to-left override."""
    stored = "a\x1b[31mred\x1b[0m\x07\n\tb\u202ecod\u2069 \x9b2Jend"

    assert "ared bcod 2Jend" == printable(stored)


@given(st.text())
def test_shown_text_is_one_harmless_line(text: str) -> None:
    """Whatever is stored shows as one line without control characters."""
    shown = printable(text)

    assert [shown] == (shown.splitlines() or [""])
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in shown)


@given(st.text(), st.integers(1, 40))
def test_shortened_text_fits(text: str, width: int) -> None:
    """A cut text takes the room it was given at most, and what fits is not touched."""
    shown = shorten(text, width)

    assert columns(shown) <= max(width, 1)
    assert shown == text or shown.endswith("…")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, ""), (True, "yes"), (2.0, "2.000"), (0.0, "0.000"), (1.234e-5, "1.234e-05"), (7, "7"), ("a\nb", "a b")],
)
def test_cells(value: object, shown: str) -> None:
    """Values in tables: nothing for null, three places for energies, few digits where three places would show 0."""
    assert shown == cell(value)


def test_instants_are_utc() -> None:
    """Every instant is shown in UTC, ISO 8601, to the millisecond unless there is more."""
    berlin = timezone(timedelta(hours=1))

    assert "2026-12-01T08:30:00.000Z" == instant(datetime(2026, 12, 1, 9, 30, tzinfo=berlin))
    assert "2026-12-01T09:30:00.000001Z" == instant(datetime(2026, 12, 1, 9, 30, 0, 1, tzinfo=UTC))


def test_json_is_one_object_that_every_parser_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints one line with its schema; text is unaltered, numbers that JSON lacks are words."""
    content = "line\n\x1b[31m\u202e"

    Output(as_json=True).show("x/1", {"content": content, "n": math.nan, "at": datetime(2026, 1, 1, tzinfo=UTC)}, "no")

    printed = capsys.readouterr().out
    assert 1 == printed.count("\n")
    assert {
        "schema": "brainbridge.x/1",
        "content": content,
        "n": "NaN",
        "at": "2026-01-01T00:00:00.000Z",
    } == json.loads(printed)


@given(st.text(st.characters()))
def test_json_gives_text_back(text: str) -> None:
    """Any text survives the way through JSON, lone surrogates too."""
    assert {"t": text} == json.loads(to_json({"t": text}))


def test_quiet_says_nothing_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    """-q leaves results and errors, and drops the talk."""
    Output(quiet=True).say("starting")
    Output().say("  started")

    assert "  started\n" == capsys.readouterr().err
