"""The drawings of one memory: the course of its energy, and what it is often recalled with."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from markupsafe import Markup

from brainbridge.domain.clock import after_hours, hours_between
from brainbridge.domain.coactivation import VISIBLE, Companion
from brainbridge.domain.energy import effective_energy
from brainbridge.domain.ledger import Event, Standing
from brainbridge.domain.replay import Laws
from brainbridge.inspection.explain import Explanation
from brainbridge.web import wording
from brainbridge.web.drawings import Drawing
from brainbridge.web.svg import drawing, element, line, path, text

_LEFT, _RIGHT, _TOP, _BASE = 30.0, 392.0, 14.0, 170.0
# Points between two events: a curve to the eye.
_POINTS = 24
# How far a memory that never expires is projected at least.
_AHEAD = timedelta(days=7)
_MOST_COMPANIONS = 12
_ROW = 28.0

Point = tuple[datetime, float]


@dataclass(frozen=True, slots=True)
class _Course:
    """The points of the curve before and after now."""

    past: Sequence[Point]
    ahead: Sequence[Point]


def course(history: Sequence[tuple[Event, Standing]], laws: Laws, found: Explanation) -> Drawing:
    """The energy of a memory since its first event that is kept, and what becomes of it if nothing happens."""
    drawn = _Course(_past([standing for _, standing in history], laws, found), _ahead(found))
    every = [*drawn.past, *drawn.ahead]
    # All of them: events may lie ahead of now, after a clock was set back or where a history is replayed.
    moments = [moment for moment, _ in every]
    begin, end = min(moments), max(*moments, min(moments) + timedelta(minutes=1))
    highest = max(*(energy for _, energy in every), found.threshold or 0.0, found.law.expiry_threshold)
    highest = min(1.12 * highest, sys.float_info.max)

    def at(point: Point) -> tuple[float, float]:
        across = (point[0] - begin) / (end - begin)
        return _LEFT + (_RIGHT - _LEFT) * across, _BASE - (_BASE - _TOP) * point[1] / highest

    laws_of_it = _laws(found)
    marks = [*_axes(highest, at, begin), *(line(at((begin, e)), at((end, e)), "law") for e, _ in laws_of_it)]
    if len(drawn.past) > 1:
        marks.append(path(map(at, drawn.past), "curve"))
    if len(drawn.ahead) > 1:
        marks.append(path(map(at, drawn.ahead), "curve ahead"))
    for event, _ in history:
        x, y = at((event.at, event.after))
        dot = element("title", f"{event.kind} {wording.instant(event.at)}: {event.after:.3f}")
        marks.append(element("circle", dot, cx=x, cy=y, r=3.2, class_=f"dot {event.kind}"))
    for energy, said in laws_of_it:  # over the curve, which would cross them out
        x, y = at((end, energy))
        marks.append(text((x, y - 4), said, anchor="end", class_="note"))
    x, _ = at((found.now, 0.0))
    marks += [line((x, _TOP), (x, _BASE), "now"), *_dates(begin, end, found.now, x)]
    svg = drawing(
        _BASE + 30,
        marks,
        title="The course of its energy",
        description=_said(drawn, found),
        id_="course",
    )
    rows = [(wording.instant(moment), wording.energy(energy)) for moment, energy in _few(drawn.ahead)]
    return Drawing(svg, ("projected at", "energy"), rows)


def _past(standings: Sequence[Standing], laws: Laws, found: Explanation) -> list[Point]:
    """From event to event, each stretch by the law of its time; energies jump at events."""
    if not standings:
        return [(found.memory.last_decay, found.memory.energy), (found.now, found.energy)]
    points = list[Point]()
    for place, standing in enumerate(standings):
        last = place + 1 == len(standings)
        until = max(found.now if last else standings[place + 1].at, standing.at)
        steps = _POINTS if standing.fades and until > standing.at else 1
        for step in range(steps + 1):
            moment = standing.at + (until - standing.at) * step / steps
            points.append((moment, laws.left(standing, moment)))
    return points


def _ahead(found: Explanation) -> list[Point]:
    """From now on: to its end if it has one in sight, else a week or as long as it has lived."""
    memory = found.memory
    if not memory.live:
        return []
    until = found.expires_at or found.now + max(_AHEAD, found.now - memory.created)
    hours = max(hours_between(found.now, until), 1 / 60)
    points = list[Point]()
    for step in range(2 * _POINTS + 1):
        elapsed = hours * step / (2 * _POINTS)
        moment = after_hours(found.now, elapsed)
        if moment is not None:
            left = effective_energy(found.energy, memory.tier, elapsed, core=memory.core, law=found.law)
            points.append((moment, left))
    return points


def _few(points: Sequence[Point]) -> Sequence[Point]:
    return [*points[:: _POINTS // 3], *points[-1:]] if points else []


def _axes(highest: float, at: Callable[[Point], tuple[float, float]], begin: datetime) -> Iterator[Markup]:
    step = next((step for step in (0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10) if highest / step <= 6), highest / 5)
    for count in range(int(highest / step) + 1):
        _, y = at((begin, count * step))
        yield line((_LEFT, y), (_RIGHT, y), "grid" if count else "base")
        yield text((_LEFT - 5, y + 4), f"{count * step:g}", anchor="end", class_="axis")


def _laws(found: Explanation) -> list[tuple[float, str]]:
    """The thresholds that matter to a memory, each with what happens there."""
    laws = [] if found.threshold is None else [(found.threshold, f"promotes above {found.threshold:g}")]
    if found.memory.live and found.expires_at is not None:
        laws.append((found.law.expiry_threshold, f"expires below {found.law.expiry_threshold:g}"))
    return laws


def _dates(begin: datetime, end: datetime, now: datetime, x: float) -> Iterator[Markup]:
    yield text((_LEFT, _BASE + 26), _date(begin), class_="axis")
    yield text((_RIGHT, _BASE + 26), _date(end), anchor="end", class_="axis")
    anchor = "start" if x < _LEFT + 20 else "end" if x > _RIGHT - 20 else "middle"
    yield text((x, _BASE + 13), "now", anchor=anchor, class_="axis strong")


def _date(moment: datetime) -> str:
    return wording.instant(moment)[:16]


def _said(drawn: _Course, found: Explanation) -> str:
    said = f"It began with {drawn.past[0][1]:.3f} and has {found.energy:.3f} now."
    if found.expires_at is not None:
        return f"{said} If nothing happens it expires {wording.instant(found.expires_at)}."
    return said if not drawn.ahead else f"{said} If nothing happens it has {drawn.ahead[-1][1]:.3f} at the end."


def companions(others: Sequence[Companion], link: Callable[[str], str]) -> Drawing:
    """What a memory is recalled with: a line for each, the stronger the bond, the thicker; dashed below "often"."""
    shown = list(others)[:_MOST_COMPANIONS]
    height = max(_ROW * len(shown), 2 * _ROW)
    centre = (18.0, height / 2)
    marks: list[Markup] = []
    for place, other in enumerate(shown):
        y = _ROW * (place + 0.5)
        marks.append(
            element(
                "path",
                d=f"M{centre[0]} {centre[1]:.1f} C80 {centre[1]:.1f} 60 {y:.1f} 118 {y:.1f}",
                stroke_width=1 + 5 * other.weight,
                class_="bond" if other.weight >= VISIBLE else "bond faint",
            )
        )
        said = text((146, y + 4), wording.short(other.content, 35))
        weight = text((124, y + 4), f"{other.weight:.2f}".removeprefix("0"), class_="note")
        marks.append(element("a", weight, said, href=link(other.id)))
    marks.append(element("circle", cx=centre[0], cy=centre[1], r=9, class_="dot self"))
    svg = drawing(
        height,
        marks,
        title="Recalled together with",
        description=f"{len(shown)} memories that were opened near this one in time, by the weight of the bond.",
        id_="companions",
        linked=True,
    )
    rows = [(f"{other.weight:.3f}", wording.short(other.content)) for other in shown]
    return Drawing(svg, ("weight", "memory"), rows)
