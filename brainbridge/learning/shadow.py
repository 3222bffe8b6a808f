"""Shadow: how candidate rankings would have ordered the pages, and what the openings say of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from neo4j import Transaction

from brainbridge.domain.comparison import Comparison, Opened, compared, places
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.recall import Page
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import learning
from brainbridge.learning.candidates import CANDIDATES

_EVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """A candidate against the live order, on the pages since `since`; None for all that are kept."""

    candidate: str
    since: datetime | None
    comparison: Comparison


def shadows(tx: Transaction, scope: Scope, page: Page) -> list[Mapping[str, Any]]:
    """What to keep of the candidates' orders of a page: those that differ from its own (R-003-30)."""
    live = tuple(range(1, len(page.hits) + 1))
    if len(live) < 2:
        return []
    orders = ((candidate.name, places(candidate.scores(tx, scope, page))) for candidate in CANDIDATES)
    return [{"id": str(uuid4()), "candidate": name, "places": list(order)} for name, order in orders if order != live]


def scoreboard(graph: Graph, scope: Scope, candidate: str, *, since: datetime | None) -> Scoreboard:
    """Compare a candidate with the live order by what was opened.

    Raises:
        InvalidValue: there is no such candidate.
    """
    known = [each.name for each in CANDIDATES]
    if candidate not in known:
        raise InvalidValue(f"{candidate!r} is not a candidate. There are: {', '.join(known)}.")
    work = partial(learning.read_verdicts, scope=scope, candidate=candidate, since=since or _EVER)
    pages = graph.read("learning/read_verdicts", work)
    return Scoreboard(candidate, since, compared(_opened(order, ranks) for order, ranks in pages))


def days_before(now: datetime, days: float | None) -> datetime | None:
    """The beginning of the last `days`; None for ever.

    Raises:
        InvalidValue: `days` is not positive.
    """
    if days is None:
        return None
    if not days > 0:
        raise InvalidValue(f"the last {days:g} days hold nothing. Give a number above 0.")
    try:
        return now - timedelta(days=days)
    except OverflowError:
        return None


def _opened(order: Sequence[int], ranks: Sequence[int]) -> Opened:
    return Opened(tuple(ranks), tuple(order[rank - 1] for rank in ranks))
