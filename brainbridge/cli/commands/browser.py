"""browser: the way into Neo4j Browser, and what makes it at home in a brain."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.content import refuse_overwriting
from brainbridge.cli.context import Context
from brainbridge.cli.display import open_page
from brainbridge.cli.options import Verb, force
from brainbridge.domain.errors import DatabaseUnreachable, ServerFailed, UsageError

if TYPE_CHECKING:
    from brainbridge.settings import Settings

PORT = 7474  # Neo4j's own default, a guess for servers that are not ours

HELP = f"""{COMMANDS["browser"][1]}

Says where Browser is and how to log in, and opens it where there is a display. With --bundle or --style it only writes
the file: drop it on Browser's window. The bundle holds every statement as a saved script, in folders; run its script
"parameters" first. A file that is there already is replaced only with --force.
"""


@click.command("browser", cls=Verb, help=HELP)
@click.option("--bundle", metavar="FILE.zip", help="Write the saved scripts for the brain.")
@click.option("--style", metavar="FILE.grass", help="Write the style: states by colour and size.")
@force
@click.option("--show-password", is_flag=True, help="Print the password too.")
@click.option("--no-open", is_flag=True, help="Only print where it is.")
@click.pass_obj
def browser(
    context: Context, *, bundle: str | None, style: str | None, force: bool, show_password: bool, no_open: bool
) -> None:
    if bundle is not None or style is not None:
        _write(context, bundle, style, force=force)
        return
    settings = context.settings.for_brain(context.brain or context.settings.brain)
    if settings.uri is not None:
        data = _foreign(settings)
        password = settings.password.get_secret_value() if settings.password else ""
        how = "password: the one in your configuration"
    else:
        context.refuse_missing_database(context.brain)
        with context.server() as local:
            endpoint = local.start()
        data = {"url": f"{endpoint.http_url}/browser/", "connectUri": endpoint.uri, "username": endpoint.username}
        password = endpoint.password
        how = "password: shown by --show-password, or by brainbridge server password"
    if show_password:
        data["password"] = password
        how = f"password: {password}"
    lines = (f"Browser:  {data['url']}", f"connect:  {data['connectUri']}", f"user:     {data['username']}", how)
    context.out.show("browser/1", data, *lines)
    sys.stdout.flush()
    if not no_open and not context.json:
        open_page(data["url"])


def _foreign(settings: "Settings") -> dict[str, Any]:
    host = urlsplit(str(settings.uri)).hostname
    if host is None:
        raise ServerFailed(f"{settings.uri!r} names no host. Write it as bolt://127.0.0.1:7687.")
    return {"url": f"http://{host}:{PORT}/browser/", "connectUri": settings.uri, "username": settings.username}


def _write(context: Context, bundle: str | None, style: str | None, *, force: bool) -> None:
    from brainbridge.inspection import bundle as made
    from brainbridge.transfer.files import write_bytes

    for file, ending in ((bundle, ".zip"), (style, ".grass")):
        if file is not None and not file.endswith(ending):
            raise UsageError(f"{file} does not end in {ending}, and Browser goes by that. Nothing was written.")
        if file is not None and not force:
            refuse_overwriting(file)
    data: dict[str, Any] = {"brain": None, "bundle": bundle, "style": style}
    lines = []
    if style is not None:
        write_bytes(Path(style), made.style().encode("utf-8"))
    if bundle is not None:
        data["brain"] = name = context.named_brain()
        write_bytes(Path(bundle), made.bundle(name, memory=_example(context, name)))
        lines.append(f'{bundle}: drop it on Browser\'s window, then run the saved script "parameters"')
    if style is not None:
        lines.append(f"{style}: drop it on Browser's window")
    context.out.show("browser-bundle/1", data, *lines)


def _example(context: Context, name: str) -> str | None:
    """The id of a memory to look at, one that came far if there is one; none if no database answers."""
    from brainbridge.app import connect
    from brainbridge.domain.tier import Tier

    try:
        with connect(name, settings=context.settings, start=False, reading=True) as brain:
            found = brain.ranked(tier=Tier.LONG_TERM, limit=1).memories or brain.ranked(limit=1).memories
    except DatabaseUnreachable as error:
        context.out.say(f"the scripts name no memory of yours: {error}")
        return None
    return found[0].id if found else None
