"""recall as people and scripts call it."""

import pytest

from brainbridge.app import Brain
from brainbridge.graph.connection import Graph
from brainbridge.settings import Settings
from tests.program import Done, Program


@pytest.fixture
def knowing(program: Program, graph: Graph) -> Program:
    """The program with a brain that knows two things."""
    brain = Brain.on(graph, program.brain, Settings())
    for text in ("the staging server listens on port 8443", "the staging area of the warehouse is full"):
        brain.remember(text, subject="Operations")
    return program


def ask(program: Program, *argv: str, text: str | None = None) -> Done:
    """One recall; fails if it fails."""
    done = program("recall", f"--brain={program.brain}", *argv, text=text)
    assert done.code == 0, done.err
    return done


def test_the_compact_line_has_one_word_of_strength(knowing: Program) -> None:
    """strong or weak, then where it stands, the text and the id (R-003-20)."""
    heading, first, second = ask(knowing, "which port does the staging server listen on").out.splitlines()

    assert ["strength", "score", "tier", "content", "id"] == heading.split()
    assert ["1", "strong", "1.00", "working", "Operations:", "the", "staging", "server"] == first.split()[:8]
    assert ["2", "weak"] == second.split()[:2]


def test_json(knowing: Program) -> None:
    """The keys that scripts rely on; strength by hit (R-003-20)."""
    page = ask(knowing, "--json", "which port does the staging server listen on").json

    assert ("brainbridge.recall/1", "off", False) == (page["schema"], page["semantic"], page["miss"])
    assert {"pageId", "query", "at", "hits"} <= page.keys()
    keys = "rank id content subject tier state energy weight score strength updatedAt"
    assert [set(keys.split())] * 2 == [hit.keys() for hit in page["hits"]]
    assert [(1, "strong"), (2, "weak")] == [(hit["rank"], hit["strength"]) for hit in page["hits"]]


def test_not_knowing_is_said(knowing: Program) -> None:
    """With what comes nearest, and without."""
    near, nothing = ask(knowing, "who painted the staging tent").out, ask(knowing, "Bundesliga").out

    assert near.startswith("brainbridge does not know this; nearest:\n")
    assert "brainbridge does not know this, and nothing comes near.\n" == nothing


def test_full_linked_and_explain(knowing: Program) -> None:
    """The whole text, the declared relations and no others, the numbers of each place and label (R-003-13)."""
    brain = f"--brain={knowing.brain}"
    assert knowing("remember", "first line\nsecond line about hedgehogs", brain).code == 0
    assert knowing("link", "hedgehogs", "extends", "8443", brain).code == 0

    shown = ask(knowing, "hedgehogs", "--full", "--linked", "--explain").out
    page = ask(knowing, "hedgehogs", "--linked", "--explain", "--json").json

    lines = [line.strip() for line in shown.splitlines()]
    assert ["first line", "second line about hedgehogs"] == lines[1:3]
    assert lines[3].startswith("extends →")
    assert "lexicalRank 1 · semanticRank none · cover 1" in lines[4]
    (hit,) = page["hits"]
    assert [("extends", True)] == [(relation["relation"], relation["outgoing"]) for relation in hit["relations"]]
    assert {"lexicalRank", "semanticRank", "cover", "bm25", "weight", "freshness"} <= hit["evidence"].keys()


def test_filters(knowing: Program) -> None:
    """--subject, --tier, --type, --since as days and as a date, --limit; a wrong word is refused by name."""

    def count(*argv: str) -> int:
        return len(ask(knowing, "staging", "--json", *argv).json["hits"])

    assert 2 == count() == count("--subject", "operations") == count("--tier", "working") == count("--since", "1")
    assert 1 == count("--limit", "1")
    assert 0 == count("--type", "learning") == count("--since", "2999-01-01") == count("--tier", "longTerm")
    wrong = knowing("recall", "staging", "--tier", "deep", f"--brain={knowing.brain}")
    assert (2, True) == (wrong.code, "'deep' is not a tier" in wrong.err)


def test_a_query_from_standard_input(knowing: Program) -> None:
    """With - as the query; words may also stand unquoted."""
    assert "8443" in ask(knowing, "-", text="port of the staging server\n").out
    assert "8443" in ask(knowing, "port", "of", "the", "staging", "server").out


LITERAL = [
    'CI/CD "x',
    "a AND OR (",
    "*",
    "foo-",
    "C++",
    "tier:",
    "",
    "NOT",
    "漢字仮名交文日本語長文検索問合試験用途例文",
]


@pytest.mark.parametrize("query", [*LITERAL, "x" * 10_000, " ".join(f"word{n}" for n in range(400))])
def test_nothing_in_a_query_is_syntax(program: Program, query: str) -> None:
    """Exit 0, one JSON object, the query given back as it was, nothing on stderr."""
    done = ask(program, "--json", query)

    assert ((query, True, []), "") == (tuple(done.json[key] for key in ("query", "miss", "hits")), done.err)


def test_a_query_that_begins_with_a_dash(knowing: Program) -> None:
    """After --, as everywhere."""
    assert "8443" in ask(knowing, "--", "-port 8443").out


def test_embed_and_doctor(knowing: Program) -> None:
    """embed fills in and says what it did; doctor says how recall finds, and what is wrong with the model."""
    brain, fake = f"--brain={knowing.brain}", {"BRAINBRIDGE_RECALL__EMBEDDER": "fake"}

    def line(**environment: str) -> tuple[str, str]:
        checks = knowing("doctor", brain, "--json", **environment).json["checks"]
        return next((check["level"], check["text"]) for check in checks if check["name"] == "recall")

    none, before = line(), line(**fake)
    done = knowing("embed", brain, "--json", **fake)
    after = line(**fake)
    broken = {"BRAINBRIDGE_RECALL__EMBEDDER": "openai"}

    assert ("ok", "by words alone: recall.embedder is none") == none
    assert ("warning", True) == (before[0], "Run: brainbridge embed" in before[1])
    assert (0, 2, True, True) == (done.code, *(done.json[key] for key in ("embedded", "complete", "switched")))
    assert ("ok", True) == (after[0], after[1].endswith("2 memories have its vectors"))
    assert ("error", True) == (line(**broken)[0], "recall.dimensions" in line(**broken)[1])
    assert 1 == knowing("embed", brain, **broken).code
    assert "no vectors" in knowing("embed", brain).out
    assert "on" == knowing("recall", brain, "--json", "staging", **fake).json["semantic"]
