"""Recall on a real server: what may come back and what may not, in which order, with which label."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.recall import Page, Strength
from brainbridge.memory.note import Note
from tests.support import T0, create_test_memories, hours, query

EXACT = 1e-9


def contents(page: Page) -> list[str]:
    """The texts of a page, in their order."""
    return [hit.memory.content for hit in page.hits]


def test_a_text_is_found_the_moment_after_it_was_remembered(brain: Brain) -> None:
    """The index is behind its writers, and recall waits for it: read your writes."""
    for number in range(20):
        brain.remember(f"parcel number {number} waits in locker {chr(97 + number)}{number}")

        assert [f"parcel number {number} waits in locker {chr(97 + number)}{number}"] == contents(
            brain.recall(f"locker {chr(97 + number)}{number}", limit=1)
        )


def test_a_strong_hit_and_a_weak_one(brain: Brain) -> None:
    """All words of the question, and only one of them (R-003-15, R-003-17)."""
    brain.remember("the staging server listens on port 8443")
    brain.remember("the staging area of the warehouse is full")

    page = brain.recall("Which port does the staging server listen on?")

    assert [Strength.STRONG, Strength.WEAK] == [hit.strength for hit in page.hits]
    assert ([1, 2], False, False) == ([hit.rank for hit in page.hits], page.miss, page.semantic)
    assert [1, 2] == [hit.lexical_rank for hit in page.hits]
    assert 0.0 < page.hits[1].cover < 0.5 < page.hits[0].cover < 1.0


def test_a_page_without_a_strong_hit_is_a_miss(brain: Brain) -> None:
    """Also an empty one: neither says that it knows (R-003-21)."""
    brain.remember("the staging server listens on port 8443")

    near, empty = brain.recall("Which colour has the staging tent of Priya?"), brain.recall("Bundesliga")

    assert (True, 1) == (near.miss, len(near.hits))
    assert (True, ()) == (empty.miss, empty.hits)


@pytest.mark.parametrize("explicit", [True, False])
def test_recall_changes_no_memory(brain: Brain, explicit: bool) -> None:
    """Not the energy, not an access: reading is not confirmation. Only an explicit one leaves a page (R-003-25)."""
    brain.remember("the staging server listens on port 8443")
    memories = "MATCH (m:Memory {brain: $brain}) RETURN properties(m) AS memory"
    pages = "MATCH (p:RecallPage {brain: $brain}) RETURN count(p) AS pages"
    before = query(brain.graph, memories, brain=brain.name)

    brain.recall("staging port", explicit=explicit)

    assert before == query(brain.graph, memories, brain=brain.name)
    assert [{"pages": int(explicit)}] == query(brain.graph, pages, brain=brain.name)


@pytest.mark.parametrize("test", [True, False])
def test_scopes_do_not_see_each_other(make_brain: Callable[..., Brain], test: bool) -> None:
    """Test memories are recalled as such only, real ones never among them, another brain's never at all (P6)."""
    brain, other = make_brain(), make_brain()
    brain.create_test_memory("the fox sleeps in a test", 5.0, "longTerm")
    brain.remember("the fox sleeps in reality")
    other.remember("the fox sleeps elsewhere")

    assert ["the fox sleeps in a test" if test else "the fox sleeps in reality"] == contents(
        brain.recall("fox sleeps", test=test)
    )


def test_a_small_brain_in_a_big_store_gets_its_full_page(make_brain: Callable[..., Brain]) -> None:
    """A brain of 0.5 % of the store finds its ten, although 2,000 memories of another match better (retrieval §7)."""
    big, small = make_brain(), make_brain()
    create_test_memories(big, [(f"harbour lights {n}", 5.0, "longTerm") for n in range(2_000)])
    create_test_memories(
        small, [(f"the lights near our old harbour in a long sentence, {n}", 5.0, "longTerm") for n in range(12)]
    )

    page = small.recall("harbour lights", test=True, now=T0)

    assert 10 == len(page.hits)
    assert {small.name} == {hit.memory.brain for hit in page.hits}


