"""Retention: what was recorded of use goes after its time, in batches; memories stay, and what is left still proves."""

from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.daemon import upkeep as daemon
from brainbridge.daemon.upkeep import Upkeep
from brainbridge.learning import prune as module
from brainbridge.learning.prune import prune
from brainbridge.settings import LearningSettings, Settings
from tests.integration.test_verify import Storm
from tests.learning_support import nodes, notes, recalled, weak
from tests.support import T0, everything_but, minutes, properties_of, query

DAY = timedelta(days=1)
LABELS = ("RecallPage", "RecallMiss", "ShadowRank", "EnergyEvent")


def used(brain: Brain, at: datetime, *, test: bool = True) -> str:
    """A memory born at T0 and, at `at`: a recall with a miss and a shadow order, an opening from it."""
    id_ = notes(brain, 1)[0] if test else brain.remember("the port is 7687", at=T0).id
    page = recalled(brain, weak(id_), at=at, question=f"asked {at}", test=test)
    query(
        brain.graph,
        "MATCH (p:RecallPage {id: $page}) CREATE (:ShadowRank {id: randomUUID(), brain: p.brain, isTest: p.isTest, "
        "at: p.at, candidate: 'co-activation', places: [1]})-[:SHADOWS]->(p)",
        page=page,
    )
    brain.open(id_, test=test, now=at + minutes(1))
    return id_


def left(brain: Brain, *, test: bool = True) -> list[int]:
    """How many pages, misses, shadow orders and events of a scope there are."""
    return [len(nodes(brain, label, test=test)) for label in LABELS]


@pytest.mark.parametrize(
    ("days", "age", "kept"),
    [
        (180, 179, True),
        (180, 181, False),
        (60, 61, False),
        (30, 59, True),
        (30, 61, False),
        (1, 59, True),
        (0, 9e4, True),
    ],
)
def test_records_go_after_their_time(brain: Brain, days: int, age: float, kept: bool) -> None:
    """180 days; less than 60 counts as 60; 0 is for ever (R-003-28, -37)."""
    id_ = used(brain, T0 + DAY)
    before = properties_of(brain, id_)
    settings = LearningSettings(event_retention_days=days)

    done = prune(brain.graph, brain.scope(test=True), settings=settings, now=T0 + DAY + minutes(2) + age * DAY)

    # The birth is a day older than the rest.
    assert ([1, 1, 1] if kept else [0, 0, 0]) == left(brain)[:3]
    assert (kept and days != 0, kept) == (done.before is not None and kept, done.pages == 0)
    assert before == properties_of(brain, id_)


