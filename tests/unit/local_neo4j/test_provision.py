"""Installing from a lock: all of it, exactly it, or nothing that counts as installed."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j.lock import Artifact, Lock
from brainbridge.local_neo4j.provision import altered, is_installed, library, provision
from brainbridge.local_neo4j.repository import Repository, mirror_in, reason, repository

if TYPE_CHECKING:
    from tests.unit.local_neo4j.conftest import Mirror


class Recorder:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.done: list[tuple[int, int]] = []

    def say(self, line: str) -> None: ...

    def bytes_done(self, done: int, total: int) -> None:
        self.done.append((done, total))


def names_in(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def test_every_locked_jar_is_installed_and_nothing_else_is_left(mirror: Mirror, tmp_path: Path) -> None:
    """lib/ holds the jars, the folder above it the manifest and its lock; staging folders are gone."""
    lock = mirror.publish("one", "two", "three")
    heard = Recorder()

    lib = provision(lock, tmp_path, source=mirror.repository, progress=heard)

    assert lib == library(lock, tmp_path)
    assert names_in(lib) == {"one-1.0.jar", "two-1.0.jar", "three-1.0.jar"}
    assert names_in(lib.parent) == {"lib", "manifest.json", ".lock"}
    assert is_installed(lock, tmp_path)
    assert heard.done[-1] == (lock.total_bytes, lock.total_bytes)
    assert sorted(heard.done) == heard.done


def test_an_installed_version_asks_nobody(mirror: Mirror, tmp_path: Path) -> None:
    """With everything there, not a byte is fetched: an unreachable mirror does not matter."""
    lock = mirror.publish("one", "two")
    provision(lock, tmp_path, source=mirror.repository)

    provision(lock, tmp_path, source=Repository(mirror="http://127.0.0.1:1"))
    provision(lock, tmp_path, source=Repository(mirror="http://127.0.0.1:1"), thorough=True)

    assert altered(lock, tmp_path) == []


@pytest.mark.timeout(30)
def test_a_wrong_sha256_fails_closed(mirror: Mirror, tmp_path: Path) -> None:
    """One jar that differs from the lock ends the whole run, with no manifest, and does not hang on the others."""
    lock = mirror.publish(*(f"jar{number}" for number in range(40)))
    mirror.jars["/org/example/jar0/1.0/jar0-1.0.jar"] = b"x" * lock.artifacts[0].size

    with pytest.raises(ServerFailed, match=r"org\.example:jar0:1\.0: its size or sha256 differs"):
        provision(lock, tmp_path, source=mirror.repository)

    assert not is_installed(lock, tmp_path)
    assert "jar0-1.0.jar" not in names_in(library(lock, tmp_path))
    assert names_in(library(lock, tmp_path).parent) == {"lib", ".lock"}


@pytest.mark.timeout(30)
def test_a_jar_that_nobody_has_is_named(mirror: Mirror, tmp_path: Path) -> None:
    """The line names the jar and what to set."""
    lock = mirror.publish("one")
    mirror.jars.clear()

    with pytest.raises(ServerFailed, match=r"cannot install org\.example:one:1\.0: .*BRAINBRIDGE_MAVEN_REPO"):
        provision(lock, tmp_path, source=mirror.repository)


def test_only_an_altered_jar_is_fetched_again(mirror: Mirror, tmp_path: Path) -> None:
    """A jar of another size is seen at once, one of the same size when everything is hashed; the rest stays."""
    lock = mirror.publish("one", "two")
    lib = provision(lock, tmp_path, source=mirror.repository)
    good = (lib / "one-1.0.jar").read_bytes()

    (lib / "one-1.0.jar").write_bytes(b"y" * len(good))
    assert is_installed(lock, tmp_path)
    assert altered(lock, tmp_path) == ["one-1.0.jar"]
    provision(lock, tmp_path, source=mirror.repository, thorough=True)
    assert (lib / "one-1.0.jar").read_bytes() == good

    (lib / "one-1.0.jar").write_bytes(b"short")
    assert not is_installed(lock, tmp_path)
    provision(lock, tmp_path, source=mirror.repository)
    assert (lib / "one-1.0.jar").read_bytes() == good
    assert (mirror.downloads("one"), mirror.downloads("two")) == (3, 1)


def test_a_foreign_file_in_lib_is_refused(mirror: Mirror, tmp_path: Path) -> None:
    """Whatever lies in lib/ is on the class path, so nothing unlocked may lie there, quick path or not."""
    lock = mirror.publish("one")
    lib = provision(lock, tmp_path, source=mirror.repository)
    (lib / "evil.jar").touch()

    for thorough in (False, True):
        with pytest.raises(ServerFailed, match=r"not part of this Neo4j: evil\.jar\. Remove it"):
            provision(lock, tmp_path, source=mirror.repository, thorough=thorough)
    with pytest.raises(ServerFailed, match=r"evil\.jar"):
        altered(lock, tmp_path)


def test_an_interrupted_run_is_resumed(mirror: Mirror, tmp_path: Path) -> None:
    """Jars that a failed run brought are kept, and what a killed one left in staging is swept away."""
    lock = mirror.publish("one", "two")
    withheld = mirror.jars.pop("/org/example/two/1.0/two-1.0.jar")
    (library(lock, tmp_path).parent / ".staging-dead").mkdir(parents=True)
    with pytest.raises(ServerFailed):
        provision(lock, tmp_path, source=mirror.repository)

    mirror.jars["/org/example/two/1.0/two-1.0.jar"] = withheld
    lib = provision(lock, tmp_path, source=mirror.repository)

    assert mirror.downloads("one") == 1
    assert names_in(lib.parent) == {"lib", "manifest.json", ".lock"}


def test_two_processes_at_once_install_once(mirror: Mirror, tmp_path: Path) -> None:
    """The second waits for the first and finds everything there."""
    lock = mirror.publish("one", "two", "three")
    program = (
        "import sys; from pathlib import Path\n"
        "from brainbridge.local_neo4j.lock import Artifact, Lock\n"
        "from brainbridge.local_neo4j.provision import provision\n"
        "from brainbridge.local_neo4j.repository import Repository\n"
        f"provision({lock!r}, Path({str(tmp_path)!r}), source=Repository({mirror.url!r}))\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]

    assert [process.wait(timeout=60) for process in both] == [0, 0]
    assert [mirror.downloads(name) for name in ("one", "two", "three")] == [1, 1, 1]
    assert altered(lock, tmp_path) == []


def test_a_local_maven_repository_serves_without_network(mirror: Mirror, tmp_path: Path) -> None:
    """Offline, jars come from ~/.m2; without them the failure is quick and clear."""
    lock = mirror.publish("one")
    local = tmp_path / "m2"
    jar = local / "org/example/one/1.0/one-1.0.jar"
    jar.parent.mkdir(parents=True)
    jar.write_bytes(mirror.jars["/org/example/one/1.0/one-1.0.jar"])

    provision(lock, tmp_path / "with", source=Repository(local=local, offline=True))
    began = time.monotonic()
    with pytest.raises(ServerFailed, match="offline"):
        provision(lock, tmp_path / "without", source=Repository(local=tmp_path / "empty", offline=True))

    assert altered(lock, tmp_path / "with") == []
    assert time.monotonic() - began < 5


def test_an_altered_copy_in_the_local_repository_does_not_block_the_download(mirror: Mirror, tmp_path: Path) -> None:
    """~/.m2 is nobody's to trust: its copy is checked, and left as it is."""
    lock = mirror.publish("one")
    jar = tmp_path / "m2/org/example/one/1.0/one-1.0.jar"
    jar.parent.mkdir(parents=True)
    jar.write_bytes(b"altered")

    provision(lock, tmp_path / "cache", source=Repository(mirror.url, local=tmp_path / "m2"))

    assert altered(lock, tmp_path / "cache") == []
    assert jar.read_bytes() == b"altered"


