"""Adoption: what a memory written by hand or by an older program lacks, decided from its properties alone."""

import math
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.domain.adoption import Adoption, Misfit, fitted
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
EARLIER = NOW - timedelta(days=3)
SCOPE = Scope("milo")
LEAST = {"content": "a note", "tier": "working", "energy": 2.5}


def adopted(**properties: Any) -> Adoption:
    fit = fitted(LEAST | properties, SCOPE, NOW)
    assert isinstance(fit, Adoption)
    return fit


def test_the_least_a_stray_can_have() -> None:
    """Content, tier and energy are enough: born now, live, one access, not core, the root of its own lineage (P13)."""
    fit = adopted()

    assert fit.state == "live"
    assert UUID(fit.properties["id"]).version == 4
    assert fit.properties == {
        "id": fit.properties["id"],
        "root": fit.properties["id"],
        "energy": 2.5,
        "scope": "miloxr",
        "core": False,
        "accessCount": 1,
        "reinforceCount": 0,
        "created": NOW.isoformat(),
        "lastAccessed": NOW.isoformat(),
        "lastDecay": NOW.isoformat(),
        "validFrom": NOW.isoformat(),
        "updatedAt": NOW.isoformat(),
        "lastOpened": None,
        "validTo": None,
        "expiredAt": None,
        "subject": None,
    }


def test_what_a_stray_has_is_kept() -> None:
    """The thirteen properties of document 004 come through as they are (R-004-21)."""
    fit = adopted(
        id="by-hand",
        root="older",
        core=True,
        accessCount=7,
        reinforceCount=2,
        created=EARLIER,
        lastAccessed=EARLIER + timedelta(hours=1),
        lastDecay=EARLIER + timedelta(hours=2),
        validFrom=EARLIER + timedelta(hours=3),
        updatedAt=EARLIER + timedelta(hours=4),
    )

    kept = {name: fit.properties[name] for name in ("id", "root", "core", "accessCount", "reinforceCount")}
    assert kept == {"id": "by-hand", "root": "older", "core": True, "accessCount": 7, "reinforceCount": 2}
    instants = [fit.properties[name] for name in ("created", "lastAccessed", "lastDecay", "validFrom", "updatedAt")]
    assert [(EARLIER + timedelta(hours=hours)).isoformat() for hours in range(5)] == instants


@pytest.mark.parametrize(
    ("properties", "last_decay"),
    [
        ({}, NOW),
        ({"created": EARLIER}, EARLIER),
        ({"created": EARLIER, "lastAccessed": EARLIER + timedelta(days=1)}, EARLIER + timedelta(days=1)),
        ({"lastDecay": EARLIER, "lastAccessed": NOW}, EARLIER),
    ],
)
def test_decay_starts_at_last_decay_else_last_access_else_birth(
    properties: dict[str, Any], last_decay: datetime
) -> None:
    """The best instant there is; with none of them, now."""
    assert last_decay.isoformat() == adopted(**properties).properties["lastDecay"]


@pytest.mark.parametrize(
    ("properties", "state"),
    [
        ({}, "live"),
        ({"tier": "longTerm"}, "live"),
        ({"tier": "expired"}, "expired"),
        ({"validTo": EARLIER}, "archived"),
        ({"tier": "expired", "validTo": EARLIER}, "archived"),
        ({"validTo": "not an instant"}, "live"),
    ],
)
def test_the_state_follows_from_tier_and_valid_to(properties: dict[str, Any], state: str) -> None:
    """validTo set: archived; else tier expired: expired; else live. Exactly one label each."""
    assert state == adopted(**properties).state


