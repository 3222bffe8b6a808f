"""A run killed anywhere can be run again, and the result equals an uninterrupted run (P1)."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from neo4j import Transaction

from brainbridge.app import Brain, initialise
from brainbridge.consolidation import run as consolidation_run
from brainbridge.domain.errors import QueryFailed
from brainbridge.graph.connection import Graph
from brainbridge.settings import Settings
from tests.support import T0, create_test_memories, hours, query


class Killed(BaseException):
    """What ends a client without a chance to tidy up."""


class FailingGraph(Graph):
    """A connection that fails at its nth write of a pass (or of one pass), before the work or after the commit."""

    def __init__(
        self, graph: Graph, at: int, failure: BaseException, *, after_commit: bool, writes: str = "consolidation/"
    ) -> None:
        super().__init__(graph._driver, graph.address)
        self.left, self.failure, self.after_commit, self.writes = at, failure, after_commit, writes

    def write(self, query: str, work: Callable[[Transaction], Any], *, run: str = "") -> Any:
        if not query.startswith(self.writes):
            return super().write(query, work, run=run)
        self.left -= 1
        if self.left == 0 and not self.after_commit:
            raise self.failure
        done = super().write(query, work, run=run)
        if self.left == 0:
            raise self.failure
        return done


def furnish(brain: Brain) -> None:
    """Something for every pass: memories that fade, that stay, and that promote from each tier."""
    kinds = ((0.11, "working"), (1.0, "working"), (4.0, "working"), (5.5, "shortTerm"), (3.0, "longTerm"))
    create_test_memories(brain, [(f"{e} {t} {i}", e, t) for i in range(3) for e, t in kinds])


def picture(brain: Brain) -> list[dict[str, Any]]:
    """The memories without their random ids."""
    return query(
        brain.graph,
        """
        MATCH (m:Memory {brain: $brain})
        RETURN m.content AS content, m.tier AS tier, m.energy AS energy, m.lastDecay AS settled, m.validTo AS until,
               labels(m) AS labels, COUNT { (m)-[:PROMOTED_TO]->() } AS successors, COUNT { (m)<-[:OF]-() } AS events
        ORDER BY content, tier, until
        """,
        brain=brain.name,
    )


@pytest.fixture(scope="module")
def uninterrupted(graph: Graph) -> list[dict[str, Any]]:
    """The picture after a run that nothing disturbed."""
    name = f"undisturbed{uuid4().hex[:8]}"
    initialise(graph, name)
    brain = Brain(graph, name, Settings(), owns_unowned=False)
    furnish(brain)
    brain.consolidate(test=True, now=T0 + hours(1))
    return picture(brain)


@pytest.mark.parametrize("after_commit", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, 15))
def test_a_run_killed_at_any_transaction_can_be_run_again(
    brain: Brain, uninterrupted: list[dict[str, Any]], at: int, after_commit: bool
) -> None:
    """Killed at the nth transaction, before it or after its commit, then run again at the same instant (P1)."""
    furnish(brain)
    failing = FailingGraph(brain.graph, at, Killed(), after_commit=after_commit)
    with suppress(Killed):
        consolidation_run.run(failing, brain.scope(test=True), brain.law(), now=T0 + hours(1))

    brain.consolidate(test=True, now=T0 + hours(1))

    assert uninterrupted == picture(brain)


def test_a_failing_pass_stops_the_run_and_the_next_run_completes_it(
    brain: Brain, uninterrupted: list[dict[str, Any]]
) -> None:
    """What was committed stays, the rest is reported as skipped, the outcome is failed (R-004-31)."""
    furnish(brain)
    failing = FailingGraph(
        brain.graph, 1, QueryFailed("out of luck"), after_commit=False, writes="consolidation/expire"
    )

    report = consolidation_run.run(failing, brain.scope(test=True), brain.law(), now=T0 + hours(1))

    assert "failed" == report.outcome
    assert [("adopt", "ok"), ("decay", "ok"), ("relate", "ok"), ("expire", "failed"), ("promote", "skipped")] == [
        (done.name, done.outcome) for done in report.passes
    ]
    assert "out of luck" == report.error
    assert {T0 + hours(1)} == {row["settled"] for row in picture(brain)}
    (record,) = query(
        brain.graph,
        "MATCH (r:ConsolidationRun {id: $id}) RETURN r.outcome AS outcome, r.error AS error",
        id=report.run_id,
    )
    assert {"outcome": "failed", "error": "out of luck"} == record
    brain.consolidate(test=True, now=T0 + hours(1))
    assert uninterrupted == picture(brain)


def test_the_lease_of_a_failed_run_is_given_back(brain: Brain) -> None:
    """A pass that fails does not lock the brain for two minutes."""
    failing = FailingGraph(brain.graph, 1, QueryFailed("out of luck"), after_commit=False)
    consolidation_run.run(failing, brain.scope(), brain.law(), now=T0)

    assert "ok" == brain.consolidate(now=T0).outcome
