"""Property values as JSON and back."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from neo4j.spatial import CartesianPoint, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time

from brainbridge.domain.errors import InvalidValue
from brainbridge.graph.portable import portable, split

PLAIN = st.one_of(
    st.booleans(),
    st.text(),
    st.integers(min_value=-(2**63) + 1, max_value=2**63 - 1),
    st.floats(allow_nan=False),
    st.binary(),
)


def there_and_back(value: Any) -> Any:
    """A property through JSON."""
    text = json.dumps(portable(["p"], [value]), allow_nan=False)
    plain, instants = split(json.loads(text))
    return plain.get("p", instants.get("p"))


@given(value=st.one_of(PLAIN, st.lists(st.text()), st.lists(st.floats(allow_nan=False))))
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    """Bit for bit, infinities too."""
    assert value == there_and_back(value)
    assert type(value) is type(there_and_back(value))


@pytest.mark.parametrize(
    "value",
    [
        Date(2026, 3, 1),
        Time(12, 30, 15, 123_456_789),
        DateTime(2026, 3, 1, 12, 0, 0, 123_456_789),
        Duration(months=14, days=3, seconds=5, nanoseconds=7),
        WGS84Point((13.4, 52.5)),
        CartesianPoint((1.0, 2.0, 3.0)),
        [Date(2026, 3, 1), Date(2026, 3, 2)],
    ],
)
def test_what_json_has_no_word_for_comes_back(value: Any) -> None:
    """Dates, times, durations and points."""
    assert value == there_and_back(value)


def test_no_number_comes_back() -> None:
    """NaN differs from itself."""
    assert math.isnan(there_and_back(math.nan))


def test_an_instant_stays_text() -> None:
    """The database reads it, nanoseconds and the name of the zone included."""
    text = "2026-03-01T12:00:00.123456789+01:00[Europe/Berlin]"

    assert ({}, {"at": text}) == split({"at": {"datetime": text}})


@pytest.mark.parametrize(
    "value",
    [
        {"datetime": "2026-03-01T12:00:00"},
        {"datetime": 5},
        {"datetime": "x", "date": "y"},
        {"date": "x"},
        {"number": "1"},
        {"point": {}},
        {"bytes": "!"},
        {"unheard": 1},
        {},
        2**63,
        [2**64],
    ],
)
def test_what_is_no_value_is_refused_by_its_name(value: Any) -> None:
    """With the property and the value."""
    with pytest.raises(InvalidValue, match="there is"):
        split({"there": value})
