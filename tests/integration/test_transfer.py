"""Export and import on a real server: lossless, idempotent, resumable, and apart from every other brain and scope."""

import io
import json
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brainbridge.app import Brain, initialise
from brainbridge.consolidation.lease import held
from brainbridge.domain.errors import InvalidValue, Refused, UsageError
from brainbridge.domain.memory import MAX_CONTENT_BYTES
from brainbridge.transfer import export, restore
from brainbridge.transfer.report import ImportReport
from tests.support import T0, create_test_memories, everything_but, hours, minutes, query

STRANGE = (
    "plain",
    "日本語のメモ 🧠 e\u0301 \u202eabc",
    "line\nbreak\r\ntab\t nul-free \x01\x1b[31m \u2028\u2029\x85",
    'quotes " \\ \\u0041 `tick` $param {{x}}',
    "x" * MAX_CONTENT_BYTES,
)


@pytest.fixture
def full(brain: Brain) -> Brain:
    """A brain whose test memories are in every state, with lineages of three tiers, relations, sources and extras."""
    for content in STRANGE:
        create_test_memories(brain, [(content, 1.0 / 3.0, "working")])
    climber = brain.create_test_memory("climbs all tiers", 9.0, "working", now=T0)
    brain.create_test_memory("fades", 0.11, "working", now=T0)
    gone = brain.create_test_memory("is forgotten", 1.0, "longTerm", now=T0)
    old, new = (brain.create_test_memory(text, 1.5, "longTerm", now=T0) for text in ("port 8080", "port 9090"))
    for step in range(1, 5):
        brain.consolidate(test=True, now=T0 + minutes(15 * step))
    brain.boost(old.id, test=True, now=T0 + hours(2))
    brain.link(new.id, "UPDATES", old.id, test=True)
    brain.link(old.id, "CONTRADICTS", gone.id, test=True)
    brain.supersede(old.id, new.id, test=True, now=T0 + hours(3))
    brain.forget(gone.id, reason="wrong", test=True, now=T0 + hours(3))
    query(
        brain.graph,
        """
        MATCH (m:Memory {brain: $brain, isTest: true, content: 'plain'})
        MATCH (o:Memory:LiveMemory {brain: $brain, isTest: true, content: 'climbs all tiers'})
        SET m:Favourite, m.core = true, m.stars = 5, m.tags = ['a', 'ü'], m.day = date('2026-03-01'),
            m.place = point({longitude: 13.4, latitude: 52.5}), m.odd = 0.1 + 0.2, m.span = duration('P1M2DT3.5S'),
            m.met = datetime('2026-03-01T12:00:00.123456789+01:00[Europe/Berlin]')
        CREATE (m)-[:MINE {since: datetime('2026-03-01T00:00Z')}]->(o)
        MERGE (m)-[c:co_recalled {weight: 0.15}]->(o)
        CREATE (s:Session:`odd label` {id: 's-1', title: 'a talk', brain: $brain, isTest: true,
                                       at: datetime('2026-03-01T00:00Z')})
        CREATE (n:Nameless {text: 'no id'})
        CREATE (s)-[:HAS_MEMORY {created: datetime('2026-03-01T00:00Z')}]->(m)
        CREATE (s)-[:HAS_MEMORY]->(o), (n)-[:HAS_MEMORY]->(m)
        """,
        brain=brain.name,
    )
    assert climber.id
    return brain


def exported(brain: Brain, *, test: bool = True) -> str:
    """An export as text."""
    stream = io.StringIO()
    brain.export_to(stream, test=test)
    return stream.getvalue()


def wipe(brain: Brain) -> None:
    """Delete all that a brain has but its registration; its constants become the defaults again."""
    query(
        brain.graph,
        """
        MATCH (n) WHERE n.brain = $brain OR n:Nameless OR EXISTS { (n)-[:HAS_MEMORY]->({brain: $brain}) }
        DETACH DELETE n
        """,
        brain=brain.name,
    )
    initialise(brain.graph, brain.name)


def imported(brain: Brain, text: str, *, test: bool = True, **options: Any) -> ImportReport:
    """Import an export that is text."""
    return brain.import_from(io.StringIO(text), test=test, **options)


def lines(text: str) -> list[dict[str, Any]]:
    """The objects of an export; `splitlines` would also part it at a line separator inside a content."""
    return [json.loads(line) for line in text.split("\n") if line]


def changed(text: str, number: int, **changes: Any) -> str:
    """An export with some properties of the memory at a line changed."""
    parts = text.split("\n")
    found = json.loads(parts[number - 1])
    found["memory"] |= changes
    parts[number - 1] = json.dumps(found, ensure_ascii=False)
    return "\n".join(parts)


