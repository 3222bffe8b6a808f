"""The part of a Brain that learns from use: the questions it could not answer, and what is recalled together."""

from datetime import datetime
from uuid import uuid4

from brainbridge.consolidation import lease
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements.learning import Miss
from brainbridge.learning.candidates import CANDIDATES
from brainbridge.learning.misses import misses
from brainbridge.learning.prune import Pruned, prune
from brainbridge.learning.rebuild import Rebuilt, rebuild
from brainbridge.learning.report import Period, Report, report
from brainbridge.learning.shadow import Scoreboard, days_before, scoreboard
from brainbridge.settings import Settings

# A full run over a million memories takes 31 s (measured).
WAIT_SECONDS = 60.0


class Practice:
    """What one brain has learned from its use, and how long it is kept."""

    graph: Graph
    name: str
    settings: Settings

    def scope(self, *, test: bool = False) -> Scope:
        """The scope that `test` means."""
        return Scope(self.name, is_test=test)

    def misses(self, *, resolved: bool = False, limit: int = 20, test: bool = False) -> list[Miss]:
        """The questions without a strong answer, the most asked first; with `resolved` also those answered since.

        Raises:
            InvalidValue: a limit below 1.
        """
        return misses(self.graph, self.scope(test=test), resolved=resolved, limit=limit)

    def shadow(
        self,
        candidate: str = CANDIDATES[0].name,
        *,
        days: float | None = None,
        test: bool = False,
        now: datetime | None = None,
    ) -> Scoreboard:
        """Compare a candidate ranking with the live one, by what was opened from the pages of the last `days`, or ever.

        Raises:
            InvalidValue: no such candidate, or no days.
        """
        since = days_before(now or self.graph.now(), days)
        return scoreboard(self.graph, self.scope(test=test), candidate, since=since)

    def report(self, period: Period | str = Period.WEEK, *, test: bool = False, now: datetime | None = None) -> Report:
        """What was captured, used, hardened and lost in the last `day`, `week`, `month`, or in `all` that is kept.

        Raises:
            InvalidValue: an unknown period.
        """
        try:
            meant = Period(period)
        except ValueError:
            raise InvalidValue(f"{period!r} is not a period. Use one of {', '.join(Period)}.") from None
        return report(self.graph, self.scope(test=test), meant, now=now or self.graph.now())

    def prune(self, *, test: bool = False, now: datetime | None = None, most_batches: int | None = None) -> Pruned:
        """Delete recalls, misses and events that are older than `learning.event_retention_days`; never a memory.

        Args:
            most_batches: stop after so many transactions; the result says whether there is more.
        """
        return prune(
            self.graph,
            self.scope(test=test),
            settings=self.settings.learning,
            now=now or self.graph.now(),
            most_batches=most_batches,
        )

    def rebuild_co_recalled(self, *, test: bool = False) -> Rebuilt:
        """Count what is recalled together again, from the openings in the ledger; the same weights come out.

        Raises:
            LeaseHeld: a run on the scope does not end: it would lock memories in another order.
        """
        scope = self.scope(test=test)
        with lease.held(self.graph, scope, str(uuid4()), wait_seconds=WAIT_SECONDS):
            return rebuild(self.graph, scope)
