"""What tests of the MCP server share: a client in this process, and the server as a process an agent would start."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult

from brainbridge.app import Brain
from brainbridge.connection import Connection
from brainbridge.mcp.server import Server, make_server

SCRIPT = str(Path(sys.executable).with_name("brainbridge"))
PROTOCOL = "2025-06-18"


def server_of(brain: Brain) -> Server:
    """The server of a brain that is open."""
    return make_server(Connection(brain.name, lambda: brain))


def with_client(server: Server, ask: Callable[[Client], Any]) -> Any:
    """What `ask` gets from a client of `server`, in this process."""

    async def run() -> Any:
        async with Client(server) as client:
            try:
                return await ask(client)
            except MCPError as error:  # raised outside, else it comes wrapped in the groups of the client's tasks
                refused = error
        raise refused

    return anyio.run(run)


def call(brain: Brain, tool: str, /, **arguments: Any) -> CallToolResult:
    """One call of a tool."""
    found: CallToolResult = with_client(server_of(brain), lambda client: client.call_tool(tool, arguments))
    return found


def answer(brain: Brain, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a call that succeeds; its text says the same."""
    result = call(brain, tool, **arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    assert json.loads(text_of(result)) == result.structured_content
    return result.structured_content


def refusal(brain: Brain, tool: str, /, **arguments: Any) -> str:
    """What an agent reads of a call that is refused."""
    result = call(brain, tool, **arguments)
    assert result.is_error
    return text_of(result)


def text_of(result: CallToolResult) -> str:
    """The one text of a result."""
    (block,) = result.content
    assert block.type == "text"
    return block.text


class Agent:
    """An agent that has started the server and speaks with it over stdin and stdout. Every line it hears is kept."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._asked = 0
        self.lines: list[str] = []

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The response to one request."""
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params})
        while True:
            message = self._hear()
            if message.get("id") == self._asked:
                return message

    def greet(self) -> dict[str, Any]:
        """Shake hands; the server's half."""
        client = {"name": "test", "version": "1"}
        response = self.ask("initialize", protocolVersion=PROTOCOL, capabilities={}, clientInfo=client)
        self._send({"method": "notifications/initialized"})
        result: dict[str, Any] = response["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of one call of a tool."""
        result: dict[str, Any] = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return result

    def leave(self) -> int:
        """Close stdin, as agents do; hear the rest, and the exit code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self.lines += self._process.stdout.read().splitlines()
        return self._process.wait(timeout=30)

    def interrupt(self, number: signal.Signals) -> int:
        """Send a signal, stdin still open; the exit code."""
        self._process.send_signal(number)
        return self._process.wait(timeout=30)

    def say(self, line: str) -> None:
        """Send one line as it is."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _send(self, message: Mapping[str, Any]) -> None:
        self.say(json.dumps({"jsonrpc": "2.0", **message}))

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the server has gone"
        self.lines.append(line.rstrip("\n"))
        message: dict[str, Any] = json.loads(line)
        return message


@contextmanager
def agent(environment: Mapping[str, str], *argv: str, stderr: Path) -> Iterator[Agent]:
    """An agent and the server it has started with `brainbridge … mcp`; both gone at the end."""
    with stderr.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            [SCRIPT, *argv, "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=dict(environment),
            encoding="utf-8",
        )
        with process:
            try:
                yield Agent(process)
            finally:
                process.kill()
