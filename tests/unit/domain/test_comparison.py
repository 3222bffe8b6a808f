"""Comparing two orders by what was opened: reciprocal ranks, who was better, and whether chance would do it."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.domain.comparison import (
    FAVOURS_LIVE,
    LEAST_DECIDED,
    Comparison,
    Opened,
    Verdict,
    compared,
    places,
    sign_test,
)


@pytest.mark.parametrize(
    ("wins", "losses", "chance"),
    [(15, 5, 0.0414), (14, 6, 0.1153), (5, 15, 0.0414), (10, 10, 1.0), (1, 0, 1.0), (20, 0, 2 / 2**20), (3, 1, 0.625)],
)
def test_the_sign_test(wins: int, losses: int, chance: float) -> None:
    """Exact and two-sided; of 20 pages 15 must be won (R-003-32, -33)."""
    assert pytest.approx(chance, abs=5e-5) == sign_test(wins, losses)


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_is_a_probability_and_takes_no_side(wins: int, losses: int) -> None:
    """By fractions, from its definition: every outcome at most as likely as this one."""
    if not wins + losses:
        return
    thrown = wins + losses
    as_unlikely = sum(comb(thrown, k) for k in range(thrown + 1) if comb(thrown, k) <= comb(thrown, wins))

    assert pytest.approx(float(Fraction(as_unlikely, 2**thrown)), rel=1e-9) == sign_test(wins, losses)
    assert sign_test(wins, losses) == sign_test(losses, wins)


def test_what_was_opened_decides() -> None:
    """MRR of the opened hit by both orders; wins, losses, ties (R-003-32)."""
    pages = [Opened((2,), (1,)), Opened((4,), (2,)), Opened((1,), (3,)), Opened((2,), (2,))]

    found = compared(pages)

    assert (4, 2, 1, 1, 3) == (found.pages, found.wins, found.losses, found.ties, found.decided)
    assert pytest.approx((1 / 2 + 1 / 4 + 1 + 1 / 2) / 4) == found.mrr_live
    assert pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 2) / 4) == found.mrr_candidate


def test_a_page_counts_once_however_much_was_opened_from_it() -> None:
    """The mean of its hits: who opens all of them says nothing for either order."""
    assert (0, 0, 1) == ((found := compared([Opened((1, 2, 3), (3, 1, 2))])).wins, found.losses, found.ties)
    assert (1, 0) == ((found := compared([Opened((1, 3), (1, 2))])).wins, found.losses)


@pytest.mark.parametrize(
    ("wins", "losses", "verdict"),
    [
        (0, 0, Verdict.TOO_FEW),
        (19, 0, Verdict.TOO_FEW),
        (20, 0, Verdict.CANDIDATE_LEADS),
        (15, 5, Verdict.CANDIDATE_LEADS),
        (14, 6, Verdict.NO_DIFFERENCE),
        (5, 15, Verdict.LIVE_LEADS),
        (100, 100, Verdict.NO_DIFFERENCE),
    ],
)
def test_there_is_no_verdict_under_twenty_decided_pages(wins: int, losses: int, verdict: Verdict) -> None:
    """Ties decide nothing (R-003-33)."""
    assert verdict is Comparison(500, 0.5, 0.5, wins, losses, ties=500 - wins - losses).verdict
    assert 20 == LEAST_DECIDED


def test_nothing_opened_yet() -> None:
    """No means, no chance, no verdict, and no division by zero."""
    found = compared([])

    assert (0, None, None, None, Verdict.TOO_FEW) == (
        found.pages,
        found.mrr_live,
        found.mrr_candidate,
        found.p_value,
        found.verdict,
    )


def test_the_report_says_whom_it_favours() -> None:
    """A lead is evidence, a deficit is not harm (R-003-34)."""
    assert "favours live" in FAVOURS_LIVE
    assert "A lead of the candidate is evidence, a deficit is not harm" in FAVOURS_LIVE


@pytest.mark.parametrize(
    ("scores", "expected"),
    [([], ()), ([0.5], (1,)), ([0.9, 0.5, 0.1], (1, 2, 3)), ([0.5, 0.9, 0.5], (2, 1, 3)), ([0.1, 0.1, 0.1], (1, 2, 3))],
)
def test_places(scores: list[float], expected: tuple[int, ...]) -> None:
    """By size; equal scores keep their order."""
    assert expected == places(scores)
