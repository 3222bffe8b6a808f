"""The energy law as pure functions: document 004's decay, document 000's weight."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.domain.energy import (
    DEFAULT_LAW,
    Law,
    boosted,
    checked_energy,
    contradicted,
    effective_energy,
    energy_of_weight,
    expires_in_hours,
    reinforced,
    revived,
    supported,
    weight_of_energy,
)
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.tier import LIVE_TIERS, Tier

EXACT = 1e-9

energies = st.floats(min_value=0, max_value=10)
spans = st.floats(min_value=0, max_value=5_000)  # hours
tiers = st.sampled_from(LIVE_TIERS)


@pytest.mark.parametrize(
    ("tier", "lambda_per_hour"), [(Tier.WORKING, 0.5), (Tier.SHORT_TERM, 0.05), (Tier.LONG_TERM, 0.001)]
)
def test_energy_falls_by_e_to_the_minus_lambda_per_hour(tier: Tier, lambda_per_hour: float) -> None:
    """E(t) = E₀·e^(−λt), λ per hour: 0.5 working, 0.05 shortTerm, 0.001 longTerm (R-004-13, R-004-14)."""
    left = effective_energy(3.0, tier, 7.0)

    assert pytest.approx(3.0 * math.exp(-lambda_per_hour * 7.0), rel=EXACT) == left


def test_one_hour_of_working_decay_is_the_documents_own_record() -> None:
    """2.0 becomes 1.213 in exactly one hour of working memory: this settles the unit of λ (R-004-15)."""
    left = effective_energy(2.0, Tier.WORKING, 1.0)

    assert round(left, 3) == 1.213


@pytest.mark.parametrize(
    ("tier", "hours"),
    [(Tier.WORKING, 1.386294), (Tier.SHORT_TERM, 13.862944), (Tier.LONG_TERM, 693.147181)],
)
def test_half_lives(tier: Tier, hours: float) -> None:
    """Half of the energy is left after 1.39 h, 13.9 h and 28.9 days."""
    left = effective_energy(4.0, tier, hours)

    assert pytest.approx(2.0, rel=1e-6) == left


@given(energies, tiers, st.lists(spans, min_size=1, max_size=12), st.booleans())
def test_decay_composes_over_any_partition_of_time(energy: float, tier: Tier, parts: list[float], core: bool) -> None:
    """However a stretch of time is cut into passes, the energy at its end is the same (R-004-17)."""
    in_steps = energy
    for part in parts:
        in_steps = effective_energy(in_steps, tier, part, core=core)

    at_once = effective_energy(energy, tier, math.fsum(parts), core=core)

    assert pytest.approx(at_once, rel=EXACT, abs=EXACT) == in_steps


def test_one_pass_of_six_hours_equals_twenty_four_of_a_quarter() -> None:
    """1.5 working decays to 0.0747 in 6 h in one run or in 24; measured from the last access it would be 8e-17."""
    in_quarters, from_last_access = 1.5, 1.5
    for quarter in range(1, 25):
        in_quarters = effective_energy(in_quarters, Tier.WORKING, 0.25)
        from_last_access = effective_energy(from_last_access, Tier.WORKING, 0.25 * quarter)

    assert pytest.approx(effective_energy(1.5, Tier.WORKING, 6.0), rel=EXACT) == in_quarters
    assert round(in_quarters, 4) == 0.0747
    assert f"{from_last_access:.0e}" == "8e-17"


@given(energies, st.sampled_from(list(Tier)), st.floats(min_value=-5_000, max_value=5_000), st.booleans())
def test_decay_never_raises_an_energy(energy: float, tier: Tier, hours: float, core: bool) -> None:
    """Whatever the span, also a negative one, no more energy is left than there was, and never less than 0."""
    left = effective_energy(energy, tier, hours, core=core)

    assert 0 <= left <= energy


@given(energies, tiers, st.floats(max_value=0, min_value=-5_000))
def test_a_clock_that_steps_back_changes_nothing(energy: float, tier: Tier, hours: float) -> None:
    """A negative span counts as none (P10)."""
    assert energy == effective_energy(energy, tier, hours)


@given(energies, spans)
def test_long_term_stops_at_its_floor(energy: float, hours: float) -> None:
    """longTerm falls to 0.1 and no further; what lies below the floor stays where it is (R-000-27)."""
    floor = DEFAULT_LAW.long_term_floor

    left = effective_energy(energy, Tier.LONG_TERM, hours)

    assert min(energy, floor) <= left
    if energy <= floor:
        assert energy == left


@pytest.mark.parametrize(("energy", "days"), [(5.0, 163.0), (10.0, 191.9)])
def test_when_a_long_term_memory_reaches_the_floor(energy: float, days: float) -> None:
    """5.0 reaches the floor after 163 days, 10 after 192, and stays there (model §5)."""
    just_before = effective_energy(energy, Tier.LONG_TERM, (days - 0.5) * 24)
    just_after = effective_energy(energy, Tier.LONG_TERM, (days + 0.5) * 24)
    ten_years = effective_energy(energy, Tier.LONG_TERM, 87_600)

    assert just_before > 0.1
    assert (just_after, ten_years) == (0.1, 0.1)


@given(energies, tiers, spans)
def test_core_never_decays(energy: float, tier: Tier, hours: float) -> None:
    """A core memory keeps its energy in every tier (R-000-28)."""
    assert energy == effective_energy(energy, tier, hours, core=True)


@given(energies, spans)
def test_expired_does_not_fade_further(energy: float, hours: float) -> None:
    """An expired memory keeps the energy it ended with (R-004-29)."""
    assert energy == effective_energy(energy, Tier.EXPIRED, hours)


@pytest.mark.parametrize(
    ("weight", "energy"), [(0.2, 0.0996), (0.4, 0.2707), (0.7, 1.2131), (0.8, 2.0), (0.9, 3.2974), (1.0, 5.4366)]
)
def test_weights_of_document_000_on_the_energy_scale(weight: float, energy: float) -> None:
    """w = 0.8 + 0.2·ln(E/2): document 000's promotion threshold 0.80 is document 004's 2.0 (R-000-01)."""
    assert energy == round(energy_of_weight(weight), 4)
    assert pytest.approx(weight, abs=EXACT) == weight_of_energy(energy_of_weight(weight))


@given(st.floats(min_value=0, max_value=1))
def test_weight_and_energy_are_inverse(weight: float) -> None:
    """Every weight from 0 to 1 comes back from its energy."""
    assert pytest.approx(weight, abs=EXACT) == weight_of_energy(energy_of_weight(weight))


@given(st.just(0.0) | st.floats(min_value=1e-300, max_value=1e300), st.floats(min_value=1e-300, max_value=1e300))
def test_the_display_weight_is_monotonic_and_stays_between_0_and_1(one: float, other: float) -> None:
    """More energy never shows as less weight, and no weight leaves [0, 1]."""
    low, high = sorted((one, other))

    assert 0 <= weight_of_energy(low) <= weight_of_energy(high) <= 1


def test_the_last_trace_of_energy_has_a_weight_too() -> None:
    """An inference that nobody consolidated for 62 days is left with the least float there is."""
    left = effective_energy(DEFAULT_LAW.birth_inference, Tier.WORKING, 1_490)

    assert left == 5e-324
    assert weight_of_energy(left) == 0.0


def test_no_energy_is_no_weight() -> None:
    """The logarithm of 0 is not asked for."""
    assert [weight_of_energy(0.0), weight_of_energy(-1.0)] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("energy", "after"), [(0.0, 1.0), (2.5, 3.5), (9.0, 10.0), (9.5, 10.0), (10.0, 10.0), (12.0, 12.0)]
)
def test_a_boost_adds_1_up_to_10_and_never_lowers(energy: float, after: float) -> None:
    """max(x, min(x + 1, 10)): a value above the cap stays as it is (R-004-08)."""
    assert after == boosted(energy)


@given(st.floats(min_value=0, max_value=1_000))
def test_no_boost_lowers(energy: float) -> None:
    """An access is never a loss."""
    assert energy <= boosted(energy)


@given(st.floats(min_value=0.1, max_value=10), st.sampled_from((Tier.WORKING, Tier.SHORT_TERM)))
def test_the_predicted_expiry_is_where_the_energy_meets_the_threshold(energy: float, tier: Tier) -> None:
    """ln(E/0.1)/λ hours from now exactly 0.1 is left (R-004-19)."""
    hours = expires_in_hours(energy, tier)

    assert hours is not None
    assert pytest.approx(0.1, rel=EXACT) == effective_energy(energy, tier, hours)


def test_what_never_expires() -> None:
    """longTerm has a floor, core does not decay, and expired already is."""
    cases = [
        expires_in_hours(5.0, Tier.LONG_TERM),
        expires_in_hours(2.0, Tier.EXPIRED),
        expires_in_hours(2.0, Tier.WORKING, core=True),
    ]

    assert cases == [None, None, None]


def test_what_lies_below_the_threshold_is_due_now() -> None:
    """A memory under 0.1 is not predicted into the past."""
    assert [expires_in_hours(0.05, Tier.WORKING), expires_in_hours(0.0, Tier.SHORT_TERM)] == [0.0, 0.0]


@pytest.mark.parametrize("energy", [0.0, 0.1, 2.5, 1e6])
def test_an_energy_of_at_least_0_may_be_carried(energy: float) -> None:
    """Document 004's testMemory takes any energy that is a finite number of at least 0 (R-004-06)."""
    assert energy == checked_energy(energy)


