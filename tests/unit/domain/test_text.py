"""What a word is, in any script."""

import re
import unicodedata

import pytest

from brainbridge.domain.text import CJK_RUN, MARKS, RUN

# They say how a sign looks, not which one it is.
VARIATION_SELECTORS = {*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0x180B, 0x1810))}


def test_every_mark_belongs_to_a_word_and_no_punctuation_does() -> None:
    """By Unicode's own categories, over the whole basic plane; kana and CJK have runs of their own."""
    plane = [sign for sign in map(chr, range(0x10000)) if not CJK_RUN.match(sign) and not 0x3000 <= ord(sign) <= 0x303F]
    signs = set(re.findall(f"[{MARKS}]", "".join(plane)))
    marks = {sign for sign in plane if unicodedata.category(sign) in ("Mn", "Mc")} - VARIATION_SELECTORS

    assert set() == marks - signs
    assert set() == {sign for sign in signs if unicodedata.category(sign)[0] in "PZS"}


@pytest.mark.parametrize("word", ["नमस्ते", "สวัสดี", "مُحَمَّد", "می‌خواهم", "தமிழ்", "x̣y", "run_2"])
def test_a_word_is_one_run(word: str) -> None:
    """Vowels that Unicode counts as marks do not end it; a stop and a space do."""
    assert [word, word] == re.findall(RUN, f"{word} {word}.")
