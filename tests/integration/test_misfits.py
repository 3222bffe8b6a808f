"""Live memories that a hand edit spoiled: no path breaks on them, and the next run repairs what can be read."""

from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.errors import Misshapen
from tests.support import T0, hours, properties_of, query

TEXT = "The lamp in the hall is broken"
OTHER = "Oat milk goes into the second cup"
# What a hand wrote, and what the next run makes of it.
REPAIRED = [
    ("m.energy = '1.5'", "energy", 1.5),
    ("m.lastDecay = '2026-03-01T12:00:00Z'", "lastDecay", T0),
    ("m.lastDecay = localdatetime('2026-03-01T12:00:00')", "lastDecay", T0),
    ("m.lastDecay = 'yesterday'", "lastDecay", T0),
    ("m.lastDecay = null", "lastDecay", T0),
    ("m.created = '2026-03-01T12:00:00Z'", "created", T0),
    ("m.core = 'yes'", "core", False),
    ("m.accessCount = 'many'", "accessCount", 1),
    ("m.lastAccessed = 'yesterday'", "lastAccessed", T0),
    ("m.lastOpened = '2026-03-01T12:00:00Z'", "lastOpened", T0),
    ("m.subject = 42", "subject", "42"),
]
HOPELESS = [
    ("m.energy = 0.0 / 0.0", "its energy is nan", "SET m.energy = 1.0"),
    ("m.energy = 1.0 / 0.0", "its energy is inf", "SET m.energy = 1.0"),
    ("m.energy = -1.0", "its energy is -1.0", "SET m.energy = 1.0"),
    ("m.energy = null", "its energy is None", "SET m.energy = 1.0"),
    ("m.energy = 'high'", "its energy is 'high'", "SET m.energy = 1.0"),
    ("m.tier = 'lukewarm'", "its tier is 'lukewarm'", "SET m.tier = 'working'"),
    ("m.tier = null", "its tier is None", "SET m.tier = 'working'"),
    ("m.content = 42", "its content is 42", "SET m.content"),
]
# What the law needs, or the text itself; an event on a memory that lacks one of the others does what it can.
DECISIVE = ("m.energy", "m.tier", "m.lastDecay", "m.core", "m.content")
EDITS = [edit for edit, *_ in (*REPAIRED, *HOPELESS)]


@pytest.fixture(autouse=True)
def _no_nan_left(brain: Brain) -> Iterator[None]:
    """Other tests compare pictures of everything, and NaN is not equal to itself."""
    yield
    query(brain.graph, "MATCH (m:Memory) WHERE m.brain = $b AND m.energy <> m.energy SET m.energy = 0.0", b=brain.name)


def spoiled(brain: Brain, edit: str) -> str:
    """The id of a memory that a hand edit has just spoiled, beside a sound one."""
    brain.remember(OTHER, at=T0)
    id_ = brain.remember(TEXT, at=T0).id
    query(brain.graph, f"MATCH (m:Memory {{id: $id}}) SET {edit}", id=id_)
    return id_


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("trigger", ["manual", "schedule", "goodbye"])
def test_one_spoiled_memory_stops_no_run(brain: Brain, edit: str, trigger: str) -> None:
    """The others are decayed and promoted as ever, on demand and on schedule (P1)."""
    spoiled(brain, edit)
    (other,) = (hit.memory for hit in brain.recall("oat milk", now=T0).hits)
    brain.link(other.id, "extends", brain.remember("A third thing that was said", at=T0).id, now=T0)

    report = brain.consolidate(now=T0 + hours(0.25), trigger=trigger)

    assert (None, "ok") == (report.error, report.outcome)
    assert "shortTerm" == brain.find(OTHER).tier


