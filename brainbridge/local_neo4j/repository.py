"""Where jars come from: the user's own Maven repository if it has them, else a mirror, else jgo's default.

No address is written here. jgo does the fetching, through its public API, and nothing else: its checks are not ours
(3.2.0 only warns on a wrong SHA-1, and trusts a file that a cut connection left behind), so every try gets an empty
folder and the caller compares size and sha256 with the lock.
"""

import os
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from brainbridge.domain.errors import ServerFailed
from brainbridge.domain.extras import how_to_install
from brainbridge.local_neo4j.lock import Artifact

MIRROR_ENV = "BRAINBRIDGE_MAVEN_REPO"
TIMEOUT = 60  # seconds without a byte


@dataclass(frozen=True, slots=True)
class Repository:
    """One place to fetch from.

    Args:
        mirror: address of a Maven repository, or None for jgo's default.
        local: a Maven repository on this machine, read and never written, or None.
        offline: use `local` only.
        pause: seconds before the second try of a jar, twice that before the third, and so on.
    """

    mirror: str | None = None
    local: Path | None = None
    offline: bool = False
    pause: float = 0.5

    def fetch(self, artifact: Artifact, into: Path, *, use_local: bool) -> Path:
        """Bring one jar, unchecked.

        Args:
            into: an empty folder of this try alone.
            use_local: whether the copy in `local` may serve; not after it proved wrong.

        Returns:
            the file, in `into` or in `local`: copy it before use.

        Raises:
            Exception: whatever jgo and the network raise; `reason` makes a line of it.
        """
        from jgo.maven import MavenContext

        group, name, version, classifier = artifact.coordinates
        context = MavenContext(
            repo_cache=into,
            local_repos=[self.local] if self.local and use_local else [],
            remote_repos={"central": self.mirror.rstrip("/")} if self.mirror else None,
            timeout=TIMEOUT,
            offline=self.offline,
        )
        return Path(context.project(group, name).at_version(version).artifact(classifier, "jar").resolve())


def repository(*, offline: bool = False, environ: Mapping[str, str] = os.environ) -> Repository:
    """The repository that this machine is set up for.

    The mirror is `BRAINBRIDGE_MAVEN_REPO`, else the one in `~/.m2/settings.xml` that covers "central" (jgo does not
    read that file). The local repository is `M2_REPO`, else `~/.m2/repository`.
    """
    require_jgo()
    maven = Path.home() / ".m2"
    mirror = environ.get(MIRROR_ENV) or mirror_in(maven / "settings.xml")
    local = Path(environ.get("M2_REPO") or maven / "repository").expanduser()
    return Repository(mirror, local if local.is_dir() else None, offline)


def mirror_in(settings_xml: Path) -> str | None:
    """The address of the first `<mirror>` that stands in for Maven's "central", if the file names one."""
    if not settings_xml.is_file():
        return None
    try:
        root = ElementTree.parse(settings_xml).getroot()  # noqa: S314 - the user's own file
    except (OSError, ElementTree.ParseError) as error:
        raise ServerFailed(f"cannot read {settings_xml}: {error}. Mend it, or set {MIRROR_ENV}.") from error
    for element in root.iter():
        if _tag(element) != "mirror":
            continue
        entry = {_tag(child): (child.text or "").strip() for child in element}
        covers = {name.strip() for name in entry.get("mirrorOf", "").split(",")}
        if entry.get("url") and "!central" not in covers and covers & {"*", "central", "external:*"}:
            return entry["url"]
    return None


def reason(error: Exception) -> str:
    """One short line without the password that a mirror's address may carry."""
    text = re.sub(r"//[^/@\s]+@", "//…@", " ".join(str(error).split()))
    return f"{type(error).__name__}: {text[:200]}"


def require_jgo() -> None:
    """Raise one clear line if the extra `[local]` is not installed."""
    try:
        import jgo.maven  # noqa: F401
    except ImportError as error:
        raise ServerFailed(
            f"installing Neo4j needs the extra [local]. Run: {how_to_install('local')}, "
            "or set BRAINBRIDGE_URI to a Neo4j that runs elsewhere."
        ) from error


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
