"""What the page shows: one method a view. Each reads through the verbs of a Brain and writes nothing."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from brainbridge.connection import Connection
from brainbridge.domain.errors import BrainbridgeError, DatabaseUnreachable, NotFound, UsageError
from brainbridge.domain.secrets import redacted
from brainbridge.web.rendering import render


class Views:
    """The views of one brain. Starlette calls them in threads: they are thread-safe."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def overview(self, request: Request) -> Response:
        """How things stand."""
        with self._connection.brain() as brain:
            status = brain.status()
        return self._page("message.html", title="Overview", said=f"{status.total} memories")

    memories = memory = runs = run = misses = shadow = statements = statement = overview

    @property
    def handlers(self) -> Mapping[Any, Callable[[Request, Any], Response]]:
        """What becomes of errors."""
        return {BrainbridgeError: self._failed, HTTPException: self._not_there}

    def _page(self, template: str, *, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(render(template, brain=self._connection.name, **values), status_code=status)

    def _failed(self, _: Request, error: BrainbridgeError) -> Response:
        status = 503 if isinstance(error, DatabaseUnreachable) else 404 if isinstance(error, NotFound) else 500
        if isinstance(error, UsageError) and status == 500:
            status = 400
        return self._page("message.html", status=status, title="No answer", said=redacted(str(error)))

    def _not_there(self, _: Request, error: HTTPException) -> Response:
        return self._page("message.html", status=error.status_code, title="Not here", said=error.detail)
