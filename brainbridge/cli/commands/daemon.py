"""daemon: consolidation on a schedule, in the foreground, for systemd, launchd or a terminal."""

import sys
from dataclasses import asdict
from typing import Any, Literal

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Branch, Verb


@click.group("daemon", cls=Branch, help=COMMANDS["daemon"][1])
def daemon() -> None: ...


@daemon.command("run", cls=Verb)
@click.option("--once", is_flag=True, help="Do what is due and leave.")
@click.pass_obj
def run(context: Context, *, once: bool) -> int:
    """Run the schedule until it is told to end (SIGTERM, Ctrl-C)."""
    from brainbridge.daemon.service import serve

    context.start_logging(to_file=True)
    brain, settings = context.named_brain(), context.settings

    def ready() -> None:
        page = f"; the page: brainbridge --brain={brain} dashboard" if settings.web.enabled else ""
        minutes = f"{settings.daemon.interval_minutes:g}"
        context.out.say(
            f"consolidates brain {brain} every {minutes} minutes until Ctrl-C; log: {settings.log_file}{page}"
        )

    return serve(settings, brain, once=once, ready=ready)


@daemon.command("status", cls=Verb)
@click.pass_obj
def status(context: Context) -> None:
    """Say whether a daemon runs for the brain."""
    from brainbridge.daemon.status import daemon_status

    found = daemon_status(context.settings, context.named_brain())
    last = found.last_run
    data = {
        "brain": found.brain,
        "running": found.running,
        "pid": found.pid,
        "since": found.since,
        "lastRun": _camel_keys(asdict(last)) if last else None,
        "pendingGoodbyes": found.pending_goodbyes,
    }
    runs = f"runs since {found.since}, process {found.pid}" if found.running else "does not run on this machine"
    ran = ", ".join(f"{name} {value}" for name, value in _camel_keys(asdict(last)).items()) if last else "none yet"
    lines = (
        f"daemon of brain {found.brain}: {runs}",
        f"last run: {ran}",
        f"goodbyes waiting: {found.pending_goodbyes}",
    )
    context.out.show("daemon-status/1", data, *lines)


@daemon.command("install", cls=Verb)
@click.option("--kind", type=click.Choice(["systemd", "launchd"]), help="The service manager, if not this machine's.")
@click.option("--print", "_", is_flag=True, expose_value=False, help="Print it, which is all that this does.")
@click.pass_obj
def install(context: Context, *, kind: Literal["systemd", "launchd"] | None) -> None:
    """Print the unit that starts the daemon at login, and say where it goes."""
    from brainbridge.daemon.units import unit_text

    brain = context.named_brain()
    chosen = kind or ("launchd" if sys.platform == "darwin" else "systemd")
    text = unit_text(chosen, brain)
    context.out.show("daemon-unit/1", {"kind": chosen, "brain": brain, "unit": text}, text.rstrip("\n"))
    context.out.say(_WHERE[chosen].format(brain=brain))


def _camel_keys(fields: dict[str, Any]) -> dict[str, Any]:
    from brainbridge.domain.naming import camel

    return {camel(name): value for name, value in fields.items()}


_WHERE = {
    "systemd": (
        "Write it to ~/.config/systemd/user/brainbridge-{brain}.service, "
        "then: systemctl --user enable --now brainbridge-{brain}"
    ),
    "launchd": (
        "Write it to ~/Library/LaunchAgents/brainbridge.{brain}.plist, "
        "then: launchctl load ~/Library/LaunchAgents/brainbridge.{brain}.plist"
    ),
}
