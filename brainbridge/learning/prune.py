"""Retention: what was recorded of use goes when it is older than it is to be kept. Memories are never touched."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from brainbridge.domain.clock import back_by
from brainbridge.domain.ledger import KINDS
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import learning
from brainbridge.settings import LearningSettings

# Events and misses in one transaction, and recalls, which have a dozen edges each: below a tenth of a second both.
BATCH = 1_000
PAGES = 200


@dataclass(frozen=True, slots=True)
class Pruned:
    """What went: recalls with their shadow orders, misses, events. `before`: None if everything is kept for ever.

    `more`: a limit was reached, and there may be more to do.
    """

    before: datetime | None
    pages: int = 0
    misses: int = 0
    events: int = 0
    more: bool = False

    @property
    def total(self) -> int:
        """All that went."""
        return self.pages + self.misses + self.events


def clear_test_records(graph: Graph, brain: str) -> int:
    """Delete all that was recorded of recalls of a brain's test memories, in batches; how many pages and misses."""
    scope = Scope(brain, is_test=True)
    work = partial(learning.clear_test_records, scope=scope, batch=BATCH)
    return _Budget(None).exhaust(graph, "learning/clear_test_records", work)


def prune(
    graph: Graph,
    scope: Scope,
    *,
    settings: LearningSettings,
    now: datetime,
    most_batches: int | None = None,
) -> Pruned:
    """Delete what is older than `settings.retention`, in batches, a transaction each.

    Whatever is interrupted is completed by the next call. Relations, configurations and runs are not part of it.

    Args:
        most_batches: stop after so many, and say that there is more; None for all of it.
    """
    if settings.retention is None:
        return Pruned(None)
    before = back_by(now, settings.retention)
    budget = _Budget(most_batches)
    pages = budget.exhaust(
        graph, "learning/prune_pages", partial(learning.prune_pages, scope=scope, before=before, batch=PAGES)
    )
    misses = budget.exhaust(
        graph, "learning/prune_misses", partial(learning.prune_misses, scope=scope, before=before, batch=BATCH)
    )
    events = sum(
        budget.exhaust(
            graph,
            "learning/prune_events",
            partial(learning.prune_events, scope=scope, kind=kind, before=before, batch=BATCH),
        )
        for kind in KINDS
    )
    return Pruned(before, pages, misses, events, more=budget.spent)


class _Budget:
    """Batches that may still be run."""

    def __init__(self, most: int | None) -> None:
        self._left = most
        self.spent = False

    def exhaust(self, graph: Graph, query: str, batch: Callable[..., int]) -> int:
        """Run `batch` until it finds nothing, or the budget is spent; what it has deleted in all."""
        total = 0
        while not self.spent and (done := graph.write(query, batch)):
            total += done
            if self._left is not None:
                self._left -= 1
                self.spent = self._left <= 0
        return total
