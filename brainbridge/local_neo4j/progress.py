"""How a long start tells a person what it is doing: a bar on a terminal, a short line now and then elsewhere."""

import sys
import time
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol, TextIO

LINE_EVERY = 5.0  # seconds between two lines where there is no terminal


class Progress(Protocol):
    """What provisioning and starting report to. Both are called from one thread only."""

    def say(self, line: str) -> None:
        """One step, in words."""

    def bytes_done(self, done: int, total: int) -> None:
        """Jars that are in place, in bytes; `done == total` is the last call."""


class Silent:
    """Reports nothing."""

    def say(self, line: str) -> None: ...

    def bytes_done(self, done: int, total: int) -> None: ...


class Lines:
    """Plain lines, at most one every few seconds: for log files and pipes."""

    def __init__(self, stream: TextIO, every: float = LINE_EVERY) -> None:
        self._stream = stream
        self._every = every
        self._last = time.monotonic()

    def say(self, line: str) -> None:
        print(line, file=self._stream, flush=True)

    def bytes_done(self, done: int, total: int) -> None:
        if done < total and time.monotonic() - self._last < self._every:
            return
        self._last = time.monotonic()
        self.say(f"Neo4j: {done / 1e6:.0f} of {total / 1e6:.0f} MB")


class Bar:
    """A rich progress bar on a terminal; steps are printed above it."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console

        self._console = Console(file=stream)
        self._bar: Any = None
        self._task: Any = None

    def say(self, line: str) -> None:
        self._console.print(line, style="dim", highlight=False, markup=False)

    def bytes_done(self, done: int, total: int) -> None:
        if self._bar is None:
            self._start(total)
        self._bar.update(self._task, completed=done)
        if done == total:
            self.close()

    def close(self) -> None:
        """Leave the terminal as it was; safe to call twice."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _start(self, total: int) -> None:
        from rich.progress import BarColumn, DownloadColumn, TimeRemainingColumn, TransferSpeedColumn
        from rich.progress import Progress as RichProgress

        columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
        self._bar = RichProgress("Neo4j", *columns, console=self._console, transient=True)
        self._task = self._bar.add_task("jars", total=total)
        self._bar.start()


def progress_on(stream: TextIO | None = None) -> Progress:
    """The right kind for `stream` (stderr by default): stdout is for data and stays untouched."""
    target = stream or sys.stderr
    if target.isatty():
        try:
            return Bar(target)
        except ImportError:  # rich is a comfort, not a need
            pass
    return Lines(target)


def closing(progress: Progress) -> AbstractContextManager[object]:
    """A context that takes a drawn bar away also when the work under it fails."""
    if not isinstance(progress, Bar):
        return nullcontext()
    from contextlib import closing as close_at_exit

    return close_at_exit(progress)
