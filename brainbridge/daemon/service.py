"""`brainbridge daemon run`: a clock, a lock and two pairs of ears, for signals and for hooks, around `Upkeep`."""

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from brainbridge import __version__
from brainbridge.consolidation.report import RunReport
from brainbridge.daemon.context import Context
from brainbridge.daemon.listener import Listener
from brainbridge.daemon.lock import attempted, daemon_lock
from brainbridge.daemon.notify import notify
from brainbridge.daemon.page import Page
from brainbridge.daemon.rotate import rotate
from brainbridge.daemon.schedule import Reading, Wake, clock_step, jitter_seconds
from brainbridge.daemon.signals import Signals
from brainbridge.daemon.state import DaemonState, last_run_of, read_state, state_file, write_state
from brainbridge.daemon.upkeep import Upkeep
from brainbridge.daemon.wire import socket_file
from brainbridge.domain.errors import LeaseHeld, SettingsError
from brainbridge.logs import get_logger
from brainbridge.settings import Settings, load_settings

TICK = 1.0  # seconds between two looks at spool, clocks and log size
# Until the spool is looked at again when it could not be read.
SPOOL_PAUSE = 10.0  # seconds
# `goodbye` looks at the lock by taking it for an instant; that must not look like a second daemon.
LOCK_PATIENCE = 1.0  # seconds
# A pass that takes longer hangs: the watchdog is no longer fed. The longest seen took 31 s, for a million memories.
PASS_LIMIT = 900.0  # seconds
_JOB = "upkeep"

log = get_logger(__name__)


def serve(
    settings: Settings,
    brain: str,
    *,
    once: bool = False,
    reload: Callable[[], Settings] = load_settings,
    ready: Callable[[], None] = lambda: None,
) -> int:
    """Consolidate `brain` on schedule and answer its goodbyes until SIGTERM or SIGINT. Call it in the main thread.

    A database that is down is waited for; what was due meanwhile is caught up by one run.

    Args:
        once: answer what waits, run if a run is due, and return.
        reload: gives the settings anew on SIGHUP. The home stays what it was.
        ready: called when the schedule runs and signals are heard; not with `once`.

    Returns:
        0: it was asked to end, and did so between two runs.

    Raises:
        LeaseHeld: another daemon of this brain runs on this machine.
        UnknownBrain, AuthenticationFailed, SettingsError, SchemaTooNew: at the first contact, where waiting is no help.
        DatabaseUnreachable: only with `once`.
    """
    with attempted(daemon_lock(settings.home, brain), patience=LOCK_PATIENCE) as ours:
        if not ours:
            raise LeaseHeld(_already_there(settings, brain))
        if once:
            Upkeep(settings, brain).once()
            return 0
        _Service(settings, brain, reload).run(ready)
        return 0


def _already_there(settings: Settings, brain: str) -> str:
    state = read_state(state_file(settings.home, brain))
    who = f" (pid {state.pid}, since {state.since})" if state else ""
    end = f"End it first: kill {state.pid}" if state else "End it first"
    return f"a daemon for brain {brain!r} runs on this machine already{who}. {end}, or leave it to it."


