"""Lists of memories to leaf through, each page as cheap as the first. Reads only; contents are cut short."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from brainbridge.domain.clock import parse_instant
from brainbridge.domain.errors import InvalidValue, Misshapen
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph.connection import Graph
from brainbridge.graph.records import memory
from brainbridge.graph.statements import inspect

# Characters of a content: what one line shows, and some to search with the eye.
WIDTH = 300
# Memories looked at for one page of a rare tier: more would make people wait, fewer leaf through empty pages.
LOOKED_AT = 5_000
_FAR = datetime(9999, 1, 1, tzinfo=UTC)
_BETWEEN = "~"


@dataclass(frozen=True, slots=True)
class Listing:
    """One page. `further`: where the next one begins, for `after`; None if this is the last."""

    memories: Sequence[Memory]
    further: str | None


def live(graph: Graph, scope: Scope, *, tier: Tier | None, after: str, limit: int) -> Listing:
    """Live memories by id. A page may hold fewer than `limit`, or none, and not be the last: see LOOKED_AT."""
    found, last_looked = graph.read(
        "inspect/list_live",
        partial(inspect.list_live, scope=scope, tier=tier, after=after, limit=limit, looked=LOOKED_AT, width=WIDTH),
    )
    shown, more = found[:limit], len(found) > limit
    return Listing(
        [each for each, _ in readable({"memory": properties} for properties in shown)],
        shown[-1]["id"] if more else last_looked,
    )


def expired(graph: Graph, scope: Scope, *, after: str, limit: int) -> Listing:
    """Expired memories, the last to expire first. Raises InvalidValue: `after` is no place in this list."""
    before, last = _place(after)
    list_page = partial(inspect.list_expired, scope=scope, before=before, after=last, limit=limit + 1, width=WIDTH)
    return _past(graph.read("inspect/list_expired", list_page), limit)


def archived(graph: Graph, scope: Scope, *, after: str, limit: int) -> Listing:
    """The archive, the last to go there first. Raises InvalidValue: `after` is no place in this list."""
    before, last = _place(after)
    list_page = partial(inspect.list_archived, scope=scope, before=before, after=last, limit=limit + 1, width=WIDTH)
    return _past(graph.read("inspect/list_archived", list_page), limit)


def readable(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Memory, Mapping[str, Any]]]:
    """The memory of each row, with the row. One that a hand edit spoiled is left out: `health` names it."""
    for row in rows:
        with suppress(Misshapen):
            yield memory(row["memory"]), row


def _past(rows: list[dict[str, Any]], limit: int) -> Listing:
    shown = rows[:limit]
    further = None
    if len(rows) > limit:
        further = f"{shown[-1]['gone'].isoformat()}{_BETWEEN}{shown[-1]['memory']['id']}"
    return Listing([each for each, _ in readable(shown)], further)


def _place(after: str) -> tuple[datetime, str]:
    if not after:
        return _FAR, ""
    instant, between, last = after.partition(_BETWEEN)
    if not between:
        raise InvalidValue(f"{after!r} is no place in this list. Begin at its first page.")
    return parse_instant(instant), last
