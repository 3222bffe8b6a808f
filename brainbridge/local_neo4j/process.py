"""The server as an operating-system process: started as nobody's child, recognised, waited for, ended. By pid only."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from brainbridge.domain.errors import ServerFailed
from brainbridge.domain.extras import how_to_install
from brainbridge.local_neo4j.conf import HOME_ARGUMENT, HOST

# The shell ends at once, so the server belongs to init: it dies with no caller, leaves no zombie in a long-lived one,
# and holds none of its streams. `exec` makes $! the server's own pid.
_DETACH = 'output=$1; shift; exec "$@" </dev/null >"$output" 2>&1 & echo $!'

_POLL = 0.02  # seconds
_KILL_PATIENCE = 5.0  # seconds; a process that is killed is gone in milliseconds unless its disk hangs

# Bolt's magic number, then four proposals: 5.4 down to 5.0, 4.4, 3, none.
_HANDSHAKE = bytes.fromhex("6060b017 00040405 00000404 00000003 00000000")


def launch(command: Sequence[str], cwd: Path, output: Path) -> int:
    """Start `command` in a session of its own, without the caller's streams and secrets.

    Returns:
        its pid. Whether it runs is not known yet; `output` has what it says.
    """
    # A process that lives for weeks need not carry its starter's passwords.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("BRAINBRIDGE_", "NEO4J_"))}
    started = subprocess.run(
        ["/bin/sh", "-c", _DETACH, "sh", str(output), *command],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        umask=0o077,
        check=True,
    )
    return int(started.stdout)


def is_ours(pid: int, root: Path) -> bool:
    """Whether the living process `pid` is the server of this home.

    Its command line says so. A start time would do too, but it shifts when the machine's clock is set, and then a
    running server would look like a stranger.
    """
    psutil = require_psutil()
    try:
        process = psutil.Process(pid)
        return bool(process.status() != psutil.STATUS_ZOMBIE and f"{HOME_ARGUMENT}{root}" in process.cmdline())
    except psutil.Error:
        return False


def search(root: Path) -> int | None:
    """The pid of the server of this home, when it was not written down (30 ms)."""
    wanted = f"{HOME_ARGUMENT}{root}"
    for process in require_psutil().process_iter(["cmdline"]):
        if wanted in (process.info["cmdline"] or ()) and is_ours(process.pid, root):
            return int(process.pid)
    return None


def speaks_bolt(port: int, timeout: float = 2.0) -> bool:
    """Whether a Bolt handshake is answered: the moment at which Neo4j logs "Started."."""
    try:
        with socket.create_connection((HOST, port), timeout=timeout) as connection:
            connection.sendall(_HANDSHAKE)
            return len(connection.recv(4)) == 4
    except OSError:
        return False


def is_listening(pid: int, port: int) -> bool:
    """Whether it is this process that listens on `port`; True where the system does not tell."""
    psutil = require_psutil()
    try:
        connections = psutil.Process(pid).net_connections("tcp")
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True
    return any(each.laddr and each.laddr.port == port and each.status == psutil.CONN_LISTEN for each in connections)


def is_free(port: int) -> bool:
    """Whether a server could listen on `port`. Connections of an earlier one that fade out do not count."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    with socket.socket() as probe:  # BSD binds beside a listener on all addresses
        probe.settimeout(0.5)
        return probe.connect_ex((HOST, port)) != 0


def end(pid: int, root: Path, grace: float) -> None:
    """End the server: asked first, then killed, which costs no acknowledged write, only a recovery.

    Args:
        grace: seconds that a clean shutdown may take (0.2 to 0.8 are usual).
    """
    for request, patience in ((signal.SIGTERM, grace), (signal.SIGKILL, _KILL_PATIENCE)):
        if not is_ours(pid, root):
            return
        try:
            os.kill(pid, request)
        except ProcessLookupError:
            return
        except PermissionError as error:
            raise ServerFailed(f"the server with pid {pid} belongs to another user. Ask them to stop it.") from error
        # Not psutil's wait: it also waits for init to bury the process, which in some containers takes forever.
        deadline = time.monotonic() + patience
        while is_ours(pid, root) and time.monotonic() < deadline:
            time.sleep(_POLL)


def await_free(ports: Iterable[int]) -> bool:
    """Wait until a process that ended has let go of its ports; False if somebody still listens after some seconds.

    A JVM that is killed first loses its command line, then shows as a zombie, and only when its last thread is gone are
    ports and files free: on a loaded machine a start right after would find its own port taken.
    """
    deadline = time.monotonic() + _KILL_PATIENCE
    remaining = list(ports)
    while (remaining := [port for port in remaining if not is_free(port)]) and time.monotonic() < deadline:
        time.sleep(_POLL)
    return not remaining


def available_mebibytes() -> int:
    """Memory that can be had without swapping, in MiB."""
    return int(require_psutil().virtual_memory().available) // 2**20


def resources_of(pid: int) -> tuple[int, datetime] | None:
    """Resident memory in bytes and the start time, or None if the process is gone."""
    psutil = require_psutil()
    try:
        process = psutil.Process(pid)
        return int(process.memory_info().rss), datetime.fromtimestamp(process.create_time(), UTC)
    except psutil.Error:
        return None


def require_psutil() -> Any:
    """psutil, or one clear line if the extra `[local]` is not installed."""
    try:
        return import_module("psutil")
    except ImportError as error:
        raise ServerFailed(
            f"running Neo4j on this machine needs the extra [local]. Run: {how_to_install('local')}, "
            "or set BRAINBRIDGE_URI to a Neo4j that runs elsewhere."
        ) from error
