"""Which Neo4j is run: one from a lock, or one that somebody unpacked."""

from pathlib import Path

import pytest

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j.distribution import distribution, unpacked
from brainbridge.local_neo4j.lock import locked_versions
from brainbridge.local_neo4j.server import LocalServer
from brainbridge.settings import ServerSettings, Settings


def test_the_newest_lock_is_run_unless_a_version_is_set(tmp_path: Path) -> None:
    """Its jars are looked for in the cache; nothing is fetched to find out."""
    newest = distribution(Settings(cache=tmp_path))
    chosen = distribution(Settings(cache=tmp_path, server=ServerSettings(version="5.26.30")))

    assert (newest.version, newest.lib) == (locked_versions()[-1], tmp_path / f"neo4j-{newest.version}" / "lib")
    assert (chosen.version, chosen.java) == ("5.26.30", (17, 21))
    assert list(tmp_path.iterdir()) == []


def test_an_unpacked_distribution_is_recognised_by_its_jar(unpacked_neo4j: Path, tmp_path: Path) -> None:
    """Version and entry class come from neo4j-<version>.jar, not from its neighbours; there is nothing to install."""
    found = distribution(Settings(cache=tmp_path, neo4j_home=unpacked_neo4j))

    assert (found.version, found.java, found.lib, found.lock) == (
        "2026.08.1",
        (21, 25),
        unpacked_neo4j / "lib",
        None,
    )
    assert found.main_class() == "org.neo4j.server.Fake"


def test_relative_places_are_made_absolute(unpacked_neo4j: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server runs in its own working directory, where a relative path would lead elsewhere."""
    monkeypatch.chdir(unpacked_neo4j.parent)

    assert distribution(Settings(neo4j_home=Path("unpacked"))).lib == unpacked_neo4j / "lib"
    assert distribution(Settings(cache=Path("cache"))).lib.is_relative_to(unpacked_neo4j.parent / "cache")


def test_a_check_of_what_is_not_installed_fails_in_one_line(tmp_path: Path) -> None:
    """It fetches nothing, and names a jar, the number and the command."""
    with pytest.raises(ServerFailed, match=r"(\d+) of \1 jars in .* missing or altered.*brainbridge server provision"):
        LocalServer(Settings(home=tmp_path, cache=tmp_path)).provision(check=True)


def test_a_folder_without_one_neo4j_is_refused(tmp_path: Path, unpacked_neo4j: Path) -> None:
    """None, or two, and the line says which setting to mend."""
    with pytest.raises(ServerFailed, match=r"BRAINBRIDGE_NEO4J_HOME is .* and has none"):
        unpacked(tmp_path)
    (unpacked_neo4j / "lib" / "neo4j-5.26.0.jar").touch()
    with pytest.raises(ServerFailed, match="has 2 of them"):
        unpacked(unpacked_neo4j)


def test_a_damaged_server_jar_is_named(unpacked_neo4j: Path) -> None:
    """Neither a broken archive nor one without an entry point comes out as a traceback."""
    (unpacked_neo4j / "lib" / "neo4j-2026.08.1.jar").write_bytes(b"no zip")

    with pytest.raises(ServerFailed, match=r"neo4j-2026\.08\.1\.jar is not a Neo4j server"):
        unpacked(unpacked_neo4j).main_class()
