"""Instants and spans. Every instant is an aware UTC datetime, to the millisecond where the law looks at it."""

from datetime import UTC, datetime, timedelta

from brainbridge.domain.errors import InvalidValue

# The span that the law divides by: λ is per hour.
MS_PER_HOUR = 3_600_000.0
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


def epoch_ms(instant: datetime) -> int:
    """Whole milliseconds since 1970 in UTC, rounded down: what Cypher calls `epochMillis`.

    Raises:
        InvalidValue: it has no zone.
    """
    return (aware(instant) - _EPOCH) // _MS


def from_epoch_ms(ms: int) -> datetime:
    """The instant so many milliseconds after 1970 in UTC; the inverse of `epoch_ms`."""
    return _EPOCH + ms * _MS


def hours_between(earlier: datetime, later: datetime) -> float:
    """Elapsed hours from whole milliseconds; 0.0 if `later` is not later: a clock that steps back changes nothing."""
    return max(epoch_ms(later) - epoch_ms(earlier), 0) / MS_PER_HOUR


def after_hours(instant: datetime, hours: float) -> datetime | None:
    """`instant` moved on by `hours`; None if that lies beyond the calendar."""
    try:
        return instant + timedelta(hours=hours)
    except OverflowError:
        return None


def back_by(instant: datetime, span: timedelta) -> datetime:
    """`instant` moved back by `span`; the first instant of the calendar if that lies before it."""
    try:
        return instant - span
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def aware(instant: datetime) -> datetime:
    """`instant` itself.

    Raises:
        InvalidValue: it has no zone. Cypher compares such a one with nothing, so that all would be left out in silence.
    """
    if instant.tzinfo is None:
        raise InvalidValue(f"the instant {instant.isoformat()} has no zone. Say which, as in datetime.now(UTC).")
    return instant


def parse_instant(text: str) -> datetime:
    """An aware UTC datetime from ISO 8601 text such as `2026-12-01T09:30:00Z`; text without a zone counts as UTC.

    Raises:
        InvalidValue: the text is no such instant.
    """
    try:
        instant = datetime.fromisoformat(text)
        return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)
    except (ValueError, OverflowError) as error:  # in UTC it may lie before the year 1 or after 9999
        raise InvalidValue(f"{text!r} is not an instant. Write it as 2026-12-01T09:30:00Z.") from error
