#!/usr/bin/env python3
"""Make the lock of a Neo4j version: every jar of the Community server with size and sha256. A release step.

    python tools/make_lock.py 2026.08.1 --java 21 25 --browser 5.24.0 --cache /tmp/lock-cache [--maven]

It resolves and downloads through jgo (extra `[local]`, no Maven and no Java needed) into CACHE, and writes
`brainbridge/local_neo4j/locks/neo4j-VERSION.json`. The same version always gives the same bytes. `--maven` asks an
installed `mvn` for its own list and fails if the two differ: a second opinion on the closure, worth it at a release.

A cold run takes about 90 s (350 POMs, 170 MB).
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOTS = ("org.neo4j:neo4j", "org.neo4j.app:neo4j-server")
BROWSER = "org.neo4j.client:neo4j-browser"
LOCKS = Path(__file__).resolve().parent.parent / "brainbridge" / "local_neo4j" / "locks"
# A test library in the list means that the resolution went wrong: the server depends on none.
TEST_GROUP = re.compile(r"(junit|org\.junit.*|org\.mockito|org\.assertj|org\.hamcrest)")


class Jar(NamedTuple):
    """One jar of the closure; sorted as the lock lists them."""

    group: str
    artifact: str
    version: str
    classifier: str

    @property
    def gav(self) -> str:
        return ":".join(part for part in self if part)


def resolve(version: str, browser: str, cache: Path) -> Iterator[tuple[Jar, Path]]:
    """Every jar of the server, downloaded into `cache`, and the Browser's one jar."""
    from jgo.maven import MavenContext

    context = MavenContext(repo_cache=cache, timeout=60)
    # The "!" keeps jgo from importing the roots as BOMs. Without it jgo 3.2.0 gives 237 jars where Maven gives 227,
    # mockito among them, and four other versions.
    roots = [context.create_dependency(f"{root}:{version}!") for root in ROOTS]
    inputs, transitive = context.resolver.resolve(roots)
    wanted = {
        dependency.artifact.key: dependency.artifact
        for dependency in [*inputs, *transitive]
        if dependency.scope in (None, "compile", "runtime") and not dependency.optional
    }
    # The Browser is static files in a jar that the server serves; it needs nothing else.
    page = context.project(*BROWSER.split(":")).at_version(browser).artifact("", "jar")
    artifacts = [*wanted.values(), page]
    with ThreadPoolExecutor(8) as pool:
        for artifact, path in zip(artifacts, pool.map(lambda each: each.resolve(), artifacts), strict=True):
            if artifact.packaging != "jar":
                sys.exit(f"{artifact} is not a jar")
            yield Jar(artifact.groupId, artifact.artifactId, artifact.version, artifact.classifier), path


def maven_list(version: str) -> set[Jar]:
    """The closure as an installed Maven sees it."""
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency>"
        for group, artifact in (root.split(":") for root in ROOTS)
    )
    pom = (
        "<project><modelVersion>4.0.0</modelVersion><groupId>lock</groupId><artifactId>lock</artifactId>"
        f"<version>1</version><packaging>pom</packaging><dependencies>{dependencies}</dependencies></project>"
    )
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pom.xml").write_text(pom, encoding="utf-8")
        out = Path(folder, "list.txt")
        goal = ["dependency:list", "-DincludeScope=runtime", f"-DoutputFile={out}"]
        subprocess.run(["mvn", "-B", "-ntp", "-q", "-f", folder, *goal], check=True)
        return set(_parse_maven_list(out.read_text(encoding="utf-8")))


def _parse_maven_list(text: str) -> Iterator[Jar]:
    for line in text.splitlines():
        match re.sub(r"\x1b\[[\d;]*m", "", line).strip().split(" -- ")[0].split(":"):
            case [group, artifact, "jar", version, _scope]:
                yield Jar(group, artifact, version, "")
            case [group, artifact, "jar", classifier, version, _scope]:
                yield Jar(group, artifact, version, classifier)


def document(version: str, java: Sequence[int], jars: Sequence[tuple[Jar, Path]]) -> dict[str, object]:
    """The lock as it is written. Exits on a test library in the closure."""
    artifacts = []
    for jar, path in sorted(jars):
        if TEST_GROUP.fullmatch(jar.group):
            sys.exit(f"{jar.gav} is a test library: the resolution went wrong")
        content = path.read_bytes()
        artifacts.append({"gav": jar.gav, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()})
    return {"schema": 1, "version": version, "java": sorted(java), "artifacts": artifacts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", help="of Neo4j, as published")
    parser.add_argument("--java", type=int, nargs="+", required=True, help="Java major versions that run it")
    parser.add_argument("--browser", required=True, help="version of Neo4j Browser")
    parser.add_argument("--cache", type=Path, required=True, help="a Maven repository to download into")
    parser.add_argument("--out", type=Path, default=LOCKS, help="folder of the lock")
    parser.add_argument("--maven", action="store_true", help="compare the closure with an installed Maven's")
    options = parser.parse_args()

    jars = list(resolve(options.version, options.browser, options.cache))
    if options.maven:
        ours = {jar for jar, _ in jars if not jar.gav.startswith(BROWSER + ":")}
        if differing := ours ^ maven_list(options.version):
            sys.exit("Maven sees another closure: " + ", ".join(sorted(jar.gav for jar in differing)))
    lock = document(options.version, options.java, jars)
    target = options.out / f"neo4j-{options.version}.json"
    target.write_text(json.dumps(lock, indent=1) + "\n", encoding="utf-8")
    print(f"{target}: {len(jars)} jars, {sum(path.stat().st_size for _, path in jars) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
