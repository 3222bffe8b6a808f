"""Events of agents as their documentation describes them, and the installed hook as an agent calls it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.daemon_support import wait_until

FOLDER = Path(__file__).parent / "data" / "hooks"
# (agent, event) of every payload there is.
EVENTS = sorted((path.parent.name, path.stem) for path in FOLDER.glob("*/*.json"))
# The script beside this Python, as it stands in an agent's settings.
HOOK = str(Path(sys.executable).with_name("brainbridge-hook"))


def payload(agent: str, event: str, **changes: Any) -> dict[str, Any]:
    """What `agent` writes to a hook's stdin for `event`, with some values of the test's own."""
    written: dict[str, Any] = json.loads((FOLDER / agent / f"{event}.json").read_text(encoding="utf-8"))
    return written | changes


def call_hook(
    env: Mapping[str, str], *words: str, given: Mapping[str, Any] | bytes = b"", **options: Any
) -> "subprocess.CompletedProcess[bytes]":
    """Call the installed script with an event on stdin, and pipes that are read to their end."""
    stdin = given if isinstance(given, bytes) else json.dumps(given).encode()
    return subprocess.run([HOOK, *words], env=dict(env), input=stdin, capture_output=True, timeout=60, **options)


def injected(out: bytes, event: str) -> str:
    """The context that Claude Code would read."""
    found = json.loads(out)["hookSpecificOutput"]
    assert found["hookEventName"] == event
    text: str = found["additionalContext"]
    return text


def until_context(env: Mapping[str, str], brain: str, event: str, **changes: Any) -> str:
    """The context for an event of Claude Code, as soon as the daemon gives one."""
    heard: list[bytes] = []

    def spoke() -> bool:
        heard.append(
            call_hook(env, f"--brain={brain}", "claude", event, given=payload("claude", event, **changes)).stdout
        )
        return heard[-1] != b""

    wait_until(spoke, f"context for {event}")
    return injected(heard[-1], event)
