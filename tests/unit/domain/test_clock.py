"""Instants and spans: aware, UTC, to the millisecond."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.domain.clock import after_hours, aware, back_by, epoch_ms, from_epoch_ms, hours_between, parse_instant
from brainbridge.domain.errors import InvalidValue

T0 = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
instants = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@given(instants)
def test_epoch_milliseconds_agree_with_the_calendar(instant: datetime) -> None:
    """Whole milliseconds since 1970, rounded down, also before it: what Cypher calls epochMillis."""
    ms = epoch_ms(instant)

    assert (
        timedelta()
        <= instant - (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms))
        < timedelta(milliseconds=1)
    )
    assert ms == epoch_ms(from_epoch_ms(ms))


def test_a_span_is_counted_in_fractions_of_hours() -> None:
    """Never whole hours only: 90 minutes are 1.5, a millisecond is something, and months are not dropped."""
    spans = [timedelta(minutes=90), timedelta(milliseconds=1), timedelta(days=200)]

    assert [hours_between(T0, T0 + span) for span in spans] == [1.5, 1 / 3_600_000, 4_800.0]


@given(instants, instants)
def test_a_clock_that_steps_back_gives_no_negative_span(one: datetime, other: datetime) -> None:
    """The span between two instants in the wrong order is 0.0 (P10)."""
    earlier, later = sorted((one, other))

    assert hours_between(later, earlier) == 0.0
    assert hours_between(earlier, later) >= 0.0


def test_zones_do_not_change_a_span() -> None:
    """The same instant written in two zones is the same instant; a change to summer time is no hour."""
    berlin_winter, berlin_summer = timezone(timedelta(hours=1)), timezone(timedelta(hours=2))
    before = datetime(2026, 3, 29, 1, 30, tzinfo=berlin_winter)
    after = datetime(2026, 3, 29, 3, 30, tzinfo=berlin_summer)

    assert hours_between(before, after) == 1.0


def test_moving_on_by_hours() -> None:
    """An instant moves on by hours, and beyond the calendar there is none."""
    assert [T0 + timedelta(minutes=15), None] == [after_hours(T0, 0.25), after_hours(T0, 1e9)]


def test_moving_back_ends_with_the_calendar() -> None:
    """A span that reaches before the first year reaches its beginning; no command fails for an early --at."""
    first = datetime.min.replace(tzinfo=UTC)

    assert [T0 - timedelta(days=1), first] == [back_by(T0, timedelta(days=1)), back_by(first, timedelta(days=7))]


@pytest.mark.parametrize("work", [aware, epoch_ms])
def test_an_instant_without_a_zone_is_refused(work: Callable[[datetime], object]) -> None:
    """Python's own datetime.now() is one; taken for UTC it would be hours off, and Cypher would find nothing by it."""
    with pytest.raises(InvalidValue, match="2026-03-01T12:00:00 has no zone"):
        work(T0.replace(tzinfo=None))


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01T12:00:00Z",
        "2026-03-01T12:00:00+00:00",
        "2026-03-01T13:00:00+01:00",
        "2026-03-01T12:00:00",
        "2026-03-01 12:00",
    ],
)
def test_instants_are_read_in_any_zone_and_given_in_utc(text: str) -> None:
    """ISO 8601 with Z, with an offset, or without a zone, which counts as UTC."""
    instant = parse_instant(text)

    assert (instant, instant.tzinfo) == (T0, UTC)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01T00:00:00Z", "12:00", "2026-02-30"])
def test_what_is_no_instant_is_refused_with_an_example(text: str) -> None:
    """The text is shown, and how to write one."""
    with pytest.raises(InvalidValue, match="2026-12-01T09:30:00Z") as refused:
        parse_instant(text)

    assert repr(text) in str(refused.value)
