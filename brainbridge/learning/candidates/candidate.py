"""What a candidate ranking is: a name, and other scores for the hits of a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from neo4j import Transaction

from brainbridge.domain.recall import Page
from brainbridge.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to order the hits of a page otherwise.

    Attributes:
        name: what the shadow rankings of it carry.
        scores: given a transaction to read in, the scope and the page, a score for each hit in the order of the page.
            Hits with equal scores keep their order.
    """

    name: str
    scores: Callable[[Transaction, Scope, Page], Sequence[float]]
