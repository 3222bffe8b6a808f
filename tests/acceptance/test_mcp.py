"""`brainbridge mcp` as agents start it: over stdin and stdout, and over HTTP on this machine."""

import http.client
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from brainbridge.graph.connection import Address, Graph
from tests.daemon_support import Proxy, log_events, wait_until
from tests.mcp_support import PROTOCOL, SCRIPT, agent
from tests.program import Program

TOOLS = {"recall", "open_memory", "remember", "link", "forget", "memory_status", "list_misses"}
PORT = "The staging server listens on port 8443 since March."
TOKEN = "a token of sixteen characters or more"


# Runs in the server; prints once the file `now` is there.
PRINTER = """
import os, pathlib, threading, time

def print_later():
    while not pathlib.Path({now!r}).exists():
        time.sleep(0.02)
    print("printed", flush=True)
    os.write(1, b"written\\n")

threading.Thread(target=print_later, daemon=True).start()
"""


def assert_json_rpc(lines: list[str]) -> None:
    """Each line is one JSON-RPC 2.0 message."""
    assert lines
    for line in lines:
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        assert message.keys() & {"result", "error", "method"}


def text(result: Mapping[str, Any]) -> str:
    """What an agent reads of a result."""
    said: str = result["content"][0]["text"]
    return said


@pytest.fixture
def errors(tmp_path: Path) -> Path:
    """Where the server's stderr goes."""
    return tmp_path / "stderr"


# Over stdin and stdout


def test_a_session_with_debug_logging_on(program: Program, errors: Path) -> None:
    """Greeting, listing, remembering, recalling: every line of stdout is JSON-RPC, all talk is on stderr."""
    with agent(program.environment, "-vv", f"--brain={program.brain}", stderr=errors) as session:
        greeting = session.greet()
        tools = session.ask("tools/list")["result"]["tools"]
        session.say("this is no JSON")
        born = session.call("remember", content=PORT)["structuredContent"]
        page = session.call("recall", query="which port does the staging server listen on")["structuredContent"]
        refused = session.call("open_memory", ref="nothing like it")
        code = session.leave()

    assert program.brain in greeting["instructions"]
    assert {tool["name"] for tool in tools} == TOOLS
    assert [(born["id"], "strong")] == [(hit["id"], hit["strength"]) for hit in page["hits"]]
    assert refused["isError"]
    assert_json_rpc(session.lines)
    assert 0 == code
    shown = errors.read_text(encoding="utf-8")
    assert "debug" in shown
    assert "Traceback" not in shown
    home = Path(program.environment["BRAINBRIDGE_HOME"])
    assert ["brain.opened", "call.refused"] == [line["event"] for line in log_events(home)]


def test_nothing_that_prints_reaches_the_protocol(program: Program, errors: Path, tmp_path: Path) -> None:
    """A library or a child that writes to stdout is led to stderr, not into the agent's stream."""
    now = tmp_path / "now"
    (tmp_path / "sitecustomize.py").write_text(PRINTER.format(now=str(now)), encoding="utf-8")
    environment = program.environment | {"PYTHONPATH": str(tmp_path)}

    with agent(environment, f"--brain={program.brain}", stderr=errors) as session:
        session.greet()
        now.touch()
        wait_until(lambda: "written" in errors.read_text(encoding="utf-8"), "what was printed")
        session.call("memory_status")
        session.leave()

    assert_json_rpc(session.lines)
    assert "printed\nwritten\n" in errors.read_text(encoding="utf-8")


def test_a_database_that_is_down_and_comes_back(program: Program, neo4j_address: Address, errors: Path) -> None:
    """The server starts all the same, says it in each call, and connects when the database is there."""
    with Proxy(neo4j_address) as door:
        environment = program.environment | {"BRAINBRIDGE_URI": door.address.uri}
        with agent(environment, f"--brain={program.brain}", stderr=errors) as session:
            greeting = session.greet()
            down = [session.call("memory_status"), session.call("remember", content=PORT)]
            door.open()
            back = session.call("remember", content=PORT)
            code = session.leave()

    assert "brainbridge" == greeting["serverInfo"]["name"]
    for result in down:
        assert result["isError"]
        assert text(result).startswith(f"no Neo4j answers at {door.address.uri}")
    assert "created" == back["structuredContent"]["outcome"]
    assert 0 == code
    assert_json_rpc(session.lines)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_it_waits(program: Program, errors: Path, number: signal.Signals) -> None:
    """Agents and people need not close stdin first."""
    with agent(program.environment, f"--brain={program.brain}", stderr=errors) as session:
        session.greet()

        assert -number == session.interrupt(number)

    assert "" == errors.read_text(encoding="utf-8")


