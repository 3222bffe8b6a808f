"""Whether a hit covers the question: strong or weak, from what can be seen in its words and ranks.

A hit is strong if it stands in the top ten of both legs, its words carry half of what the query's words weigh, two of
them at least occur, and so does every name. Similarity alone lets two of three unanswerable questions through; the
table of what was tried is in docs/explanation/recall.md.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from brainbridge.domain.recall import Strength

TOP = 10
LEAST_WORDS = 2
# Share of the query's IDF mass that the words found must carry: with both legs, and by words alone.
COVER_OF_BOTH_LEGS = 0.5
COVER_OF_WORDS_ALONE = 0.6


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the label of one hit is decided on.

    Attributes:
        exact: the query is the memory's id, the beginning of it, or an identifier that stands in it.
        matched: how many of the query's content words occur in the memory; `asked`: how many there are.
        names_occur: every name and identifier of the query occurs in the memory.
        cover: share of the query's IDF mass that the matched words carry, 0 to 1; of a query in CJK and another script
            the smaller of both shares, or four pairs of one CJK word would outvote the one word beside it.
        lexical_rank, semantic_rank: place in the leg, from 1; None if it was not found there.
        judged: a semantic leg took part and the memory has a vector for it.
    """

    exact: bool
    matched: int
    asked: int
    names_occur: bool
    cover: float
    lexical_rank: int | None
    semantic_rank: int | None
    judged: bool


def strength(found: Evidence) -> Strength:
    """The label of a hit; there are these two only (R-003-15 to R-003-18)."""
    return Strength.STRONG if found.exact or _answers(found) else Strength.WEAK


def _answers(found: Evidence) -> bool:
    if not found.asked or not found.names_occur or found.matched < min(LEAST_WORDS, found.asked):
        return False
    if found.judged:
        return _in_top(found.lexical_rank) and _in_top(found.semantic_rank) and found.cover >= COVER_OF_BOTH_LEGS
    # By words alone all of them are evidence enough, wherever the hit stands (R-003-17).
    return found.matched == found.asked or (_in_top(found.lexical_rank) and found.cover >= COVER_OF_WORDS_ALONE)


def _in_top(rank: int | None) -> bool:
    return rank is not None and rank <= TOP


def idf(memories: int, holding: int) -> float:
    """What a word weighs that `holding` of `memories` hold: ln(1 + (N − n + ½) / (n + ½)), as BM25 has it."""
    holding = min(holding, memories)
    return math.log1p((memories - holding + 0.5) / (holding + 0.5))


def cover(words: Sequence[str], matched: Collection[str], weights: Mapping[str, float]) -> float:
    """Share of the weight of `words` that the `matched` ones carry, 0 to 1.

    Args:
        weights: the IDF of each word that was counted; another one weighs the mean of these.
    """
    mean = sum(weights.values()) / len(weights) if weights else 1.0
    total = sum(weights.get(word, mean) for word in words)
    return sum(weights.get(word, mean) for word in words if word in matched) / total if total else 0.0
