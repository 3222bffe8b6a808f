"""The installed hook as agents call it: it never blocks, never fails, prints no noise (P14); a session end to end."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

import brainbridge
from brainbridge.app import Brain
from brainbridge.daemon.spool import Spool
from brainbridge.daemon.wire import socket_file
from brainbridge.graph.connection import Address
from tests.daemon_support import environment, log_events, running_daemon, wait_until
from tests.hooks_support import HOOK, call_hook, payload, until_context
from tests.support import query

CHECKOUT = Path(brainbridge.__file__).parent.parent
# Generous: how long it takes is measured by bench/bench_hooks.py on a quiet machine. A hook that waits for something
# it should not wait for takes longer than this.
AT_ONCE = 3.0  # seconds
PROMPT = "How is the billing service deployed? 🚀"
NOWHERE = Address("bolt://127.0.0.1:1", "neo4j", "nobody")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def down(home: Path) -> dict[str, str]:
    """The environment of a user whose database is down; a worker that is started finds no brain to work for."""
    return environment(home, NOWHERE)


def timed(
    call: Callable[[], "subprocess.CompletedProcess[bytes]"],
) -> "subprocess.CompletedProcess[bytes]":
    """The finished hook, which must have kept nobody waiting, ended with 0 and said nothing on stderr."""
    began = time.monotonic()
    done = call()
    assert time.monotonic() - began < AT_ONCE
    assert (done.returncode, done.stderr) == (0, b"")
    return done


@pytest.fixture(params=["SessionStart", "UserPromptSubmit", "SessionEnd"])
def event(request: pytest.FixtureRequest) -> str:
    """Each duty of a hook."""
    name: str = request.param
    return name


@pytest.fixture(autouse=True)
def _end_workers(home: Path) -> Any:
    """Workers that a test's hooks started end with the test."""
    yield
    for process in psutil.process_iter():
        try:
            if process.environ().get("BRAINBRIDGE_HOME") == str(home):
                process.kill()
                process.wait(timeout=10)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue


# P14, fault by fault


def test_without_a_daemon_and_a_database(down: dict[str, str], home: Path, event: str) -> None:
    """Exit 0 and silence; the end of a session waits in the spool."""
    done = timed(lambda: call_hook(down, "--brain=milo", "claude", event, given=payload("claude", event)))

    assert done.stdout == b""
    assert len(Spool(home).entries("milo")) == (event == "SessionEnd")


@pytest.mark.parametrize("streams", ["<&-", "<&- >&-", "<&- >&- 2>&-", "</dev/null >&- 2>&-"])
def test_with_closed_streams(down: dict[str, str], home: Path, event: str, streams: str) -> None:
    """Whatever the agent has closed; no file is taken for one of them."""
    command = f'exec "$@" {streams}'
    words = ["sh", "-c", command, "sh", HOOK, "--brain=milo", "claude", event]

    done = timed(lambda: subprocess.run(words, env=down, capture_output=True, timeout=60, check=False))

    assert done.stdout == b""
    assert len(Spool(home).entries("milo")) == (event == "SessionEnd")


@pytest.mark.parametrize("written", [b"", b'{"session_id": "s1", "pro', json.dumps({"session_id": "s1"}).encode()])
def test_with_a_pipe_that_stays_open(down: dict[str, str], home: Path, event: str, written: bytes) -> None:
    """Nothing written, half an event, a whole one: the end of the pipe is not waited for."""
    reading, writing = os.pipe()
    try:
        os.write(writing, written)
        words = [HOOK, "--brain=milo", "claude", event]
        timed(lambda: subprocess.run(words, env=down, stdin=reading, capture_output=True, timeout=60, check=False))
    finally:
        os.close(reading)
        os.close(writing)

    asked_by = [entry.asked_by for entry in Spool(home).entries("milo")]
    whole = written.endswith(b"}")
    named = "s1" if whole else str(Path.cwd())
    assert asked_by == ([f"claude {named} SessionEnd "] if event == "SessionEnd" else [])


def test_with_five_mebibytes(down: dict[str, str], home: Path, event: str) -> None:
    """More than it reads is no reason to fail; its writer meets no closed pipe."""
    given = payload("claude", event, prompt="p" * 5 * 1_048_576)

    done = timed(lambda: call_hook(down, "--brain=milo", "claude", event, given=given))

    assert done.stdout == b""
    assert len(Spool(home).entries("milo")) == (event == "SessionEnd")


