"""How names are written: constants and keys in the graph and in JSON, and a list that stays short."""

from collections.abc import Sequence

MOST_LISTED = 5


def camel(name: str) -> str:
    """`lambda_short_term` as the property name `lambdaShortTerm`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """The first `most` names and how many more there are, for an error: `a, b, c, d, e and 37 more`."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown
