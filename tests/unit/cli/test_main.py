"""The front door: cheap where it must be, one line for every error, and a table of commands that is true."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.main import main
from brainbridge.cli.root import cli
from brainbridge.domain.energy import Law

HEAVY = ("neo4j", "pydantic", "pydantic_settings", "structlog", "rich", "mcp", "apscheduler")


def loaded_by(*argv: str) -> set[str]:
    """The modules that one command line loads."""
    script = (
        "import sys, io, json; from brainbridge.cli.main import main; out, sys.stdout = sys.stdout, io.StringIO();"
        f"code = main({list(argv)!r}); out.write(json.dumps([code, sorted(sys.modules)]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stdout)
    assert 0 == code
    return set(modules)


def test_version_loads_nothing_large() -> None:
    """`--version` answers without click, the driver, settings or logging."""
    modules = loaded_by("--version")

    assert set() == modules & {*HEAVY, "click"}


@pytest.mark.parametrize("argv", [("--help",), ("status", "--help"), ("test-memory", "create", "--help")])
def test_help_loads_click_only(argv: tuple[str, ...]) -> None:
    """Help costs what click costs, for the program and for its commands."""
    modules = loaded_by(*argv)

    assert "click" in modules
    assert set() == modules & set(HEAVY)


def test_every_listed_command_exists_and_says_what_the_list_says() -> None:
    """The table that help is made from and the commands agree."""
    for name, (_, summary) in COMMANDS.items():
        command = cli.get_command(click.Context(cli), name)

        assert command is not None
        assert name == command.name
        assert (command.help or "").startswith(summary)


def test_every_command_takes_the_shared_flags() -> None:
    """`--brain --uri --json -q -v --color` are understood after any command."""

    def leaves(command: click.Command) -> list[click.Command]:
        if not isinstance(command, click.Group):
            return [command]
        context = click.Context(command)
        below = (command.get_command(context, name) for name in command.list_commands(context))
        return [leaf for child in below if child for leaf in leaves(child)]

    for command in leaves(cli):
        flags = {name for param in command.params for name in param.opts}
        assert flags >= {"--brain", "--uri", "--json", "-q", "-v", "--color"}, command.name


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["stauts"], "Did you mean status?"),
        (["server", "strat"], "Did you mean start?"),
        (["status", "--jsno"], "--json"),
        (["-foo"], "not an operation"),
        (["--brain=", "status"], "the brain's name is empty"),
        (["--brain=a b", "status"], "cannot be a brain's name"),
        (["status"], "no brain is named"),
        (["init"], "brainbridge init milo"),
        (["remember"], "--file FILE"),
        (["--brain=milo", "remember", "  "], "the content is empty"),
        (["--brain=milo", "remember", "--type", "lerning", "x"], "Did you mean learning?"),
        (["--brain=milo", "remember", "--file", "/nowhere"], "cannot read /nowhere"),
        (["--brain=milo", "remember", "-dash text"], "'-dash text' begins with a dash"),
        (["--brain=milo", "boost", "--force is needed"], "Put -- before it"),
        (["--brain=milo", "remember", "x", "--relation", "extends"], "lacks its target"),
        (["--brain=milo", "remember", "x", "--related-to", "port"], "Name a relation too"),
        (["--brain=milo", "remember", "x", "--relation", "likes", "--related-to", "port"], "is not a relation"),
        (["--brain=milo", "remember", "x", "--source", "Ticket"], "Write it as Label:id"),
        (["--brain=milo", "remember", "x", "--source", "Memory:1"], "cannot be labelled Memory"),
        (["--brain=milo", "test-memory", "create", "c", "-1", "working"], "the energy cannot be -1.0"),
        (["--brain=milo", "test-memory", "create", "c", "-inf", "working"], "the energy cannot be -inf"),
        (["--brain=milo", "test-memory", "create", "c", "nan", "working"], "the energy cannot be nan"),
        (["--brain=milo", "test-memory", "create", "c", "1e400", "working"], "the energy cannot be inf"),
        (["--brain=milo", "test-memory", "create", "c", "abc", "working"], "the energy cannot be 'abc'"),
        (["--brain=milo", "test-memory", "create", "c", "1", "wrking"], "Did you mean working?"),
        (["--brain=milo", "consolidate", "--wait=nan"], "not a number of at least 0"),
        (["--brain=milo", "consolidate", "--at", "yesterday"], "is not an instant"),
        (["--brain=milo", "config", "set", "lambdaWorkin=1"], "Did you mean lambdaWorking?"),
        (["--brain=milo", "config", "set", "lambdaWorking=x"], "must be a number"),
        (["--brain=milo", "config", "set", "promotionBasis"], "is not NAME=VALUE"),
        (["cypher", "show", "decai"], "is not a statement"),
        (["cypher", "run", "RETURN $a", "--param", "a"], "is not NAME=VALUE"),
        (["simulate", "--run-every", "0"], "not a number of at least"),
    ],
)
def test_usage_errors_are_one_line_and_exit_2(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistake in the request ends before any database is asked, with what is wrong and what would be right."""
    code = main(argv)

    told = capsys.readouterr()
    assert 2 == code
    assert "" == told.out
    assert 1 == told.err.count("\n")
    assert told.err.startswith("brainbridge: ")
    assert said in told.err


