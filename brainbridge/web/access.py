"""Who may see the page: whoever can run `brainbridge dashboard`, for that prints a URL that logs in once.

Nothing is kept on disk, and only digests in memory: with the process all logins and sessions end.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable

LOGIN_SECONDS = 600.0
SESSION_SECONDS = 12 * 3600.0
# More are never waited for; the oldest goes.
MOST_KEPT = 64


class Access:
    """Logins that were handed out and sessions that came of them. Thread-safe.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._logins: dict[bytes, float] = {}
        self._sessions: dict[bytes, float] = {}

    def new_login(self) -> str:
        """A token that logs in once, within ten minutes."""
        return self._kept(self._logins, LOGIN_SECONDS)

    def log_in(self, token: str) -> str | None:
        """The session that a token opens; None if it was used, has expired or never was."""
        with self._lock:
            until = self._logins.pop(_digest(token), None)
            if until is None or until <= self._clock():
                return None
        return self._kept(self._sessions, SESSION_SECONDS)

    def admits(self, session: str) -> bool:
        """Whether a session is open."""
        with self._lock:
            until = self._sessions.get(_digest(session))
            return until is not None and self._clock() < until

    def _kept(self, among: dict[bytes, float], seconds: float) -> str:
        made = secrets.token_urlsafe(32)
        with self._lock:
            while len(among) >= MOST_KEPT:
                del among[next(iter(among))]
            among[_digest(made)] = self._clock() + seconds
        return made


def _digest(text: str) -> bytes:
    """What is looked up instead of the text, so that the time it takes tells nothing of it."""
    return hashlib.sha256(text.encode("utf-8", errors="replace")).digest()
