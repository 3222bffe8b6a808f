"""The brain that a door speaks for: opened when it is first needed, and anew once its database was away."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from brainbridge.app import Brain
from brainbridge.domain.errors import AuthenticationFailed, DatabaseUnreachable
from brainbridge.logs import get_logger

# For another call that is opening the brain: as long as a server takes to start on a slow machine.
PATIENCE = 60.0  # seconds

log = get_logger(__name__)


class Connection:
    """One brain for all calls of a door. Thread-safe. The door may be open long before and after its database.

    Args:
        name: the brain's name.
        open_brain: opens it; called again whenever the database was lost.
    """

    def __init__(self, name: str, open_brain: Callable[[], Brain]) -> None:
        self.name = name
        self._open_brain = open_brain
        self._lock = Lock()
        self._brain: Brain | None = None
        # Other calls may be using a lost brain, so it is not closed before the end; there is one for each outage.
        self._lost: list[Brain] = []

    @contextmanager
    def brain(self) -> Iterator[Brain]:
        """The brain, for one operation.

        Raises:
            BrainbridgeError: it cannot be opened now. The next call tries again.
        """
        brain = self._current()
        try:
            yield brain
        except (DatabaseUnreachable, AuthenticationFailed):  # the password may have been changed
            self._lose(brain)
            raise

    def close(self) -> None:
        """Close what was opened."""
        with self._lock:
            opened = [*self._lost, *([self._brain] if self._brain else [])]
            self._brain, self._lost = None, []
        for brain in opened:
            brain.close()

    def _current(self) -> Brain:
        # Within the lock: calls that come while a server starts wait for that one start, but not for one that hangs.
        if not self._lock.acquire(timeout=PATIENCE):
            raise DatabaseUnreachable(f"the database of brain {self.name!r} does not answer. Try again in a moment.")
        try:
            if self._brain is None:
                self._brain = self._open_brain()
                log.info("brain.opened", brain=self.name)
            return self._brain
        finally:
            self._lock.release()

    def _lose(self, brain: Brain) -> None:
        with self._lock:
            if self._brain is brain:
                self._brain = None
                self._lost.append(brain)
                log.warning("database.lost", brain=self.name)
