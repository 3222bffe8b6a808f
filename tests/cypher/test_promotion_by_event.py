"""promotionBasis event: an event promotes at once, and what has faded counts as expired before a run says so."""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.energy import DEFAULT_LAW, reinforced
from brainbridge.domain.errors import InvalidValue, NotFound, Refused
from brainbridge.domain.source import Source
from brainbridge.domain.tier import PromotionBasis, Tier
from brainbridge.memory.note import Note
from tests.support import T0, create_test_memories, everything_but, hours, kinds_of, minutes, properties_of, query

EXACT = 1e-9
FACT = "The staging database listens on port 8080 behind the proxy"


@pytest.fixture
def eager(brain: Brain) -> Brain:
    """A brain whose events promote."""
    brain.set_law(T0, promotion_basis=PromotionBasis.EVENT)
    return brain


def tiers(brain: Brain, ref: str, *, test: bool = False) -> list[str]:
    """A memory's way through the tiers."""
    return [step["tier"] for step in brain.lineage(ref, test=test)]


def promotions(brain: Brain) -> list[dict[str, Any]]:
    """Every PROMOTED_TO of the brain, with what stands at its ends."""
    return query(
        brain.graph,
        "MATCH (old:Memory {brain: $b})-[step:PROMOTED_TO]->(new) "
        "RETURN old.id AS old, labels(old) AS labels, old.validTo AS until, new.id AS new, new.validFrom AS since, "
        "step.at AS at, step.energy AS energy ORDER BY since, old",
        b=brain.name,
    )


@pytest.mark.parametrize(
    ("birth", "expected"),
    [
        ({"memory_type": "crystallization"}, ["working", "shortTerm"]),
        ({"memory_type": "reminder"}, ["working", "shortTerm"]),
        ({"memory_type": "learning"}, ["working"]),
        ({"producer": "user"}, ["working", "shortTerm"]),
        ({"producer": "inference"}, ["working"]),
        ({"core": True}, ["longTerm"]),
    ],
)
def test_a_birth_above_the_threshold_is_promoted_at_birth(
    eager: Brain, birth: dict[str, Any], expected: list[str]
) -> None:
    """As a run at that very instant would; the outcome names what lives on (model §6)."""
    born = eager.remember(FACT, at=T0, **birth)

    assert expected == tiers(eager, born.id)
    assert (expected[-1], None) == (born.tier, properties_of(eager, born.id).get("validTo"))
    assert ["born", *["promoted"] * (len(expected) - 1)] == kinds_of(eager, born.id)
    assert [(born.id, T0, T0, T0, born.energy)] * (len(expected) - 1) == [
        (step["new"], step["until"], step["since"], step["at"], step["energy"]) for step in promotions(eager)
    ]


def test_where_runs_promote_nothing_changes_at_birth(brain: Brain) -> None:
    """The default: a crystallization waits for its run (R-004-18)."""
    born = brain.remember(FACT, memory_type="crystallization", at=T0)

    assert (Tier.WORKING, ["working"]) == (born.tier, tiers(brain, born.id))


def test_one_boost_can_promote_twice(eager: Brain) -> None:
    """From working above both thresholds: two promotions in one transaction, three ids, one boost (model §6)."""
    (made,) = create_test_memories(eager, [("a note", 4.5, "working")])

    before, done = eager.boost(made, test=True, now=T0)

    assert ["working", "shortTerm", "longTerm"] == tiers(eager, done.id, test=True)
    assert (made, 5.5, Tier.LONG_TERM, 2) == (before.id, done.after, done.tier, done.access_count)
    assert ["born", "boosted", "promoted", "promoted"] == kinds_of(eager, done.id, test=True)
    assert done.id == eager.boost(made, test=True, now=T0)[1].id
    assert () == eager.verify(test=True).wrong


