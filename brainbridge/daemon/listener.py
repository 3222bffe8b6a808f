"""The daemon's local socket: hooks ask on it for context, one line of JSON each way. Only its owner can reach it."""

import json
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from brainbridge.daemon.wire import MOST_ASKED, line_from, reachable
from brainbridge.logs import get_logger

# Who asks writes at once; a connection that says nothing is no hook.
PATIENCE = 1.0  # seconds
# More at a time are turned away: a hook does not wait in a queue.
AT_A_TIME = 8

log = get_logger(__name__)


class Listener:
    """Listens while it is entered. Enter it before the process has other threads: making the socket sets the umask.

    Where no socket can be made, such as on a network share, it stays silent and hooks do without context.

    Args:
        path: the socket; one that an earlier daemon left behind is replaced.
        answer: a question as a context.
    """

    def __init__(self, path: Path, answer: Callable[[Mapping[str, object]], str]) -> None:
        self._path = path
        self._answer = answer
        self._places = threading.BoundedSemaphore(AT_A_TIME)
        self._socket: socket.socket | None = None

    def __enter__(self) -> Self:
        try:
            self._socket = self._listening()
        except (OSError, AttributeError) as error:  # AttributeError: a platform without AF_UNIX
            log.warning("socket.refused", path=str(self._path), error=str(error))
            return self
        self._ears, self._voice = socket.socketpair()
        self._thread = threading.Thread(target=self._accept, name="context", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket is None:
            return
        self._voice.send(b"x")
        self._thread.join()
        for end in (self._socket, self._ears, self._voice):
            end.close()
        self._path.unlink(missing_ok=True)

    def _listening(self) -> socket.socket:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path.unlink(missing_ok=True)
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            with reachable(self._path) as address:
                made.bind(address)
            made.listen(AT_A_TIME)
        except BaseException:
            made.close()
            raise
        finally:
            os.umask(before)
        return made

    def _accept(self) -> None:
        assert self._socket is not None
        while True:
            ready, _, _ = select.select([self._socket, self._ears], [], [])
            if self._ears in ready:
                return
            with suppress(OSError):
                channel, _ = self._socket.accept()
                if not self._places.acquire(blocking=False):
                    channel.close()
                    continue
                # Daemonic: what a slow database keeps must not keep the daemon from ending.
                threading.Thread(target=self._serve, args=(channel,), name="context", daemon=True).start()

    def _serve(self, channel: socket.socket) -> None:
        try:
            with channel:
                question = json.loads(line_from(channel, MOST_ASKED, time.monotonic() + PATIENCE))
                context = self._answer(question) if isinstance(question, dict) else ""
                channel.settimeout(PATIENCE)
                channel.sendall(json.dumps({"context": context}).encode() + b"\n")
        except (OSError, ValueError):
            return  # who asked has left, or asked for something else
        except Exception:  # a door's own duty: one question must not end all later ones
            log.exception("context.crashed")
        finally:
            self._places.release()
