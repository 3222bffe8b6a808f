"""How a hook asks the daemon of a brain for context: one line of JSON each way over a local socket, soon or not at all.

Standard library only: hooks ask. A question is `{"event": "start" or "prompt", "prompt": …, "cwd": …}`, an answer
`{"context": …}`, where no text means that there is nothing worth saying.
"""

import json
import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

# What a line may hold. A prompt is cut to fit by who asks: its beginning says what it is about.
MOST_ASKED = 32_768  # bytes
MOST_ANSWERED = 32_768  # bytes
# A hook with recall has 150 ms in all, and Python takes 30 of them to start.
PATIENCE = 0.1  # seconds
# sockaddr_un holds 104 bytes on macOS, 108 on Linux, the closing zero included.
_LONGEST_ADDRESS = 100


def socket_file(home: Path, brain: str) -> Path:
    """Where the daemon of `brain` listens."""
    return home / "daemon" / f"{brain}.sock"


@contextmanager
def reachable(path: Path) -> Iterator[str]:
    """A name for `path` that a socket's address can hold. A long one is reached from its folder, which the process
    enters for that time: call it where nothing else in the process uses relative paths."""
    if len(os.fsencode(path)) <= _LONGEST_ADDRESS:
        yield str(path)
        return
    before = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.chdir(path.parent)
        yield path.name
    finally:
        os.fchdir(before)
        os.close(before)


def ask(home: Path, brain: str, question: Mapping[str, str], *, patience: float = PATIENCE) -> str:
    """The daemon's answer; no text if it has nothing to say.

    Args:
        patience: seconds after which it is given up, whatever has come until then.

    Raises:
        OSError: no daemon listens, or it did not answer in time.
        ValueError: what it answered is no answer.
    """
    deadline = time.monotonic() + patience
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
        channel.settimeout(patience)
        with reachable(socket_file(home, brain)) as address:
            channel.connect(address)
        channel.sendall(json.dumps(question).encode() + b"\n")
        answer = json.loads(line_from(channel, MOST_ANSWERED, deadline))
    match answer:
        case {"context": str(context)}:
            return context
    raise ValueError("the daemon's answer holds no context")


def line_from(channel: socket.socket, most: int, deadline: float) -> bytes:
    """One line, without its end.

    Args:
        most: bytes it may have.
        deadline: by the monotonic clock.

    Raises:
        OSError: it did not come in time, or the other side went away before its end. ValueError: it is longer.
    """
    received = b""
    while b"\n" not in received:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no line in time")
        channel.settimeout(left)
        piece = channel.recv(65_536)
        if not piece:
            raise ConnectionError("the other side went away")
        received += piece
        if len(received) > most:
            raise ValueError(f"a line of more than {most} bytes")
    return received.partition(b"\n")[0]
