"""`brainbridge goodbye` as a hook calls it.

R-004-32: the hook returns at once, the consolidation follows. R-004-33: its outcome is JSON lines.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from brainbridge.app import Brain
from brainbridge.daemon.spool import Spool
from brainbridge.graph.connection import Address
from tests.daemon_support import Proxy, environment, log_events, running_daemon, wait_until
from tests.support import query

# The script that is installed beside this Python, as in an agent's settings.
GOODBYE = (str(Path(sys.executable).with_name("brainbridge")), "goodbye")
# What a hook has in all; what goodbye takes on a quiet machine is measured by bench/bench_start.py.
AT_ONCE = 1.5  # seconds


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def env(home: Path, neo4j_address: Address) -> dict[str, str]:
    return environment(home, neo4j_address)


@pytest.fixture
def triggers(brain: Brain) -> Callable[[], list[tuple[str, bool]]]:
    """Trigger and isTest of every recorded run of the test's brain, oldest first."""

    def listed() -> list[tuple[str, bool]]:
        rows = query(
            brain.graph,
            "MATCH (r:ConsolidationRun {brain: $brain}) RETURN r.trigger AS t, r.isTest AS test ORDER BY r.startedAt",
            brain=brain.name,
        )
        return [(row["t"], row["test"]) for row in rows]

    return listed