def test_what_is_not_live_never_comes_back_unless_asked(brain: Brain) -> None:
    """Expired, forgotten, superseded and promoted ones: out of every page, in with their own switch only."""
    brain.create_test_memory("the lighthouse is green and expired", 0.01, "working", now=T0)
    live = brain.create_test_memory("the lighthouse is red and live", 5.0, "longTerm", now=T0)
    for state in ("forgotten", "superseded"):
        old = brain.create_test_memory(f"the lighthouse is old and {state}", 5.0, "longTerm", now=T0)
        if state == "forgotten":
            brain.forget(old.id, test=True, now=T0)
        else:
            brain.supersede(old.id, live.id, test=True, now=T0)
    brain.create_test_memory("the lighthouse is high and promoted", 4.0, "working", now=T0)
    brain.consolidate(test=True, now=T0)

    def states(**asked: bool) -> list[str]:
        page = brain.recall("lighthouse", test=True, now=T0, **asked)
        return sorted(f"{hit.memory.content.rpartition(' ')[2]} {hit.memory.state}" for hit in page.hits)

    always = ["live live", "promoted live"]
    assert always == states()
    assert sorted([*always, "expired expired"]) == states(include_expired=True)
    archived = ["forgotten forgotten", "promoted archived", "superseded archived"]
    assert sorted([*always, *archived]) == states(include_archived=True)
    assert sorted([*always, *archived, "expired expired"]) == states(include_expired=True, include_archived=True)


def test_what_was_archived_is_gone_at_once(brain: Brain) -> None:
    """Also while the index still has it: the label is looked at, not only the index."""
    made = brain.remember("the key lies under the third stone")
    assert 1 == len(brain.recall("third stone").hits)

    brain.forget(made.id)
    gone = brain.recall("third stone")
    brain.restore(made.id)

    assert ((), 1) == (gone.hits, len(brain.recall("third stone").hits))


def test_faded_memories_are_left_out_and_a_restatement_brings_them_back(brain: Brain) -> None:
    """The zombie band: kept but below weight 0.4; reinforcement is the way out of it (R-000-33, R-000-35)."""
    text = "the heating valve sticks in winter"
    made = brain.create_test_memory(text, 0.27, "longTerm", now=T0)
    edge = brain.create_test_memory("the garage valve sticks in summer", 0.2708, "longTerm", now=T0)

    before = brain.recall("valve sticks", test=True, now=T0)
    by_id = brain.recall(made.id, test=True, now=T0)
    query(brain.graph, "MATCH (m:Memory {id: $id}) SET m.energy = m.energy * exp(0.25)", id=made.id)
    after = brain.recall("valve sticks", test=True, now=T0)

    assert [edge.id] == [hit.memory.id for hit in before.hits]
    assert [made.id] == [hit.memory.id for hit in by_id.hits]
    assert {made.id, edge.id} == {hit.memory.id for hit in after.hits}


def test_age_never_hides_a_memory(brain: Brain) -> None:
    """min_confidence meets the raw weight alone: a heavy old memory stays, a light new one goes (R-000-33)."""
    old = brain.create_test_memory("the boiler was serviced", 10.0, "longTerm", now=T0)
    brain.create_test_memory("the boiler was heard", 0.25, "longTerm", now=T0 + hours(24 * 30))

    page = brain.recall("boiler", test=True, now=T0 + hours(24 * 30))

    assert [old.id] == [hit.memory.id for hit in page.hits]


def test_faded_memories_do_not_use_up_the_page(brain: Brain) -> None:
    """The list is followed further down until the page is full."""
    create_test_memories(brain, [("pump noise", 0.2, "longTerm")] * 150)
    create_test_memories(brain, [(f"the pump made an odd noise again, {n}", 5.0, "longTerm") for n in range(10)])

    assert 10 == len(brain.recall("pump noise", test=True, now=T0).hits)


def test_fresh_wins_ties_and_relevance_beats_freshness(brain: Brain) -> None:
    """Equal texts by updatedAt; a better match stands first however old it is (R-000-34)."""
    old = brain.create_test_memory("the meeting room is called Orion", 5.0, "longTerm", now=T0)
    new = brain.create_test_memory("the meeting room is called Vega", 5.0, "longTerm", now=T0 + hours(24 * 20))
    best = brain.create_test_memory("meeting room", 5.0, "longTerm", now=T0 - hours(24 * 60))

    page = brain.recall("meeting room", test=True, now=T0 + hours(24 * 20))

    assert [best.id, new.id, old.id] == [hit.memory.id for hit in page.hits]


