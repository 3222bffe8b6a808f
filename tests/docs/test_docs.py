"""The documentation tells the truth: links lead somewhere, commands exist, Cypher is accepted by a real server."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.legacy import translate
from brainbridge.cli.root import cli
from brainbridge.graph.connection import Graph
from tests.docs.support import BLOCK, CHECKOUT, PAGES, Block, blocks, name

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SHELL_WORDS = {"|", ">", ">>", "<", "&&", "&", ";"}


def commands() -> Iterator[tuple[str, str]]:
    """Each line `$ brainbridge …` of the console blocks, up to a pipe or a redirection."""
    for block in blocks("console"):
        for line in block.text.splitlines():
            if line.startswith(("$ brainbridge ", "$ brainBridge ")):
                yield block.page, line.removeprefix("$ ")


def anchor(heading: str) -> str:
    """The anchor of a heading, as renderers of Markdown make it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file of the checkout, and its anchor a heading in it."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    broken = []
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, fragment = target.partition("#")
        file = (page.parent / place).resolve() if place else page
        if not file.exists():
            broken.append(target)
        elif fragment:
            headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
            if fragment not in map(anchor, headings):
                broken.append(target)

    assert broken == []


def test_every_page_can_be_reached_from_the_index() -> None:
    """No page is an island."""
    docs = CHECKOUT / "docs"
    reached, waiting = set[Path](), [docs / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            file = (page.parent / target.partition("#")[0]).resolve()
            if file.suffix == ".md" and file.exists() and docs in file.parents:
                waiting.append(file)

    assert [name(page) for page in docs.rglob("*.md") if page not in reached] == []


@pytest.mark.parametrize(("page", "line"), sorted(set(commands())))
def test_commands_exist(page: str, line: str) -> None:
    """The line is accepted by the command tree: the command, its options, the number of its operands."""
    words = shlex.split(line)
    end = next((at for at, word in enumerate(words) if word in SHELL_WORDS), len(words))

    parse(words[1:end])


def parse(argv: list[str]) -> None:
    """Parse a command line as the program does, and run nothing.

    Raises:
        click.UsageError: it is not one.
    """
    rest = translate(argv, COMMANDS)
    command: click.Command = cli
    parent: click.Context | None = None
    try:
        while True:
            parent = command.make_context(command.name, list(rest), parent=parent, obj=Context())
            if not isinstance(command, click.Group):
                return
            rest = [*parent._protected_args, *parent.args]
            if not rest:
                assert command.invoke_without_command, f"{command.name} needs a command"
                return
            _, found, rest = command.resolve_command(parent, rest)
            assert found is not None
            command = found
    except click.exceptions.Exit:  # --help and --version
        return


@pytest.mark.parametrize(
    "argv", [["statsu"], ["status", "--tset-only"], ["boost"], ["test-memory", "create", "c", "1"], ["server", "strat"]]
)
def test_the_parser_of_this_test_refuses_what_the_program_refuses(argv: list[str]) -> None:
    """A wrong line in the docs would be noticed."""
    with pytest.raises(click.UsageError):
        parse(argv)


@pytest.mark.parametrize("block", blocks("cypher"), ids=lambda block: block.page)
def test_cypher_is_accepted_by_a_real_server(graph: Graph, block: Block) -> None:
    """EXPLAIN compiles the statement and runs nothing."""
    text = "\n".join(line for line in block.text.splitlines() if not line.startswith(":"))
    parameters = dict.fromkeys(re.findall(r"\$(\w+)", text))

    with graph.session() as session:
        summary = session.run(f"EXPLAIN {text}", parameters).consume()

    assert summary.plan is not None


def server_commands() -> Iterator[tuple[str, list[str]]]:
    """Each command line with which an agent's configuration, in the docs or in examples/, starts a server."""
    example = CHECKOUT / "examples" / "mcp.json"
    files = [Block(name(example), "json", example.read_text(encoding="utf-8"))]
    servers = [(block.page, json.loads(block.text).get("mcpServers", {})) for block in [*files, *blocks("json")]]
    servers += [(block.page, tomllib.loads(block.text).get("mcp_servers", {})) for block in blocks("toml")]
    for page, entries in servers:
        for entry in entries.values():
            if "command" in entry:
                yield page, [entry["command"], *entry["args"]]
    for block in blocks("bash"):
        for started in re.findall(r"^claude mcp add .* -- (.+)$", block.text, flags=re.MULTILINE):
            yield block.page, shlex.split(started)


def test_what_agents_are_configured_to_start_exists() -> None:
    """The lines for Claude Code, Cursor and Codex start a command that is there."""
    found = list(server_commands())

    assert {"examples/mcp.json", "docs/how-to/use-from-an-agent.md"} == {page for page, _ in found}
    assert len(found) == 4
    for _, (program, *argv) in found:
        assert program == "brainbridge"
        parse(argv)
        assert argv[-1] == "mcp"


def test_no_page_promises_what_is_not_there() -> None:
    """The pages tell of what there is."""
    docs = (page for page in PAGES if page.is_relative_to(CHECKOUT / "docs"))
    counts = {name(page): len(re.findall(r"\bnot yet\b", page.read_text(encoding="utf-8"))) for page in docs}

    assert {page: count for page, count in counts.items() if count} == {}


def test_pages_name_no_path_of_somebodys_machine() -> None:
    """No home directory of a person, no temporary folder."""
    found = {
        name(page): paths
        for page in PAGES
        if (paths := re.findall(r"(?:/home|/Users|/tmp|/root)/\S*", page.read_text(encoding="utf-8")))
    }

    assert found == {}
