"""What Cypher can return, for JSON and for tables: nodes, relationships, paths, points, durations, instants."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time

from brainbridge.cli.output import instant
from brainbridge.graph.records import native

# What people look for first in a node; the rest follows in alphabetical order.
_FIRST = ("id", "name", "content", "tier", "energy")
# Of a text within a node; ids and instants are shorter.
_TEXT_WIDTH = 60


def plain(value: Any) -> Any:
    """A driver value as what JSON knows.

    A node is {labels, properties}, a relationship {type, properties}, a path the list of what it passes. An instant
    with a zone becomes UTC; everything else that has a text form in Cypher gets that text.
    """
    match value:
        case Node():
            return {"labels": sorted(value.labels), "properties": plain(dict(value))}
        case Relationship():
            return {"type": value.type, "properties": plain(dict(value))}
        case Path():
            return [plain(step) for step in _steps(value)]
        case Point():
            return {"srid": value.srid, "coordinates": list(value)}
        case DateTime():
            return value.iso_format() if value.tzinfo is None else instant(native(value))
        case Date() | Time() | Duration():
            return value.iso_format()
        case bytes() | bytearray():
            return b64encode(value).decode("ascii")
        case Mapping():
            return {key: plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case _:
            return value


def shown(value: Any) -> Any:
    """A driver value for a table: nodes, relationships and paths in the way Cypher draws them."""
    match value:
        case Node():
            return f"({''.join(f':{label}' for label in sorted(value.labels))}{_properties(value)})"
        case Relationship():
            return f"[:{value.type}{_properties(value)}]"
        case Path():
            return _drawn(value)
        case DateTime() | Date() | Time() | Duration() | bytes() | bytearray():
            return plain(value)
        case Point() | list() | tuple() | Mapping():
            return _literal(value)
        case _:
            return value


def _steps(path: Path) -> list[Any]:
    steps: list[Any] = [path.start_node]
    for relationship, node in zip(path.relationships, path.nodes[1:], strict=True):
        steps += [relationship, node]
    return steps


def _drawn(path: Path) -> str:
    drawn = shown(path.nodes[0])
    for before, relationship, after in zip(path.nodes, path.relationships, path.nodes[1:], strict=False):
        left, right = ("-", "->") if relationship.start_node == before else ("<-", "-")
        drawn += f"{left}{shown(relationship)}{right}{shown(after)}"
    return str(drawn)


def _properties(entity: Node | Relationship) -> str:
    return f" {_literal(dict(entity))}" if len(entity) else ""


def _literal(value: Any) -> str:
    match value:
        # Points and durations are tuples to Python, so they come first.
        case Point():
            return f"point({_literal(plain(value))})"
        case Duration():
            return str(plain(value))
        case Mapping():
            keys = sorted(value, key=lambda key: (_FIRST.index(key) if key in _FIRST else len(_FIRST), key))
            return "{" + ", ".join(f"{key}: {_literal(value[key])}" for key in keys) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(_literal, value)) + "]"
        case str():
            return f"'{value}'" if len(value) <= _TEXT_WIDTH else f"'{value[: _TEXT_WIDTH - 1]}…'"
        case bool() | None:
            return {True: "true", False: "false", None: "null"}[value]
        case float() | int():
            return f"{value:g}" if isinstance(value, float) else str(value)
        case _:
            return str(shown(value))
