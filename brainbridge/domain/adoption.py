"""Decides what a memory written by hand or by an older program lacks, from nothing but its properties."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from math import isfinite
from typing import Any
from uuid import uuid4

from brainbridge.domain.clock import parse_instant
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier


@dataclass(frozen=True, slots=True)
class Adoption:
    """What a stray becomes: its state label, and the properties to set on it."""

    state: str
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a stray cannot be adopted, and what would mend it in Cypher; it is left untouched, and health names it."""

    reason: str
    mend: str


def fitted(properties: Mapping[str, Any], scope: Scope, now: datetime) -> Adoption | Misfit:
    """Decide what a stray with these properties lacks to be a memory of `scope`.

    An instant without a zone counts as UTC, one that cannot be read as missing, and one in the future as now: energy
    decays from it, and a stamp ten years ahead would keep a memory fresh for ten years.
    """
    content, tier, energy = properties.get("content"), properties.get("tier"), _number(properties.get("energy"))
    if not isinstance(content, str):
        return Misfit(f"its content is {content!r}, not text", "SET m.content = 'what it says'")
    if tier not in tuple(Tier):
        return Misfit(f"its tier is {tier!r}, not one of {', '.join(Tier)}", "SET m.tier = 'working'")
    if energy is None:
        return Misfit(f"its energy is {properties.get('energy')!r}, not a number of at least 0", "SET m.energy = 1.0")
    archived = _instant(properties.get("validTo"), now)
    created = _instant(properties.get("created"), now) or now
    accessed = _instant(properties.get("lastAccessed"), now) or created
    expired = tier == Tier.EXPIRED and archived is None
    id_ = str(properties.get("id") or uuid4())
    instants = {
        "created": created,
        "lastAccessed": accessed,
        "lastDecay": _instant(properties.get("lastDecay"), now) or accessed,
        "validFrom": _instant(properties.get("validFrom"), now) or created,
        "updatedAt": _instant(properties.get("updatedAt"), now) or created,
        "lastOpened": _instant(properties.get("lastOpened"), now),
        "validTo": archived,
        "expiredAt": (_instant(properties.get("expiredAt"), now) or now) if expired else None,
    }
    return Adoption(
        state="archived" if archived else "expired" if expired else "live",
        properties={
            "id": id_,
            "energy": energy,
            "root": str(properties.get("root") or id_),
            "scope": scope.token,
            "core": properties.get("core") is True,
            "subject": None if properties.get("subject") is None else str(properties["subject"]),
            "accessCount": _count(properties.get("accessCount"), otherwise=1),
            "reinforceCount": _count(properties.get("reinforceCount"), otherwise=0),
            **{name: instant.isoformat() if instant else None for name, instant in instants.items()},
        },
    )


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if isfinite(number) and number >= 0 else None


def _count(value: Any, *, otherwise: int) -> int:
    """`value` as a whole number that the database can hold (64 bits)."""
    number = _number(value)
    return int(number) if number is not None and number < 2**63 else otherwise


def _instant(value: Any, now: datetime) -> datetime | None:
    """`value` as an instant that is not after `now`; None if it is none."""
    if isinstance(value, str):
        try:
            value = parse_instant(value)
        except InvalidValue:
            return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            value = datetime.fromtimestamp(value / 1000, UTC)  # what `timestamp()` gives in Cypher: milliseconds
        except (OverflowError, OSError, ValueError):
            return None
    if isinstance(value, datetime):
        return min(value.replace(tzinfo=UTC) if value.tzinfo is None else value, now)
    if isinstance(value, date):
        return min(datetime.combine(value, time(), UTC), now)
    return None
