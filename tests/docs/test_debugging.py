"""The debugging session of docs/how-to/debug-in-neo4j-browser.md, run from top to bottom on a brain that has lived."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import brainbridge
from brainbridge import app
from brainbridge.app import Brain
from brainbridge.graph.connection import Graph
from brainbridge.settings import Settings
from tests.support import hours, minutes, query

PAGE = Path(brainbridge.__file__).parent.parent / "docs" / "how-to" / "debug-in-neo4j-browser.md"
PORT = "the test database listens on port 5433"
DRILL = "the fire drill is on the first Monday"
RUMOUR = "someone heard that the office moves"
IDEA = "retries need a jitter, or all come back at once"


def statements() -> dict[str, str]:
    """The statement of each section by its heading; a section has one at most."""
    found: dict[str, str] = {}
    for part in re.split(r"(?=^## )", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE):
        heading = part.partition("\n")[0].removeprefix("## ")
        blocks = re.findall(r"^```cypher\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)
        assert len(blocks) <= 1, heading
        if blocks:
            found[heading] = blocks[0]
    return found


@pytest.fixture(scope="module")
def lived(graph: Graph) -> Iterator[tuple[Brain, Callable[[str], list[dict[str, Any]]]]]:
    """A brain with a history, and a way to ask it the statement of a section.

    Nine hours ago a rumour and an idea came up; the idea was promoted, the rumour expired with the last run, an hour
    ago. Since then a fact, not worth promotion yet, was opened with the idea, and a reminder came that the next run
    promotes.
    """
    name = f"debug{uuid4().hex[:8]}"
    app.initialise(graph, name)
    brain = Brain(graph, name, Settings(), owns_unowned=False)
    now = graph.now()
    brain.remember(RUMOUR, producer="inference", at=now - hours(9))
    brain.remember(IDEA, memory_type="crystallization", at=now - hours(9))
    brain.consolidate(now=now - hours(8.75), trigger="schedule")
    brain.consolidate(now=now - hours(1), trigger="schedule")
    brain.remember(PORT, producer="inference", at=now - minutes(50))
    for id_ in (memory.id for memory in brain.ranked().memories):
        brain.open(id_, now=now - minutes(40))
    brain.remember(DRILL, memory_type="reminder", at=now)
    brain.recall("which port has the test database?", now=now)
    brain.recall("when does the ferry to Bergen leave?", now=now)
    query(graph, "CREATE (:Memory {content: 'by hand', energy: 1.0, tier: 'working', id: $id})", id=name)

    def ask(heading: str) -> list[dict[str, Any]]:
        table = brain.cypher(statements()[heading], {"brain": name})
        return [dict(zip(table.columns, row, strict=True)) for row in table.rows]

    yield brain, ask
    query(graph, "MATCH (m:Memory {id: $id}) DETACH DELETE m", id=name)


Asked = tuple[Brain, Callable[[str], list[dict[str, Any]]]]


def test_every_statement_of_the_session_is_tried_below() -> None:
    """A new section needs a test that knows what should come out of it."""
    source = Path(__file__).read_text(encoding="utf-8")

    assert len(statements()) >= 12
    assert [heading for heading in statements() if f'ask("{heading}")' not in source] == []


def test_what_is_there(lived: Asked) -> None:
    """Three live memories, the constants, one stray."""
    brain, ask = lived

    assert {PORT, DRILL, IDEA} == {row["m"]["content"] for row in ask("What is there?")}
    (law,) = ask("Which constants are in force?")
    assert (1, 0.5, 2.0, "run") == tuple(
        law[name] for name in ("c.version", "c.lambdaWorking", "c.thresholdWorking", "c.promotionBasis")
    )
    assert brain.name in {row["m"]["id"] for row in ask("Memories that nothing sees")}


def test_what_a_memory_lacks(lived: Asked) -> None:
    """The reminder lacks less than nothing; the fact lacks as much as explain says."""
    brain, ask = lived
    rows = {row["m.content"]: row for row in ask("Why is this memory not promoted?")}

    assert rows[DRILL]["lacking"] < 0 < rows[PORT]["lacking"]
    assert brain.explain(PORT).lacking == pytest.approx(rows[PORT]["lacking"], abs=0.01)
    assert {"working": 2.0, "shortTerm": 5.0} == {row["m.tier"]: row["threshold"] for row in rows.values()}


def test_what_the_next_run_would_do(lived: Asked) -> None:
    """It agrees with a dry run."""
    brain, ask = lived
    fates = {row["fate"]: (row["memories"], row["such"]) for row in ask("What would the next run do?")}
    preview = brain.consolidate(dry_run=True)

    assert (1, [DRILL]) == fates["promotes"]
    assert (1, 0) == (preview.changed("promote"), preview.changed("expire"))
    assert "expires" not in fates
    assert {PORT, IDEA} == set(fates["stays"][1])


def test_what_runs_did(lived: Asked) -> None:
    """The last one expired the rumour; both are listed, the newest first, and went well."""
    _, ask = lived
    (done,) = ask("What did the last run do?")
    runs = ask("When did runs happen, and did they fail?")

    assert ("expired", RUMOUR, "schedule") == (done["e.kind"], done["m.content"], done["r.trigger"])
    assert [("ok", 0, 1), ("ok", 1, 0)] == [(run["r.outcome"], run["r.promoted"], run["r.expired"]) for run in runs]


def test_what_became_of_single_memories(lived: Asked) -> None:
    """The rumour's short life, the fact's ledger, the idea's way."""
    brain, ask = lived
    (gone,) = ask("Why did this memory expire?")
    changes = [row["e.kind"] for row in ask("What changed this memory?")]
    (way,) = ask("Which way did it come?")

    assert (RUMOUR, "working") == (gone["m.content"], gone["m.expiredFrom"])
    assert ["born", "expired"] == [line.split()[0] for line in gone["life"]]
    assert ["born", "opened"] == changes == [event.kind for event, _ in brain.history(PORT)]
    assert [IDEA, IDEA] == [node["content"] for node in way["way"].nodes]


def test_what_was_asked(lived: Asked) -> None:
    """One page with a strong hit; the question about the ferry is open."""
    _, ask = lived
    pages = {row["p.query"]: row for row in ask("Why was it recalled, and why not?")}
    (miss,) = ask("What was asked in vain?")

    answered = pages["which port has the test database?"]
    assert (False, f"1 strong {PORT}") == (answered["p.miss"], answered["hits"][0])
    assert "when does the ferry to Bergen leave?" == miss["k.query"]


def test_what_is_recalled_together(lived: Asked) -> None:
    """The fact and the idea, which were opened at one time."""
    _, ask = lived
    (bond,) = ask("What is recalled together?")

    assert {PORT, IDEA} == {node["content"] for node in bond["bond"].nodes}
    assert 0 < bond["weight"] <= 1
    assert 1 == bond["r.fires"]
