"""What holds for the whole tree: one file, one query, one function; scopes named; nothing deleted; layers kept."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import brainbridge
from brainbridge.graph.cypher import Statement, cypher_folder, statements
from brainbridge.graph.schema import structures

PACKAGE = Path(brainbridge.__file__).parent
CHECKOUT = PACKAGE.parent
STATEMENT_MODULES = PACKAGE / "graph" / "statements"

# Statements that touch a memory without naming brain and scope, and why they may.
NAMES_NO_SCOPE = {
    "consolidation/count_strays": "four counters of the store; looks at no memory, and decides only whether to look",
    "edges/count_relations": "as count_strays",
    "embeddings/make_index_a": "makes an index of every brain's vectors; each search of it names brain and scope",
    "embeddings/make_index_b": "as make_index_a",
}
# Statements that name both but find their memories by something else, and why they may.
FOUND_OTHERWISE = {
    "consolidation/adopt": "takes node handles that lock_strays, which filters on both, gave in the same transaction",
    "learning/begin_opening": "its first clause locks the brain; the memories behind it are found by both",
    "memory/create_memories": "makes memories; MERGE by an id made for this very row",
    "transfer/create_memories": "makes memories; CREATE, so an id that is taken fails",
}
# Statements that delete what was recorded of use: bonds, recalls, misses, shadow orders, old events. Never a memory.
RECORDS_THAT_GO = {
    "learning/clear_test_records": ["DETACH DELETE shadow", "DETACH DELETE n"],
    "learning/delete_co_recalled": ["DELETE r"],
    "learning/prune_events": ["DETACH DELETE event"],
    "learning/prune_misses": ["DELETE k"],
    "learning/prune_pages": ["DETACH DELETE shadow", "DETACH DELETE page"],
    "learning/trim": ["DELETE r"],
}
# Text that goes to the database and is in no .cypher file, and why it may.
CYPHER_IN_PYTHON = {
    "inspection/console.py": "runs what a person typed, and EXPLAIN in front of it",
    "local_neo4j/credentials.py": "ALTER CURRENT USER on the system database, before there is a user for a session",
    "app.py": "EXPLAIN in front of a statement of ours",
}
MEMORY_LABELS = re.compile(r":\s*(Memory|LiveMemory|ExpiredMemory|ArchivedMemory)\b")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def code(found: Statement) -> str:
    """A statement without its comments."""
    return COMMENT.sub("", found.text)


def functions() -> dict[str, ast.FunctionDef]:
    """Every public function of graph/statements, as folder/name."""
    return {
        f"{path.stem}/{node.name}": node
        for path in STATEMENT_MODULES.glob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }


def touching_memories() -> list[str]:
    """The statements that name a label of memories; constraints and indexes touch none."""
    return [
        name for name, found in statements().items() if name not in structures() and MEMORY_LABELS.search(code(found))
    ]


def test_one_file_is_one_function() -> None:
    """Every .cypher file has the function of its name, and the reverse; constraints and indexes are run by name."""
    by_name = {"schema/ensure"}

    assert set(statements()) - set(structures()) == set(functions()) - by_name


def test_every_function_runs_the_file_of_its_name() -> None:
    """graph/statements/<folder>.py, function <name>, runs cypher/<folder>/<name>.cypher and no other."""
    run = {
        name: {
            node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and re.fullmatch(r"[a-z]+/[a-z_]+", node.value)
        }
        for name, function in functions().items()
        if name != "schema/ensure"
    }

    assert {name: {name} for name in run} == run


def test_every_name_of_a_statement_in_python_exists() -> None:
    """Names given to SHOW TRANSACTIONS and query.log are those of files, so grep finds them."""
    folders = {name.split("/")[0] for name in statements()}
    named = {
        node.value
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z]+/[a-z_]+", node.value)
        and node.value.split("/")[0] in folders
    }

    assert set() == named - set(statements())


def test_every_file_lies_in_a_folder_and_is_a_statement() -> None:
    """cypher/ holds README.md and folders of .cypher files, nothing else."""
    files = {path.relative_to(cypher_folder()).as_posix() for path in cypher_folder().rglob("*") if path.is_file()}

    assert {"README.md", *(f"{name}.cypher" for name in statements())} == files


@pytest.mark.parametrize("name", [name for name in touching_memories() if name not in NAMES_NO_SCOPE])
def test_a_statement_that_touches_a_memory_names_brain_and_scope(name: str) -> None:
    """Both $brain and $isTest are in it, or it stands in the list of exceptions with a reason (P6)."""
    assert {"brain", "isTest"} <= set(statements()[name].parameters)


@pytest.mark.parametrize("name", [name for name in touching_memories() if name not in NAMES_NO_SCOPE | FOUND_OTHERWISE])
def test_a_statement_that_touches_a_memory_filters_on_brain_and_scope(name: str) -> None:
    """It is not enough to name them: a pattern or a WHERE compares both (P6)."""
    reading = re.split(r"^\s*(?:SET|CREATE)\b", code(statements()[name]), flags=re.MULTILINE)[0]

    for parameter in ("brain", "isTest"):
        compared = rf"(\.{parameter}(, false\))? = \${parameter}\b|\b{parameter}: \${parameter}\b)"
        assert re.search(compared, reading), parameter


def test_no_exception_outlives_its_statement() -> None:
    """Each exception is about a file that is there and needs it."""
    assert set() == (NAMES_NO_SCOPE.keys() | FOUND_OTHERWISE.keys()) - set(touching_memories())
    assert [name for name in NAMES_NO_SCOPE if {"brain", "isTest"} & set(statements()[name].parameters)] == []


def test_consolidation_deletes_nothing() -> None:
    """No DELETE in cypher/consolidation but of a PROMOTED_TO step that was re-hung just before (P7, R-004-37)."""
    deletes = {
        name: re.findall(r"\b(?:DETACH\s+)?DELETE\s+\w+", code(found))
        for name, found in statements().items()
        if name.startswith("consolidation/") and re.search(r"\bDELETE\b", code(found))
    }

    assert deletes == {"consolidation/promote": ["DELETE step"]}
    promote = code(statements()["consolidation/promote"])
    assert re.search(
        r"-\[step:PROMOTED_TO\]->.*CREATE \(earlier\)-\[kept:PROMOTED_TO\]->\(old\).*DELETE step", promote, re.DOTALL
    )


def test_only_test_memories_are_ever_deleted() -> None:
    """The one statement that deletes memories matches isTest = true literally; others delete records, or a place."""
    deleting = [name for name, found in statements().items() if re.search(r"\bDELETE\b", code(found))]

    assert deleting == [
        "consolidation/promote",
        "edges/unlink",
        "embeddings/delete_space",
        *RECORDS_THAT_GO,
        "memory/clear_test_memories",
    ]
    for name, deletes in RECORDS_THAT_GO.items():
        assert re.findall(r"\b(?:DETACH\s+)?DELETE\s+\w+", code(statements()[name])) == deletes
    assert re.findall(r"\(s:(\w+).*\bDELETE s\b", code(statements()["embeddings/delete_space"]), re.DOTALL) == [
        "EmbeddingSpace"
    ]
    assert re.findall(r"\b(?:DETACH\s+)?DELETE\s+\w+", code(statements()["edges/unlink"])) == ["DELETE edge"]
    assert "m.isTest = true" in code(statements()["memory/clear_test_memories"])


def test_no_statement_counts_time_in_durations() -> None:
    """`duration.between(a, b).hours` truncates and drops months; the law counts milliseconds (R-004-15)."""
    assert [name for name, found in statements().items() if "duration.between" in code(found)] == []


def test_statements_that_run_in_browser_say_how() -> None:
    """Every parameter but ids of rows and events has an example in the Browser lines, where there are any."""
    lacking = {
        name: missing
        for name, found in statements().items()
        if found.browser
        and (missing := {p for p in found.parameters if not re.search(rf"\b{p}\b", " ".join(found.browser))})
    }

    assert lacking == {}


def python_strings(path: Path) -> Iterator[tuple[int, str]]:
    """The string constants of a module that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def test_no_cypher_stands_in_python() -> None:
    """A clause with a pattern behind it is in no module; examples inside messages end before they could run."""
    clause = re.compile(r"^\s*(OPTIONAL\s+)?(MATCH|MERGE|CREATE|UNWIND|CALL|EXPLAIN|ALTER|DETACH\s+DELETE)\s+[(\[{$\w]")
    found = {
        path.relative_to(PACKAGE).as_posix(): text
        for path in PACKAGE.rglob("*.py")
        for _, text in python_strings(path)
        if clause.match(text)
    }

    assert {path: text for path, text in found.items() if path not in CYPHER_IN_PYTHON} == {}


def test_nothing_is_run_that_is_built_from_strings() -> None:
    """No call hands a literal or an f-string to the driver, but where the list above says why."""
    literal = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and (
            (
                isinstance(node.func, ast.Attribute)
                and node.func.attr in ("run", "execute_query")
                and _owner(node.func) != "subprocess"
            )
            or (isinstance(node.func, ast.Name) and node.func.id == "Query")
        )
        and node.args
        and isinstance(node.args[0], ast.JoinedStr | ast.BinOp)
    }

    assert set() == literal - CYPHER_IN_PYTHON.keys()


def _owner(function: ast.Attribute) -> str:
    return function.value.id if isinstance(function.value, ast.Name) else ""


def test_the_layers_are_kept() -> None:
    """Imports go down only, siblings do not know each other, and the domain knows the standard library alone."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
