"""The page as an ASGI application: its routes, and the guard in front of them.

Every way in stands here: `open_routes` are answered without a session, `page_routes` only with one.
"""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from brainbridge.connection import Connection
from brainbridge.settings import LOOPBACK
from brainbridge.web.access import SESSION_SECONDS, Access
from brainbridge.web.guard import Guard
from brainbridge.web.probes import probe_routes
from brainbridge.web.rendering import STATIC, render
from brainbridge.web.views import Views


def application(connection: Connection, access: Access, *, host: str, port: int) -> ASGIApp:
    """The application that answers at `host` and `port`.

    Args:
        connection: of the brain that is shown; it should only read.
        access: who may see it.
    """
    cookie = f"brainbridge-{port}"  # cookies know no ports: another brain's page must not take this one's
    opened = open_routes(connection, access, cookie=cookie)
    views = Views(connection)
    app = Starlette(routes=[*opened, *page_routes(views)], exception_handlers=views.handlers)
    return Guard(
        app,
        access,
        hosts=[f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in {*LOOPBACK, host}],
        open_paths=[route.path if isinstance(route, Route) else f"{route.path}/" for route in opened],
        cookie=cookie,
    )


def open_routes(connection: Connection, access: Access, *, cookie: str) -> Sequence[Route | Mount]:
    """What is answered without a session: nothing here says anything of a memory."""

    def login(request: Request) -> Response:
        """Turn the token of a login URL into a cookie, once."""
        if request.method == "HEAD":
            return Response()
        session = access.log_in(request.query_params.get("token", ""))
        if session is None:
            said = "This login URL was used before, or has expired. Run `brainbridge dashboard`: it prints a new one."
            return HTMLResponse(render("message.html", title="Not logged in", said=said), status_code=403)
        # Not a redirect: browsers leave a Strict cookie out of one that began on somebody else's page or in a mail.
        response = HTMLResponse(render("welcome.html", brain=connection.name))
        response.set_cookie(cookie, session, max_age=int(SESSION_SECONDS), path="/", httponly=True, samesite="strict")
        return response

    return [
        Route("/login", login),
        Mount("/static", StaticFiles(directory=STATIC)),
        *probe_routes(connection),
    ]


def page_routes(views: Views) -> Sequence[BaseRoute]:
    """The views, for the real memories and, below /test, for the test memories."""
    paths = [
        ("/", views.overview),
        ("/memories", views.memories),
        ("/memories/{id:path}", views.memory),
        ("/runs", views.runs),
        ("/runs/{id}", views.run),
        ("/misses", views.misses),
        ("/shadow", views.shadow),
        ("/cypher", views.statements),
        ("/cypher/{folder}/{name}", views.statement),
    ]
    shown = [Route(path, views.answering(view)) for path, view in paths]
    return [*shown, Mount("/test", routes=shown)]
