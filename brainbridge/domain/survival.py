"""What the constants mean in practice: how long an untouched memory of each kind lives, and how far it climbs."""

from collections.abc import Iterator
from dataclasses import dataclass

from brainbridge.domain.energy import Law, effective_energy, expires_in_hours
from brainbridge.domain.tier import MemoryType, Producer, Tier


@dataclass(frozen=True, slots=True)
class Survival:
    """The course of one kind of memory that nobody touches. Hours count from birth; None means never."""

    kind: str
    birth: float
    tier: Tier
    promoted_at: tuple[float, ...]
    final_tier: Tier
    expires_at: float | None


def survival(kind: str, tier: Tier, energy: float, *, core: bool, law: Law, run_every_hours: float) -> Survival:
    """Walk one untouched memory through runs `run_every_hours` apart, until its tier no longer changes.

    Only the first run in a tier can promote, because energy only falls; so the walk is at most three steps.
    Where events promote, its birth does, and no run.
    """
    wait = 0.0 if law.by_event else run_every_hours
    start, birth, hours, promoted = tier, energy, 0.0, []
    while not core and (threshold := law.threshold(tier)) is not None and (onward := tier.next) is not None:
        at_run = effective_energy(energy, tier, wait, law=law)
        if at_run <= threshold:
            break
        hours += wait
        promoted.append(hours)
        tier, energy = onward, at_run
    left = expires_in_hours(energy, tier, core=core, law=law)
    expires_at = None if left is None else hours + left
    return Survival(kind, birth, start, tuple(promoted), tier, expires_at)


def survival_table(law: Law, run_every_hours: float = 0.25) -> Iterator[Survival]:
    """One row per kind of birth: the types, the producers, core."""
    for memory_type in MemoryType:
        tier, energy = law.birth(memory_type=memory_type, producer=Producer.USER, core=False)
        yield survival(memory_type, tier, energy, core=False, law=law, run_every_hours=run_every_hours)
    for producer in (Producer.USER, Producer.INFERENCE, Producer.SYSTEM):
        tier, energy = law.birth(memory_type=None, producer=producer, core=False)
        yield survival(f"by {producer}", tier, energy, core=False, law=law, run_every_hours=run_every_hours)
    tier, energy = law.birth(memory_type=None, producer=Producer.USER, core=True)
    yield survival("core", tier, energy, core=True, law=law, run_every_hours=run_every_hours)
