"""export and import as people and scripts call them."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest

from brainbridge.app import initialise
from brainbridge.graph.connection import Address, Graph
from tests.support import query

TEXT = "日本語 🧠 \u2028 the port is 8080"


@dataclass(frozen=True)
class Program:
    """The installed command with a home and a brain of the test's own."""

    brain: str
    environment: dict[str, str] = field(repr=False)

    def __call__(self, *argv: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        script = shutil.which("brainbridge", path=str(Path(sys.executable).parent))
        assert script
        return subprocess.run(
            [script, "--brain", self.brain, *argv],
            input=given,
            capture_output=True,
            env=self.environment | environment,
            timeout=60,
            check=False,
        )


@pytest.fixture
def program(neo4j_address: Address, graph: Graph, tmp_path: Path) -> Program:
    """The program with a brain that no other test uses, and two memories in it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BRAINBRIDGE_", "NEO4J_"))}
    environment |= {
        "BRAINBRIDGE_URI": neo4j_address.uri,
        "BRAINBRIDGE_CONNECT_TIMEOUT": "15",
        "BRAINBRIDGE_USERNAME": neo4j_address.username,
        "BRAINBRIDGE_PASSWORD": neo4j_address.password,
        "BRAINBRIDGE_DATABASE": neo4j_address.database,
        "BRAINBRIDGE_HOME": str(tmp_path / "home"),
        "BRAINBRIDGE_CONFIG": str(tmp_path / "none.toml"),
    }
    made = Program(f"cli{uuid4().hex[:10]}", environment)
    initialise(graph, made.brain)
    assert made("remember", "-", given=TEXT.encode()).returncode == 0
    assert made("test-memory", "create", "a test", "1.5", "working").returncode == 0
    return made


def wipe(graph: Graph, brain: str) -> None:
    """Delete a brain's memories and their ledgers."""
    query(graph, "MATCH (n:Memory|EnergyEvent {brain: $brain}) DETACH DELETE n", brain=brain)


def test_export_wipe_import_export_is_the_same(program: Program, graph: Graph, tmp_path: Path) -> None:
    """To a file and to standard output, also where the locale knows ASCII only."""
    path = tmp_path / "milo.jsonl"
    written = program("export", str(path), "--json")
    printed = program("export", PYTHONUTF8="0", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii")
    wipe(graph, program.brain)

    taken = program("import", str(path), "--json")

    assert (0, 0, 0) == (written.returncode, printed.returncode, taken.returncode), taken.stderr
    assert path.read_bytes() == printed.stdout == program("export", "-").stdout
    assert TEXT == json.loads(printed.stdout.split(b"\n")[2])["memory"]["content"]
    said, found = json.loads(written.stdout), json.loads(taken.stdout)
    assert ("brainbridge.export/1", 1, 1, str(path)) == tuple(
        said[key] for key in ("schema", "memories", "events", "file")
    )
    assert ("brainbridge.import/1", "real", 1, 0, 0, 1) == tuple(
        found[key] for key in ("schema", "scope", "created", "alreadyThere", "kept", "events")
    )


def test_import_from_standard_input_twice(program: Program, graph: Graph) -> None:
    """A second import says that everything is there."""
    exported = program("export", "--test-only").stdout
    wipe(graph, program.brain)

    first, second = (program("import", "-", "--test-only", given=exported) for _ in range(2))

    assert b"1 created, 0 already there" in first.stdout
    assert b"0 created, 1 already there" in second.stdout


def test_refusals_name_the_place(program: Program, tmp_path: Path) -> None:
    """A foreign file, a bad line, a test export for real memories, no file at all: each with its exit code."""
    test_export = program("export", "--test-only").stdout
    spoiled = test_export.replace(b'"working"', b'"lukewarm"')

    for argv, given, code, said in (
        (("import",), b"{}", 2, b"standard input: is no export of brainbridge: it has no format"),
        (("import", "--test-only"), spoiled, 2, b"standard input: line 2: its tier is 'lukewarm'"),
        (("import",), test_export, 7, b"test memories never become real ones"),
        (("import", str(tmp_path / "none")), b"", 2, b"cannot read"),
        (("import", "--format", "markdown"), b"", 2, b"from a folder"),
        (("export", str(tmp_path)), b"", 2, b"cannot write"),
        (("export", "--json"), b"", 2, b"Give a FILE"),
    ):
        done = program(*argv, given=given)
        assert (code, b"") == (done.returncode, done.stdout), argv
        assert said in done.stderr, done.stderr


def test_an_export_replaces_no_file_unasked(program: Program, tmp_path: Path) -> None:
    """Refused with exit code 2 and the file as it was; --force replaces it."""
    path = tmp_path / "kept.jsonl"
    path.write_text("something else", encoding="utf-8")

    refused = program("export", str(path))
    kept = path.read_text(encoding="utf-8")
    forced = program("export", str(path), "--force")

    assert (2, "something else") == (refused.returncode, kept)
    assert b"say --force to replace it" in refused.stderr
    assert 0 == forced.returncode
    assert path.read_bytes() == program("export").stdout


def test_notes_and_markdown(program: Program, tmp_path: Path) -> None:
    """JSON lines and a folder of Markdown files become memories; a note that is there already restates it."""
    notes = [
        {"text": "the printer on the second floor jams on thick paper", "type": "learning", "subject": "printer"},
        {"content": "renew the passport of the dog before summer", "type": "reminder", "core": False},
        {"text": "the printer on the second floor jams on thick paper"},
    ]
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "tea.md").write_text(
        "---\ntitle: Tea\n---\nGreen tea wants water of 80 °C.\n", encoding="utf-8"
    )
    lines = "".join(json.dumps(note) + "\n" for note in notes).encode()

    taken = program("import", "--format", "notes", "--json", given=lines)
    folder = program("import", str(tmp_path / "vault"), "--json")

    assert (0, 0) == (taken.returncode, folder.returncode), (taken.stderr, folder.stderr)
    assert (2, 1) == tuple(json.loads(taken.stdout)[key] for key in ("created", "reinforced"))
    assert ("markdown", 1) == tuple(json.loads(folder.stdout)[key] for key in ("format", "created"))
