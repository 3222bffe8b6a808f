"""The log: JSON lines that survive many writers, and never what people stored."""

import ast
import json
import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import brainbridge
from brainbridge import logs

PACKAGE = Path(brainbridge.__file__).parent
# Keys that would carry what a person or an agent stored, or asked.
CONTENT_KEYS = {"content", "text", "subject", "note", "memory", "password", "secret", "parameters", "statement"}


@pytest.fixture(autouse=True)
def _silent_afterwards() -> Iterator[None]:
    yield
    logs.configure(None, verbosity=-1)
    logging.getLogger("brainbridge").propagate = True


def lines_of(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_each_event_is_one_line_of_json(tmp_path: Path) -> None:
    """`jq '.'` can read the log: one object a line, whatever the values hold (R-004-33)."""
    file = tmp_path / "logs" / "consolidation.log"
    logs.configure(file, verbosity=-1)

    logs.get_logger("brainbridge.test").info("pass.finished", runId="r1", changed=3, error='two\nlines, "quoted", 日本')

    (line,) = lines_of(file)
    assert {key: line[key] for key in ("event", "level", "runId", "changed")} == {
        "event": "pass.finished",
        "level": "info",
        "runId": "r1",
        "changed": 3,
    }
    assert line["error"] == 'two\nlines, "quoted", 日本'
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", str(line["ts"]))


def test_keys_without_a_value_are_left_out(tmp_path: Path) -> None:
    """A line for a run without an error has no key `error`."""
    file = tmp_path / "consolidation.log"
    logs.configure(file, verbosity=-1)

    logs.get_logger("brainbridge.test").info("pass.finished", error=None, changed=0)

    (line,) = lines_of(file)
    assert {"changed", "event", "level", "ts"} == set(line)


def test_an_exception_is_part_of_its_line_without_its_variables(tmp_path: Path) -> None:
    """A traceback stays inside the JSON and shows no values of locals, where contents would stand."""
    file = tmp_path / "consolidation.log"
    logs.configure(file, verbosity=-1)
    log = logs.get_logger("brainbridge.test")

    try:
        content = "the secret recipe"
        raise ValueError(len(content))
    except ValueError:
        log.exception("pass.crashed")

    (line,) = lines_of(file)
    assert "ValueError: 17" in str(line["exception"])
    assert "secret recipe" not in file.read_text()


def test_no_secret_reaches_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Errors quote what was typed; a secret in one is in no line, of the file or of the console (R-003-27)."""
    secret, password = "ghp_" + "a1B2" * 9, "hunter" + "22"
    file = tmp_path / "consolidation.log"
    logs.configure(file, verbosity=1)
    log = logs.get_logger("brainbridge.test")

    log.warning(
        "database.lost", error=f"no Neo4j answers at bolt://milo:{password}@db", tries=[secret, 1], at={"x": secret}
    )
    try:
        raise ValueError(f"no memory matches '{secret}'")
    except ValueError:
        log.exception("pass.crashed")

    shown = file.read_text() + capsys.readouterr().err
    assert secret not in shown
    assert password not in shown
    first, second = lines_of(file)
    assert "no Neo4j answers at bolt://milo:<password-in-url removed>@db" == first["error"]
    assert (["<github-token removed>", 1], {"x": "<github-token removed>"}) == (first["tries"], first["at"])
    assert "no memory matches '<github-token removed>'" in str(second["exception"])


def test_verbosity_decides_about_the_console_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file gets everything at info; stderr only warnings, nothing with -q, more with -v; stdout nothing."""
    said = []
    for verbosity in (-1, 0, 1):
        logs.configure(tmp_path / f"{verbosity}.log", verbosity=verbosity)
        log = logs.get_logger("brainbridge.test")
        log.info("daemon.started")
        log.warning("database.lost")
        captured = capsys.readouterr()
        assert captured.out == ""
        said.append([event for event in ("daemon.started", "database.lost") if event in captured.err])
    written = [len(lines_of(tmp_path / f"{verbosity}.log")) for verbosity in (-1, 0, 1)]

    assert said == [[], ["database.lost"], ["daemon.started", "database.lost"]]
    assert written == [2, 2, 2]


def test_a_library_says_nothing_until_it_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """Who imports brainbridge gets no output and no file."""
    program = "from brainbridge import logs; logs.get_logger('brainbridge.test').warning('database.lost')"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr) == ("", "")


