"""One list out of two legs, and its order: relevance, then weight and freshness."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.recall.fusion import freshness, fused, order_key

EXACT = 1e-9
SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.01, 50), max_size=8)


@pytest.mark.parametrize(
    ("days", "bonus"), [(0, 0.1), (7, 0.0851), (30, 0.05), (45, 0.0354), (90, 0.0125), (200, 0.000984), (-3, 0.1)]
)
def test_freshness(days: float, bonus: float) -> None:
    """0.10 · 0.5^(days / 30), days as a number: an age of 45 or 200 days has no month in it (R-000-32)."""
    assert pytest.approx(bonus, abs=5e-5) == freshness(days)


def test_both_legs() -> None:
    """0.6 · lexical + 0.4 · semantic, each on a scale from worst to best; what words did not find has 0 there."""
    found = fused({"a": 10.0, "b": 5.0}, {"a": 0.70, "b": 0.80, "c": 0.78})

    assert {
        "a": pytest.approx(0.6, abs=EXACT),
        "b": pytest.approx(0.3 + 0.4, abs=EXACT),
        "c": pytest.approx(0.4 * 0.8, abs=EXACT),
    } == {id_: relevance.together for id_, relevance in found.items()}
    assert 0.0 == found["c"].lexical


def test_words_alone() -> None:
    """Without a semantic leg the lexical scale is the relevance."""
    found = fused({"a": 10.0, "b": 4.0}, {})

    assert {"a": (1.0, None), "b": (0.4, None)} == {i: (r.together, r.semantic) for i, r in found.items()}


def test_a_memory_without_a_vector_is_judged_by_its_words() -> None:
    """What was remembered a moment ago has none yet, and is not held back by that."""
    found = fused({"new": 10.0, "old": 10.0}, {"old": 0.7, "other": 0.9})

    assert (1.0, None) == (found["new"].together, found["new"].semantic)
    assert pytest.approx(0.6, abs=EXACT) == found["old"].together


@given(SCORES, SCORES)
def test_relevance_lies_between_0_and_1(lexical: dict[str, float], semantic: dict[str, float]) -> None:
    """For any scores of both legs, over their union."""
    found = fused(lexical, semantic)

    assert lexical.keys() | semantic.keys() == found.keys()
    assert all(-EXACT <= relevance.together <= 1 + EXACT for relevance in found.values())


@given(SCORES, SCORES, st.floats(0.1, 10))
def test_the_unit_of_a_score_does_not_matter(
    lexical: dict[str, float], semantic: dict[str, float], factor: float
) -> None:
    """Twice the BM25 everywhere changes nothing."""
    scaled = fused({i: score * factor for i, score in lexical.items()}, semantic)

    assert {i: pytest.approx(r.together, abs=1e-6) for i, r in fused(lexical, semantic).items()} == {
        i: r.together for i, r in scaled.items()
    }


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 5_000), st.floats(0, 5_000))
def test_a_more_relevant_old_memory_beats_a_fresher_lesser_one(
    first: float, second: float, weight: float, other: float, age: float, other_age: float
) -> None:
    """Whatever their weights and ages, as far as relevance is shown, in hundredths (R-000-31, R-000-34)."""
    if round(first, 2) > round(second, 2):
        assert order_key(first, weight, age, "z") < order_key(second, other, other_age, "a")


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 5_000), st.floats(1, 500))
def test_fresh_wins_ties(relevance: float, weight: float, age: float, more: float) -> None:
    """Of two that are equally relevant and heavy the one remembered or restated later stands first (R-000-34)."""
    fresh, stale = order_key(relevance, weight, age, "z"), order_key(relevance, weight, age + more, "a")

    assert fresh <= stale or freshness(age) - freshness(age + more) < EXACT