@pytest.mark.parametrize(
    ("properties", "expired_at"),
    [
        ({"tier": "expired"}, NOW),
        ({"tier": "expired", "expiredAt": EARLIER}, EARLIER),
        ({"expiredAt": EARLIER}, None),
        ({"tier": "expired", "validTo": EARLIER}, None),
    ],
)
def test_only_an_expired_stray_has_an_instant_of_expiry(
    properties: dict[str, Any], expired_at: datetime | None
) -> None:
    """Its own if it has one, else now; a live or archived one gets none."""
    assert (expired_at and expired_at.isoformat()) == adopted(**properties).properties["expiredAt"]


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        (EARLIER, EARLIER),
        (datetime(2026, 2, 26, 12), EARLIER),  # noqa: DTZ001 - a LOCAL DATETIME is the case
        ("2026-02-26T12:00:00", EARLIER),
        ("2026-02-26T13:00:00+01:00", EARLIER),
        (EARLIER.timestamp() * 1000, EARLIER),
        (int(EARLIER.timestamp() * 1000), EARLIER),
        (date(2026, 2, 26), EARLIER.replace(hour=0)),
        (NOW + timedelta(days=3650), NOW),
        ("2036-01-01T00:00:00Z", NOW),
        ("last Tuesday", NOW),
        (True, NOW),
        (math.nan, NOW),
        (1e300, NOW),
        (["2026"], NOW),
        (None, NOW),
    ],
)
def test_instants_of_every_make_become_aware_utc_and_never_lie_ahead(value: Any, instant: datetime) -> None:
    """Local datetimes, dates, text, milliseconds are read; no zone is UTC, the future is now, nonsense is missing."""
    text = adopted(created=value).properties["created"]

    assert instant == datetime.fromisoformat(text)


@pytest.mark.parametrize(("value", "energy"), [(0, 0.0), (2, 2.0), (0.05, 0.05), ("2.5", 2.5), (12.0, 12.0)])
def test_energies_that_can_be_read(value: Any, energy: float) -> None:
    """Any number of at least 0, also one written as text; a run decides what it means."""
    assert energy == adopted(energy=value).properties["energy"]


@pytest.mark.parametrize(
    ("properties", "word"),
    [
        ({"content": None}, "content"),
        ({"content": 42}, "content"),
        ({"tier": None}, "tier"),
        ({"tier": "Working"}, "tier"),
        ({"tier": ["working"]}, "tier"),
        ({"energy": None}, "energy"),
        ({"energy": "much"}, "energy"),
        ({"energy": -1}, "energy"),
        ({"energy": True}, "energy"),
        ({"energy": math.nan}, "energy"),
        ({"energy": math.inf}, "energy"),
    ],
)
def test_what_cannot_be_adopted_is_named_with_its_value(properties: dict[str, Any], word: str) -> None:
    """A stray without text, tier or a usable energy is left untouched, and the reason names which."""
    fit = fitted(LEAST | properties, SCOPE, NOW)

    assert isinstance(fit, Misfit)
    assert word in fit.reason
    assert repr(properties[word]) in fit.reason


def test_an_id_that_is_no_text_becomes_text() -> None:
    """Ids are compared as text everywhere; an empty one is none."""
    assert adopted(id=17).properties["id"] == "17"
    assert UUID(adopted(id="").properties["id"]).version == 4


def test_the_scope_token_is_that_of_the_scope() -> None:
    """A test memory gets the token of the test scope."""
    fit = fitted(LEAST, Scope("milo", is_test=True), NOW)

    assert isinstance(fit, Adoption)
    assert fit.properties["scope"] == "miloxt"


_anything = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.datetimes()


@given(st.dictionaries(st.sampled_from([*LEAST, "id", "root", "core", "created", "lastDecay", "validTo"]), _anything))
def test_no_hand_edit_can_break_the_decision(properties: dict[str, Any]) -> None:
    """Whatever stands in the properties, the answer is an adoption or a reason, and the same one twice."""
    properties = {"id": "fixed"} | {name: value for name, value in properties.items() if name != "id" or value}

    first, second = fitted(properties, SCOPE, NOW), fitted(properties, SCOPE, NOW)

    assert first == second
    if isinstance(first, Adoption):
        assert first.properties["energy"] >= 0
        assert properties["tier"] in tuple(Tier)


def test_an_instant_before_the_calendar_counts_as_missing() -> None:
    """One stray with an impossible stamp must not stop the adoption of all others."""
    assert NOW.isoformat() == adopted(created="0001-01-01T00:00:00+01:00").properties["created"]


def test_counts_fit_the_integers_of_the_database() -> None:
    """A count beyond 64 bits cannot be written back; it counts as missing."""
    assert adopted(accessCount=1e300).properties["accessCount"] < 2**63
