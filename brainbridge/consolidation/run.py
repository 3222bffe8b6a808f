"""One consolidation: the passes in their order, each in transactions of its own, recorded as a ConsolidationRun.

    adopt → decay → relate → expire → promote

A pass that fails stops the run: what was committed stays, the rest is reported as skipped, and the next run completes
it. A pass called alone adopts first; expire and promote settle energies first as well, because they compare what is
left at the run's instant, not what was left at the last one. Settling changes no effective energy.
"""

import time
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any
from uuid import uuid4

from brainbridge.consolidation import lease
from brainbridge.consolidation.adopt import adopt, adoptable
from brainbridge.consolidation.decay import decay
from brainbridge.consolidation.expire import expire
from brainbridge.consolidation.passes import Pass, Run
from brainbridge.consolidation.promote import promote
from brainbridge.consolidation.relate import due, relate
from brainbridge.consolidation.report import COUNT_NAMES, PassReport, RunReport
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.scope import Scope
from brainbridge.domain.secrets import redacted
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import LawVersion
from brainbridge.graph.statements import inspect, runs
from brainbridge.logs import get_logger

PASSES: Mapping[str, Pass] = {
    "adopt": adopt,
    "decay": decay,
    "relate": relate,
    "expire": expire,
    "promote": promote,
}

# relate stands between decay and expire: declared relations raise or lower energies before the thresholds are
# looked at. Promotion comes last, so nothing just promoted is decayed or expired in the same run.
OPERATIONS: Mapping[str, tuple[str, ...]] = {
    "consolidate": ("adopt", "decay", "relate", "expire", "promote"),
    "decay": ("adopt", "decay"),
    "relate": ("adopt", "relate"),
    "expire": ("adopt", "decay", "expire"),
    "promote": ("adopt", "decay", "promote"),
}

# Runs that someone waits for, and may have called to mend a brain.
THOROUGH = ("manual", "api")

log = get_logger(__name__)


def run(
    graph: Graph,
    scope: Scope,
    law: LawVersion,
    *,
    operation: str = "consolidate",
    trigger: str = "manual",
    now: datetime | None = None,
    owns_unowned: bool = False,
    wait_seconds: float = 0.0,
) -> RunReport:
    """Carry out one operation on one scope.

    Args:
        operation: a key of OPERATIONS.
        trigger: what started it: manual, schedule, goodbye, api.
        now: the instant to compute for; the database server's clock if not given.
        owns_unowned: whether memories that name no brain belong to this one.
        wait_seconds: how long to wait for another run on the same scope.

    Returns:
        What each pass did; a failed pass is reported, not raised.

    Raises:
        LeaseHeld: another run on the same scope is in progress.
        DatabaseUnreachable: the database went away, so that not even the record could be written.
    """
    run_id = str(uuid4())
    with lease.held(graph, scope, run_id, wait_seconds=wait_seconds) as ours:
        started = time.perf_counter()
        started_at = graph.now()
        this = Run(
            run_id,
            scope,
            now or started_at,
            law.law,
            scheduled=trigger == "schedule",
            owns_unowned=owns_unowned,
            thorough=trigger in THOROUGH,
        )
        passes = tuple(_passes(graph, this, OPERATIONS[operation]))
        report = RunReport(run_id, operation, scope, trigger, this.now, law.version, passes, elapsed_ms=_since(started))
        # One transaction: if the database goes away now, a recorded run does not lock the brain for two minutes.
        record = partial(runs.write_run, scope=scope, id=run_id, run=_record(report, started_at))
        ours.released_with("runs/write_run", record)
    _log_finished(report)
    return report


def preview(
    graph: Graph,
    scope: Scope,
    law: LawVersion,
    *,
    operation: str = "consolidate",
    now: datetime | None = None,
    owns_unowned: bool = False,
) -> RunReport:
    """What `run` would do at `now`; reads only.

    What it would adopt and relate is counted, but not followed through the passes after it.
    """
    started = time.perf_counter()
    this = Run(str(uuid4()), scope, now or graph.now(), law.law, owns_unowned=owns_unowned)
    tiers = graph.read("inspect/status", partial(inspect.status, scope=scope, now=this.now)).values()
    counts = {
        "adopt": adoptable(graph, this),
        "decay": sum(tier.undecayed for tier in tiers),
        "relate": due(graph, this),
        "expire": sum(tier.expirable for tier in tiers),
        "promote": sum(tier.promotable for tier in tiers),
    }
    passes = tuple(PassReport(name, counts[name], 0.0, "preview") for name in OPERATIONS[operation])
    return RunReport(
        this.id, operation, scope, "manual", this.now, law.version, passes, elapsed_ms=_since(started), dry_run=True
    )


def _passes(graph: Graph, this: Run, names: tuple[str, ...]) -> Iterator[PassReport]:
    failed = False
    for name in names:
        if failed:
            yield PassReport(name, 0, 0.0, "skipped")
            continue
        started = time.perf_counter()
        try:
            changed = PASSES[name](graph, this)
            done = PassReport(name, changed, _since(started))
        except Exception as error:  # whatever it was: it is reported, recorded, and the next run tries again
            failed = True
            said = str(error) if isinstance(error, BrainbridgeError) else f"{type(error).__name__}: {error}"
            done = PassReport(name, 0, _since(started), "failed", redacted(said))  # it is kept in the graph, too
        log.info(
            "pass.finished",
            runId=this.id,
            brain=this.scope.brain,
            isTest=this.scope.is_test,
            **{"pass": name},
            changed=done.changed,
            elapsedMs=done.elapsed_ms,
            outcome=done.outcome,
            error=done.error,
        )
        yield done


def _since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)


def _record(report: RunReport, started_at: datetime) -> dict[str, Any]:
    """The properties of the ConsolidationRun node."""
    return {
        "operation": report.operation,
        "trigger": report.trigger,
        "now": report.now,
        "startedAt": started_at,
        "elapsedMs": report.elapsed_ms,
        "outcome": report.outcome,
        "error": report.error,
        "configVersion": report.config_version,
        **{COUNT_NAMES[done.name]: done.changed for done in report.passes},
        **{f"{done.name}Ms": done.elapsed_ms for done in report.passes},
    }


def _log_finished(report: RunReport) -> None:
    log.info(
        "consolidation.finished",
        runId=report.run_id,
        brain=report.scope.brain,
        isTest=report.scope.is_test,
        operation=report.operation,
        trigger=report.trigger,
        now=report.now.isoformat(),
        counts={COUNT_NAMES[done.name]: done.changed for done in report.passes},
        elapsedMs=report.elapsed_ms,
        outcome=report.outcome,
        error=report.error,
    )