def test_a_round_trip_gives_the_same_bytes(full: Brain) -> None:
    """Every state, lineages, relations, extras and contents survive export, wipe and import (P8)."""
    before = exported(full)
    wipe(full)

    report = imported(full, before)

    assert before == exported(full)
    kinds = {relation["type"] for line in lines(before) for relation in line.get("relations", ())}
    assert {"UPDATES", "CONTRADICTS", "SUPERSEDED_BY", "PROMOTED_TO", "MINE"} == kinds
    assert report.created == len(lines(before)) - 2
    assert (0, 0, 0, 3) == (report.already_there, report.kept, report.dangling, report.sources)


def test_a_restored_brain_goes_on_as_the_old_one_would(full: Brain) -> None:
    """Labels and ledger are back: the next run does the same, and every energy can be replayed."""
    before, verified = exported(full), full.verify(test=True)
    full.consolidate(test=True, now=T0 + hours(30))
    expected = [(m.id, m.tier, m.energy) for m in full.list_test_memories()]
    wipe(full)
    imported(full, before)

    assert verified == full.verify(test=True)
    full.consolidate(test=True, now=T0 + hours(30))
    assert expected == [(m.id, m.tier, m.energy) for m in full.list_test_memories()]


def test_a_second_import_changes_nothing(full: Brain) -> None:
    """The same file again finds everything there."""
    before = exported(full)

    report = imported(full, before)

    assert len(lines(before)) - 2 == report.already_there
    assert (0, 0, 0, 0, 0) == (report.created, report.kept, report.relations, report.events, report.sources)
    assert before == exported(full)


def test_a_killed_import_is_completed_by_the_next(full: Brain) -> None:
    """Wherever it is killed, the same import again ends as an uninterrupted one (P1)."""
    before = exported(full)
    batches = math.ceil((len(lines(before)) - 2) / 3)

    for killed_at in range(batches):
        wipe(full)
        seen: list[int] = []

        def kill(done: int, seen: list[int] = seen, killed_at: int = killed_at) -> None:
            seen.append(done)
            if len(seen) > killed_at:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            restore.import_from(full.graph, full.scope(test=True), io.StringIO(before), progress=kill, batch=3)
        report = imported(full, before)

        assert before == exported(full)
        assert seen[-1] == report.already_there


def test_what_differs_here_is_kept(full: Brain) -> None:
    """A memory that moved on since the export is not set back."""
    before = exported(full)
    full.consolidate(test=True, now=T0 + hours(5))
    after = exported(full)

    report = imported(full, before)

    assert after == exported(full)
    assert report.kept > 0
    assert report.created == 0


def test_a_lineage_that_went_on_elsewhere_does_not_come_twice(brain: Brain) -> None:
    """Promoted here and there since the export: the ids differ, but it is one memory."""
    brain.create_test_memory("one", 9.0, "working", now=T0)
    start = exported(brain)
    brain.consolidate(test=True, now=T0 + minutes(15))
    brain.consolidate(test=True, now=T0 + minutes(30))
    there = exported(brain)
    for runs in (0, 1, 2):
        wipe(brain)
        imported(brain, start)
        for run in range(runs):
            brain.consolidate(test=True, now=T0 + minutes(15 * (run + 1)))
        here = exported(brain)

        report = imported(brain, there)

        assert here == exported(brain)
        assert (0, 3) == (report.created, report.kept + report.already_there)


def test_the_same_text_here_is_kept(brain: Brain) -> None:
    """A text that is remembered under another id is one memory, as remember would have it."""
    brain.remember("the port of the staging server is 8080", at=T0)
    text = exported(brain, test=False)
    wipe(brain)
    kept = brain.remember("the port of the staging server is 8080", at=T0)

    report = imported(brain, text, test=False)

    assert (0, 1) == (report.created, report.kept)
    assert [kept.id] == [line["memory"]["id"] for line in lines(exported(brain, test=False)) if "memory" in line]


def test_another_brain_may_take_it(full: Brain, make_brain: Callable[..., Brain]) -> None:
    """Only the header says whose it was; ids that belong to another brain of the database are refused."""
    before = exported(full)
    other = make_brain()

    with pytest.raises(Refused, match=r"Give brain .* a database of its own .* or take only the texts"):
        imported(other, before)
    wipe(full)
    imported(other, before)

    assert before.split("\n")[1:] == exported(other).replace(other.name, full.name).split("\n")[1:]
    owners = query(
        other.graph, "MATCH (:Memory {brain: $b})-[r:UPDATES|CONTRADICTS]->() RETURN r.brain AS b", b=other.name
    )
    assert [{"b": other.name}] * 2 == owners


