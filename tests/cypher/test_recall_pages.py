"""What is recorded of a recall: its page, every hit on it, and the question if there was no strong answer."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.recall import Strength
from brainbridge.learning.misses import misses
from brainbridge.settings import LearningSettings
from tests.learning_support import nodes, notes, page_of, recalled, recorded, weak
from tests.support import SECRET, T0, everything_but, hours, minutes, properties_of, query


def shown(brain: Brain, page: str) -> list[tuple[Any, ...]]:
    """What a page showed: id, rank, score, strength."""
    found = query(
        brain.graph,
        "MATCH (:RecallPage {id: $page})-[s:SHOWED]->(m) RETURN m.id AS id, properties(s) AS s ORDER BY s.rank",
        page=page,
    )
    return [(row["id"], row["s"]["rank"], row["s"]["score"], row["s"]["strength"]) for row in found]


def asked(brain: Brain, *, resolved: bool = True, test: bool = True, limit: int = 20) -> list[tuple[str, int, bool]]:
    """The misses as (query, count, open)."""
    found = misses(brain.graph, brain.scope(test=test), resolved=resolved, limit=limit)
    return [(miss.query, miss.count, miss.resolved_at is None) for miss in found]


def test_every_hit_of_a_page_is_recorded(brain: Brain) -> None:
    """SHOWED with rank, score and strength to each of them, strong or weak (R-003-40)."""
    ids = notes(brain, 3)
    answers = [(ids[0], 0.9, Strength.STRONG), (ids[2], 0.4, Strength.WEAK), (ids[1], 0.1, Strength.WEAK)]

    page = recalled(brain, answers, at=T0 + minutes(3))

    assert [(id_, rank, score, strength) for rank, (id_, score, strength) in enumerate(answers, 1)] == shown(
        brain, page
    )
    (stored,) = nodes(brain, "RecallPage")
    assert ("where is the port", T0 + minutes(3), False, False, 3) == tuple(
        stored[name] for name in ("query", "at", "semantic", "miss", "hits")
    )


def test_showing_changes_no_memory(brain: Brain) -> None:
    """Reading is not re-confirmation: neither energy nor access nor lastDecay (model.md §3)."""
    (id_,) = notes(brain, 1)
    before = properties_of(brain, id_)

    recalled(brain, [id_], at=T0 + hours(5))

    assert before == properties_of(brain, id_)


def test_showed_follows_the_memory_through_its_promotion(brain: Brain) -> None:
    """It stays with the live memory, as every edge does; the archive has none."""
    (id_,) = notes(brain, 1, energy=3.0, tier="working")
    page = recalled(brain, [id_])

    brain.promote(test=True, now=T0)

    ((live, *_),) = shown(brain, page)
    assert (id_, "live") == (brain.find(live, test=True).root, brain.find(live, test=True).state)
    assert id_ != live


@pytest.mark.parametrize("hits", [0, 2])
def test_a_page_without_a_strong_hit_is_a_miss(brain: Brain, hits: int) -> None:
    """Its question, how often, when last; an empty page counts (R-003-21)."""
    ids = notes(brain, hits)
    for minute in (0, 9):
        recalled(brain, weak(*ids), at=T0 + minutes(minute))

    (miss,) = misses(brain.graph, brain.scope(test=True), resolved=False, limit=5)

    assert ("where is the port", 2, T0, T0 + minutes(9), None) == (
        miss.query,
        miss.count,
        miss.first_asked,
        miss.last_asked,
        miss.resolved_at,
    )


def test_a_strong_hit_makes_no_miss(brain: Brain) -> None:
    """However weak the others are (R-003-21)."""
    one, other = notes(brain, 2)

    recalled(brain, [(one, 0.9, Strength.WEAK), (other, 0.1, Strength.STRONG)])

    assert [] == asked(brain)


def test_a_later_strong_answer_resolves_a_miss_and_a_later_miss_reopens_it(brain: Brain) -> None:
    """The count goes on; the same question in other letters is the same (R-003-23)."""
    (id_,) = notes(brain, 1)
    course = []
    for minute, (question, hits) in enumerate(
        [
            ("Where is the port?", weak(id_)),
            ("another question", [id_]),
            ("where is THE port", [id_]),
            ("where is the port", [id_]),
            ("where is the port!", []),
        ]
    ):
        recalled(brain, hits, question=question, at=T0 + minutes(minute))
        course.append(asked(brain))

    assert [
        [("Where is the port?", 1, True)],
        [("Where is the port?", 1, True)],
        [("Where is the port?", 1, False)],
        [("Where is the port?", 1, False)],
        [("where is the port!", 2, True)],
    ] == course
    (stored,) = nodes(brain, "RecallMiss")
    assert (T0, T0 + minutes(4)) == (stored["firstAsked"], stored["lastAsked"])


def test_misses_come_most_asked_first(brain: Brain) -> None:
    """Then the latest; resolved ones only when asked for; no more than the limit (R-003-22)."""
    (id_,) = notes(brain, 1)
    for minute, question in enumerate(["once", "thrice", "twice", "thrice", "twice", "thrice", "late", "gone", "gone"]):
        recalled(brain, [], question=question, at=T0 + minutes(minute))
    recalled(brain, [id_], question="gone", at=T0 + minutes(20))

    assert ["thrice", "twice", "late", "once"] == [query for query, *_ in asked(brain, resolved=False)]
    assert ["thrice", "gone", "twice"] == [query for query, *_ in asked(brain, limit=3)]
    with pytest.raises(InvalidValue, match="limit of 0"):
        asked(brain, limit=0)


def test_a_miss_keeps_the_evidence_of_its_last_page(brain: Brain) -> None:
    """Best cover and best ranks of both legs, so that the bar for strong can be moved later (retrieval.md §5)."""
    one, other = notes(brain, 2)
    page = page_of(brain, weak(one, other))
    first, second = page.hits
    hits = (
        replace(first, lexical_rank=4, semantic_rank=None, cover=0.2),
        replace(second, lexical_rank=None, semantic_rank=2, cover=0.45),
    )

    made = replace(page, hits=hits, semantic=True)
    recorded(brain, made)

    for label in ("RecallPage", "RecallMiss"):
        (stored,) = nodes(brain, label)
        assert (0.45, 4, 2) == tuple(stored[name] for name in ("bestCover", "bestLexicalRank", "bestSemanticRank"))


def test_a_question_with_a_secret_is_kept_in_no_form(brain: Brain) -> None:
    """No page, no miss, no digest; also if an earlier one was kept (R-003-27)."""
    (id_,) = notes(brain, 1)
    before = everything_but(brain.graph, "nobody", is_test=False)
    page = page_of(brain, weak(id_), question=f"is it {SECRET}")

    done = recorded(brain, page)

    assert done is None
    assert before == everything_but(brain.graph, "nobody", is_test=False)


def test_misses_can_be_switched_off(brain: Brain) -> None:
    """log_misses = false writes none and touches none that is there; pages are recorded all the same (R-003-29)."""
    (id_,) = notes(brain, 1)
    off = LearningSettings(log_misses=False)
    recalled(brain, [], settings=off)
    none = asked(brain)
    recalled(brain, [])
    recalled(brain, [id_], settings=off)

    assert ([], [("where is the port", 1, True)]) == (none, asked(brain))
    assert 3 == len(nodes(brain, "RecallPage"))


@pytest.mark.parametrize(
    "narrowed",
    [
        {"tier": "longTerm"},
        {"memory_type": "reminder"},
        {"subject": "harbour"},
        {"since": timedelta(0)},
        {"include_archived": True},
    ],
    ids=lambda narrowed: next(iter(narrowed)),
)
def test_a_recall_of_some_memories_says_nothing_of_what_is_known(brain: Brain, narrowed: dict[str, Any]) -> None:
    """It makes no miss where there is an answer, and an archive closes none where there is none (R-003-21)."""
    brain.remember("the ferry leaves at nine", memory_type="learning", at=T0)
    old = brain.remember("the crane was painted green", at=T0)
    brain.forget(old.id, now=T0)
    brain.recall("which colour has the crane", now=T0)

    for question in ("when does the ferry leave", "which colour has the crane"):
        brain.recall(question, now=T0 + minutes(1), **narrowed)

    assert [("which colour has the crane", 1, True)] == asked(brain, test=False)
    assert 3 == len(nodes(brain, "RecallPage", test=False))


@pytest.mark.parametrize("query_text", ["", " \n\t"])
def test_an_empty_question_is_no_question(brain: Brain, query_text: str) -> None:
    """It leaves neither page nor miss."""
    assert brain.recall(query_text, test=True).id is None
    assert [] == nodes(brain, "RecallPage") + nodes(brain, "RecallMiss")


def test_a_long_question_is_kept_by_its_beginning(brain: Brain) -> None:
    """Two that begin alike are two; a pasted megabyte is not stored with every asking."""
    text = "ferry " * 1_000
    for question in (f"{text}nine", f"{text}ten", f"{text}ten"):
        assert brain.recall(question, test=True).query == question

    assert [(2_000, 2), (2_000, 1)] == [(len(query), count) for query, count, _ in asked(brain)]
    assert {f"{text[:1_999]}…"} == {page["query"] for page in nodes(brain, "RecallPage")}


@pytest.mark.parametrize("is_test", [True, False])
def test_pages_and_misses_stay_in_their_scope(brain: Brain, is_test: bool) -> None:
    """The same question in the other scope is another one; nothing outside is touched (R-004-10, P6)."""
    mine = brain.remember("the port is 7687", at=T0, test=is_test).id
    theirs = brain.remember("the port is 7688", at=T0, test=not is_test).id
    recalled(brain, weak(theirs), test=not is_test)
    outside = everything_but(brain.graph, brain.name, is_test=is_test)

    recalled(brain, weak(mine), test=is_test)
    recalled(brain, [mine], test=is_test)

    assert outside == everything_but(brain.graph, brain.name, is_test=is_test)
    assert ([False], [True]) == (
        [is_open for *_, is_open in asked(brain, test=is_test)],
        [is_open for *_, is_open in asked(brain, test=not is_test)],
    )


def test_a_memory_of_the_other_scope_is_never_shown(brain: Brain) -> None:
    """A page that names one by mistake draws no edge to it (P6)."""
    real = brain.remember("the port is 7687", at=T0).id
    page = page_of(brain, [real], test=False)

    recorded(brain, page)

    ((page_id),) = (stored["id"] for stored in nodes(brain, "RecallPage"))
    assert [] == shown(brain, page_id)


def test_one_question_asked_at_once_by_many_is_counted_each_time(brain: Brain) -> None:
    """40 recalls of one page by 8 threads, each with its hits in another order: one miss, count 40."""
    ids = notes(brain, 8)
    pages = [page_of(brain, weak(*ids[turn:], *ids[:turn]), at=T0 + minutes(turn)) for turn in range(8)]

    def ask(turn: int) -> None:
        recorded(brain, pages[turn % 8])

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(ask, range(40)))

    assert [("where is the port", 40, True)] == asked(brain)
    (stored,) = nodes(brain, "RecallMiss")
    assert (T0 + minutes(7), 40) == (stored["lastAsked"], len(nodes(brain, "RecallPage")))