@pytest.mark.parametrize(
    ("energy", "tier", "ends"),
    [(1.0, "working", "working"), (1.0 + 1e-9, "working", "shortTerm"), (4.0, "shortTerm", "shortTerm")],
)
def test_the_threshold_is_strict(eager: Brain, energy: float, tier: str, ends: str) -> None:
    """Exactly 2.0 and exactly 5.0 stay (R-004-18)."""
    (made,) = create_test_memories(eager, [("a note", energy, tier)])

    assert ends == eager.boost(made, test=True, now=T0)[1].tier


def test_an_opening_shows_what_lives_on(eager: Brain) -> None:
    """Promoted by it: new id and tier, the whole lineage, and the relations it had."""
    one, other = create_test_memories(eager, [("one", 1.5, "working"), ("other", 1.0, "working")])
    eager.link(one, "extends", other, test=True, now=T0)

    opened = eager.open(one, test=True, now=T0)

    assert (Tier.SHORT_TERM, 2.5, 1.5) == (opened.memory.tier, opened.energy, opened.before)
    assert [one, opened.memory.id] == [step["id"] for step in opened.lineage]
    assert [other] == [each.other.id for each in opened.relations]


def test_a_restatement_promotes_and_names_what_lives_on(eager: Brain) -> None:
    """Reinforced above the threshold, and again above the next one (model §6)."""
    first = eager.remember(FACT, memory_type="learning", at=T0)
    said = [eager.remember(FACT, at=T0) for _ in range(5)]

    assert (["working"], ["working", "shortTerm", "longTerm"]) == (
        [step["tier"] for step in eager.lineage(first.id)][:1],
        tiers(eager, said[-1].id),
    )
    assert ["shortTerm", "shortTerm", "shortTerm", "longTerm", "longTerm"] == [each.tier for each in said]
    assert 3 == len({first.id, *(each.id for each in said)})
    assert 5 == properties_of(eager, said[-1].id)["reinforceCount"]


def test_a_batch_follows_what_it_promotes(eager: Brain) -> None:
    """A text born, promoted and restated within one batch is one memory; every outcome names its last id."""
    other = "The release train leaves every second Thursday at noon"
    outcomes = eager.remember_many([Note(FACT, at=T0), Note(other, at=T0), *[Note(FACT.upper(), at=T0)] * 3])

    assert ["created", "created", "reinforced", "reinforced", "reinforced"] == [each.outcome for each in outcomes]
    assert 2 == len({each.id for each in outcomes})
    assert ["working", "shortTerm", "longTerm"] == tiers(eager, outcomes[0].id)
    assert {"longTerm"} == {each.tier for each in outcomes if each.id == outcomes[0].id}
    assert () == eager.verify().wrong


def test_old_notes_are_promoted_at_their_own_instant(eager: Brain) -> None:
    """A note of ten days ago was promoted ten days ago, not now."""
    texts = (FACT, "The release train leaves every second Thursday at noon")
    eager.remember_many([Note(text, at=T0 - hours(24 * day)) for day, text in enumerate(texts)])

    assert [T0 - hours(24), T0] == [step["at"] for step in promotions(eager)]


def test_a_source_and_a_relation_come_along(eager: Brain) -> None:
    """The node it came from leads to the archive and to what lives on; the relation stays with the live one."""
    old = eager.remember("The proxy was replaced in May", producer="inference", at=T0)

    new = eager.remember(FACT, source=Source("Ticket", "42"), relation="extends", related_to=old.id, at=T0)

    hung = query(
        eager.graph,
        "MATCH (:Ticket {id: '42', brain: $b})-[:HAS_MEMORY]->(m) RETURN m.id AS id",
        b=eager.name,
    )
    assert {step["id"] for step in eager.lineage(new.id)} == {row["id"] for row in hung}
    assert [(True, old.id)] == [(each.outgoing, each.other.id) for each in eager.relations(new.id)]


def test_a_test_memory_has_exactly_the_tier_that_was_asked_for(eager: Brain) -> None:
    """It is made to stand at a threshold; the next event or run promotes it (R-004-06)."""
    made = eager.create_test_memory("just above", 2.01, "working", now=T0)

    assert ["working"] == tiers(eager, made.id, test=True)


