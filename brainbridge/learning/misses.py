"""Misses: what brainbridge was asked and had no strong answer to, so that somebody can tell it."""

from functools import partial

from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import learning
from brainbridge.graph.statements.learning import Miss


def misses(graph: Graph, scope: Scope, *, resolved: bool, limit: int) -> list[Miss]:
    """The questions without a strong answer, the most asked first.

    Args:
        resolved: also those that have been answered since.

    Raises:
        InvalidValue: a limit below 1.
    """
    if limit < 1:
        raise InvalidValue(f"a limit of {limit} shows nothing. Give 1 or more.")
    work = partial(learning.list_misses, scope=scope, resolved=resolved, limit=limit)
    return graph.read("learning/list_misses", work)
