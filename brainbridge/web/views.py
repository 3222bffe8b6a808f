"""What the page shows: one method a view. Each reads through the verbs of a Brain and writes nothing."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from brainbridge.app import Brain
from brainbridge.connection import Connection
from brainbridge.consolidation.report import COUNT_NAMES
from brainbridge.domain.errors import AuthenticationFailed, BrainbridgeError, DatabaseUnreachable, NotFound, UsageError
from brainbridge.domain.memory import Memory
from brainbridge.domain.secrets import redacted
from brainbridge.graph.cypher import statement, statements
from brainbridge.learning.candidates import CANDIDATES
from brainbridge.logs import get_logger
from brainbridge.looking import STATES
from brainbridge.web import drawings, portraits
from brainbridge.web.links import Links
from brainbridge.web.overview import overview
from brainbridge.web.rendering import render

PAGE = 50
FOUND = 50
RUNS = 100
MISSES = 200
EVENTS = 500
# The list that one meets first: what is strongest, as a session would be given it.
FOREMOST = "foremost"
LISTED_BY = {"expired": "inspect/list_expired", "archived": "inspect/list_archived"}
log = get_logger(__name__)

_HIDDEN = frozenset({"embeddingA", "embeddingB", "bands", "contentKey", "forgottenKey", "scope", "content"})


class Views:
    """The views of one brain. Starlette calls them in threads: they are thread-safe."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def overview(self, request: Request) -> Response:
        """How things stand, and what comes next."""
        with self._connection.brain() as brain:
            seen = overview(brain, test=_is_test(request))
        return self._page("overview.html", request, view="/", seen=seen)

    def memories(self, request: Request) -> Response:
        """A list to leaf through, or what a question finds: no recall that anything is learned from."""
        asked = request.query_params
        state, text, after = asked.get("state", FOREMOST), asked.get("text", "").strip(), asked.get("after", "")
        with self._connection.brain() as brain:
            law, now, further = brain.law().law, brain.graph.now(), None
            if text:
                found, source = _recalled(brain, text, state, test=_is_test(request)), "recall/find_by_words"
            elif state == FOREMOST:
                found, source = brain.foremost(limit=PAGE, test=_is_test(request), now=now), "inspect/list_foremost"
            else:
                page = brain.memories(state, after=after, limit=PAGE, test=_is_test(request))
                found, further = list(page.memories), page.further
                source = LISTED_BY.get(state, "inspect/list_live")
        rows = [(memory, memory.energy_at(now, law), memory.weight_at(now, law)) for memory in found]
        return self._page(
            "memories.html",
            request,
            view="/memories",
            rows=rows,
            states=(FOREMOST, *STATES),
            state=state,
            text=text,
            after=after,
            further=further,
            source=source,
        )

    def memory(self, request: Request) -> Response:
        """One memory. Looking at it here is no access; an archived one leads to the one it lives on in."""
        test, links = _is_test(request), Links(_is_test(request))
        with self._connection.brain() as brain:
            found = brain.find(request.path_params["id"], test=test)
            if found.valid_to is not None and "archive" not in request.query_params:
                successor = _successor(brain, found, test=test)
                if successor is not None:
                    return RedirectResponse(links.here(f"/memories/{successor}", came_from=found.id), status_code=303)
            explained = brain.explain(found.id, test=test)
            events, laws = brain.history(found.id, test=test), brain.laws()
            others = brain.often_recalled_with(found.id, test=test, now=explained.now)
        history = events[-EVENTS:]
        properties = {name: value for name, value in explained.record.properties.items() if name not in _HIDDEN}
        return self._page(
            "memory.html",
            request,
            view="/memories",
            found=explained,
            history=history,
            left_out=len(events) - len(history),
            course=portraits.course(history, laws, explained),
            companions=portraits.companions(others, links.memory) if others else None,
            properties=sorted(properties.items()),
            came_from=request.query_params.get("came_from"),
        )

    def runs(self, request: Request) -> Response:
        """The last runs."""
        with self._connection.brain() as brain:
            runs = brain.runs(limit=RUNS, test=_is_test(request))
        return self._page(
            "runs.html",
            request,
            view="/runs",
            runs=runs,
            timeline=replace(drawings.timeline(runs), rows=()),  # the table below has them
            counts=COUNT_NAMES,
        )

    def run(self, request: Request) -> Response:
        """One run, pass by pass."""
        with self._connection.brain() as brain:
            run = brain.one_run(request.path_params["id"], test=_is_test(request))
        passes = [
            (name, run.get(count), run.get(f"{name}Ms"))
            for name, count in COUNT_NAMES.items()
            if run.get(f"{name}Ms") is not None
        ]
        return self._page("run.html", request, view="/runs", run=run, passes=passes)

    def misses(self, request: Request) -> Response:
        """The questions without a strong answer."""
        resolved = "all" in request.query_params
        with self._connection.brain() as brain:
            misses = brain.misses(resolved=resolved, limit=MISSES, test=_is_test(request))
        return self._page("misses.html", request, view="/misses", misses=misses, resolved=resolved, most=MISSES)

    def shadow(self, request: Request) -> Response:
        """The candidate rankings against the live one."""
        with self._connection.brain() as brain:
            boards = [brain.shadow(candidate.name, test=_is_test(request)) for candidate in CANDIDATES]
        return self._page("shadow.html", request, view="/shadow", boards=boards)

    def statements(self, request: Request) -> Response:
        """Every Cypher file."""
        folders: dict[str, list[Any]] = {}
        for found in statements().values():
            folders.setdefault(found.name.partition("/")[0], []).append(found)
        return self._page("statements.html", request, view="/cypher", folders=folders)

    def statement(self, request: Request) -> Response:
        """One Cypher file, ready to paste."""
        test = _is_test(request)
        found = statement(f"{request.path_params['folder']}/{request.path_params['name']}")
        pasted = found.pasted(brain=self._connection.name, is_test=test, id=request.query_params.get("id"))
        return self._page("statement.html", request, view="/cypher", found=found, pasted=pasted)

    @property
    def handlers(self) -> Mapping[Any, Callable[[Request, Any], Response]]:
        """What becomes of errors: a page that says what happened and what to do."""
        return {BrainbridgeError: self._failed, HTTPException: self._not_there}

    def answering(self, view: Callable[[Request], Response]) -> Callable[[Request], Response]:
        """`view`, with a page and a line in the log where it meets what nobody thought of, such as a node by hand."""

        def answered(request: Request) -> Response:
            try:
                return view(request)
            except (BrainbridgeError, HTTPException):
                raise
            except Exception as error:
                log.exception("page.failed", path=request.url.path)
                said = (
                    f"Something in the graph is not as brainbridge writes it ({type(error).__name__}). "
                    "`brainbridge health` names what it knows of; the log has the rest."
                )
                return self._page("trouble.html", request, view="", status=500, title="That did not work", said=said)

        return answered

    def _page(self, template: str, request: Request, *, view: str, status: int = 200, **values: Any) -> Response:
        links = Links(_is_test(request))
        html = render(template, brain=self._connection.name, links=links, view=view, **values)
        return HTMLResponse(html, status_code=status)

    def _failed(self, request: Request, error: BrainbridgeError) -> Response:
        status, title = 500, "That did not work"
        if isinstance(error, DatabaseUnreachable | AuthenticationFailed):
            status, title = 503, "The database does not answer"
        elif isinstance(error, NotFound):
            status, title = 404, "Not found"
        elif isinstance(error, UsageError):
            status, title = 400, "That cannot be shown"
        said = redacted(str(error))
        return self._page("trouble.html", request, view="", status=status, title=title, said=said)

    def _not_there(self, request: Request, error: HTTPException) -> Response:
        said = "There is no such page. The links above lead to all there are."
        return self._page("trouble.html", request, view="", status=error.status_code, title="Not found", said=said)


def _is_test(request: Request) -> bool:
    return request.url.path == "/test" or request.url.path.startswith("/test/")


def _recalled(brain: Brain, text: str, state: str, *, test: bool) -> list[Memory]:
    """What recall finds for a text, in one state; not as someone's question, so nothing is recorded."""
    page = brain.recall(
        text,
        limit=FOUND,
        tier=state if state in ("working", "shortTerm", "longTerm", "expired") else None,
        include_archived=state == "archived",
        explicit=False,
        test=test,
    )
    found = [hit.memory for hit in page.hits]
    return [memory for memory in found if memory.valid_to is not None] if state == "archived" else found


def _successor(brain: Brain, archive: Memory, *, test: bool) -> str | None:
    """The id of the memory that an archive lives on in; None if it was forgotten."""
    with suppress(NotFound):
        return brain.find_current(archive.id, test=test).id
    return None
