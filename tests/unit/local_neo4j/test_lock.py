"""The locks that are shipped, and what a lock must not be."""

import re
from importlib import resources

import pytest

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j.lock import Artifact, java_for, load_lock, locked_versions, parse_lock, version_key

SHA256 = "0" * 64


@pytest.mark.parametrize("version", locked_versions())
def test_a_shipped_lock_lists_a_whole_server_without_test_libraries(version: str) -> None:
    """Each lock has the server, its Browser, and over 200 jars, none of them a test library, none twice."""
    lock = load_lock(version)
    names = {":".join(artifact.coordinates[:2]) for artifact in lock.artifacts}

    assert lock.version == version
    assert {"org.neo4j:neo4j", "org.neo4j.app:neo4j-server", "org.neo4j.client:neo4j-browser"} <= names
    assert len({artifact.file_name for artifact in lock.artifacts}) == len(lock.artifacts) > 200
    assert not [name for name in names if re.match(r"(junit|org\.junit|org\.mockito|org\.assertj)", name)]


@pytest.mark.parametrize("version", locked_versions())
def test_a_shipped_lock_names_no_address(version: str) -> None:
    """Where jars come from is not decided by a lock."""
    text = (resources.files("brainbridge.local_neo4j") / "locks" / f"neo4j-{version}.json").read_text()

    assert "://" not in text


def test_the_newest_lock_is_the_default_and_versions_compare_by_age() -> None:
    """5.26 is older than 2026, whatever the strings say."""
    assert load_lock().version == locked_versions()[-1]
    assert version_key("5.26.30") < version_key("2026.08.1") < version_key("2026.11.0")


def test_an_unknown_version_is_refused_with_those_there_are() -> None:
    """The line names the version asked for and the ones to choose from."""
    with pytest.raises(ServerFailed, match=r"Neo4j 4\.4\.0 is not among .*5\.26\.30.*server\.version"):
        load_lock("4.4.0")


@pytest.mark.parametrize(
    ("gav", "size", "sha256"),
    [
        ("org.example:jar", 1, SHA256),
        ("org.example:../../evil:1.0", 1, SHA256),
        ("org.example:a/b:1.0", 1, SHA256),
        ("org.example:..:1.0", 1, SHA256),
        ("org.example:jar:1.0", 0, SHA256),
        ("org.example:jar:1.0", 1, "abc"),
    ],
)
def test_an_artifact_that_could_escape_or_cannot_be_checked_is_refused(gav: str, size: int, sha256: str) -> None:
    """Coordinates become file names, and a jar without a whole sha256 proves nothing."""
    with pytest.raises(ValueError, match="not a locked artifact"):
        Artifact(gav, size, sha256)


@pytest.mark.parametrize(
    "document",
    [
        {"schema": 2, "version": "1.0", "java": [21], "artifacts": []},
        {"schema": 1, "version": "1.0", "artifacts": []},
        {"schema": 1, "version": "1.0", "java": [21], "artifacts": [{"gav": "a:b:1"}]},
        {"schema": 1, "version": "1.0", "java": [21], "artifacts": [{"gav": "a:b:1", "size": 1, "sha256": SHA256}] * 2},
    ],
)
def test_a_damaged_lock_is_refused_in_one_line(document: dict[str, object]) -> None:
    """A lock of another schema, with fields missing or a jar twice, never becomes a Lock."""
    with pytest.raises(ServerFailed, match="the lock file is damaged"):
        parse_lock(document)


@pytest.mark.parametrize(
    ("version", "java"), [("5.26.0", (17, 21)), ("5.27.0", (17, 21)), ("2026.01.0", (21, 25)), ("2027.01.0", (21, 25))]
)
def test_any_neo4j_gets_the_java_of_its_generation(version: str, java: tuple[int, ...]) -> None:
    """A distribution without a lock needs the Java of the nearest lock that is not newer."""
    assert java_for(version) == java
