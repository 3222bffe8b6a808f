"""What a session and a prompt are given, by the daemon, unasked. Wrong context is worse than silence.

A session begins with what the brain holds foremost, first what is about its project. A prompt gets what recall finds
strong for it, and nothing else. Neither is an explicit recall: nothing is learned from it, and no energy changes.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from brainbridge.app import Brain, connect
from brainbridge.daemon.quoting import MOST_NOTES, as_notes
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.memory import Memory
from brainbridge.domain.recall import Hit, Strength
from brainbridge.logs import get_logger
from brainbridge.settings import Settings

# A single word in common, as in "continue", is no reason to bring something up.
LEAST_WORDS = 2
# Of those about the project, so that what is foremost finds room.
MOST_OF_PROJECT = 10
# Where listing what is foremost takes longer than this, a session gets the list made after the last pass.
QUICK = 0.05  # seconds
WARMING_UP = "Which of these words occur?"

log = get_logger(__name__)


class Context:
    """Answers the questions of hooks for one brain. Thread-safe.

    The brain is opened by `refresh`, after a pass that has found the database; a question never waits for a connection.
    """

    def __init__(self, brain: str, *, open_brain: Callable[[Settings], Brain] | None = None) -> None:
        self._name = brain
        self._open_brain = open_brain or (lambda settings: connect(brain, settings=settings))
        self._lock = threading.Lock()
        self._brain: Brain | None = None
        self._settings: Settings | None = None
        self._foremost: list[Memory] = []
        self._took = 0.0

    def refresh(self, settings: Settings) -> None:
        """Open the brain if it is not open, or was opened with other settings; list what is foremost."""
        try:
            if self._brain is None or settings is not self._settings:
                self.close()
                opened = self._open_brain(settings)
                with self._lock:
                    self._brain, self._settings = opened, settings
                # The first question pays for plans, and for a model that is loaded: a hook would not wait for it.
                opened.recall(WARMING_UP, explicit=False)
            self._list_foremost(self._opened())
        except BrainbridgeError as error:
            self._give_up(error)

    def close(self) -> None:
        """Close the brain; questions are answered with silence from now on."""
        with self._lock:
            brain, self._brain = self._brain, None
        if brain is not None:
            brain.close()

    def answer(self, question: Mapping[str, object]) -> str:
        """The notes for one question; no text if there is nothing worth saying, or no database to look in."""
        if self._brain is None:
            return ""
        try:
            if question.get("event") == "prompt":
                return as_notes(self._name, self._for_prompt(str(question.get("prompt", ""))))
            return as_notes(self._name, self._for_session(str(question.get("cwd", ""))))
        except BrainbridgeError as error:
            self._give_up(error)
            return ""

    def _for_prompt(self, prompt: str) -> list[Memory]:
        page = self._opened().recall(prompt, limit=MOST_NOTES, explicit=False)
        return [hit.memory for hit in page.hits if _fits(hit)]

    def _for_session(self, folder: str) -> Iterator[Memory]:
        brain, given = self._opened(), set[str]()
        about = [hit.memory for hit in self._about(brain, project_of(folder))][:MOST_OF_PROJECT]
        if self._took <= QUICK:
            self._list_foremost(brain)
        for memory in (*about, *self._foremost):
            if memory.id not in given:
                given.add(memory.id)
                yield memory

    def _about(self, brain: Brain, project: str) -> list[Hit]:
        if not project:
            return []
        hits = brain.recall(project, limit=MOST_NOTES, explicit=False).hits
        return [hit for hit in hits if hit.strength is Strength.STRONG]

    def _list_foremost(self, brain: Brain) -> None:
        began = time.monotonic()
        self._foremost = brain.foremost(limit=MOST_NOTES)
        self._took = time.monotonic() - began

    def _opened(self) -> Brain:
        with self._lock:
            if self._brain is None:
                raise BrainbridgeError("the brain was closed meanwhile")
            return self._brain

    def _give_up(self, error: BrainbridgeError) -> None:
        """Close the brain until the next pass has found the database again."""
        log.warning("context.failed", brain=self._name, error=str(error))
        with suppress(BrainbridgeError):
            self.close()


def _fits(hit: Hit) -> bool:
    return hit.strength is Strength.STRONG and hit.terms.get("matched", 0.0) >= LEAST_WORDS


def project_of(folder: str) -> str:
    """The name of the project that a folder belongs to: that of the repository around it, else its own.

    None for a home or the root, which are no projects: an empty text.
    """
    place = Path(folder)
    if not folder or not place.is_absolute():
        return ""
    for candidate in (place, *place.parents):
        with suppress(OSError):
            if (candidate / ".git").exists():
                return candidate.name
    return "" if place in (Path.home(), Path(place.anchor)) else place.name
