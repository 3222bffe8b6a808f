"""Health: whether the law is in force, when each operation last ran, and document 004's four troubles, by name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal

from brainbridge.domain.adoption import Misfit, fitted
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import Tier
from brainbridge.graph import law as graph_law
from brainbridge.graph import schema
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import LawVersion
from brainbridge.graph.statements import config, consolidation, inspect, runs
from brainbridge.inspection.status import Status, status

Level = Literal["ok", "warning", "error"]

RUNS_LOOKED_AT = 200
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. `trouble` is the name document 004 gives it, where it has one."""

    name: str
    level: Level
    text: str


@dataclass(frozen=True, slots=True)
class Health:
    """The state of one brain. `last_runs`: the last run by operation; `errors`: failed runs among the last 200."""

    brain: str
    now: datetime
    law: LawVersion | None
    schema_version: int | None
    last_runs: Mapping[str, Mapping[str, Any]]
    errors: int
    findings: Sequence[Finding]

    @property
    def level(self) -> Level:
        """The worst level among the findings."""
        levels = {finding.level for finding in self.findings}
        return "error" if "error" in levels else "warning" if "warning" in levels else "ok"


def health(
    graph: Graph,
    brain: str,
    *,
    interval: timedelta,
    owns_unowned: bool,
    now: datetime | None = None,
) -> Health:
    """Look at a brain; reads only.

    Args:
        interval: how often the schedule runs; a last run older than two of them is a finding.
        owns_unowned: whether memories that name no brain will be adopted by this one.
    """
    now = now or graph.now()
    scope = Scope(brain)
    try:
        law: LawVersion | None = graph_law.current(
            graph.read("config/read_config", partial(config.read_config, brain=brain)), brain
        )
        config_finding = Finding(
            "configuration", "ok", f"constants of version {law.version} are in force" if law else ""
        )
    except BrainbridgeError as error:
        law, config_finding = None, Finding("configuration", "error", str(error))
    recent = graph.read("runs/list_runs", partial(runs.list_runs, scope=scope, limit=RUNS_LOOKED_AT))
    last_runs = {run["operation"]: run for run in reversed(recent) if "operation" in run}
    failed = [run for run in recent if run.get("outcome") == "failed"]
    findings = [
        config_finding,
        _runs_finding(recent, now, interval),
        _errors_finding(failed, recent),
        _promotion_finding(status(graph, scope, now=now), law) if law else None,
        _leak_finding(graph, brain),
        _identity_finding(graph),
        _misfit_finding(graph, scope),
        _vain_finding(graph, scope),
        *_stray_findings(graph, scope, now, owns_unowned),
    ]
    return Health(
        brain, now, law, schema.check(graph), last_runs, len(failed), [finding for finding in findings if finding]
    )


def _runs_finding(recent: Sequence[Mapping[str, Any]], now: datetime, interval: timedelta) -> Finding:
    name = "consolidation running"
    how = "Start `brainbridge daemon run`, or call `brainbridge goodbye` from a hook."
    done = [run for run in recent if run.get("outcome") == "ok" and run.get("operation") == "consolidate"]
    if not done:
        return Finding(name, "warning", f"no consolidation has finished yet. {how}")
    age = now - done[0]["startedAt"]
    text = f"last finished {_ago(age)} ago, by {done[0].get('trigger', 'unknown')}"
    return Finding(name, "ok", text) if age <= 2 * interval else Finding(name, "warning", f"{text}. {how}")


def _errors_finding(failed: Sequence[Mapping[str, Any]], recent: Sequence[Mapping[str, Any]]) -> Finding:
    if not failed:
        return Finding("errors", "ok", f"none in the last {len(recent)} runs")
    mended = recent[0].get("outcome") == "ok"
    text = f"{len(failed)} of the last {len(recent)} runs failed; the latest: {failed[0].get('error')}"
    return Finding("errors", "warning" if mended else "error", text)


