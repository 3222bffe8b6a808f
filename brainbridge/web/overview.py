"""What the overview and the report show: everything about a brain that fits one look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from brainbridge.app import Brain
from brainbridge.domain.tier import Tier
from brainbridge.graph.law import LawVersion
from brainbridge.inspection.forecast import Forecast
from brainbridge.inspection.health import Health
from brainbridge.inspection.status import Status
from brainbridge.learning.candidates import CANDIDATES
from brainbridge.learning.report import Period, Report
from brainbridge.learning.shadow import Scoreboard
from brainbridge.web import drawings
from brainbridge.web.drawings import Drawing

# A day of quarter hours.
RUNS_SHOWN = 96
_NEXT = 8


@dataclass(frozen=True, slots=True)
class Overview:
    """One scope of a brain at `now`. `flow` and `report` are about `report.period`; health is the whole brain's."""

    now: datetime
    law: LawVersion
    status: Status
    forecast: Forecast
    report: Report
    health: Health
    runs: Sequence[Mapping[str, Any]]
    scoreboards: Sequence[Scoreboard]
    energies: Drawing
    flow: Drawing
    timeline: Drawing

    @property
    def empty(self) -> bool:
        """Whether nothing was ever remembered."""
        return self.status.total == 0 and self.status.archived == 0

    @property
    def troubles(self) -> list[Any]:
        """What health found wrong."""
        return [finding for finding in self.health.findings if finding.level != "ok"]

    @property
    def tiers(self) -> list[tuple[Tier, Any]]:
        """The tiers in the order of a memory's life, each with its counts."""
        return [(tier, self.status.tiers[tier]) for tier in Tier]


def overview(
    brain: Brain, *, test: bool = False, period: Period | str = Period.WEEK, now: datetime | None = None
) -> Overview:
    """Look at a brain; reads only.

    Raises:
        BrainbridgeError: the law cannot be read, so that no number could be trusted; its text says what is wrong.
    """
    at = now or brain.graph.now()
    law = brain.law()
    status = brain.status(test=test, now=at)
    forecast = brain.forecast(limit=_NEXT, test=test, now=at)
    report = brain.report(period, test=test, now=at)
    since = report.since or datetime.min.replace(tzinfo=at.tzinfo)
    moves = brain.moves(since, at, test=test)
    runs = brain.runs(limit=RUNS_SHOWN, test=test)
    return Overview(
        now=at,
        law=law,
        status=status,
        forecast=forecast,
        report=report,
        health=brain.health(now=at),
        runs=runs,
        scoreboards=[brain.shadow(candidate.name, test=test, now=at) for candidate in CANDIDATES],
        energies=drawings.energies(forecast.histogram, law.law),
        flow=drawings.flow(status, report.counts["captured"], moves),
        timeline=drawings.timeline(runs),
    )
