"""What a daemon writes down about itself, for `brainbridge daemon status`. That it lives is told by its lock alone."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from brainbridge.consolidation.report import RunReport


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last run a daemon made. `now` is the instant it was computed for, ISO 8601."""

    run_id: str
    now: str
    trigger: str
    outcome: str


@dataclass(frozen=True, slots=True)
class DaemonState:
    """Who it is, since when (ISO 8601, UTC), and what it did last."""

    pid: int
    since: str
    last_run: LastRun | None = None


def state_file(home: Path, brain: str) -> Path:
    """Where the daemon of `brain` writes its state."""
    return home / "daemon" / f"{brain}.json"


def last_run_of(report: RunReport) -> LastRun:
    """The part of a report that the state keeps."""
    return LastRun(report.run_id, report.now.isoformat(), report.trigger, report.outcome)


def write_state(path: Path, state: DaemonState) -> None:
    """Replace the state in one step, readable by its owner only."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(asdict(state), file)
    unfinished.replace(path)


def read_state(path: Path) -> DaemonState | None:
    """The state last written; None if there is none that can be read."""
    try:
        document: Mapping[str, Any] = json.loads(path.read_bytes())
        last = document["last_run"]
        return DaemonState(int(document["pid"]), str(document["since"]), LastRun(**last) if last else None)
    except (OSError, ValueError, TypeError, KeyError):
        return None
