"""Replays a ledger through the law (domain/energy.py): is every energy the one that the events before it lead to?

Between two events an energy only decays, and decay composes, so it needs no events: `before` of an event follows from
`after` of the one above it, and the stored energy from the last one. A replay begins at the oldest event that is kept.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from brainbridge.domain.clock import hours_between
from brainbridge.domain.energy import Law, boosted, contradicted, effective_energy, reinforced, supported
from brainbridge.domain.ledger import FOUND, Event, Standing, walk
from brainbridge.domain.tier import Tier

# How far an energy may be off, relative to itself: ten thousand times what rounding adds in a year of quarter hours.
EXACT = 1e-9
# A change of the constants settles every memory at one instant, and is in force from that instant on; until it is
# committed, events still go by the constants before it. A million memories are settled in half a minute.
CHANGEOVER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Laws:
    """The constants of a brain through time.

    `stretches`: pairs of the instant from which a law is in force, and the law; oldest first, at least one. The first
    reaches back without end: memories may be older than the brain that they were imported into.
    """

    stretches: tuple[tuple[datetime, Law], ...]

    def at(self, instant: datetime) -> Law:
        """The law in force at `instant`."""
        return self.stretches[self._index(instant)][1]

    def left(self, standing: Standing, instant: datetime) -> float:
        """What is left at `instant` of the energy that a memory stood with; each stretch of time by its own law."""
        energy, since = standing.energy, standing.at
        if not standing.fades:
            return energy
        last = self._index(instant)
        for index in range(self._index(since), last + 1):
            until = instant if index == last else self.stretches[index + 1][0]
            law = self.stretches[index][1]
            energy = effective_energy(energy, standing.tier, hours_between(since, until), law=law)
            since = until
        return energy

    def readings(self, instant: datetime) -> Iterator["Laws"]:
        """How an event at `instant` may have seen the laws: as they are, or without the changes of just before it."""
        yield self
        index = self._index(instant)
        while index > 0 and instant - self.stretches[index][0] < CHANGEOVER:
            yield Laws(self.stretches[:index])
            index -= 1

    def _index(self, instant: datetime) -> int:
        # The first stretch has no beginning, so it is not looked at.
        return bisect_right(self.stretches, instant, lo=1, key=lambda stretch: stretch[0]) - 1


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a replay and the graph part: `what` (before, after, energy, tier) of `event`, expected and found.

    `event` is the kind of the event, or `stored` for what the memory itself carries.
    """

    event: str
    at: datetime
    what: str
    expected: float | str
    found: float | str


def replay(events: Iterable[Event], stored: Standing, laws: Laws) -> list[Fault]:
    """Every place where a memory's ledger and its stored energy do not follow from each other by the law.

    After a fault the replay goes on from what the ledger says, so one wrong energy is one fault.

    Args:
        events: the memory's ledger, in any order.
        stored: what the memory carries; its `at` is lastDecay. Without events nothing can be said of it.
    """
    faults, last = list[Fault](), None
    for event, standing in walk(events, core=stored.core):
        faults += _first(laws, event.at, _Check(last, event))
        last = standing
    if last is not None:
        faults += _first(laws, stored.at, _StoredCheck(last, stored))
    return faults


def course(standings: Sequence[Standing], laws: Laws, until: datetime, points: int) -> list[float]:
    """The energy from the first standing to `until` in `points` equal steps: each the highest of its step."""
    span = until - standings[0].at
    if span <= timedelta(0):
        return [standings[-1].energy]
    heights, last, ahead = list[float](), standings[0], list(standings)
    for point in range(1, points + 1):
        end = standings[0].at + span * point / points
        height = 0.0
        while ahead and ahead[0].at <= end:
            last = ahead.pop(0)
            height = max(height, last.energy)
        heights.append(max(height, laws.left(last, end)))
    return heights


def _first(laws: Laws, at: datetime, check: Callable[[Laws], Fault | None]) -> list[Fault]:
    """The fault by the laws as they are, unless some reading of them has none."""
    found = list[Fault]()
    for reading in laws.readings(at):
        fault = check(reading)
        if fault is None:
            return []
        found.append(fault)
    return found[:1]


@dataclass(frozen=True, slots=True)
class _Check:
    """Does one event follow from how the memory stood before it?"""

    last: Standing | None
    event: Event

    def __call__(self, laws: Laws) -> Fault | None:
        event, last = self.event, self.last
        if last is not None and event.kind not in FOUND:
            expected = last.tier_after(event)
            if expected is not event.tier:
                return Fault(event.kind, event.at, "tier", str(expected or "none"), event.tier.value)
            left = laws.left(last, event.at)
            if event.before is None or not _meets(left, event.before):
                return Fault(event.kind, event.at, "before", left, math.nan if event.before is None else event.before)
        outcomes = _OUTCOMES.get(event.kind)
        if outcomes is None or event.before is None:
            return None
        allowed = outcomes(event.before, event, laws.at(event.at))
        if any(_meets(one, event.after) for one in allowed):
            return None
        return Fault(event.kind, event.at, "after", allowed[0], event.after)


@dataclass(frozen=True, slots=True)
class _StoredCheck:
    """Does the stored energy follow from the last event?"""

    last: Standing
    stored: Standing

    def __call__(self, laws: Laws) -> Fault | None:
        if self.stored.tier is not self.last.tier:
            return Fault("stored", self.stored.at, "tier", self.last.tier.value, self.stored.tier.value)
        left = laws.left(self.last, self.stored.at)
        if not _meets(left, self.stored.energy):
            return Fault("stored", self.stored.at, "energy", left, self.stored.energy)
        return None


def _meets(expected: float, found: float) -> bool:
    return math.isclose(expected, found, rel_tol=EXACT, abs_tol=1e-12)


_Outcomes = Callable[[float, Event, Law], Sequence[float]]


def _unchanged(before: float, event: Event, law: Law) -> Sequence[float]:
    return (before,)


def _revival(before: float, event: Event, law: Law) -> Sequence[float]:
    # The birth and the count of restatements it goes by are not in the ledger, its upper end is.
    return (min(event.after, law.reinforce_cap(Tier.WORKING)),)


# What an event may make of an energy. Kinds that are not here may leave any.
_OUTCOMES: Mapping[str, _Outcomes] = {
    "boosted": lambda before, _, law: (boosted(before, law),),
    "opened": lambda before, _, law: (boosted(before, law), before),  # the second: too soon after the last opening
    "reinforced": lambda before, event, law: (reinforced(before, event.tier, law),),
    "related": lambda before, event, law: (supported(before, law), contradicted(before, event.tier, law)),
    "revived": _revival,
    **dict.fromkeys(("promoted", "expired", "pinned", "unpinned", "forgotten", "restored", "superseded"), _unchanged),
}