def test_filters(brain: Brain) -> None:
    """Tier, type, subject and since, alone and together; each inside the leg."""
    brain.remember("oats are in the cupboard", memory_type="learning", subject="Kitchen", at=T0)
    brain.remember("the cupboard needs a new lock", memory_type="reminder", at=T0 + hours(3))

    def found(**filters: object) -> list[str]:
        page = brain.recall("cupboard", now=T0 + hours(3), **filters)  # type: ignore[arg-type]
        return sorted(content.split()[0] for content in contents(page))

    assert ["oats", "the"] == found() == found(since=timedelta(hours=3)) == found(tier="working")
    assert ["oats"] == found(memory_type="learning") == found(subject="kitchen")
    assert ["the"] == found(since=T0 + hours(1)) == found(since=timedelta(hours=1))
    assert [] == found(tier="longTerm") == found(memory_type="reminder", subject="Kitchen")


def test_filters_do_not_starve(brain: Brain) -> None:
    """The one memory of a type behind 200 better hits of others is found."""
    create_test_memories(brain, [("ladder", 5.0, "longTerm")] * 200)
    create_test_memories(brain, [("a ladder leans on the north wall", 5.0, "shortTerm")])

    assert ["a ladder leans on the north wall"] == contents(brain.recall("ladder", tier="shortTerm", test=True, now=T0))


def test_what_is_known_does_not_hang_on_how_much_is_shown(brain: Brain) -> None:
    """A strong hit below the last one that the limit lets through is known: no miss is recorded, and it is said."""
    port = "For Orion we settled, after some back and forth about what is free, on 9187 as port of the metrics listener"
    brain.remember(port, at=T0)
    brain.remember("metrics listener port", subject="metrics listener port", at=T0)
    question = "Which metrics listener port does Orion use?"

    whole, cut = brain.recall(question, now=T0), brain.recall(question, limit=1, now=T0)

    assert [Strength.WEAK, Strength.STRONG] == [hit.strength for hit in whole.hits]
    assert [Strength.WEAK] == [hit.strength for hit in cut.hits]
    assert (False, False, True) == (whole.miss, cut.miss, cut.strong_below)
    assert [] == brain.misses()


@pytest.mark.parametrize("filters", [{"tier": "deep"}, {"memory_type": "wish"}, {"limit": 0}, {"limit": 101}])
def test_values_outside_the_model_are_refused(brain: Brain, filters: dict[str, object]) -> None:
    """By name, with what there is."""
    with pytest.raises(InvalidValue):
        brain.recall("x", **filters)  # type: ignore[arg-type]


def test_an_id_its_beginning_and_an_identifier_are_strong(brain: Brain) -> None:
    """The memory that is meant comes first, whatever else matches (R-003-18)."""
    named = brain.remember("the retry loop lives in run_once and nowhere else")
    brain.remember("run the loop once")

    pages = [brain.recall(text) for text in (named.id, named.id[:8], "run_once")]

    assert [(named.id, Strength.STRONG)] * 3 == [(page.hits[0].memory.id, page.hits[0].strength) for page in pages]
    assert [Strength.WEAK] * (len(pages[2].hits) - 1) == [hit.strength for hit in pages[2].hits[1:]]


def test_an_id_does_not_lead_past_a_filter(brain: Brain) -> None:
    """Who asks for a tier, a type, a subject or a time gets nothing else, however it is named."""
    id_ = brain.remember("the ferry leaves at nine", memory_type="learning", subject="Harbour", at=T0).id
    fits = {"tier": "working", "memory_type": "learning", "subject": "harbour", "since": T0}
    others = {"tier": "longTerm", "memory_type": "reminder", "subject": "crane", "since": T0 + hours(1)}

    assert [id_] == [hit.memory.id for hit in brain.recall(id_, now=T0, **fits).hits]  # type: ignore[arg-type]
    assert [()] * 4 == [brain.recall(id_, now=T0, **{name: other}).hits for name, other in others.items()]  # type: ignore[arg-type]


