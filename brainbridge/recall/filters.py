"""Which memories a recall may bring back, beside brain and scope."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from brainbridge.domain.memory import Memory
from brainbridge.domain.tier import MemoryType, Tier
from brainbridge.graph.statements.recall import Wanted


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on a hit. None: no condition.

    Attributes:
        tier: `expired` brings back what has faded without another word.
        subject: what it is about, whatever its case.
        since: remembered or restated since then.
        include_expired, include_archived: also what else never comes back.
    """

    tier: Tier | None = None
    memory_type: MemoryType | None = None
    subject: str | None = None
    since: datetime | None = None
    include_expired: bool = False
    include_archived: bool = False

    def states(self) -> Iterator[tuple[str, Wanted]]:
        """The conditions as the statements take them: for the `live` memories and, if asked for, the `past` ones."""
        yield "live", self.live()
        asked = (("ExpiredMemory", self._with_expired), ("ArchivedMemory", self.include_archived))
        if labels := [label for label, wanted in asked if wanted]:
            yield "past", self._wanted(*labels)

    def live(self) -> Wanted:
        """The conditions on live memories."""
        return self._wanted("LiveMemory")

    def _wanted(self, *labels: str) -> Wanted:
        kind = None if self.memory_type is None else self.memory_type.value
        return Wanted(labels, self.tier, kind, self.subject, self.since)

    def take(self, memory: Memory) -> bool:
        """Whether a memory that was named by its id may come back; one that has faded below what is seen may."""
        state = self.include_archived if memory.valid_to is not None else memory.live or self._with_expired
        return (
            state
            and self.tier in (None, memory.tier)
            and self.memory_type in (None, memory.memory_type)
            and (self.subject is None or self.subject.lower() == (memory.subject or "").lower())
            and (self.since is None or (memory.updated_at or memory.created) >= self.since)
        )

    @property
    def _with_expired(self) -> bool:
        return self.include_expired or self.tier is Tier.EXPIRED
