"""MCP over HTTP for programs on this machine: loopback only, a token for every request, Host and Origin checked.

A web page that a browser shows can send requests to this port too. It knows no token, its Origin is its own, and a name
that was made to resolve to 127.0.0.1 betrays itself in Host. Each of the three alone ends a request with 4xx.
"""

import hmac
import socket
from collections.abc import Callable

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from brainbridge.domain.errors import BrainbridgeError
from brainbridge.mcp.server import Server

ADDRESS = "127.0.0.1"
PATH = "/mcp"
# A remember with the longest content, every character of it escaped, takes 100 KiB.
MAX_REQUEST_BYTES = 262_144
# For requests in progress, when we are told to end.
GRACE_SECONDS = 5


class TokenGate:
    """Lets a request pass only if it presents the token, whatever its path."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._passes(scope):
            await self._app(scope, receive, send)
            return
        refusal = PlainTextResponse(
            "the token is missing or wrong. Send it as: Authorization: Bearer TOKEN\n",
            status_code=401,
            headers={"WWW-Authenticate": "Bearer"},
        )
        await refusal(scope, receive, send)

    def _passes(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._expected)


def application(server: Server, *, token: str, port: int) -> ASGIApp:
    """The ASGI application that answers at `port`. It keeps no sessions, so nothing piles up."""
    hosts = [f"{name}:{port}" for name in (ADDRESS, "localhost")]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=MAX_REQUEST_BYTES,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )
    return TokenGate(app, token)


def serve(server: Server, *, token: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until told to end (SIGTERM, Ctrl-C).

    Args:
        port: 0 for any that is free.
        ready: told the URL, once requests can come.

    Raises:
        BrainbridgeError: the port cannot be had.
    """
    # With its protocol named: only then asyncio switches Nagle's delay off. A call takes 12 ms, else 37 (measured).
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((ADDRESS, port))
            listening.listen()
        except OSError as error:
            raise BrainbridgeError(
                f"cannot listen on {ADDRESS}:{port}: {error.strerror}. Give another one with --port, "
                "or set BRAINBRIDGE_MCP__PORT."
            ) from error
        bound: int = listening.getsockname()[1]
        config = uvicorn.Config(
            application(server, token=token, port=bound),
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        ready(f"http://{ADDRESS}:{bound}{PATH}")
        uvicorn.Server(config).run(sockets=[listening])