def test_nothing_but_the_scope_is_touched(full: Brain) -> None:
    """Export and import of test memories leave everything else as it was (P6)."""
    full.remember("a real memory", at=T0)
    before = exported(full)
    query(full.graph, "MATCH (m:Memory {brain: $b, isTest: true}) DETACH DELETE m", b=full.name)
    query(full.graph, "MATCH (m:EnergyEvent {brain: $b, isTest: true}) DETACH DELETE m", b=full.name)
    query(full.graph, "MATCH (n:Nameless) DETACH DELETE n")
    untouched = everything_but(full.graph, full.name, is_test=True)

    imported(full, before)

    query(full.graph, "MATCH (n:Nameless) DETACH DELETE n")  # a node of the user's, back with the memory it belongs to
    assert untouched == everything_but(full.graph, full.name, is_test=True)


def test_test_memories_never_become_real(full: Brain) -> None:
    """A test export is refused in the real scope, with the way out."""
    before = exported(full)

    with pytest.raises(Refused, match="Import it with --test-only"):
        imported(full, before, test=False)

    assert 2 + 1 == len(lines(exported(full, test=False)))


def test_the_constants_come_with_real_memories(brain: Brain) -> None:
    """Every version is back, the one in force is in force; into constants that were changed here none comes."""
    brain.set_law(lambda_working=0.25)
    brain.set_law(boost_amount=0.5)
    before = exported(brain, test=False)
    history = brain.law_history()
    wipe(brain)

    report = imported(brain, before, test=False)

    assert (3, history) == (report.configs, brain.law_history())
    assert (0, 0) == ((again := imported(brain, before, test=False)).configs, again.configs_kept)
    brain.set_law(lambda_working=0.3)
    report = imported(brain, before, test=False)
    assert (0, 3, 0.3) == (report.configs, report.configs_kept, brain.law().law.lambda_working)


def test_a_test_import_leaves_the_constants_alone(brain: Brain, make_brain: Callable[..., Brain]) -> None:
    """They rule real memories too."""
    brain.set_law(lambda_working=0.25)
    before = exported(brain, test=False)
    other = make_brain()

    report = imported(other, before, test=True)

    assert (0, 2, 0.5) == (report.configs, report.configs_kept, other.law().law.lambda_working)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (
            lambda text: text.replace("brainbridge/1", "brainbridge/2", 1),
            "format 'brainbridge/2'; this brainbridge knows",
        ),
        (lambda text: text.replace('{"format":"brainbridge/1"', '{"format":"mimir/3"', 1), "its format is 'mimir/3'"),
        (lambda text: '{"text": "a note"}\n' + text, "it has no format. Plain notes are imported with --format notes"),
        (lambda text: text.replace('{"memory"', '{"memry"', 1), "line 2: is neither a memory nor a config"),
        (lambda text: changed(text, 4, tier="lukewarm"), "line 4: its tier is 'lukewarm'"),
        (lambda text: changed(text, 4, energy=-1.0), "line 4: its energy is -1.0"),
        (lambda text: changed(text, 4, created={"datetime": "yesterday"}), "line 4: created is 'yesterday'"),
        (lambda text: changed(text, 4, deep={"a": {"b": 1}}), "line 4: deep is"),
        (lambda text: changed(text, 4, content="\ud800"), "line 4: "),
        (lambda text: changed(text, 4, energy=math.nan), "line 4: holds NaN"),
        (lambda text: text.replace('"type":"UPDATES"', '"type":"co_recalled"', 1), "co_recalled, which is derived"),
        (lambda text: text.replace('"labels":["Nameless"]', '"labels":["Brain"]', 1), "labelled Brain, which only"),
        (lambda text: text[: len(text) // 2], "the last one, is cut off"),
        (lambda text: text[: text.rindex('{"end"')], "without the last line of an export"),
        (lambda text: _without_line_3(text), "lines are missing"),
    ],
)
def test_a_file_that_is_none_is_refused_with_its_line(full: Brain, spoil: Callable[[str], str], said: str) -> None:
    """Foreign, newer, malformed and cut files are named, and nothing of the batch is written."""
    before = exported(full)
    wipe(full)
    complete_lines = before[: before.rindex('{"end"')] == spoil(before)

    with pytest.raises((InvalidValue, Refused), match=said.replace("(", r"\(")) as refused:
        imported(full, spoil(before))

    there = len(lines(exported(full))) - 2
    assert there == (len(lines(before)) - 2 if complete_lines else 0)
    assert ("Nothing was written" in str(refused.value)) == (there == 0)


