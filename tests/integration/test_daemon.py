"""The daemon as a process of its own, in front of a real Neo4j. R-004-32: consolidation in the background."""

import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest

from brainbridge.app import Brain
from brainbridge.daemon.rotate import numbered
from brainbridge.daemon.service import serve
from brainbridge.daemon.spool import Spool
from brainbridge.daemon.status import daemon_status
from brainbridge.domain.errors import DatabaseUnreachable
from brainbridge.graph.connection import Address
from brainbridge.memory.note import Note
from brainbridge.settings import Settings
from tests.daemon_support import Proxy, environment, log_events, running_daemon, wait_until
from tests.support import query

RSS_LIMIT = 120 * 1024 * 1024

# The daemon with clocks of the test's: as soon as the file named first is there, the wall clock stands an hour later.
STEPPED = """
import sys
from pathlib import Path
from brainbridge.daemon import __main__, service
flag, real = Path(sys.argv.pop(1)), service._clocks
service._clocks = lambda: real()._replace(wall=real().wall + 3600 * flag.exists())
sys.exit(__main__.main())
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def env(home: Path, neo4j_address: Address) -> dict[str, str]:
    return environment(home, neo4j_address)


@pytest.fixture
def proxy(neo4j_address: Address) -> Iterator[Proxy]:
    with Proxy(neo4j_address) as door:
        yield door


@pytest.fixture
def runs(brain: Brain) -> Callable[..., list[dict[str, Any]]]:
    """The recorded runs of the test's brain, newest first; only those of one trigger, if given."""

    def listed(trigger: str | None = None) -> list[dict[str, Any]]:
        found = query(
            brain.graph,
            "MATCH (r:ConsolidationRun {brain: $brain}) RETURN properties(r) AS run ORDER BY r.startedAt DESC",
            brain=brain.name,
        )
        return [row["run"] for row in found if trigger in (None, row["run"]["trigger"])]

    return listed


def make_older(brain: Brain, **ago: float) -> None:
    """Move all runs on record into the past."""
    query(
        brain.graph,
        "MATCH (r:ConsolidationRun {brain: $brain}) SET r.startedAt = r.startedAt - duration($ago)",
        brain=brain.name,
        ago=ago,
    )


def test_a_run_is_due_at_once_if_none_is_on_record(
    brain: Brain, home: Path, env: dict[str, str], runs: Callable[..., list[dict[str, Any]]]
) -> None:
    """It is recorded with trigger schedule, on real memories, logged as JSON, shown by status; SIGTERM ends with 0."""
    with running_daemon(brain.name, env) as daemon:
        wait_until(runs, "the first run")
        wait_until(lambda: daemon_status(Settings(home=home), brain.name).last_run, "the state file")
        status = daemon_status(Settings(home=home), brain.name)
        daemon.send_signal(signal.SIGTERM)
        code = daemon.wait(timeout=30)

    (run,) = runs()
    assert code == 0
    assert (run["operation"], run["trigger"], run["isTest"], run["outcome"]) == ("consolidate", "schedule", False, "ok")
    assert (status.running, status.pid) == (True, daemon.pid)
    assert status.last_run is not None
    assert status.last_run.run_id == run["id"]
    assert not daemon_status(Settings(home=home), brain.name).running
    (finished,) = log_events(home, "consolidation.finished")
    assert (finished["runId"], finished["trigger"]) == (run["id"], "schedule")
    assert [event["event"] for event in log_events(home)][-1] == "daemon.stopped"


def test_a_restart_waits_for_the_rest_of_the_interval(
    brain: Brain, home: Path, env: dict[str, str], runs: Callable[..., list[dict[str, Any]]]
) -> None:
    """A run a few seconds ago, by whomever, is not repeated: only the goodbye runs, which shows that it looked."""
    brain.consolidate(trigger="manual")
    Spool(home).put(brain.name)

    with running_daemon(brain.name, env):
        wait_until(lambda: log_events(home, "goodbye.answered"), "the goodbye")
        status = daemon_status(Settings(home=home), brain.name)

    assert [run["trigger"] for run in runs()] == ["goodbye", "manual"]
    assert status.last_run is not None
    assert status.last_run.run_id == runs("goodbye")[0]["id"]


def test_many_missed_intervals_are_made_up_for_by_one_run(
    brain: Brain, home: Path, env: dict[str, str], runs: Callable[..., list[dict[str, Any]]]
) -> None:
    """The last run is nine hours old: one run follows, not 36."""
    brain.consolidate()
    make_older(brain, hours=9)

    with running_daemon(brain.name, env):
        wait_until(lambda: runs("schedule"), "the run that catches up")
        Spool(home).put(brain.name)
        wait_until(lambda: runs("goodbye"), "a pass after it")

    assert len(runs("schedule")) == 1