def test_the_tier_expired_is_asked_for_by_its_name(brain: Brain) -> None:
    """--tier expired finds what has faded, and nothing else."""
    brain.create_test_memory("the ferry was blue", 0.01, "working", now=T0)
    brain.create_test_memory("the ferry is green", 5.0, "longTerm", now=T0)
    brain.expire(test=True, now=T0)

    assert ["the ferry was blue"] == contents(brain.recall("ferry", tier="expired", test=True, now=T0))


def test_the_id_of_an_archive_leads_to_where_it_lives_on(brain: Brain) -> None:
    """An id noted down before a promotion still answers, with the live memory."""
    made = brain.create_test_memory("climbs a tier", 4.0, "working", now=T0)
    brain.consolidate(test=True, now=T0)

    page = brain.recall(made.id, test=True, now=T0)

    assert [("climbs a tier", "live", "shortTerm")] == [
        (hit.memory.content, hit.memory.state, hit.memory.tier.value) for hit in page.hits
    ]
    assert made.id != page.hits[0].memory.id


def test_a_missing_name_keeps_a_hit_weak(brain: Brain) -> None:
    """Everything fits but the person: that is no answer."""
    brain.remember("Berta plays the cello in the town orchestra")

    right = brain.recall("does Berta play the cello in the orchestra?")
    wrong = brain.recall("does Anna play the cello in the orchestra?")

    assert (False, True) == (right.miss, wrong.miss)


CJK = [
    ("東京タワーの高さは333メートルです", "東京タワーの高さはどうですか"),
    ("会议室的密码是四八二六", "会议室的密码是什么"),
    ("서울 사무실은 삼층에 있습니다", "서울 사무실은 어디입니까"),
    ("我们喝茶", "喝茶"),
]


@pytest.mark.parametrize(("text", "asked"), CJK)
def test_texts_without_spaces(brain: Brain, text: str, asked: str) -> None:
    """Pairs of characters are matched; another text in the same script is weak or absent."""
    brain.remember(text)
    brain.remember("明日の会議は九時から始まります")

    page = brain.recall(asked)

    assert (text, Strength.STRONG) == (page.hits[0].memory.content, page.hits[0].strength)
    assert all(hit.strength is Strength.WEAK for hit in page.hits[1:])


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("राम की दुकान नौ बजे खुलती है", "दुकान खुलती"),
        ("قال مُحَمَّد إن العبارة تغادر", "مُحَمَّد العبارة"),
        ("می‌خواهم به بندر بروم", "می‌خواهم بندر"),
        ("கப்பல் ஒன்பது மணிக்கு புறப்படும்", "கப்பல் புறப்படும்"),
        ("เรือเฟอร์รี่ ออกเก้าโมง", "เรือเฟอร์รี่"),
    ],
    ids=["Hindi", "Arabic", "Persian", "Tamil", "Thai"],
)
def test_scripts_that_write_vowels_as_marks(brain: Brain, text: str, asked: str) -> None:
    """A word is found as it was written, and another one with the same consonants is another."""
    brain.remember(text)

    assert [(text, Strength.STRONG)] == [(hit.memory.content, hit.strength) for hit in brain.recall(asked).hits]


def test_a_query_in_two_scripts(brain: Brain) -> None:
    """Both indexes are asked, and the memory that both find is an answer; one word of two is none, however long."""
    brain.remember("docker のコンテナを毎晩再起動する")
    brain.remember("docker is restarted every night")
    brain.remember("コンテナは港にある")

    page = brain.recall("docker コンテナ")

    labels = {hit.memory.content: hit.strength for hit in page.hits}
    assert 3 == len(labels)
    assert Strength.STRONG == labels["docker のコンテナを毎晩再起動する"]
    assert Strength.WEAK == labels["docker is restarted every night"]
    assert Strength.WEAK == labels["コンテナは港にある"]


@pytest.mark.parametrize("asked", [{"since": T0}, {"now": T0}, {"since": T0, "now": T0}])
def test_an_instant_without_a_zone_is_refused(brain: Brain, asked: dict[str, datetime]) -> None:
    """It would be compared with nothing, and the page be empty as if brainbridge did not know."""
    brain.remember("the ferry leaves at nine")

    with pytest.raises(InvalidValue, match="has no zone"):
        brain.recall("ferry", **{name: instant.replace(tzinfo=None) for name, instant in asked.items()})


