"""What a recall answers with: a page of hits, each labelled strong or weak, and the evidence behind every label.

Recall makes pages and reads only; learning records them. Both know these values, and not each other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from brainbridge.domain.energy import weight_of_energy
from brainbridge.domain.memory import Memory


class Strength(StrEnum):
    """Whether a hit covers the question, and is to be read before answering. Two labels only (R-003-15)."""

    STRONG = "strong"
    WEAK = "weak"


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory on a page.

    Attributes:
        rank: place on the page, from 1.
        score: what the page is ordered by; 0 to 1.
        energy: the effective energy at the instant of the page.
        lexical_rank, semantic_rank: place in that leg, from 1; None if the leg did not find it.
        cover: share of the query's IDF mass that the words found in the memory carry, 0 to 1; the smaller one of a
            query in CJK and another script.
        terms: every part of the score by name, for `--explain`.
    """

    memory: Memory
    rank: int
    score: float
    strength: Strength
    energy: float
    lexical_rank: int | None = None
    semantic_rank: int | None = None
    cover: float = 0.0
    terms: Mapping[str, float] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        """The display weight (0 to 1) of the energy."""
        return weight_of_energy(self.energy)


@dataclass(frozen=True, slots=True)
class Page:
    """The answer to one query.

    Attributes:
        query: as it was asked.
        at: the instant it was answered, UTC.
        semantic: whether a semantic leg took part.
        id: of the record that was made of it; None if none was.
        strong_below: a strong hit would stand below the last one that the limit let through.
    """

    query: str
    at: datetime
    hits: tuple[Hit, ...]
    semantic: bool = False
    id: str | None = None
    strong_below: bool = False

    @property
    def miss(self) -> bool:
        """No hit is strong, or there is none at all: brainbridge does not know (R-003-21). How few are shown has no say
        in it."""
        return not (self.shows_strong or self.strong_below)

    @property
    def shows_strong(self) -> bool:
        """A hit of the page is strong."""
        return any(hit.strength is Strength.STRONG for hit in self.hits)
