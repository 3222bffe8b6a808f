"""The files of one managed server, and what is written down about the process that runs it.

Neo4j's own run/neo4j.pid is not used: kill -9 leaves it behind, and a second server that fails deletes the first one's.
"""

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j.lock import version_key

_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600


@dataclass(frozen=True, slots=True)
class ServerFiles:
    """Where things are under the server's home (Neo4j adds data/, logs/ and more by itself)."""

    root: Path

    @property
    def conf(self) -> Path:
        return self.root / "conf" / "neo4j.conf"

    @property
    def password(self) -> Path:
        return self.root / "password"

    @property
    def state(self) -> Path:
        return self.root / "server.json"

    @property
    def lock(self) -> Path:
        return self.root / ".lock"

    @property
    def store_version(self) -> Path:
        """The newest Neo4j that opened the store: an older one cannot."""
        return self.root / "store-version"

    @property
    def output(self) -> Path:
        """What the JVM of the last start printed; Neo4j complains here before it has logs."""
        return self.root / "logs" / "output.log"

    @property
    def log(self) -> Path:
        return self.root / "logs" / "neo4j.log"

    def prepare(self) -> None:
        """Make the folders, readable by nobody else.

        Raises:
            ServerFailed: the place cannot be written. The JVM would end with rc 3 and no output at all.
        """
        try:
            for folder in (self.root, self.conf.parent, self.output.parent, self.root / "data"):
                folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
                if not os.access(folder, os.W_OK | os.X_OK):
                    raise PermissionError(None, "no permission to write", str(folder))
            self.root.chmod(_PRIVATE_FOLDER)
        except OSError as error:
            raise ServerFailed(
                f"cannot write in {error.filename or self.root}: {error.strerror}. "
                "Give yourself the right, or set BRAINBRIDGE_HOME to a folder of yours."
            ) from error


@dataclass(frozen=True, slots=True)
class State:
    """The process that was started last.

    Args:
        pid: trusted only while its command line names our home (`process.is_ours`).
        ready: it answered and took our password; a start that finds this has nothing to do.
    """

    pid: int
    version: str
    bolt_port: int
    http_port: int
    ready: bool = False


def read_state(files: ServerFiles) -> State | None:
    """What was written down, or None if nothing readable is there."""
    try:
        return State(**json.loads(files.state.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_state(files: ServerFiles, state: State) -> None:
    write_private(files.state, json.dumps(asdict(state)) + "\n")


def write_private(path: Path, text: str) -> None:
    """Replace a file by one rename, on disk before it is seen, readable by its owner only from the first byte on."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ServerFailed(f"cannot write {path}: {error.strerror}. Make room or permission there.") from error


def refuse_downgrade(files: ServerFiles, version: str) -> None:
    """Raise if a newer Neo4j has opened the store."""
    try:
        newest = files.store_version.read_text(encoding="utf-8").strip()
    except OSError:
        return
    if version_key(newest) > version_key(version):
        raise ServerFailed(
            f"the store in {files.root} was opened by Neo4j {newest}, and {version} is older and cannot read it. Run "
            f"{newest} or newer (server.version, BRAINBRIDGE_NEO4J_HOME), or set BRAINBRIDGE_HOME to another folder."
        )
