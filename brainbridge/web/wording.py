"""How the page writes numbers, instants and texts."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from markupsafe import Markup

# Marks that change the direction of what follows: with them a text can read as what it is not.
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# What HTML cannot carry, or shows as nothing; line ends and tabs stay.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_SHORT = 140


def count(value: int) -> str:
    """`12,345`"""
    return f"{value:,}"


def energy(value: float | None) -> str:
    """`2.718`; a dash for none."""
    return "–" if value is None else f"{value:.3f}"


def number(value: float | None) -> str:
    """A number as short as it can be said; a dash for none."""
    return "–" if value is None else f"{value:g}"


def milliseconds(value: float | None) -> str:
    """`840 ms`, `12.3 s`; a dash for none."""
    if value is None:
        return "–"
    return f"{value:,.0f} ms" if value < 10_000 else f"{value / 1000:,.1f} s"


def instant(value: datetime | None) -> str:
    """`2026-12-01 09:30:00`, in UTC; a dash for none."""
    return "–" if value is None else f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def machine(value: datetime) -> str:
    """An instant for the datetime attribute of <time>."""
    return value.astimezone(UTC).isoformat()


def span(value: timedelta) -> str:
    """A span as people say it: `95 min`, `16 h`, `12 d`; without its sign."""
    minutes = int(abs(value).total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60:,} h" if minutes < 2880 else f"{minutes // 1440:,} d"


def harmless(text: str) -> str:
    """`text` with its line ends, without what turns the writing direction; what cannot be shown becomes a mark."""
    return _CONTROL.sub("\ufffd", _BIDI.sub("", text))


def short(text: str, width: int = _SHORT) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(harmless(text[: 4 * width]).split())
    return line if len(line) <= width and len(text) <= 4 * width else f"{line[: width - 1].rstrip()}…"


def sentence(text: str) -> Markup:
    """An error's text as a sentence: it begins with a capital, and what stands between backticks is code."""
    parts = (text[:1].upper() + text[1:]).split("`")
    code, plain = Markup("<code>{}</code>"), Markup("{}")
    return Markup("").join((code if place % 2 else plain).format(part) for place, part in enumerate(parts))


FILTERS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (count, energy, number, milliseconds, instant, machine, span, harmless, short, sentence)
}
