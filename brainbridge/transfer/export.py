"""Export: a brain's real or test memories as JSON lines, nothing lost but what is derived (see lines.py).

Neo4j shows a reader what is committed at that moment, so each memory is read with its ledger and its edges in one
statement, page by page. No run works on the scope meanwhile (transfer/lease), so no memory changes its id under the
reader. A boost or a new memory made meanwhile is in the file or is not, each with the event that explains it.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.domain.source import STATE_LABELS
from brainbridge.graph.connection import Graph
from brainbridge.graph.portable import portable
from brainbridge.graph.statements import transfer
from brainbridge.transfer.files import sink
from brainbridge.transfer.lines import DECLARED, FORMAT, OWNER, Counts, dumped
from brainbridge.transfer.parse import unfit
from brainbridge.transfer.report import ExportReport

# Memories read at once: enough that a round trip is paid once, few enough to hold.
PAGE = 2_000
PAGE_CHARACTERS = 8 * 1024 * 1024
_BRAIN = frozenset({"brain"})


def export_to(
    graph: Graph, scope: Scope, target: Path | str | TextIO, *, progress: Callable[[int], None] | None = None
) -> ExportReport:
    """Write all memories of `scope` to a file or a text stream.

    Args:
        progress: called after each page with the number of memories written so far.

    Raises:
        UsageError: the file cannot be written.
    """
    began = time.perf_counter()
    counts, left_out = Counts(), 0
    with sink(target) as stream:
        stream.write(dumped({"format": FORMAT, "brain": scope.brain, "scope": scope.name}))
        if not scope.is_test:  # the constants belong to the brain: a test must not carry them elsewhere
            for config in graph.read("transfer/list_configs", partial(transfer.list_configs, brain=scope.brain)):
                stream.write(dumped({"config": portable(config["names"], config["values"], _BRAIN)}))
                counts.configs += 1
        for page in _pages(graph, scope):
            left_out += _write_page(stream, page, counts)
            if progress:
                progress(counts.memories)
        stream.write(dumped({"end": counts.as_map()}))
    return ExportReport(**counts.as_map(), left_out=left_out, seconds=time.perf_counter() - began)


def _write_page(stream: TextIO, page: Iterable[Mapping[str, Any]], counts: Counts) -> int:
    """Write a page's memories; how many of them are none."""
    left_out = 0
    for row in page:
        line = _line(row)
        if unfit(line["memory"]):
            left_out += 1
            continue
        counts.add(*(len(line.get(part, ())) for part in ("events", "relations", "sources")))
        stream.write(dumped(line))
    return left_out


def _pages(graph: Graph, scope: Scope) -> Iterator[list[dict[str, Any]]]:
    """All memories in the order of their ids, as many at once as can be held."""
    after: str | None = ""
    while after is not None:
        page, after = graph.read("transfer/read_memories", partial(_page, scope=scope, after=after))
        yield page


def _page(tx: Transaction, scope: Scope, after: str) -> tuple[list[dict[str, Any]], str | None]:
    """One page, and the id that the next one begins after; None if there is no next one."""
    listed = transfer.list_page(tx, scope, after=after, batch=PAGE)
    taken: list[str] = []
    characters = 0
    for found, size in listed:
        characters += size
        if taken and characters > PAGE_CHARACTERS:
            break
        taken.append(found)
    last = taken[-1] if taken and (len(taken) < len(listed) or len(listed) == PAGE) else None
    return transfer.read_memories(tx, scope, ids=taken), last


def _line(row: Mapping[str, Any]) -> dict[str, Any]:
    """A memory as a line of the file: the same graph gives the same bytes."""
    line: dict[str, Any] = {"memory": portable(row["names"], row["values"], OWNER)}
    if labels := sorted(set(row["labels"]) - STATE_LABELS):
        line["labels"] = labels
    if events := [portable(event["names"], event["values"], OWNER) for event in row["events"]]:
        line["events"] = sorted(events, key=lambda event: str(event.get("id")))
    if relations := [_relation(relation) for relation in row["relations"]]:
        line["relations"] = sorted(relations, key=_order)
    if sources := [_source(source) for source in row["sources"]]:
        line["sources"] = sorted(sources, key=_order)
    return line


def _relation(row: Mapping[str, Any]) -> dict[str, Any]:
    properties = portable(row["names"], row["values"], OWNER if row["type"] in DECLARED else frozenset())
    return {"type": row["type"], "from": row["from"], "to": row["to"], "properties": properties}


def _source(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "labels": sorted(row["labels"]),
        "properties": portable(row["names"], row["values"]),
        "link": portable(row["linkNames"], row["linkValues"]),
    }


def _order(part: Mapping[str, Any]) -> str:
    return json.dumps(part, ensure_ascii=False)
