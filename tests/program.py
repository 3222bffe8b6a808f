"""The installed scripts, called as people and programs call them."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Done:
    """One call of the program."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The object that --json printed."""
        found: dict[str, Any] = json.loads(self.out)
        return found


@dataclass(frozen=True)
class Program:
    """The installed scripts, with a home, a configuration and a database of the test's own."""

    brain: str
    environment: dict[str, str] = field(repr=False)

    def __call__(self, *argv: str, name: str = "brainbridge", text: str | None = None, **environment: str) -> Done:
        script = shutil.which(name, path=str(Path(sys.executable).parent))
        assert script, f"{name} is not installed beside {sys.executable}"
        done = subprocess.run(
            [script, *argv],
            input=text if text is not None else "",
            capture_output=True,
            encoding="utf-8",
            env=self.environment | environment,
            timeout=60,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def legacy(self, *argv: str) -> Done:
        """`brainBridge --brain=… …`, as document 004 writes it."""
        return self(f"--brain={self.brain}", *argv, name="brainBridge")

    def test_memory(self, content: str, energy: str, tier: str, *argv: str) -> str:
        """The id of a new test memory."""
        done = self("--brain", self.brain, "test-memory", "create", content, energy, tier, "--json", *argv)
        assert done.code == 0, done.err
        return str(done.json["id"])