def test_an_unwritable_cache_is_one_clear_line(mirror: Mirror, tmp_path: Path) -> None:
    """A file where the folder should be stands for any operating-system refusal."""
    (tmp_path / "cache").touch()

    with pytest.raises(ServerFailed, match=r"cannot install Neo4j into .*BRAINBRIDGE_CACHE"):
        provision(mirror.publish("one"), tmp_path / "cache", source=mirror.repository)


def test_a_silent_mirror_ends_in_one_line(tmp_path: Path) -> None:
    """Nothing listens: four tries, then the jar's name."""
    with contextlib.closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: refuses connections
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        lock = Lock("2026.1.0", (21,), (Artifact("org.example:one:1.0", 1, "0" * 64),))

        with pytest.raises(ServerFailed, match=r"cannot install org\.example:one:1\.0: ConnectionError"):
            provision(lock, tmp_path, source=Repository(mirror=url, pause=0.01))


SETTINGS_XML = """<settings xmlns="urn:maven:settings"><mirrors>
<mirror><id>a</id><mirrorOf>other</mirrorOf><url>http://localhost/a</url></mirror>
<mirror><id>b</id><mirrorOf>*,!central</mirrorOf><url>http://localhost/b</url></mirror>
<mirror><id>c</id><mirrorOf>{covers}</mirrorOf><url>http://localhost/c</url></mirror>
</mirrors></settings>"""


@pytest.mark.parametrize(
    ("covers", "expected"),
    [("central", "http://localhost/c"), ("*", "http://localhost/c"), ("x, central", "http://localhost/c"), ("x", None)],
)
def test_the_mirror_of_maven_settings_is_used_if_it_covers_central(
    tmp_path: Path, covers: str, expected: str | None
) -> None:
    """As Maven itself would choose, for the one repository that we need."""
    path = tmp_path / "settings.xml"
    path.write_text(SETTINGS_XML.format(covers=covers))

    assert mirror_in(path) == expected


def test_damaged_maven_settings_are_named(tmp_path: Path) -> None:
    """The user hears which file to mend."""
    (tmp_path / "settings.xml").write_text("<settings>")

    with pytest.raises(ServerFailed, match=r"cannot read .*settings\.xml"):
        mirror_in(tmp_path / "settings.xml")


def test_the_environment_wins_over_maven_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BRAINBRIDGE_MAVEN_REPO first, then ~/.m2/settings.xml, then jgo's default."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert repository(environ={}) == Repository(None, None)

    (tmp_path / ".m2").mkdir()
    (tmp_path / ".m2" / "settings.xml").write_text(SETTINGS_XML.format(covers="central"))
    assert repository(environ={}).mirror == "http://localhost/c"
    assert repository(environ={"BRAINBRIDGE_MAVEN_REPO": "http://localhost/d"}).mirror == "http://localhost/d"


def test_a_mirrors_password_is_not_shown() -> None:
    """Errors of the network carry the whole address; ours do not."""
    shown = reason(RuntimeError("refused: https://me:secret@localhost/maven"))

    assert "secret" not in shown
    assert "localhost/maven" in shown
