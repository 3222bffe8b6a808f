"""The managed local Neo4j: a real server of this user's own, on loopback, that outlives who starts it."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j import process
from brainbridge.local_neo4j.conf import HOST, ServerConf, java_command, neo4j_conf, refused_settings
from brainbridge.local_neo4j.credentials import USER, read_password, settle_password
from brainbridge.local_neo4j.diagnosis import refuse_missing_memory, refuse_taken_ports, size_of, tail, why_it_died
from brainbridge.local_neo4j.distribution import Distribution, cache_of, distribution
from brainbridge.local_neo4j.java import Java, find_java
from brainbridge.local_neo4j.progress import Progress, Silent
from brainbridge.local_neo4j.provision import altered, provision
from brainbridge.local_neo4j.state import ServerFiles, State, read_state, refuse_downgrade, write_private, write_state
from brainbridge.settings import Settings

STOP_GRACE = 60.0  # seconds for a clean shutdown; a large page cache is written out first
_POLL = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How to reach a running server."""

    uri: str
    username: str
    password: str = field(repr=False)
    http_url: str  # Neo4j Browser is at <http_url>/browser/


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What `brainbridge server status` shows; None where the server does not run."""

    running: bool
    answers: bool
    path: Path
    pid: int | None = None
    version: str | None = None
    uri: str | None = None
    http_url: str | None = None
    started: datetime | None = None
    resident_bytes: int | None = None


class LocalServer:
    """One server per `settings.home`. Safe to use from several processes at once; holds nothing open between calls.

    Args:
        settings: home, cache, neo4j_home and the section `server`.
        progress: hears what a long start is doing.
    """

    def __init__(self, settings: Settings, progress: Progress | None = None) -> None:
        self._settings = settings
        self._cache = cache_of(settings)
        self._progress = progress or Silent()
        self._files = ServerFiles((settings.home / "neo4j").expanduser().absolute())

    @property
    def path(self) -> Path:
        """The server's home: store, logs, configuration, password."""
        return self._files.root

    def provision(self, *, offline: bool = False, check: bool = False) -> Path:
        """Install the jars of the chosen Neo4j, where they are not installed yet.

        Args:
            offline: take them from the local Maven repository only.
            check: install nothing, hash everything that is there.

        Returns:
            the folder of jars.

        Raises:
            ServerFailed: they cannot be had; with `check`, some are missing or altered.
        """
        chosen = distribution(self._settings)
        if chosen.lock is None:
            return chosen.lib
        if not check:
            return provision(chosen.lock, self._cache, progress=self._progress, offline=offline, thorough=True)
        if wrong := altered(chosen.lock, self._cache):
            raise ServerFailed(
                f"{len(wrong)} of {len(chosen.lock.artifacts)} jars in {chosen.lib} are missing or altered, {wrong[0]} "
                "for one. Run: brainbridge server provision"
            )
        return chosen.lib

    def start(self) -> Endpoint:
        """Have the server running, and say how to reach it. At once if it runs already.

        It heals what a crash left: a stale state file, a server whose starter died half-way, a password not yet set;
        Neo4j recovers its store by itself.

        Raises:
            ServerFailed: it cannot be installed or started; one line says why and what to do.
            AuthenticationFailed: the stored password is not the server's.
        """
        state = self._running()
        if state is not None and state.ready and process.speaks_bolt(state.bolt_port):
            return self._endpoint(state)
        if os.name != "posix":
            raise ServerFailed("the managed Neo4j runs on Linux and macOS. Set BRAINBRIDGE_URI to a Neo4j of yours.")
        self._files.prepare()
        with self._sole_starter():
            began = time.monotonic()
            state = self._running()  # another starter may have been quicker
            if state is None or not self._becomes_ready(state):
                state = self._launch_until_ready()
                self._progress.say(f"Neo4j {state.version} is up ({time.monotonic() - began:.1f} s).")
            if not state.ready:
                settle_password(_uri(state), self._files.password)
                write_private(self._files.store_version, state.version + "\n")
                state = replace(state, ready=True)
                write_state(self._files, state)
            return self._endpoint(state)

    def endpoint(self) -> Endpoint:
        """How to reach the server if it runs and took its password. Starts nothing, waits for nothing.

        Raises:
            ServerFailed: it does not run, or is not ready yet.
        """
        state = self._running()
        if state is None or not state.ready:
            found = "is not running" if state is None else "is still starting"
            raise ServerFailed(f"the managed Neo4j in {self.path} {found}. Run: brainbridge server start")
        return self._endpoint(state)

    def stop(self) -> bool:
        """End the server and return once it is gone; False if none was running.

        Raises:
            ServerFailed: it belongs to another user.
        """
        if not self._files.root.is_dir():
            return False
        with self._sole_starter():
            state = self._running()
            pid = state.pid if state else process.search(self._files.root)
            if pid is not None:
                process.end(pid, self._files.root, STOP_GRACE)
            if state is not None:
                process.await_free((state.bolt_port, state.http_port))
            self._files.state.unlink(missing_ok=True)
            return pid is not None

    def status(self) -> ServerStatus:
        """Whether it runs and answers, without waiting for it."""
        state = self._running()
        resources = process.resources_of(state.pid) if state else None
        if state is None or resources is None:
            return ServerStatus(running=False, answers=False, path=self.path)
        return ServerStatus(
            running=True,
            answers=process.speaks_bolt(state.bolt_port),
            path=self.path,
            pid=state.pid,
            version=state.version,
            uri=_uri(state),
            http_url=_http_url(state),
            started=resources[1],
            resident_bytes=resources[0],
        )

    def logs(self, lines: int = 50) -> list[str]:
        """The last `lines` of Neo4j's log, or of what the JVM printed if it never got to log."""
        text = tail(self._files.log) or tail(self._files.output)
        return text.splitlines()[-lines:] if lines > 0 else []

    def _running(self) -> State | None:
        state = read_state(self._files)
        return state if state and process.is_ours(state.pid, self._files.root) else None

    def _endpoint(self, state: State) -> Endpoint:
        password = read_password(self._files.password)
        if password is None:
            raise ServerFailed(
                f"the server runs, but {self._files.password} is gone. Write its password there; without it the store "
                "cannot be opened."
            )
        return Endpoint(_uri(state), USER, password, _http_url(state))

    @contextmanager
    def _sole_starter(self) -> Iterator[None]:
        """Hold the server's lock, which the system drops when its holder dies."""
        from filelock import FileLock, Timeout

        patience = self._settings.server.start_timeout + STOP_GRACE
        lock = FileLock(self._files.lock)
        try:
            lock.acquire(timeout=patience)
        except Timeout as error:
            raise ServerFailed(
                f"another process has been starting or stopping the server in {self.path} for {patience:.0f} s. End it."
            ) from error
        except OSError as error:
            raise ServerFailed(f"cannot lock {self._files.lock}: {error.strerror}. Give yourself the right.") from error
        try:
            yield
        finally:
            lock.release()

    def _launch_until_ready(self) -> State:
        chosen = distribution(self._settings)
        conf = self._conf(chosen)
        refuse_downgrade(self._files, chosen.version)
        java = find_java(chosen.java, self._settings.server.java_home)
        if (orphan := process.search(self._files.root)) is not None:
            process.end(orphan, self._files.root, STOP_GRACE)  # its starter died before it wrote the state down
        if stale := read_state(self._files):  # it was killed, perhaps a moment ago
            process.await_free((stale.bolt_port, stale.http_port))
        refuse_taken_ports(conf)
        refuse_missing_memory(conf)
        if chosen.lock is not None:
            provision(chosen.lock, self._cache, progress=self._progress)
        self._progress.say(f"Starting Neo4j {chosen.version} on {_uri(conf)} …")
        refused: set[str] = set()
        while True:
            log_before = size_of(self._files.log)
            state = self._launch(chosen, java, conf, refused)
            if self._becomes_ready(state):
                return state
            self._files.state.unlink(missing_ok=True)
            unknown = refused_settings(tail(self._files.output), conf) - refused
            if not unknown:
                raise ServerFailed(why_it_died(self._files, conf, log_before))
            refused |= unknown

    def _launch(self, chosen: Distribution, java: Java, conf: ServerConf, refused: set[str]) -> State:
        write_private(self._files.conf, neo4j_conf(conf, without=refused))
        command = java_command(java, chosen.lib, chosen.main_class(), self._files.root, conf)
        pid = process.launch(command, self._files.root, self._files.output)
        state = State(pid, chosen.version, conf.bolt_port, conf.http_port)
        write_state(self._files, state)
        return state

    def _becomes_ready(self, state: State) -> bool:
        """Wait until the server answers; False if it ended instead.

        Raises:
            ServerFailed: it neither answers nor ends in time. It is left alone: a long recovery goes on.
        """
        deadline = time.monotonic() + self._settings.server.start_timeout
        while time.monotonic() < deadline:
            if not process.is_ours(state.pid, self._files.root):
                return False
            # That our process listens matters: the first password must not be offered to a stranger's server.
            if process.speaks_bolt(state.bolt_port) and process.is_listening(state.pid, state.bolt_port):
                return True
            time.sleep(_POLL)
        waited, last = self._settings.server.start_timeout, (self.logs(1) or ["nothing"])[0]
        raise ServerFailed(
            f"Neo4j does not answer on {_uri(state)} after {waited:g} s; it last said: {last!r}. "
            "It still runs: start again to wait on (server.start_timeout), or stop it (brainbridge server stop)."
        )

    def _conf(self, chosen: Distribution) -> ServerConf:
        server = self._settings.server
        return ServerConf(
            chosen.version, server.bolt_port, server.http_port, server.heap, server.page_cache, server.profile
        )


def _uri(ports: State | ServerConf) -> str:
    return f"bolt://{HOST}:{ports.bolt_port}"


def _http_url(state: State) -> str:
    return f"http://{HOST}:{state.http_port}"