def _without_line_3(text: str) -> str:
    parts = text.split("\n")
    return "\n".join(parts[:2] + parts[3:])


def test_batches_before_a_bad_line_stay(full: Brain) -> None:
    """The refusal says so, and the mended file completes it."""
    before = exported(full)
    wipe(full)
    scope = full.scope(test=True)

    with pytest.raises(InvalidValue, match=r"line 9: its tier .* What stands before line 8 was imported"):
        restore.import_from(full.graph, scope, io.StringIO(changed(before, 9, tier="x")), batch=3)

    assert 6 == len(lines(exported(full))) - 2
    imported(full, before)
    assert before == exported(full)


def test_a_relation_whose_end_is_missing_is_counted(full: Brain) -> None:
    """Half a file is half a graph: what hangs in the air is said, not invented."""
    before = exported(full)
    wipe(full)
    parts = before.split("\n")
    superseded = next(i for i, part in enumerate(parts) if "SUPERSEDED_BY" in part)
    ends = {r[end] for r in json.loads(parts[superseded])["relations"] for end in ("from", "to")}
    lost = min(ends)
    rest = [part for part in parts[:-2] if f'"id":"{lost}"' not in part]

    with pytest.raises(InvalidValue, match="without the last line"):
        imported(full, "\n".join(rest) + "\n")

    relations = sum(len(json.loads(part).get("relations", ())) for part in rest)
    there = sum(len(line.get("relations", ())) for line in lines(exported(full)))
    assert there < relations


def test_an_export_waits_for_no_run_and_no_run_for_it(full: Brain) -> None:
    """A run in progress would change ids under the reader."""
    with held(full.graph, full.scope(test=True), "someone else"), pytest.MonkeyPatch.context() as patch:
        patch.setattr("brainbridge.transfer.exchange.WAIT_SECONDS", 0.0)
        with pytest.raises(Exception, match="another run"):
            exported(full)
    report = full.consolidate(test=True, now=T0 + hours(9))

    assert "ok" == report.outcome


def test_pages_meet_every_memory_once(full: Brain, monkeypatch: pytest.MonkeyPatch) -> None:
    """By number and by size, whatever the page."""
    before = exported(full)
    for page, characters in ((1, 10**9), (3, 10**9), (2_000, 1), (2_000, MAX_CONTENT_BYTES)):
        monkeypatch.setattr(export, "PAGE", page)
        monkeypatch.setattr(export, "PAGE_CHARACTERS", characters)

        assert before == exported(full)


def test_a_file_gets_its_name_when_it_is_complete(full: Brain, tmp_path: Path) -> None:
    """0600, atomic: a failure leaves what was there, and nothing beside it."""
    path = tmp_path / "milo.jsonl"
    full.export_to(path, test=True)
    before = path.read_bytes()

    def fail(_: int) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        full.export_to(path, test=True, progress=fail)

    assert (before, [path]) == (path.read_bytes(), list(tmp_path.iterdir()))
    assert (0o600, exported(full)) == (path.stat().st_mode & 0o777, before.decode("utf-8"))
    assert before.count(b"\n") - 2 == full.import_from(path, test=True).already_there


def test_a_place_that_cannot_be_written_is_named(full: Brain, tmp_path: Path) -> None:
    """A folder, and a folder that is not there."""
    for path in (tmp_path, tmp_path / "none" / "x.jsonl"):
        with pytest.raises(UsageError, match=f"cannot write {path}"):
            full.export_to(path, test=True)


def test_what_is_no_memory_is_left_out_and_said(brain: Brain) -> None:
    """Export and import go by one rule, so every export can be imported."""
    brain.create_test_memory("good", 1.0, "working", now=T0)
    strange = "CREATE (:Memory {id: 'zz' + $b, brain: $b, isTest: true, content: 5, tier: 'hot'})"
    query(brain.graph, strange, b=brain.name)

    report = brain.export_to(io.StringIO(), test=True)

    assert (1, 1) == (report.memories, report.left_out)


def test_memories_by_hand_are_adopted_and_in_the_file(brain: Brain) -> None:
    """One with nothing but content, tier and energy has no id until it is adopted."""
    query(
        brain.graph,
        "CREATE (:Memory {brain: $b, isTest: true, content: 'by hand', tier: 'working', energy: 1.5})",
        b=brain.name,
    )

    assert ["by hand"] == [line["memory"]["content"] for line in lines(exported(brain)) if "memory" in line]


