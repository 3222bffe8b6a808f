"""Everything the commands print: data on stdout, talk on stderr. No other module of the command line prints.

On a terminal tables are drawn by rich; elsewhere they are plain aligned text. With --json it is one object a command.
What people stored is shown on one line and without control or bidirectional characters, so that a memory cannot
repaint the terminal; JSON carries it unaltered.
"""

import json
import math
import os
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, TextIO

from brainbridge.domain.printable import printable

TEXT_WIDTH = 80  # columns that a content gets off a terminal, where nobody knows the width
_LEAST_TEXT_WIDTH = 20
_CLEAR_LINE = "\r\x1b[K"


@dataclass(frozen=True, slots=True)
class Column:
    """A table's column. `kind`: fixed is never cut; number is that, on the right; text is cut to the room there is."""

    title: str
    kind: Literal["fixed", "number", "text"] = "fixed"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table for people."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]


class Output:
    """Where one command's results go.

    Args:
        as_json: print one JSON object instead of text and tables.
        quiet: say nothing on stderr but errors.
        color: True and False force it; None decides by the terminal and NO_COLOR.
    """

    def __init__(self, *, as_json: bool = False, quiet: bool = False, color: bool | None = None) -> None:
        self.as_json = as_json
        self._quiet = quiet
        self._color = color

    def show(self, schema: str, data: Mapping[str, Any], *blocks: str | Grid) -> None:
        """Print a result: `data` as JSON under `brainbridge.<schema>`, or `blocks` for people."""
        if self.as_json:
            write(sys.stdout, to_json({"schema": f"brainbridge.{schema}", **data}))
            return
        for block in blocks:
            if isinstance(block, Grid):
                self._grid(block)
            else:
                write(sys.stdout, block)

    def say(self, line: str) -> None:
        """Tell the person something that is not the result."""
        if not self._quiet:
            write(sys.stderr, line)

    @contextmanager
    def counting(self, what: str) -> Iterator[Callable[[int], None] | None]:
        """What shows how far a long work has come, on one line of a terminal that is gone afterwards; else None."""
        if self._quiet or not _is_terminal(sys.stderr):
            yield None
            return

        def show(done: int) -> None:
            sys.stderr.write(f"\r{done:,} {what}")
            sys.stderr.flush()

        try:
            yield show
        finally:
            sys.stderr.write(_CLEAR_LINE)
            sys.stderr.flush()

    def _grid(self, grid: Grid) -> None:
        if self._color or (self._color is None and _is_terminal(sys.stdout)):
            _draw(grid, color=self._color)
        elif self._color is False and _is_terminal(sys.stdout):
            _draw(grid, color=False)
        else:
            write(sys.stdout, plain_table(grid))


def write(stream: TextIO, text: str) -> None:
    """One text and a line end; what the stream cannot encode is escaped rather than lost."""
    stream.write(f"{text}\n")


def complain(text: str) -> None:
    """An error, on stderr: `brainbridge: what happened, with which value, what to do next`.

    A value that holds a secret is shown without it: what goes to stderr is often kept by whoever called us.
    """
    from brainbridge.domain.secrets import redacted

    write(sys.stderr, f"brainbridge: {redacted(text)}")


def prepare_streams() -> None:
    """Let a narrow locale or a lone surrogate show as an escape instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")


def to_json(value: Mapping[str, Any]) -> str:
    """`value` as one line of JSON that every parser takes: instants in UTC, no NaN, ASCII if stdout is not UTF-8."""
    narrow = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    return json.dumps(_jsonable(value), ensure_ascii=narrow, allow_nan=False)


def _jsonable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN")  # JSON has no word for them
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    return value.isoformat() if isinstance(value, date) else str(value)


def instant(value: datetime | None) -> str:
    """An instant as people and `jq` read it: `2026-12-01T09:30:00.000Z`; empty for None."""
    if value is None:
        return ""
    precision = "microseconds" if value.microsecond % 1000 else "milliseconds"
    return value.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")


def span(value: timedelta) -> str:
    """A span as people say it: `95 min`, `16 h`, `12 d`; cut, not rounded."""
    minutes = int(value.total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 2880 else f"{minutes // 1440} d"


def shorten(text: str, width: int) -> str:
    """`text` cut to `width` terminal columns, the last one an ellipsis; wide characters count two."""
    if columns(text) <= width:
        return text
    taken, used = [], 1
    for char in text:
        used += _columns_of(char)
        if used > width:
            break
        taken.append(char)
    return f"{''.join(taken).rstrip()}…"


def columns(text: str) -> int:
    """The terminal columns that `text` takes."""
    return sum(map(_columns_of, text))


def cell(value: Any) -> str:
    """One value for a table."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}" if value and abs(value) < 0.001 else f"{value:.3f}"
    return instant(value) if isinstance(value, datetime) else printable(str(value))


def plain_table(grid: Grid) -> str:
    """Aligned text: a heading, a line a row, two blanks between columns."""
    shown = _cells(grid, TEXT_WIDTH)
    widths = [max(map(columns, column)) for column in zip(*shown, strict=True)]
    return "\n".join(_line(row, grid.columns, widths) for row in shown)


def _cells(grid: Grid, text_width: int) -> list[list[str]]:
    rows = (map(cell, row) for row in grid.rows)
    widest = [text_width if column.kind == "text" else None for column in grid.columns]
    cut = [
        [text if width is None else shorten(text, width) for text, width in zip(row, widest, strict=True)]
        for row in rows
    ]
    return [[printable(column.title) for column in grid.columns], *cut]


def _line(row: Sequence[str], of: Sequence[Column], widths: Sequence[int]) -> str:
    padded = (
        " " * (width - columns(text)) + text if column.kind == "number" else text + " " * (width - columns(text))
        for text, column, width in zip(row, of, widths, strict=True)
    )
    return "  ".join(padded).rstrip()


def _draw(grid: Grid, *, color: bool | None) -> None:
    """The table by rich, with every width decided here: rich would rather drop a column than leave the screen."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    width = _room_for_text(grid, shutil.get_terminal_size().columns)
    heading, *rows = _cells(grid, width)
    widths = [max(map(columns, cells)) for cells in zip(heading, *rows, strict=True)]
    console = Console(
        width=sum(widths) + 2 * len(widths),
        force_terminal=True if color else None,
        no_color=color is False,
        highlight=False,
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title, column, wide in zip(heading, grid.columns, widths, strict=True):
        justify: Literal["left", "right"] = "right" if column.kind == "number" else "left"
        table.add_column(title, justify=justify, width=wide, no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _room_for_text(grid: Grid, screen: int) -> int:
    """The columns that each text column gets once all that is never cut has its room."""
    shown = _cells(grid, _LEAST_TEXT_WIDTH)
    fixed = [
        max(map(columns, cells)) + 2
        for cells, column in zip(zip(*shown, strict=True), grid.columns, strict=True)
        if column.kind != "text"
    ]
    texts = len(grid.columns) - len(fixed)
    return max((screen - sum(fixed)) // texts - 2, _LEAST_TEXT_WIDTH) if texts else screen


def _is_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _columns_of(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
