"""Every code block of the documentation is done as it stands, by somebody with an empty home (R-000-37)."""

import ast
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brainbridge import app
from brainbridge.app import Brain
from brainbridge.daemon.quoting import as_notes
from brainbridge.domain.errors import Refused
from brainbridge.domain.secrets import refuse_secrets
from brainbridge.graph.connection import Address, Graph
from brainbridge.settings import Settings
from tests.docs.support import CHECKOUT, PAGES, Block, Reader, blocks, blocks_of, commands_of, name, reader_in, shows
from tests.support import SECRET, free_port, query

# Lines that are not done here, by how they begin, and why.
NOT_DONE = {
    "pip install ": "needs a package index; tests/packaging installs the wheel",
    "pip uninstall ": "would take the program away from the other tests",
    "make ": "make demo is tests/acceptance/test_demo.py, make test is this",
    "docker ": "needs a container engine; tests/packaging/test_compose.py reads what it is given",
    "systemctl ": "needs a user's systemd; tests/unit/daemon/test_units.py checks the unit",
    "launchctl ": "needs macOS",
    "claude ": "needs Claude Code; test_docs.py parses the command that it is told to start",
    "python -m bench.": "measures for many minutes",
    "MEMORY_CORPUS=": "is a test of its own",
    "promtool ": "needs Prometheus; test_observability.py runs it where it is",
    "git pull": "needs a checkout's origin",
    "tail -F ": "follows the log without an end",
}
# Programs that run until they are told to end.
ENDLESS = ("brainbridge daemon run --brain=milo", "brainbridge mcp --http", "brainbridge dashboard")
INTERRUPTED = 130
# Pages whose reader has a managed server of their own, and no brain yet.
MANAGED = {
    "docs/tutorial/first-day.md",
    "docs/how-to/remove-everything.md",
    "docs/how-to/back-up-and-restore.md",
}
STAGING = "The staging database listens on port 5433, not 5432."
BRAIN = ("brainbridge init milo", f"brainbridge remember --brain=milo --type learning '{STAGING}'")
# What a page takes for granted, beside a database with a brain that has one memory.
GIVEN: dict[str, tuple[str, ...]] = {
    "README.md": (f"python {CHECKOUT / 'examples' / 'demo.py'}",),
    "docs/how-to/remove-everything.md": BRAIN,
    "docs/how-to/back-up-and-restore.md": (
        *BRAIN,
        "export BRAINBRIDGE_BRAIN=milo",
        "mkdir ~/.cache; ln -s $BRAINBRIDGE_CACHE ~/.cache/brainbridge",
    ),
    "docs/how-to/run-the-daemon.md": ("mkdir -p ~/Library/LaunchAgents",),
    "docs/how-to/export-and-import.md": (
        """echo '{"text": "The ferry leaves at nine"}' > notes.jsonl""",
        "mkdir ~/vault; echo 'The pier is closed' > ~/vault/pier.md",
    ),
    "docs/how-to/goodbye-hook.md": ("echo '{}' > event.json",),
}
# Other names for the default brain than milo.
DEFAULTS = {"README.md": "demo"}
NAMES = ("milo", "demo", "work", "home", "sandbox")
REMOVAL = "docs/how-to/remove-everything.md"  # its Cypher is for a Neo4j that stays
# Text blocks show what is printed elsewhere; the test that compares it.
TEXTS = {
    "docs/how-to/goodbye-hook.md": "test_notes_for_an_agent",
    "docs/reference/secrets.md": "test_a_refusal_of_a_secret",
}


@pytest.fixture
def milo(graph: Graph) -> Iterator[Brain]:
    """The brain that the pages speak of; every name they use is free again afterwards."""

    def clear() -> None:
        query(graph, "MATCH (n) WHERE n.brain IN $names DETACH DELETE n", names=NAMES)
        query(graph, "MATCH (n:Brain) WHERE n.name IN $names DETACH DELETE n", names=NAMES)
        query(graph, "MATCH (n:Lease) WHERE split(n.name, '/')[0] IN $names DETACH DELETE n", names=NAMES)

    clear()
    app.initialise(graph, "milo")
    brain = Brain(graph, "milo", Settings(), owns_unowned=False)
    brain.remember(STAGING, memory_type="learning")
    brain.capture("reminder", "Rotate the deploy key")
    brain.recall("Where do we keep the backups?")
    yield brain
    clear()


@pytest.fixture
def make_reader(neo4j_address: Address, tmp_path: Path) -> Iterator[Callable[[str], Reader]]:
    """Somebody who reads a page, with the database that the page takes for granted."""
    made: list[Reader] = []

    def make(page: str) -> Reader:
        if page in MANAGED:
            settings = {
                "BRAINBRIDGE_SERVER__BOLT_PORT": str(free_port()),
                "BRAINBRIDGE_SERVER__HTTP_PORT": str(free_port()),
                "BRAINBRIDGE_SERVER__PROFILE": "tests",
                "BRAINBRIDGE_SERVER__HEAP": "256m",
                "BRAINBRIDGE_SERVER__PAGE_CACHE": "64m",
            }
        else:
            settings = {
                "BRAINBRIDGE_URI": neo4j_address.uri,
                "BRAINBRIDGE_USERNAME": neo4j_address.username,
                "BRAINBRIDGE_PASSWORD": neo4j_address.password,
                "BRAINBRIDGE_CONNECT_TIMEOUT": "15",
                "BRAINBRIDGE_BRAIN": DEFAULTS.get(page, "milo"),
                "BRAINBRIDGE_MCP__PORT": str(free_port()),
                "BRAINBRIDGE_WEB__PORT": str(free_port()),
                "BROWSER": "true",  # where there is a display no window opens
            }
        made.append(reader_in(tmp_path, settings))
        return made[-1]

    yield make
    for reader in made:
        reader.leave()


