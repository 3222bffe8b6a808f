"""Serves the page from a thread of its own: the daemon beside its schedule, `brainbridge dashboard` by itself."""

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Self
from urllib.parse import urlencode

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from brainbridge.app import Brain
from brainbridge.connection import Connection
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.web.access import Access
from brainbridge.web.app import application

# For requests in progress, when we are told to end.
GRACE_SECONDS = 3
BACKLOG = 64
# Whoever is on this machine can connect. More at once than browsers and probes need would take the daemon's files.
MOST_CONNECTIONS = 128
# For a connection to ask for something; browsers open some in advance and never use them.
SILENCE_SECONDS = 15.0


class _Protocol(H11Protocol):
    """HTTP for a few: a connection too many is closed at once, and one that asks for nothing in a while."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        if len(self.connections) >= MOST_CONNECTIONS:
            transport.abort()
            return
        super().connection_made(transport)
        self.loop.call_later(SILENCE_SECONDS, self._end_silence)

    def _end_silence(self) -> None:
        if self.cycle is None and not self.transport.is_closing():  # no request has come in whole
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self in self.connections:
            super().connection_lost(exc)


class PageServer:
    """The page of one brain, served while it is entered.

    Args:
        name: the brain's name.
        open_brain: opens it, to read only; called again whenever the database was lost.
        host: the address to listen at.
        port: 0 for any that is free.
        or_any: take another one if this one is taken.
    """

    def __init__(
        self, name: str, open_brain: Callable[[], Brain], *, host: str, port: int, or_any: bool = False
    ) -> None:
        self._connection = Connection(name, open_brain)
        self._access = Access()
        self._host = host
        self._or_any = or_any
        self.port = port

    def __enter__(self) -> Self:
        """Begin to serve.

        Raises:
            BrainbridgeError: the port cannot be had.
        """
        try:
            self._socket = self._listening()
        except BrainbridgeError:
            if not self._or_any:
                raise
            self.port = 0
            self._socket = self._listening()
        self.port = self._socket.getsockname()[1]
        config = uvicorn.Config(
            application(self._connection, self._access, host=self._host, port=self.port),
            http=_Protocol,
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, name="page", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=2 * GRACE_SECONDS)
        self._socket.close()
        self._connection.close()

    @property
    def url(self) -> str:
        """Where the page is."""
        name = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{name}:{self.port}/"

    def login_url(self) -> str:
        """A URL that logs in once, within ten minutes."""
        return f"{self.url}login?{urlencode({'token': self._access.new_login()})}"

    def _listening(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind((self._host, self.port))
            made.listen(BACKLOG)
        except OSError as error:
            made.close()
            raise BrainbridgeError(
                f"cannot serve the page at {self._host}:{self.port}: {error.strerror or error}. "
                "Another brain's page may be there: give another port with --port, or set BRAINBRIDGE_WEB__PORT."
            ) from error
        return made