def test_the_retries_of_the_driver_are_not_told() -> None:
    """A deadlock that was overcome is no news, and stderr has one line at most: the reason why a command failed."""
    program = "import logging, brainbridge.graph.connection; logging.getLogger('neo4j.pool').warning('will be retried')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "" == done.stdout + done.stderr


def test_what_libraries_log_is_shown_as_ours_is() -> None:
    """On stderr, with as much as -v asks for, freed of secrets; a handler that a library brings is not added to it."""
    program = (
        "import logging; from brainbridge import logs; logs.show_libraries(verbosity={verbosity});"
        "logging.basicConfig(level='INFO', format='of the library %(message)s');"
        "log = logging.getLogger('mcp.server'); log.info('processing'); log.warning('token %s', 'ghp_' + 'a1B2' * 9)"
    )
    said = []
    for verbosity in (-1, 0, 1):
        done = subprocess.run(
            [sys.executable, "-c", program.format(verbosity=verbosity)], capture_output=True, text=True, check=True
        )
        assert "" == done.stdout
        said.append([part for part in ("processing", "token <github-token removed>") if part in done.stderr])
        assert "of the library" not in done.stderr

    assert [[], ["token <github-token removed>"], ["processing", "token <github-token removed>"]] == said


def test_configuring_twice_does_not_write_twice(tmp_path: Path) -> None:
    """The daemon configures again when its settings are reloaded."""
    file = tmp_path / "consolidation.log"
    logs.configure(file, verbosity=-1)
    logs.configure(file, verbosity=-1)

    logs.get_logger("brainbridge.test").info("daemon.reloaded")

    assert len(lines_of(file)) == 1


WRITER = """
import sys
from pathlib import Path
from brainbridge import logs
logs.configure(Path(sys.argv[1]), verbosity=-1)
log = logs.get_logger("brainbridge.test")
sys.stdout.write("ready\\n"); sys.stdout.flush(); sys.stdin.readline()
for number in range(int(sys.argv[3])):
    log.info("pass.finished", writer=sys.argv[2], number=number, padding="x" * 200)
"""


def test_many_processes_lose_no_line_also_while_the_log_is_moved_away(tmp_path: Path) -> None:
    """Four writers of 500 lines each, two renames meanwhile: 2,000 whole lines, each once."""
    file, count, writers = tmp_path / "consolidation.log", 500, 4
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(file), str(number), str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(writers)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    moved = 0
    while moved < 2 and any(process.poll() is None for process in processes):
        if file.exists() and file.stat().st_size > 20_000:
            moved += 1
            file.rename(tmp_path / f"consolidation.log.{moved}")
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0

    found = [(line["writer"], line["number"]) for part in tmp_path.iterdir() for line in lines_of(part)]
    assert sorted((str(writer), number) for writer in range(writers) for number in range(count)) == sorted(found)


def log_calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call of a logger in the package, with where it stands."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id in ("log", "logger")
                and node.func.attr in ("debug", "info", "warning", "error", "exception", "critical")
            ):
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node


def test_no_log_line_carries_what_people_stored() -> None:
    """No call passes content, text, subject or parameters as a key."""
    leaks = [
        f"{where}: {keyword.arg}"
        for where, call in log_calls()
        for keyword in call.keywords
        if keyword.arg in CONTENT_KEYS
    ]

    assert leaks == []


def test_events_are_a_noun_and_a_past_verb() -> None:
    """`pass.finished`, `database.lost`: two words, the same in every line, so that a filter can name them."""
    events = {
        where: call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
        for where, call in log_calls()
    }

    assert events
    odd = {
        where: event
        for where, event in events.items()
        if not (isinstance(event, str) and re.fullmatch(r"[a-z_]+\.[a-z_]+", event))
    }
    assert odd == {}
