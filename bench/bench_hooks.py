"""How long a hook keeps an agent waiting: with and without a daemon, the database up and down, the files cold and warm,
and where nothing can be written, read or imported.

    python -m bench.bench_hooks --write

Wall times of whole processes with pipes that are read to their end, as an agent reads them; each must end with 0. On a
machine that does other work the times of a processor say more than those of the clock.
"""

import argparse
import json
import os
import platform
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import psutil

import brainbridge
from bench.bench_passes import words
from bench.support import bench_server, markdown_table, percentile, say, seconds, write_section
from brainbridge.app import connect, initialise
from brainbridge.daemon.wire import socket_file
from brainbridge.graph.connection import Address, Graph
from brainbridge.memory.remember import Note
from brainbridge.settings import Settings

HOOK = str(Path(sys.executable).with_name("brainbridge-hook"))
BRAIN = "bench"
EVENTS = {
    "SessionStart": {"session_id": "bench", "cwd": "/home/ada/harbour", "source": "startup"},
    "UserPromptSubmit": {"session_id": "bench", "cwd": "/home/ada/harbour", "prompt": "How is service 77 deployed?"},
    "SessionEnd": {"session_id": "bench", "cwd": "/home/ada/harbour", "reason": "other"},
}
PLAIN_TARGET = 50  # ms
RECALL_TARGET = 150  # ms
# What the section says of the rows with cold files.
COLD = (
    "Cold: before each run the system is asked to forget the compiled modules of Python and of brainbridge "
    "(`posix_fadvise`, which needs no root). Python's own program and libraries stay in memory, as other programs use "
    "them; after a restart of the machine it takes longer."
)
# A detached worker needs this to find that its database is down or another is at it; it must not count into the next.
SETTLING = 1.5  # seconds


class Taken(NamedTuple):
    """Milliseconds of one run: by the clock, and of a processor, which depends less on who else is at work."""

    clock: float
    processor: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20, help="how often each case is measured")
    parser.add_argument("--memories", type=int, default=10_000, help="how many the brain has")
    parser.add_argument("--write", action="store_true", help="replace the section of docs/benchmarks.md")
    options = parser.parse_args()

    rows = [row("python -c pass", [measured((sys.executable, "-c", "pass"), {}, b"") for _ in range(options.runs)])]
    with bench_server(heap="512m", page_cache="128m") as neo4j, home(neo4j.address) as env:
        people(neo4j.address, options.memories)
        rows += cases("no daemon, database up", env, options.runs)
        with daemon(env):
            rows += cases("daemon, database up", env, options.runs)
    with home(Address("bolt://127.0.0.1:1", "neo4j", "nobody")) as env:
        rows += cases("no daemon, database down", env, options.runs)
        with daemon(env, reached=False):
            rows += cases("daemon, database down", env, options.runs)
        rows += cases("no daemon, files cold", env, options.runs, cold=True)
        rows += failing_shapes(env, options.runs)
    heading = f"{machine()} · {options.runs} runs each · {options.memories:,} memories"
    table = markdown_table(("", "median ms", "95 % ms", "slowest ms", "processor ms", "notes"), rows)
    text = f"## Hooks\n\n{heading}\n\n{table}\n\n{COLD}"
    print(text)
    if options.write:
        write_section("hooks", text)


def cases(
    name: str,
    env: Mapping[str, str],
    runs: int,
    *,
    cold: bool = False,
    program: Sequence[str] = (HOOK,),
    events: Sequence[str] = tuple(EVENTS),
    **options: Any,
) -> list[tuple[str, ...]]:
    """Each event under one condition; `options` are those of subprocess.run."""
    found = []
    for event in events:
        say(f"{name}: {event}")
        command, given = (*program, f"--brain={BRAIN}", "claude", event), json.dumps(EVENTS[event]).encode()
        measured(command, env, given, **options)  # fills the caches of files and bytecode
        taken = []
        for _ in range(runs):
            if cold:
                forget_files()
            taken.append(measured(command, env, given, **options))
            if event == "SessionEnd":
                time.sleep(SETTLING)
        out = subprocess.run(command, env=env, input=given, capture_output=True, check=True, **options).stdout
        notes = out.count(b"\\n- ")  # a line each, in a text in JSON
        target = None if cold else RECALL_TARGET if notes else PLAIN_TARGET
        found.append(row(f"{name}: {event}", taken, target, str(notes) if notes else "–"))
    return found


