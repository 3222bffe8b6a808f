"""The words for relations: a closed set, with the one that may not be declared refused by its reason."""

import pytest

from brainbridge.domain.errors import InvalidValue, Refused
from brainbridge.domain.relation import Declaration, Relation, checked_relation, declaration


@pytest.mark.parametrize("relation", Relation)
def test_the_word_is_the_type_in_lower_case(relation: Relation) -> None:
    """extends, updates, derives, contradicts at the doors; EXTENDS … in the graph (R-000-18)."""
    assert (relation.name.lower(), relation, relation) == (
        relation.value,
        checked_relation(relation.value),
        checked_relation(relation.name),
    )


@pytest.mark.parametrize("word", ["co_recalled", "CO_RECALLED", " co_recalled "])
def test_co_recalled_is_refused_with_the_reason(word: str) -> None:
    """Declaring it would forge usage and mask the real signal (R-003-10)."""
    with pytest.raises(Refused, match="forge that usage and hide the real signal"):
        checked_relation(word)


@pytest.mark.parametrize("word", ["", "extend", "PROMOTED_TO", "extends|updates"])
def test_an_unknown_word_lists_the_known_ones(word: str) -> None:
    """The set is closed (R-000-18)."""
    with pytest.raises(InvalidValue, match="extends, updates, derives, contradicts"):
        checked_relation(word)


@pytest.mark.parametrize(
    ("word", "targets"), [(None, ["a note"]), ("extends", []), ("extends", [" "]), ("extends", ["a note", ""])]
)
def test_a_relation_needs_its_target_and_the_reverse(word: str | None, targets: list[str]) -> None:
    """One without the other is an error, not a guess (R-000-20)."""
    with pytest.raises(InvalidValue):
        declaration(word, targets)


def test_both_or_neither_is_fine() -> None:
    """A new memory may be declared related or not (R-000-19)."""
    assert declaration(None, []) is None
    assert Declaration(Relation.UPDATES, ("a", "b")) == declaration("updates", ["a", "b", "a"])
