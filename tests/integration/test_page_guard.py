"""Who the page is shown to: this machine's browser with a session that came of a login URL, and nobody else."""

import select
import socket
from collections.abc import Iterator

import pytest

from brainbridge.app import Brain
from brainbridge.connection import Connection
from brainbridge.domain.errors import BrainbridgeError, DatabaseUnreachable, Refused, SettingsError
from brainbridge.graph.connection import ReadingGraph
from brainbridge.settings import load_settings
from brainbridge.web.access import LOGIN_SECONDS, MOST_KEPT, SESSION_SECONDS, Access
from brainbridge.web.app import open_routes
from brainbridge.web.serve import MOST_CONNECTIONS, PageServer
from tests.daemon_support import wait_until
from tests.page_support import HOST, Visitor, page_of, reading

SECRET_TEXT = "The spare key lies below the third flower pot"


@pytest.fixture
def page(brain: Brain) -> Iterator[PageServer]:
    """The page of a brain with one memory."""
    brain.remember(SECRET_TEXT)
    with page_of(brain) as page:
        yield page


@pytest.fixture
def guest(page: PageServer) -> Visitor:
    """Somebody who is logged in."""
    visitor = Visitor(page.port)
    visitor.log_in(page.login_url())
    return visitor


def test_a_login_url_is_good_for_one_session(page: PageServer) -> None:
    """It gives a cookie that no script can read and no other page can send; the second visit gives none."""
    url, first, second = page.login_url(), Visitor(page.port), Visitor(page.port)

    given, refused = first.log_in(url), second.log_in(url)

    attributes = {part.strip().lower() for part in given.headers["set-cookie"].split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/"} <= attributes
    assert (200, 403) == (given.status, refused.status)
    assert "set-cookie" not in refused.headers
    assert (200, 401) == (first("/").status, second("/").status)


def test_a_login_url_is_not_used_up_by_a_look_at_its_headers(page: PageServer) -> None:
    """HEAD, as a link preview sends it, leaves it as it was."""
    visitor, url = Visitor(page.port), page.login_url()
    token = url.partition("?")[2]

    assert visitor(f"/login?{token}", method="HEAD").status == 200
    assert visitor.log_in(url).status == 200


def test_logins_and_sessions_end() -> None:
    """A login that nobody used and a session that is old admit nobody."""
    now = [0.0]
    access = Access(lambda: now[0])
    unused, used = access.new_login(), access.new_login()
    session = access.log_in(used)
    assert session is not None

    now[0] = SESSION_SECONDS - 1
    assert access.admits(session)
    now[0] = LOGIN_SECONDS + 1
    assert access.log_in(unused) is None
    now[0] = SESSION_SECONDS
    assert not access.admits(session)


def test_logins_do_not_pile_up() -> None:
    """Of more than are kept the oldest is worth nothing any more."""
    access = Access()
    logins = [access.new_login() for _ in range(MOST_KEPT + 1)]

    assert access.log_in(logins[0]) is None
    assert access.log_in(logins[1]) is not None


@pytest.mark.parametrize("path", ["/", "/memories", "/runs", "/misses", "/shadow", "/cypher", "/test/", "/nothing"])
def test_nothing_is_shown_without_a_session(page: PageServer, path: str) -> None:
    """4xx with a plain sentence that says how to log in; a made-up cookie is no session."""
    for cookie in ("", f"brainbridge-{page.port}=made-up", f"brainbridge-{page.port}="):
        answer = Visitor(page.port, cookie)(path)

        assert answer.status == 401
        assert "brainbridge dashboard" in answer.text
        assert SECRET_TEXT not in answer.text


def test_what_is_open_names_no_memory(page: PageServer, brain: Brain) -> None:
    """Without a session there is a login, the style, the icon and the script, and in none of them a memory."""
    stranger = Visitor(page.port)
    paths = ["/login", "/static/page.css", "/static/copy.js", "/static/icon.svg"]

    answers = [stranger(path) for path in paths]

    assert [403, 200, 200, 200] == [answer.status for answer in answers]
    assert not any(SECRET_TEXT in answer.text or brain.name in answer.text for answer in answers)
    routes = open_routes(Connection("x", lambda: brain), Access(), cookie="c")
    assert ["/login", "/static", "/healthz", "/readyz", "/metrics"] == [route.path for route in routes]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", "", "[::1]"]
)
def test_another_name_is_refused(guest: Visitor, host: str) -> None:
    """A name that was made to resolve to this machine does not get the page, with the cookie neither."""
    answer = guest("/", Host=host)

    assert answer.status == 400
    assert SECRET_TEXT not in answer.text


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1"])
def test_another_pages_request_is_refused(guest: Visitor, origin: str) -> None:
    """An Origin that is not the page's own ends a request, whatever cookie it has."""
    answer = guest("/", Origin=origin)

    assert answer.status == 403
    assert SECRET_TEXT not in answer.text


def test_its_own_names_and_origin_pass(guest: Visitor) -> None:
    """127.0.0.1, localhost and ::1 are this machine."""
    port = guest.port

    assert guest("/", Origin=f"http://{HOST}:{port}").status == 200
    assert {200} == {guest("/", Host=f"{name}:{port}").status for name in ("localhost", "LOCALHOST", "[::1]")}


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_it_takes_requests_that_read_only(guest: Visitor, method: str) -> None:
    """Everything but GET and HEAD is refused, and told what is allowed."""
    answer = guest("/", method=method)

    assert (405, "GET, HEAD") == (answer.status, answer.headers["allow"])


