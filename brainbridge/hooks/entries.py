"""Our entries in an agent's settings: put in, found, taken out. Pure: a document goes in, another comes out.

What else stands in a document is kept, in its order. An entry is ours if its command runs our script or our module.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from brainbridge.domain.errors import InvalidValue
from brainbridge.hooks.agents import Agent

SCRIPT = "brainbridge-hook"
MODULE = "brainbridge.hooks"
Document = dict[str, Any]


def with_ours(document: Mapping[str, Any], agent: Agent, command_for: Callable[[str], str]) -> Document:
    """`document` with one entry for each event that is installed, in place of any of ours that were there.

    Args:
        command_for: the command for an event.

    Raises:
        InvalidValue: what the document has for hooks is of another shape than the agent's documentation says.
    """
    merged = {**agent.fresh, **without_ours(document, agent)}
    hooks = dict(merged.get("hooks", {}))
    for name, event in agent.events.items():
        if event.timeout is None:
            continue
        entry: Document = {"command": command_for(name), "timeout": event.timeout}
        if agent.grouped:
            entry = {"hooks": [{"type": "command", **entry}]}
        hooks[name] = [*hooks.get(name, []), entry]
    merged["hooks"] = hooks
    return merged


def without_ours(document: Mapping[str, Any], agent: Agent) -> Document:
    """`document` without our entries, and without the lists and groups that held nothing else."""
    if "hooks" not in document:
        return dict(document)
    kept: Document = {}
    for event, listed in _events(document).items():
        left = [rest for entry in listed for rest in _without(entry, agent)]
        if left or not listed:
            kept[event] = left
    if not kept and _events(document):
        return {name: value for name, value in document.items() if name != "hooks"}
    return {name: kept if name == "hooks" else value for name, value in document.items()}


def bare(document: Mapping[str, Any]) -> Document:
    """`document` without events that have no hooks, which mean what no event means."""
    hooks = {event: listed for event, listed in _events(document).items() if listed}
    return {name: value for name, value in document.items() if name != "hooks"} | ({"hooks": hooks} if hooks else {})


def our_commands(document: Mapping[str, Any], agent: Agent) -> dict[str, str]:
    """The command of ours for each event that has one."""
    return {
        event: entry["command"]
        for event, listed in _events(document).items()
        for group in listed
        for entry in _entries(group, agent)
        if is_ours(entry)
    }


def is_ours(entry: object) -> bool:
    """Whether an entry runs our script or our module."""
    command = entry.get("command") if isinstance(entry, dict) else None
    if not isinstance(command, str):
        return False
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    return any(word.rpartition("/")[2] == SCRIPT or word == MODULE for word in words)


def _events(document: Mapping[str, Any]) -> Mapping[str, list[Any]]:
    hooks = document.get("hooks", {})
    if not isinstance(hooks, dict):
        raise InvalidValue(f'"hooks" is not an object but {type(hooks).__name__}. Mend it by hand first.')
    for event, listed in hooks.items():
        if not isinstance(listed, list):
            raise InvalidValue(f'"hooks.{event}" is not a list but {type(listed).__name__}. Mend it by hand first.')
    return hooks


def _entries(group: object, agent: Agent) -> Iterator[Document]:
    if not agent.grouped:
        if isinstance(group, dict):
            yield group
    elif isinstance(group, dict) and isinstance(group.get("hooks"), list):
        yield from (entry for entry in group["hooks"] if isinstance(entry, dict))


def _without(group: object, agent: Agent) -> list[object]:
    """A group without our entries, or no group if it held nothing else."""
    if not any(is_ours(entry) for entry in _entries(group, agent)):
        return [group]
    if not agent.grouped:
        return []
    assert isinstance(group, dict)
    left = [entry for entry in group["hooks"] if not is_ours(entry)]
    return [{**group, "hooks": left}] if left else []