@given(contents=st.lists(st.text(min_size=1).filter(lambda text: text.strip()), min_size=1, max_size=5))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_content_comes_back(brain: Brain, contents: list[str]) -> None:
    """Any text that can be stored comes back byte for byte (P8)."""
    brain.clear_test_memories()
    create_test_memories(brain, [(content, 0.1 + 0.2, "working") for content in contents])
    before = exported(brain)
    brain.clear_test_memories()

    imported(brain, before)

    assert sorted(contents) == sorted(m.content for m in brain.list_test_memories())
    assert before == exported(brain)


def test_an_import_of_many_batches_is_one(brain: Brain) -> None:
    """Relations between memories of different batches find both ends."""
    ids = create_test_memories(brain, [(f"note {number}", 1.0, "working") for number in range(50)])
    for one, other in pairwise(ids):
        brain.link(one, "EXTENDS", other, test=True)
    before = exported(brain)
    brain.clear_test_memories()

    report = restore.import_from(brain.graph, brain.scope(test=True), io.StringIO(before), batch=7)

    assert (50, 49) == (report.created, report.relations)
    assert before == exported(brain)


@pytest.mark.parametrize("batch", [1, 2, 3, 100])
def test_a_lineage_of_many_promotions_comes_whole(brain: Brain, batch: int) -> None:
    """A memory that expired and came back climbs again: more steps than there are tiers, in any batches."""
    for round_ in range(3):
        brain.remember("the tide turns at noon", memory_type="crystallization", at=T0 + hours(200 * round_))
        brain.consolidate(now=T0 + hours(200 * round_))
        brain.consolidate(now=T0 + hours(200 * round_ + 100))
    before = exported(brain, test=False)
    wipe(brain)

    report = restore.import_from(brain.graph, brain.scope(), io.StringIO(before), batch=batch)

    assert (4, 0) == (report.created, report.kept)
    assert before == exported(brain, test=False)


def test_a_long_lineage_that_went_on_elsewhere_does_not_come_twice(brain: Brain) -> None:
    """Promoted otherwise here, or not at all, and three times there: one head, however far the two have gone."""
    brain.remember("the tide turns at noon", memory_type="crystallization", at=T0)
    start = exported(brain, test=False)
    for round_ in range(1, 4):
        brain.consolidate(now=T0 + hours(200 * round_ - 200))
        brain.consolidate(now=T0 + hours(200 * round_ - 100))
        brain.remember("the tide turns at noon", at=T0 + hours(200 * round_))
    there = exported(brain, test=False)
    for runs in (0, 1):
        wipe(brain)
        imported(brain, start, test=False)
        for _ in range(runs):
            brain.consolidate(now=T0)
        here = exported(brain, test=False)

        report = imported(brain, there, test=False)

        assert here == exported(brain, test=False)
        assert 0 == report.created


def test_a_brain_whose_events_promote_is_carried_over_with_its_basis(brain: Brain) -> None:
    """Constants, ids and lineages are those that were exported, and the next event promotes as it would have."""
    brain.set_law(T0, promotion_basis="event")
    strong = brain.remember("the tide turns at noon", memory_type="crystallization", at=T0)
    weak = brain.remember("gulls follow the plough", memory_type="learning", at=T0)
    brain.link(strong.id, "derives", weak.id, now=T0)
    before = exported(brain, test=False)
    wipe(brain)

    imported(brain, before, test=False)

    assert before == exported(brain, test=False)
    assert "shortTerm" == brain.boost(weak.id, now=T0)[1].tier


def test_a_line_that_comes_twice_is_one_memory(full: Brain) -> None:
    """Doubled lines do not double a memory; the count at the end says that they are too many."""
    before = exported(full)
    wipe(full)
    parts = before.split("\n")

    with pytest.raises(InvalidValue, match="lines are missing or were added"):
        imported(full, "\n".join([parts[0], *[line for line in parts[1:-2] for _ in (1, 2)], *parts[-2:]]))

    assert 2 == len(lines(exported(full)))


def test_two_imports_at_once_are_one(full: Brain) -> None:
    """The second waits for the first, and finds everything there."""
    before = exported(full)
    wipe(full)

    with ThreadPoolExecutor(2) as threads:
        reports = list(threads.map(lambda _: imported(full, before), range(2)))

    assert before == exported(full)
    assert [0, len(lines(before)) - 2] == sorted(report.created for report in reports)


def test_a_content_beyond_the_limit_is_refused_by_its_line(full: Brain) -> None:
    """2 MiB in one memory: named, and nothing of its batch written."""
    before = exported(full)
    wipe(full)

    with pytest.raises(InvalidValue, match="line 4: the content is 2,097,152 bytes"):
        imported(full, changed(before, 4, content="x" * 2 * 2**20))

    assert 2 == len(lines(exported(full)))
