"""Pin and unpin: a core memory stands still; let go, it fades from that moment on."""

import math

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import NotFound, Refused
from tests.support import T0, everything_but, hours, kinds_of, properties_of

EXACT = 1e-9


def test_pinning_settles_and_changes_nothing_else(brain: Brain) -> None:
    """core = true; the energy is what decay left, the tier stays (R-000-28)."""
    made = brain.create_test_memory("a note", 4.0, "working", now=T0)
    before = properties_of(brain, made.id)

    found, done = brain.pin(made.id, test=True, now=T0 + hours(1))

    left = 4.0 * math.exp(-0.5)
    assert (made.id, pytest.approx(left, abs=EXACT), "working", True) == (
        found.id,
        done.energy,
        done.tier,
        done.changed,
    )
    settled = {"energy": done.energy, "lastDecay": T0 + hours(1), "core": True}
    assert before | settled == properties_of(brain, made.id)
    assert ["born", "pinned"] == kinds_of(brain, made.id, test=True)


@pytest.mark.parametrize(
    ("energy", "tier"), [(0.05, "working"), (3.0, "working"), (6.0, "shortTerm"), (0.5, "longTerm")]
)
def test_core_is_untouched(brain: Brain, energy: float, tier: str) -> None:
    """Above and below every threshold, through years of runs: same id, tier and energy (R-000-28)."""
    made = brain.create_test_memory("a note", energy, tier, now=T0)
    brain.pin(made.id, test=True, now=T0)

    for hour in (0.25, 24, 24 * 365):
        brain.consolidate(test=True, now=T0 + hours(hour))

    after = properties_of(brain, made.id)
    assert (tier, energy, ["LiveMemory"]) == (after["tier"], after["energy"], after["labels"])


def test_a_memory_that_is_let_go_fades_from_then_on(brain: Brain) -> None:
    """Not for the time that it was pinned."""
    made = brain.create_test_memory("a note", 1.5, "working", now=T0)
    brain.pin(made.id, test=True, now=T0)

    _, done = brain.unpin(made.id, test=True, now=T0 + hours(100))
    brain.decay(test=True, now=T0 + hours(102))

    assert (1.5, True) == (done.energy, done.changed)
    after = properties_of(brain, made.id)
    assert (pytest.approx(1.5 * math.exp(-1), abs=EXACT), False) == (after["energy"], after["core"])
    assert ["born", "pinned", "unpinned"] == kinds_of(brain, made.id, test=True)


@pytest.mark.parametrize("core", [True, False])
def test_a_second_time_changes_nothing(brain: Brain, core: bool) -> None:
    """No second event."""
    made = brain.create_test_memory("a note", 1.5, "longTerm", now=T0)
    if core:
        brain.pin(made.id, test=True, now=T0)
    verb = brain.pin if core else brain.unpin
    before, events = properties_of(brain, made.id), kinds_of(brain, made.id, test=True)

    _, done = verb(made.id, test=True, now=T0)

    assert not done.changed
    assert (before, events) == (properties_of(brain, made.id), kinds_of(brain, made.id, test=True))


def test_a_pinned_memory_can_still_be_used(brain: Brain) -> None:
    """Boosts and openings add energy to a core memory, as to any."""
    made = brain.create_test_memory("a note", 1.5, "working", now=T0)
    brain.pin(made.id, test=True, now=T0)

    brain.boost(made.id, test=True, now=T0 + hours(9))

    assert 2.5 == properties_of(brain, made.id)["energy"]


def test_an_expired_memory_is_refused(brain: Brain) -> None:
    """With what to do about it; nothing is changed."""
    made = brain.create_test_memory("faint", 0.05, "working", now=T0)
    brain.consolidate(test=True, now=T0)
    before = properties_of(brain, made.id)

    with pytest.raises(Refused, match=r"expired on 2026-03-01 and cannot be pinned.*Remember its text again"):
        brain.pin(made.id, test=True, now=T0)

    assert before == properties_of(brain, made.id)


def test_an_archived_id_pins_the_memory_it_lives_on_in(brain: Brain) -> None:
    """The live one is protected, the archive is left as it is (R-004-27)."""
    made = brain.create_test_memory("a note", 3.0, "working", now=T0)
    brain.consolidate(test=True, now=T0)
    archive = properties_of(brain, made.id)

    found, _ = brain.pin(made.id, test=True, now=T0)

    assert properties_of(brain, found.id)["core"]
    assert (made.id, archive) == (found.root, properties_of(brain, made.id))


@pytest.mark.parametrize("is_test", [True, False])
def test_pinning_touches_one_scope(brain: Brain, is_test: bool) -> None:
    """An id of the other scope is not found, and nothing outside changes (R-004-10, P6)."""
    test = brain.create_test_memory("a note", 2.0, "working", now=T0).id
    real = brain.remember("a note", at=T0).id
    mine, theirs = (test, real) if is_test else (real, test)
    outside = everything_but(brain.graph, brain.name, is_test=is_test)

    for verb in (brain.pin, brain.unpin):
        verb(mine, test=is_test, now=T0 + hours(1))
        with pytest.raises(NotFound):
            verb(theirs, test=is_test, now=T0 + hours(1))

    assert outside == everything_but(brain.graph, brain.name, is_test=is_test)
