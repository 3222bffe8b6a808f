"""The bundle for Neo4j Browser: what is in it, and that every script of it runs on a brain with something in it."""

import io
import re
import zipfile
from collections.abc import Mapping

import pytest

from brainbridge.app import Brain
from brainbridge.graph.connection import Graph
from brainbridge.graph.cypher import Statement, statements
from brainbridge.inspection.bundle import PARAMETERS, STYLE, bundle, parameters, script, style
from tests.support import query

PARAM = re.compile(r"^:param (\w+) => (.+);$", re.MULTILINE)
READERS = [found for found in statements().values() if not found.writes and (found.browser or not found.parameters)]
WRITERS = [found for found in statements().values() if found.writes and found.browser]
# Of a store as the fixture leaves it, these have nothing to show.
NOTHING_TO_SHOW = {
    "consolidation/find_due_relations",
    "edges/list_relations",
    "embeddings/find_bare",
    "embeddings/list_spaces",
    "embeddings/read_space",
    "inspect/list_expired",
    "inspect/list_misfits",
    "inspect/list_scope_leaks",
    "inspect/list_strays",
    "inspect/list_vain_contradictions",
    "learning/list_co_recalled",
    "learning/read_verdicts",
    "memory/await_bands",
    "memory/find_by_prefix",
    "memory/find_successor",
    "recall/find_by_words",
    "runs/read_run",
    "schema/await_indexes",
}


def files(brain: str, **options: str) -> Mapping[str, str]:
    """The texts in a bundle by their names."""
    with zipfile.ZipFile(io.BytesIO(bundle(brain, **options))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist()}


def values(graph: Graph, text: str) -> dict[str, object]:
    """What Browser makes of `:param name => expression;` lines: the server computes each."""
    return {name: query(graph, f"RETURN {value} AS value")[0]["value"] for name, value in PARAM.findall(text)}


def statement_in(text: str) -> str:
    """A script without its `:param` lines and comments at the top."""
    return "\n".join(line for line in text.splitlines() if not line.startswith(("//", ":param")))


@pytest.fixture
def lived(brain: Brain) -> tuple[Brain, str]:
    """A brain in which something happened, and the id of a memory that was promoted."""
    brain.remember("the printer on the second floor listens on port 9100", memory_type="crystallization")
    brain.remember("someone may have moved the printer", producer="inference")
    brain.recall("where is the printer?")
    brain.recall("what nobody ever wrote down")
    brain.consolidate()
    (promoted,) = brain.ranked(tier="shortTerm").memories
    brain.open(promoted.id)
    return brain, promoted.id


def test_every_statement_is_in_it() -> None:
    """Each under its own name in its folder, beside the parameters and the style; the same bytes every time."""
    found = files("milo")

    assert {PARAMETERS, STYLE, *(f"brainbridge/{name}.cypher" for name in statements())} == set(found)
    assert bundle("milo") == bundle("milo")
    for name, text in found.items():
        if name.endswith(".cypher"):
            assert text.startswith("// "), name  # Browser names a script by this line


@pytest.mark.parametrize("found", READERS, ids=lambda found: found.name)
def test_a_reader_is_the_file_itself(found: Statement) -> None:
    """Browser shows results only of a script that is one statement."""
    assert f"{found.source.rstrip()}\n" == script(found, "milo")


def test_every_reader_runs_with_the_parameters_of_the_bundle(lived: tuple[Brain, str]) -> None:
    """Whole numbers stay whole, ids are those of a memory that is there; most have something to show."""
    brain, id_ = lived
    given = values(brain.graph, parameters(brain.name, memory=id_))

    empty = set()
    for found in READERS:
        with brain.graph.session() as session:
            if not session.run(statement_in(script(found, brain.name)), given).values():  # type: ignore[arg-type]
                empty.add(found.name)

    assert set() == empty - NOTHING_TO_SHOW


def test_what_writes_brings_its_own_parameters_for_test_memories(lived: tuple[Brain, str]) -> None:
    """One click changes no real memory: `isTest` is true in each, whatever the readers' is."""
    brain, _ = lived
    before = query(brain.graph, "MATCH (m:Memory {brain: $b, isTest: false}) RETURN properties(m) AS p", b=brain.name)

    for found in WRITERS:
        text = script(found, brain.name)
        given = values(brain.graph, text)
        assert set(found.parameters) == set(given), found.name
        assert given.get("isTest", True) is True, found.name
        if found.name.startswith(("consolidation/", "memory/")):
            query(brain.graph, statement_in(text), **given)

    after = query(brain.graph, "MATCH (m:Memory {brain: $b, isTest: false}) RETURN properties(m) AS p", b=brain.name)
    assert before == after


def test_what_no_hand_can_run_says_so() -> None:
    """It is there to be read."""
    assert "by hand it does not run" in script(statements()["memory/create_memories"], "milo")


def test_the_style_names_what_is_in_the_graph(graph: Graph) -> None:
    """Every label and type that it styles is one that statements use, and it holds only what GraSS knows."""
    text = style()
    code = "\n".join(found.text for found in statements().values())
    selectors = re.findall(r"^(node|relationship)(?:\.(\w+))? \{$", text, re.MULTILINE)

    assert len(selectors) == text.count("{\n")
    for _, name in selectors:
        assert not name or re.search(rf":[\w&|!:]*\b{name}\b", code), name
    known = {"diameter", "color", "border-color", "border-width", "text-color-internal", "text-color-external"}
    known |= {"font-size", "caption", "shaft-width", "padding"}
    assert set() == set(re.findall(r"^  ([\w-]+):", text, re.MULTILINE)) - known


def test_a_quote_in_an_id_stays_a_quote(graph: Graph) -> None:
    """No value can leave its string."""
    given = values(graph, parameters("milo", memory="o'br\\ien"))

    assert ("o'br\\ien", ["o'br\\ien"]) == (given["id"], given["ids"])