@pytest.mark.parametrize("path", ["/", "/memories", "/nothing", "/login", "/static/page.css"])
def test_every_answer_carries_the_headers(guest: Visitor, path: str) -> None:
    """The policy allows nothing but the page's own files; nothing is kept, framed, guessed or referred."""
    headers = guest(path).headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))

    assert "'none'" == policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"]
    assert "'self'" == policy["script-src"] == policy["style-src"] == policy["form-action"]
    assert "nosniff" == headers["x-content-type-options"]
    assert "no-referrer" == headers["referrer-policy"]
    assert "no-store" == headers["cache-control"]
    assert "server" not in headers


def test_a_session_of_another_port_is_none(brain: Brain) -> None:
    """Cookies know no ports: the pages of two brains do not take each other's."""
    with page_of(brain) as one, page_of(brain) as other:
        visitor = Visitor(one.port)
        visitor.log_in(one.login_url())

        assert Visitor(other.port, visitor.cookie)("/").status == 401
        assert Visitor(other.port, visitor.cookie.replace(str(one.port), str(other.port)))("/").status == 401


def test_a_port_that_is_taken_is_said(page: PageServer, brain: Brain) -> None:
    """Two pages cannot share a port; the error names the way out."""
    with pytest.raises(BrainbridgeError, match="--port"), PageServer("x", lambda: brain, host=HOST, port=page.port):
        pass


@pytest.mark.parametrize("before", ['prefs={"a":1}; ', "user=John Doe; ", "n=\u00e9; ", "=; ;; "])
def test_cookies_of_others_on_this_machine_are_no_hindrance(page: PageServer, before: str) -> None:
    """Cookies know no ports, and other programs write what they like into theirs."""
    visitor = Visitor(page.port)
    visitor.log_in(page.login_url())

    assert Visitor(page.port, f"{before}{visitor.cookie}")("/").status == 200
    assert Visitor(page.port, f"{visitor.cookie}; {before}")("/").status == 200


def test_connections_that_ask_for_nothing_are_few(page: PageServer) -> None:
    """Anybody on the machine can connect; the daemon's files are not theirs to use up."""
    idle = [socket.create_connection((HOST, page.port)) for _ in range(MOST_CONNECTIONS + 20)]
    try:
        wait_until(lambda: len(select.select(idle, [], [], 1)[0]) >= 20, "the end of those that are too many")
    finally:
        for each in idle:
            each.close()
    assert 200 == Visitor(page.port)("/healthz").status


def test_an_odd_accept_gets_the_usual_format(page: PageServer) -> None:
    """A version that is none is no reason to fail: whoever scrapes has no use for a traceback."""
    answer = Visitor(page.port)("/metrics", Accept="application/openmetrics-text; version=abc")

    assert (200, True) == (answer.status, answer.text.startswith("# HELP"))


def test_who_asks_for_no_port_gets_another_one(page: PageServer, brain: Brain) -> None:
    """The page of a second brain comes up beside that of the first."""
    with PageServer("x", lambda: brain, host=HOST, port=page.port, or_any=True) as other:
        assert other.port not in (0, page.port)
        assert f":{other.port}/" in other.login_url()


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.2", "::", "example.org"])
def test_an_open_host_is_refused_without_a_word(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """A host that other machines can reach needs a setting that says so."""
    monkeypatch.setenv("BRAINBRIDGE_WEB__HOST", host)
    with pytest.raises(SettingsError, match="allow_remote"):
        load_settings()

    monkeypatch.setenv("BRAINBRIDGE_WEB__ALLOW_REMOTE", "true")

    assert host == load_settings().web.host


def test_a_connection_that_reads_refuses_to_write(brain: Brain) -> None:
    """What the page is given cannot write: neither by a transaction nor in a session."""
    with reading(brain) as looked_at:
        assert isinstance(looked_at.graph, ReadingGraph)
        with pytest.raises(Refused):
            looked_at.remember("never written")
        with pytest.raises(Refused), looked_at.graph.session("WRITE"):
            pass

    assert brain.status().total == 0


def test_no_database_is_said_and_it_comes_back(brain: Brain) -> None:
    """503 with what to do, and the page again once the database answers."""
    down = [True]

    def open_brain() -> Brain:
        if down[0]:
            raise DatabaseUnreachable("no Neo4j answers at bolt://127.0.0.1:1. Start it.")
        return reading(brain)

    with PageServer(brain.name, open_brain, host=HOST, port=0) as page:
        visitor = Visitor(page.port)
        visitor.log_in(page.login_url())
        gone = {visitor(path).status for path in ("/", "/memories", "/memories/x", "/runs", "/misses", "/shadow")}
        said = visitor("/").text
        files = visitor("/cypher/inspect/status").status
        down[0] = False
        back = visitor("/").status

    assert ({503}, 200, 200) == (gone, files, back)
    assert "brainbridge server start" in said


def test_a_secret_in_an_error_is_not_shown(brain: Brain) -> None:
    """What an error quotes is redacted, as on the command line."""
    from tests.support import SECRET

    def open_brain() -> Brain:
        raise DatabaseUnreachable(f"no Neo4j answers; the password {SECRET} was not asked for.")

    with PageServer(brain.name, open_brain, host=HOST, port=0) as page:
        visitor = Visitor(page.port)
        visitor.log_in(page.login_url())
        said = visitor("/").text

    assert SECRET not in said
    assert "removed" in said
