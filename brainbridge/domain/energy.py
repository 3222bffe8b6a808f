"""The energy law as pure functions: the readable twin of cypher/consolidation/decay and cypher/memory/settle.

    E(h) = E · exp(−λ_tier · h)        h in hours; longTerm stops at its floor; core memories do not decay

The Cypher is what writes energies; this module previews and explains them, and gives ConsolidationConfig its first
values. A property test holds the two equal to 1e-9 on a real server. Sources: document 004 (λ, thresholds, births by
type, +1.0 per access), document 000 (births by producer, the floor, the display weight).
"""

import math
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Self

from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.naming import camel
from brainbridge.domain.tier import MemoryType, Producer, PromotionBasis, Tier

# Document 000 speaks of a weight w in [0, 1]; w 0.80, its promotion threshold, is energy 2.0, document 004's.
_WEIGHT_AT_PIVOT = 0.8
_PIVOT_ENERGY = 2.0
_WEIGHT_PER_LOG = 0.2


def energy_of_weight(weight: float) -> float:
    """The energy whose display weight is `weight` (0 to 1): 2 · exp((w − 0.8) / 0.2)."""
    return _PIVOT_ENERGY * math.exp((weight - _WEIGHT_AT_PIVOT) / _WEIGHT_PER_LOG)


