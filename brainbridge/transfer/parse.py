"""Reading the file: each line is checked before anything of its batch is written."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Never

from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.memory import checked_content
from brainbridge.domain.relation import DERIVED
from brainbridge.domain.scope import Scope
from brainbridge.domain.source import OUR_LABELS
from brainbridge.domain.tier import Tier
from brainbridge.graph.law import law_version
from brainbridge.graph.portable import split
from brainbridge.transfer.lines import (
    DECLARED,
    FORMAT,
    NAME,
    OWNER,
    VERSION,
    ConfigLine,
    End,
    Entity,
    Header,
    MemoryLine,
    SourceLine,
)

# Edges that are counted from use, or come with the node they belong to.
_NEVER_IMPORTED = frozenset({DERIVED, "OF", "SHOWED", "FROM_PAGE", "HAS_MEMORY"})
# Without these no pass can treat a memory; the next run adopts it.
_NEEDED = ("created", "lastAccessed", "lastDecay", "validFrom")
_TIERS = frozenset(tier.value for tier in Tier)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def header_of(text: str) -> Header:
    """The first line, if it is one that this program can go by.

    Raises:
        InvalidValue: another format, or a newer version of this one.
    """
    found = _object(text, "is no export of brainbridge")
    kind = found.get("format")
    name, _, version = kind.partition("/") if isinstance(kind, str) else ("", "", "")
    if name != NAME:
        said = f"its format is {kind!r}" if kind else "it has no format"
        raise InvalidValue(f"is no export of brainbridge: {said}. Plain notes are imported with --format notes")
    if version != str(VERSION):
        raise InvalidValue(f"has format {kind!r}; this brainbridge knows {FORMAT}. Upgrade brainbridge to import it")
    brain, scope = found.get("brain"), found.get("scope")
    if not isinstance(brain, str) or scope not in ("real", "test"):
        raise InvalidValue(f"does not say whose memories it holds: brain is {brain!r}, scope {scope!r}")
    return Header(brain, scope)


def parsed(text: str, header: Header, scope: Scope) -> ConfigLine | MemoryLine | End:
    """Any line but the first.

    Args:
        scope: what it is imported into: a source that was the file's brain's becomes this one's.

    Raises:
        InvalidValue: it is none, and why.
    """
    found = _object(text, "is not JSON")
    if "memory" in found:
        return _memory(found, header, scope)
    if "config" in found:
        return _config(_map(found["config"], "config"))
    if "end" in found:
        return End(_map(found["end"], "end"))
    raise InvalidValue(f"is neither a memory nor a config: its keys are {', '.join(found) or 'none'}")


def unfit(properties: Mapping[str, Any]) -> str | None:
    """Why these properties are no memory by the model; None if they are one.

    Export and import go by the same rule: what the one writes the other takes.
    """
    tier, energy = properties.get("tier"), properties.get("energy")
    if not isinstance(properties.get("id"), str) or not properties["id"]:
        return f"its id is {properties.get('id')!r}, not text"
    if not isinstance(properties.get("content"), str):
        return f"its content is {properties.get('content')!r}, not text"
    if tier not in _TIERS:
        return f"its tier is {tier!r}, not one of {', '.join(Tier)}"
    if isinstance(energy, bool) or not isinstance(energy, int | float) or not 0 <= energy < math.inf:
        return f"its energy is {energy!r}, not a number of at least 0"
    try:
        checked_content(properties["content"])
    except InvalidValue as error:
        return str(error)
    return None


def _memory(found: Mapping[str, Any], header: Header, scope: Scope) -> MemoryLine:
    written = _map(found["memory"], "memory")
    if reason := unfit(written):
        raise InvalidValue(reason)
    plain, instants = split(_not_ours(written))
    plain["energy"] = float(plain["energy"])
    entity = Entity(plain, instants)
    labels = _labels(found.get("labels", []))
    state = _state(plain, instants)
    return MemoryLine(
        written["id"],
        written,
        entity,
        (state, *labels) if state else labels,
        tuple(_event(event) for event in _maps(found, "events")),
        tuple(_relation(relation) for relation in _maps(found, "relations")),
        tuple(_source(source, header, scope) for source in _maps(found, "sources")),
    )


def _state(plain: Mapping[str, Any], instants: Mapping[str, str]) -> str | None:
    """The state label that the properties call for; None for a memory that has to be adopted first."""
    if "root" not in plain or not all(name in instants for name in _NEEDED):
        return None
    if "validTo" in instants:
        return "ArchivedMemory"
    return "ExpiredMemory" if plain["tier"] == Tier.EXPIRED else "LiveMemory"


def _event(event: Mapping[str, Any]) -> Entity:
    if not isinstance(event.get("id"), str):
        raise InvalidValue(f"an event's id is {event.get('id')!r}, not text")
    return _entity(_not_ours(event))


def _relation(relation: Mapping[str, Any]) -> Mapping[str, Any]:
    kind, ends = relation.get("type"), (relation.get("from"), relation.get("to"))
    if not isinstance(kind, str) or not kind or not all(isinstance(end, str) for end in ends):
        raise InvalidValue(f"a relation is {kind!r} from {ends[0]!r} to {ends[1]!r}; type, from and to are text")
    if kind in _NEVER_IMPORTED:
        raise InvalidValue(f"a relation is {kind}, which is derived from use and never imported")
    properties, declared = _map(relation.get("properties", {}), "properties"), kind in DECLARED
    entity = _entity(_not_ours(properties) if declared else properties)
    return entity.row(type=kind, declared=declared, **{"from": ends[0], "to": ends[1]})


def _source(source: Mapping[str, Any], header: Header, scope: Scope) -> SourceLine:
    labels = _labels(source.get("labels"))
    if not labels:
        raise InvalidValue("a source has no label")
    properties = dict(_map(source.get("properties", {}), "properties"))
    if properties.get("brain") == header.brain:
        properties["brain"] = scope.brain
        properties |= {"isTest": scope.is_test} if "isTest" in properties else {}
    return SourceLine(labels, _entity(properties), _entity(_map(source.get("link", {}), "link")))


def _config(written: Mapping[str, Any]) -> ConfigLine:
    version = written.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InvalidValue(f"the version of a config is {version!r}, not a number of at least 1")
    law_version(written)  # refuses constants that contradict each other
    return ConfigLine(version, written, _entity(_not_ours(written)))


def _entity(properties: Mapping[str, Any]) -> Entity:
    return Entity(*split(properties))


def _labels(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(label, str) and label for label in value):
        raise InvalidValue(f"labels are {value!r}, not a list of names")
    if taken := OUR_LABELS.intersection(value):
        raise InvalidValue(f"a node is labelled {min(taken)}, which only brainbridge gives")
    return tuple(value)


def _maps(found: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    value = found.get(name, [])
    if not isinstance(value, list):
        raise InvalidValue(f"{name} are {value!r}, not a list")
    return (_map(item, name) for item in value)


def _map(value: Any, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InvalidValue(f"{name} is {value!r}, not an object")
    return value


def _object(text: str, said: str) -> dict[str, Any]:
    try:
        found = _DECODE(text)
        if _SURROGATE.search(text):
            json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidValue("holds a lone surrogate, which UTF-8 cannot carry") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise InvalidValue(f"{said}: {error}") from error
    if not isinstance(found, dict):
        raise InvalidValue(f"{said}: it is no object")
    return found


def _no_constant(word: str) -> Never:
    raise InvalidValue(f"holds {word}, which is not JSON")


def _not_ours(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without what says whose a node is; an export does not hold it, a file by hand may."""
    if OWNER.isdisjoint(properties):
        return properties
    return {name: value for name, value in properties.items() if name not in OWNER}


# Made once: json.loads makes a new one for each call with options, which took a third of the time.
_DECODE = json.JSONDecoder(parse_constant=_no_constant).decode
