"""The report: what was captured, used, hardened and lost in a time, and what could not be answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

from neo4j import Transaction

from brainbridge.domain.clock import back_by
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import learning
from brainbridge.graph.statements.learning import Miss, TopRecalled

# How many memories and questions a report names.
SHOWN = 10
# What a report counts, by the word it uses and the kind of event in the ledger.
COUNTED: Mapping[str, str] = {
    "captured": "born",
    "opened": "opened",
    "boosted": "boosted",
    "reinforced": "reinforced",
    "promoted": "promoted",
    "expired": "expired",
}


class Period(StrEnum):
    """The time up to now that a report is about: 24 hours, 7 days, 30 days, or all that is kept."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    ALL = "all"

    def before(self, now: datetime) -> datetime:
        """Where the period begins that ends at `now`."""
        days = {Period.DAY: 1, Period.WEEK: 7, Period.MONTH: 30}.get(self)
        return back_by(now, timedelta.max if days is None else timedelta(days=days))


@dataclass(frozen=True, slots=True)
class Report:
    """One scope of a brain from `since` to `now`; `since` is None for all that is kept.

    `counts` are events by the words of COUNTED. `misses` of the `recalled` pages had no strong answer; `unanswered` are
    the questions that are open at present, whenever they were asked.
    """

    period: Period
    since: datetime | None
    now: datetime
    counts: Mapping[str, int]
    recalled: int
    misses: int
    top_recalled: tuple[TopRecalled, ...]
    unanswered: int
    unanswered_queries: tuple[Miss, ...]


def report(graph: Graph, scope: Scope, period: Period, *, now: datetime) -> Report:
    """Count what the ledger and the pages say of a period; reads only."""
    return graph.read("learning/count_events", partial(_report, scope=scope, period=period, now=now))


def _report(tx: Transaction, *, scope: Scope, period: Period, now: datetime) -> Report:
    since = period.before(now)
    events = learning.count_events(tx, scope, kinds=list(COUNTED.values()), since=since, until=now)
    recalled, misses = learning.count_pages(tx, scope, since=since, until=now)
    return Report(
        period=period,
        since=None if period is Period.ALL else since,
        now=now,
        counts={word: events[kind] for word, kind in COUNTED.items()},
        recalled=recalled,
        misses=misses,
        top_recalled=tuple(learning.list_top_recalled(tx, scope, since=since, until=now, limit=SHOWN)),
        unanswered=learning.count_misses(tx, scope),
        unanswered_queries=tuple(learning.list_misses(tx, scope, resolved=False, limit=SHOWN)),
    )
