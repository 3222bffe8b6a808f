"""A Maven repository on loopback with tiny jars, and executables that pretend to be Java."""

import hashlib
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from brainbridge.local_neo4j.lock import Artifact, Lock
from brainbridge.local_neo4j.repository import Repository


@dataclass
class Mirror:
    """What the repository serves, by path, and which paths were asked for."""

    url: str
    jars: dict[str, bytes] = field(default_factory=dict)
    requested: list[str] = field(default_factory=list)

    def publish(self, *names: str) -> Lock:
        """Serve one small jar per name, and return the lock that lists them."""
        artifacts = []
        for name in names:
            content = f"jar of {name}".encode() * 50
            self.jars[f"/org/example/{name}/1.0/{name}-1.0.jar"] = content
            artifacts.append(Artifact(f"org.example:{name}:1.0", len(content), hashlib.sha256(content).hexdigest()))
        return Lock("2026.1.0", (21, 25), tuple(artifacts))

    def downloads(self, name: str) -> int:
        return self.requested.count(f"/org/example/{name}/1.0/{name}-1.0.jar")

    @property
    def repository(self) -> Repository:
        return Repository(mirror=self.url, pause=0.01)


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    served: Mirror

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.requested.append(self.path)
            content = served.jars.get(self.path)
            self.send_response(200 if content is not None else 404)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write(content or b"")

        def log_message(self, format: str, *args: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        served = Mirror(f"http://127.0.0.1:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield served
        server.shutdown()
        thread.join()


JdkMaker = Callable[..., Path]


@pytest.fixture
def make_jdk(tmp_path: Path) -> JdkMaker:
    """Make a folder like a JDK's, whose java states `version` and otherwise runs `body` (Python; `args` is argv)."""

    def make(name: str, version: str, body: str = "") -> Path:
        java = tmp_path / name / "bin" / "java"
        java.parent.mkdir(parents=True)
        java.write_text(
            f"#!{sys.executable}\nimport sys\nargs = sys.argv[1:]\n"
            f"if args == ['-version']:\n    print('openjdk version \"{version}\" 2025-01-01', file=sys.stderr)\n"
            f"    sys.exit(0)\n{body}\n"
        )
        java.chmod(0o755)
        return tmp_path / name

    return make


@pytest.fixture
def unpacked_neo4j(tmp_path: Path) -> Path:
    """A folder like an unpacked distribution, with nothing in its jar but the name of its entry class."""
    lib = tmp_path / "unpacked" / "lib"
    lib.mkdir(parents=True)
    with zipfile.ZipFile(lib / "neo4j-2026.08.1.jar", "w") as jar:
        jar.writestr("META-INF/services/org.neo4j.server.startup.EntryPoint", "# licence\norg.neo4j.server.Fake\n")
    (lib / "neo4j-kernel-2026.08.1.jar").touch()
    return lib.parent
