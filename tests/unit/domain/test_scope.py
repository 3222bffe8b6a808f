"""Scopes: names of brains, and the one token that stands for brain and isTest."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.scope import Scope, checked_brain

names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", fullmatch=True)
scopes = st.builds(Scope, names, st.booleans())


@given(names)
def test_a_good_name_comes_back_unchanged(name: str) -> None:
    """1 to 64 letters, digits, '_', '.' or '-', beginning with a letter or digit."""
    assert name == checked_brain(name)


@pytest.mark.parametrize(
    "name", [" ", "mi lo", "-milo", ".milo", "_milo", "milo\n", "mílo", "a/b", "../milo", "a" * 65, "mi\0lo", "'milo'"]
)
def test_a_bad_name_is_refused_and_shown(name: str) -> None:
    """Nothing that could be a path, a flag, or two words."""
    with pytest.raises(InvalidValue) as refused:
        checked_brain(name)

    assert repr(name) in str(refused.value)


def test_an_empty_name_is_refused_by_that_word() -> None:
    """`--brain=` is an error of its own, not a brain called like the next flag."""
    with pytest.raises(InvalidValue, match="empty"):
        checked_brain("")


@pytest.mark.parametrize(
    ("scope", "token"),
    [
        (Scope("milo"), "miloxr"),
        (Scope("milo", is_test=True), "miloxt"),
        (Scope("mi-lo"), "mix2dloxr"),
        (Scope("xenon"), "x78enonxr"),
        (Scope("a.b_c"), "ax2ebx5fcxr"),
    ],
)
def test_tokens(scope: Scope, token: str) -> None:
    """What is no letter or digit, and x itself, is written as x and its code; the scope follows."""
    assert token == scope.token


@given(scopes)
def test_a_token_is_one_alphanumeric_word(scope: Scope) -> None:
    """An analyser of a full-text index cannot split it."""
    assert set(scope.token) <= set(string.ascii_letters + string.digits)


@given(scopes, scopes)
def test_no_two_scopes_share_a_token(one: Scope, other: Scope) -> None:
    """Brain and isTest can be told from the token: it is injective."""
    assert (one == other) == (one.token == other.token)


@given(st.lists(st.sampled_from("ax-_.2d78rt"), min_size=1, max_size=6).map("".join), st.data())
def test_escapes_cannot_be_forged(name: str, data: st.DataObject) -> None:
    """Names made of the very characters that escapes are made of stay apart, real and test."""
    other = data.draw(st.lists(st.sampled_from("ax-_.2d78rt"), min_size=1, max_size=6).map("".join))
    tokens = {Scope(brain, is_test).token for brain in {name, other} for is_test in (False, True)}

    assert 2 * len({name, other}) == len(tokens)


def test_the_word_for_people() -> None:
    """A scope reads `real` or `test`."""
    assert [Scope("milo").name, Scope("milo", is_test=True).name] == ["real", "test"]