def test_the_schedule_goes_on(brain: Brain, env: dict[str, str], runs: Callable[..., list[dict[str, Any]]]) -> None:
    """One run follows the other at the interval, here of 2.4 s."""
    env |= {"BRAINBRIDGE_DAEMON__INTERVAL_MINUTES": "0.04", "BRAINBRIDGE_DAEMON__JITTER_SECONDS": "0"}

    with running_daemon(brain.name, env):
        wait_until(lambda: len(runs("schedule")) >= 3, "three runs")

    instants = sorted(run["startedAt"] for run in runs("schedule"))
    assert all((later - earlier).total_seconds() >= 1.4 for earlier, later in pairwise(instants))


def test_a_second_daemon_is_refused(brain: Brain, env: dict[str, str]) -> None:
    """Exit 6 and one line that names the first; a daemon of another brain is none of its business."""
    with running_daemon(brain.name, env) as first:
        second = subprocess.run(
            [sys.executable, "-m", "brainbridge.daemon", "--brain", brain.name],
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
        )

    assert second.returncode == 6
    assert f"pid {first.pid}" in second.stderr
    assert second.stderr.count("\n") == 1


def test_an_end_asked_for_during_a_run_comes_after_it(
    brain: Brain, home: Path, env: dict[str, str], runs: Callable[..., list[dict[str, Any]]]
) -> None:
    """SIGTERM in the middle: every pass of that run is done and recorded, the lease is free, the exit code 0."""
    brain.remember_many(Note(f"note {number}") for number in range(4_000))
    query(brain.graph, "MATCH (m:Memory {brain: $b}) SET m.lastDecay = m.lastDecay - duration('PT1H')", b=brain.name)

    with running_daemon(brain.name, env) as daemon:
        wait_until(lambda: log_events(home, "pass.finished"), "the first pass")
        daemon.send_signal(signal.SIGTERM)
        code = daemon.wait(timeout=60)

    (run,) = runs()
    held = query(
        brain.graph,
        "MATCH (l:Lease {name: $name}) WHERE l.holder IS NOT NULL AND l.until > datetime() RETURN l.holder AS holder",
        name=f"{brain.name}/real",
    )
    assert (code, run["outcome"], run["decayed"], held) == (0, "ok", 4_000, [])
    passes = [event["pass"] for event in log_events(home, "pass.finished")]
    assert passes == ["adopt", "decay", "relate", "expire", "promote"]


def test_a_database_that_is_down_at_the_start_is_waited_for(
    brain: Brain, home: Path, proxy: Proxy, runs: Callable[..., list[dict[str, Any]]]
) -> None:
    """The daemon stays, says so once, and makes the run that was due when the database is there."""
    with running_daemon(brain.name, environment(home, proxy.address)) as daemon:
        wait_until(lambda: log_events(home, "database.lost"), "the warning")
        assert daemon.poll() is None
        assert runs() == []
        proxy.open()
        wait_until(lambda: runs("schedule"), "the run that was due")
        wait_until(lambda: log_events(home, "database.found"), "the all-clear")

    assert len(log_events(home, "database.lost")) == 1


def test_a_database_that_goes_and_comes_back_is_used_again(
    brain: Brain, home: Path, proxy: Proxy, runs: Callable[..., list[dict[str, Any]]]
) -> None:
    """A goodbye meanwhile stays in the spool and is answered afterwards."""
    proxy.open()
    with running_daemon(brain.name, environment(home, proxy.address)):
        wait_until(lambda: runs("schedule"), "the first run")
        proxy.shut()
        Spool(home).put(brain.name)
        wait_until(lambda: log_events(home, "database.lost"), "the warning")
        assert len(Spool(home).entries()) == 1
        proxy.open()
        wait_until(lambda: runs("goodbye"), "the goodbye's run")
        wait_until(lambda: not Spool(home).entries(), "an empty spool")


def test_goodbyes_are_answered_within_seconds_by_one_run_per_scope(
    brain: Brain, home: Path, env: dict[str, str], runs: Callable[..., list[dict[str, Any]]]
) -> None:
    """However many piled up; those to other brains stay, and what is no goodbye is set aside."""
    spool = Spool(home)
    for _ in range(5):
        spool.put(brain.name)
        spool.put(brain.name, is_test=True)
    spool.put("somebody-else")
    (spool.folder / "goodbye-0-0-0.json").write_text("{")

    with running_daemon(brain.name, env):
        wait_until(lambda: not spool.entries(brain.name), "an empty spool")

    assert sorted(run["isTest"] for run in runs("goodbye")) == [False, True]
    assert [entry.brain for entry in spool.entries()] == ["somebody-else"]
    assert [path.name for path in spool.failed.iterdir()] == ["goodbye-0-0-0.json"]


