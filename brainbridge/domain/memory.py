"""A memory as a value, and the rules for its text."""

from dataclasses import dataclass
from datetime import datetime

from brainbridge.domain.clock import after_hours, hours_between
from brainbridge.domain.energy import Law, effective_energy, expires_in_hours, weight_of_energy
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.tier import Tier

# 1 MiB of UTF-8: what a person or an agent means to remember is far below; a pasted log file is not.
MAX_CONTENT_BYTES = 1_048_576


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as it stands in the graph. `energy` is the stored value, valid at `last_decay`."""

    id: str
    content: str
    tier: Tier
    energy: float
    created: datetime
    last_accessed: datetime
    last_decay: datetime
    access_count: int
    is_test: bool
    brain: str
    memory_type: str | None = None
    source_node_id: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    subject: str | None = None
    producer: str | None = None
    core: bool = False
    updated_at: datetime | None = None
    expired_at: datetime | None = None
    expired_from: str | None = None
    promoted_from: str | None = None
    root: str | None = None
    last_opened: datetime | None = None
    forgotten_reason: str | None = None

    @property
    def live(self) -> bool:
        """Neither archived nor expired: the only memories that fade, harden and are recalled."""
        return self.valid_to is None and self.tier is not Tier.EXPIRED

    @property
    def state(self) -> str:
        """`live`, `expired`, `forgotten` or `archived`: the word people read."""
        if self.valid_to is not None:
            return "archived" if self.forgotten_reason is None else "forgotten"
        return "expired" if self.tier is Tier.EXPIRED else "live"

    def energy_at(self, now: datetime, law: Law) -> float:
        """The effective energy at `now`; an archive or an expired memory keeps what it had."""
        if not self.live:
            return self.energy
        return effective_energy(self.energy, self.tier, hours_between(self.last_decay, now), core=self.core, law=law)

    def expires_at(self, law: Law) -> datetime | None:
        """When its energy meets the expiry threshold if nothing happens; None: never, or beyond the calendar."""
        if not self.live:
            return None
        hours = expires_in_hours(self.energy, self.tier, core=self.core, law=law)
        return None if hours is None else after_hours(self.last_decay, hours)

    def weight_at(self, now: datetime, law: Law) -> float:
        """The display weight (0 to 1) of the effective energy at `now`."""
        return weight_of_energy(self.energy_at(now, law))


def checked_content(content: str) -> str:
    """`content` unchanged, if it can be stored and given back byte for byte.

    Raises:
        InvalidValue: empty or blank, over 1 MiB of UTF-8, or holding characters that no UTF-8 text can hold.
    """
    if not content.strip():
        raise InvalidValue("the content is empty. Give the text to remember, or - to read it from standard input.")
    try:
        size = len(content.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise InvalidValue(
            f"the content holds a lone surrogate at character {error.start}, which UTF-8 cannot carry. Give valid text."
        ) from error
    if size > MAX_CONTENT_BYTES:
        raise InvalidValue(
            f"the content is {size:,} bytes; the limit is {MAX_CONTENT_BYTES:,} (1 MiB). Nothing was stored: split it."
        )
    return content


def storable(text: str) -> bool:
    """Whether UTF-8 can carry a text: a lone surrogate cannot be stored."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
