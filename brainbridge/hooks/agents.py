"""The agents that hooks are for: what their events mean to us, how they name things, how they want to be answered.

One table. Written after the agents' own documentation: Claude Code and Codex (hooks), Gemini CLI (hooks reference),
Cursor (hooks). Standard library only, and little of it: every hook reads this.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

# What an event asks of brainbridge: context for a session or for a prompt, or a consolidation.
Duty = Literal["start", "prompt", "end"]


class Event(NamedTuple):
    """One event of an agent.

    Attributes:
        duty: what it asks for.
        timeout: what `hooks install` tells the agent to wait at most, in the agent's own unit; None: this event is
            answered if somebody sets it up by hand, and not installed.
        matcher: which kinds of the event are meant, where the agent has kinds.
    """

    duty: Duty
    timeout: int | None = None
    matcher: str | None = None


class Agent(NamedTuple):
    """One agent.

    Attributes:
        title: its name for people.
        events: by the agent's own names.
        session, turn: the keys of its payload that name the session and the prompt, the first that is there.
        answer: an event's name and a context as what the agent wants to read on stdout.
        settings: where its hooks are set up, below the user's home and below a project.
        home_variable: what replaces the first folder of `settings`, if the environment names it.
        grouped: whether an event's hooks stand in groups with a matcher, or in a plain list.
        fresh: what a new settings file holds beside the hooks.
    """

    title: str
    events: Mapping[str, Event]
    session: tuple[str, ...] = ()
    turn: tuple[str, ...] = ()
    answer: Callable[[str, str], Mapping[str, Any]] | None = None
    settings: tuple[str, str] | None = None
    home_variable: str | None = None
    grouped: bool = True
    fresh: Mapping[str, Any] = {}


def _as_specific_output(event: str, context: str) -> Mapping[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}


def _as_cursor_wants(event: str, context: str) -> Mapping[str, Any]:
    # Without `continue` a prompt would wait for a permission that nobody gives.
    permission = {"continue": True} if event == "beforeSubmitPrompt" else {}
    return {**permission, "additional_context": context}


AGENTS: Mapping[str, Agent] = {
    "claude": Agent(
        title="Claude Code",
        events={
            "SessionStart": Event("start", timeout=5),
            "UserPromptSubmit": Event("prompt", timeout=5),
            # All hooks of a session's end share 1.5 s, unless one of them states its own timeout.
            "SessionEnd": Event("end", timeout=10),
            "Stop": Event("end"),
        },
        session=("session_id",),
        answer=_as_specific_output,
        settings=(".claude/settings.json", ".claude/settings.local.json"),
        home_variable="CLAUDE_CONFIG_DIR",
    ),
    "codex": Agent(
        title="Codex",
        events={
            "SessionStart": Event("start", timeout=5),
            "UserPromptSubmit": Event("prompt", timeout=5),
            "SessionEnd": Event("end", timeout=10),
            # Before 0.145 a session had no end; a turn had.
            "Stop": Event("end"),
        },
        session=("session_id",),
        turn=("turn_id",),
        answer=_as_specific_output,
        settings=(".codex/hooks.json", ".codex/hooks.json"),
        home_variable="CODEX_HOME",
    ),
    "gemini": Agent(
        title="Gemini CLI",
        events={
            "SessionStart": Event("start", timeout=5_000),  # milliseconds here
            "BeforeAgent": Event("prompt", timeout=5_000),
            "SessionEnd": Event("end", timeout=10_000),
            "AfterAgent": Event("end"),
        },
        session=("session_id",),
        turn=("timestamp",),
        answer=_as_specific_output,
        settings=(".gemini/settings.json", ".gemini/settings.json"),
    ),
    "cursor": Agent(
        title="Cursor",
        events={
            "sessionStart": Event("start", timeout=5),
            "beforeSubmitPrompt": Event("prompt", timeout=5),
            "sessionEnd": Event("end", timeout=10),
            "stop": Event("end"),
        },
        session=("conversation_id", "session_id"),
        turn=("generation_id",),
        answer=_as_cursor_wants,
        settings=(".cursor/hooks.json", ".cursor/hooks.json"),
        grouped=False,
        fresh={"version": 1},
    ),
    "git": Agent(title="git", events={"post-commit": Event("end")}),
}
