"""A memory as a value, and what may be its text."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brainbridge.domain.energy import DEFAULT_LAW
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.memory import MAX_CONTENT_BYTES, Memory, checked_content
from brainbridge.domain.tier import Tier

T0 = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
NOTE = Memory(
    id="m1",
    content="a note",
    tier=Tier.WORKING,
    energy=2.0,
    created=T0,
    last_accessed=T0,
    last_decay=T0,
    access_count=1,
    is_test=False,
    brain="milo",
)


@given(st.text(min_size=1).filter(str.strip))
@example("-dash first")
@example("NUL \0 inside")
@example("MATCH (m) DETACH DELETE m; //")
@example('CI/CD "x AND OR ( * foo- C++ tier:')
@example("日本語のメモ")
@example("e\u0301 is not \u00e9, and \u202ethis turns\u202c")
@example("  leading and trailing blanks stay  \r\n")
@example("x" * MAX_CONTENT_BYTES)
def test_accepted_text_comes_back_unchanged(text: str) -> None:
    """What can be stored is stored as it is: nothing trimmed, normalised or cut (P8)."""
    assert text is checked_content(text)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u3000"])
def test_blank_text_is_refused(text: str) -> None:
    """There is nothing to remember in it (P8)."""
    with pytest.raises(InvalidValue, match="empty"):
        checked_content(text)


@given(
    st.text(max_size=20),
    st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF, categories=["Cs"]),
    st.text(max_size=20),
)
def test_a_lone_surrogate_is_refused_and_located(before: str, surrogate: str, after: str) -> None:
    """UTF-8 cannot carry it, so it could not come back; the text says where it stands (P8)."""
    with pytest.raises(InvalidValue, match=f"lone surrogate at character {len(before)}"):
        checked_content(before + surrogate + after)


@pytest.mark.parametrize("text", ["x" * (MAX_CONTENT_BYTES + 1), "é" * (MAX_CONTENT_BYTES // 2 + 1)])
def test_text_over_1_mib_is_refused_whole(text: str) -> None:
    """The limit counts bytes of UTF-8, is named, and nothing is cut silently (P8)."""
    with pytest.raises(InvalidValue, match="1,048,576") as refused:
        checked_content(text)

    assert f"{len(text.encode()):,}" in str(refused.value)


def test_only_what_is_neither_archived_nor_expired_is_live() -> None:
    """The state label is exactly this condition (R-004-29)."""
    archived = replace(NOTE, valid_to=T0)
    expired = replace(NOTE, tier=Tier.EXPIRED)

    assert [NOTE.live, archived.live, expired.live] == [True, False, False]


def test_the_stored_energy_is_the_one_at_last_decay() -> None:
    """A reader computes what is left since then, and an instant before it changes nothing (R-004-16)."""
    later, earlier = T0 + timedelta(hours=1), T0 - timedelta(hours=1)

    assert NOTE.energy_at(later, DEFAULT_LAW) == pytest.approx(1.2130613194, abs=1e-9)
    assert NOTE.energy_at(earlier, DEFAULT_LAW) == 2.0


@pytest.mark.parametrize("state", [{"valid_to": T0}, {"tier": Tier.EXPIRED}, {"core": True}])
def test_archives_expired_and_core_memories_keep_their_energy(state: dict[str, object]) -> None:
    """They are no longer, or never were, subject to decay (R-004-29, R-000-28)."""
    memory = replace(NOTE, **state)  # type: ignore[arg-type]

    assert memory.energy_at(T0 + timedelta(days=365), DEFAULT_LAW) == 2.0


def test_the_weight_follows_the_energy() -> None:
    """2.0 shows as 0.80, and an hour of working decay later as 0.70."""
    weights = [NOTE.weight_at(T0 + timedelta(hours=hours), DEFAULT_LAW) for hours in (0, 1)]

    assert [0.8, pytest.approx(0.7)] == weights