def pages() -> Iterator[object]:
    """The pages that have blocks; those on which a server is started are marked."""
    for page in PAGES:
        if any(block.language for block in blocks_of(page)):
            marks = [pytest.mark.server] if name(page) in MANAGED else []
            yield pytest.param(page, marks=marks, id=name(page))


@pytest.mark.parametrize("page", list(pages()))
def test_what_a_page_says_works(page: Path, milo: Brain, graph: Graph, make_reader: Callable[[str], Reader]) -> None:
    """All blocks of a page in their order: each command ends with 0 and prints what the page shows."""
    reader = make_reader(name(page))
    for line in GIVEN.get(name(page), ()):
        code, printed = reader.type(line)
        assert code == 0, printed
    wrong = [
        f"{block.language}: {what}"
        for block in blocks_of(page)
        if block.language
        for what in done(block, reader, graph)
    ]

    assert not wrong, "\n".join(wrong)
    if name(page) == REMOVAL:
        assert reader.type("find ~ -type f")[1] == ""
        assert query(graph, "MATCH (n) WHERE n.brain = 'milo' RETURN labels(n) AS left") == []


def done(block: Block, reader: Reader, graph: Graph) -> Iterator[str]:
    """Do one block; what is wrong with it."""
    match block.language:
        case "console":
            for command in commands_of(block):
                if command.line.startswith(tuple(NOT_DONE)):
                    continue
                endless = command.line.startswith(ENDLESS)
                code, printed = reader.start(command.line) if endless else reader.type(command.line)
                if code and not (endless and code == INTERRUPTED):
                    yield f"{command.line}\n  ends with {code}: {printed}"
                elif command.shown and not shows(command.shown, printed):
                    yield f"{command.line}\n  prints:\n{printed}\n  and not:\n{command.shown}"
        case "bash" | "sh":
            if not block.text.startswith(tuple(NOT_DONE)):
                code, printed = reader.type(block.text)
                if code:
                    yield f"{block.text}\n  ends with {code}: {printed}"
        case "python" if block.text.startswith("def "):
            ast.parse(block.text)  # the head of a function
        case "python":
            code, printed = reader.run_python(block.text)
            if code:
                yield f"{block.text}\n  ends with {code}: {printed}"
        case "cypher" if block.page in MANAGED - {REMOVAL}:
            code, printed = reader.type(f"brainbridge cypher run - <<'END'\n{block.text}END")
            if code:
                yield f"{block.text}\n  ends with {code}: {printed}"
        case "cypher" if not block.text.startswith("//"):  # the example of a file: it is one, and proved as such
            query(graph, block.text, brain="milo")
        case "toml":
            yield from refused(block, reader)
        case "json":
            json.loads(block.text)
        case "cypher" | "text":
            pass
        case language:
            yield f"nobody knows how to do {language}"


def refused(block: Block, reader: Reader) -> Iterator[str]:
    """What the program has against a block as its configuration; one of another program need only be TOML."""
    if "mcp_servers" in tomllib.loads(block.text):
        return
    file = reader.folder / "config.toml"
    file.write_text(block.text, encoding="utf-8")
    file.chmod(0o600)
    code, printed = reader.type(f"BRAINBRIDGE_CONFIG={file} brainbridge config show --origin --json")
    if code:
        yield f"{block.text}\n  is refused: {printed}"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("console", "$ false\n"),
        ("console", "$ echo 'total 3 is right'\ntotal 4 is wrong\n"),
        ("console", "$ brainbridge boost 'nothing like it'\n"),
        ("bash", "brainbridge statsu\n"),
        ("python", "import brainbridge\nbrainbridge.conect()\n"),
        ("toml", "nonsense = 1\n"),
        ("cobol", "STOP RUN.\n"),
    ],
)
def test_what_does_not_work_is_noticed(
    language: str, text: str, milo: Brain, graph: Graph, make_reader: Callable[[str], Reader]
) -> None:
    """A line that fails, an output that is another, a setting that is none, a language that nobody does."""
    block = Block("docs/none.md", language, text)

    assert len(list(done(block, make_reader(block.page), graph))) == 1


@pytest.mark.parametrize("beginning", NOT_DONE)
def test_what_is_not_done_stands_somewhere(beginning: str) -> None:
    """A reason for a line that is gone goes too."""
    lines = [command.line for block in blocks("console") for command in commands_of(block)]
    whole = [block.text for language in ("bash", "sh") for block in blocks(language)]

    assert any(text.startswith(beginning) for text in (*lines, *whole))


def test_text_blocks_have_a_test() -> None:
    """Each shows what is printed, and is compared below."""
    assert set(TEXTS) == {block.page for block in blocks("text")}


def test_notes_for_an_agent(brain: Brain) -> None:
    """What the page on hooks shows is how notes look."""
    (block,) = [block for block in blocks("text") if block.page == "docs/how-to/goodbye-hook.md"]
    born = brain.remember("Deploys of billing go through the blue pipeline.")

    assert shows(block.text.replace("longTerm", "working"), as_notes("milo", [brain.find(born.id)]))


def test_a_refusal_of_a_secret() -> None:
    """What the page on secrets shows is what is said."""
    (block,) = [block for block in blocks("text") if block.page == "docs/reference/secrets.md"]

    with pytest.raises(Refused) as refusal:
        refuse_secrets({"content": f"the token is really {SECRET}"})

    assert f"brainbridge: {refusal.value}".startswith(block.text.strip().removesuffix("…").strip())
