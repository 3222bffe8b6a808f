"""The loader of .cypher files: every rule of the header is held, and says which file breaks it."""

from collections.abc import Callable

import pytest

from brainbridge.domain.errors import NotFound
from brainbridge.graph.cypher import CypherFileError, parse, statement, statements

GOOD = """\
// memory/find_note: one memory by its id.
//
// Law      none, for reading                 docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory,
//                                  false: only a real one
//          $now        datetime    instant, UTC
// Returns  memory      map         all properties
//          count       integer     of $something that is no parameter
// Runs     read; again gives the same
// Browser  :param {brain: 'milo', isTest: true}
//          :param now => datetime()
//
// Comments below the header may say $anything; they are not the statement.
MATCH (m:Memory {brain: $brain})   // a comment with $another; and a semicolon
WHERE m.isTest = $isTest AND m.content <> 'a $text; with a semicolon' AND m.created < $now
/* $neither; does this */
RETURN properties(m) AS `$memory;`
"""


def test_a_good_file_is_taken_apart() -> None:
    """Name, summary, parameters with their types, read or write, Browser lines and the statement itself."""
    found = parse("memory/find_note", GOOD)

    assert (found.name, found.summary, found.writes) == ("memory/find_note", "one memory by its id.", False)
    assert dict(found.parameters) == {"brain": "string", "isTest": "boolean", "now": "datetime"}
    assert found.browser == (":param {brain: 'milo', isTest: true}", ":param now => datetime()")
    assert found.text.startswith("MATCH (m:Memory")
    assert found.source == GOOD


def test_a_semicolon_may_end_the_statement() -> None:
    """As cypher-shell wants it."""
    assert parse("memory/find_note", GOOD.rstrip() + ";\n").text.endswith(";")


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda text: "", "first line"),
        (lambda text: text.split("\n", 1)[1], "first line"),
        (lambda text: text.replace("// memory/find_note:", "// memory/other:"), "first line"),
        (lambda text: text.replace("memory/find_note: one memory by its id.", "memory/find_note"), "first line"),
        (lambda text: text.replace("// Runs     read; again gives the same\n", ""), "lacks a 'Runs' line"),
        (lambda text: text.replace("Runs     read;", "Runs     often;"), "'often'"),
        (
            lambda text: text.replace("//          $now        datetime    instant, UTC\n", ""),
            r"not declared: \['now'\]",
        ),
        (lambda text: text.replace("$now        datetime", "$now        moment"), r"not declared: \['now'\]"),
        (lambda text: text.replace(" AND m.created < $now", ""), r"declared but not used: \['now'\]"),
        (lambda text: text.replace("m.created < $now", "m.created < $then"), r"\['now'\].*\['then'\]"),
        (lambda text: text + ";\nMATCH (n) RETURN n\n", "one file is one statement"),
        (lambda text: text.replace("RETURN", "; RETURN"), "one file is one statement"),
    ],
)
def test_every_rule_fails_loudly(damage: Callable[[str], str], complaint: str) -> None:
    """A header that lacks something, or disagrees with its statement, is refused with the name of the file."""
    with pytest.raises(CypherFileError, match=complaint) as refused:
        parse("memory/find_note", damage(GOOD))

    assert "memory/find_note.cypher" in str(refused.value)


def test_the_file_name_is_part_of_the_rule() -> None:
    """A file that was renamed without its header is refused."""
    with pytest.raises(CypherFileError, match="memory/find_memo"):
        parse("memory/find_memo", GOOD)


def test_statements_that_write_say_so() -> None:
    """`write, after …` counts as write."""
    found = parse("memory/find_note", GOOD.replace("Runs     read; again", "Runs     write, after another; again"))

    assert found.writes


@pytest.mark.parametrize(
    "name", ["memory/nothing", "nothing", "../pyproject", "memory/../memory/boost", "/etc/passwd", ""]
)
def test_an_unknown_statement_is_not_found(name: str) -> None:
    """Only names of files in the folder; no way out of it."""
    with pytest.raises(NotFound):
        statement(name)


def test_one_statement_equals_the_one_among_all() -> None:
    """Loading one file and loading all give the same."""
    assert dict(statements()) == {name: statement(name) for name in statements()}
