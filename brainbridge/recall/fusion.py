"""One list out of what the legs found: pure arithmetic on their scores.

    relevance = 0.6 · lexical + 0.4 · semantic        each leg's scores on a scale from its worst (0) to its best (1)

over the union of the first hundred of both legs. Weighted min-max (Bruch et al., ACM TOIS 2023) gave nDCG@10 .511 where
reciprocal rank fusion with k = 60 gave .462 (docs/explanation/recall.md).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

LEXICAL_WEIGHT = 0.6
SEMANTIC_WEIGHT = 0.4
# What each leg contributes: the best of the other leg are never further down than this.
DEPTH = 100
# Relevance counts in hundredths, as it is shown; below that the fresher memory stands first.
DIGITS = 2
# Document 000: what was said today gains 0.10 of weight, half of that after 30 days.
FRESH_BONUS = 0.10
FRESH_HALF_LIFE_DAYS = 30.0


@dataclass(frozen=True, slots=True)
class Relevance:
    """How well a memory answers: both legs on their scales from 0 to 1, None if a leg cannot say, and together."""

    lexical: float
    semantic: float | None
    together: float


def fused(lexical: Mapping[str, float], semantic: Mapping[str, float]) -> dict[str, Relevance]:
    """Both legs' scores by id, as one relevance by id.

    Args:
        lexical: BM25 of what the lexical leg found; what it did not find has 0.
        semantic: cosines, of everything that has a vector. Empty: there is no semantic leg. A memory without a vector
            is judged by its words alone, so that what was remembered a moment ago is not held back by a model.
    """
    best = max(lexical.values(), default=0.0)
    low, high = min(semantic.values(), default=0.0), max(semantic.values(), default=0.0)
    relevant = {}
    for found in lexical.keys() | semantic.keys():
        words = lexical.get(found, 0.0) / best if best > 0 else 0.0
        meaning = None
        if found in semantic:
            meaning = (semantic[found] - low) / (high - low) if high > low else 1.0
        together = words if meaning is None else LEXICAL_WEIGHT * words + SEMANTIC_WEIGHT * meaning
        relevant[found] = Relevance(words, meaning, together)
    return relevant


def freshness(age_days: float) -> float:
    """What recency adds to a weight: 0.10 · 0.5^(age / 30), age in days since updatedAt (R-000-32)."""
    return FRESH_BONUS * math.exp2(-max(age_days, 0.0) / FRESH_HALF_LIFE_DAYS)


def order_key(relevance: float, weight: float, age_days: float, id: str) -> tuple[float, float, float, str]:
    """What a page is sorted by: relevance, then weight and freshness (R-000-31, R-000-34), then relevance to the last
    digit, then the id, so that the same store gives the same page."""
    return -round(relevance, DIGITS), -(weight + freshness(age_days)), -relevance, id
