"""The drawings of the overview: energies, the way through the tiers, runs. Each comes with its numbers as a table."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from brainbridge.consolidation.report import COUNT_NAMES
from brainbridge.domain.energy import Law
from brainbridge.domain.tier import Tier
from brainbridge.inspection.forecast import Histogram, Moves
from brainbridge.inspection.status import Status
from brainbridge.web import wording
from brainbridge.web.svg import WIDTH, drawing, element, line, text

_MARGIN = 10.0
_INNER = WIDTH - 2 * _MARGIN
_ROW = 68.0
_TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing, and the same numbers for who cannot see it."""

    svg: Markup
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]


def energies(histogram: Histogram, law: Law) -> Drawing:
    """The histogram of each tier, one below the other on one logarithmic scale, with the lines of the law."""
    first, last = math.log(histogram.edges[0]), math.log(histogram.edges[-1])

    def across(energy: float) -> float:
        place = (math.log(min(max(energy, histogram.edges[0]), histogram.edges[-1])) - first) / (last - first)
        return _MARGIN + _INNER * place

    marks: list[Markup] = []
    for place, (tier, bars) in enumerate(histogram.bars.items()):
        base = _ROW * (place + 1) - 4
        marks += _bars(tier, bars, [across(edge) for edge in histogram.edges], base)
        for energy, said in _lines_of(tier, law):
            x = across(energy)
            anchor, off = ("end", -4) if x > WIDTH * 0.75 else ("start", 4)
            marks.append(line((x, base - _ROW + 22), (x, base), "law"))
            marks.append(text((x + off, base - _ROW + 30), said, anchor=anchor, class_="note"))
    bottom = _ROW * len(histogram.bars)
    marks += [text((across(tick), bottom + 12), f"{tick:g}", anchor="middle", class_="axis") for tick in _TICKS]
    rows = [
        (f"{low:.3g} to {high:.3g}", *(wording.count(bars[place]) for bars in histogram.bars.values()))
        for place, (low, high) in enumerate(zip(histogram.edges, histogram.edges[1:], strict=False))
        if any(bars[place] for bars in histogram.bars.values())
    ]
    sums = ", ".join(f"{sum(bars):,} {tier}" for tier, bars in histogram.bars.items())
    svg = drawing(
        bottom + 18,
        marks,
        title="How the energies of the live memories are spread",
        description=f"A histogram for each tier on a logarithmic scale: {sums}.",
        id_="energies",
    )
    return Drawing(svg, ("energy", *histogram.bars), rows)


def _bars(tier: Tier, bars: Sequence[int], edges: Sequence[float], base: float) -> Iterator[Markup]:
    tallest, room = max(bars, default=0), _ROW - 36
    yield text((_MARGIN, base - _ROW + 16), f"{tier} · {sum(bars):,}", class_="label")
    yield line((_MARGIN, base), (WIDTH - _MARGIN, base), "base")
    for place, count in enumerate(bars):
        if count:
            # One memory among thousands is still to be seen.
            height = max(room * count / tallest, 1.5)
            left, right = edges[place], edges[place + 1]
            yield element(
                "rect", x=left + 0.5, y=base - height, width=right - left - 1, height=height, class_=f"bar {tier}"
            )


def _lines_of(tier: Tier, law: Law) -> list[tuple[float, str]]:
    if tier is Tier.LONG_TERM:
        return [(law.long_term_floor, f"floor {law.long_term_floor:g}")]
    threshold = law.threshold(tier)
    expires = (law.expiry_threshold, f"expires below {law.expiry_threshold:g}")
    return [expires] if threshold is None else [expires, (threshold, f"promotes above {threshold:g}")]