def test_an_unknown_brain_ends_the_daemon_with_5(home: Path, env: dict[str, str], neo4j_address: Address) -> None:
    """A mistake in the set-up is said at once, not retried for ever."""
    with running_daemon("nobody-knows", env) as daemon:
        code = daemon.wait(timeout=60)
        said = daemon.stderr.read() if daemon.stderr else ""

    assert code == 5
    assert "nobody-knows" in said


def test_sighup_reloads_the_settings(brain: Brain, home: Path, env: dict[str, str]) -> None:
    """The interval changes without a restart; a broken file changes nothing and ends nothing."""
    config = home / "config.toml"
    with running_daemon(brain.name, env) as daemon:
        config.write_text("[daemon]\ninterval_minutes = 7\n", encoding="utf-8")
        daemon.send_signal(signal.SIGHUP)
        wait_until(lambda: log_events(home, "settings.reloaded"), "the reload")
        config.write_text("[daemon]\ninterval_minuets = 8\n", encoding="utf-8")
        daemon.send_signal(signal.SIGHUP)
        wait_until(lambda: log_events(home, "settings.refused"), "the refusal")
        assert daemon.poll() is None

    (reloaded,) = log_events(home, "settings.reloaded")
    assert reloaded["intervalMinutes"] == 7


def test_a_clock_that_steps_makes_it_look_again(
    brain: Brain, home: Path, env: dict[str, str], tmp_path: Path, runs: Callable[..., list[dict[str, Any]]]
) -> None:
    """After a step, or a sleep, what is due runs at once: the timer alone would have waited a quarter of an hour."""
    flag = tmp_path / "an-hour-later"

    with running_daemon(brain.name, env, command=("-c", STEPPED, str(flag))):
        wait_until(lambda: runs("schedule"), "the first run")
        make_older(brain, hours=1)
        flag.touch()
        wait_until(lambda: len(runs("schedule")) == 2, "the run after the step")

    (step,) = log_events(home, "clock.stepped")
    assert step["stepSeconds"] == pytest.approx(3600, abs=1)


def test_systemd_is_kept_informed(brain: Brain, env: dict[str, str], tmp_path: Path) -> None:
    """READY once it listens, WATCHDOG while it lives, STOPPING when it goes."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.settimeout(30)
        with running_daemon(brain.name, env | {"NOTIFY_SOCKET": str(tmp_path / "notify")}) as daemon:
            heard = [supervisor.recv(64), supervisor.recv(64)]
            daemon.send_signal(signal.SIGTERM)
            while heard[-1] != b"STOPPING=1":
                heard.append(supervisor.recv(64))

    assert heard[:2] == [b"READY=1", b"WATCHDOG=1"]


def test_it_stays_small(brain: Brain, env: dict[str, str], runs: Callable[..., list[dict[str, Any]]]) -> None:
    """At most 120 MB resident after a run."""
    with running_daemon(brain.name, env) as daemon:
        wait_until(runs, "the first run")
        resident = psutil.Process(daemon.pid).memory_info().rss

    assert resident <= RSS_LIMIT


def test_once_does_what_is_due_and_returns(
    brain: Brain, home: Path, neo4j_address: Address, runs: Callable[..., list[dict[str, Any]]]
) -> None:
    """For cron: a run if one is due, none right after; an error if the database is down."""
    settings = Settings(
        home=home,
        uri=neo4j_address.uri,
        username=neo4j_address.username,
        password=neo4j_address.password,  # type: ignore[arg-type]
    )

    assert [serve(settings, brain.name, once=True) for _ in range(2)] == [0, 0]
    assert len(runs("schedule")) == 1
    with pytest.raises(DatabaseUnreachable):
        serve(settings.model_copy(update={"uri": "bolt://127.0.0.1:1"}), brain.name, once=True)


def test_it_rotates_the_log(brain: Brain, home: Path, env: dict[str, str]) -> None:
    """At log_max_bytes the log moves to .1, and the daemon writes on in a new one."""
    log_file = home / "logs" / "consolidation.log"

    with running_daemon(brain.name, env | {"BRAINBRIDGE_DAEMON__LOG_MAX_BYTES": "1000"}) as daemon:
        wait_until(numbered(log_file, 1).exists, "the rotation")
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(timeout=30)

    assert log_events(home, "daemon.stopped")
    assert "daemon.started" not in [event["event"] for event in log_events(home)]
