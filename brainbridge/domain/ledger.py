"""The ledger of one memory: its events in the order in which they happened, and how it stood after each.

Events carry the instant that their energies are for. Several can share one, such as a boost and the promotion that
follows from it; nothing decays in between, so they are put in order by what they say: each begins with the energy, the
tier and the state that the one before it left.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from brainbridge.domain.tier import Tier

# What the ledger says, in the order of a memory's life.
KINDS = (
    "born",
    "adopted",
    "revived",
    "restored",
    "edited",
    "opened",
    "boosted",
    "reinforced",
    "related",
    "pinned",
    "unpinned",
    "promoted",
    "expired",
    "forgotten",
    "superseded",
)
ARCHIVING = frozenset({"forgotten", "superseded"})
# Written where a memory was found as it is: what came before them is not known to the ledger.
FOUND = frozenset({"born", "adopted", "edited"})


@dataclass(frozen=True, slots=True)
class Event:
    """One entry. `before` and `after` are energies at `at`; `tier` is the tier after it. A birth has no before."""

    kind: str
    at: datetime
    before: float | None
    after: float
    tier: Tier


@dataclass(frozen=True, slots=True)
class Standing:
    """How a memory stands from an instant on: its energy then, and what decides how it goes on from there."""

    at: datetime
    energy: float
    tier: Tier
    core: bool = False
    archived: bool = False

    @property
    def fades(self) -> bool:
        """Whether its energy decays."""
        return not (self.core or self.archived or self.tier is Tier.EXPIRED)

    def tier_after(self, event: Event) -> Tier | None:
        """The tier that `event` leaves a memory in which stands like this; None if it cannot happen to it."""
        match event.kind:
            case "promoted":
                return self.tier.next
            case "expired":
                return Tier.EXPIRED
            case "revived":
                return Tier.WORKING
            case kind if kind in FOUND:
                return event.tier
            case _:
                return self.tier


def in_order(events: Iterable[Event], *, core: bool) -> list[Event]:
    """`events` as they happened.

    Args:
        core: whether the memory is protected now, after all of them.
    """
    return [event for event, _ in walk(events, core=core)]


def walk(events: Iterable[Event], *, core: bool) -> Iterator[tuple[Event, Standing]]:
    """Each event as they happened, with how the memory stood after it; arguments as of `in_order`."""
    by_instant = sorted(events, key=lambda event: event.at)
    protected = _core_at_first(by_instant, core)
    standing: Standing | None = None
    for _, group in groupby(by_instant, key=lambda event: event.at):
        waiting = list(group)
        level = _entry(waiting)
        while waiting:
            event = _next(waiting, level, standing, protected)
            waiting.remove(event)
            level = event.after
            protected = event.kind == "pinned" or (protected and event.kind != "unpinned")
            standing = Standing(event.at, event.after, event.tier, protected, event.kind in ARCHIVING)
            yield event, standing


def _core_at_first(events: Sequence[Event], core: bool) -> bool:
    """Whether the memory was protected before the first event: pinned and unpinned take turns, so their counts tell."""
    kinds = [event.kind for event in events]
    return core - kinds.count("pinned") + kinds.count("unpinned") > 0


def _entry(group: Sequence[Event]) -> float | None:
    """The energy at which the events of one instant begin: more of them leave it than reach it. None for a birth."""
    if any(event.kind == "born" for event in group):
        return None
    changing = [event for event in group if event.before != event.after] or list(group)
    for event in changing:
        left = sum(other.before == event.before for other in changing)
        if left > sum(other.after == event.before for other in changing if other.before != other.after):
            return event.before
    return group[0].before


def _next(waiting: Sequence[Event], level: float | None, standing: Standing | None, core: bool) -> Event:
    """The event that comes next: it begins where the one before it ended. Of several, those that leave the energy as it
    is come first, because an energy does not come back within one instant.
    """
    here = [event for event in waiting if event.before == level] or waiting  # an edit by hand has broken the chain
    return min(
        here,
        key=lambda event: (not _can_follow(event, standing, core), event.before != event.after, _rank(event.kind)),
    )


def _can_follow(event: Event, standing: Standing | None, core: bool) -> bool:
    if standing is None:
        return event.kind in FOUND
    if event.kind in FOUND:
        return event.kind != "born"
    turns = {"pinned": not core, "unpinned": core, "revived": standing.tier is Tier.EXPIRED}
    archived = event.kind == "restored"
    return standing.archived is archived and turns.get(event.kind, True) and standing.tier_after(event) is event.tier


def _rank(kind: str) -> int:
    return KINDS.index(kind) if kind in KINDS else len(KINDS)
