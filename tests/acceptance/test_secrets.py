"""Secrets at every door where texts come in: refused with exit 7 and nothing written, unless it is said to be meant."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import Refused
from brainbridge.domain.source import Source
from brainbridge.graph.connection import Graph
from brainbridge.memory.note import Note
from tests.program import Program
from tests.support import SECRET, query

# Made up, and whole only while the tests run.
PASSWORD = "hunter" + "22"
TEXT = f"the deploy token is {SECRET}"
PLACE = "github-token, characters 21 to 60"


@pytest.fixture
def stored(program: Program, graph: Graph) -> Callable[[], list[str]]:
    """Every node and relationship of the test's brain, and all source nodes, to compare before and after."""

    def all_of_it() -> list[str]:
        rows = query(
            graph,
            """
            MATCH (n) WHERE n.brain = $brain OR n:Crystallization OR n:Learning OR n:Reminder
            RETURN labels(n) AS labels, properties(n) AS properties,
                   COLLECT { MATCH (n)-[r]->() RETURN [type(r), properties(r)] } AS edges
            """,
            brain=program.brain,
        )
        return sorted(map(str, rows))

    return all_of_it


def log_of(program: Program) -> str:
    """All of consolidation.log."""
    file = Path(program.environment["BRAINBRIDGE_HOME"], "logs", "consolidation.log")
    return file.read_text(encoding="utf-8") if file.exists() else ""


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["remember", TEXT], f"the content holds what looks like a secret ({PLACE})"),
        (["remember", "the token", "--subject", SECRET], "the subject holds what looks like a secret (github-token"),
        (["capture", "learning", "deploy", TEXT], "the content holds what looks like a secret (github-token"),
        (["-learned", "password", PASSWORD], "the content holds what looks like a secret (assigned-password"),
        (["-crystallization", SECRET, "insight"], "the content holds what looks like a secret (github-token"),
        (["-reminder", f"DB_PASSWORD={PASSWORD}"], "the content holds what looks like a secret (assigned-password"),
        (["test-memory", "create", TEXT, "1", "working"], f"the content holds what looks like a secret ({PLACE})"),
        (["-testMemory", TEXT, "2.5", "working"], f"the content holds what looks like a secret ({PLACE})"),
        (["forget", "a fact", "--reason", TEXT], f"the reason holds what looks like a secret ({PLACE})"),
        (
            ["supersede", "a fact", "newer one", "--reason", TEXT],
            f"the reason holds what looks like a secret ({PLACE})",
        ),
        (["link", "a fact", "extends", "newer one", "--by", SECRET], "the name of who declares it holds"),
    ],
    ids=lambda value: " ".join(value[:3]).replace(TEXT, "…").replace(SECRET, "…") if isinstance(value, list) else "",
)
def test_a_secret_is_refused_at_every_door(
    program: Program, stored: Callable[[], list[str]], argv: list[str], said: str
) -> None:
    """Exit 7, one line with rule, place and what to do, never the secret; graph and log know nothing of it."""
    for text in ("a fact", "the newer one, which is another"):
        assert program("remember", text, f"--brain={program.brain}").code == 0
    before = stored()

    done = program.legacy(*argv)

    assert (7, "", 1) == (done.code, done.out, len(done.err.splitlines())), done.err
    assert said in done.err
    assert "Nothing was" in done.err
    assert before == stored()
    for secret in (SECRET, PASSWORD):
        assert secret not in done.err + log_of(program)


@pytest.mark.parametrize(
    "argv",
    [
        ["remember", TEXT],
        ["capture", "reminder", TEXT],
        ["-learned", "deploy", TEXT],
        ["-testMemory", TEXT, "2.5", "working"],
        ["forget", "a fact", "--reason", TEXT],
        ["supersede", "a fact", "newer one", "--reason", TEXT],
    ],
    ids=lambda argv: argv[0],
)
def test_it_is_stored_if_it_is_said_to_be_meant(
    program: Program, stored: Callable[[], list[str]], argv: list[str]
) -> None:
    """--allow-secret lets it in, unaltered; the log still does not know it."""
    for text in ("a fact", "the newer one, which is another"):
        assert program("remember", text, f"--brain={program.brain}").code == 0

    done = program.legacy(*argv, "--allow-secret")

    assert 0 == done.code, done.err
    assert any(TEXT in node for node in stored())
    assert SECRET not in log_of(program)


