"""One Neo4j to run: its version, where its jars are, its entry class, the Java it needs.

Ours comes from a lock; a user's own comes from `BRAINBRIDGE_NEO4J_HOME`. Both go through the same door from here on.
"""

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j.lock import Lock, java_for, load_lock
from brainbridge.local_neo4j.provision import library
from brainbridge.settings import Settings

_JAR = re.compile(r"neo4j-(\d+(?:\.\d+)+)\.jar")
_ENTRY_POINTS = "META-INF/services/org.neo4j.server.startup.EntryPoint"


@dataclass(frozen=True, slots=True)
class Distribution:
    """A Neo4j Community server as jars in one folder.

    Args:
        version: of Neo4j.
        java: accepted major versions.
        lib: the folder of jars; it may not be there yet when there is a lock.
        lock: what to install into `lib`, or None for a distribution that somebody unpacked.
    """

    version: str
    java: tuple[int, ...]
    lib: Path
    lock: Lock | None = None

    def main_class(self) -> str:
        """The class that starts the server: it moved between 5.26 and 2026.x, so it is read from the jar.

        Raises:
            ServerFailed: the jar is damaged, or names none.
        """
        jar = self.lib / f"neo4j-{self.version}.jar"
        try:
            with zipfile.ZipFile(jar) as archive:
                lines = archive.read(_ENTRY_POINTS).decode().splitlines()
        except (OSError, KeyError, zipfile.BadZipFile) as error:
            raise ServerFailed(f"{jar} is not a Neo4j server: {error}. Install it anew.") from error
        names = [name for line in lines if (name := line.partition("#")[0].strip())]
        if not names:
            raise ServerFailed(f"{jar} names no class that starts the server. Install it anew.")
        return names[-1]


def distribution(settings: Settings) -> Distribution:
    """The distribution that the settings choose. Nothing is downloaded here.

    Raises:
        ServerFailed: the chosen folder holds no Neo4j, or the chosen version has no lock.
    """
    if settings.neo4j_home is not None:
        return unpacked(settings.neo4j_home.expanduser().absolute())
    lock = load_lock(settings.server.version)
    return Distribution(lock.version, lock.java, library(lock, cache_of(settings)), lock)


def cache_of(settings: Settings) -> Path:
    """The cache folder in full: the server has its own working directory, and a relative path would miss there."""
    return settings.cache.expanduser().absolute()


def unpacked(home: Path) -> Distribution:
    """The distribution in a folder that somebody unpacked; its version is that of its neo4j-<version>.jar."""
    lib = home / "lib"
    found = [match[1] for path in lib.glob("neo4j-*.jar") if (match := _JAR.fullmatch(path.name))]
    if len(found) != 1:
        what = f"{len(found)} of them" if found else "none"
        raise ServerFailed(
            f"BRAINBRIDGE_NEO4J_HOME is {home}, which should hold one lib/neo4j-<version>.jar and has {what}. "
            "Point it to an unpacked Neo4j 5.26 or 2026.x, or remove it to use the one brainbridge installs."
        )
    return Distribution(found[0], java_for(found[0]), lib)