class _Service:
    def __init__(self, settings: Settings, brain: str, reload: Callable[[], Settings]) -> None:
        self._brain = brain
        self._home = settings.home
        self._log_file = settings.log_file
        self._reload = reload
        self._upkeep = Upkeep(settings, brain, on_run=self._note)
        self._context = Context(brain)
        self._page = Page(brain, lambda: self._upkeep.settings)
        self._state = DaemonState(os.getpid(), datetime.now(UTC).isoformat(timespec="seconds"))
        self._signals = Signals()
        self._busy = threading.Lock()
        self._pass_began: float | None = None
        self._goodbyes_from = 0.0  # monotonic
        self._clocks = _clocks()
        self._wake_wanted = False
        # One thread: at most one run of ours at a time, whatever woke us. Runs missed while the machine slept are made
        # up for by exactly one: coalesced, and never too late.
        self._scheduler = BackgroundScheduler(timezone=UTC, executors={"default": ThreadPoolExecutor(1)})
        logging.getLogger("apscheduler").setLevel(logging.ERROR)

    def run(self, ready: Callable[[], None]) -> None:
        # The page after the listener: that wants to be alone in the process when it begins.
        with self._signals, Listener(socket_file(self._home, self._brain), self._answer), self._page:
            write_state(state_file(self._home, self._brain), self._state)
            self._scheduler.add_job(
                self._work,
                self._trigger(datetime.now(UTC), self._upkeep.interval.total_seconds()),
                id=_JOB,
                next_run_time=datetime.now(UTC),
                coalesce=True,
                max_instances=1,
                misfire_grace_time=None,
            )
            self._scheduler.start()
            log.info(
                "daemon.started",
                brain=self._brain,
                pid=self._state.pid,
                version=__version__,
                intervalMinutes=self._upkeep.settings.daemon.interval_minutes,
            )
            notify("READY=1")
            ready()
            try:
                while not self._signals.stop and self._upkeep.fatal is None:
                    self._signals.wait(TICK)
                    self._tick()
            finally:
                self._finish()
            if self._upkeep.fatal is not None:
                raise self._upkeep.fatal

    def _answer(self, question: Mapping[str, object]) -> str:
        """What is asked on the socket: by hooks for context, by `brainbridge dashboard` for a login."""
        return self._page.login_url() if question.get("event") == "page" else self._context.answer(question)

    def _work(self) -> None:
        """One pass, in the scheduler's thread."""
        with self._busy:
            if self._signals.stop:
                return
            self._pass_began = time.monotonic()
            try:
                wake = self._upkeep.wake()
            finally:
                self._pass_began = None
            self._goodbyes_from = time.monotonic() + wake.goodbyes_after.total_seconds()
            self._plan(wake)
            if self._upkeep.reached:
                self._context.refresh(self._upkeep.settings)

    def _plan(self, wake: Wake) -> None:
        due = datetime.now(UTC) + wake.after
        jitter = jitter_seconds(wake.after, self._upkeep.settings.daemon.jitter_seconds)
        self._scheduler.reschedule_job(_JOB, trigger=self._trigger(due, jitter))

    def _trigger(self, first: datetime, jitter: float) -> IntervalTrigger:
        seconds = self._upkeep.interval.total_seconds()
        return IntervalTrigger(seconds=seconds, start_date=first, jitter=jitter, timezone=UTC)

    def _tick(self) -> None:
        self._feed_watchdog()
        if self._signals.take_hangup():
            self._load_settings()
        before, self._clocks = self._clocks, _clocks()
        if (step := clock_step(before, self._clocks)) is not None:
            # The scheduler waits by one clock for an instant of the other: after a step it must be told anew.
            log.warning("clock.stepped", brain=self._brain, stepSeconds=round(step, 1))
            self._wake_wanted = True
        if self._busy.locked():
            return
        if self._wake_wanted or self._has_goodbyes():
            self._wake_wanted = False
            self._scheduler.modify_job(_JOB, next_run_time=datetime.now(UTC))
        # A log that cannot be moved goes on growing, which is better than a daemon that ends for it.
        with suppress(OSError):
            rotate(self._log_file, self._upkeep.settings.daemon.log_max_bytes)

    def _has_goodbyes(self) -> bool:
        if time.monotonic() < self._goodbyes_from:
            return False
        try:
            return bool(self._upkeep.spool.entries(self._brain))
        except OSError as error:  # too many open files, a file system that is away: the next look may succeed
            log.warning("spool.unread", brain=self._brain, error=str(error))
            self._goodbyes_from = time.monotonic() + SPOOL_PAUSE
            return False

    def _feed_watchdog(self) -> None:
        began = self._pass_began
        if began is None or time.monotonic() - began < PASS_LIMIT:
            notify("WATCHDOG=1")

    def _load_settings(self) -> None:
        try:
            self._upkeep.settings = self._reload().model_copy(update={"home": self._home})
        except (SettingsError, OSError) as error:
            log.warning("settings.refused", brain=self._brain, error=str(error))
            return
        log.info(
            "settings.reloaded",
            brain=self._brain,
            intervalMinutes=self._upkeep.settings.daemon.interval_minutes,
        )
        self._wake_wanted = True

    def _note(self, report: RunReport) -> None:
        self._state = replace(self._state, last_run=last_run_of(report))
        write_state(state_file(self._home, self._brain), self._state)

    def _finish(self) -> None:
        """Let the pass in hand end. The scheduler is stopped after it: its shutdown waits for the pass with a lock held
        that the pass needs to plan the next one."""
        notify("STOPPING=1")
        self._signals.stop = True
        while not self._busy.acquire(timeout=TICK):
            self._feed_watchdog()
        self._busy.release()
        self._scheduler.shutdown()
        self._context.close()
        log.info("daemon.stopped", brain=self._brain, pid=self._state.pid)


def _clocks() -> Reading:
    return Reading(time.time(), time.monotonic())