def test_what_has_faded_cannot_be_boosted_though_no_run_has_come(eager: Brain) -> None:
    """Refused as for a marked one, and marked (R-004-19)."""
    (made,) = create_test_memories(eager, [("a note", 1.0, "working")])

    with pytest.raises(NotFound, match=r"expired on .* and cannot be boosted"):
        eager.boost(made, test=True, now=T0 + hours(5))

    stored = properties_of(eager, made)
    assert (["ExpiredMemory"], "expired", "working", 1) == (
        stored["labels"],
        stored["tier"],
        stored["expiredFrom"],
        stored["accessCount"],
    )
    assert pytest.approx(math.exp(-2.5), abs=EXACT) == stored["energy"]
    assert ["born", "expired"] == kinds_of(eager, made, test=True)


@pytest.mark.parametrize(
    ("energy", "tier", "core"), [(0.1, "working", False), (0.05, "working", True), (0.05, "longTerm", False)]
)
def test_what_does_not_expire_does_not_fade(eager: Brain, energy: float, tier: str, core: bool) -> None:
    """Exactly 0.1, core, and longTerm below its floor (R-004-19, R-000-27, R-000-28)."""
    (made,) = create_test_memories(eager, [("a note", energy, tier)])
    query(eager.graph, "MATCH (m:Memory {id: $id}) SET m.core = $core", id=made, core=core)

    assert energy + 1 == eager.boost(made, test=True, now=T0)[1].after


def test_opening_what_has_faded_shows_it_as_expired(eager: Brain) -> None:
    """An opening of an expired memory changes nothing about it."""
    (made,) = create_test_memories(eager, [("a note", 1.0, "working")])

    opened = eager.open(made, test=True, now=T0 + hours(5))

    assert (Tier.EXPIRED, None, 1) == (opened.memory.tier, opened.before, opened.memory.access_count)


def test_restating_what_has_faded_revives_it(eager: Brain) -> None:
    """Not reinforced from next to nothing; a birth above the threshold is promoted by its revival."""
    weak = eager.remember(FACT, producer="inference", at=T0)
    strong = eager.remember("Measure before caching, always", memory_type="crystallization", at=T0)

    again = eager.remember(FACT, at=T0 + hours(6))
    later = eager.remember("Measure before caching, always", at=T0 + hours(200))

    assert ("revived", weak.id) == (again.outcome, again.id)
    assert pytest.approx(reinforced(DEFAULT_LAW.birth_inference, Tier.WORKING), abs=EXACT) == again.energy
    assert ["born", "expired", "revived"] == kinds_of(eager, again.id)
    assert ("revived", Tier.SHORT_TERM) == (later.outcome, later.tier)
    assert strong.id != later.id
    assert ["born", "promoted", "expired", "revived", "promoted"] == kinds_of(eager, later.id)
    assert () == eager.verify().wrong


def test_with_reviving_off_what_has_faded_is_born_anew(eager: Brain) -> None:
    """reviveExpired 0: the old one is marked and stays, a new one stands beside it."""
    eager.set_law(T0, revive_expired=0)
    first = eager.remember(FACT, producer="inference", at=T0)

    again = eager.remember(FACT, producer="inference", at=T0 + hours(6))

    assert ("created", Tier.EXPIRED) == (again.outcome, eager.find(first.id).tier)


@pytest.mark.parametrize("verb", ["pin", "supersede"])
def test_what_has_faded_is_refused_as_an_expired_one_is(eager: Brain, verb: str) -> None:
    """pin, and taking the place of another."""
    faded, other = create_test_memories(eager, [("a note", 1.0, "working"), ("other", 9.0, "longTerm")])
    deeds: dict[str, Callable[[], object]] = {
        "pin": lambda: eager.pin(faded, test=True, now=T0 + hours(5)),
        "supersede": lambda: eager.supersede(other, faded, test=True, now=T0 + hours(5)),
    }

    with pytest.raises(Refused, match="expired on"):
        deeds[verb]()


