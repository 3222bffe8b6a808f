"""link and unlink as people and scripts call them, against a real Neo4j."""

import pytest

from tests.program import Program


@pytest.fixture
def pair(program: Program) -> list[str]:
    """The ids of two test memories."""
    return [program.test_memory(text, "1.5", "longTerm") for text in ("the port is 7687", "the port is 7688")]


def link(program: Program, *argv: str) -> dict[str, object]:
    """What `link … --test-only --json` printed."""
    done = program("--brain", program.brain, "link", *argv, "--test-only", "--json")
    assert done.code == 0, done.err
    return done.json


def test_a_relation_is_declared_once_acts_in_the_run_and_is_taken_back(program: Program, pair: list[str]) -> None:
    """REF by prefix and by text; created, then exists; related 1, then 0; removed, then absent (R-000-18)."""
    brain = ("--brain", program.brain)

    declared = link(program, pair[0][:8], "extends", "port is 7688", "--by", "an agent")
    again = link(program, pair[0], "extends", pair[1])
    runs = [program(*brain, "consolidate", "--testOnly", "--json").json for _ in range(2)]
    removed = [program(*brain, "unlink", pair[0], "extends", pair[1], "--testOnly", "--json").json for _ in range(2)]

    assert declared == {
        "schema": "brainbridge.link/1",
        "from": pair[0],
        "relation": "extends",
        "to": pair[1],
        "outcome": "created",
        "inert": False,
    }
    assert "exists" == again["outcome"]
    assert [1, 0] == [run["related"] for run in runs]
    assert ["removed", "absent"] == [each["outcome"] for each in removed]


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["{0}", "co_recalled", "{1}"], 7, "forge that usage and hide the real signal"),
        (["{0}", "likes", "{1}"], 2, "Use one of extends, updates, derives, contradicts"),
        (["{0}", "extends", "the port"], 2, "{1}"),
        (["{0}", "extends", "{0}"], 2, "the same memory"),
        (["{0}", "extends", "nothing like it"], 2, "no test memory"),
        (["{0}", "extends"], 2, "TO"),
    ],
)
def test_what_cannot_be_declared_says_why(
    program: Program,
    pair: list[str],
    argv: list[str],
    code: int,
    said: str,
) -> None:
    """One line (candidates with it), the exit code of its kind, nothing on stdout (R-000-19, -20, R-003-10)."""
    done = program("--brain", program.brain, "link", *(word.format(*pair) for word in argv), "--test-only")

    assert (code, "") == (done.code, done.out)
    assert said.format(*pair) in done.err


def test_people_read_a_line(program: Program, pair: list[str]) -> None:
    """Both ids, the word, and what was done."""
    done = program("--brain", program.brain, "link", pair[0], "contradicts", pair[1], "--test-only")

    assert f"{pair[0]} contradicts {pair[1]}  created\n" == done.out


def test_a_memory_is_remembered_with_its_relation_and_its_source(program: Program, pair: list[str]) -> None:
    """remember --relation --related-to --source: one command, and JSON that says what was declared (R-000-19)."""
    text = ("the port moves again in May", "--relation=updates", "--related-to", "port is 7688", "--source=Ticket:42")
    argv = ("--brain", program.brain, "remember", *text, "--test-only")

    first, lines = program(*argv, "--json"), program(*argv).out.splitlines()
    opened = program("--brain", program.brain, "open", first.json["id"], "--test-only", "--json").json

    made = {"relation": "updates", "to": pair[1], "outcome": "created", "inert": False}
    assert [made] == first.json["declared"]
    assert f"  updates {pair[1]}  exists" in lines
    assert (["updates", pair[1]], "42") == (
        [opened["relations"][0][key] for key in ("relation", "id")],
        opened["sourceNodeId"],
    )


def test_an_ambiguous_target_leaves_no_memory(program: Program, pair: list[str]) -> None:
    """Exit 2, the candidates on stderr, and nothing remembered (R-000-19)."""
    argv = ("remember", "a text of its own", "--relation=extends", "--related-to=the port", "--test-only")

    done = program("--brain", program.brain, *argv)
    listed = program("--brain", program.brain, "test-memory", "list", "--json").json["memories"]

    assert (2, "") == (done.code, done.out)
    assert all(each in done.err for each in pair)
    assert set(pair) == {each["id"] for each in listed}