def _promotion_finding(current: Status, law: LawVersion) -> Finding:
    parts = []
    for tier in (Tier.WORKING, Tier.SHORT_TERM):
        stands, threshold = current.tiers[tier], law.law.threshold(tier)
        highest = "none" if stands.max_energy is None else f"highest {stands.max_energy:.3f}"
        parts.append(f"{tier} {highest} against {threshold}, {stands.promotable} above")
    return Finding("promotion", "ok", "; ".join(parts))


def _leak_finding(graph: Graph, brain: str) -> Finding:
    work = partial(inspect.list_scope_leaks, scope=Scope(brain, is_test=True), limit=SHOWN)
    leaks = graph.read("inspect/list_scope_leaks", work)
    if not leaks:
        return Finding("test isolation", "ok", "no edge joins a test memory to a real one")
    listed = ", ".join(f"{leak['id']} -{leak['type']}- {leak['other']}" for leak in leaks)
    return Finding(
        "test isolation", "error", f"edges join test and real memories: {listed}. Remove them in Neo4j Browser."
    )


def _identity_finding(graph: Graph) -> Finding:
    name = "duplicate ids"
    if schema.has_constraint(graph, "memory_id"):
        return Finding(name, "ok", "impossible: the constraint memory_id is in force")
    return Finding(name, "error", "the constraint memory_id is missing. Run: brainbridge init")


def _misfit_finding(graph: Graph, scope: Scope) -> Finding | None:
    misfits = graph.read("inspect/list_misfits", partial(inspect.list_misfits, scope=scope, limit=SHOWN))
    if not misfits:
        return None
    listed = "; ".join(f"{each['id']} ({', '.join(map(_value, each['wrong'], each['values']))})" for each in misfits)
    return Finding(
        "values",
        "error",
        f"these memories have values outside the model: {listed}. `brainbridge consolidate` repairs what can be read "
        "and takes the rest out of play; then this command says how to mend that.",
    )


def _value(name: str, value: object) -> str:
    return f"{name} {value.isoformat() if isinstance(value, datetime) else repr(value)}"


def _vain_finding(graph: Graph, scope: Scope) -> Finding | None:
    """A core memory keeps its energy whatever contradicts it: only a person can settle which of the two is right."""
    work = partial(inspect.list_vain_contradictions, scope=scope, limit=SHOWN)
    vain = graph.read("inspect/list_vain_contradictions", work)
    if not vain:
        return None
    listed = "; ".join(f"{each['other']} and core memory {each['core']}" for each in vain)
    how = "Settle them: unlink, or unprotect or replace the core memory."
    return Finding("contradictions", "warning", f"core memories lose nothing by these: {listed}. {how}")


def _stray_findings(graph: Graph, scope: Scope, now: datetime, owns_unowned: bool) -> Iterator[Finding]:
    """Memories that nothing sees: only looked for when the store's counters say there are some."""
    if graph.read("consolidation/count_strays", consolidation.count_strays) == 0:
        return
    strays = graph.read("inspect/list_strays", partial(inspect.list_strays, scope=scope, limit=RUNS_LOOKED_AT))
    misfits = [(stray, fit) for stray in strays if isinstance(fit := fitted(stray, scope, now), Misfit)]
    for stray, misfit in misfits[:SHOWN]:
        id_ = stray.get("id")
        yield Finding(
            "adoption",
            "error",
            f"memory {id_!r} cannot be adopted: {misfit.reason}. "
            f"Mend it in Neo4j Browser: MATCH (m:Memory {{id: {id_!r}}}) {misfit.mend}",
        )
    unowned = sum(stray.get("brain") is None for stray in strays)
    if unowned and not owns_unowned:
        yield Finding(
            "adoption",
            "warning",
            f"{unowned} memories name no brain and several brains share this database. "
            f"Set their brain property, or adopt_unowned = true in the profile of {scope.brain}.",
        )
    due = len(strays) - len(misfits) - (0 if owns_unowned else unowned)
    if due > 0:
        yield Finding("adoption", "ok", f"{due} hand-written memories will be adopted by the next run")


def _ago(age: timedelta) -> str:
    minutes = max(int(age.total_seconds() // 60), 0)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 2880 else f"{minutes // 1440} d"
