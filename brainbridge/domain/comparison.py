"""Two orders of the same hits, compared by what was opened: reciprocal ranks, wins and losses, and a sign test."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb
from statistics import fmean

# Fewer decided pages prove nothing: 14 wins of 20 still happen by chance in one case of nine.
LEAST_DECIDED = 20
# The share of chance results that is called significant.
ALPHA = 0.05
FAVOURS_LIVE = (
    "The comparison favours live: people and agents open what the live order put on top. "
    "A lead of the candidate is evidence, a deficit is not harm."
)


class Verdict(StrEnum):
    """What may be said after a comparison."""

    TOO_FEW = "too few"
    NO_DIFFERENCE = "no difference"
    CANDIDATE_LEADS = "candidate leads"
    LIVE_LEADS = "live leads"


@dataclass(frozen=True, slots=True)
class Opened:
    """What was opened from one page on which the candidate's order differs from the live one.

    Attributes:
        live: ranks of the opened hits on the page, from 1; at least one.
        candidate: the ranks the candidate would have given the same hits.
    """

    live: tuple[int, ...]
    candidate: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate against the live order. Mean reciprocal ranks are None if nothing was opened yet.

    A page counts once: with the mean of its opened hits' reciprocal ranks, so that opening everything is a tie.
    """

    pages: int
    mrr_live: float | None
    mrr_candidate: float | None
    wins: int
    losses: int
    ties: int

    @property
    def decided(self) -> int:
        """Pages on which one of the two was better."""
        return self.wins + self.losses

    @property
    def p_value(self) -> float | None:
        """The chance of a result at least this uneven if both were equally good; None without a decided page."""
        return sign_test(self.wins, self.losses) if self.decided else None

    @property
    def verdict(self) -> Verdict:
        """What may be said."""
        p_value = self.p_value
        if self.decided < LEAST_DECIDED or p_value is None:
            return Verdict.TOO_FEW
        if p_value >= ALPHA:
            return Verdict.NO_DIFFERENCE
        return Verdict.CANDIDATE_LEADS if self.wins > self.losses else Verdict.LIVE_LEADS

    @property
    def sentence(self) -> str:
        """The verdict as people read it."""
        chance = "" if self.p_value is None else f" (p = {self.p_value:.4f}, exact two-sided sign test)"
        return {
            Verdict.TOO_FEW: f"no verdict: {self.decided} decided pages, {LEAST_DECIDED} are needed",
            Verdict.NO_DIFFERENCE: f"no difference that chance would not make{chance}",
            Verdict.CANDIDATE_LEADS: f"the candidate leads{chance}",
            Verdict.LIVE_LEADS: f"live leads{chance}",
        }[self.verdict]


def compared(pages: Iterable[Opened]) -> Comparison:
    """The comparison that these pages make."""
    means = [(_reciprocal(page.live), _reciprocal(page.candidate)) for page in pages]
    # The same hits in another place may differ in the last bit of their means.
    gains = [round(candidate - live, 12) for live, candidate in means]
    return Comparison(
        pages=len(means),
        mrr_live=fmean(live for live, _ in means) if means else None,
        mrr_candidate=fmean(candidate for _, candidate in means) if means else None,
        wins=sum(gain > 0 for gain in gains),
        losses=sum(gain < 0 for gain in gains),
        ties=sum(gain == 0 for gain in gains),
    )


def sign_test(wins: int, losses: int) -> float:
    """The exact two-sided sign test: the chance that a fair coin falls at least as unevenly. At least one throw."""
    thrown = wins + losses
    tail = sum(comb(thrown, heads) for heads in range(min(wins, losses) + 1))
    return float(min(1.0, 2 * tail / 2**thrown))


def places(ranked: Sequence[float]) -> tuple[int, ...]:
    """The place, from 1, that each of these scores gets by size; equal ones keep their order."""
    order = sorted(range(len(ranked)), key=lambda index: -ranked[index])
    found = [0] * len(ranked)
    for place, index in enumerate(order, start=1):
        found[index] = place
    return tuple(found)


def _reciprocal(ranks: tuple[int, ...]) -> float:
    return fmean(1 / rank for rank in ranks)
