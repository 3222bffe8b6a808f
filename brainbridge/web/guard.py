"""What every request passes before a view sees it, and what every answer carries.

Somebody else's page that a browser shows can send requests to this port too. It has no session (the cookie is
SameSite=Strict), its Origin is its own, and a name that was made to resolve to 127.0.0.1 betrays itself in Host. Each
of the three alone ends a request with 4xx.
"""

from collections.abc import Collection

from starlette.datastructures import MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brainbridge.web.access import Access
from brainbridge.web.rendering import render

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
READING = ("GET", "HEAD")


class Guard:
    """Lets a request pass that comes from this machine's browser and has a session, or asks for what needs none.

    Args:
        hosts: what may stand in Host, with the port.
        open_paths: what is shown without a session; one that ends in `/` stands for all below it.
        cookie: the name of the cookie that a session comes in.
    """

    def __init__(
        self, app: ASGIApp, access: Access, *, hosts: Collection[str], open_paths: Collection[str], cookie: str
    ) -> None:
        self._app = app
        self._access = access
        self._hosts = {host.encode() for host in hosts}
        self._origins = {b"http://" + host for host in self._hosts}
        self._open = frozenset(open_paths)
        self._folders = tuple(path for path in open_paths if path.endswith("/"))
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # nothing here speaks over web sockets
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """Why a request may not pass; None if it may."""
        given = _values(scope, b"host")
        if len(given) != 1 or given[0].lower() not in self._hosts:
            names = " or ".join(sorted(host.decode() for host in self._hosts))
            return _refused(400, f"This page answers at {names} only, and was asked for by another name.")
        if any(origin not in self._origins for origin in _values(scope, b"origin")):
            return _refused(403, "This request comes from another page. Open the page itself.")
        if scope["method"] not in READING:
            return _refused(405, "This page is only for looking: it takes GET and HEAD.", Allow=", ".join(READING))
        path = scope["path"]
        if path not in self._open and not path.startswith(self._folders) and not self._has_session(scope):
            return _refused(401, "You are not logged in. Run `brainbridge dashboard` and open the URL that it prints.")
        return None

    def _has_session(self, scope: Scope) -> bool:
        # Cookies know no ports: those of every other program on this machine come along, however they are written.
        for header in _values(scope, b"cookie"):
            session = cookie_parser(header.decode("latin-1")).get(self._cookie)
            if session is not None and self._access.admits(session):
                return True
        return False


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for header, value in scope["headers"] if header == name]


def _refused(status: int, said: str, **headers: str) -> Response:
    page = render("message.html", title="Not shown", said=said)
    return HTMLResponse(page, status_code=status, headers=headers)
