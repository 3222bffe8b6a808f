"""`brainbridge-hook [--brain=NAME] AGENT EVENT`: called by an agent, which waits for it.

Standard library only, and no settings but two: importing the rest of brainbridge would take longer than a hook may.
It reads the event from stdin, prints what the agent's protocol wants or nothing, and ends with 0 whatever happens. What
went wrong stands in consolidation.log, if that can be written.
"""

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from brainbridge.daemon.detach import detach_worker
from brainbridge.daemon.lock import daemon_lock, is_held
from brainbridge.daemon.names import is_brain
from brainbridge.daemon.quick import quick_settings, usual_home
from brainbridge.daemon.spool import Spool
from brainbridge.hooks.agents import AGENTS, Agent, Event
from brainbridge.hooks.payload import read_payload

USAGE = (
    "usage: brainbridge-hook [--brain=NAME] AGENT EVENT, with an agent's event on stdin. See: brainbridge hooks --help"
)
# The beginning of a prompt says what it is about; recall looks at 128 words of it.
LONGEST_PROMPT = 4_096  # characters


class _Call(NamedTuple):
    brain: str | None
    agent: str
    event: str


def main(argv: Sequence[str] | None = None) -> int:
    """Serve one event of one agent.

    Args:
        argv: the words after the program's name; those of the process if not given.

    Returns:
        0, always: an agent takes another code for a veto or an error of its own.
    """
    home: Path | None = None
    try:
        call = _parsed(sys.argv[1:] if argv is None else argv)
        agent = AGENTS[call.agent]
        event = agent.events.get(call.event)
        if event is None:
            return 0  # an event that means nothing to us
        try:
            settings = quick_settings()
        except (OSError, ValueError):
            home = usual_home()  # for the log: the file that may name another cannot be read
            raise
        home = settings.home
        brain = call.brain if call.brain is not None else settings.brain
        if brain is None or not is_brain(brain):
            raise ValueError(f"{brain!r} is not a brain's name. Write --brain=NAME into the hook's command")
        _serve(home, brain, call, agent, event, read_payload())
    except Exception as error:  # a hook's own duty: the agent must not notice
        _complain(home, error)
    return 0


def _parsed(argv: Sequence[str]) -> _Call:
    brain: str | None = None
    words = []
    rest = iter(argv)
    for word in rest:
        name, equals, value = word.partition("=")
        if name == "--brain":
            brain = value if equals else next(rest, "")
        else:
            words.append(word)
    if len(words) != 2 or words[0] not in AGENTS:
        raise ValueError(f"{USAGE}. Agents: {', '.join(AGENTS)}")
    return _Call(brain, *words)


def _serve(home: Path, brain: str, call: _Call, agent: Agent, event: Event, payload: Mapping[str, Any]) -> None:
    session = _first(payload, agent.session)
    if event.duty == "end":
        key = " ".join((call.agent, session or _folder(payload), call.event, _first(payload, agent.turn)))
        Spool(home).put(brain, key=key)
        if not is_held(daemon_lock(home, brain)):
            detach_worker()
        return
    from brainbridge.daemon.wire import ask  # a socket is 7 ms that the end of a session does not need

    prompt = payload.get("prompt")
    question = {
        "event": event.duty,
        "session": session,
        "prompt": prompt[:LONGEST_PROMPT] if isinstance(prompt, str) else "",
        "cwd": _folder(payload),
    }
    try:
        context = ask(home, brain, question)
    except OSError:
        # No daemon, or one that is busy. At a session's start what an earlier one left undone is made up for.
        if event.duty == "start" and Spool(home).entries(brain) and not is_held(daemon_lock(home, brain)):
            detach_worker()
        return
    if context and agent.answer is not None:
        _print(json.dumps(agent.answer(call.event, context)))


def _first(payload: Mapping[str, Any], keys: Sequence[str]) -> str:
    """The text under the first of `keys` that there is; empty if there is none."""
    return next((value for key in keys if isinstance(value := payload.get(key), str)), "")


def _folder(payload: Mapping[str, Any]) -> str:
    """The folder that the agent works in."""
    roots = payload.get("workspace_roots")
    named = payload.get("cwd") or (roots[0] if isinstance(roots, list) and roots else None)
    return named if isinstance(named, str) else os.getcwd()  # noqa: PTH109


def _print(text: str) -> None:
    """Write to stdout by its number: nothing is left to be flushed at exit, when the reader may have gone."""
    if sys.stdout is None:  # it was closed before we began; 1 may be another file by now
        return
    rest = text.encode() + b"\n"  # JSON in ASCII, whatever the locale
    while rest:
        rest = rest[os.write(1, rest) :]


def _complain(home: Path | None, error: Exception) -> None:
    """Say what went wrong to a person who tries the hook, else to the log; if neither can be, to nobody."""
    try:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(f"brainbridge-hook: {error}\n")
        elif home is not None:
            _log(home, error)
    except Exception:  # noqa: S110  # there is nobody left to tell
        pass


def _log(home: Path, error: Exception) -> None:
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    line = {"event": "hook.failed", "error": f"{type(error).__name__}: {error}", "level": "warning", "ts": at}
    log_file = home / "logs" / "consolidation.log"
    log_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(log_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, json.dumps(line).encode() + b"\n")
    finally:
        os.close(descriptor)


if __name__ == "__main__":
    sys.exit(main())