def failing_shapes(env: Mapping[str, str], runs: int) -> list[tuple[str, ...]]:
    """The end of a session, which is the one that writes, where something is missing or broken."""
    broken = Path(env["BRAINBRIDGE_HOME"]) / "broken.toml"
    broken.write_text("home = \n", encoding="utf-8")
    homeless = {name: value for name, value in env.items() if name != "BRAINBRIDGE_HOME"}
    homeless |= {"BRAINBRIDGE_CONFIG": str(broken), "XDG_DATA_HOME": env["BRAINBRIDGE_HOME"]}
    checkout = str(Path(brainbridge.__file__).parent.parent)
    bare = (
        f"import sys; sys.path.insert(0, {checkout!r}); from brainbridge.hooks.main import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    alone = (sys.executable, "-I", "-S", "-c", bare)
    end = ("SessionEnd",)
    return [
        *cases("no home can be made", {**env, "BRAINBRIDGE_HOME": "/dev/null/home"}, runs, events=end),
        *cases("full disk", env, runs, events=end, preexec_fn=write_nothing),
        *cases("configuration is no TOML", homeless, runs, events=end),
        *cases("no Python packages", env, runs, events=end, program=alone),
    ]


def write_nothing() -> None:
    """Let no byte be written to a file, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def row(name: str, taken: list[Taken], target: int | None = None, notes: str = "") -> tuple[str, ...]:
    """One line of the table, with the target where there is one."""
    wanted = f" (≤ {target})" if target else ""
    times = [each.clock for each in taken]
    used = f"{statistics.median(each.processor for each in taken):.0f}"
    return (
        name,
        f"{percentile(times, 50):.0f}",
        f"{percentile(times, 95):.0f}{wanted}",
        f"{max(times):.0f}",
        used,
        notes,
    )


def measured(command: tuple[str, ...], env: Mapping[str, str], given: bytes, **options: Any) -> Taken:
    """One run, from start to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    clock = seconds(lambda: subprocess.run(command, env=env, input=given, capture_output=True, check=True, **options))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(1000 * clock, 1000 * processor)


def forget_files() -> None:
    """Let the system forget what it holds of Python and of brainbridge, as after an hour of other work."""
    for folder in (Path(brainbridge.__file__).parent, Path(os.__file__).parent):
        for path in folder.rglob("*.pyc"):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)


def people(address: Address, memories: int) -> None:
    """A brain with so many memories."""
    say(f"{memories:,} memories")
    with Graph.open(address, timeout=15) as graph:
        initialise(graph, BRAIN)
    settings = Settings(uri=address.uri, username=address.username, password=address.password)  # type: ignore[arg-type]
    with connect(BRAIN, settings=settings) as brain:
        chance = random.Random(7)
        brain.remember_many(Note(words(chance, 12)) for _ in range(memories))
        brain.remember("Service 77 is deployed with the blue pipeline")
        brain.remember("The harbour project uses tabs")


@contextmanager
def daemon(env: Mapping[str, str], *, reached: bool = True) -> Iterator[None]:
    """A daemon that listens, and has made its first pass if it can."""
    words = [sys.executable, "-m", "brainbridge.daemon", "--brain", BRAIN]
    process = subprocess.Popen(words, env=env, stderr=subprocess.DEVNULL)
    log = Path(env["BRAINBRIDGE_HOME"]) / "logs" / "consolidation.log"
    sign = "consolidation.finished" if reached else "database.lost"
    try:
        while not (
            socket_file(Path(env["BRAINBRIDGE_HOME"]), BRAIN).exists() and log.exists() and sign in log.read_text()
        ):
            time.sleep(0.2)
        time.sleep(2)  # the first list of what is foremost
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        log.unlink()


@contextmanager
def home(address: Address) -> Iterator[Mapping[str, str]]:
    """An environment with a home of its own and the database at `address`; its workers are ended."""
    with tempfile.TemporaryDirectory(prefix="brainbridge-bench-", ignore_cleanup_errors=True) as folder:
        foreign = ("BRAINBRIDGE_", "NEO4J_", "PYTHONDONTWRITEBYTECODE")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        try:
            yield kept | {
                "BRAINBRIDGE_HOME": folder,
                "BRAINBRIDGE_CONFIG": f"{folder}/config.toml",
                "BRAINBRIDGE_URI": address.uri,
                "BRAINBRIDGE_USERNAME": address.username,
                "BRAINBRIDGE_PASSWORD": address.password,
            }
        finally:
            for process in psutil.process_iter():
                try:
                    if process.environ().get("BRAINBRIDGE_HOME") == folder:
                        process.kill()
                        process.wait(timeout=10)
                except (psutil.NoSuchProcess, psutil.AccessDenied):
                    continue


def machine() -> str:
    """When and on what."""
    return " · ".join(
        (
            datetime.now(UTC).strftime("%Y-%m-%d"),
            f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
            f"{platform.system()} {platform.machine()}",
            f"Python {platform.python_version()}",
        )
    )


if __name__ == "__main__":
    main()