@pytest.mark.parametrize("argv", [["--brain=milo", "status"], ["--brain=milo", "brains"], ["--brain=milo", "browser"]])
def test_no_command_but_init_makes_a_database(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Where no database was ever set up, nothing is downloaded behind the user's back: exit 3 and the way on."""
    code = main(argv)

    assert 3 == code
    assert "brainbridge init NAME" in capsys.readouterr().err


def test_simulate_needs_no_database(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a database the default constants are shown, and it is said (R-000-37)."""
    code = main(["--brain=milo", "--json", "simulate"])

    shown = json.loads(capsys.readouterr().out)
    assert 0 == code
    assert "the default constants (no database answers)" == shown["law"]
    births = {kind["kind"]: kind["birth"] for kind in shown["kinds"]}
    assert Law().birth_crystallization == births["crystallization"]


def test_cypher_show_needs_no_database(capsys: pytest.CaptureFixture[str]) -> None:
    """A statement is printed ready to paste, with the brain filled in."""
    code = main(["cypher", "show", "lineage", "--brain=otto"])

    shown = capsys.readouterr().out
    assert 0 == code
    assert [":param brain => 'otto';", ":param isTest => false;", ":param id => '…';"] == shown.splitlines()[:3]
    assert "// inspect/lineage:" in shown


def test_config_show_says_where_each_setting_comes_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Flag, environment, file and default are told apart; passwords are never shown."""
    file = tmp_path / "config.toml"
    file.write_text("[daemon]\ninterval_minutes = 10\n[brains.milo]\nadopt_unowned = true\n", encoding="utf-8")
    monkeypatch.setenv("BRAINBRIDGE_CONFIG", str(file))
    monkeypatch.setenv("NEO4J_PASSWORD", "geheim")

    code = main(["config", "show", "--origin", "--json", "--uri=bolt://127.0.0.1:1"])

    printed = capsys.readouterr().out
    origin = {setting["name"]: setting["origin"] for setting in json.loads(printed)["settings"]}
    assert 0 == code
    assert "--uri" == origin["uri"]
    assert "NEO4J_PASSWORD" == origin["password"]
    assert str(file) == origin["daemon.interval_minutes"]
    assert str(file) == origin["brains.milo.adopt_unowned"]
    assert "BRAINBRIDGE_HOME" == origin["home"]
    assert "default" == origin["server.heap"]
    assert "geheim" not in printed


def test_unexpected_errors_are_one_line_with_a_hint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bug shows as one line; -v shows its traceback."""

    def break_down(**_: object) -> None:
        raise RuntimeError("boom\nbang")

    monkeypatch.setattr("brainbridge.settings.load_settings", break_down)

    assert 1 == main(["--brain=milo", "status"])
    assert "brainbridge: unexpected RuntimeError: boom bang. Run it again with -v" in capsys.readouterr().err
    assert 1 == main(["--brain=milo", "status", "-v"])
    assert "Traceback" in capsys.readouterr().err


def test_interruption_is_exit_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends quietly with the code shells expect."""

    def interrupt(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("brainbridge.settings.load_settings", interrupt)

    assert 130 == main(["--brain=milo", "status"])
    assert "Traceback" not in capsys.readouterr().err


def test_a_reader_that_leaves_is_no_error() -> None:
    """`brainbridge … | head -1`: nothing on stderr when the pipe is closed early."""
    script = "import sys; from brainbridge.cli.main import main; sys.exit(main(['cypher', 'list', '--json'] * 1))"
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-c", script], stdout=closed, stderr=subprocess.PIPE, text=True, check=False
        )

    assert "" == done.stderr


def test_narrow_locales_do_not_break_the_output() -> None:
    """With an ASCII locale what cannot be printed is escaped, and JSON stays JSON."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    script = "import sys; from brainbridge.cli.main import main; sys.exit(main(sys.argv[1:]))"
    for argv in (["cypher", "show", "decay"], ["cypher", "list", "--json"]):
        done = subprocess.run([sys.executable, "-c", script, *argv], capture_output=True, env=environment, check=False)

        assert 0 == done.returncode, done.stderr
        assert done.stdout.isascii()
    assert "statements" in json.loads(done.stdout)


@pytest.fixture(autouse=True)
def _no_database_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No server, no settings: what is tested here must not need any."""
    monkeypatch.setenv("BRAINBRIDGE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BRAINBRIDGE_CONFIG", str(tmp_path / "none.toml"))


def test_a_stopped_server_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """`server status` ends with 0 either way, as documented; 3 is what a missing database ends a command with."""
    code = main(["server", "status"])

    assert (0, True) == (code, capsys.readouterr().out.startswith("not running"))