def test_a_brain_that_is_not_there_is_said_in_the_call(program: Program, errors: Path) -> None:
    """None is made by accident; the agent reads how a person makes one."""
    with agent(program.environment, "--brain=nobody", stderr=errors) as session:
        session.greet()
        result = session.call("remember", content=PORT)

    assert result["isError"]
    assert "brainbridge --brain=nobody init" in text(result)


def test_without_a_database_ever_made_nothing_is_downloaded(program: Program, errors: Path) -> None:
    """Only a person's `init` installs a Neo4j; the agent reads so."""
    environment = {name: value for name, value in program.environment.items() if name != "BRAINBRIDGE_URI"}

    with agent(environment, f"--brain={program.brain}", stderr=errors) as session:
        session.greet()
        result = session.call("memory_status")

    assert text(result).startswith("there is no database yet. Run: brainbridge init")


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["mcp"], 2, "no brain is named"),
        (["--brain=a b", "mcp"], 2, "cannot be a brain's name"),
        (["mcp", "--port", "8000"], 2, "--port is for --http"),
        (["mcp", "--http", "--port", "70000"], 2, "is not in the range"),
    ],
)
def test_a_wrong_command_line_leaves_stdout_alone(program: Program, argv: list[str], code: int, said: str) -> None:
    """Refused on stderr, with the exit code of its kind."""
    done = program(*argv)

    assert (code, "") == (done.code, done.out)
    assert said in done.err


def test_without_the_sdk_it_is_said_how_to_get_it() -> None:
    """The SDK is an extra; nothing else of the program needs it."""
    program = "import sys; sys.modules['mcp'] = None; from brainbridge.cli.main import main; sys.exit(main(['mcp']))"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert (1, "") == (done.returncode, done.stdout)
    assert "pip install 'brainbridge[mcp]'" in done.stderr


# Over HTTP


@dataclass(frozen=True)
class Endpoint:
    """A server that listens."""

    url: str
    token: str
    process: "subprocess.Popen[str]"

    def post(
        self, method: str, path: str = "/mcp", *, body: str | None = None, **headers: str | None
    ) -> tuple[int, Any]:
        """Status and answer of one JSON-RPC request; a header that is None is left out."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method}
        if method == "initialize":
            message["params"] = {
                "protocolVersion": PROTOCOL,
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            }
        elif method == "tools/call":
            message["params"] = {"name": "memory_status", "arguments": {}}
        sent = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": PROTOCOL,
        } | headers
        return self.request("POST", "/mcp", body or json.dumps(message), sent)

    def request(self, verb: str, path: str, body: str | None, headers: Mapping[str, str | None]) -> tuple[int, Any]:
        """Status and answer of one request."""
        at = urlsplit(self.url)
        assert at.hostname
        connection = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
        try:
            connection.request(verb, path, body, {name: value for name, value in headers.items() if value is not None})
            response = connection.getresponse()
            raw = response.read().decode("utf-8")
        finally:
            connection.close()
        return response.status, json.loads(raw) if raw.startswith("{") else raw


@contextmanager
def endpoint(environment: Mapping[str, str], brain: str, token: str = "") -> Iterator[Endpoint]:
    """`brainbridge mcp --http` on a free port; killed at the end if it still runs."""
    with subprocess.Popen(
        [SCRIPT, f"--brain={brain}", "mcp", "--http", "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        encoding="utf-8",
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert " answers at " in line, line + process.stderr.read()
            url = line.split(" answers at ")[1].split(";")[0]
            file = Path(environment["BRAINBRIDGE_HOME"]) / "mcp-token"
            yield Endpoint(url, token or file.read_text(encoding="ascii").strip(), process)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def served(neo4j_address: Address, graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """One server for the tests that only ask."""
    home = tmp_path_factory.mktemp("mcp")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BRAINBRIDGE_", "NEO4J_"))}
    environment = kept | {
        "BRAINBRIDGE_URI": neo4j_address.uri,
        "BRAINBRIDGE_USERNAME": neo4j_address.username,
        "BRAINBRIDGE_PASSWORD": neo4j_address.password,
        "BRAINBRIDGE_HOME": str(home),
        "BRAINBRIDGE_CONFIG": str(home / "none.toml"),
        "BRAINBRIDGE_CONNECT_TIMEOUT": "15",
    }
    with endpoint(environment, "bystander") as found:
        yield found


def test_a_caller_with_the_token_is_served(served: Endpoint) -> None:
    """Greeting, list and call, each request on its own."""
    status, greeting = served.post("initialize")
    _, listed = served.post("tools/list")
    _, called = served.post("tools/call")

    assert (200, "brainbridge") == (status, greeting["result"]["serverInfo"]["name"])
    assert {tool["name"] for tool in listed["result"]["tools"]} == TOOLS
    assert "bystander" == called["result"]["structuredContent"]["brain"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": None},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic dXNlcjpwYXNz"},
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Origin": "null"},
    ],
    ids=str,
)
def test_anything_forged_is_refused(served: Endpoint, headers: dict[str, str | None]) -> None:
    """No token, a wrong one, another Host, a foreign Origin: 4xx before any tool is called."""
    for method in ("initialize", "tools/list", "tools/call"):
        status, said = served.post(method, **headers)

        assert 400 <= status < 500
        assert "result" not in said


@pytest.mark.parametrize("verb", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("path", ["/mcp", "/", "/.well-known/oauth-protected-resource"])
def test_no_path_is_open_without_the_token(served: Endpoint, verb: str, path: str) -> None:
    """Also those that are not there: who has no token learns nothing."""
    assert 401 == served.request(verb, path, None, {})[0]


def test_a_page_of_this_machine_may_ask_with_the_token(served: Endpoint) -> None:
    """The server's own origin is no forgery."""
    assert 200 == served.post("tools/list", Origin=served.url.removesuffix("/mcp"))[0]


