"""What tests of daemon and goodbye share: real processes, a way to cut the database off, and patience with an end."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from brainbridge.daemon.state import read_state, state_file
from brainbridge.graph.connection import Address
from tests.support import free_port

DEADLINE = 60.0  # seconds; what is waited for takes a few at most


def wait_until(condition: Callable[[], object], what: str, *, deadline: float = DEADLINE) -> None:
    """Look until `condition` is true; fail with `what` was waited for after `deadline` seconds."""
    end = time.monotonic() + deadline
    while not condition():
        assert time.monotonic() < end, f"waited {deadline:.0f} s in vain for: {what}"
        time.sleep(0.05)


def environment(home: Path, address: Address, **more: str) -> dict[str, str]:
    """The environment of a user whose brains live at `address` and whose files live in `home`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BRAINBRIDGE_", "NEO4J_"))}
    return kept | {
        "BRAINBRIDGE_HOME": str(home),
        "BRAINBRIDGE_CONFIG": str(home / "config.toml"),
        "BRAINBRIDGE_URI": address.uri,
        "BRAINBRIDGE_CONNECT_TIMEOUT": "15",
        "BRAINBRIDGE_USERNAME": address.username,
        "BRAINBRIDGE_PASSWORD": address.password,
        **more,
    }


def log_events(home: Path, event: str | None = None) -> list[dict[str, Any]]:
    """The lines of consolidation.log, each of which must be JSON; only those of one event, if given."""
    log_file = home / "logs" / "consolidation.log"
    if not log_file.exists():
        return []
    lines = [json.loads(line) for line in log_file.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if event is None or line["event"] == event]


@contextmanager
def running_daemon(
    brain: str, env: Mapping[str, str], *, command: Sequence[str] = ("-m", "brainbridge.daemon")
) -> Iterator["subprocess.Popen[str]"]:
    """A daemon as a process of its own, up and listening to signals; killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, *command, "--brain", brain], env=dict(env), stderr=subprocess.PIPE, text=True
    )
    home = Path(env["BRAINBRIDGE_HOME"])
    try:
        wait_until(
            lambda: (
                process.poll() is not None
                or ((state := read_state(state_file(home, brain))) is not None and state.pid == process.pid)
            ),
            "the daemon's start",
        )
        yield process
    finally:
        process.kill()
        process.communicate()


class Proxy:
    """A door in front of the database that a test can shut: connections are cut and new ones refused."""

    def __init__(self, address: Address) -> None:
        parts = urlsplit(address.uri)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 7687)
        self._port = free_port()
        self._listener: socket.socket | None = None
        self._threads: list[threading.Thread] = []
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        # bolt, not neo4j: routing would lead the driver past the door.
        self.address = Address(f"bolt://127.0.0.1:{self._port}", address.username, address.password, address.database)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shut()

    def open(self) -> None:
        """Let connections through."""
        self._listener = socket.create_server(("127.0.0.1", self._port))
        self._start(self._accept, self._listener)

    def shut(self) -> None:
        """Cut what is connected and refuse what comes."""
        if self._listener is not None:
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        with self._lock:
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(timeout=10)
        self._threads.clear()

    def _start(self, work: Callable[..., None], *ends: socket.socket) -> None:
        thread = threading.Thread(target=work, args=ends, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._target)
            except OSError:
                near.close()
                continue
            with self._lock:
                self._open |= {near, far}
            self._start(self._carry, near, far)

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        back = threading.Thread(target=self._pump, args=(far, near), daemon=True)
        back.start()
        self._pump(near, far)
        back.join()
        with self._lock:
            self._open -= {near, far}
        near.close()
        far.close()

    @staticmethod
    def _pump(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(65536):
                sink.sendall(piece)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