@pytest.mark.parametrize("given", [b"\xff\xfe", b"[1]", b"nonsense", b"{" * 100_000, b'{"session_id": NaN}', b"\0"])
def test_with_what_is_no_event(down: dict[str, str], home: Path, event: str, given: bytes) -> None:
    """As if the agent had said nothing."""
    timed(lambda: call_hook(down, "--brain=milo", "claude", event, given=given))

    assert len(Spool(home).entries("milo")) == (event == "SessionEnd")


def test_with_a_home_that_cannot_be_written(down: dict[str, str], event: str) -> None:
    """Nothing can be kept, and the agent does not notice."""
    env = down | {"BRAINBRIDGE_HOME": "/dev/null/home"}

    done = timed(lambda: call_hook(env, "--brain=milo", "claude", event, given=payload("claude", event)))

    assert done.stdout == b""


@pytest.fixture(scope="module")
def mounts() -> None:
    """The right to mount, in a namespace of one's own; no need to be root where the system allows it."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-Urm", "true"], check=False).returncode:
        pytest.skip("this system lets nobody mount in a namespace; the tests beside this one stand for it")


def in_mounts(script: str, env: Mapping[str, str], event: str) -> "subprocess.CompletedProcess[bytes]":
    """The hook, called where `script` has mounted something over $BRAINBRIDGE_HOME; seen by it alone."""
    words = ["unshare", "-Urm", "sh", "-ec", f'{script}\nexec "$@"', "sh", HOOK, "--brain=milo", "claude", event]
    given = json.dumps(payload("claude", event)).encode()
    return subprocess.run(words, env=dict(env), input=given, capture_output=True, timeout=60, check=False)


READ_ONLY = """
mount --bind "$BRAINBRIDGE_HOME" "$BRAINBRIDGE_HOME"
mount -o remount,ro,bind "$BRAINBRIDGE_HOME"
! touch "$BRAINBRIDGE_HOME/x" 2> /dev/null
"""
FULL = """
mount -t tmpfs -o size=64k none "$BRAINBRIDGE_HOME"
mkdir "$BRAINBRIDGE_HOME/spool" "$BRAINBRIDGE_HOME/logs"
: > "$BRAINBRIDGE_HOME/logs/consolidation.log"
dd if=/dev/zero of="$BRAINBRIDGE_HOME/others" bs=4k count=99 2> /dev/null || true
! sh -c 'echo x > "$BRAINBRIDGE_HOME/x"' 2> /dev/null
rm "$BRAINBRIDGE_HOME/x"
"""


@pytest.mark.usefixtures("mounts")
def test_with_a_home_that_is_read_only(down: dict[str, str], home: Path, event: str) -> None:
    """A file system mounted read-only."""
    home.mkdir()

    done = timed(lambda: in_mounts(READ_ONLY, down, event))

    assert done.stdout == b""
    assert list(home.iterdir()) == []


@pytest.mark.usefixtures("mounts")
def test_with_a_file_system_that_is_full(down: dict[str, str], home: Path, tmp_path: Path, event: str) -> None:
    """Not a block is left: exit 0, and nothing that looks like a goodbye stays behind."""
    home.mkdir()
    left = tmp_path / "left"
    script = f'{FULL}\ntrap \'find "$BRAINBRIDGE_HOME" -type f -size -15k > {left}\' EXIT\n"$@"; exit'

    done = timed(lambda: in_mounts(script, down, event))

    assert done.stdout == b""
    found = {Path(line).relative_to(home).as_posix() for line in left.read_text(encoding="utf-8").splitlines()}
    assert found == {"logs/consolidation.log"}


def test_with_a_full_disk(down: dict[str, str], home: Path, event: str) -> None:
    """No byte can be written to any file: nothing half-written stays, and nothing is printed."""
    done = timed(
        lambda: call_hook(
            down,
            "--brain=milo",
            "claude",
            event,
            given=payload("claude", event),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
        )
    )

    assert done.stdout == b""
    assert [path for path in home.rglob("*") if path.is_file() and path.stat().st_size] == []
    assert Spool(home).entries() == []
    assert Spool(home).unreadable() == []


def test_a_full_spool_is_said_in_the_log(down: dict[str, str], home: Path) -> None:
    """Where the log can be written and the spool cannot."""
    home.mkdir()
    (home / "spool").write_text("a file")

    timed(lambda: call_hook(down, "--brain=milo", "claude", "SessionEnd", given=payload("claude", "SessionEnd")))

    (failed,) = log_events(home, "hook.failed")
    assert "FileExistsError" in failed["error"]


@pytest.mark.parametrize("flags", [("-S",), ("-I", "-S")])
def test_without_any_package(down: dict[str, str], home: Path, event: str, flags: Sequence[str]) -> None:
    """Python alone, its site-packages out of sight: the hook does all it does, but nobody is there to answer."""
    program = (
        f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); from brainbridge.hooks.main import main; "
        f"sys.exit(main(['--brain=milo', 'claude', {event!r}]))"
    )
    words = [sys.executable, *flags, "-c", program]
    given = json.dumps(payload("claude", event)).encode()

    done = timed(lambda: subprocess.run(words, env=down, input=given, capture_output=True, timeout=60, check=False))

    assert done.stdout == b""
    assert len(Spool(home).entries("milo")) == (event == "SessionEnd")


def test_without_any_setting(tmp_path: Path, event: str) -> None:
    """An empty environment but for a home: no brain is named, so there is nothing to do."""
    done = timed(lambda: call_hook({"HOME": str(tmp_path)}, "claude", event, given=payload("claude", event)))

    assert done.stdout == b""


def test_with_a_broken_configuration(down: dict[str, str], tmp_path: Path, event: str) -> None:
    """A file that is no TOML is a matter for `doctor`, not for an agent. The log at the usual place names it."""
    (tmp_path / "broken.toml").write_text("home = \n", encoding="utf-8")
    env = {name: value for name, value in down.items() if name != "BRAINBRIDGE_HOME"}
    env |= {"BRAINBRIDGE_CONFIG": str(tmp_path / "broken.toml"), "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}

    timed(lambda: call_hook(env, "--brain=milo", "claude", event, given=payload("claude", event)))

    (failed,) = log_events(tmp_path / "brainbridge", "hook.failed")
    assert "TOML" in failed["error"]


def test_in_a_folder_with_python_files_of_its_own(down: dict[str, str], tmp_path: Path, event: str) -> None:
    """The hook runs in the user's project: its json.py is not ours."""
    for name in ("json.py", "socket.py", "brainbridge.py", "select.py"):
        (tmp_path / name).write_text("raise SystemExit('taken for the real one')\n", encoding="utf-8")

    timed(lambda: call_hook(down, "--brain=milo", "claude", event, given=payload("claude", event), cwd=tmp_path))