def test_a_refusal_needs_no_database(program: Program) -> None:
    """A secret is refused before anything is asked of a server."""
    done = program("remember", TEXT, f"--brain={program.brain}", BRAINBRIDGE_URI="bolt://127.0.0.1:9")

    assert 7 == done.code, done.err


def test_notes_with_a_secret_are_named_by_their_line(
    program: Program, stored: Callable[[], list[str]], tmp_path: Path
) -> None:
    """Plain notes: exit 7, the line, nothing of its batch written; --allow-secret takes them."""
    notes = tmp_path / "notes.jsonl"
    notes.write_text("\n".join(json.dumps({"text": text}) for text in ("harmless", TEXT)), encoding="utf-8")
    flags = ("--format=notes", str(notes), f"--brain={program.brain}")
    before = stored()

    refused = program("import", *flags)

    assert (7, 1) == (refused.code, len(refused.err.splitlines()))
    assert f"notes.jsonl, line 2: the content holds what looks like a secret ({PLACE})" in refused.err
    assert SECRET not in refused.err
    assert before == stored()
    taken = program("import", *flags, "--allow-secret", "--json")
    assert 2 == taken.json["created"], taken.err


def test_a_folder_with_a_secret_is_named_by_its_file(program: Program, tmp_path: Path) -> None:
    """Markdown: exit 7 and the file."""
    (tmp_path / "deploy.md").write_text(f"# Deploy\n\nexport DB_PASSWORD={PASSWORD}\n", encoding="utf-8")

    refused = program("import", str(tmp_path), f"--brain={program.brain}")

    assert 7 == refused.code
    assert "deploy.md: the content holds what looks like a secret (assigned-password" in refused.err


def test_an_export_comes_back_with_what_was_allowed(program: Program, graph: Graph, tmp_path: Path) -> None:
    """A backup is lossless: a secret that was let in once is restored without being asked about again."""
    file = tmp_path / "milo.jsonl"
    flag = f"--brain={program.brain}"
    made = program("remember", TEXT, "--allow-secret", "--json", flag).json["id"]
    assert program("export", str(file), flag).code == 0
    query(graph, "MATCH (m:Memory {id: $id})<-[:OF]-(e) DETACH DELETE m, e", id=made)

    done = program("import", str(file), flag, "--json")

    assert 1 == done.json["created"], done.err
    assert TEXT == program("open", made, "--json", flag).json["content"]


def test_an_error_that_quotes_a_secret_is_shown_without_it(program: Program) -> None:
    """Whoever looks for a memory by a secret gets the error, and no copy of the secret in what keeps stderr."""
    done = program.legacy("-boostMemory", TEXT, "-v")

    assert 2 == done.code
    assert "matches 'the deploy token is <github-token removed>'" in done.err
    assert SECRET not in done.err + log_of(program)


def test_the_api_refuses_and_allows(brain: Brain) -> None:
    """Every text that is stored is looked at, also in a batch and on the node that a memory came from."""
    source = Source("Document", "d1", {"title": "deploy", "path": f"https://milo:{PASSWORD}@host/x"})
    refused = [
        Note(TEXT),
        Note("a", subject=TEXT),
        Note("b", source=source),
        Note("c", source=Source("Document", SECRET)),
        Note("d", source=Source("Document", "d2", {"tags": ["x", SECRET]})),
    ]
    for note in refused:
        with pytest.raises(Refused) as error:
            brain.remember_many([Note("harmless"), note])
        assert SECRET not in str(error.value)
        assert PASSWORD not in str(error.value)
    assert 0 == brain.status().total

    brain.remember_many([Note(TEXT, allow_secret=True), Note("a", subject=TEXT, allow_secret=True)])
    brain.remember("b", source=source, allow_secret=True)
    brain.create_test_memory(TEXT, 1.0, "working", allow_secret=True)

    assert 3 == brain.status().total


def test_what_is_no_secret_is_remembered(brain: Brain) -> None:
    """A note about passwords, an id, a digest, a placeholder: no flag is needed."""
    texts = [
        "the password policy is 12 characters",
        "run 123e4567-e89b-12d3-a456-426614174000 failed",
        "commit d3b07384d113edec49eaa6238ad5ff00b1946ac9 broke the build",
        "start it with DB_PASSWORD=${DB_PASSWORD}",
    ]

    assert ["created"] * 4 == [brain.remember(text).outcome for text in texts]
