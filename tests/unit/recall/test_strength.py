"""Strong or weak: what evidence a label needs, and what none can replace."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.domain.recall import Strength
from brainbridge.recall.strength import Evidence, cover, idf, strength

BOTH = Evidence(
    exact=False,
    matched=3,
    asked=4,
    names_occur=True,
    cover=0.8,
    lexical_rank=1,
    semantic_rank=1,
    judged=True,
)
WORDS = replace(BOTH, semantic_rank=None, judged=False)

TABLE = [
    # With both legs (R-003-16)
    ("in the top of both legs, enough of the words", BOTH, True),
    ("at the tenth place of both", replace(BOTH, lexical_rank=10, semantic_rank=10), True),
    ("eleventh by words", replace(BOTH, lexical_rank=11), False),
    ("eleventh by meaning", replace(BOTH, semantic_rank=11), False),
    ("not found by words", replace(BOTH, lexical_rank=None), False),
    ("not found by meaning", replace(BOTH, semantic_rank=None), False),
    ("half of the weight", replace(BOTH, cover=0.5), True),
    ("less than half of the weight", replace(BOTH, cover=0.499), False),
    ("one word of four", replace(BOTH, matched=1), False),
    ("two words of four", replace(BOTH, matched=2), True),
    ("the one word there is", replace(BOTH, matched=1, asked=1, cover=1.0), True),
    ("a name is missing", replace(BOTH, names_occur=False), False),
    ("all words, but meaning says no", replace(BOTH, matched=4, cover=1.0, semantic_rank=40), False),
    # By words alone (R-003-17)
    ("six tenths of the weight", replace(WORDS, cover=0.6), True),
    ("less than six tenths", replace(WORDS, cover=0.599), False),
    ("eleventh by words alone", replace(WORDS, lexical_rank=11), False),
    ("all words, wherever it stands", replace(WORDS, matched=4, cover=1.0, lexical_rank=60), True),
    ("all words but a name", replace(WORDS, matched=4, cover=1.0, names_occur=False), False),
    ("one word of two", replace(WORDS, matched=1, asked=2, cover=0.9), False),
    ("nothing was asked", replace(WORDS, matched=0, asked=0, cover=0.0), False),
    # Exactly named (R-003-18)
    ("its id or an identifier", Evidence(True, 0, 3, False, 0.0, None, None, True), True),
]


@pytest.mark.parametrize(("case", "evidence", "strong"), TABLE, ids=[case for case, *_ in TABLE])
def test_the_table_of_labels(case: str, evidence: Evidence, strong: bool) -> None:
    """Exactly two labels, decided as the table says (R-003-15)."""
    assert (Strength.STRONG if strong else Strength.WEAK) is strength(evidence)


@given(st.builds(Evidence, st.booleans(), st.integers(0, 6), st.integers(0, 6), st.booleans(), st.floats(0, 1),
                 st.none() | st.integers(1, 100), st.none() | st.integers(1, 100), st.booleans()))  # fmt: skip
def test_more_evidence_never_weakens(evidence: Evidence) -> None:
    """A hit that is strong stays so with more cover, better ranks or its names found."""
    better = replace(evidence, cover=1.0, names_occur=True, lexical_rank=1, semantic_rank=1)

    assert strength(evidence) is Strength.WEAK or strength(better) is Strength.STRONG


def test_idf() -> None:
    """ln(1 + (N − n + ½) / (n + ½)): what none holds weighs most, what all hold nearly nothing, never below 0."""
    weights = [idf(1_000, holding) for holding in (0, 1, 10, 500, 1_000, 1_001)]

    assert weights == sorted(weights, reverse=True)
    assert [pytest.approx(value, abs=1e-3) for value in (7.602, 6.504, 4.558, 0.693, 0.0005, 0.0005)] == weights


def test_cover() -> None:
    """The share of the weight; a word that was not counted weighs the mean; nothing asked is nothing covered."""
    weights = {"rare": 6.0, "common": 2.0}

    assert 0.75 == cover(["rare", "common"], {"rare"}, weights)
    assert 0.5 == cover(["rare", "common", "uncounted"], {"rare"}, weights)
    assert 1.0 == cover(["a", "b"], {"a", "b"}, {})
    assert 0.0 == cover([], {"a"}, {})
