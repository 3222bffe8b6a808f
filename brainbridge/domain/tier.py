"""The closed words of the model: tiers, types, producers, bases. Their values are what stands in the graph."""

from enum import StrEnum
from typing import TypeVar

from brainbridge.domain.errors import InvalidValue

W = TypeVar("W", bound=StrEnum)


class Tier(StrEnum):
    """How far a memory has hardened. `expired` is an end, not a stage: it decays and promotes nowhere."""

    WORKING = "working"
    SHORT_TERM = "shortTerm"
    LONG_TERM = "longTerm"
    EXPIRED = "expired"

    @property
    def next(self) -> "Tier | None":
        """The tier a promotion leads to, or None where there is none."""
        return _NEXT.get(self)


_NEXT = {Tier.WORKING: Tier.SHORT_TERM, Tier.SHORT_TERM: Tier.LONG_TERM}

LIVE_TIERS = (Tier.WORKING, Tier.SHORT_TERM, Tier.LONG_TERM)
# shortTerm first, so that a memory climbs one tier per run.
PROMOTION_ORDER = (Tier.SHORT_TERM, Tier.WORKING)
# longTerm has a floor at the expiry threshold and core memories live there, so neither ever expires.
EXPIRY_ORDER = (Tier.WORKING, Tier.SHORT_TERM)


class MemoryType(StrEnum):
    """What kind of note a memory is; decides its energy at birth."""

    CRYSTALLIZATION = "crystallization"
    REMINDER = "reminder"
    LEARNING = "learning"


class Producer(StrEnum):
    """Who made a memory; decides its energy at birth when it has no type."""

    USER = "user"
    INFERENCE = "inference"
    SYSTEM = "system"
    TOOL = "tool"
    IMPORT = "import"


class PromotionBasis(StrEnum):
    """When a memory above its threshold is promoted, and one below the expiry threshold counts as expired.

    `run`: at the next run, by the energy that is left then. `event`: at once; what came of a memory then depends on its
    events alone, not on when runs happened.
    """

    RUN = "run"
    EVENT = "event"


def word(kind: type[W], value: W | str) -> W:
    """`value` as a member of the closed set of words `kind`.

    Raises:
        InvalidValue: it is none; all of them are listed.
    """
    try:
        return kind(value)
    except ValueError:
        raise InvalidValue(f"{value!r} is not a {kind.__name__}. Use one of {', '.join(kind)}.") from None
