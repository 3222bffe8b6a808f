"""The Cypher console: run what a person typed, read-only unless they say otherwise.

READ access mode stops every write on a single server, but not LOAD CSV over http, TERMINATE or killing connections;
and EXPLAIN calls LOAD CSV a read. So the plan's operators and the procedures are checked as well.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from neo4j import READ_ACCESS, WRITE_ACCESS, Query, ResultSummary

from brainbridge.domain.errors import InvalidValue, QueryFailed, Refused
from brainbridge.graph.connection import Graph
from brainbridge.graph.cypher import statement

READ_TIMEOUT = 10.0  # seconds
WRITE_TIMEOUT = 120.0  # seconds
MOST_ROWS = 1_000
MAX_TEXT_BYTES = 1_048_576

# Operators that reach outside the graph or change the server although the plan counts as a read.
_FORBIDDEN_OPERATORS = ("LoadCSV", "TerminateTransactions", "ShowSettings", "ShowUsers", "ShowCurrentUser")
_ALLOWED_PROCEDURES = frozenset(
    {
        "db.labels",
        "db.relationshiptypes",
        "db.propertykeys",
        "db.index.fulltext.querynodes",
        "db.index.fulltext.queryrelationships",
        "db.index.vector.querynodes",
        "db.schema.visualization",
        "db.schema.nodetypeproperties",
        "db.schema.reltypeproperties",
        "db.awaitindexes",
        "db.info",
        "db.ping",
        "dbms.components",
        "dbms.procedures",
    }
)
_EXECUTION_MODE = re.compile(r"^\s*(EXPLAIN|PROFILE)\b", re.I)
_LINE_NUMBER = re.compile(r"\(line (\d+), column (\d+) \(offset: \d+\)\)")
# Words that do more than read the graph, wherever they stand: the plan does not show what is nested in a list.
_COMMAND = re.compile(
    r"\b(LOAD\s+CSV|TERMINATE\s+TRANSACTIONS?|(?:ALTER|CREATE|DROP)\s+(?:OR\s+REPLACE\s+)?"
    r"(?:USER|ROLE|DATABASE|COMPOSITE|ALIAS|SERVER)|GRANT|DENY|REVOKE|SHOW\s+(?:ALL\s+|CURRENT\s+|HOME\s+|DEFAULT\s+)?"
    r"(?:SETTINGS?|USERS?|TRANSACTIONS?|PRIVILEGES?|ROLES?|SERVERS?))\b",
    re.IGNORECASE,
)
_CALL = re.compile(r"\bCALL\s+([A-Za-z_][\w.]*)", re.IGNORECASE)
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Table:
    """What a query returned. `truncated` says that there were more than `MOST_ROWS` rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool


def run(graph: Graph, text: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False) -> Table:
    """Run one Cypher text.

    Args:
        text: one statement of at most 1 MiB; a `;` at its end is allowed.
        parameters: values for its `$names`.
        write: allow it to change the graph.

    Raises:
        Refused: it would write, or reach outside the graph, without `write`.
        QueryFailed: the database refused it.
    """
    text = _checked(text)
    values = dict(parameters or {})
    if not write:
        _refuse_unless_read(graph, text, values)
    timeout, mode = (WRITE_TIMEOUT, WRITE_ACCESS) if write else (READ_TIMEOUT, READ_ACCESS)
    query = Query(text, metadata={"app": "brainbridge", "query": "console"}, timeout=timeout)
    with graph.session(mode) as session:
        result = session.run(query, values)
        columns = tuple(result.keys())
        taken = result.fetch(MOST_ROWS + 1)
        result.consume()
    return Table(columns, tuple(tuple(row.values()) for row in taken[:MOST_ROWS]), len(taken) > MOST_ROWS)


def plan(graph: Graph, name: str) -> Mapping[str, Any]:
    """The plan that the database makes for our statement `name`, as the driver gives it; nothing is run.

    Raises:
        NotFound: there is no such statement.
    """
    text = statement(name).text
    with graph.session(READ_ACCESS) as session:
        summary = session.run(Query(f"EXPLAIN {text}", metadata={"app": "brainbridge", "query": name})).consume()
    return summary.plan or {}


def _checked(text: str) -> str:
    text = text.strip().removesuffix(";").strip()
    if not text:
        raise InvalidValue("the Cypher is empty. Give a statement; brainbridge cypher list shows those it comes with.")
    if len(text.encode("utf-8", errors="replace")) > MAX_TEXT_BYTES:
        raise InvalidValue("the Cypher is larger than 1 MiB. Nothing was run.")
    return text


def _refuse_unless_read(graph: Graph, text: str, values: Mapping[str, Any]) -> None:
    if forbidden := _forbidden(text):
        raise Refused(f"{forbidden} is not available here; only queries that read the graph are. Nothing was run.")
    summary = _explained(graph, _EXECUTION_MODE.sub("", text), values)
    if summary.query_type not in ("r", None):
        raise Refused("this statement writes. Say --write if it is meant to; nothing was run.")
    for operator in _operators(summary.plan or {}):
        kind, details = operator
        if kind.startswith(_FORBIDDEN_OPERATORS):
            raise Refused(f"{kind} reaches outside the graph and is not available here; nothing was run.")
        if kind.startswith("ProcedureCall") and not _allowed(details):
            raise Refused(f"the procedure in `{details}` is not on the list of those that only read; nothing was run.")


def _explained(graph: Graph, text: str, values: Mapping[str, Any]) -> ResultSummary:
    try:
        with graph.session(READ_ACCESS) as session:
            # On a line of its own, so that the columns in the server's messages are those of the text.
            return session.run(Query(f"EXPLAIN\n{text}"), dict(values)).consume()
    except QueryFailed as error:
        shown = _LINE_NUMBER.sub(lambda found: f"(line {int(found[1]) - 1}, column {found[2]})", str(error))
        raise QueryFailed(shown) from error


def _forbidden(text: str) -> str | None:
    """What in a text may not run here, outside of its strings, quoted names and comments; None if nothing."""
    bare = _QUOTED.sub(lambda quoted: " " if quoted[0][0] == "/" else "_", text)
    if command := _COMMAND.search(bare):
        return " ".join(command[1].split()).upper()
    called = (name for name in _CALL.findall(bare) if name.lower() not in _ALLOWED_PROCEDURES)
    return next((f"the procedure {name}" for name in called), None)


def _operators(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if plan:
        yield plan["operatorType"].split("@")[0], str(plan.get("args", {}).get("Details", ""))
    for child in plan.get("children", ()):
        yield from _operators(child)


def _allowed(details: str) -> bool:
    name = details.split("(")[0].strip().lower()
    return name in _ALLOWED_PROCEDURES
