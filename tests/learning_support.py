"""What the tests of learning share: pages made by hand, recorded, and what the graph says of them."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any
from uuid import uuid4

from brainbridge.app import Brain
from brainbridge.domain.recall import Hit, Page, Strength
from brainbridge.learning.page import record
from brainbridge.settings import LearningSettings
from tests.support import T0, create_test_memories, query

Answer = tuple[str, float, Strength]


def notes(brain: Brain, count: int, *, energy: float = 1.0, tier: str = "longTerm") -> list[str]:
    """The ids of new test memories, in no order; longTerm, so that they are live for the whole of a test."""
    return create_test_memories(brain, [(f"note {uuid4()}", energy, tier) for _ in range(count)])


def page_of(
    brain: Brain,
    hits: Sequence[str | Answer] = (),
    *,
    question: str = "where is the port",
    at: datetime = T0,
    test: bool = True,
    **evidence: Any,
) -> Page:
    """A page with these memories on it, in this order: ids (strong, scores from 1 down), or (id, score, strength)."""
    answers = [
        hit if isinstance(hit, tuple) else (hit, 1 / place, Strength.STRONG) for place, hit in enumerate(hits, 1)
    ]
    return Page(
        question,
        at,
        tuple(
            Hit(brain.find(id_, test=test), rank, score, strength, energy=1.0, **evidence)
            for rank, (id_, score, strength) in enumerate(answers, 1)
        ),
    )


def recorded(brain: Brain, page: Page, *, test: bool = True, settings: LearningSettings | None = None) -> str | None:
    """Record a page as an explicit recall does; its id, or None if nothing was kept."""
    work = partial(record, scope=brain.scope(test=test), page=page, settings=settings or LearningSettings())
    return brain.graph.write("learning/record_page", work)


def recalled(
    brain: Brain,
    hits: Sequence[str | Answer] = (),
    *,
    test: bool = True,
    settings: LearningSettings | None = None,
    **page: Any,
) -> str:
    """Record a page as an explicit recall does; its id."""
    made = page_of(brain, hits, test=test, **page)
    id_ = recorded(brain, made, test=test, settings=settings)
    assert id_ is not None
    return id_


def weak(*ids: str) -> list[Answer]:
    """Hits that are no answer."""
    return [(id_, 1 / place, Strength.WEAK) for place, id_ in enumerate(ids, 1)]


def nodes(brain: Brain, label: str, *, test: bool = True) -> list[dict[str, Any]]:
    """The properties of all nodes with `label` in one scope."""
    found = query(
        brain.graph,
        "MATCH (n) WHERE $label IN labels(n) AND n.brain = $brain AND n.isTest = $test RETURN properties(n) AS n",
        label=label,
        brain=brain.name,
        test=test,
    )
    return [row["n"] for row in found]
