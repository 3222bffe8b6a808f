"""What the tools take: the limits of each argument, as the schema tells them and as they are enforced.

Closed sets of words stand in the schema, but it is the domain that checks them: its errors list the words and say why.
"""

import difflib
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError, WithJsonSchema

from brainbridge.domain.relation import Relation
from brainbridge.domain.tier import MemoryType, Producer, Tier

MAX_QUERY = 2_000  # characters
MAX_CONTENT = 16_000  # characters; a memory is a note. Longer ones are for the command line, up to 1 MiB.
MAX_LINE = 500  # characters of a reference, a subject, a reason
MAX_HITS = 25
MAX_MISSES = 50
MAX_DAYS = 36_500


def _one_of(kind: type[StrEnum]) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": [member.value for member in kind]})


def _one_of_or_none(kind: type[StrEnum]) -> WithJsonSchema:
    return WithJsonSchema({"type": ["string", "null"], "enum": [*(member.value for member in kind), None]})


_NULL_IS_EMPTY = BeforeValidator(lambda value: "" if value is None else value)

Query = Annotated[str, Field(min_length=1, max_length=MAX_QUERY, description="a question, or words; taken literally")]
Content = Annotated[
    str, Field(min_length=1, max_length=MAX_CONTENT, description="one fact in a sentence that is clear without context")
]
Ref = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_LINE,
        description="an id, its first 6 or more characters, or a piece of text that no other memory has",
    ),
]
# Optional texts are empty, not null: a text that may be null the SDK takes for JSON first, and "[1]" becomes a list.
Subject = Annotated[
    str, _NULL_IS_EMPTY, Field(max_length=MAX_LINE, description="what it is about, in a word or two; empty: none")
]
Reason = Annotated[str, _NULL_IS_EMPTY, Field(max_length=MAX_LINE, description="why; kept with the memory")]
HitLimit = Annotated[int, Field(ge=1, le=MAX_HITS, description="the most hits")]
MissLimit = Annotated[int, Field(ge=1, le=MAX_MISSES, description="the most questions")]
Days = Annotated[
    float | None, Field(gt=0, le=MAX_DAYS, description="only what was remembered or restated in so many last days")
]
WithExpired = Annotated[bool, Field(description="also what has faded away")]
WithArchived = Annotated[bool, Field(description="also what was forgotten, promoted or superseded")]
Offset = Annotated[int, Field(ge=0, description="the character to begin at, to read on in a long note")]
TierWord = Annotated[str | None, Field(description="only memories of this tier"), _one_of_or_none(Tier)]
TypeFilter = Annotated[str | None, Field(description="only memories of this type"), _one_of_or_none(MemoryType)]
TypeWord = Annotated[
    str | None,
    Field(
        description="crystallization: an insight that should last; learning: something learned; reminder: something "
        "to do; none: a plain fact. Decides how long it lives unused"
    ),
    _one_of_or_none(MemoryType),
]
ProducerWord = Annotated[
    str,
    Field(description="who it comes from: user if a person said it, inference if you concluded it, tool if a tool did"),
    _one_of(Producer),
]
RelationWord = Annotated[str, Field(description="what the first memory does to the second"), _one_of(Relation)]
OwnRelation = Annotated[
    str | None, Field(description="what this note does to the memory of related_to"), _one_of_or_none(Relation)
]
RelatedTo = Annotated[
    str, _NULL_IS_EMPTY, Field(max_length=MAX_LINE, description="the memory that relation leads to; given as a ref")
]


def problem(error: ValidationError) -> str:
    """What is wrong with a call: which argument, and what it must be. A text is not quoted, it may be long."""
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "missing":
        return f"the argument {name} is missing. Give it."
    value = first["input"]
    if isinstance(value, str):
        shown = f"a text of {len(value):,} characters"
    else:
        shown = repr(value) if isinstance(value, bool | int | float | None) else f"a {type(value).__name__}"
    return f"the argument {name} cannot be {shown}: {first['msg']}. Nothing was done."


def unknown(given: Iterable[str], known: Iterable[str]) -> str | None:
    """What is to be said of the first argument that a tool does not have; None if it has them all."""
    names = sorted(known)
    for name in given:
        if name not in names:
            close = difflib.get_close_matches(name, names, n=1)
            hint = f"Did you mean {close[0]}?" if close else f"There are: {', '.join(names) or 'none'}."
            return f"there is no argument {name!r}. {hint} Nothing was done."
    return None
