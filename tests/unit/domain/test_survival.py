"""What the constants mean: the courses of untouched memories, pinned to the model's own table."""

import math

import pytest

from brainbridge.domain.energy import DEFAULT_LAW
from brainbridge.domain.survival import Survival, survival, survival_table
from brainbridge.domain.tier import Tier


def by_kind(run_every_hours: float = 0.25) -> dict[str, Survival]:
    return {row.kind: row for row in survival_table(DEFAULT_LAW, run_every_hours)}


@pytest.mark.parametrize(
    ("kind", "promoted", "final", "expiring_run"),
    [
        ("by system", (), Tier.WORKING, 2.0),
        ("by inference", (), Tier.WORKING, 5.0),
        ("learning", (), Tier.WORKING, 6.0),
        ("reminder", (0.25,), Tier.SHORT_TERM, 62.25),
        ("crystallization", (0.25,), Tier.SHORT_TERM, 66.0),
        ("by user", (0.25,), Tier.SHORT_TERM, 67.75),
    ],
)
def test_untouched_courses(kind: str, promoted: tuple[float, ...], final: Tier, expiring_run: float) -> None:
    """With a run every 15 min: when each kind is promoted, where it ends, which run expires it (model §5)."""
    row = by_kind()[kind]

    assert (promoted, final) == (row.promoted_at, row.final_tier)
    assert row.expires_at is not None
    assert expiring_run == math.ceil(row.expires_at * 4) / 4


def test_core_never_expires() -> None:
    """A core memory is born in longTerm and stays (R-000-28)."""
    row = by_kind()["core"]

    assert (row.tier, row.promoted_at, row.final_tier, row.expires_at) == (Tier.LONG_TERM, (), Tier.LONG_TERM, None)


def test_a_learning_lives_5_99_hours() -> None:
    """ln(2.0 / 0.1) / 0.5: the last quarter hour before the sixth."""
    assert by_kind()["learning"].expires_at == pytest.approx(5.9915, abs=1e-4)


def test_a_crystallization_needs_a_run_within_48_minutes() -> None:
    """3.0 is above 2.0 for ln(1.5)/0.5 h = 48.7 min; a run at 48 promotes it, one at 49 comes too late."""
    in_time, too_late = by_kind(48 / 60)["crystallization"], by_kind(49 / 60)["crystallization"]

    assert (in_time.final_tier, too_late.final_tier) == (Tier.SHORT_TERM, Tier.WORKING)


def test_a_very_strong_memory_climbs_two_tiers_in_two_runs() -> None:
    """One tier per run (R-004-28): 9.0 is shortTerm after the first and longTerm after the second, for good."""
    row = survival("strong", Tier.WORKING, 9.0, core=False, law=DEFAULT_LAW, run_every_hours=0.25)

    assert (row.promoted_at, row.final_tier, row.expires_at) == ((0.25, 0.5), Tier.LONG_TERM, None)


def test_the_table_has_a_row_for_every_kind_of_birth() -> None:
    """The types, the producers with energies of their own, and core."""
    assert list(by_kind()) == [
        "crystallization",
        "reminder",
        "learning",
        "by user",
        "by inference",
        "by system",
        "core",
    ]