def flow(status: Status, captured: int, moves: Moves) -> Drawing:
    """How many memories stand in each tier, and how many came in, went from one to the next, and expired in a time."""
    wide, high, top, below = 92.0, 46.0, 22.0, 112.0
    lefts = {Tier.WORKING: 34.0, Tier.SHORT_TERM: 168.0, Tier.LONG_TERM: 302.0}
    middle, first = top + high / 2, lefts[Tier.WORKING]
    marks: list[Markup] = []
    for tier, left in lefts.items():
        marks += _box(left, top, (wide, high), tier, status.tiers[tier].memories)
    across = lefts[Tier.SHORT_TERM] + wide - first  # what expires falls from working and from shortTerm
    marks += _box(first, below, (across, high), Tier.EXPIRED, status.tiers[Tier.EXPIRED].memories)
    marks += _arrow((4, middle), (first - 3, middle), captured, (4, middle - 8))
    for tier, count in moves.promoted.items():
        begin, end = lefts[tier] - 42 + 3, lefts[tier] - 3
        marks += _arrow((begin, middle), (end, middle), count, (begin, middle - 8))
    for tier in (Tier.WORKING, Tier.SHORT_TERM):
        down = lefts[tier] + wide / 2
        marks += _arrow((down, top + high + 4), (down, below - 3), moves.expired[tier], (down + 8, top + high + 26))
    steps = [
        ("remembered", captured),
        ("promoted from working to shortTerm", moves.promoted[Tier.SHORT_TERM]),
        ("promoted from shortTerm to longTerm", moves.promoted[Tier.LONG_TERM]),
        ("expired from working", moves.expired[Tier.WORKING]),
        ("expired from shortTerm", moves.expired[Tier.SHORT_TERM]),
    ]
    svg = drawing(
        below + high + 6,
        marks,
        title="The way through the tiers",
        description="; ".join(f"{count:,} {what}" for what, count in steps) + ".",
        id_="flow",
    )
    return Drawing(svg, ("step", "memories"), [(what, wording.count(count)) for what, count in steps])


def _box(left: float, top: float, size: tuple[float, float], tier: Tier, count: int) -> Iterator[Markup]:
    wide, high = size
    yield element("rect", x=left, y=top, width=wide, height=high, rx=6, class_=f"box {tier}")
    yield text((left + wide / 2, top + 19), tier, anchor="middle", class_="label")
    yield text((left + wide / 2, top + 37), f"{count:,}", anchor="middle", class_="figure")


def _arrow(
    begin: tuple[float, float], end: tuple[float, float], count: int, said_at: tuple[float, float]
) -> Iterator[Markup]:
    (x, y), kind = end, "arrow" if count else "arrow idle"
    yield line(begin, end, kind)
    upright = begin[0] == x
    yield element(
        "path",
        d=f"M{x - 4} {y - 6} L{x} {y} L{x + 4} {y - 6}" if upright else f"M{x - 6} {y - 4} L{x} {y} L{x - 6} {y + 4}",
        class_=kind,
    )
    yield text(said_at, f"{count:,}", class_="note strong" if count else "note")


def timeline(runs: Sequence[Mapping[str, Any]]) -> Drawing:
    """The last runs, the newest on the right: how long each took, and whether it promoted or expired something."""
    shown = list(reversed(runs))
    longest = max((float(run.get("elapsedMs") or 0.0) for run in shown), default=0.0) or 1.0
    base, room = 104.0, 66.0
    step = _INNER / max(len(shown), 24)
    marks = [line((_MARGIN, base), (WIDTH - _MARGIN, base), "base")]
    for place, run in enumerate(shown):
        # The root: one catch-up run of a minute must not flatten all others.
        height = max(room * math.sqrt(float(run.get("elapsedMs") or 0.0) / longest), 2.0)
        x, failed = WIDTH - _MARGIN - step * (len(shown) - place), run.get("outcome") != "ok"
        marks.append(
            element(
                "rect",
                x=x + step * 0.12,
                y=base - height,
                width=step * 0.76,
                height=height,
                class_="bar failed" if failed else "bar run",
            )
        )
        middle = x + step / 2
        if run.get("promoted"):
            marks.append(element("circle", cx=middle, cy=base - height - 7, r=3, class_="dot promoted"))
        if run.get("expired"):
            marks.append(element("circle", cx=middle, cy=base + 8, r=3, class_="dot expired"))
    if shown:
        marks.append(text((_MARGIN, base + 24), wording.instant(shown[0].get("startedAt")), class_="axis"))
        newest = wording.instant(shown[-1].get("startedAt"))
        marks.append(text((WIDTH - _MARGIN, base + 24), newest, anchor="end", class_="axis"))
        marks.append(text((_MARGIN, 14), f"up to {wording.milliseconds(longest)}", class_="note"))
    failures = sum(run.get("outcome") != "ok" for run in shown)
    svg = drawing(
        base + 30,
        marks,
        title="The last runs",
        description=f"{len(shown)} runs, {failures} of them failed; the longest took {wording.milliseconds(longest)}.",
        id_="timeline",
    )
    columns = ("began", "took", "outcome", *COUNT_NAMES.values())
    rows = [
        (
            wording.instant(run.get("startedAt")),
            wording.milliseconds(run.get("elapsedMs")),
            str(run.get("outcome")),
            *(wording.count(run.get(name) or 0) for name in COUNT_NAMES.values()),
        )
        for run in runs
    ]
    return Drawing(svg, columns, rows)
