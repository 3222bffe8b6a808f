"""`brainbridge hooks install|status|remove`: our entries in agents' own settings, and out again without a trace."""

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from brainbridge.daemon.units import PASSED_ON
from brainbridge.domain.errors import UsageError
from brainbridge.hooks import entries, files
from brainbridge.hooks.agents import AGENTS, Agent
from brainbridge.hooks.files import Change
from brainbridge.hooks.skill import is_untouched, skill_text

_GIT_HOOK = """\
#!/bin/sh
# Written by `brainbridge hooks install git`. `brainbridge hooks remove git` brings back what was here before.
before="$0{backup}"
if [ -x "$before" ]; then
  "$before" "$@"
  code=$?
else
  code=0
fi
{command} </dev/null >/dev/null 2>&1
exit "$code"
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where hooks are set up: for a user, or for one project.

    Attributes:
        home: the user's home.
        project: the folder of the project; None: for all of the user's projects.
        environ: where agents' own variables are looked up.
    """

    home: Path
    project: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @property
    def scope(self) -> str:
        """`user` or `project`."""
        return "user" if self.project is None else "project"

    def settings_file(self, agent: Agent) -> Path:
        """The agent's settings file."""
        assert agent.settings is not None
        of_user, of_project = agent.settings
        if self.project is not None:
            return self.project / of_project
        named = self.environ.get(agent.home_variable or "")
        return Path(named).expanduser() / Path(of_user).name if named else self.home / of_user

    def skill_file(self, agent: Agent) -> Path:
        """The skill `goodbye`."""
        return self.settings_file(agent).parent / "skills" / "goodbye" / "SKILL.md"


@dataclass(frozen=True, slots=True)
class Installed:
    """How an agent's hooks stand.

    Attributes:
        state: `installed`, `partly` (some of the events only) or `absent`.
        commands: ours, by event.
    """

    agent: str
    scope: str
    file: Path
    state: str
    commands: Mapping[str, str]


def hook_command(brain: str, agent: str, event: str, environ: Mapping[str, str] = os.environ) -> str:
    """The command line of a hook: the script of this very Python, by its full path, whatever PATH an agent has."""
    places = [f"{name}={environ[name]}" for name in PASSED_ON if environ.get(name)]
    script = Path(sys.executable).with_name(entries.SCRIPT)
    program = [str(script)] if script.is_file() else [sys.executable, "-P", "-m", entries.MODULE]
    return shlex.join([*(["env", *places] if places else []), *program, f"--brain={brain}", agent, event])


def planned_install(name: str, brain: str, place: Place) -> list[Change]:
    """The changes that set up the hooks of an agent; those that are made already change nothing.

    Raises:
        InvalidValue: its settings are not of the documented shape. UsageError: git, outside a repository.
    """
    agent = AGENTS[name]
    command = partial(hook_command, brain, name, environ=place.environ)
    if agent.settings is None:
        return _git_change(_git_hook(place), command("post-commit"))
    file = place.settings_file(agent)
    content = files.read_bytes(file)
    document = files.parsed(file, content)
    merged = entries.with_ours(document, agent, command)
    changes = []
    if merged != document:
        changes += [] if entries.our_commands(document, agent) else [_backup(file, content)]
        changes += [Change(file, content, files.rendered(merged, content))]
    if name == "claude":
        changes += _skill_change(place.skill_file(agent), brain)
    return [change for change in changes if change.needed]


def planned_removal(name: str, place: Place) -> list[Change]:
    """The changes that take the hooks of an agent out again, and bring back what was there before."""
    agent = AGENTS[name]
    if agent.settings is None:
        return _without_git_hook(_git_hook(place))
    file = place.settings_file(agent)
    content = files.read_bytes(file)
    document = files.parsed(file, content)
    changes = []
    if content is not None and entries.our_commands(document, agent):
        changes += _without_entries(file, content, entries.without_ours(document, agent), agent)
    if name == "claude":
        skill = place.skill_file(agent)
        written = files.read_bytes(skill)
        changes += [Change(skill, written, None, folders=3)] if written is not None and is_untouched(written) else []
    return [change for change in changes if change.needed]


