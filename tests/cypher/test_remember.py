"""Remembering: a restatement reinforces, a change is stored beside, an expired memory comes back."""

import math
from concurrent.futures import ThreadPoolExecutor

import pytest

from brainbridge.brain import Brain
from brainbridge.domain.energy import DEFAULT_LAW, energy_of_weight, reinforced, revived
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.source import Source
from brainbridge.domain.tier import Tier
from brainbridge.memory.note import Note
from tests.support import T0, everything_but, hours, minutes, query

EXACT = 1e-9
FACT = "The staging database listens on port 8080 behind the proxy"


def count(brain: Brain, *, is_test: bool = False) -> int:
    """Memories of a scope in any state."""
    (row,) = query(
        brain.graph,
        "MATCH (m:Memory {brain: $b, isTest: $t}) RETURN count(m) AS n",
        b=brain.name,
        t=is_test,
    )
    return int(row["n"])


def head(brain: Brain, root: str) -> dict[str, object]:
    """The memory of a lineage that is not archived."""
    (row,) = query(brain.graph, "MATCH (m:Memory {root: $r}) WHERE m.validTo IS NULL RETURN properties(m) AS m", r=root)
    return dict(row["m"])


@pytest.mark.parametrize(
    "restatement",
    [
        FACT,
        FACT.upper(),
        f"  {FACT}. ",
        "Please remember that the staging database listens on port 8080 behind the proxy",
        "Behind the proxy, the staging database listens on port 8080",
    ],
)
def test_a_restatement_reinforces_and_makes_no_copy(brain: Brain, restatement: str) -> None:
    """One memory, its first wording, w + 0.05, and an outcome that says so (R-000-02 to -04, -08 to -11)."""
    first = brain.remember(FACT, producer="inference", at=T0)

    again = brain.remember(restatement, producer="inference", at=T0)

    assert ("reinforced", first.id, FACT) == (again.outcome, again.id, again.existing)
    assert pytest.approx(energy_of_weight(0.75), abs=EXACT) == again.energy
    assert 1 == count(brain)
    stored = head(brain, first.id)
    assert (FACT, 1, T0) == (stored["content"], stored["reinforceCount"], stored["updatedAt"])


@pytest.mark.parametrize(
    "change",
    [
        "The staging database listens on port 9090 behind the proxy",
        "The staging database does not listen on port 8080 behind the proxy",
        "The production database listens on port 8080 behind the proxy",
        "The staging database listens on port 8080 behind Varnish, the proxy",
    ],
)
def test_a_change_of_fact_is_stored_and_the_old_one_named(brain: Brain, change: str) -> None:
    """Numbers, negation, names, opposites: both memories stand, and the outcome names the near one."""
    first = brain.remember(FACT, at=T0)

    other = brain.remember(change, at=T0)

    assert ("created", None) == (other.outcome, other.existing)
    assert [first.id] == [near.id for near in other.related]
    assert other.similarity >= 0.6
    assert 2 == count(brain)


def test_a_text_like_no_other_has_similarity_zero_and_no_relations(brain: Brain) -> None:
    """A fresh insert says how near the nearest was (R-000-10)."""
    brain.remember(FACT, at=T0)

    other = brain.remember("Oat milk in the second cup of coffee, never in the first", at=T0)

    assert ("created", 0.0, ()) == (other.outcome, other.similarity, other.related)