def test_since_may_reach_before_the_calendar(brain: Brain) -> None:
    """The longest span there is means ever."""
    brain.remember("the ferry leaves at nine")

    assert 1 == len(brain.recall("ferry", since=timedelta.max).hits)


LITERAL = [
    'CI/CD "x',
    "a AND OR (",
    "*",
    "foo-",
    "C++",
    "tier:",
    "",
    "   ",
    "NOT",
    "[a TO b]",
    "x^2~",
    "\\",
    "/re/",
    "\ud800",
]


@pytest.mark.parametrize(
    "text",
    [*LITERAL, "word " * 2_000, " ".join(f"w{n}" for n in range(400)), "漢字仮名交文日本語長文検索問合試験用途例文"],
)
def test_nothing_in_a_query_is_syntax(brain: Brain, text: str) -> None:
    """Whatever it holds, it asks for its words, and for nothing if it has none."""
    brain.remember("a note that has none of it")

    page = brain.recall(text)

    assert (text, True) == (page.query, page.miss or contents(page) == ["a note that has none of it"])


def test_a_query_of_stop_words_only_finds_nothing_by_accident(brain: Brain) -> None:
    """The index knows no "the"; asking for it must not list the whole brain."""
    brain.remember("some note")

    assert () == brain.recall("the").hits


def test_the_words_of_a_query_are_found_where_its_syntax_stood(brain: Brain) -> None:
    """C++ is found as C++, CI/CD as CI/CD."""
    brain.remember_many(
        [Note("the parser is written in C++"), Note("vitamin C is in oranges"), Note("the CI/CD pipeline is red")]
    )

    assert ["the parser is written in C++"] == [
        hit.memory.content for hit in brain.recall("C++").hits if hit.strength is Strength.STRONG
    ]
    assert "the CI/CD pipeline is red" == contents(brain.recall('CI/CD "red'))[0]


@pytest.mark.parametrize(
    "spoil",
    [
        {"lastDecay": "yesterday"},
        {"energy": "high"},
        {"tier": "attic"},
        {"created": None},
        {"accessCount": "often"},
        {"subject": 5},
    ],
    ids=lambda spoil: next(iter(spoil)),
)
def test_one_misshapen_memory_does_not_stop_recall(brain: Brain, spoil: dict[str, Any]) -> None:
    """What a hand edit spoiled is left to health, which names it; the others are found, by question and by name."""
    well = brain.remember("the ferry leaves at nine", subject="harbour")
    spoiled = brain.remember("the ferry is blue and white", subject="harbour")
    query(brain.graph, "MATCH (m:Memory {id: $id}) SET m += $spoil", id=spoiled.id, spoil=spoil)

    assert ["the ferry leaves at nine"] == contents(brain.recall("ferry nine", subject="harbour"))
    assert "the ferry leaves at nine" in contents(brain.recall("ferry"))
    assert well.id == brain.open("leaves at nine").memory.id
    named = [finding.text for finding in brain.health().findings if finding.level == "error"]
    assert [True] == [f"{spoiled.id} ({next(iter(spoil))} " in text for text in named]


def test_the_same_store_gives_the_same_page(brain: Brain) -> None:
    """Equal scores are ordered by weight, freshness and id: nothing is left to chance."""
    create_test_memories(brain, [("identical twin", 5.0, "longTerm")] * 12)

    pages = [[hit.memory.id for hit in brain.recall("twin", test=True, now=T0).hits] for _ in range(3)]

    assert pages[0] == pages[1] == pages[2] == sorted(pages[0])


def test_frequencies_are_counted_within_the_scope(make_brain: Callable[..., Brain]) -> None:
    """A word that is common elsewhere is rare here, so it weighs more than one that is common here."""
    here, elsewhere = make_brain(), make_brain()
    create_test_memories(elsewhere, [("quasar", 5.0, "longTerm")] * 300)
    create_test_memories(here, [("garden", 5.0, "longTerm")] * 40 + [("quasar catalogue", 5.0, "longTerm")])

    page = here.recall("quasar in the garden", limit=50, test=True, now=T0)

    cover = {hit.memory.content: hit.cover for hit in page.hits}
    assert cover["quasar catalogue"] > 0.6 > 0.4 > cover["garden"]
