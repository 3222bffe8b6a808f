"""mcp: the door for agents, over stdin and stdout or over HTTP on this machine."""

import signal
import sys
from typing import TYPE_CHECKING

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb
from brainbridge.domain.errors import BrainbridgeError, UsageError
from brainbridge.domain.extras import how_to_install

if TYPE_CHECKING:
    from brainbridge.app import Brain
    from brainbridge.mcp.server import Server

_HELP = (
    "\n\nAn agent starts it and speaks with it over stdin and stdout; with --http it waits for agents on this machine. "
    "It starts although the database is down, and says so in each call until it is back."
)


@click.command("mcp", cls=Verb, help=COMMANDS["mcp"][1] + _HELP)
@click.option("--http", is_flag=True, help="Serve HTTP on 127.0.0.1, with a token, instead of stdin and stdout.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Where, with --http; 0: any. [default: 17475]")
@click.pass_obj
def mcp(context: Context, *, http: bool, port: int | None) -> None:
    if port is not None and not http:
        raise UsageError("--port is for --http. Give both, or neither.")
    _refuse_missing_extra()
    from brainbridge import logs
    from brainbridge.connection import Connection
    from brainbridge.mcp.server import make_server

    name = context.named_brain()
    context.start_logging(to_file=True)
    logs.show_libraries(verbosity=-1 if context.quiet else context.verbose)
    connection = Connection(name, lambda: _open(context, name))
    try:
        server = make_server(connection)
        if http:
            _serve_http(context, server, name, port)
        else:
            _serve_stdio(context, server)
    finally:
        connection.close()


def _serve_stdio(context: Context, server: "Server") -> None:
    if sys.stdin.isatty():
        context.out.say("This speaks JSON-RPC with the agent that starts it; Ctrl-C ends it.")
    # Ctrl-C ends the process as SIGTERM does; the database undoes what was in progress. By default Python would first
    # wait for the SDK's thread that reads stdin, so for the agent's next line.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    server.run("stdio")


def _serve_http(context: Context, server: "Server", name: str, port: int | None) -> None:
    from brainbridge.mcp.loopback import serve
    from brainbridge.mcp.token import callers_token, token_file

    settings = context.settings
    token = callers_token(settings)
    place = "the one of your settings" if settings.mcp.token else f"in {token_file(settings)}"

    def ready(url: str) -> None:
        context.out.say(f"brain {name} answers at {url}; the token is {place}")

    serve(server, token=token, port=settings.mcp.port if port is None else port, ready=ready)


def _open(context: Context, name: str) -> "Brain":
    from brainbridge.app import connect
    from brainbridge.local_neo4j.progress import closing

    context.refuse_missing_database(name)
    progress = context.progress()
    with closing(progress):
        return connect(name, settings=context.settings, progress=progress)


def _refuse_missing_extra() -> None:
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise BrainbridgeError(f"the MCP server needs the SDK. Install it with: {how_to_install('mcp')}")
