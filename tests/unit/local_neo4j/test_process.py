"""Processes: nobody's children, known by their command line, ended by pid."""

import contextlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from brainbridge.local_neo4j import process
from brainbridge.local_neo4j.conf import HOME_ARGUMENT

SLEEPER = "import time; print('up', flush=True); time.sleep(120)"


def eventually(holds: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)
    return holds()


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Callable[..., int]]:
    """Launch Python programs that look like the server of `tmp_path`; all are gone at the end."""
    started = []

    def start(program: str = SLEEPER) -> int:
        output = tmp_path / "output.log"
        command = [sys.executable, "-c", program, f"{HOME_ARGUMENT}{tmp_path}"]
        started.append(process.launch(command, tmp_path, output))
        if program == SLEEPER:
            assert eventually(lambda: output.read_text() == "up\n")
        return started[-1]

    yield start
    for pid in started:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_a_launched_server_is_nobodys_child(launch: Callable[..., int]) -> None:
    """It has another parent and another session than its starter, so it survives both."""
    pid = launch()

    assert psutil.Process(pid).ppid() != os.getpid()
    assert os.getsid(pid) != os.getsid(0)


def test_a_launched_server_inherits_no_secret(launch: Callable[..., int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings and credentials of the starter stay with the starter; the rest of the environment is kept."""
    monkeypatch.setenv("BRAINBRIDGE_PASSWORD", "secret")
    monkeypatch.setenv("NEO4J_PASSWORD", "secret")
    monkeypatch.setenv("LANG", "C.UTF-8")

    environment = psutil.Process(launch()).environ()

    assert "secret" not in environment.values()
    assert environment["LANG"] == "C.UTF-8"


def test_a_server_is_known_by_its_home(launch: Callable[..., int], tmp_path: Path) -> None:
    """The pid alone proves nothing: another home's server, or a stranger with a used-again pid, is not ours."""
    pid = launch()

    assert process.is_ours(pid, tmp_path)
    assert process.search(tmp_path) == pid
    assert not process.is_ours(pid, tmp_path / "other")
    assert not process.is_ours(os.getpid(), tmp_path)


def test_ending_waits_until_it_is_gone(launch: Callable[..., int], tmp_path: Path) -> None:
    """Also when it ignores the polite request."""
    polite = launch()
    stubborn = launch("import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(120)")

    process.end(polite, tmp_path, grace=10)
    process.end(stubborn, tmp_path, grace=0.2)

    assert not process.is_ours(polite, tmp_path)
    assert not process.is_ours(stubborn, tmp_path)
    process.end(polite, tmp_path, grace=1)  # a second time is nothing


def test_a_stranger_is_never_ended(launch: Callable[..., int], tmp_path: Path) -> None:
    """A pid from a stale state file may by now be anybody's."""
    pid = launch()

    process.end(pid, tmp_path / "other", grace=0.1)

    assert process.is_ours(pid, tmp_path)


def test_a_listener_takes_a_port_and_is_told_from_others() -> None:
    """On loopback or on all addresses; a bound one that no longer listens leaves no trace."""
    for address in ("127.0.0.1", "0.0.0.0"):
        with socket.create_server((address, 0)) as listener:
            port = listener.getsockname()[1]
            assert not process.is_free(port)
            assert process.is_listening(os.getpid(), port)
            assert not process.is_listening(os.getppid(), port)
        assert process.is_free(port)


def test_only_bolt_counts_as_an_answer() -> None:
    """An open port with another protocol, or with none, is not a server that is ready."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert not process.speaks_bolt(listener.getsockname()[1], timeout=0.1)
    assert not process.speaks_bolt(listener_port_after_close(), timeout=0.1)


def listener_port_after_close() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
