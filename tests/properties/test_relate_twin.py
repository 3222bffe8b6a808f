"""The effects of relations stand in Cypher and, readable, in Python: on a real server the two are equal to 1e-9."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.app import Brain
from brainbridge.domain.energy import Law, contradicted, supported
from brainbridge.domain.relation import Relation
from brainbridge.graph.statements import consolidation, edges
from brainbridge.graph.statements import memory as memories
from brainbridge.graph.statements.consolidation import DueRelation
from tests.properties.test_twin import EXACT, NOW, Case, born, cases, rolled_back, stored, twin

laws = st.builds(
    Law,
    relate_gain=st.floats(0, 2),
    relate_cap=st.floats(0, 12),
    contradict_loss=st.floats(0, 3),
    long_term_floor=st.floats(0.1, 1),
)


def after(case: Case, relation: Relation, law: Law, *, target: bool) -> float:
    """What the Python law says an end has after its relation acted at NOW."""
    left = case.left(law)
    if case.core or (relation is not Relation.CONTRADICTS and not target):
        return left
    return contradicted(left, case.tier, law) if relation is Relation.CONTRADICTS else supported(left, law)


@given(drawn=st.lists(st.tuples(cases, st.sampled_from(Relation), cases), min_size=1, max_size=8), law=laws)
@twin
def test_an_effect_is_the_law(brain: Brain, drawn: list[tuple[Case, Relation, Case]], law: Law) -> None:
    """settle, then relate, leave what `supported` and `contradicted` say of what decay left (R-000-21, R-000-22)."""
    scope = brain.scope()
    with rolled_back(brain, law) as tx:
        ids = born(tx, scope, [end for source, _, target in drawn for end in (source, target)])
        for (_, relation, _), one, two in zip(drawn, ids[::2], ids[1::2], strict=True):
            edges.link(tx, scope, from_id=one, relation=relation, to_id=two, declared_by="a test", now=NOW)
            for each in (one, two):
                memories.settle(tx, scope, now=NOW, id=each)
            assert consolidation.relate(tx, scope, now=NOW, due=DueRelation(one, relation.name, two)) > 0
        left = stored(tx, ids)

    expected = [
        after(case, relation, law, target=case is target)
        for source, relation, target in drawn
        for case in (source, target)
    ]
    assert [pytest.approx(energy, rel=EXACT, abs=EXACT) for energy in expected] == left
