"""dashboard: the page, served by this command or by the daemon that runs already."""

import signal
import sys
import threading

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.display import open_page
from brainbridge.cli.options import Verb
from brainbridge.domain.errors import DatabaseUnreachable
from brainbridge.web import SERVING, require

_HELP = (
    "\n\nIt prints a URL that logs in once, and serves until Ctrl-C. If the daemon serves the page, "
    "the URL leads there and the command ends."
)
# The daemon answers between two steps of its work.
PATIENCE = 2.0  # seconds


@click.command("dashboard", cls=Verb, help=COMMANDS["dashboard"][1] + _HELP)
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Where; 0: any. [default: web.port, 17476]")
@click.option("--no-open", is_flag=True, help="Only print the URL: do not open a browser.")
@click.pass_obj
def dashboard(context: Context, *, port: int | None, no_open: bool) -> None:
    require(*SERVING)
    name = context.named_brain()
    if port is None and (url := _daemons_url(context, name)):
        _show(context, name, url, no_open=no_open)
        context.out.say("the daemon serves it")
        return
    from brainbridge.app import connect
    from brainbridge.web.serve import PageServer

    _start_database(context, name)
    web = context.settings.web
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with PageServer(
        name,
        lambda: connect(name, settings=context.settings, start=False, reading=True),
        host=web.host,
        port=web.port if port is None else port,
        or_any=port is None,  # another brain's page may have ours
    ) as page:
        _show(context, name, page.login_url(), no_open=no_open)
        context.out.say("Ctrl-C ends it")
        while not stop.wait(1.0):  # an endless wait would not hear signals on Windows
            pass


def _show(context: Context, name: str, url: str, *, no_open: bool) -> None:
    context.out.show("dashboard/1", {"brain": name, "url": url}, url)
    sys.stdout.flush()
    if not no_open:
        open_page(url)


def _daemons_url(context: Context, name: str) -> str:
    """A URL that logs in to the page that the daemon serves; no text if it serves none."""
    from brainbridge.daemon.wire import ask

    try:
        return ask(context.settings.home, name, {"event": "page"}, patience=PATIENCE)
    except (OSError, ValueError, AttributeError):  # AttributeError: a platform without AF_UNIX
        return ""


def _start_database(context: Context, name: str) -> None:
    """Open the brain once, with all that a first start takes. A database that is down is said, and may come later."""
    try:
        with context.open_brain():
            pass
    except DatabaseUnreachable as error:
        context.refuse_missing_database(name)
        context.out.say(f"brainbridge: {error} The page says so too, until it answers.")
