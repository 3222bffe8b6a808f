"""Why a server does not start: checks before the JVM is spent on it (3 to 9 s), and its last words read afterwards."""

from collections.abc import Sequence
from pathlib import Path

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j.conf import ServerConf, mebibytes
from brainbridge.local_neo4j.process import available_mebibytes, is_free
from brainbridge.local_neo4j.state import ServerFiles

_SHOWN = 3  # lines of output in an error
_TAIL = 65_536  # bytes of a log that are read


def refuse_taken_ports(conf: ServerConf) -> None:
    """Raise if another program listens where the server should."""
    for name, port in (("bolt_port", conf.bolt_port), ("http_port", conf.http_port)):
        if not is_free(port):
            raise ServerFailed(_taken(name, port))


def refuse_missing_memory(conf: ServerConf) -> None:
    """Raise if the heap and the page cache do not fit into the memory that is free now."""
    needed, available = mebibytes(conf.heap) + mebibytes(conf.page_cache), available_mebibytes()
    if needed > available:
        raise ServerFailed(
            f"Neo4j would take {needed} MiB (server.heap {conf.heap} and server.page_cache {conf.page_cache}), and "
            f"{available} MiB are free. Lower these two settings, or end other programs."
        )


def why_it_died(files: ServerFiles, conf: ServerConf, log_before: int) -> str:
    """One line about a server that ended during its start, from what it printed and logged.

    Args:
        log_before: bytes that neo4j.log had before this start; what they complain about is past.
    """
    output, log = tail(files.output), tail(files.log, since=log_before)
    said = f"{output}\n{log}"
    if "PortBindException" in said:
        bolt = str(conf.bolt_port) in _line_with("PortBindException", said)
        return _taken(*(("bolt_port", conf.bolt_port) if bolt else ("http_port", conf.http_port)))
    for sign, explanation in _signs(files, conf).items():
        if sign in said:
            return explanation
    last = " | ".join(_meaningful(output)[-_SHOWN:] or _complaints(log)[-_SHOWN:]) or "it said nothing"
    return f"Neo4j {conf.version} ended during its start: {last}. All of it: {files.output} and {files.log}."


def size_of(path: Path) -> int:
    """Bytes of a file, 0 if it is not there."""
    return path.stat().st_size if path.is_file() else 0


def tail(path: Path, since: int = 0) -> str:
    """The end of a text file, from byte `since` on at most; nothing if it is not there."""
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            file.seek(max(0, size - _TAIL, since if since <= size else 0))  # a shorter file has been rotated
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _signs(files: ServerFiles, conf: ServerConf) -> dict[str, str]:
    memory = (
        f"Java could not have the memory for server.heap {conf.heap} and server.page_cache {conf.page_cache}. "
        f"Lower the one that is too large or raise the one that is too small; details: {files.output}."
    )
    return {
        "Invalid memory configuration": memory,
        "Could not reserve enough space": memory,
        "insufficient memory for the Java Runtime": memory,
        "Too small maximum heap": memory,
        "java.lang.OutOfMemoryError": memory,
        "has been locked by another process": (
            f"another server has the store in {files.root} open. Stop it, or set BRAINBRIDGE_HOME to another folder."
        ),
        "is a newer version": (
            f"the store in {files.root} was written by a newer Neo4j, and {conf.version} cannot read it. "
            "Run that newer one (server.version, BRAINBRIDGE_NEO4J_HOME)."
        ),
        "UnsupportedClassVersionError": (
            f"the Java that was found is too old for Neo4j {conf.version}. Set server.java_home to a newer JDK."
        ),
        "No space left on device": f"the disk of {files.root} is full. Make room there.",
    }


def _taken(setting: str, port: int) -> str:
    return (
        f"port {port} is taken by another program. Set server.{setting} "
        f"(BRAINBRIDGE_SERVER__{setting.upper()}) to a free one, or stop that program."
    )


def _line_with(word: str, text: str) -> str:
    return next((line for line in text.splitlines() if word in line), "")


def _meaningful(output: str) -> Sequence[str]:
    """A JVM's output without stack frames and blank lines, each line cut where it gets long."""
    lines = (line.strip() for line in output.splitlines())
    return [line[:200] for line in lines if line and not line.startswith(("at ", "... "))]


def _complaints(log: str) -> Sequence[str]:
    return [line for line in _meaningful(log) if "ERROR" in line or "WARN" in line or "Caused by" in line]