@pytest.mark.parametrize(
    ("tier", "energy", "after"),
    [
        ("working", 1.0, math.exp(0.25)),
        ("working", 3.2, 2 * math.exp(0.5)),
        ("working", 4.0, 4.0),
        ("shortTerm", 5.2, 5 * math.exp(0.05)),
        ("shortTerm", 6.0, 6.0),
        ("longTerm", 9.0, 10.0),
        ("longTerm", 10.5, 10.5),
    ],
)
def test_the_cap_follows_the_tier_and_reinforcement_never_lowers(
    brain: Brain, tier: str, energy: float, after: float
) -> None:
    """Caps 3.2974, 5.2564, 10; a value above its cap stays (R-000-05, R-000-07); equal to the pure law."""
    made = brain.create_test_memory(FACT, energy, tier, now=T0)
    query(brain.graph, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")

    again = brain.remember(FACT, at=T0, test=True)

    assert (made.id, "reinforced") == (again.id, again.outcome)
    assert pytest.approx(after, abs=EXACT) == again.energy == pytest.approx(reinforced(energy, Tier(tier)), abs=EXACT)


def test_the_cap_is_derived_from_threshold_and_decay(brain: Brain) -> None:
    """Changing either moves it (R-000-06)."""
    brain.set_law(threshold_working=1.5, lambda_working=1.0)
    brain.remember(FACT, memory_type="learning", at=T0)

    energies = [brain.remember(FACT, at=T0).energy for _ in range(6)]

    assert pytest.approx(1.5 * math.exp(1.0), abs=EXACT) == energies[-1]


def test_document_000_s_trajectory(brain: Brain) -> None:
    """0.70, 0.75, 0.80, 0.85, 0.90 by four restatements, 0.80 after the decay of an hour, promoted (R-000-13)."""
    first = brain.remember(FACT, producer="inference", at=T0)
    weights = [first.weight, *(brain.remember(FACT, at=T0).weight for _ in range(4))]

    # One step of document 000 is 0.10 in weight: an hour in working. At exactly the threshold nothing promotes here.
    brain.consolidate(now=T0 + minutes(59.99))

    assert pytest.approx([0.70, 0.75, 0.80, 0.85, 0.90], abs=EXACT) == weights
    promoted = head(brain, first.id)
    assert Tier.SHORT_TERM == promoted["tier"]
    assert pytest.approx(2 * math.exp(0.5) * math.exp(-0.5 * 59.99 / 60), abs=1e-6) == promoted["energy"]


def test_three_restatements_do_not_promote_an_inference(brain: Brain) -> None:
    """0.85 falls to 0.75 in the hour, below the threshold; a single echo even more so (R-000-13, R-000-14)."""
    first = brain.remember(FACT, producer="inference", at=T0)
    for _ in range(3):
        brain.remember(FACT, at=T0)

    brain.consolidate(now=T0 + minutes(59.99))

    assert Tier.WORKING == head(brain, first.id)["tier"]


@pytest.mark.parametrize(("times", "tier", "hour"), [(1, "working", 5.5), (3, "working", 6.5), (4, "shortTerm", 0.75)])
def test_an_inference_restated_in_ten_minute_steps(brain: Brain, times: int, tier: str, hour: float) -> None:
    """Once: expires at 5.5 h; three times: at 6.5 h; four times: shortTerm at 0.75 h (model.md §5)."""
    first = brain.remember(FACT, producer="inference", at=T0)
    said = 0
    reached = None
    for quarter in range(1, 32):
        now = T0 + minutes(15 * quarter)
        while said < times and T0 + minutes(10 * (said + 1)) <= now:
            said += 1
            brain.remember(FACT, at=T0 + minutes(10 * said))
        brain.consolidate(now=now)
        current = head(brain, first.id)
        if current["tier"] != "working":
            reached = quarter / 4
            break

    assert (hour, tier if times == 4 else "expired") == (reached, head(brain, first.id)["tier"])


def test_a_learning_restated_five_times_in_fifty_minutes_becomes_long_term(brain: Brain) -> None:
    """2.363; shortTerm at 0.25; …; 5.256 (the cap), 5.213 > 5.0: longTerm at 1.0 (model.md §5)."""
    first = brain.remember(FACT, memory_type="learning", at=T0)
    energies = []
    for step in range(1, 6):
        now = T0 + minutes(10 * step)
        for quarter in (15, 30, 45):
            if 10 * (step - 1) < quarter <= 10 * step and quarter < 10 * step:
                brain.consolidate(now=T0 + minutes(quarter))
        energies.append(brain.remember(FACT, at=now).energy)
        if step == 3:
            brain.consolidate(now=now)
    brain.consolidate(now=T0 + hours(1))

    assert pytest.approx(2.363, abs=1e-3) == energies[0]
    assert pytest.approx(5 * math.exp(0.05), abs=EXACT) == energies[-1]
    assert Tier.LONG_TERM == head(brain, first.id)["tier"]
    assert pytest.approx(5.213, abs=1e-3) == head(brain, first.id)["energy"]


def test_memories_of_every_tier_are_searched(brain: Brain) -> None:
    """A restatement finds its memory after promotions, under its new id (R-000-43)."""
    first = brain.remember(FACT, memory_type="crystallization", at=T0)
    brain.consolidate(now=T0)

    again = brain.remember(FACT, at=T0)

    assert "reinforced" == again.outcome
    assert first.id != again.id == head(brain, first.id)["id"]


def test_restating_an_expired_memory_revives_it(brain: Brain) -> None:
    """It is working again with birth · exp(0.25 · k), under its own id, and the ledger says so."""
    first = brain.remember(FACT, producer="system", at=T0)
    brain.consolidate(now=T0 + hours(10))
    assert Tier.EXPIRED == head(brain, first.id)["tier"]

    again = brain.remember(FACT, at=T0 + hours(20))

    assert ("revived", first.id) == (again.outcome, again.id)
    assert pytest.approx(revived(DEFAULT_LAW.birth_system, 1), abs=EXACT) == again.energy
    assert ["born", "expired", "revived"] == [event.kind for event, _ in brain.history(first.id)]
    assert Tier.WORKING == head(brain, first.id)["tier"]


def test_with_reviving_off_an_expired_text_is_born_anew(brain: Brain) -> None:
    """reviveExpired 0: the expired memory stays as it is, and a new one stands beside it."""
    brain.set_law(revive_expired=0)
    first = brain.remember(FACT, producer="system", at=T0)
    brain.consolidate(now=T0 + hours(10))

    again = brain.remember(FACT, at=T0 + hours(20))

    assert "created" == again.outcome
    assert Tier.EXPIRED == head(brain, first.id)["tier"]
    assert 2 == count(brain)


def test_sixteen_writers_of_one_text_make_one_memory(brain: Brain) -> None:
    """Exactly one is born, fifteen reinforce it (peers left 5 or 16)."""
    with ThreadPoolExecutor(16) as threads:
        outcomes = list(threads.map(lambda _: brain.remember(FACT, producer="system", at=T0), range(16)))

    assert ["created", *["reinforced"] * 15] == sorted(outcome.outcome for outcome in outcomes)
    assert 1 == len({outcome.id for outcome in outcomes}) == count(brain)
    assert 15 == head(brain, outcomes[0].id)["reinforceCount"]


def test_a_batch_finds_restatements_in_itself_and_in_the_store(brain: Brain) -> None:
    """remember_many deals with duplicates as one at a time would."""
    first = brain.remember(FACT, producer="inference", at=T0)
    notes = [
        Note(f"{FACT}!", at=T0),
        Note("The release train leaves every second Thursday at noon", at=T0),
        Note("Every second Thursday at noon the release train leaves", at=T0),
        Note("The release train leaves every third Thursday at noon", at=T0),
    ]

    outcomes = brain.remember_many(notes)

    assert ["reinforced", "created", "reinforced", "created"] == [outcome.outcome for outcome in outcomes]
    assert (first.id, outcomes[1].id) == (outcomes[0].id, outcomes[2].id)
    assert 3 == count(brain)


@pytest.mark.parametrize("bad", ["", "   ", "\ud800 alone", "x" * 1_048_577])
def test_a_refused_text_leaves_no_trace(brain: Brain, bad: str) -> None:
    """Nothing of its batch is written either (P8)."""
    with pytest.raises(InvalidValue):
        brain.remember_many([Note("A good note that comes before"), Note(bad)])

    assert 0 == count(brain)


@pytest.mark.parametrize(
    "text",
    [
        "--brain=milo -consolidateAll",
        "MATCH (m) DETACH DELETE m; // $brain",
        'a AND OR ( "x* foo- C++ tier: [1 TO 2]',
        "記憶は薄れる。そして固まる。",
        "🦫 builds 🪵",
        "line\nbreak\ttab\x00nul",
        "e\u0301 and é",
        "x" * 1_048_576,
    ],
)
def test_every_accepted_text_comes_back_byte_for_byte_and_is_found_again(brain: Brain, text: str) -> None:
    """Dashes, Cypher, Lucene, CJK, emoji, control characters, NFD, 1 MiB: stored equals given (P8)."""
    first = brain.remember(text, at=T0)

    again = brain.remember(text, at=T0)

    assert text.encode() == brain.find(first.id).content.encode()
    assert (first.id, "reinforced") == (again.id, again.outcome)


def test_remembering_stays_in_its_scope(brain: Brain) -> None:
    """The same text in the test scope is another memory; nothing outside the scope changes (P6)."""
    brain.remember(FACT, at=T0)
    before = everything_but(brain.graph, brain.name, is_test=True)

    outcomes = [brain.remember(FACT, at=T0, test=True).outcome for _ in range(2)]

    assert ["created", "reinforced"] == outcomes
    assert before == everything_but(brain.graph, brain.name, is_test=True)


@pytest.fixture
def source() -> Source:
    """A node that a memory came from."""
    return Source("Insight", "insight-1", {"trigger": "a slow start"})


def test_a_memory_hangs_on_its_source(brain: Brain, source: Source) -> None:
    """HAS_MEMORY from a node that is made once; a restatement from another source links that one too (R-004-24)."""
    first = brain.remember(FACT, source=source, at=T0)
    brain.remember(FACT, source=Source("Insight", "insight-2"), at=T0)
    brain.remember(FACT, source=source, at=T0)

    rows = query(
        brain.graph,
        "MATCH (s:Insight)-[has:HAS_MEMORY]->(m:Memory {id: $id}) "
        "RETURN s.id AS source, s.trigger AS trigger, m.sourceNodeId AS first ORDER BY source",
        id=first.id,
    )
    assert [
        {"source": "insight-1", "trigger": "a slow start", "first": "insight-1"},
        {"source": "insight-2", "trigger": None, "first": "insight-1"},
    ] == rows
