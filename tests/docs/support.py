"""The blocks of the documentation, and somebody who does what a page says."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import psutil

import brainbridge
from tests.daemon_support import wait_until

CHECKOUT = Path(brainbridge.__file__).parent.parent
PAGES = sorted([*(CHECKOUT / "docs").rglob("*.md"), CHECKOUT / "README.md", CHECKOUT / "cypher" / "README.md"])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# What differs from one run to the next, and what it stands for in a comparison.
VARYING = (
    (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "ID"),
    (r"\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?", "INSTANT"),
    (r"[▁▂▃▄▅▆▇█]+", "CURVE"),
    (r"\d+(?:[.,]\d+)*", "N"),
    (r"[ \t]+", " "),
    (r"-{3,}", "---"),
)


class Block(NamedTuple):
    """One fenced block and where it stands."""

    page: str
    language: str
    text: str


class Command(NamedTuple):
    """One command of a console block, and what the page shows below it."""

    line: str
    shown: str


def name(page: Path) -> str:
    """A page's path in the checkout."""
    return page.relative_to(CHECKOUT).as_posix()


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page, as they stand."""
    return [Block(name(page), found[1], found[2]) for found in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def blocks(language: str) -> list[Block]:
    """All fenced blocks in a language."""
    return [block for page in PAGES for block in blocks_of(page) if block.language == language]


def commands_of(block: Block) -> Iterator[Command]:
    """The commands of a console block; a backslash at the end of a line joins it with the next."""
    for part in re.split(r"^\$ ", block.text.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        yield Command(line, shown)


def shape(text: str) -> list[str]:
    """The lines of an output without what differs from one run to the next."""
    for pattern, word in VARYING:
        text = re.sub(pattern, word, text)
    return [line.strip() for line in text.strip().splitlines()]


def shows(shown: str, printed: str) -> bool:
    """Whether a page shows what was printed: whole, or up to a line of its own that says `…`."""
    expected, found = shape(shown), shape(printed)
    if "…" in expected:
        found, expected = found[: expected.index("…")], expected[: expected.index("…")]
    return expected == found


@dataclass(frozen=True)
class Reader:
    """Somebody with a home and a folder of their own, who types what stands on a page."""

    folder: Path
    environment: dict[str, str]

    def type(self, line: str) -> tuple[int, str]:
        """Run a line in a shell; its exit code, and all it printed. What it exports stays."""
        exported = self.folder / ".exported"
        script = f"{line}\n" + (f"env -0 > {shlex.quote(str(exported))}\n" if line.startswith("export ") else "")
        done = self._run(["bash", "-ec", script])
        if exported.exists():
            entries = exported.read_text(encoding="utf-8").rstrip("\0").split("\0")
            self.environment.update(entry.split("=", 1) for entry in entries)
            exported.unlink()
        return done

    def run_python(self, text: str) -> tuple[int, str]:
        """Run a Python program; its exit code, and all it printed."""
        return self._run([sys.executable, "-c", text])

    def start(self, line: str) -> tuple[int, str]:
        """Run a program that goes on until it is told to end: Ctrl-C, as soon as it has said or written something."""
        words, out = shlex.split(line), self.folder / "out"
        home = Path(self.environment["HOME"])
        before = set(home.rglob("daemon/*.json"))
        with out.open("w", encoding="utf-8") as sink:
            process = subprocess.Popen(
                words, env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink
            )
            try:
                wait_until(
                    lambda: process.poll() is not None or out.read_text() or set(home.rglob("daemon/*.json")) - before,
                    line,
                )
                process.send_signal(signal.SIGINT)
                code = process.wait(timeout=30)
            finally:
                process.kill()
        return code, out.read_text(encoding="utf-8")

    def leave(self) -> None:
        """End what was left running in this home: workers, a managed server."""
        home = self.environment["HOME"]
        for process in psutil.process_iter():
            try:
                if process.environ().get("HOME") == home:
                    process.kill()
                    process.wait(timeout=30)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue

    def _run(self, words: list[str]) -> tuple[int, str]:
        done = subprocess.run(
            words,
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return done.returncode, done.stdout


def reader_in(folder: Path, settings: Mapping[str, str]) -> Reader:
    """A reader with nothing but the installed program and `settings`, whose home is empty."""
    home = folder / "user"
    home.mkdir()
    kept = {name: os.environ[name] for name in ("BRAINBRIDGE_CACHE", "BRAINBRIDGE_MAVEN_REPO") if name in os.environ}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return Reader(
        folder, {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1", **kept, **settings}
    )
