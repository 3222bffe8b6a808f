"""Two askings of one question have one key, and two questions never."""

import pytest

from brainbridge.domain.question import question_key


@pytest.mark.parametrize(
    "asked",
    [
        "Where is the port?",
        "where is the port",
        "  WHERE   is\tthe port!!",
        "where-is, the: port",
        '"where is the port"',
    ],
)
def test_case_and_signs_do_not_make_another_question(asked: str) -> None:
    """Lower-cased, cut into words, joined (R-003-23)."""
    assert question_key("where is the port") == question_key(asked)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("where is the port", "is the port where"),
        ("where is the port", "where is the ports"),
        ("port 8080", "port 8081"),
        ("ab c", "a bc"),
        ("端口在哪里", "端口在这里"),
        ("बाल कहाँ है", "बोल कहाँ है"),
        ("🦊", "🐻"),
        ("?", "!"),
    ],
)
def test_other_words_or_another_order_make_another_question(one: str, other: str) -> None:
    """The order of words is kept; what has no word is compared by its signs."""
    assert question_key(one) != question_key(other)


def test_the_key_of_any_question_fits_an_index() -> None:
    """A question of a megabyte, and one that no UTF-8 can hold."""
    assert {32} == {len(question_key(text)) for text in ("", "x" * 2**20, "\ud800", "word " * 10_000)}
