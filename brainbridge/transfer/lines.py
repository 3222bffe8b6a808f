"""The file: JSON lines, `brainbridge/1`.

    {"format": "brainbridge/1", "brain": "milo", "scope": "real"}        first: what it is
    {"config": {…}}                                                      each version of the constants, oldest first
    {"memory": {…}, "labels": […], "events": […], "relations": […], "sources": […]}      each memory, by id
    {"end": {"configs": 1, "memories": 2, …}}                            last: counts, so that a cut file is noticed

`memory` holds every property but brain, isTest and scope: those are what it is imported into; events and declared
relations likewise. Events, relations and sources are left out where there are none. A relation stands with the one of
its memories that comes later, so one pass over the file meets both ends first. Nothing says when the export was made:
the same graph gives the same bytes.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from brainbridge.domain.relation import Relation

NAME, VERSION = "brainbridge", 1
FORMAT = f"{NAME}/{VERSION}"
# What says whose a node is; the place it is imported into says it anew, and makes vectors of its own model.
OWNER = frozenset({"brain", "isTest", "scope", "embeddingA", "embeddingB"})
# Relations that have an owner too, as memories do: brainbridge/consolidation/relate treats them by brain and scope.
DECLARED = frozenset(relation.name for relation in Relation)


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line says."""

    brain: str
    scope: str


@dataclass(frozen=True, slots=True)
class Entity:
    """Properties as parameters: `instants` are ISO 8601 text by name."""

    properties: Mapping[str, Any]
    instants: Mapping[str, str]

    def row(self, **more: Any) -> dict[str, Any]:
        """As a row of a statement."""
        return {"properties": self.properties, "instants": self.instants, **more}


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A node that a memory came from, and the properties of the edge between them."""

    labels: tuple[str, ...]
    node: Entity
    link: Entity


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """One memory with what belongs to it. `written` are its properties as the file has them, to compare."""

    id: str
    written: Mapping[str, Any]
    entity: Entity
    labels: tuple[str, ...]
    events: tuple[Entity, ...] = ()
    relations: tuple[Mapping[str, Any], ...] = ()
    sources: tuple[SourceLine, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfigLine:
    """One version of the constants."""

    version: int
    written: Mapping[str, Any]
    entity: Entity


@dataclass(slots=True)
class Counts:
    """What a file holds, for its last line."""

    configs: int = 0
    memories: int = 0
    events: int = 0
    relations: int = 0
    sources: int = 0

    def add(self, events: int, relations: int, sources: int) -> None:
        """Count one memory with what belongs to it."""
        self.memories += 1
        self.events += events
        self.relations += relations
        self.sources += sources

    def as_map(self) -> dict[str, int]:
        """By name, in the order of the file."""
        return {name: getattr(self, name) for name in ("configs", "memories", "events", "relations", "sources")}


@dataclass(frozen=True, slots=True)
class End:
    """What the last line says."""

    counts: Mapping[str, Any] = field(default_factory=dict)


def dumped(line: Mapping[str, Any]) -> str:
    """One line of the file."""
    return _ENCODE(line) + "\n"


# Made once: json.dumps makes a new one for each call with options, which took a third of the time.
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
