"""Starts that cannot work: each ends in one clear line, and leaves no process and no state behind.

The server is played by a script, so these cost no JVM; how the real one fails is in tests/integration.
"""

import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j import process
from brainbridge.local_neo4j.server import LocalServer
from brainbridge.settings import ServerSettings, Settings

JdkMaker = Callable[..., Path]
ServerMaker = Callable[..., LocalServer]

REFUSES_NEW_NAMES = """
import pathlib
home = next(a for a in args if a.startswith("--home-dir=")).split("=", 1)[1]
conf = pathlib.Path(home, "conf", "neo4j.conf").read_text()
for name in ("server.fleet_discovery.enabled", "internal.dbms.cypher_ip_blocklist"):
    if name in conf:
        sys.exit(f"Error loading config:\\nUnrecognized setting. No declared setting with name: {name}.")
sys.exit("nothing unknown any more")
"""


@pytest.fixture
def make_server(tmp_path: Path, unpacked_neo4j: Path) -> Iterator[ServerMaker]:
    """A LocalServer on free ports that would run `java_home`; stopped at the end."""
    made = []

    def make(**server: object) -> LocalServer:
        ports = {"bolt_port": free_port(), "http_port": free_port()}
        settings = Settings(
            home=tmp_path / "home",
            neo4j_home=unpacked_neo4j,
            server=ServerSettings.model_validate({**ports, "heap": "16m", "page_cache": "16m", **server}),
        )
        made.append(LocalServer(settings))
        return made[-1]

    yield make
    for server in made:
        server.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def failure_of(server: LocalServer) -> str:
    """The one line of a start that fails; nothing runs afterwards."""
    with pytest.raises(ServerFailed) as failure:
        server.start()
    line = str(failure.value)
    assert "\n" not in line
    assert not server.status().running
    assert process.search(server.path) is None
    return line


def test_a_taken_port_is_named_before_any_java_starts(make_server: ServerMaker, make_jdk: JdkMaker) -> None:
    """Which port, and which setting moves it."""
    jdk = make_jdk("jdk", "25", "raise SystemExit('started')")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        bolt = failure_of(make_server(java_home=jdk, bolt_port=port))
        http = failure_of(make_server(java_home=jdk, http_port=port))

    assert f"port {port} is taken" in bolt
    assert "server.bolt_port (BRAINBRIDGE_SERVER__BOLT_PORT)" in bolt
    assert "server.http_port" in http


def test_too_little_memory_is_said_in_numbers(make_server: ServerMaker, make_jdk: JdkMaker) -> None:
    """What it would take, what is free, what to lower."""
    line = failure_of(make_server(java_home=make_jdk("jdk", "25"), page_cache="64000g"))

    assert "would take 65536016 MiB" in line
    assert "MiB are free. Lower" in line


def test_a_wrong_java_is_named(make_server: ServerMaker, make_jdk: JdkMaker) -> None:
    """The version found and those accepted."""
    assert "is Java 17, and this Neo4j needs Java 21 or 25" in failure_of(make_server(java_home=make_jdk("jdk", "17")))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("print('\\tat org.Frame'); print('boom: the reason'); sys.exit(1)", "start: boom: the reason. All of it: /"),
        ("sys.exit(3)", "ended during its start: it said nothing. All of it: /"),
        ("sys.exit('Error: Could not reserve enough space for object heap')", "Java could not have the memory"),
        ("sys.exit('Invalid memory configuration - exceeds physical memory')", "Java could not have the memory"),
        ("sys.exit('Lock file has been locked by another process: store_lock')", "has the store in .* open"),
        ("sys.exit('The sub-graph is unsupported because it is a newer version')", "written by a newer Neo4j"),
        ("sys.exit('java.io.IOException: No space left on device')", "the disk of .* is full"),
    ],
)
def test_the_last_words_of_a_server_that_ends_are_read(
    make_server: ServerMaker, make_jdk: JdkMaker, body: str, expected: str
) -> None:
    """Known causes become a line with a way out; of others the meaningful last lines are shown."""
    line = failure_of(make_server(java_home=make_jdk("jdk", "25", body)))

    assert re.search(expected, line)
    assert "org.Frame" not in line


def test_a_port_lost_between_probe_and_bind_is_named(make_server: ServerMaker, make_jdk: JdkMaker) -> None:
    """Somebody may take it while the JVM boots; Neo4j says which."""
    server = make_server(java_home=make_jdk("jdk", "25", "sys.exit('PortBindException: /127.0.0.1:1')"))

    assert "server.http_port" in failure_of(server)


def test_complaints_of_an_earlier_start_are_not_repeated(make_server: ServerMaker, make_jdk: JdkMaker) -> None:
    """neo4j.log is appended to: only what this start added is evidence."""
    server = make_server(java_home=make_jdk("jdk", "25", "sys.exit('boom')"))
    (server.path / "logs").mkdir(parents=True)
    (server.path / "logs" / "neo4j.log").write_text("ERROR java.lang.OutOfMemoryError: yesterday\n")

    assert "boom" in failure_of(server)


def test_settings_that_a_version_refuses_are_left_out(make_server: ServerMaker, make_jdk: JdkMaker) -> None:
    """Optional ones only, until nothing unknown is left; then the start goes its own way."""
    server = make_server(java_home=make_jdk("jdk", "25", REFUSES_NEW_NAMES))

    line = failure_of(server)
    conf = (server.path / "conf" / "neo4j.conf").read_text()

    assert "nothing unknown any more" in line
    assert "fleet_discovery" not in conf
    assert "ip_blocklist" not in conf
    assert "server.http.x_forward.enabled=false" in conf


def test_a_silent_server_is_left_alone_and_can_be_stopped(make_server: ServerMaker, make_jdk: JdkMaker) -> None:
    """A long recovery looks like this: killing it would make it begin anew at every start."""
    server = make_server(java_home=make_jdk("jdk", "25", "import time; time.sleep(120)"), start_timeout=0.3)

    with pytest.raises(ServerFailed, match=r"does not answer on bolt://.* after 0\.3 s.*start again to wait on"):
        server.start()
    with pytest.raises(ServerFailed, match="is still starting"):
        server.endpoint()
    first = server.status()
    with pytest.raises(ServerFailed, match="does not answer"):
        server.start()

    assert (first.running, first.answers) == (True, False)
    assert server.status().pid == first.pid
    assert server.stop()
    assert not server.status().running


def test_an_orphan_without_a_state_file_is_ended_first(make_server: ServerMaker, make_jdk: JdkMaker) -> None:
    """A starter killed between starting and writing down leaves one; two servers on one store must never be."""
    silent = make_server(java_home=make_jdk("silent", "25", "import time; time.sleep(120)"), start_timeout=0.3)
    with pytest.raises(ServerFailed):
        silent.start()
    orphan = silent.status().pid
    assert orphan is not None
    (silent.path / "server.json").unlink()

    assert "boom" in failure_of(make_server(java_home=make_jdk("jdk", "25", "sys.exit('boom')")))
    assert not process.is_ours(orphan, silent.path)


def test_nothing_started_means_nothing_to_stop(make_server: ServerMaker) -> None:
    """Asking about a server that never was makes no folder and no lock."""
    server = make_server()

    assert not server.stop()
    assert not server.status().running
    assert server.logs() == []
    assert not server.path.exists()
    with pytest.raises(ServerFailed, match=r"is not running\. Run: brainbridge server start"):
        server.endpoint()
