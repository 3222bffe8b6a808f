"""Property values as JSON and back, nothing lost.

Text, true and false, whole numbers, finite floats (by repr, so bit for bit) and lists of them stand as themselves. What
JSON has no word for is an object with one key, its kind: {"datetime": "2026-03-01T12:00:00.123456789+01:00"}.
A property of Neo4j is never a map, so the two cannot be confused.
"""

import math
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from neo4j.spatial import CartesianPoint, Point, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time

from brainbridge.domain.errors import InvalidValue

_LARGEST = 2**63 - 1
_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
# What needs no second look; most values are of these kinds.
_PLAIN = frozenset({str, int, bool, dict})
_POINTS = {4326: WGS84Point, 4979: WGS84Point, 7203: CartesianPoint, 9157: CartesianPoint}


def portable(names: Iterable[str], values: Iterable[Any], leave_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Properties as they stand in an export, sorted by name.

    Args:
        names, values: as `keys(node)` gives them; an instant may already be {"datetime": text}.
        leave_out: names that are not wanted.
    """
    return {
        name: value if type(value) in _PLAIN else _to_json(value)
        for name, value in sorted(zip(names, values, strict=True), key=_name)
        if name not in leave_out
    }


def _name(pair: tuple[str, Any]) -> str:
    return pair[0]


def split(properties: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Properties of an export as parameters: those the driver takes as they are, and instants as text by name.

    Raises:
        InvalidValue: a value that is none, named with its property.
    """
    plain: dict[str, Any] = {}
    instants: dict[str, str] = {}
    for name, value in properties.items():
        kind = type(value)
        if kind is str or kind is float or kind is bool:
            plain[name] = value
        elif kind is dict and len(value) == 1 and "datetime" in value:
            text = value["datetime"]
            if not isinstance(text, str) or not _is_instant(text):
                raise InvalidValue(f"{name} is {text!r}, not an instant with its zone, such as 2026-12-01T09:30:00Z")
            instants[name] = text
        else:
            plain[name] = _from_json(name, value)
    return plain, instants


@lru_cache(maxsize=1_024)  # most instants of a memory are one: that of its birth
def _is_instant(text: str) -> bool:
    try:
        return datetime.fromisoformat(text.partition("[")[0]).tzinfo is not None
    except ValueError:
        return False


def _to_json(value: Any) -> Any:
    match value:
        case None | bool() | str() | int() | dict():
            return value
        case float():
            return value if math.isfinite(value) else {"number": _word(value)}
        case list():
            return [_to_json(item) for item in value]
        case bytes() | bytearray():
            return {"bytes": b64encode(value).decode("ascii")}
        case DateTime():
            return {"localdatetime" if value.tzinfo is None else "datetime": value.iso_format()}
        case Time():
            return {"localtime" if value.tzinfo is None else "time": value.iso_format()}
        case Date():
            return {"date": value.iso_format()}
        case Duration():
            return {"duration": value.iso_format()}
        case Point():
            return {"point": {"srid": value.srid, "coordinates": list(value)}}
    raise InvalidValue(f"a property holds a {type(value).__name__}, which an export has no word for. Remove it first.")


def _word(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _from_json(name: str, value: Any) -> Any:
    match value:
        case None | bool() | str() | float():
            return value
        case int():
            if abs(value) <= _LARGEST:
                return value
        case list():
            return [_from_json(name, item) for item in value]
        case dict() if len(value) == 1:
            ((kind, inner),) = value.items()
            try:
                return _typed(kind, inner)
            except (KeyError, TypeError, ValueError) as error:
                raise InvalidValue(f"{name} is {value!r}, which is no value of a property") from error
    raise InvalidValue(f"{name} is {value!r}, which is no value of a property")


def _typed(kind: str, inner: Any) -> Any:
    match kind:
        case "number":
            return _NOT_FINITE[inner]
        case "bytes":
            return b64decode(inner, validate=True)
        case "datetime" | "localdatetime":
            return DateTime.from_iso_format(inner.partition("[")[0])
        case "time" | "localtime":
            return Time.from_iso_format(inner)
        case "date":
            return Date.from_iso_format(inner)
        case "duration":
            return Duration.from_iso_format(inner)
        case "point":
            return _POINTS[inner["srid"]]([float(number) for number in inner["coordinates"]])
    raise KeyError(kind)
