"""The part of a Brain that learns from use: the questions it could not answer, and what is recalled together."""

from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements.learning import Miss
from brainbridge.learning.misses import misses
from brainbridge.settings import Settings


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