# With a daemon


def test_context_in_any_locale_to_any_reader(brain: Brain, home: Path, neo4j_address: Address) -> None:
    """ASCII on stdout where the locale is C and the memory holds an emoji; a reader that has gone is no error."""
    env = environment(home, neo4j_address, LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    brain.remember("The billing service 🚀 is deployed with the blue pipeline")
    words = [HOOK, f"--brain={brain.name}", "claude", "UserPromptSubmit"]

    with running_daemon(brain.name, env):
        context = until_context(env, brain.name, "UserPromptSubmit", prompt=PROMPT)
        reading, writing = os.pipe()
        os.close(reading)
        given = json.dumps(payload("claude", "UserPromptSubmit", prompt=PROMPT)).encode()
        gone = subprocess.run(
            words, env=env, input=given, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False
        )
        os.close(writing)
        foreign = call_hook(
            env,
            f"--brain={brain.name}",
            "claude",
            "UserPromptSubmit",
            given=payload("claude", "UserPromptSubmit", prompt="Who won the chess match yesterday?"),
        )

    assert "🚀 is deployed with the blue pipeline" in context
    assert (gone.returncode, gone.stderr) == (0, b"")
    assert (foreign.returncode, foreign.stdout, foreign.stderr) == (0, b"", b"")


def test_a_daemon_that_hangs_is_not_waited_for(brain: Brain, home: Path, neo4j_address: Address, event: str) -> None:
    """It is stopped in the middle of its life: the hook gives up, and the end of the session waits in the spool."""
    env = environment(home, neo4j_address)
    with running_daemon(brain.name, env) as daemon:
        wait_until(lambda: socket_file(home, brain.name).exists(), "the socket")
        wait_until(lambda: log_events(home, "consolidation.finished"), "the first pass")
        daemon.send_signal(signal.SIGSTOP)
        try:
            done = timed(
                lambda: call_hook(env, f"--brain={brain.name}", "claude", event, given=payload("claude", event))
            )
            waiting = len(Spool(home).entries(brain.name))
        finally:
            daemon.send_signal(signal.SIGCONT)

    assert done.stdout == b""
    assert waiting == (event == "SessionEnd")


def test_a_session_end_to_end(brain: Brain, home: Path, neo4j_address: Address) -> None:
    """Context at the start, a memory, the goodbye, a promotion, and the next session begins with what was promoted.

    The daemon is killed while the goodbye waits, and started again: R-004-32.
    """
    env = environment(home, neo4j_address)
    cwd = "/home/ada/harbour"
    brain.remember("The harbour project uses tabs")
    with running_daemon(brain.name, env) as daemon:
        first = until_context(env, brain.name, "SessionStart", cwd=cwd)
        learnt = brain.remember("The harbour crane is painted yellow")
        brain.boost(learnt.id)
        brain.boost(learnt.id)
        prompted = until_context(
            env, brain.name, "UserPromptSubmit", prompt="Which colour is the harbour crane painted?"
        )
        daemon.send_signal(signal.SIGSTOP)  # so that it is killed before it has seen the goodbye
        ended = call_hook(env, f"--brain={brain.name}", "claude", "SessionEnd", given=payload("claude", "SessionEnd"))
        assert len(Spool(home).entries(brain.name)) == 1
        daemon.kill()
        daemon.wait(timeout=30)

    silent = call_hook(
        env,
        f"--brain={brain.name}",
        "claude",
        "UserPromptSubmit",
        given=payload("claude", "UserPromptSubmit"),
    )
    with running_daemon(brain.name, env):
        wait_until(lambda: not Spool(home).entries(brain.name), "the goodbye's run")
        second = until_context(env, brain.name, "SessionStart", cwd=cwd)

    assert "The harbour project uses tabs" in first
    assert "painted yellow" not in first
    assert "painted yellow" in prompted
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    assert (silent.returncode, silent.stdout, silent.stderr) == (0, b"", b"")
    (note,) = [line for line in second.splitlines() if "painted yellow" in line]
    assert "(shortTerm," in note
    triggers = query(brain.graph, "MATCH (r:ConsolidationRun {brain: $b}) RETURN r.trigger AS t", b=brain.name)
    assert "goodbye" in [row["t"] for row in triggers]


# Installed into an agent's settings


def brainbridge_hooks(env: Mapping[str, str], brain: str, *words: str, **options: Any) -> dict[str, Any]:
    """What `brainbridge hooks …` prints as JSON."""
    program = str(Path(HOOK).with_name("brainbridge"))
    argv = [program, f"--brain={brain}", "--json", "hooks", *words]
    done = subprocess.run(argv, env=dict(env), capture_output=True, timeout=60, check=False, **options)
    assert done.returncode == 0, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def test_what_is_installed_runs_as_it_stands_there(
    brain: Brain, home: Path, neo4j_address: Address, tmp_path: Path
) -> None:
    """Install, run each command by a shell as the agent would, remove: no trace but the goodbye's run."""
    user = tmp_path / "user"
    user.mkdir()
    env = environment(home, neo4j_address, HOME=str(user))

    made = brainbridge_hooks(env, brain.name, "install", "claude")
    again = brainbridge_hooks(env, brain.name, "install", "claude")
    shown = brainbridge_hooks(env, brain.name, "status")
    settings = json.loads((user / ".claude" / "settings.json").read_text(encoding="utf-8"))
    for event, (group,) in settings["hooks"].items():
        # An agent's own environment does not name our places: the command does.
        bare = {name: value for name, value in env.items() if name not in ("BRAINBRIDGE_HOME", "BRAINBRIDGE_CONFIG")}
        done = subprocess.run(
            group["hooks"][0]["command"],
            shell=True,
            env=bare,
            input=json.dumps(payload("claude", event)).encode(),
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    wait_until(lambda: log_events(home, "goodbye.answered"), "the outcome of the goodbye")
    removed = brainbridge_hooks(env, brain.name, "remove", "claude")

    assert [each["does"] for each in made["files"]] == ["makes", "makes"]
    assert (made["agent"], made["scope"], made["brain"], again["files"]) == ("claude", "user", brain.name, [])
    state = {(each["agent"], each["scope"]): each["state"] for each in shown["hooks"]}
    assert (state["claude", "user"], state["codex", "user"]) == ("installed", "absent")
    assert [each["does"] for each in removed["files"]] == ["deletes", "deletes"]
    assert list(user.iterdir()) == []


def test_a_dry_run_shows_and_writes_nothing(down: dict[str, str], tmp_path: Path) -> None:
    """What would be written, in full; for a project in its folder."""
    env = down | {"HOME": str(tmp_path)}

    shown = brainbridge_hooks(env, "milo", "install", "cursor", "--project", "--dry-run", cwd=tmp_path)

    (file,) = shown["files"]
    assert (file["path"], shown["dryRun"]) == (str(tmp_path / ".cursor" / "hooks.json"), True)
    assert json.loads(file["content"])["hooks"].keys() == {"sessionStart", "beforeSubmitPrompt", "sessionEnd"}
    assert list(tmp_path.iterdir()) == []
