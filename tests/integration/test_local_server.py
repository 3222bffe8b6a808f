"""The managed Neo4j for real: installed from its lock, started, crashed, healed, stopped.

Jars come from the user's cache and are fetched there once; everything else is in temporary folders on free ports.
"""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import neo4j
import psutil
import pytest

from brainbridge.domain.errors import AuthenticationFailed, ServerFailed
from brainbridge.local_neo4j.distribution import distribution
from brainbridge.local_neo4j.lock import load_lock, locked_versions, version_key
from brainbridge.local_neo4j.server import Endpoint, LocalServer
from brainbridge.settings import ServerSettings, Settings

pytestmark = pytest.mark.server

LTS = locked_versions()[0]
START_LIMIT = 120.0  # seconds; 8 are usual, 40 were seen on a machine busy with other suites

CALLER = """
import json, sys, time
from pathlib import Path
from brainbridge.local_neo4j.server import LocalServer
from brainbridge.settings import ServerSettings, Settings
home, server = Path(sys.argv[1]), ServerSettings.model_validate_json(sys.argv[2])
endpoint = LocalServer(Settings(home=home, server=server)).start()
print(json.dumps([endpoint.uri, endpoint.password]), flush=True)
time.sleep(600)
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def settings_for(home: Path, **server: Any) -> Settings:
    small = {"heap": "256m", "page_cache": "64m", "profile": "tests", "start_timeout": START_LIMIT}
    ports = {"bolt_port": free_port(), "http_port": free_port()}
    return Settings(home=home, server=ServerSettings.model_validate({**small, **ports, **server}))


def query(endpoint: Endpoint, statement: str, **parameters: Any) -> list[neo4j.Record]:
    auth = (endpoint.username, endpoint.password)
    with neo4j.GraphDatabase.driver(endpoint.uri, auth=auth, telemetry_disabled=True) as driver:
        return driver.execute_query(statement, parameters, database_="neo4j").records


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@dataclass
class Callers:
    """Two processes that called start() at the same moment on a fresh home, and were then killed with their groups."""

    answers: list[list[str]]
    seconds: float
    groups_alive: bool


@dataclass
class Managed:
    settings: Settings
    callers: Callers

    @property
    def server(self) -> LocalServer:
        return LocalServer(self.settings)


@pytest.fixture(scope="module", autouse=True)
def installed_jars() -> None:
    """The jars of both versions, so that no start is timed with a download in it."""
    for version in (None, LTS):
        LocalServer(Settings(server=ServerSettings(version=version))).provision()


def test_installed_jars_stand_a_thorough_check() -> None:
    """Every jar in the cache is hashed and is what the lock says."""
    assert LocalServer(Settings()).provision(check=True).name == "lib"


@pytest.fixture(scope="module")
def managed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Managed]:
    settings = settings_for(tmp_path_factory.mktemp("managed"))
    try:
        yield Managed(settings, start_twice_and_kill_the_starters(settings))
    finally:
        LocalServer(settings).stop()


def start_twice_and_kill_the_starters(settings: Settings) -> Callers:
    command = [sys.executable, "-c", CALLER, str(settings.home), settings.server.model_dump_json()]
    began = time.monotonic()
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) for _ in range(2)]
    try:
        answers = [json.loads(caller.stdout.readline()) for caller in both if caller.stdout]
        seconds = time.monotonic() - began
    finally:
        for caller in both:
            os.killpg(caller.pid, signal.SIGKILL)
            caller.communicate()
    return Callers(answers, seconds, any(psutil.pid_exists(caller.pid) for caller in both))


def test_two_starts_at_once_give_one_server(managed: Managed) -> None:
    """Both callers got the same address and password, in the time of one start."""
    first, second = managed.callers.answers

    assert first == second
    assert first[0] == f"bolt://127.0.0.1:{managed.settings.server.bolt_port}"
    assert managed.callers.seconds < START_LIMIT
    servers = [
        p for p in psutil.process_iter(["cmdline"]) if f"--home-dir={managed.server.path}" in (p.info["cmdline"] or ())
    ]
    assert len(servers) == 1


def test_the_server_survives_the_kill_of_its_starters_group(managed: Managed) -> None:
    """SIGKILL to the whole process group of both starters did not reach it."""
    assert not managed.callers.groups_alive
    assert query(managed.server.endpoint(), "RETURN 1 AS one")[0]["one"] == 1


def test_a_second_start_is_instant_and_changes_nothing(managed: Managed) -> None:
    """Same process, same endpoint, well under a second."""
    before = managed.server.status()

    began = time.monotonic()
    endpoint = managed.server.start()

    assert time.monotonic() - began < 1
    assert endpoint == managed.server.endpoint()
    assert managed.server.status().pid == before.pid


def test_the_status_tells_what_runs(managed: Managed) -> None:
    """Version, addresses, process and memory; under 600 MB with the small profile."""
    status = managed.server.status()

    assert (status.running, status.answers, status.path) == (True, True, managed.settings.home / "neo4j")
    assert status.version == load_lock().version
    assert status.resident_bytes is not None
    assert 100e6 < status.resident_bytes < 600e6
    assert any("Started." in line for line in managed.server.logs(30))
    assert managed.server.logs(0) == []


def test_password_and_store_are_the_owners_alone(managed: Managed) -> None:
    """The password file is 0600, the home 0700, and the password is long, random and not shown by repr."""
    endpoint = managed.server.endpoint()

    assert mode_of(managed.server.path / "password") == 0o600
    assert mode_of(managed.server.path) == 0o700
    assert len(endpoint.password) >= 24
    assert endpoint.password not in repr(endpoint)
    assert endpoint.password not in " ".join(psutil.Process(managed.server.status().pid).cmdline())


def test_neo4j_browser_is_served(managed: Managed) -> None:
    """The server itself answers 200 with a page at /browser/; HTTP comes up about a second after Bolt."""
    url = f"{managed.server.endpoint().http_url}/browser/"
    deadline = time.monotonic() + 20
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                break
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.1)

    assert answer.status == 200


def test_nothing_listens_beyond_loopback(managed: Managed) -> None:
    """Every listening socket of the server is on 127.0.0.1."""
    process = psutil.Process(managed.server.status().pid)
    listening = [each.laddr for each in process.net_connections("tcp") if each.status == psutil.CONN_LISTEN]

    assert {address.port for address in listening} == {
        managed.settings.server.bolt_port,
        managed.settings.server.http_port,
    }
    assert {address.ip.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}


def test_statements_are_of_cypher_25_and_load_no_file_or_address(managed: Managed) -> None:
    """The default language is set; LOAD CSV is refused for files and for every address, our own included."""
    endpoint = managed.server.endpoint()

    assert query(endpoint, "SHOW DATABASES YIELD name, defaultLanguage")[0]["defaultLanguage"] == "CYPHER 25"
    for source in ("file:///etc/passwd", endpoint.http_url):
        with pytest.raises(neo4j.exceptions.Neo4jError):
            query(endpoint, f"LOAD CSV FROM '{source}' AS line RETURN line")


def test_a_server_on_the_same_ports_is_refused_quickly(managed: Managed, tmp_path: Path) -> None:
    """Another home with these ports learns which setting to change, before any Java starts."""
    same = settings_for(tmp_path, bolt_port=managed.settings.server.bolt_port)

    began = time.monotonic()
    with pytest.raises(ServerFailed, match=r"port \d+ is taken .*server\.bolt_port"):
        LocalServer(same).start()

    assert time.monotonic() - began < 3


def test_kill_9_loses_no_acknowledged_write(managed: Managed) -> None:
    """Killed while writing, started again: everything that was acknowledged is there, with the same password."""
    endpoint = managed.server.start()
    pid = managed.server.status().pid
    assert pid is not None
    acknowledged: list[int] = []

    def write() -> None:
        auth = (endpoint.username, endpoint.password)
        with neo4j.GraphDatabase.driver(endpoint.uri, auth=auth) as driver, driver.session(database="neo4j") as session:
            try:
                for number in range(100_000):
                    session.run("CREATE (:Kept {number: $number})", number=number).consume()
                    acknowledged.append(number)
            except (neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError):
                return  # the server was killed

    writer = threading.Thread(target=write)
    writer.start()
    deadline = time.monotonic() + 30
    while len(acknowledged) < 100 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    writer.join(30)
    while managed.server.status().running and time.monotonic() < deadline:
        time.sleep(0.01)

    healed = managed.server.start()
    kept = {record["number"] for record in query(healed, "MATCH (k:Kept) RETURN k.number AS number")}

    assert len(acknowledged) >= 100
    assert set(acknowledged) <= kept
    assert healed == endpoint
    assert managed.server.status().pid != pid


def test_a_wrong_stored_password_is_said_and_mended_by_hand(managed: Managed) -> None:
    """One clear line that names the file, no lock-out by repeated tries, and the right password heals it."""
    endpoint = managed.server.start()
    assert managed.server.stop()
    assert not managed.server.status().running
    file = managed.server.path / "password"
    file.write_text("not-the-password\n")

    with pytest.raises(AuthenticationFailed) as failure:
        managed.server.start()
    with pytest.raises(ServerFailed, match="is still starting"):
        managed.server.endpoint()
    file.write_text(endpoint.password + "\n")

    assert str(file) in str(failure.value)
    assert "\n" not in str(failure.value)
    assert managed.server.start() == endpoint


def test_stop_removes_the_process_and_frees_the_ports(managed: Managed) -> None:
    """After stop() nothing runs, nothing listens, and a second stop says that there was nothing."""
    managed.server.start()
    pid = managed.server.status().pid
    assert pid is not None

    began = time.monotonic()
    assert managed.server.stop()

    assert time.monotonic() - began < 10  # 10.4 with Neo4j's own quiet periods
    assert not managed.server.status().running
    assert not (managed.server.path / "server.json").exists()
    assert not managed.server.stop()
    for port in (managed.settings.server.bolt_port, managed.settings.server.http_port):
        socket.create_server(("127.0.0.1", port)).close()


def test_an_unpacked_distribution_goes_through_the_same_door(managed: Managed, tmp_path: Path) -> None:
    """BRAINBRIDGE_NEO4J_HOME: its jars, our configuration, store and password; its own folder is not written to."""
    (tmp_path / "lib").symlink_to(distribution(managed.settings).lib)
    own = LocalServer(managed.settings.model_copy(update={"neo4j_home": tmp_path}))
    managed.server.stop()

    endpoint = own.start()

    assert query(endpoint, "MATCH (k:Kept) RETURN count(*) > 0 AS kept")[0]["kept"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["lib"]


def lts_java() -> Path | None:
    """A JDK that runs the LTS: named by BRAINBRIDGE_TEST_JAVA_HOME_LTS, or where Linux distributions put one."""
    named = os.environ.get("BRAINBRIDGE_TEST_JAVA_HOME_LTS")
    wanted = load_lock(LTS).java
    places = [Path(named)] if named else [p for major in wanted for p in Path("/usr/lib/jvm").glob(f"*-{major}-*")]
    return next((place for place in places if (place / "bin" / "java").is_file()), None)


@pytest.mark.skipif(lts_java() is None, reason="no JDK 17 or 21 for Neo4j 5.26 here")
def test_the_lts_runs_recovers_its_password_and_is_left_for_the_newest_only(tmp_path: Path) -> None:
    """A start that crashed before the password was set is finished; the store then goes to the newest, not back."""
    lts = settings_for(tmp_path, version=LTS, java_home=lts_java())
    newest = lts.model_copy(update={"server": lts.server.model_copy(update={"version": None, "java_home": None})})
    file = tmp_path / "neo4j" / "password"
    file.parent.mkdir()
    file.write_text("written-before-the-crash\n")
    file.chmod(0o644)
    try:
        endpoint = LocalServer(lts).start()
        query(endpoint, "CREATE (:Kept)")
        old_version = LocalServer(lts).status().version
        LocalServer(lts).stop()

        upgraded = LocalServer(newest).start()
        kept = query(upgraded, "MATCH (k:Kept) RETURN count(*) AS kept")[0]["kept"]
        LocalServer(newest).stop()

        with pytest.raises(ServerFailed, match=f"opened by Neo4j .*, and {LTS} is older"):
            LocalServer(lts).start()
    finally:
        LocalServer(newest).stop()

    assert version_key(old_version or "") < version_key(load_lock().version)
    assert endpoint.password == "written-before-the-crash"
    assert replace(upgraded, password=endpoint.password) == endpoint
    assert (upgraded.password, mode_of(file), kept) == (endpoint.password, 0o600, 1)
