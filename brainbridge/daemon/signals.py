"""Signals as a daemon wants them: the first one to stop is a request, the second an order, SIGHUP a wish to reload."""

import os
import select
import signal
import socket
from types import FrameType
from typing import Any, Self

_STOP = (signal.SIGTERM, signal.SIGINT)
_HANGUP = getattr(signal, "SIGHUP", None)  # not on Windows


class Signals:
    """Handles signals while it is entered, in the main thread; `wait` is a sleep that a signal ends."""

    def __init__(self) -> None:
        self.stop = False
        self._hangup = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        # Python resumes an interrupted sleep; only a descriptor that the C handler writes to ends the wait at once.
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._wakeup_before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for number in _STOP:
            self._before[number] = signal.signal(number, self._on_stop)
        if _HANGUP is not None:
            self._before[_HANGUP] = signal.signal(_HANGUP, self._on_hangup)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup_before)
        self._reader.close()
        self._writer.close()

    def wait(self, seconds: float) -> None:
        """Sleep; a signal ends it early."""
        ready, _, _ = select.select([self._reader], [], [], seconds)
        if ready:
            self._reader.recv(4096)

    def take_hangup(self) -> bool:
        """Whether SIGHUP came since the last call."""
        asked, self._hangup = self._hangup, False
        return asked

    def _on_stop(self, number: int, _: FrameType | None) -> None:
        if self.stop:
            # Nothing is tidied on purpose: the database rolls back, the system drops the locks, the lease runs out.
            os._exit(128 + number)
        self.stop = True

    def _on_hangup(self, _: int, __: FrameType | None) -> None:
        self._hangup = True