@pytest.mark.parametrize("edit", EDITS)
def test_every_look_at_the_whole_brain_goes_on(brain: Brain, edit: str) -> None:
    """status, verify, export, recall, listing and health answer."""
    spoiled(brain, edit)

    assert OTHER in [hit.memory.content for hit in brain.recall("oat milk and the lamp", now=T0).hits]
    assert 1 <= brain.status(now=T0).total <= 2
    assert () == brain.verify().wrong
    assert "error" == {finding.name: finding.level for finding in brain.health(now=T0).findings}["values"]
    assert OTHER == brain.find("second cup").content
    assert 1 <= brain.export_to(StringIO()).memories <= 2


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit.split()[0] in DECISIVE])
@pytest.mark.parametrize("verb", ["boost", "open", "pin", "remember"])
def test_an_event_on_it_is_refused_with_the_way_to_mend_it(brain: Brain, edit: str, verb: str) -> None:
    """One line, exit code 1, and nothing changed: it names the memory and the command that repairs it."""
    id_ = spoiled(brain, edit)
    before = properties_of(brain, id_)
    deeds: dict[str, Callable[[], Any]] = {
        "boost": lambda: brain.boost(id_, now=T0 + hours(1)),
        "open": lambda: brain.open(id_, now=T0 + hours(1)),
        "pin": lambda: brain.pin(id_, now=T0 + hours(1)),
        "remember": lambda: brain.remember(TEXT, at=T0 + hours(1)),
    }

    with pytest.raises(Misshapen) as refused:
        deeds[verb]()

    assert id_ in str(refused.value)
    assert "`brainbridge consolidate` repairs" in str(refused.value)
    assert repr(before) == repr(properties_of(brain, id_))  # by repr: NaN is not equal to itself


@pytest.mark.parametrize(("edit", "name", "value"), REPAIRED)
def test_the_next_run_repairs_what_can_be_read(brain: Brain, edit: str, name: str, value: object) -> None:
    """Numbers and instants written as text, an instant without its zone, counts and flags of the wrong kind (P13)."""
    id_ = spoiled(brain, edit)

    report = brain.run("relate", now=T0)  # any operation adopts first

    stored = properties_of(brain, id_)
    assert (1, ["LiveMemory"], value) == (report.changed("adopt"), stored["labels"], stored[name])
    assert "values" not in {finding.name for finding in brain.health(now=T0).findings}
    assert brain.boost(id_, now=T0)[1].after > 1
    assert () == brain.verify().wrong


@pytest.mark.parametrize(("edit", "reason", "mend"), HOPELESS)
def test_what_only_a_person_can_tell_is_taken_out_of_play_and_comes_back(
    brain: Brain, edit: str, reason: str, mend: str
) -> None:
    """health says what is wrong and the Cypher that mends it; mended, it is adopted by the next run."""
    id_ = spoiled(brain, edit)

    brain.consolidate(now=T0)

    assert [] == properties_of(brain, id_)["labels"]
    (finding,) = (found for found in brain.health(now=T0).findings if found.name == "adoption")
    assert "error" == finding.level
    assert reason in finding.text
    how = f"MATCH (m:Memory {{id: '{id_}'}}) {mend}"
    assert how in finding.text
    query(brain.graph, how if "content" not in mend else f"{how} = 'a lamp'")
    brain.consolidate(now=T0)
    assert properties_of(brain, id_)["labels"] in (["LiveMemory"], ["ArchivedMemory"])


def test_a_memory_that_lost_its_id_gets_another(brain: Brain) -> None:
    """It is found again by the next run."""
    spoiled(brain, "m.id = null")

    brain.consolidate(now=T0)

    assert TEXT == brain.find("lamp in the hall").content


@pytest.mark.parametrize("trigger", ["schedule", "goodbye"])
def test_a_run_in_the_background_leaves_the_look_at_every_memory_to_others(brain: Brain, trigger: str) -> None:
    """It passes the spoiled one over; the next run that someone calls repairs it."""
    id_ = spoiled(brain, "m.energy = '1.5'")

    brain.consolidate(now=T0 + hours(1), trigger=trigger)

    assert "1.5" == properties_of(brain, id_)["energy"]
