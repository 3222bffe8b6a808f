"""The nodes that imported memories came from: found again, or made again.

A source is known by its labels and its own `id`; without an id by its labels and all its properties, so two that look
exactly alike become one.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.portable import portable, split
from brainbridge.graph.statements import transfer
from brainbridge.transfer.lines import Entity, MemoryLine, SourceLine


def link_sources(tx: Transaction, scope: Scope, memories: Iterable[MemoryLine]) -> int:
    """Hang memories that were just created on their sources; how many edges were made."""
    by_labels: defaultdict[tuple[str, ...], list[tuple[str, SourceLine]]] = defaultdict(list)
    for memory in memories:
        for source in memory.sources:
            by_labels[source.labels].append((memory.id, source))
    return sum(_link(tx, scope, labels, found) for labels, found in by_labels.items())


def _link(tx: Transaction, scope: Scope, labels: tuple[str, ...], found: list[tuple[str, SourceLine]]) -> int:
    wanted = {_key(source.node): source.node for _, source in found}
    # One look for all of them: labels that are only known now cannot use an index, so each look is a scan.
    there = transfer.find_sources(
        tx,
        scope,
        labels=labels,
        ids=[node.properties["id"] for node in wanted.values() if "id" in node.properties],
        lookalikes=[_native(node) for node in wanted.values() if "id" not in node.properties],
    )
    nodes: dict[str, str] = {}
    for row in there:
        nodes.setdefault(_key(Entity(*split(portable(row["names"], row["values"])))), row["node"])
    missing = [key for key in wanted if key not in nodes]
    if missing:
        made = transfer.create_sources(tx, labels=labels, sources=[wanted[key].row() for key in missing])
        nodes |= dict(zip(missing, made, strict=True))
    links = [source.link.row(node=nodes[_key(source.node)], id=memory_id) for memory_id, source in found]
    return transfer.link_sources(tx, scope, links=links)


def _key(node: Entity) -> str:
    """Equal for what counts as the same node."""
    own = {"id": node.properties["id"]} if "id" in node.properties else {**node.properties, **node.instants}
    return json.dumps(own, sort_keys=True, default=str)


def _native(node: Entity) -> Mapping[str, Any]:
    """All properties as the database would compare them."""
    instants = {name: {"datetime": text} for name, text in node.instants.items()}
    return {**node.properties, **{name: split({name: [text]})[0][name][0] for name, text in instants.items()}}
