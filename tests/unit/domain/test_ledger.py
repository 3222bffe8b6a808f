"""Events of one instant are put in the order in which they happened; what the memory was like after each."""

import random

import pytest

from brainbridge.domain.ledger import Event, Standing, in_order, walk
from brainbridge.domain.tier import Tier
from tests.support import T0, minutes


def event(kind: str, before: float | None, after: float, tier: str = "working", *, at: float = 0) -> Event:
    """An event `at` minutes after T0."""
    return Event(kind, T0 + minutes(at), before, after, Tier(tier))


LIVES = {
    "a birth, two boosts, two promotions": [
        event("born", None, 4.5),
        event("boosted", 4.5, 5.5),
        event("promoted", 5.5, 5.5, "shortTerm"),
        event("boosted", 5.5, 6.5, "shortTerm"),
        event("promoted", 6.5, 6.5, "longTerm"),
    ],
    "limited openings lie between the raising ones": [
        event("born", None, 2.0),
        event("opened", 2.0, 3.0),
        event("opened", 3.0, 3.0),
        event("boosted", 3.0, 4.0),
    ],
    "relations raise and lower": [
        event("born", None, 2.0),
        event("related", 2.0, 2.568),
        event("related", 2.568, 1.557),
        event("boosted", 1.557, 2.557),
    ],
    "pinned before the boost, let go after it": [
        event("born", None, 2.0),
        event("pinned", 2.0, 2.0),
        event("boosted", 2.0, 3.0),
        event("unpinned", 3.0, 3.0),
        event("promoted", 3.0, 3.0, "shortTerm"),
    ],
    "forgotten and restored twice": [
        event("born", None, 2.0),
        event("forgotten", 2.0, 2.0),
        event("restored", 2.0, 2.0),
        event("forgotten", 2.0, 2.0),
        event("restored", 2.0, 2.0),
        event("boosted", 2.0, 3.0),
    ],
    "edited by hand at the instant of its birth, adopted, and boosted": [
        event("born", None, 3.0),
        event("adopted", 1.5, 1.5),
        event("boosted", 1.5, 2.5),
    ],
    "expired and revived": [
        event("born", None, 0.05),
        event("expired", 0.05, 0.05, "expired"),
        event("revived", 0.05, 2.5),
        event("opened", 2.5, 3.5),
    ],
    "expired, then forgotten": [
        event("born", None, 0.05),
        event("expired", 0.05, 0.05, "expired"),
        event("forgotten", 0.05, 0.05, "expired"),
    ],
}


@pytest.mark.parametrize("life", LIVES.values(), ids=LIVES)
def test_events_of_one_instant_are_put_in_order(life: list[Event]) -> None:
    """Each begins with the energy, tier and state that the one before it left, however they come from the graph."""
    for seed in range(50):
        shuffled = random.Random(seed).sample(life, len(life))

        assert life == in_order(shuffled, core=False)


def test_instants_come_before_everything_else() -> None:
    """What the energies say decides only within an instant."""
    later, earlier = event("boosted", 2.0, 3.0, at=5), event("boosted", 3.0, 4.0, at=1)

    assert [earlier, later] == in_order([later, earlier], core=False)


@pytest.mark.parametrize(
    ("kinds", "core_now", "core_then"),
    [
        (["boosted"], True, [True]),
        (["boosted"], False, [False]),
        (["pinned", "boosted"], True, [True, True]),
        (["boosted", "unpinned"], False, [True, False]),
        (["unpinned", "pinned"], True, [False, True]),
    ],
)
def test_whether_a_memory_was_core_follows_from_what_it_is_now(
    kinds: list[str], core_now: bool, core_then: list[bool]
) -> None:
    """A birth does not say so: pinned and unpinned take turns, so the state now and their number tell it (R-000-28)."""
    events = [event(kind, 2.0, 2.0, at=number) for number, kind in enumerate(kinds)]

    assert core_then == [standing.core for _, standing in walk(events, core=core_now)]


def test_a_chain_that_an_edit_broke_keeps_all_its_events() -> None:
    """No event is lost or doubled when nothing fits."""
    events = [event("boosted", 7.0, 8.0), event("boosted", 2.0, 3.0), event("promoted", 9.0, 9.0, "longTerm")]

    assert sorted(map(str, events)) == sorted(map(str, in_order(events, core=False)))


@pytest.mark.parametrize(
    ("standing", "fades"),
    [
        (Standing(T0, 2.0, Tier.WORKING), True),
        (Standing(T0, 2.0, Tier.LONG_TERM), True),
        (Standing(T0, 2.0, Tier.WORKING, core=True), False),
        (Standing(T0, 2.0, Tier.WORKING, archived=True), False),
        (Standing(T0, 0.05, Tier.EXPIRED), False),
    ],
)
def test_what_fades(standing: Standing, fades: bool) -> None:
    """Live memories that are not core, and nothing else (R-000-28, R-004-29)."""
    assert fades is standing.fades
