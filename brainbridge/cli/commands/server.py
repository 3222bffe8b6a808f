"""server: the managed local Neo4j."""

from typing import Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Branch, Verb
from brainbridge.cli.output import cell, instant


@click.group("server", cls=Branch, help=COMMANDS["server"][1])
def server() -> None: ...


@server.command("provision", cls=Verb)
@click.option("--check", is_flag=True, help="Install nothing; hash everything that is there.")
@click.pass_obj
def provision(context: Context, *, check: bool) -> None:
    """Install the jars of Neo4j, where they are not installed yet."""
    with context.server() as local:
        folder = local.provision(check=check)
    said = "every jar is there and unaltered" if check else "installed"
    context.out.show("server-provision/1", {"folder": str(folder), "checked": check}, f"{said}: {folder}")


@server.command("start", cls=Verb)
@click.pass_obj
def start(context: Context) -> None:
    """Start it, if it does not run; it outlives this command."""
    with context.server() as local:
        endpoint = local.start()
    data = {"uri": endpoint.uri, "username": endpoint.username, "httpUrl": endpoint.http_url}
    context.out.show("server-start/1", data, f"running at {endpoint.uri}, Browser at {endpoint.http_url}/browser/")


@server.command("stop", cls=Verb)
@click.pass_obj
def stop(context: Context) -> None:
    """Stop it, and return once it is gone."""
    with context.server() as local:
        stopped = local.stop()
    context.out.show("server-stop/1", {"stopped": stopped}, "stopped" if stopped else "it was not running")


@server.command("status", cls=Verb)
@click.pass_obj
def status(context: Context) -> None:
    """Say whether it runs and answers."""
    with context.server() as local:
        found = local.status()
    data = {
        "running": found.running,
        "answers": found.answers,
        "path": str(found.path),
        "pid": found.pid,
        "version": found.version,
        "uri": found.uri,
        "httpUrl": found.http_url,
        "started": found.started,
        "residentBytes": found.resident_bytes,
    }
    context.out.show("server-status/1", data, *_status_lines(data))


@server.command("logs", cls=Verb)
@click.option("-n", "--lines", type=click.IntRange(1, 100_000), default=50, help="How many lines. [default: 50]")
@click.pass_obj
def logs(context: Context, *, lines: int) -> None:
    """Print the end of Neo4j's log."""
    with context.server() as local:
        found = local.logs(lines)
    context.out.show("server-logs/1", {"lines": found}, *map(cell, found))


@server.command("path", cls=Verb)
@click.pass_obj
def path(context: Context) -> None:
    """Print the folder of its store, logs and configuration."""
    with context.server() as local:
        context.out.show("server-path/1", {"path": str(local.path)}, str(local.path))


@server.command("password", cls=Verb)
@click.pass_obj
def password(context: Context) -> None:
    """Print its password on standard output, to log in to Browser."""
    with context.server() as local:
        secret = local.endpoint().password
    context.out.show("server-password/1", {"password": secret}, secret)


def _status_lines(data: dict[str, Any]) -> list[str]:
    if not data["running"]:
        return [f"not running; store in {data['path']}. Start it with: brainbridge server start"]
    resident = f", {data['residentBytes'] / 2**20:,.0f} MiB" if data["residentBytes"] else ""
    running = "running" if data["answers"] else "running, but it does not answer"
    return [
        f"{running}: Neo4j {data['version']} at {data['uri']}",
        f"process {data['pid']} since {instant(data['started'])}{resident}; store in {data['path']}",
    ]
