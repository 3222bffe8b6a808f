"""The law stands in Cypher and, readable, in Python: on a real server the two are equal to 1e-9."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from neo4j import Transaction

from brainbridge.app import Brain
from brainbridge.domain.clock import hours_between
from brainbridge.domain.energy import DEFAULT_LAW, Law, effective_energy, expires_in_hours
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import LIVE_TIERS, Tier
from brainbridge.graph.law import properties_of_law
from brainbridge.graph.records import iso
from brainbridge.graph.statements import config, consolidation, inspect
from brainbridge.graph.statements import memory as memories
from tests.support import T0

EXACT = 1e-9
NOW = T0
# Counts compare with thresholds; within this of one, the last bit of exp decides, which no one promises.
UNDECIDED = 1e-9


class Case(NamedTuple):
    """One memory: stored energy, tier, hours since its lastDecay (negative: the clock stepped back), core."""

    energy: float
    tier: Tier
    hours: float
    core: bool

    @property
    def settled(self) -> Any:
        """Its lastDecay, to the millisecond, as everything that brainbridge writes."""
        return NOW - timedelta(milliseconds=round(self.hours * 3_600_000))

    def left(self, law: Law) -> float:
        """What the Python law says is left at NOW."""
        return effective_energy(self.energy, self.tier, hours_between(self.settled, NOW), core=self.core, law=law)


energies = st.one_of(st.floats(0, 12), st.floats(0, 0.2), st.sampled_from([0.0, 0.1, 2.0, 5.0, 10.0]))
spans = st.one_of(st.floats(-48, 0), st.floats(0, 2), st.floats(0, 8_000), st.sampled_from([0.0, 0.25, 1.0, 24.0]))
cases = st.builds(Case, energies, st.sampled_from(LIVE_TIERS), spans, st.booleans())
laws = st.one_of(
    st.just(DEFAULT_LAW),
    st.builds(
        Law,
        lambda_working=st.floats(0.01, 5),
        lambda_short_term=st.floats(0.001, 1),
        lambda_long_term=st.floats(1e-6, 0.1),
        threshold_working=st.floats(1, 3),
        threshold_short_term=st.floats(3.5, 8),
        expiry_threshold=st.floats(0.01, 0.5),
        long_term_floor=st.floats(0.5, 1),
    ),
)
twin = settings(
    max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@contextmanager
def rolled_back(brain: Brain, law: Law) -> Iterator[Transaction]:
    """One transaction with `law` in force, that leaves nothing behind."""
    version = brain.law().version
    with brain.graph.session() as session:
        transaction = session.begin_transaction()
        try:
            tx: Any = transaction  # the statements take any transaction that runs
            config.write_config(tx, brain=brain.name, now=NOW, version=version, changes=properties_of_law(law))
            yield tx
        finally:
            transaction.rollback()


def born(tx: Transaction, scope: Scope, drawn: list[Case]) -> list[str]:
    """Write the cases as memories; their ids in the same order."""
    rows: list[dict[str, Any]] = [
        {
            "id": str(uuid4()),
            "event": str(uuid4()),
            "content": "a note",
            "tier": case.tier.value,
            "energy": case.energy,
            "core": case.core,
            "at": iso(case.settled),
        }
        for case in drawn
    ]
    memories.create_memories(tx, scope, births=rows)
    return [row["id"] for row in rows]


def stored(tx: Transaction, ids: list[str]) -> list[float]:
    """The energies as they stand, in the order of `ids`."""
    result = tx.run("UNWIND $ids AS id MATCH (m:Memory {id: id}) RETURN id, m.energy AS energy", ids=ids)
    found = {record["id"]: record["energy"] for record in result}
    return [found[each] for each in ids]


@pytest.mark.parametrize("is_test", [False, True])
@given(drawn=st.lists(cases, min_size=1, max_size=60), law=laws)
@twin
def test_a_decay_pass_is_the_law(brain: Brain, is_test: bool, drawn: list[Case], law: Law) -> None:
    """consolidation/decay leaves what `effective_energy` says, for any energy, tier, span, core and law (R-004-13)."""
    scope = brain.scope(test=is_test)
    with rolled_back(brain, law) as tx:
        ids = born(tx, scope, drawn)
        for tier in LIVE_TIERS:
            consolidation.decay(tx, scope, now=NOW, tier=tier, due_before=NOW, batch=1_000)
        left = stored(tx, ids)
        again = [consolidation.decay(tx, scope, now=NOW, tier=t, due_before=NOW, batch=1_000) for t in LIVE_TIERS]

    assert [pytest.approx(case.left(law), rel=EXACT, abs=EXACT) for case in drawn] == left
    assert again == [0, 0, 0]


@given(drawn=st.lists(cases, min_size=1, max_size=25), law=laws)
@twin
def test_settling_one_memory_is_the_law(brain: Brain, drawn: list[Case], law: Law) -> None:
    """memory/settle gives the same, and names the instant: now, or the later one at which it was settled before."""
    with rolled_back(brain, law) as tx:
        ids = born(tx, brain.scope(), drawn)
        settled = [memories.settle(tx, brain.scope(), now=NOW, id=each) for each in ids]
        left = stored(tx, ids)

    assert [pytest.approx(case.left(law), rel=EXACT, abs=EXACT) for case in drawn] == left
    assert [(energy, max(NOW, case.settled)) for energy, case in zip(left, drawn, strict=True)] == [
        (found.energy, found.at) for found in settled if found
    ]


@given(drawn=st.lists(cases, min_size=1, max_size=60), law=laws)
@twin
def test_status_reads_the_law(brain: Brain, drawn: list[Case], law: Law) -> None:
    """inspect/status counts and averages effective energies without settling anything (R-004-04)."""
    with rolled_back(brain, law) as tx:
        born(tx, brain.scope(), drawn)
        found = inspect.status(tx, brain.scope(), now=NOW)

    for tier in LIVE_TIERS:
        here = [case for case in drawn if case.tier is tier]
        left = [case.left(law) for case in here]
        assert len(here) == found[tier].memories
        if not here:
            assert (found[tier].mean_energy, found[tier].max_energy) == (None, None)
            continue
        assert pytest.approx(sum(left) / len(left), rel=EXACT, abs=EXACT) == found[tier].mean_energy
        assert pytest.approx(max(left), rel=EXACT, abs=EXACT) == found[tier].max_energy
        assert sum(case.settled < NOW for case in here) == found[tier].undecayed
        fading = [x for x, case in zip(left, here, strict=True) if not case.core]
        threshold = law.threshold(tier)
        if threshold is not None:
            sure = sum(x > threshold + UNDECIDED for x in fading)
            assert sure <= found[tier].promotable <= sure + sum(abs(x - threshold) <= UNDECIDED for x in fading)
            limit = law.expiry_threshold
            sure = sum(x < limit - UNDECIDED for x in fading)
            assert sure <= found[tier].expirable <= sure + sum(abs(x - limit) <= UNDECIDED for x in fading)


@given(
    drawn=st.lists(
        st.builds(Case, st.floats(0.5, 12), st.sampled_from(LIVE_TIERS[:2]), spans, st.just(False)), min_size=1
    ),
    law=laws,
)
@twin
def test_status_predicts_the_expiry_that_the_law_predicts(brain: Brain, drawn: list[Case], law: Law) -> None:
    """The next expiry of a tier is the earliest of its memories', to the millisecond (R-004-19)."""
    with rolled_back(brain, law) as tx:
        born(tx, brain.scope(), drawn)
        found = inspect.status(tx, brain.scope(), now=NOW)

    for tier in LIVE_TIERS[:2]:
        ends = [
            case.settled.timestamp() * 1000 + hours * 3_600_000
            for case in drawn
            if case.tier is tier and (hours := expires_in_hours(case.energy, tier, law=law)) is not None
        ]
        if ends:
            assert found[tier].next_expiry_ms == pytest.approx(min(ends), abs=1)
