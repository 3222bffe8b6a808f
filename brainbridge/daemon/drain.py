"""Answer goodbyes: one run per brain and scope, however many piled up. The daemon and the worker both come here."""

from collections.abc import Callable

from brainbridge.app import Brain
from brainbridge.consolidation.report import RunReport
from brainbridge.daemon.spool import Entry, Spool, Unreadable
from brainbridge.logs import get_logger

log = get_logger(__name__)


def drain(
    spool: Spool,
    brain: Brain,
    *,
    wait_seconds: float = 0.0,
    on_run: Callable[[RunReport], None] = lambda _: None,
) -> bool:
    """Answer the goodbyes to `brain`. Each stays in the spool until a run that began after it has succeeded.

    Args:
        wait_seconds: how long to wait for another run on the same scope.
        on_run: hears of every run.

    Returns:
        Whether all of those found were answered; if not, the log says why.

    Raises:
        LeaseHeld, DatabaseUnreachable and the like: the rest stays in the spool.
    """
    all_answered = True
    for is_test in (False, True):
        waiting = spool.entries(brain.name, is_test=is_test)
        if not waiting:
            continue
        report = brain.consolidate(test=is_test, trigger="goodbye", wait_seconds=wait_seconds)
        on_run(report)
        if report.outcome == "ok":
            spool.remove(waiting)
            log.info(
                "goodbye.answered",
                runId=report.run_id,
                brain=brain.name,
                isTest=is_test,
                goodbyes=len(waiting),
                askedAt=waiting[0].at,
                outcome="ok",
            )
        else:
            all_answered = False
            log_deferred(brain.name, waiting, str(report.error), run_id=report.run_id)
    return all_answered


def reject_unanswerable(spool: Spool, brain: str, reason: str) -> None:
    """Give up the goodbyes to a brain that there is not."""
    _reject(spool, spool.entries(brain), reason)


def reject_unreadable(spool: Spool) -> None:
    """Give up what cannot be read as a goodbye, and clear away what was never finished."""
    for unreadable in spool.unreadable():
        _reject(spool, [unreadable], unreadable.reason)
    spool.sweep()


def log_deferred(brain: str, waiting: list[Entry], reason: str, *, run_id: str | None = None) -> None:
    """Say that goodbyes stay in the spool, and why."""
    log.warning(
        "goodbye.deferred",
        runId=run_id,
        brain=brain,
        goodbyes=len(waiting),
        askedAt=waiting[0].at if waiting else None,
        outcome="deferred",
        error=reason,
    )


def _reject(spool: Spool, entries: list[Entry] | list[Unreadable], reason: str) -> None:
    spool.reject(entries)
    for entry in entries:
        log.warning(
            "goodbye.rejected",
            brain=entry.brain if isinstance(entry, Entry) else None,
            file=str(spool.failed / entry.path.name),
            outcome="rejected",
            error=reason,
        )
