"""The relations that people and agents declare between two memories. brainbridge never makes one up."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from brainbridge.domain.errors import InvalidValue, Refused

# Counted from what is opened together; in lower case in the graph too, so that nobody takes it for a statement.
DERIVED = "co_recalled"


class Relation(StrEnum):
    """A closed set. The value is the word people write, the name is the relationship's type in the graph.

    EXTENDS, UPDATES and DERIVES strengthen their target; CONTRADICTS weakens both ends (R-000-21, R-000-22).
    """

    EXTENDS = "extends"
    UPDATES = "updates"
    DERIVES = "derives"
    CONTRADICTS = "contradicts"


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a note says of memories that are there: its relation to each of `targets`, which are REFs."""

    relation: Relation
    targets: tuple[str, ...]


def checked_relation(word: str) -> Relation:
    """The relation that `word` names, in either case.

    Raises:
        Refused: `co_recalled`, which is counted and never declared. InvalidValue: no relation has that name.
    """
    lowered = word.strip().lower()
    if lowered == DERIVED:
        raise Refused(
            f"{DERIVED} cannot be declared: it is counted from memories that are opened together, and one written by "
            f"hand would forge that usage and hide the real signal. Declare one of {', '.join(Relation)}."
        )
    try:
        return Relation(lowered)
    except ValueError:
        raise InvalidValue(f"{word!r} is not a relation. Use one of {', '.join(Relation)}.") from None


def declaration(word: str | None, related_to: Sequence[str]) -> Declaration | None:
    """What a new memory says of the memories that `related_to` names; None if neither is given.

    Raises:
        InvalidValue: one without the other, or an unknown relation. Refused: `co_recalled`.
    """
    if word is None and not related_to:
        return None
    if word is None:
        raise InvalidValue(f"related to {related_to[0]!r}, but how? Name a relation too: {', '.join(Relation)}.")
    relation = checked_relation(word)
    if not related_to or not all(ref.strip() for ref in related_to):
        raise InvalidValue(f"the relation {relation} lacks its target. Name the memory that it leads to.")
    return Declaration(relation, tuple(dict.fromkeys(related_to)))
