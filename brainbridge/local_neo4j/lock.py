"""The exact jars of each Neo4j version that brainbridge can install: coordinates, sizes, sha256.

A lock is made once, at release time, by `tools/make_lock.py`; nothing is resolved on a user's machine. Locks hold no
address: where the jars are fetched from is decided in `repository.py`.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from brainbridge.domain.errors import ServerFailed

SCHEMA = 1
_GAV = re.compile(r"[\w.-]+(:[\w.-]+){2,3}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Artifact:
    """One jar: its Maven coordinates (`group:artifact:version[:classifier]`), size in bytes, sha256 in hex."""

    gav: str
    size: int
    sha256: str

    def __post_init__(self) -> None:
        # The coordinates become a file name: a ".." or a slash in a forged lock must not leave lib/.
        if not _GAV.fullmatch(self.gav) or ".." in self.gav or not _SHA256.fullmatch(self.sha256) or self.size <= 0:
            raise ValueError(f"not a locked artifact: {self}")

    @property
    def coordinates(self) -> tuple[str, str, str, str]:
        """Group, artifact, version, classifier ("" when there is none)."""
        group, artifact, version, *classifier = self.gav.split(":")
        return group, artifact, version, classifier[0] if classifier else ""

    @property
    def file_name(self) -> str:
        """The jar's name in a Maven repository and in lib/."""
        _, artifact, version, classifier = self.coordinates
        return f"{artifact}-{version}{'-' + classifier if classifier else ''}.jar"


@dataclass(frozen=True, slots=True)
class Lock:
    """All jars of one Neo4j version, and the Java major versions that run it."""

    version: str
    java: tuple[int, ...]
    artifacts: tuple[Artifact, ...]

    @property
    def total_bytes(self) -> int:
        return sum(artifact.size for artifact in self.artifacts)


def parse_lock(document: Mapping[str, Any]) -> Lock:
    """Read a lock document.

    Raises:
        ServerFailed: it is of another schema, incomplete or names two jars alike.
    """
    try:
        if document["schema"] != SCHEMA:
            raise ValueError(f"schema {document['schema']}, this brainbridge reads {SCHEMA}")
        artifacts = tuple(Artifact(a["gav"], a["size"], a["sha256"]) for a in document["artifacts"])
        if len({artifact.file_name for artifact in artifacts}) != len(artifacts):
            raise ValueError("two jars of one name")
        return Lock(document["version"], tuple(document["java"]), artifacts)
    except (KeyError, TypeError, ValueError) as error:
        raise ServerFailed(f"the lock file is damaged: {error}. Reinstall brainbridge.") from error


def version_key(version: str) -> tuple[int, ...]:
    """`2026.08.1` as (2026, 8, 1), so that versions compare by age: 5.26.30 < 2026.08.1."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def locked_versions() -> list[str]:
    """The versions that can be installed, oldest first."""
    names = (entry.name for entry in _folder().iterdir())
    versions = [name.removeprefix("neo4j-").removesuffix(".json") for name in names if name.endswith(".json")]
    return sorted(versions, key=version_key)


def load_lock(version: str | None = None) -> Lock:
    """The lock of `version`, or of the newest.

    Raises:
        ServerFailed: no lock of that version comes with this brainbridge.
    """
    versions = locked_versions()
    chosen = version or versions[-1]
    if chosen not in versions:
        raise ServerFailed(
            f"Neo4j {chosen} is not among the versions this brainbridge installs ({', '.join(versions)}). "
            "Change server.version, or unpack that Neo4j and point BRAINBRIDGE_NEO4J_HOME to it."
        )
    return parse_lock(json.loads((_folder() / f"neo4j-{chosen}.json").read_text(encoding="utf-8")))


def java_for(version: str) -> tuple[int, ...]:
    """The Java major versions for any Neo4j: those of the newest lock that is not newer, else of the oldest lock."""
    versions = locked_versions()
    older = [known for known in versions if version_key(known)[0] <= version_key(version)[0]]
    return load_lock(older[-1] if older else versions[0]).java


def _folder() -> Traversable:
    return resources.files("brainbridge.local_neo4j") / "locks"