def test_a_flood_is_cut_off(served: Endpoint) -> None:
    """A body that no call needs is not read to its end."""
    assert 413 == served.post("tools/call", body=json.dumps({"jsonrpc": "2.0", "x": "y" * 300_000}))[0]


def test_it_listens_on_loopback_only(served: Endpoint) -> None:
    """Nobody else on the network reaches it."""
    listening = [found for found in psutil.Process(served.process.pid).net_connections() if found.status == "LISTEN"]

    assert ["127.0.0.1"] == [found.laddr.ip for found in listening]


def test_the_token_is_kept_for_its_owner(program: Program) -> None:
    """Made once, readable by the owner alone; with other rights it is refused; SIGTERM ends the server in order."""
    file = Path(program.environment["BRAINBRIDGE_HOME"]) / "mcp-token"
    tokens = []
    for _ in range(2):
        with endpoint(program.environment, program.brain) as found:
            tokens.append(found.token)
            found.process.terminate()
            found.process.wait(timeout=30)
            assert found.process.stdout is not None
            assert "" == found.process.stdout.read()
    mode = stat.S_IMODE(file.stat().st_mode)
    file.chmod(0o644)
    done = program(f"--brain={program.brain}", "mcp", "--http", "--port", "0")

    assert tokens[0] == tokens[1]
    assert len(tokens[0]) >= 43
    assert 0o600 == mode
    assert (2, "") == (done.code, done.out)
    assert f"Run: chmod 600 {file}" in done.err


def test_a_token_of_the_settings(program: Program) -> None:
    """From the environment; no file is made then, and one that could be guessed is refused without being shown."""
    environment = program.environment | {"BRAINBRIDGE_MCP__TOKEN": TOKEN}

    with endpoint(environment, program.brain, token=TOKEN) as found:
        assert 200 == found.post("tools/list")[0]
        assert 401 == found.post("tools/list", Authorization="Bearer other")[0]
    done = program(f"--brain={program.brain}", "mcp", "--http", BRAINBRIDGE_MCP__TOKEN="short-one")

    assert not (Path(program.environment["BRAINBRIDGE_HOME"]) / "mcp-token").exists()
    assert 2 == done.code
    assert "mcp.token" in done.err
    assert "short-one" not in done.err


def test_a_port_that_is_taken(program: Program, served: Endpoint) -> None:
    """Named, with what to do."""
    port = str(urlsplit(served.url).port)

    done = program(f"--brain={program.brain}", "mcp", "--http", "--port", port)

    assert (1, "") == (done.code, done.out)
    assert f"cannot listen on 127.0.0.1:{port}" in done.err
    assert "--port" in done.err
