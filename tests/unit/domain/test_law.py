"""The constants: their defaults, their limits, and the births they decide."""

import math
from dataclasses import FrozenInstanceError, fields

import pytest

from brainbridge.domain.energy import DEFAULT_LAW, Law
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.naming import camel
from brainbridge.domain.tier import MemoryType, Producer, Tier

PINNED = [
    ("lambda_working", 0.5),
    ("lambda_short_term", 0.05),
    ("lambda_long_term", 0.001),
    ("threshold_working", 2.0),
    ("threshold_short_term", 5.0),
    ("expiry_threshold", 0.1),
    ("long_term_floor", 0.1),
    ("max_energy", 10.0),
    ("boost_amount", 1.0),
    ("birth_crystallization", 3.0),
    ("birth_reminder", 2.5),
    ("birth_learning", 2.0),
    ("birth_user", 3.2974),
    ("birth_inference", 1.2131),
    ("birth_system", 0.2707),
    ("birth_core", 5.4366),
    ("reinforce_gain", 0.25),
    ("reinforce_cap_hours", 1.0),
    ("relate_gain", 0.25),
    ("relate_cap", 5.4366),
    ("contradict_loss", 0.5),
    ("open_interval_minutes", 30.0),
    ("revive_expired", 1.0),
    ("promotion_basis", "run"),
]


@pytest.mark.parametrize(("constant", "value"), PINNED)
def test_the_defaults_are_those_of_the_documents(constant: str, value: float | str) -> None:
    """λ, thresholds and births of document 004; births by producer of document 000 (R-004-14, -18 to -20, R-000-01)."""
    default = getattr(DEFAULT_LAW, constant)
    assert value == (default if isinstance(value, str) else round(default, 4))


def test_every_constant_has_a_pinned_default() -> None:
    """The table above names each constant there is."""
    assert [constant for constant, _ in PINNED] == list(Law.names())


@pytest.mark.parametrize("constant", [field.name for field in fields(Law)])
@pytest.mark.parametrize("value", [-0.1, math.nan, math.inf, "2.0", None, True])
def test_a_constant_is_a_finite_number_of_at_least_0(constant: str, value: object) -> None:
    """Or, of promotionBasis, one of its words; else it is refused by name: a hand edit cannot derail a pass."""
    with pytest.raises(InvalidValue, match=f"{camel(constant)} cannot be"):
        DEFAULT_LAW.with_changes(**{constant: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "constant", ["lambda_working", "lambda_short_term", "lambda_long_term", "expiry_threshold", "max_energy"]
)
def test_what_would_stop_all_fading_is_refused(constant: str) -> None:
    """A λ, an expiry threshold or a cap of 0 is refused."""
    with pytest.raises(InvalidValue, match=f"{camel(constant)} cannot be 0"):
        DEFAULT_LAW.with_changes(**{constant: 0.0})


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"expiry_threshold": 2.0, "long_term_floor": 2.0}, ("expiry_threshold", "threshold_working")),
        ({"threshold_working": 5.0}, ("threshold_working", "threshold_short_term")),
        ({"threshold_short_term": 1.0}, ("threshold_working", "threshold_short_term")),
        ({"threshold_short_term": 10.0}, ("threshold_short_term", "max_energy")),
        ({"max_energy": 4.0}, ("threshold_short_term", "max_energy")),
    ],
)
def test_thresholds_rise_from_expiry_to_the_cap(changes: dict[str, float], names: tuple[str, str]) -> None:
    """expiry < working < shortTerm < cap, each strictly; both offenders are named with their values."""
    with pytest.raises(InvalidValue) as refused:
        DEFAULT_LAW.with_changes(**changes)

    for name in names:
        assert camel(name) in str(refused.value)


def test_the_floor_does_not_lie_below_the_expiry_threshold() -> None:
    """Otherwise longTerm memories at rest would count as expired for every reader."""
    with pytest.raises(InvalidValue, match=r"longTermFloor 0\.05 lies below expiryThreshold 0\.1"):
        DEFAULT_LAW.with_changes(long_term_floor=0.05)


def test_changes_are_checked_as_a_whole() -> None:
    """Two constants that only fit together can be changed together."""
    law = DEFAULT_LAW.with_changes(expiry_threshold=0.3, long_term_floor=0.3)

    assert (law.expiry_threshold, law.long_term_floor) == (0.3, 0.3)
    assert DEFAULT_LAW.expiry_threshold == 0.1


def test_a_law_does_not_change_under_a_run() -> None:
    """The constants are frozen."""
    with pytest.raises(FrozenInstanceError):
        DEFAULT_LAW.lambda_working = 1.0  # type: ignore[misc]


def test_lambda_floor_and_threshold_by_tier() -> None:
    """Each tier has its own; longTerm promotes nowhere and alone has a floor (R-004-38)."""
    by_tier = {
        tier: (DEFAULT_LAW.lambda_per_hour(tier), DEFAULT_LAW.floor(tier), DEFAULT_LAW.threshold(tier)) for tier in Tier
    }

    assert by_tier == {
        Tier.WORKING: (0.5, 0.0, 2.0),
        Tier.SHORT_TERM: (0.05, 0.0, 5.0),
        Tier.LONG_TERM: (0.001, 0.1, None),
        Tier.EXPIRED: (0.0, 0.0, None),
    }


def test_the_way_through_the_tiers() -> None:
    """working → shortTerm → longTerm, and nowhere else (R-004-38)."""
    assert [tier.next for tier in Tier] == [Tier.SHORT_TERM, Tier.LONG_TERM, None, None]


@pytest.mark.parametrize(
    ("memory_type", "producer", "energy"),
    [
        (MemoryType.CRYSTALLIZATION, Producer.USER, 3.0),
        (MemoryType.REMINDER, Producer.USER, 2.5),
        (MemoryType.LEARNING, Producer.USER, 2.0),
        (MemoryType.LEARNING, Producer.SYSTEM, 2.0),
        (None, Producer.USER, 3.2974),
        (None, Producer.INFERENCE, 1.2131),
        (None, Producer.TOOL, 1.2131),
        (None, Producer.IMPORT, 1.2131),
        (None, Producer.SYSTEM, 0.2707),
    ],
)
def test_births(memory_type: MemoryType | None, producer: Producer, energy: float) -> None:
    """By type where there is one, else by producer, tool and import as inference; all working (R-004-20, R-000-01)."""
    tier, born = DEFAULT_LAW.birth(memory_type=memory_type, producer=producer, core=False)

    assert (Tier.WORKING, energy) == (tier, round(born, 4))


@pytest.mark.parametrize("memory_type", [None, *MemoryType])
@pytest.mark.parametrize("producer", list(Producer))
def test_a_core_memory_is_born_in_long_term(memory_type: MemoryType | None, producer: Producer) -> None:
    """core comes before type and producer: longTerm with 5.4366, weight 1.0 (R-000-01)."""
    tier, born = DEFAULT_LAW.birth(memory_type=memory_type, producer=producer, core=True)

    assert (tier, round(born, 4)) == (Tier.LONG_TERM, 5.4366)


@pytest.mark.parametrize(
    ("vocabulary", "words"),
    [
        (Tier, ["working", "shortTerm", "longTerm", "expired"]),
        (MemoryType, ["crystallization", "reminder", "learning"]),
        (Producer, ["user", "inference", "system", "tool", "import"]),
    ],
)
def test_the_closed_words(vocabulary: type[Tier | MemoryType | Producer], words: list[str]) -> None:
    """Tiers and types have the names of document 004, as they stand in the graph (R-004-23)."""
    assert words == [word.value for word in vocabulary]