def weight_of_energy(energy: float) -> float:
    """The display weight of `energy`: 0.8 + 0.2 · ln(E / 2), clamped to [0, 1]."""
    if energy <= 0:
        return 0.0
    return min(max(_WEIGHT_AT_PIVOT + _WEIGHT_PER_LOG * (math.log(energy) - math.log(_PIVOT_ENERGY)), 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Law:
    """The constants of the law: what one ConsolidationConfig node holds, under the same names in camelCase.

    λ is per hour; energies are in the unit of document 004 (0 to 10); the boost is added, once per access.
    """

    lambda_working: float = 0.5
    lambda_short_term: float = 0.05
    lambda_long_term: float = 0.001
    threshold_working: float = 2.0
    threshold_short_term: float = 5.0
    expiry_threshold: float = 0.1
    long_term_floor: float = 0.1
    max_energy: float = 10.0
    boost_amount: float = 1.0
    birth_crystallization: float = 3.0
    birth_reminder: float = 2.5
    birth_learning: float = 2.0
    birth_user: float = energy_of_weight(0.9)
    birth_inference: float = energy_of_weight(0.7)
    birth_system: float = energy_of_weight(0.4)
    birth_core: float = energy_of_weight(1.0)
    # A restatement multiplies by exp(gain): 0.05 in weight, document 000's ReconfirmBoost.
    reinforce_gain: float = 0.25
    # The cap of a restatement is what one such time of decay leaves at the threshold: document 000's one decay step.
    reinforce_cap_hours: float = 1.0
    # EXTENDS, UPDATES, DERIVES multiply the target by exp(gain), up to the cap: 0.05 in weight, clamped at 1.0.
    relate_gain: float = 0.25
    relate_cap: float = energy_of_weight(1.0)
    # CONTRADICTS divides both ends by exp(loss): 0.10 in weight.
    contradict_loss: float = 0.5
    # Opening the same memory again within this time counts as an access, but adds no energy.
    open_interval_minutes: float = 30.0
    # Whether a restatement of an expired memory brings it back: 1 yes, 0 no.
    revive_expired: float = 1.0
    # Whether promotion and expiry wait for a run, or happen with the event: the only constant that is a word.
    promotion_basis: PromotionBasis = PromotionBasis.RUN

    def __post_init__(self) -> None:
        if self.promotion_basis not in tuple(PromotionBasis):
            raise InvalidValue(
                f"promotionBasis cannot be {self.promotion_basis!r}: it must be {' or '.join(PromotionBasis)}."
            )
        object.__setattr__(self, "promotion_basis", PromotionBasis(self.promotion_basis))
        for field in fields(self):
            if field.name == "promotion_basis":
                continue
            value = getattr(self, field.name)
            if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value) or value < 0:
                raise InvalidValue(f"{camel(field.name)} cannot be {value!r}: it must be a number of at least 0.")
        for name in ("lambda_working", "lambda_short_term", "lambda_long_term", "expiry_threshold", "max_energy"):
            if getattr(self, name) == 0:
                raise InvalidValue(f"{camel(name)} cannot be 0: nothing would ever fade. Give a number above 0.")
        self._refuse_order("expiry_threshold", "threshold_working", "threshold_short_term", "max_energy")
        # Below the threshold a longTerm memory at its floor would count as expired for every reader.
        if self.long_term_floor < self.expiry_threshold:
            raise InvalidValue(
                f"longTermFloor {self.long_term_floor} lies below expiryThreshold {self.expiry_threshold}: "
                "longTerm memories would expire. Raise the floor or lower the threshold."
            )

    def _refuse_order(self, *names: str) -> None:
        for lower, higher in pairwise(names):
            if getattr(self, lower) >= getattr(self, higher):
                raise InvalidValue(
                    f"{camel(lower)} {getattr(self, lower)} is not below {camel(higher)} {getattr(self, higher)}. "
                    "Change one of them."
                )

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The constants' names, in the order they are shown."""
        return tuple(field.name for field in fields(cls))

    def with_changes(self, **changes: float | str) -> Self:
        """The law with some constants changed; the result is checked as a whole."""
        return replace(self, **changes)  # type: ignore[arg-type]  # checked by the new law

    def lambda_per_hour(self, tier: Tier) -> float:
        """λ of a tier, per hour; 0.0 for expired, which no longer fades."""
        return {
            Tier.WORKING: self.lambda_working,
            Tier.SHORT_TERM: self.lambda_short_term,
            Tier.LONG_TERM: self.lambda_long_term,
            Tier.EXPIRED: 0.0,
        }[tier]

    def reinforce_cap(self, tier: Tier) -> float:
        """How far restatements alone can raise a memory of `tier`: threshold · exp(λ · 1 h), so that a memory at the
        cap still stands above its threshold at a run an hour later; in longTerm, which has no threshold, `max_energy`.

        Working 3.2974, shortTerm 5.2564, longTerm 10 with the documented constants (R-000-06).
        """
        threshold = self.threshold(tier)
        if threshold is None:
            return self.max_energy
        return threshold * math.exp(self.lambda_per_hour(tier) * self.reinforce_cap_hours)

    def floor(self, tier: Tier) -> float:
        """The energy below which decay does not go: 0.0 but for longTerm."""
        return self.long_term_floor if tier is Tier.LONG_TERM else 0.0

    def threshold(self, tier: Tier) -> float | None:
        """The energy above which (strictly) a memory of `tier` is promoted; None where nothing promotes."""
        return {Tier.WORKING: self.threshold_working, Tier.SHORT_TERM: self.threshold_short_term}.get(tier)

    @property
    def by_event(self) -> bool:
        """Whether promotion and expiry happen with the event instead of the next run."""
        return self.promotion_basis is PromotionBasis.EVENT

    def birth(self, *, memory_type: MemoryType | None, producer: Producer, core: bool) -> tuple[Tier, float]:
        """Tier and energy of a new memory: core, else by type, else by producer (tool and import as inference)."""
        if core:
            return Tier.LONG_TERM, self.birth_core
        if memory_type is not None:
            by_type = {
                MemoryType.CRYSTALLIZATION: self.birth_crystallization,
                MemoryType.REMINDER: self.birth_reminder,
                MemoryType.LEARNING: self.birth_learning,
            }
            return Tier.WORKING, by_type[memory_type]
        by_producer = {Producer.USER: self.birth_user, Producer.SYSTEM: self.birth_system}
        return Tier.WORKING, by_producer.get(producer, self.birth_inference)


DEFAULT_LAW = Law()


def effective_energy(energy: float, tier: Tier, hours: float, *, core: bool = False, law: Law = DEFAULT_LAW) -> float:
    """What is left of `energy` after `hours` in `tier`.

    Args:
        energy: the stored energy, valid at the memory's lastDecay.
        hours: elapsed time since then; negative counts as 0.
        core: a protected memory, which does not decay.
    """
    if core or hours <= 0:
        return energy
    floor = law.floor(tier)
    if energy <= floor:
        return energy
    return max(energy * math.exp(-law.lambda_per_hour(tier) * hours), floor)


def boosted(energy: float, law: Law = DEFAULT_LAW) -> float:
    """`energy` after one access: max(x, min(x + 1.0, 10)); never lowers."""
    return max(energy, min(energy + law.boost_amount, law.max_energy))


def reinforced(energy: float, tier: Tier, law: Law = DEFAULT_LAW) -> float:
    """`energy` after one restatement: max(x, min(x · exp(0.25), cap)); never lowers (R-000-04 to R-000-07)."""
    return max(energy, min(energy * math.exp(law.reinforce_gain), law.reinforce_cap(tier)))


def supported(energy: float, law: Law = DEFAULT_LAW) -> float:
    """`energy` of the target of EXTENDS, UPDATES or DERIVES: max(x, min(x · exp(0.25), 5.4366)) (R-000-21)."""
    return max(energy, min(energy * math.exp(law.relate_gain), law.relate_cap))


def contradicted(energy: float, tier: Tier, law: Law = DEFAULT_LAW) -> float:
    """`energy` of either end of CONTRADICTS: x · exp(−0.5), in longTerm not below the floor (R-000-22)."""
    return min(energy, max(energy * math.exp(-law.contradict_loss), law.floor(tier)))


def revived(birth: float, restatements: int, law: Law = DEFAULT_LAW) -> float:
    """Energy of an expired memory that is restated: min(cap, birth · exp(0.25 · k)), k restatements so far."""
    return min(law.reinforce_cap(Tier.WORKING), birth * math.exp(law.reinforce_gain * restatements))


def expires_in_hours(energy: float, tier: Tier, *, core: bool = False, law: Law = DEFAULT_LAW) -> float | None:
    """Hours until untouched `energy` meets the expiry threshold: ln(E / 0.1) / λ; None if it never does."""
    if core or tier in (Tier.LONG_TERM, Tier.EXPIRED):
        return None
    if energy < law.expiry_threshold:
        return 0.0
    return math.log(energy / law.expiry_threshold) / law.lambda_per_hour(tier)


def checked_energy(energy: float) -> float:
    """`energy`, if a memory may carry it: a finite number of at least 0.

    Raises:
        InvalidValue: negative, infinite or not a number.
    """
    if not math.isfinite(energy) or energy < 0:
        raise InvalidValue(f"the energy cannot be {energy}: it must be a number of at least 0, such as 2.5.")
    return float(energy)
