"""What the daemon does each time it wakes: answer goodbyes, run what is due, embed, decide when to wake next.

Whether a run is due is asked of the graph, not remembered: a run that a person or a goodbye started counts, and neither
a restart nor a clock that was set makes one too many or too few.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from brainbridge.app import Brain, connect
from brainbridge.consolidation.report import RunReport
from brainbridge.daemon.drain import drain, reject_unanswerable, reject_unreadable
from brainbridge.daemon.lock import attempted, goodbye_lock
from brainbridge.daemon.schedule import Wake, backoff, due_in
from brainbridge.daemon.spool import Spool
from brainbridge.domain.errors import (
    BrainbridgeError,
    DatabaseUnreachable,
    EmbedderFailed,
    LeaseHeld,
    QueryFailed,
    Refused,
    UnknownBrain,
)
from brainbridge.logs import get_logger
from brainbridge.settings import LEAST_RETENTION_DAYS, LearningSettings, Settings

# How soon to look again when somebody else is at work on the same memories.
BUSY_PAUSE = timedelta(seconds=10)
# Batches of old records that go with one run, so that the first prune of an old store does not hold up the next run.
MOST_BATCHES = 100
# Vectors for a large brain take long: in pieces, so that runs and goodbyes come in between.
EMBED_TIME = timedelta(seconds=60)
EMBED_PAUSE = timedelta(seconds=1)

log = get_logger(__name__)


class Upkeep:
    """The daemon's work, without its clockwork.

    Args:
        settings: replaced by assignment when they are reloaded.
        on_run: hears of every run, on schedule or for a goodbye.
        open_brain: how to get at the brain. It is opened for each pass and closed after it: a quarter of an hour is too
            long to trust a connection, and opening one takes milliseconds.
    """

    def __init__(
        self,
        settings: Settings,
        brain: str,
        *,
        on_run: Callable[[RunReport], None] = lambda _: None,
        open_brain: Callable[[Settings], Brain] | None = None,
    ) -> None:
        self.settings = settings
        self.brain = brain
        self.spool = Spool(settings.home)
        self.fatal: BrainbridgeError | None = None
        self._goodbye_lock = goodbye_lock(settings.home, brain)
        self._on_run = on_run
        self._open_brain = open_brain or (lambda settings: connect(brain, settings=settings))
        self._met = False
        self._warned_of: LearningSettings | None = None
        self._failures = 0
        self._embed_trouble = ""
        self._trouble: type[Exception] | None = None

    @property
    def interval(self) -> timedelta:
        """How often a run is due."""
        return timedelta(minutes=self.settings.daemon.interval_minutes)

    @property
    def reached(self) -> bool:
        """Whether the last pass found the database and had no trouble with it."""
        return self._met and self._trouble is None

    def once(self) -> Wake:
        """Answer goodbyes, run if a run is due and prune with it, then embed what lacks a vector.

        Raises:
            BrainbridgeError: what could not be done, and why.
        """
        with self._open_brain(self.settings) as brain:
            self._met = True
            goodbyes_after = self._answer_goodbyes(brain)
            after = due_in(brain.since_last_run(), self.interval)
            if not after:
                self._on_run(brain.consolidate(trigger="schedule"))
                self._prune(brain)
                after = self.interval
            if not self._embed(brain):
                after = min(after, EMBED_PAUSE)
            return Wake(after, goodbyes_after)

    def wake(self) -> Wake:
        """`once`, with its failures logged once per change, not once per try, and turned into the next try."""
        try:
            planned = self.once()
        except LeaseHeld as error:
            # Not a failure: somebody is doing the very thing.
            self._recovered()
            log.info("run.skipped", brain=self.brain, reason=str(error))
            return Wake(BUSY_PAUSE, BUSY_PAUSE)
        except BrainbridgeError as error:
            return self._failed(error, partial(log.warning, "database.lost", error=str(error)))
        except Exception as error:  # a loop's own duty: a fault in one pass must not end all later ones
            return self._failed(error, partial(log.exception, "pass.crashed"))
        self._recovered()
        return planned

    def _prune(self, brain: Brain) -> None:
        """Let go what is older than it is to be kept; a backlog takes several runs."""
        asked = self.settings.learning
        if asked.retention_was_raised and asked != self._warned_of:
            log.warning(
                "retention.raised", brain=brain.name, asked=asked.event_retention_days, days=LEAST_RETENTION_DAYS
            )
        self._warned_of = asked
        for test in (False, True):
            done = brain.prune(test=test, most_batches=MOST_BATCHES)
            if done.total:
                log.info(
                    "records.pruned",
                    brain=brain.name,
                    isTest=test,
                    before=done.before and done.before.isoformat(),
                    pages=done.pages,
                    misses=done.misses,
                    events=done.events,
                    more=done.more,
                )

    def _answer_goodbyes(self, brain: Brain) -> timedelta:
        """Answer them; how long from now before new ones are worth another look."""
        reject_unreadable(self.spool)
        if not self.spool.entries(brain.name):
            return timedelta()
        with attempted(self._goodbye_lock) as ours:
            if not ours:
                return BUSY_PAUSE
            return timedelta() if drain(self.spool, brain, on_run=self._on_run) else self.interval

    def _embed(self, brain: Brain) -> bool:
        """Give memories the vectors they lack, for a while; False if there is more to do.

        A model that fails is no reason to end a pass: what consolidates does not need it, and recall goes by words.
        """
        try:
            filled = brain.embed(seconds=EMBED_TIME.total_seconds())
        except (EmbedderFailed, Refused) as error:
            if str(error) != self._embed_trouble:
                log.warning("embedding.failed", brain=self.brain, error=str(error))
            self._embed_trouble = str(error)
            return True
        self._embed_trouble = ""
        if filled is None:
            return True
        if filled.embedded:
            log.info(
                "memories.embedded",
                brain=self.brain,
                embedded=filled.embedded,
                model=filled.model,
                switched=filled.switched,
            )
        return filled.complete

    def _recovered(self) -> None:
        if self._trouble is not None:
            log.info("database.found", brain=self.brain, failures=self._failures)
        self._failures, self._trouble = 0, None

    def _failed(self, error: Exception, say: Callable[..., object]) -> Wake:
        self._failures += 1
        wait = backoff(self._failures)
        if isinstance(error, UnknownBrain):
            reject_unanswerable(self.spool, self.brain, str(error))
        # Before the first contact, what waiting cannot mend is a mistake in the set-up: better to end and say so.
        if (
            not self._met
            and self._trouble is None
            and isinstance(error, BrainbridgeError)
            and not isinstance(error, DatabaseUnreachable | QueryFailed)
        ):
            self.fatal = error
        elif type(error) is not self._trouble:
            say(brain=self.brain, retrySeconds=wait.total_seconds())
        self._trouble = type(error)
        return Wake(wait, wait)
