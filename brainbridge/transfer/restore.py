"""Import of an export: what is not here comes in exactly as it was; what is here stays as it is.

A batch is one transaction, so a killed import leaves whole batches, and the same import again completes it: a memory
that stands here is looked at, not written. Nothing is ever overwritten.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from neo4j import Transaction

from brainbridge.domain.energy import DEFAULT_LAW
from brainbridge.domain.errors import InvalidValue, QueryFailed, Refused
from brainbridge.domain.scope import Scope
from brainbridge.graph import law as graph_law
from brainbridge.graph.connection import Graph
from brainbridge.graph.portable import portable
from brainbridge.graph.statements import transfer
from brainbridge.transfer.files import name_of, numbered_lines
from brainbridge.transfer.lines import OWNER, ConfigLine, Counts, End, Header, MemoryLine
from brainbridge.transfer.parse import header_of, parsed
from brainbridge.transfer.report import ImportReport
from brainbridge.transfer.sources import link_sources

# Lines a transaction: the commit is paid once, and locks are held for less than a second.
BATCH = 2_000
BATCH_CHARACTERS = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Batch:
    """Lines that are written together, or not at all: all configs, or some memories."""

    first: int
    last: int
    configs: Sequence[ConfigLine] = ()
    memories: Sequence[MemoryLine] = ()


def import_from(
    graph: Graph,
    scope: Scope,
    source: Path | str | TextIO | BinaryIO,
    *,
    progress: Callable[[int], None] | None = None,
    batch: int = BATCH,
) -> ImportReport:
    """Import an export into `scope`; the brain it was made of may have another name.

    Args:
        progress: called after each batch with the number of memories dealt with so far.

    Raises:
        InvalidValue: no export, a newer format, or a line that is none, by its number. Its batch is not written, those
            before it are.
        Refused: test memories for a real scope, or ids that belong to another brain of this database.
    """
    began = time.perf_counter()
    report = ImportReport()
    with numbered_lines(source) as lines:
        name, line = name_of(source), 1
        try:
            header = _header(lines, scope)
            for found in _batches(lines, header, scope, batch):
                line = found.first
                report = _added(
                    report, graph.write("transfer/create_memories", partial(_write, scope=scope, batch=found))
                )
                line = found.last + 1
                if progress and found.memories:
                    progress(report.created + report.already_there + report.kept)
        except (InvalidValue, Refused) as error:
            raise type(error)(f"{name}: {error}. {_what_stands(line)}") from error
        except QueryFailed as error:
            raise QueryFailed(f"{name}, from line {line} on: {error} {_what_stands(line)}") from error
    return replace(report, seconds=time.perf_counter() - began)


def _what_stands(line: int) -> str:
    if line <= 2:
        return "Nothing was written."
    return (
        f"What stands before line {line} was imported; nothing after it. "
        "Mend it and import it again: what is there is not written twice."
    )


def _header(lines: Iterator[tuple[int, str]], scope: Scope) -> Header:
    _, text = next(lines, (0, ""))
    header = header_of(text)
    if header.scope == "test" and not scope.is_test:
        raise Refused(
            f"holds test memories of brain {header.brain!r}, and test memories never become real ones. "
            "Import it with --test-only"
        )
    return header


def _batches(lines: Iterator[tuple[int, str]], header: Header, scope: Scope, size: int) -> Iterator[Batch]:
    """The file cut into batches; checked to its end."""
    configs: list[ConfigLine] = []
    memories: list[MemoryLine] = []
    counts, first, characters, number, ended = Counts(), 2, 0, 1, False
    for number, text in lines:
        if ended:
            raise InvalidValue(f"line {number} stands behind the last line")
        match _parsed(number, text, header, scope):
            case End() as end:
                ended = True
                _refuse_difference(end, counts)
            case ConfigLine() as config:
                if counts.memories:
                    raise InvalidValue(f"line {number} is a config behind a memory")
                counts.configs += 1
                configs.append(config)
            case MemoryLine() as memory:
                if configs:
                    yield Batch(first, number - 1, configs=configs)
                    configs, first = [], number
                counts.add(len(memory.events), len(memory.relations), len(memory.sources))
                memories.append(memory)
                characters += len(text)
        if len(memories) >= size or characters >= BATCH_CHARACTERS:
            yield Batch(first, number, memories=memories)
            memories, first, characters = [], number + 1, 0
    if configs or memories:
        yield Batch(first, number, configs=configs, memories=memories)
    if not ended:
        raise InvalidValue(f"ends after line {number}, without the last line of an export: the rest is missing")


def _parsed(number: int, text: str, header: Header, scope: Scope) -> ConfigLine | MemoryLine | End:
    try:
        return parsed(text, header, scope)
    except InvalidValue as error:
        if not text.endswith("\n"):
            raise InvalidValue(f"line {number}, the last one, is cut off: the file is not complete") from error
        raise InvalidValue(f"line {number}: {str(error).rstrip('.')}") from error


def _refuse_difference(end: End, counts: Counts) -> None:
    if wrong := {name: there for name, there in counts.as_map().items() if end.counts.get(name) != there}:
        said = ", ".join(f"{end.counts.get(name)} {name}, but there are {there}" for name, there in wrong.items())
        raise InvalidValue(f"says at its end that it holds {said}: lines are missing or were added")


def _write(tx: Transaction, scope: Scope, batch: Batch) -> ImportReport:
    report = _write_configs(tx, scope, batch.configs) if batch.configs else ImportReport()
    return _added(report, _write_memories(tx, scope, batch.memories)) if batch.memories else report


def _write_configs(tx: Transaction, scope: Scope, configs: Sequence[ConfigLine]) -> ImportReport:
    """Take over the constants of the file, if those here were never touched; a test import never does."""
    rows = transfer.list_configs(tx, brain=scope.brain)
    here = [portable(row["names"], row["values"], OWNER) for row in rows]
    if here == [config.written for config in configs]:
        return ImportReport()
    if sum("validTo" not in config.written for config in configs) != 1:
        raise InvalidValue("has not one version of the constants that is in force")
    untouched = len(here) == 1 and here[0].get("version") == 1 and graph_law.law_version(here[0]).law == DEFAULT_LAW
    versions = [_version(config) for config in configs]
    if scope.is_test or not untouched or not transfer.write_configs(tx, brain=scope.brain, versions=versions):
        return ImportReport(configs_kept=len(configs))
    return ImportReport(configs=len(configs))


def _version(config: ConfigLine) -> dict[str, Any]:
    """As a row; the version in force gets the constants that an older brainbridge did not know."""
    missing = {} if "validTo" in config.written else graph_law.properties_of_law(DEFAULT_LAW)
    properties = {**missing, **config.entity.properties}
    return {"version": config.version, "properties": properties, "instants": config.entity.instants}


def _write_memories(tx: Transaction, scope: Scope, memories: Sequence[MemoryLine]) -> ImportReport:
    taken = {row["id"]: row for row in transfer.find_memories(tx, scope, ids=[memory.id for memory in memories])}
    if foreign := next((taken_id for taken_id, row in taken.items() if not row["ours"]), None):
        raise Refused(
            f"memory {foreign} is in this database already, and not among the {scope.name} memories of brain "
            f"{scope.brain!r}. An id stands for one memory in a database. Give brain {scope.brain!r} a database of its "
            f"own (uri under [brains.{scope.brain}] in the configuration file), or take only the texts, as notes: "
            "docs/how-to/export-and-import.md says how"
        )
    here = {taken_id: portable(row["names"], row["values"], OWNER) for taken_id, row in taken.items()}
    same = sum(here.get(memory.id) == memory.written for memory in memories)
    new = _without_rivals(tx, scope, [memory for memory in memories if memory.id not in here])
    created = transfer.create_memories(tx, scope, memories=[_row(memory) for memory in new]) if new else 0
    relations = [relation for memory in memories for relation in memory.relations]
    found, made = transfer.create_relations(tx, scope, relations=relations) if relations else (0, 0)
    return ImportReport(
        created=created,
        already_there=same,
        kept=len(memories) - created - same,
        events=sum(len(memory.events) for memory in new),
        relations=made,
        dangling=len(relations) - found,
        sources=link_sources(tx, scope, new),
    )


def _without_rivals(tx: Transaction, scope: Scope, new: Sequence[MemoryLine]) -> list[MemoryLine]:
    """Those that do not live on here under another id; of two with one id or one text the first."""
    seen = transfer.find_rivals(
        tx,
        scope,
        promoted=[_known(memory, "root", "promotedFrom") for memory in new if "promotedFrom" in memory.written],
        texts=[_known(memory, "contentKey") for memory in new if "contentKey" in memory.written],
    )
    alone: list[MemoryLine] = []
    texts: set[str] = set()
    for memory in new:
        text = memory.entity.properties.get("contentKey")
        if memory.id in seen or text in texts:
            continue
        seen.add(memory.id)
        if text is not None:
            texts.add(text)
        alone.append(memory)
    return alone


def _known(memory: MemoryLine, *names: str) -> dict[str, Any]:
    return {"id": memory.id, **{name: memory.entity.properties.get(name) for name in names}}


def _row(memory: MemoryLine) -> dict[str, Any]:
    return memory.entity.row(labels=memory.labels, events=[event.row() for event in memory.events])


def _added(one: ImportReport, other: ImportReport) -> ImportReport:
    names = ImportReport.__dataclass_fields__
    return ImportReport(**{name: getattr(one, name) + getattr(other, name) for name in names})