def test_the_daemon_warns_once_of_a_setting_below_the_least(
    brain: Brain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what was asked for and what is done; again only when the settings are loaded anew (R-003-28)."""
    said: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(daemon.log, "warning", lambda event, **values: said.append((event, values)))
    upkeep = upkept(brain, tmp_path, event_retention_days=30)

    for _ in range(2):
        upkeep.once()
        query(brain.graph, "MATCH (r:ConsolidationRun {brain: $b}) DETACH DELETE r", b=brain.name)
    upkeep.settings = Settings(home=tmp_path, learning=LearningSettings(event_retention_days=1))
    upkeep.once()

    assert [("retention.raised", {"brain": brain.name, "asked": asked, "days": 60}) for asked in (30, 1)] == said


def test_a_miss_is_as_old_as_its_last_asking(brain: Brain) -> None:
    """Asked again yesterday it stays, although its first page goes (R-003-28)."""
    recalled(brain, [], question="again and again", at=T0)
    recalled(brain, [], question="again and again", at=T0 + 200 * DAY)

    done = brain.prune(test=True, now=T0 + 201 * DAY)

    assert (1, 0) == (done.pages, done.misses)
    assert [2] == [miss.count for miss in brain.misses(test=True)]


def test_pruning_takes_batches_and_can_be_cut_short(brain: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small transactions; what is left when the budget is spent goes the next time."""
    monkeypatch.setattr(module, "PAGES", 2)
    monkeypatch.setattr(module, "BATCH", 3)
    ids = notes(brain, 2)
    for number in range(7):
        recalled(brain, weak(*ids), at=T0 + minutes(number), question=f"question {number}")
    prune_all = partial(brain.prune, test=True, now=T0 + 400 * DAY)

    first, second, rest = prune_all(most_batches=2), prune_all(most_batches=3), prune_all()

    assert (4, 0, 0, True) == (first.pages, first.misses, first.events, first.more)
    assert (3, 3, True) == (second.pages, second.misses, second.more)
    assert (0, 4, 2, False) == (rest.pages, rest.misses, rest.events, rest.more)
    assert [0, 0, 0, 0] == left(brain)
    assert 0 == prune_all().total


@pytest.mark.parametrize("is_test", [True, False])
def test_pruning_stays_in_its_scope(brain: Brain, is_test: bool) -> None:
    """What the other scope recorded is left (R-004-10, P6)."""
    for test in (True, False):
        used(brain, T0 + DAY, test=test)
    outside = everything_but(brain.graph, brain.name, is_test=is_test)

    brain.prune(test=is_test, now=T0 + 400 * DAY)

    assert ([0, 0, 0, 0], [1, 1, 1, 2]) == (left(brain, test=is_test), left(brain, test=not is_test))
    assert outside == everything_but(brain.graph, brain.name, is_test=is_test)


@pytest.mark.parametrize("seed", range(2))
def test_what_is_left_of_a_ledger_still_proves(brain: Brain, seed: int) -> None:
    """A storm of events, then ever more of the ledger gone: no energy is accused, and the count says what is proven."""
    storm = Storm(brain, seed, test=True)
    storm.run(60)
    whole = brain.verify(test=True)
    proven = []
    for share in (0.2, 0.5, 0.8, 1.1):
        kept_from = T0 + share * (storm.now - T0)
        brain.prune(test=True, now=kept_from + 180 * DAY)
        found = brain.verify(test=True)
        proven.append(found.events)
        assert () == found.wrong

    assert whole.events > proven[0] > proven[1] > proven[2] > proven[3] == 0
    assert whole.memories == brain.verify(test=True).unproven + sum(
        memory["labels"] == ["ArchivedMemory"]
        for memory in (
            row["m"]
            for row in query(
                brain.graph,
                "MATCH (m:Memory {brain: $b}) WHERE NOT EXISTS { (m)-[:PROMOTED_TO]->() } "
                "RETURN m {labels: [l IN labels(m) WHERE l <> 'Memory']} AS m",
                b=brain.name,
            )
        )
    )


def test_bonds_stay_when_their_openings_go(brain: Brain) -> None:
    """They are counted again only from what is kept; until then they fade as before."""
    ids = notes(brain, 2)
    for id_ in ids:
        brain.open(id_, test=True, now=T0 + DAY)

    brain.prune(test=True, now=T0 + 300 * DAY)
    (bond,) = query(brain.graph, "MATCH ()-[r:co_recalled {brain: $b}]->() RETURN r.weight AS weight", b=brain.name)
    done = brain.rebuild_co_recalled(test=True)

    assert pytest.approx(0.15) == bond["weight"]
    assert (0, 1, 0) == (done.openings, done.before, done.after)


def test_the_daemon_prunes_with_each_run(brain: Brain, tmp_path: Path) -> None:
    """Both scopes; a run that is not due prunes nothing either (interfaces §4)."""
    long_ago = brain.graph.now() - 200 * DAY
    for test in (True, False):
        used(brain, long_ago, test=test)
    upkeep = upkept(brain, tmp_path)

    upkeep.once()
    after_a_run = [left(brain, test=test)[:3] for test in (True, False)]
    used(brain, long_ago)
    upkeep.once()

    assert [[0, 0, 0], [0, 0, 0]] == after_a_run
    assert [1, 1, 1] == left(brain)[:3]


def upkept(brain: Brain, home: Path, **learning: int) -> Upkeep:
    """The daemon's work on a brain, with these settings."""
    settings = Settings(home=home, learning=LearningSettings(**learning))  # type: ignore[arg-type]
    shared = _Shared(brain.graph)
    return Upkeep(
        settings,
        brain.name,
        open_brain=lambda now: Brain(shared, brain.name, now, owns_unowned=False),  # type: ignore[arg-type]
    )


class _Shared:
    """The session's graph, which a daemon must not close."""

    def __init__(self, graph: Any) -> None:
        self._graph = graph

    def __getattr__(self, name: str) -> Any:
        return getattr(self._graph, name)

    def close(self) -> None:
        """Left to the session."""


def test_clearing_test_memories_clears_what_was_recorded_of_them(brain: Brain) -> None:
    """Pages, misses and shadow orders of the test scope; those of real recalls stay."""
    for test in (True, False):
        used(brain, T0, test=test)

    assert 1 == brain.clear_test_memories()

    assert ([0, 0, 0, 0], [1, 1, 1, 2]) == (left(brain), left(brain, test=False))