def test_what_has_faded_is_forgotten_and_restored_as_expired(eager: Brain) -> None:
    """As after a run."""
    (made,) = create_test_memories(eager, [("a note", 1.0, "working")])

    _, forgotten = eager.forget(made, test=True, now=T0 + hours(5))
    _, restored = eager.restore(made, test=True, now=T0 + hours(6))

    assert (Tier.EXPIRED, Tier.EXPIRED) == (forgotten.tier, restored.tier)


def test_a_relation_does_not_rescue_what_has_faded(eager: Brain) -> None:
    """Relations act in runs, and a run that comes late finds it expired as an early one would (model §6)."""
    faded, other = create_test_memories(eager, [("a note", 0.12, "working"), ("other", 9.0, "longTerm")])
    eager.link(other, "extends", faded, test=True, now=T0)

    report = eager.consolidate(test=True, now=T0 + hours(0.5))

    assert (0, 0) == (report.changed("relate"), report.changed("expire"))
    assert ["born", "expired"] == kinds_of(eager, faded, test=True)


def test_letting_a_protected_memory_go_promotes_it(eager: Brain) -> None:
    """Unpinned above its threshold it is what a run at that instant would make of it."""
    (made,) = create_test_memories(eager, [("a note", 1.5, "working")])
    eager.pin(made, test=True, now=T0)
    _, boosted = eager.boost(made, test=True, now=T0)

    _, free = eager.unpin(made, test=True, now=T0 + hours(9))

    assert (made, Tier.WORKING) == (boosted.id, boosted.tier)
    assert (Tier.SHORT_TERM, 2.5) == (free.tier, free.energy)
    assert ["born", "pinned", "boosted", "unpinned", "promoted"] == kinds_of(eager, free.id, test=True)
    assert () == eager.verify(test=True).wrong


def test_boosts_at_once_promote_once(eager: Brain) -> None:
    """Eight hands at one memory at its threshold: every boost counts, one successor each step (P2, P3)."""
    (made,) = create_test_memories(eager, [("a note", 1.5, "working")])

    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(lambda _: eager.boost(made, test=True, now=T0)[1], range(8)))

    head = eager.find(max(done, key=lambda each: each.after).id, test=True)
    assert (9.5, 9, Tier.LONG_TERM) == (head.energy, head.access_count, head.tier)
    assert ["working", "shortTerm", "longTerm"] == tiers(eager, head.id, test=True)
    assert 2 == len(promotions(eager))
    assert () == eager.verify(test=True).wrong


@pytest.mark.parametrize("is_test", [True, False])
def test_events_stay_in_their_scope(eager: Brain, is_test: bool) -> None:
    """Promoting and marking at events leaves the other scope byte for byte what it was (P6)."""
    for test in (True, False):
        eager.remember(FACT, at=T0, test=test)
        eager.remember("A thing said in passing", producer="system", at=T0, test=test)
    before = everything_but(eager.graph, eager.name, is_test=is_test)

    eager.remember(FACT, at=T0 + minutes(1), test=is_test)
    with pytest.raises(NotFound):
        eager.boost("said in passing", now=T0 + hours(9), test=is_test)

    assert before == everything_but(eager.graph, eager.name, is_test=is_test)


def test_a_run_promotes_what_no_event_has_lifted(eager: Brain) -> None:
    """What relations raised, and what was made to stand there, is promoted by the run (model §6)."""
    made, other = create_test_memories(eager, [("a note", 1.9, "working"), ("other", 9.0, "longTerm")])
    eager.link(other, "extends", made, test=True, now=T0)

    report = eager.consolidate(test=True, now=T0)

    assert (1, 1) == (report.changed("relate"), report.changed("promote"))


def test_the_basis_is_one_of_two_words(brain: Brain) -> None:
    """Anything else is refused, and the constants stay as they are."""
    with pytest.raises(InvalidValue, match="promotionBasis cannot be 'evnt': it must be run or event"):
        brain.set_law(promotion_basis="evnt")

    assert (1, PromotionBasis.RUN) == (brain.law().version, brain.law().law.promotion_basis)
    assert PromotionBasis.EVENT is brain.set_law(promotion_basis="event").law.promotion_basis
    assert ["event", "run"] == [version.law.promotion_basis for version in brain.law_history()]
