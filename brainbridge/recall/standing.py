"""How a found memory stands at the instant of a page: its weight, and whether that is enough to be seen."""

from dataclasses import dataclass
from datetime import datetime

from brainbridge.domain.clock import MS_PER_HOUR, epoch_ms
from brainbridge.domain.energy import Law, effective_energy, weight_of_energy
from brainbridge.graph.statements.recall import Found

_MS_PER_DAY = 24 * MS_PER_HOUR


@dataclass(frozen=True, slots=True)
class Standing:
    """The instant of a page, and the law it is read by.

    `min_confidence`: the least raw weight (0 to 1) of a live memory; freshness never counts towards it (R-000-33).
    """

    law: Law
    at: datetime
    min_confidence: float

    def weight(self, found: Found) -> float:
        """The display weight (0 to 1) of its effective energy."""
        if not found.live:
            return weight_of_energy(found.energy)
        hours = (epoch_ms(self.at) - found.last_decay) / MS_PER_HOUR
        return weight_of_energy(effective_energy(found.energy, found.tier, hours, core=found.core, law=self.law))

    def age_days(self, found: Found) -> float:
        """Days since it was remembered or last restated."""
        since = found.last_decay if found.updated_at is None else found.updated_at
        return max(epoch_ms(self.at) - since, 0) / _MS_PER_DAY

    def shows(self, found: Found) -> bool:
        """Whether it may be seen. What is not live is only found if it was asked for, whatever it weighs."""
        return not found.live or self.weight(found) >= self.min_confidence
