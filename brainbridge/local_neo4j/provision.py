"""Put exactly the locked jars into <cache>/neo4j-<version>/lib, or fail with nothing marked complete.

A jar enters lib/ by one rename, after its size and sha256 matched the lock; manifest.json is written last and says that
all are there. A run that was cut short leaves good jars behind, and the next one goes on from them.
"""

import hashlib
import json
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j.lock import Artifact, Lock
from brainbridge.local_neo4j.progress import Progress, Silent, closing
from brainbridge.local_neo4j.repository import MIRROR_ENV, Repository, reason, repository

TRIES = 4
JOBS = 8  # 226 jars: 31 s with 8 threads, cold, on 2 cores; the wait is for the network
LOCK_TIMEOUT = 900.0  # seconds to wait for another process that installs the same version
_STAGING = ".staging-"


def library(lock: Lock, cache: Path) -> Path:
    """Where the jars of this version are, or will be."""
    return cache / f"neo4j-{lock.version}" / "lib"


def is_installed(lock: Lock, cache: Path) -> bool:
    """Whether all jars are in place, by name and size: 5 ms, against 300 ms for hashing 173 MB, at every start.

    A jar altered without changing its size goes unseen here; `altered` finds it.

    Raises:
        ServerFailed: lib/ holds a file that is not locked. It would be on the class path.
    """
    lib = library(lock, cache)
    try:
        manifest = json.loads(_manifest(lib).read_text(encoding="utf-8"))
        sizes = {entry.name: entry.stat().st_size for entry in os.scandir(lib)}
    except (OSError, ValueError):
        return False
    expected = {artifact.file_name: artifact.size for artifact in lock.artifacts}
    _refuse_unlocked(lib, sizes.keys() - expected.keys())
    return bool(manifest == _manifest_of(lock)) and sizes == expected


def altered(lock: Lock, cache: Path) -> list[str]:
    """The names of the jars that are missing or differ from the lock, all of them hashed (`server provision --check`).

    Raises:
        ServerFailed: lib/ holds a file that is not locked.
    """
    lib = library(lock, cache)
    if lib.is_dir():
        _refuse_unlocked(lib, {entry.name for entry in lib.iterdir()} - {a.file_name for a in lock.artifacts})
    return [artifact.file_name for artifact in lock.artifacts if not _matches(lib / artifact.file_name, artifact)]


def provision(
    lock: Lock,
    cache: Path,
    *,
    progress: Progress | None = None,
    offline: bool = False,
    thorough: bool = False,
    source: Repository | None = None,
) -> Path:
    """Install every jar of `lock`, fetching only those that are missing or altered.

    Args:
        progress: hears how many bytes are in place.
        offline: take jars from the local Maven repository only.
        thorough: hash what is there even if it looks complete.
        source: where to fetch from; the machine's own setup by default.

    Returns:
        the lib folder, complete.

    Raises:
        ServerFailed: a jar cannot be had or does not match its sha256, a foreign file is in lib/, or the cache cannot
            be written. There is no manifest then, so no server starts from a partial folder.
    """
    lib = library(lock, cache)
    if not thorough and is_installed(lock, cache):
        return lib
    with _sole_installer(lib), closing(progress or Silent()):
        if not thorough and is_installed(lock, cache):  # another process finished while we waited
            return lib
        _manifest(lib).unlink(missing_ok=True)
        _install(lock, lib, source or repository(offline=offline), progress or Silent())
        _refuse_unlocked(lib, {entry.name for entry in lib.iterdir()} - {a.file_name for a in lock.artifacts})
        _replace_text(_manifest(lib), json.dumps(_manifest_of(lock)))
    return lib


@contextmanager
def _sole_installer(lib: Path) -> Iterator[None]:
    """Hold the folder's lock, which the system drops when its holder dies; waste of dead ones is swept away."""
    from filelock import FileLock, Timeout

    try:
        lib.mkdir(parents=True, exist_ok=True)
        with FileLock(lib.parent / ".lock", timeout=LOCK_TIMEOUT):
            for waste in lib.parent.glob(f"{_STAGING}*"):
                shutil.rmtree(waste, ignore_errors=True)
            yield
    except Timeout as error:
        raise ServerFailed(
            f"another process has been installing into {lib.parent} for {LOCK_TIMEOUT / 60:.0f} minutes. End it."
        ) from error
    except OSError as error:
        raise ServerFailed(
            f"cannot install Neo4j into {lib.parent}: {error.strerror or error}. "
            "Make room or permission there, or set BRAINBRIDGE_CACHE to another folder."
        ) from error


def _install(lock: Lock, lib: Path, source: Repository, progress: Progress) -> None:
    done = 0
    stop = threading.Event()
    with tempfile.TemporaryDirectory(dir=lib.parent, prefix=_STAGING) as staging, ThreadPoolExecutor(JOBS) as pool:
        jobs: dict[Future[None], Artifact] = {
            pool.submit(_bring, artifact, lib, Path(staging), source, stop): artifact for artifact in lock.artifacts
        }
        try:
            # result() raises at the first failure, which ends the loop. Going on would hang: as_completed never
            # reports the futures that shutdown(cancel_futures) cancels.
            for job in as_completed(jobs):
                job.result()
                done += jobs[job].size
                progress.bytes_done(done, lock.total_bytes)
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


def _bring(artifact: Artifact, lib: Path, staging: Path, source: Repository, stop: threading.Event) -> None:
    """Have one jar in lib/ that matches the lock."""
    target = lib / artifact.file_name
    if _matches(target, artifact):
        return
    problem = ""
    for attempt in range(TRIES):
        if stop.wait(attempt * source.pause):  # seconds; ends at once when another jar failed
            return
        # An altered copy in ~/.m2 must not block the download, so it is asked only once.
        folder = staging / artifact.file_name / str(attempt)
        folder.mkdir(parents=True)
        try:
            found = source.fetch(artifact, folder / "repository", use_local=attempt == 0)
        except Exception as error:  # requests' and jgo's errors share no base
            problem = reason(error)
            if source.offline:
                break
            continue
        copy = folder / artifact.file_name
        shutil.copyfile(found, copy)
        if _matches(copy, artifact):
            copy.replace(target)
            return
        problem = "its size or sha256 differs from the lock"
    raise ServerFailed(
        f"cannot install {artifact.gav}: {problem}. Check the network, or set {MIRROR_ENV} to a Maven mirror, "
        "or BRAINBRIDGE_NEO4J_HOME to an unpacked Neo4j."
    )


def _matches(path: Path, artifact: Artifact) -> bool:
    try:
        if path.stat().st_size != artifact.size:
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == artifact.sha256
    except OSError:
        return False


def _refuse_unlocked(lib: Path, names: set[str]) -> None:
    if names:
        raise ServerFailed(
            f"{lib} holds a file that is not part of this Neo4j: {min(names)}. Remove it, or all of lib."
        )


def _manifest(lib: Path) -> Path:
    return lib.parent / "manifest.json"


def _manifest_of(lock: Lock) -> dict[str, str]:
    digest = hashlib.sha256("\n".join(f"{a.gav} {a.size} {a.sha256}" for a in lock.artifacts).encode())
    return {"version": lock.version, "lock": digest.hexdigest()}


def _replace_text(path: Path, text: str) -> None:
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
