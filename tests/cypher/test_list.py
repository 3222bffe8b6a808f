"""inspect/list_ranked: the order of a list, what is in it, and what stays out."""

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import InvalidValue
from tests.support import T0, create_test_memories, hours, query

MEMORIES = [
    ("high in working", 3.0, "working"),
    ("low in working", 0.5, "working"),
    ("middle in shortTerm", 1.0, "shortTerm"),
    ("long", 5.0, "longTerm"),
    ("gone", 0.05, "expired"),
]


@pytest.fixture
def peopled(brain: Brain) -> Brain:
    """Five test memories and a real one."""
    create_test_memories(brain, [memory for memory in MEMORIES if memory[2] != "expired"])
    create_test_memories(brain, [("gone", 0.05, "working")])
    brain.expire(test=True, now=T0)
    brain.remember("a real memory", at=T0)
    return brain


def contents(brain: Brain, **options: object) -> list[str]:
    """The contents of a list of test memories at T0 + 4 h, when working has fallen to 13.5 %."""
    ranking = brain.ranked(test=True, now=T0 + hours(4), **options)  # type: ignore[arg-type]
    return [memory.content for memory in ranking.memories]


def test_the_list_goes_by_the_energy_of_now(peopled: Brain) -> None:
    """Not by the stored one: working fades ten times as fast as shortTerm. Expired and real ones are not in it."""
    assert ["long", "middle in shortTerm", "high in working", "low in working"] == contents(peopled)


def test_fading_lists_what_expires_soonest(peopled: Brain) -> None:
    """0.5 falls below 0.1 after 3.2 h, 3.0 after 6.8 h, 1.0 in shortTerm after 46 h; longTerm never does."""
    assert ["low in working", "high in working", "middle in shortTerm", "long"] == contents(peopled, fading=True)


@pytest.mark.parametrize(
    ("tier", "expected"),
    [("working", ["high in working", "low in working"]), ("expired", ["gone"]), ("longTerm", ["long"])],
)
def test_one_tier(peopled: Brain, tier: str, expected: list[str]) -> None:
    """Only its memories; the expired ones are asked for by name."""
    assert expected == contents(peopled, tier=tier)


def test_a_cut_list_says_so(peopled: Brain) -> None:
    """Two of four; all four are not cut."""
    cut, whole = (peopled.ranked(test=True, limit=limit, now=T0) for limit in (2, 4))

    assert (2, True) == (len(cut.memories), cut.truncated)
    assert (4, False) == (len(whole.memories), whole.truncated)


@pytest.mark.parametrize("limit", [0, 10_001])
def test_a_limit_out_of_range_is_refused(brain: Brain, limit: int) -> None:
    """Nothing is read."""
    with pytest.raises(InvalidValue, match="from 1 to 10,000"):
        brain.ranked(limit=limit)


@pytest.mark.parametrize("spoiled", ["m.energy = 'much'", "m.lastDecay = 'yesterday'", "m.energy = -1.0"])
def test_what_a_hand_edit_spoiled_is_left_out(peopled: Brain, spoiled: str) -> None:
    """The others are listed; health names the one that is missing."""
    query(
        peopled.graph,
        f"MATCH (m:LiveMemory {{brain: $b, isTest: true, content: 'long'}}) SET {spoiled}",
        b=peopled.name,
    )

    assert ["middle in shortTerm", "high in working", "low in working"] == contents(peopled)