@pytest.mark.parametrize("energy", [-0.1, -1.0, math.inf, -math.inf, math.nan])
def test_an_impossible_energy_is_refused_with_its_value(energy: float) -> None:
    """Negative, infinite and NaN are refused, and the text names the value (R-004-06)."""
    with pytest.raises(InvalidValue, match=str(energy)):
        checked_energy(energy)


def test_a_law_of_its_own_is_obeyed() -> None:
    """Every function takes the constants as an argument; none has them built in (R-000-36)."""
    law = Law(lambda_working=1.0, boost_amount=2.0, max_energy=6.0, expiry_threshold=0.5, long_term_floor=0.7)

    assert pytest.approx(3.0 / math.e, rel=EXACT) == effective_energy(3.0, Tier.WORKING, 1.0, law=law)
    assert [boosted(3.0, law), boosted(5.0, law)] == [5.0, 6.0]
    assert pytest.approx(math.log(6.0), rel=EXACT) == expires_in_hours(3.0, Tier.WORKING, law=law)
    assert effective_energy(3.0, Tier.LONG_TERM, 1e6, law=law) == 0.7


@pytest.mark.parametrize(("tier", "cap"), [(Tier.WORKING, 3.2974), (Tier.SHORT_TERM, 5.2564), (Tier.LONG_TERM, 10.0)])
def test_restatements_stop_at_one_hour_of_decay_above_the_threshold(tier: Tier, cap: float) -> None:
    """threshold · exp(λ · 1 h), so that a memory at the cap is still promoted by a run within the hour (R-000-06)."""
    at_cap = reinforced(cap * 0.99, tier)

    assert cap == round(at_cap, 4)


