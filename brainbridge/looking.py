"""The part of a Brain that shows it as a whole: how it stands, lists to leaf through, what comes next, the runs."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal, get_args

from brainbridge.domain.coactivation import Companion
from brainbridge.domain.errors import InvalidValue, NotFound
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import LIVE_TIERS, Tier, word
from brainbridge.graph import schema
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import learning, runs
from brainbridge.inspection import listing
from brainbridge.inspection.forecast import Forecast, Moves, forecast, moves
from brainbridge.inspection.foremost import foremost
from brainbridge.inspection.health import RUNS_LOOKED_AT, Health, health
from brainbridge.inspection.listing import Listing
from brainbridge.inspection.measures import Measures, measures
from brainbridge.inspection.ranking import LIMIT, Ranking, ranked
from brainbridge.inspection.status import Status, status
from brainbridge.settings import Settings

State = Literal["live", "working", "shortTerm", "longTerm", "expired", "archived"]
STATES: tuple[State, ...] = get_args(State)
MOST_LISTED = 1_000


class Looking:
    """One brain from afar. Every method reads only."""

    graph: Graph
    name: str
    settings: Settings
    owns_unowned: bool

    def scope(self, *, test: bool = False) -> Scope:
        """The scope that `test` means."""
        return Scope(self.name, is_test=test)

    def status(self, *, test: bool = False, now: datetime | None = None) -> Status:
        """How many memories stand in each tier, and what comes next."""
        return status(self.graph, self.scope(test=test), now=now)

    def foremost(self, *, limit: int = 25, test: bool = False, now: datetime | None = None) -> list[Memory]:
        """The protected memories, then the most energetic ones that recall would show; changes nothing."""
        least = self.settings.recall.min_confidence
        return foremost(self.graph, self.scope(test=test), limit=limit, least_weight=least, now=now)

    def health(self, *, now: datetime | None = None) -> Health:
        """Whether the law is in force and runs, and what is wrong where it is not."""
        interval = timedelta(minutes=self.settings.daemon.interval_minutes)
        return health(self.graph, self.name, interval=interval, owns_unowned=self.owns_unowned, now=now)

    def memories(self, state: State | str = "live", *, after: str = "", limit: int = 50, test: bool = False) -> Listing:
        """One page of memories, contents cut to their beginning: live ones by id, others the last to go first.

        Args:
            state: live, one of its tiers, expired or archived.
            after: `further` of the page before.

        Raises:
            InvalidValue: an unknown state, a limit out of range, or a place that is none.
        """
        if not 1 <= limit <= MOST_LISTED:
            raise InvalidValue(f"the limit cannot be {limit}: it must be a number from 1 to {MOST_LISTED:,}.")
        scope = self.scope(test=test)
        if state == "expired":
            return listing.expired(self.graph, scope, after=after, limit=limit)
        if state == "archived":
            return listing.archived(self.graph, scope, after=after, limit=limit)
        if state not in STATES:
            raise InvalidValue(f"{state!r} is not a state. Use one of {', '.join(STATES)}.")
        tier = Tier(state) if state in LIVE_TIERS else None
        return listing.live(self.graph, scope, tier=tier, after=after, limit=limit)

    def ranked(
        self,
        *,
        tier: Tier | str | None = None,
        fading: bool = False,
        limit: int = LIMIT,
        test: bool = False,
        now: datetime | None = None,
    ) -> Ranking:
        """Memories by their energy at `now`, the highest first; with `fading` those first that expire soonest.

        Args:
            tier: only of that one; else the three that are live.
            limit: 1 to 10,000.
        """
        tiers = LIVE_TIERS if tier is None else (word(Tier, tier),)
        return ranked(self.graph, self.scope(test=test), tiers=tiers, fading=fading, limit=limit, now=now)

    def forecast(self, *, limit: int = 10, test: bool = False, now: datetime | None = None) -> Forecast:
        """How energies are spread, and which memories expire and promote next."""
        return forecast(self.graph, self.scope(test=test), limit=limit, now=now or self.graph.now())

    def moves(self, since: datetime, until: datetime, *, test: bool = False) -> Moves:
        """How many memories were promoted into each tier, and expired from each, in a time."""
        return moves(self.graph, self.scope(test=test), since=since, until=until)

    def often_recalled_with(self, id: str, *, test: bool = False, now: datetime | None = None) -> list[Companion]:
        """The live memories that a live memory was opened together with, the strongest bond first; no opening."""
        at = now or self.graph.now()
        read = partial(learning.list_co_recalled, scope=self.scope(test=test), id=id)
        found = self.graph.read("learning/list_co_recalled", read)
        companions = [Companion(other.id, other.content, other.bond.weight_at(at)) for other in found]
        return sorted(companions, key=lambda other: (-other.weight, other.id))

    def measures(self, *, test: bool = False) -> Measures:
        """The numbers for monitoring; no memory is read."""
        return measures(self.graph, self.scope(test=test))

    def schema_is_current(self) -> bool:
        """Whether the store has the schema of this program, which is also whether it answers."""
        return schema.check(self.graph) == schema.SCHEMA_VERSION

    def runs(self, *, limit: int = 100, test: bool = False) -> list[dict[str, Any]]:
        """The last runs, newest first, each as it was recorded."""
        return self.graph.read("runs/list_runs", partial(runs.list_runs, scope=self.scope(test=test), limit=limit))

    def since_last_run(self, operation: str = "consolidate", *, test: bool = False) -> timedelta | None:
        """How long ago, by the database server's clock, a run of `operation` began; None if none is on record."""
        recent = partial(runs.list_runs, scope=self.scope(test=test), limit=RUNS_LOOKED_AT)
        for run in self.graph.read("runs/list_runs", recent):
            if run.get("operation") == operation:
                began: datetime = run["startedAt"]
                return self.graph.now() - began
        return None

    def one_run(self, id: str, *, test: bool = False) -> dict[str, Any]:
        """One run as it was recorded.

        Raises:
            NotFound: there is none of that id.
        """
        found = self.graph.read("runs/read_run", partial(runs.read_run, scope=self.scope(test=test), id=id))
        if found is None:
            raise NotFound(f"there is no run {id!r}. The last ones are in the list of runs.")
        return found
