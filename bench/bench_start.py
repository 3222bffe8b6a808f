"""How long the program takes to start, and how long a goodbye keeps a hook waiting while the database is down.

    python -m bench.bench_start --write

Wall times of whole processes, the interpreter's own start included, which is the first row.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psutil

from bench.support import markdown_table, percentile, say, seconds, write_section

PROGRAM = str(Path(sys.executable).with_name("brainbridge"))
COMMANDS: Mapping[str, Sequence[str]] = {
    "python -c pass": (sys.executable, "-c", "pass"),
    "brainbridge --version": (PROGRAM, "--version"),
    "brainbridge --help": (PROGRAM, "--help"),
    "brainbridge goodbye, database down": (PROGRAM, "goodbye", "--brain=milo"),
}
GOODBYE_TARGET = 100  # ms
# A worker needs this to start and find that another one is at it; it must not count into the next goodbye.
SETTLING = 3.0  # seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20, help="how often each command is measured")
    parser.add_argument("--write", action="store_true", help="replace the section of docs/benchmarks.md")
    options = parser.parse_args()

    rows = []
    with lonely_home() as env:
        for name, command in COMMANDS.items():
            say(name)
            measured(command, env)  # fills the caches of files and bytecode
            times = [measured(command, env) for _ in range(options.runs)]
            rows.append(row(name, times))
    table = markdown_table(("", "median ms", "90 % ms", "slowest ms"), rows)
    text = f"## Start\n\n{machine()} · {options.runs} runs each\n\n{table}"
    print(text)
    if options.write:
        write_section("start", text)


def measured(command: Sequence[str], env: Mapping[str, str]) -> float:
    """Milliseconds from start to end, with pipes that are read to their end, as a hook's are."""
    took = seconds(lambda: subprocess.run(command, env=env, capture_output=True, check=True))
    if "goodbye" in command:
        time.sleep(SETTLING)
    return took * 1000


def row(name: str, times: Sequence[float]) -> tuple[str, ...]:
    """One line of the table, with the target where there is one."""
    target = f" (≤ {GOODBYE_TARGET})" if "goodbye" in name else ""
    return name, f"{statistics.median(times):.0f}{target}", f"{percentile(times, 90):.0f}", f"{max(times):.0f}"


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


@contextmanager
def lonely_home() -> Iterator[Mapping[str, str]]:
    """An environment with a home of its own and a database that refuses connections; its workers are ended."""
    with tempfile.TemporaryDirectory(prefix="brainbridge-bench-", ignore_cleanup_errors=True) as home:
        # Bytecode is cached, as it is for everyone who installs the program.
        foreign = ("BRAINBRIDGE_", "NEO4J_", "PYTHONDONTWRITEBYTECODE")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        env = kept | {
            "BRAINBRIDGE_HOME": home,
            "BRAINBRIDGE_CONFIG": f"{home}/config.toml",
            "BRAINBRIDGE_URI": "bolt://127.0.0.1:1",
        }
        try:
            yield env
        finally:
            for process in psutil.process_iter():
                try:
                    if process.environ().get("BRAINBRIDGE_HOME") == home:
                        process.kill()
                        process.wait(timeout=10)
                except (psutil.NoSuchProcess, psutil.AccessDenied):
                    continue


if __name__ == "__main__":
    main()