def test_the_cap_of_a_restatement_moves_with_what_it_is_derived_from() -> None:
    """It is no literal: a change of threshold, λ or hours moves it (R-000-06)."""
    changes = ({"threshold_working": 3.0}, {"lambda_working": 0.25}, {"reinforce_cap_hours": 2.0})
    caps = [DEFAULT_LAW.with_changes(**change).reinforce_cap(Tier.WORKING) for change in changes]

    assert [pytest.approx(cap) for cap in (3 * math.exp(0.5), 2 * math.exp(0.25), 2 * math.e)] == caps


def test_the_trajectory_of_document_000() -> None:
    """w 0.70, 0.75, 0.80, 0.85, 0.90 by four restatements; an hour of decay leaves 0.80; three do not do (R-000-13)."""
    energies = [energy_of_weight(0.7)]
    for _ in range(4):
        energies.append(reinforced(energies[-1], Tier.WORKING))
    left = [effective_energy(energy, Tier.WORKING, 1.0) for energy in energies]

    assert [pytest.approx(w) for w in (0.7, 0.75, 0.8, 0.85, 0.9)] == [weight_of_energy(e) for e in energies]
    assert pytest.approx(2.0, abs=EXACT) == left[4]
    assert left[3] < 2.0


@given(st.floats(min_value=0, max_value=20), tiers)
def test_no_restatement_and_no_support_lowers(energy: float, tier: Tier) -> None:
    """What stands above a cap stays as it is (R-000-07, R-000-21)."""
    assert energy <= reinforced(energy, tier)
    assert energy <= supported(energy)


@given(st.floats(min_value=0, max_value=20), tiers)
def test_a_contradiction_never_raises_and_leaves_long_term_its_floor(energy: float, tier: Tier) -> None:
    """x · exp(−0.5), in longTerm not below 0.1 (R-000-22)."""
    left = contradicted(energy, tier)

    assert 0 <= left <= energy
    if tier is Tier.LONG_TERM:
        assert min(energy, 0.1) <= left


@pytest.mark.parametrize(("weight", "energy"), [(0.80, 2.5681), (0.97, 5.4366), (1.0, 5.4366)])
def test_a_supporting_relation_adds_005_of_weight_up_to_1(weight: float, energy: float) -> None:
    """x · exp(0.25), clamped at weight 1.0 (R-000-21)."""
    assert energy == round(supported(energy_of_weight(weight)), 4)


@pytest.mark.parametrize(("birth", "restatements", "energy"), [(2.0, 0, 2.0), (2.0, 1, 2.5681), (2.0, 9, 3.2974)])
def test_a_revival_counts_the_restatements_up_to_the_cap(birth: float, restatements: int, energy: float) -> None:
    """min(cap, birth · exp(0.25 · k)) (R-000-35)."""
    assert energy == round(revived(birth, restatements), 4)
