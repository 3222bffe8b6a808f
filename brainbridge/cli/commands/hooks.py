"""hooks: put into the settings of agents, looked at there, and taken out again."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Branch, Verb
from brainbridge.hooks.agents import AGENTS

if TYPE_CHECKING:
    from brainbridge.hooks.files import Change
    from brainbridge.hooks.install import Place

_agent = click.argument("agent", type=click.Choice(list(AGENTS)), metavar="|".join(AGENTS))
_project = click.option(
    "--project", is_flag=True, help="The settings of the project in the current folder, not those of the user."
)
_dry_run = click.option(
    "--dry-run", "--print", "dry_run", is_flag=True, help="Show what would be written, write nothing."
)


@click.group("hooks", cls=Branch, help=COMMANDS["hooks"][1])
def hooks() -> None: ...


@hooks.command("install", cls=Verb)
@_agent
@_project
@_dry_run
@click.pass_obj
def install(context: Context, *, agent: str, project: bool, dry_run: bool) -> None:
    """Let an agent call brainbridge at a session's start and end and at each prompt.

    What stands in its settings is kept; a copy of them is left beside them. Again it changes nothing. For git: the
    post-commit hook of the repository in the current folder.
    """
    from brainbridge.hooks.install import carry_out, planned_install

    brain, place = context.named_brain(), _place(project=project)
    changes = planned_install(agent, brain, place)
    if not dry_run:
        carry_out(changes)
    _show(context, "hooks-install/1", agent, place, changes, dry_run=dry_run, brain=brain)
    if changes and not dry_run:
        context.out.say(_NEXT.get(agent, "It counts from the next session on."))


@hooks.command("remove", cls=Verb)
@_agent
@_project
@_dry_run
@click.pass_obj
def remove(context: Context, *, agent: str, project: bool, dry_run: bool) -> None:
    """Take the hooks out again. Settings that nobody changed since are what they were, byte for byte."""
    from brainbridge.hooks.install import carry_out, planned_removal

    place = _place(project=project)
    changes = planned_removal(agent, place)
    if not dry_run:
        carry_out(changes)
    _show(context, "hooks-remove/1", agent, place, changes, dry_run=dry_run)


@hooks.command("status", cls=Verb)
@click.pass_obj
def status(context: Context) -> None:
    """Say which agents call brainbridge, in the user's settings and in those of the current folder."""
    from brainbridge.cli.output import Column, Grid
    from brainbridge.domain.errors import UsageError
    from brainbridge.hooks.install import status as status_of

    found = []
    for name, agent in AGENTS.items():
        for project in (False, True) if agent.settings is not None else (True,):
            try:
                found.append(status_of(name, _place(project=project)))
            except UsageError as error:  # a file that cannot be read, or no repository here
                if agent.settings is not None:
                    context.out.say(str(error))
    rows = [
        {
            "agent": its.agent,
            "scope": its.scope,
            "state": its.state,
            "file": str(its.file),
            "commands": dict(its.commands),
        }
        for its in found
    ]
    grid = Grid(
        (Column("agent"), Column("settings of"), Column("state"), Column("file", "text")),
        [(AGENTS[its.agent].title, its.scope, its.state, str(its.file)) for its in found],
    )
    context.out.show("hooks-status/1", {"hooks": rows}, grid)


def _place(*, project: bool) -> "Place":
    from brainbridge.hooks.install import Place

    return Place(Path.home(), Path.cwd() if project else None)


def _show(
    context: Context,
    schema: str,
    agent: str,
    place: "Place",
    changes: "list[Change]",
    *,
    dry_run: bool,
    brain: str | None = None,
) -> None:
    from brainbridge.hooks.files import BACKUP

    shown, lines = [], []
    for change in changes:
        does = "deletes" if change.after is None else "makes" if change.before is None else "changes"
        shown.append({"path": str(change.path), "does": does})
        lines.append(f"{does} {change.path}")
        # A copy is what stands in the settings now.
        if dry_run and change.after is not None and not change.path.name.endswith(BACKUP):
            shown[-1]["content"] = change.after.decode("utf-8", "replace")
            lines.append(shown[-1]["content"].rstrip("\n"))
    scope = "project" if agent == "git" else place.scope
    data = {"agent": agent, "scope": scope, "dryRun": dry_run, "files": shown}
    context.out.show(schema, data | ({"brain": brain} if brain else {}), *(lines or ["nothing to do"]))


_NEXT = {
    "codex": "Codex asks in its next session whether the hooks may run: /hooks shows them.",
    "git": "It counts from the next commit on.",
}