def say_goodbye(env: dict[str, str], *arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    """Call it as a hook does: with pipes that are read to their end."""
    return subprocess.run([*GOODBYE, *arguments], env=env, capture_output=True, text=True, timeout=60, **options)


def workers(home: Path) -> Sequence[psutil.Process]:
    """The workers of this test that are alive."""
    found = []
    for process in psutil.process_iter():
        try:
            ours = process.environ().get("BRAINBRIDGE_HOME") == str(home)
            if ours and "brainbridge.daemon.worker" in process.cmdline():
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found


def test_the_hook_returns_at_once_and_the_run_follows(
    brain: Brain, home: Path, env: dict[str, str], triggers: Callable[[], list[tuple[str, bool]]]
) -> None:
    """Nothing printed, exit 0, pipes closed before the run; then decay, expire, promote, one JSON line each."""
    brain.remember("a fact")

    began = time.monotonic()
    done = say_goodbye(env, f"--brain={brain.name}")
    took = time.monotonic() - began

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert took < AT_ONCE
    wait_until(lambda: log_events(home, "goodbye.answered"), "the outcome in the log")
    assert triggers() == [("goodbye", False)]
    assert Spool(home).entries() == []
    passes = [event["pass"] for event in log_events(home, "pass.finished")]
    assert passes == ["adopt", "decay", "relate", "expire", "promote"]
    (finished,) = log_events(home, "consolidation.finished")
    assert finished.keys() >= {"runId", "brain", "isTest", "trigger", "counts", "elapsedMs", "outcome", "ts"}
    wait_until(lambda: not workers(home), "the worker's end")


def test_it_survives_the_death_of_the_hooks_process_group(
    brain: Brain, home: Path, env: dict[str, str], triggers: Callable[[], list[tuple[str, bool]]]
) -> None:
    """The agent kills the whole group of its hook the moment the hook has spoken: the run is made all the same."""
    script = f'"$@" --brain={brain.name} && echo said && exec sleep 60'
    with subprocess.Popen(
        ["sh", "-c", script, "hook", *GOODBYE], env=env, stdout=subprocess.PIPE, text=True, process_group=0
    ) as hook:
        assert hook.stdout is not None
        said = hook.stdout.readline()
        os.killpg(hook.pid, signal.SIGKILL)

    assert (said, hook.returncode) == ("said\n", -signal.SIGKILL)
    wait_until(triggers, "the run")
    wait_until(lambda: not Spool(home).entries(), "an empty spool")


def test_a_pile_of_goodbyes_is_one_run_per_scope(
    brain: Brain, home: Path, env: dict[str, str], triggers: Callable[[], list[tuple[str, bool]]]
) -> None:
    """Twenty that waited and one that comes: two scopes, two runs."""
    for number in range(20):
        Spool(home).put(brain.name, is_test=number % 2 == 0)

    say_goodbye(env, f"--brain={brain.name}")

    wait_until(lambda: len(log_events(home, "goodbye.answered")) == 2, "both outcomes")
    assert sorted(triggers()) == [("goodbye", False), ("goodbye", True)]
    assert sum(event["goodbyes"] for event in log_events(home, "goodbye.answered")) == 21


def test_ten_at_once_are_all_answered(brain: Brain, home: Path, env: dict[str, str]) -> None:
    """Ten agents end in the same moment: each goodbye is answered, none by two runs."""
    with ThreadPoolExecutor(10) as pool:
        done = list(pool.map(lambda _: say_goodbye(env, f"--brain={brain.name}"), range(10)))

    assert [process.returncode for process in done] == [0] * 10
    wait_until(lambda: not Spool(home).entries() and not workers(home), "an empty spool and no workers")
    assert sum(event["goodbyes"] for event in log_events(home, "goodbye.answered")) == 10
    assert log_events(home, "goodbye.deferred") == []


def test_with_the_database_down_the_run_happens_when_it_is_back(
    brain: Brain, home: Path, neo4j_address: Address, triggers: Callable[[], list[tuple[str, bool]]]
) -> None:
    """It still returns at once; the goodbye outlives its worker's tries in the spool, and a daemon answers it later."""
    with Proxy(neo4j_address) as proxy:
        env = environment(home, proxy.address)
        began = time.monotonic()
        done = say_goodbye(env, f"--brain={brain.name}")
        took = time.monotonic() - began

        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert took < AT_ONCE
        wait_until(lambda: log_events(home, "goodbye.deferred"), "the end of the worker's tries")
        assert (len(Spool(home).entries()), triggers()) == (1, [])
        proxy.open()
        with running_daemon(brain.name, env):
            wait_until(lambda: not Spool(home).entries(), "an empty spool")
    assert ("goodbye", False) in triggers()


def test_a_worker_whose_database_comes_back_in_time_answers_it_itself(
    brain: Brain, home: Path, neo4j_address: Address, triggers: Callable[[], list[tuple[str, bool]]]
) -> None:
    """A server that is just starting is waited for."""
    with Proxy(neo4j_address) as proxy:
        say_goodbye(environment(home, proxy.address), f"--brain={brain.name}")
        wait_until(lambda: workers(home), "the worker")
        proxy.open()
        wait_until(lambda: not Spool(home).entries(), "an empty spool")

    assert triggers() == [("goodbye", False)]


def test_a_goodbye_to_an_unknown_brain_is_set_aside_with_the_reason(home: Path, env: dict[str, str]) -> None:
    """The hook does not fail, the log says why, and nothing tries for ever."""
    done = say_goodbye(env, "--brain=nobody-knows")

    assert (done.returncode, done.stderr) == (0, "")
    wait_until(lambda: log_events(home, "goodbye.rejected"), "the reason in the log")
    (rejected,) = log_events(home, "goodbye.rejected")
    assert "nobody-knows" in rejected["error"]
    assert Spool(home).entries() == []
    assert Path(rejected["file"]).exists()


def test_test_only_touches_test_memories_only(
    brain: Brain, home: Path, env: dict[str, str], triggers: Callable[[], list[tuple[str, bool]]]
) -> None:
    """As every other operation of document 004."""
    say_goodbye(env, f"--brain={brain.name}", "--testOnly")

    wait_until(lambda: log_events(home, "goodbye.answered"), "the outcome")
    assert triggers() == [("goodbye", True)]


def test_a_daemon_that_runs_answers_it(
    brain: Brain, home: Path, env: dict[str, str], triggers: Callable[[], list[tuple[str, bool]]]
) -> None:
    """No worker is started beside it."""
    with running_daemon(brain.name, env):
        wait_until(triggers, "the daemon's first run")
        say_goodbye(env, f"--brain={brain.name}")
        assert workers(home) == []
        wait_until(lambda: ("goodbye", False) in triggers(), "the run")


def test_a_folder_with_python_files_of_its_own_is_harmless(
    brain: Brain, home: Path, env: dict[str, str], tmp_path: Path
) -> None:
    """The hook runs in the user's project: its logging.py is not ours."""
    project = tmp_path / "project"
    project.mkdir()
    for name in ("logging.py", "json.py", "neo4j.py", "brainbridge.py"):
        (project / name).write_text("raise SystemExit('taken for the real one')\n", encoding="utf-8")

    say_goodbye(env, f"--brain={brain.name}", cwd=project)

    wait_until(lambda: log_events(home, "goodbye.answered"), "the outcome")


@pytest.mark.parametrize("argument", ["--brain=", "--brain=../x"])
def test_a_name_that_is_none_is_said_at_once(home: Path, env: dict[str, str], argument: str) -> None:
    """Exit 2, one line, nothing spooled."""
    done = say_goodbye(env, argument)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert Spool(home).entries() == []
