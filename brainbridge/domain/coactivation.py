"""Co-activation: two memories that are opened in the same stretch of work are probably about the same work.

Each pair that is opened within half an hour fires once a UTC day. Between two fires its weight halves in 30 days. Both
are counted when somebody looks, so reading writes nothing. Opened daily a pair goes .150, .275, .378, .464, .535 and
settles at 0.8854. These are document 003's numbers; docs/explanation/learning.md says what they mean.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

# Two openings no further apart than this belong together.
WINDOW = timedelta(minutes=30)
# What a fire adds of what is missing to 1.
RATE = 0.15
HALF_LIFE = timedelta(days=30)
# Pairs that one memory keeps; beyond them the weakest goes.
MOST = 32
# From here on a pair is called "often recalled with" and moves a candidate ranking: five days in a row.
VISIBLE = 0.5


def faded(weight: float, elapsed: timedelta) -> float:
    """What is left of `weight` after `elapsed`; a clock that steps back takes nothing away and adds nothing."""
    return float(weight * 0.5 ** (max(elapsed, timedelta(0)) / HALF_LIFE))


def fired(weight: float) -> float:
    """The weight after a fire, from the weight that is left just then."""
    return weight + RATE * (1.0 - weight)


def pair_of(one: str, other: str) -> str:
    """The key of a pair, the lower root first. A promotion keeps roots, so it never starts a second pair."""
    return f"{min(one, other)}|{max(one, other)}"


def utc_day(instant: datetime) -> str:
    """The UTC day as text: 2026-12-01."""
    return instant.astimezone(UTC).date().isoformat()


@dataclass(frozen=True, slots=True)
class Bond:
    """One pair: `weight` is that of `last_fired`."""

    weight: float
    last_fired: datetime
    fires: int = 1

    def weight_at(self, now: datetime) -> float:
        """The effective weight."""
        return faded(self.weight, now - self.last_fired)

    def fired_at(self, now: datetime) -> "Bond":
        """The pair after a fire at `now`; itself if it has fired on that UTC day already, or later."""
        if utc_day(self.last_fired) >= utc_day(now):
            return self
        return Bond(fired(self.weight_at(now)), now, self.fires + 1)


def first_bond(now: datetime) -> Bond:
    """A pair that fires for the first time."""
    return Bond(fired(0.0), now)


@dataclass(frozen=True, slots=True)
class Companion:
    """A memory that another one is often opened together with; `weight` is the effective one."""

    id: str
    content: str
    weight: float


@dataclass(frozen=True, slots=True)
class Life:
    """What a memory's ledger says of its openings, for counting all of them again.

    Attributes:
        root: the first id of its lineage.
        openings: the instants at which it was opened.
        changes: instants from which it was live (True) or not (False), in order; before the first one it was live.
    """

    root: str
    openings: tuple[datetime, ...]
    changes: tuple[tuple[datetime, bool], ...] = ()

    def live_at(self, instant: datetime) -> bool:
        """Whether it was live at `instant`."""
        state = True
        for since, live in self.changes:
            if since > instant:
                break
            state = live
        return state


@dataclass(slots=True)
class _Bonds:
    """All pairs, and for each root the pairs it has."""

    by_pair: dict[str, Bond] = field(default_factory=dict)
    of: dict[str, set[str]] = field(default_factory=dict)

    def put(self, pair: str, bond: Bond) -> None:
        self.by_pair[pair] = bond
        for root in pair.split("|"):
            self.of.setdefault(root, set()).add(pair)

    def remove(self, pair: str) -> None:
        del self.by_pair[pair]
        for root in pair.split("|"):
            self.of[root].discard(pair)

    def trim(self, root: str, just_fired: Collection[str]) -> None:
        """Keep the MOST strongest pairs of `root`; one that fired just now goes only if there are too many of those."""
        # All weights fade alike, so any one instant orders them.
        latest = max(self.by_pair[pair].last_fired for pair in self.of[root])
        ranked = sorted(
            self.of[root], key=lambda pair: (pair not in just_fired, -self.by_pair[pair].weight_at(latest), pair)
        )
        for pair in ranked[MOST:]:
            self.remove(pair)


def count_again(lives: Iterable[Life], related_since: Mapping[str, datetime]) -> dict[str, Bond]:
    """Every pair as it follows from the openings alone: the same that openings one by one have made (R-003-11).

    Args:
        lives: the memories with their openings, of one brain and scope.
        related_since: by pair, since when somebody has declared a relation between the two; such pairs do not fire.
    """
    bonds = _Bonds()
    recent: dict[str, datetime] = {}
    by_root = {life.root: life for life in lives}
    openings = sorted((at, life.root) for life in by_root.values() for at in life.openings)
    for at, root in openings:
        recent = {other: opened for other, opened in recent.items() if at - opened <= WINDOW}
        together = sorted(other for other in recent if other != root and by_root[other].live_at(at))
        just_fired = set[str]()
        for other in together:
            pair = pair_of(root, other)
            declared = related_since.get(pair)
            if declared is not None and declared <= at:
                continue
            before = bonds.by_pair.get(pair)
            after = first_bond(at) if before is None else before.fired_at(at)
            if after is not before:
                bonds.put(pair, after)
                just_fired.add(pair)
        for one in [root, *together]:
            if len(bonds.of.get(one, ())) > MOST:
                bonds.trim(one, just_fired)
        recent[root] = at
    return bonds.by_pair