def carry_out(changes: list[Change]) -> None:
    """Make the changes, one after the other.

    Raises:
        BrainbridgeError: one could not be made; those before it were.
    """
    for change in changes:
        files.apply(change)


def status(name: str, place: Place) -> Installed:
    """How an agent's hooks stand."""
    agent = AGENTS[name]
    if agent.settings is None:
        file = _git_hook(place)
        lines = (files.read_bytes(file) or b"").decode(errors="replace").splitlines()
        called = [command for line in lines if entries.is_ours({"command": (command := line.partition(" <")[0])})]
        return Installed(
            name, "project", file, "installed" if called else "absent", {"post-commit": called[0]} if called else {}
        )
    file = place.settings_file(agent)
    commands = entries.our_commands(files.parsed(file, files.read_bytes(file)), agent)
    wanted = {event for event, its in agent.events.items() if its.timeout is not None}
    state = "absent" if not commands else "installed" if wanted <= commands.keys() else "partly"
    return Installed(name, place.scope, file, state, commands)


def _backup(file: Path, content: bytes | None) -> Change:
    """Copy a file as it is without us; an older copy is of something that is no more."""
    backup = files.backup_of(file)
    return Change(backup, files.read_bytes(backup), content, mode=files.mode_of(file))


def _without_entries(file: Path, content: bytes, left: entries.Document, agent: Agent) -> list[Change]:
    backup = files.backup_of(file)
    kept = files.read_bytes(backup)
    gone = [Change(backup, kept, None)]
    if kept is not None and _same(files.parsed(backup, kept), left, agent):
        return [Change(file, content, kept), *gone]
    # Nothing but what we brought: the file was ours.
    after = None if kept is None and _same({}, left, agent) else files.rendered(left, content)
    return [*gone, Change(file, content, after, folders=1)]


def _same(before: entries.Document, left: entries.Document, agent: Agent) -> bool:
    """Whether two documents are one but for what a fresh file of the agent holds anyway, and empty lists of hooks."""
    return entries.bare({**agent.fresh, **before}) == entries.bare({**agent.fresh, **left})


def _skill_change(file: Path, brain: str) -> list[Change]:
    """The skill, unless there is one by that name that is not ours or was changed."""
    written = files.read_bytes(file)
    if written is not None and not is_untouched(written):
        return []
    script = Path(sys.executable).with_name("brainbridge")
    program = shlex.quote(str(script)) if script.is_file() else "brainbridge"
    return [Change(file, written, skill_text(brain, program).encode())]


def _git_hook(place: Place) -> Path:
    """Where git looks for the hook of the repository around the current folder or project."""
    folder = place.project or Path.cwd()
    try:
        asked = subprocess.run(
            ["git", "rev-parse", "--git-path", "hooks"],
            cwd=folder,
            env={**place.environ},
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise UsageError(f"git cannot be run: {error.strerror}. Install it first.") from error
    if asked.returncode != 0:
        raise UsageError(f"{folder} is in no git repository. Go into one first: cd REPOSITORY")
    return folder / asked.stdout.strip() / "post-commit"


def _is_our_git_hook(content: bytes) -> bool:
    return b"`brainbridge hooks install git`" in content


def _git_change(file: Path, command: str) -> list[Change]:
    """Put our hook in place; one that was there is kept under another name, and called first."""
    written, backup = files.read_bytes(file), files.backup_of(file)
    after = _GIT_HOOK.format(backup=files.BACKUP, command=command).encode()
    changes = [Change(file, written, after, mode=0o755)]
    if written is None or _is_our_git_hook(written):
        return [change for change in changes if change.needed]
    if files.read_bytes(backup) is not None:
        raise UsageError(f"{file} is not ours, and {backup} is there already. Move one of the two away.")
    return [Change(backup, None, written, mode=files.mode_of(file)), *changes]


def _without_git_hook(file: Path) -> list[Change]:
    written, backup = files.read_bytes(file), files.backup_of(file)
    if written is None or not _is_our_git_hook(written):
        return []
    kept = files.read_bytes(backup)
    changes = [Change(file, written, kept, mode=files.mode_of(backup)), Change(backup, kept, None)]
    return [change for change in changes if change.needed]
