"""The part of a Brain that learns from use: the questions it could not answer, and what is recalled together."""

from uuid import uuid4

from brainbridge.consolidation import lease
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements.learning import Miss
from brainbridge.learning.misses import misses
from brainbridge.learning.rebuild import Rebuilt, rebuild
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

    def rebuild_co_recalled(self, *, test: bool = False) -> Rebuilt:
        """Count what is recalled together again, from the openings in the ledger; the same weights come out.

        Raises:
            LeaseHeld: a run on the scope does not end: it would lock memories in another order.
        """
        scope = self.scope(test=test)
        with lease.held(self.graph, scope, str(uuid4()), wait_seconds=WAIT_SECONDS):
            return rebuild(self.graph, scope)
