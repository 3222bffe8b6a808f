"""misses, shadow, report, learning and `open` as people and scripts call them, against a real Neo4j."""

from datetime import UTC, datetime, timedelta

import pytest

from brainbridge.app import Brain
from brainbridge.domain.recall import Strength
from brainbridge.graph.connection import Graph
from brainbridge.settings import Settings
from tests.learning_support import notes, recalled, weak
from tests.program import Done, Program
from tests.support import query

KEYS = {
    "misses": ["schema", "misses"],
    "shadow": [
        "schema",
        "candidate",
        "since",
        "pages",
        "decided",
        "mrrLive",
        "mrrCandidate",
        "wins",
        "losses",
        "ties",
        "pValue",
        "verdict",
        "note",
    ],
    "report": [
        "schema",
        "period",
        "since",
        "now",
        "captured",
        "opened",
        "boosted",
        "reinforced",
        "promoted",
        "expired",
        "recalled",
        "misses",
        "topRecalled",
        "unanswered",
        "unansweredQueries",
    ],
}


@pytest.fixture
def brain(program: Program, graph: Graph) -> Brain:
    """The program's brain, for making the pages that a recall would make."""
    return Brain(graph, program.brain, Settings(), owns_unowned=False)


def call(program: Program, *argv: str) -> Done:
    """One call on the program's brain; it must succeed."""
    done = program(*argv, "--brain", program.brain)
    assert (0, "") == (done.code, done.err), done.err
    return done


@pytest.mark.parametrize("command", sorted(KEYS))
def test_before_anything_was_learned(program: Program, command: str) -> None:
    """Nothing to show is shown as such: exit 0, the keys that scripts rely on (interfaces §9)."""
    people, script = call(program, command), call(program, command, "--json")

    assert people.out.strip()
    assert KEYS[command] == list(script.json)
    assert f"brainbridge.{command}/1" == script.json["schema"]


def test_misses(program: Program, brain: Brain) -> None:
    """Most asked first; a limit; --all with those that were answered since (R-003-22)."""
    (id_,) = notes(brain, 1)
    now = datetime.now(UTC)
    for question, hits in [("often", []), ("often", weak(id_)), ("once", []), ("solved", []), ("solved", [id_])]:
        recalled(brain, hits, question=question, at=now)

    misses = call(program, "misses", "--test-only", "--json").json["misses"]

    assert [("often", 2), ("once", 1)] == [(miss["query"], miss["count"]) for miss in misses]
    assert {"query", "count", "firstAsked", "lastAsked", "bestCover"} <= misses[0].keys()
    assert 1 == len(call(program, "misses", "--test-only", "--json", "--limit", "1").json["misses"])
    assert 3 == len(call(program, "misses", "--test-only", "--json", "--all").json["misses"])
    assert "often" in call(program, "misses", "--test-only").out
    assert [] == call(program, "misses", "--json").json["misses"]


def test_shadow_says_nothing_before_it_can(program: Program, brain: Brain) -> None:
    """Two decided pages: the numbers, no verdict, and whom the comparison favours (R-003-32, -33, -34)."""
    one, other = notes(brain, 2)
    now = datetime.now(UTC) - timedelta(minutes=9)
    for minute in range(2):
        page = recalled(brain, [one, other], at=now + timedelta(minutes=minute))
        query(
            brain.graph,
            "MATCH (p:RecallPage {id: $page}) CREATE (:ShadowRank {id: randomUUID(), brain: p.brain, isTest: true, "
            "at: p.at, candidate: 'co-activation', places: [2, 1]})-[:SHADOWS]->(p)",
            page=page,
        )
        brain.open(other, test=True, now=now + timedelta(minutes=minute, seconds=9))

    found = call(program, "shadow", "--test-only", "--days", "7", "--json").json

    assert (2, 2, 0, 0, "too few") == tuple(found[key] for key in ("pages", "wins", "losses", "ties", "verdict"))
    assert (0.5, 1.0, 0.5) == (found["mrrLive"], found["mrrCandidate"], found["pValue"])
    people = call(program, "shadow", "--test-only").out
    assert "no verdict: 2 decided pages, 20 are needed" in people
    assert "favours live" in people


def test_report(program: Program, brain: Brain) -> None:
    """Counts of the period, what was recalled most, unanswered queries (R-003-24)."""
    (id_,) = notes(brain, 1)
    now = datetime.now(UTC) - timedelta(minutes=5)
    recalled(brain, [(id_, 0.9, Strength.STRONG)], at=now)
    recalled(brain, [], question="where is the key", at=now)

    found = call(program, "report", "--test-only", "--period", "day", "--json").json

    assert (2, 1, 1) == (found["recalled"], found["misses"], found["unanswered"])
    assert [(id_, 1)] == [(top["id"], top["pages"]) for top in found["topRecalled"]]
    people = call(program, "report", "--test-only").out
    assert "unanswered queries: 1" in people
    assert "where is the key" in people


def test_open_lists_what_is_often_recalled_with_it(program: Program, brain: Brain) -> None:
    """From the fifth day on, with the weight; no command needs to be told (R-003-13)."""
    one, other = notes(brain, 2)
    today = brain.graph.now()
    for day in range(5, 0, -1):
        for id_ in (one, other):
            brain.open(id_, test=True, now=today - timedelta(days=day))

    opened = call(program, "open", one, "--test-only", "--json").json

    assert [other] == [companion["id"] for companion in opened["oftenRecalledWith"]]
    assert pytest.approx(0.535, abs=0.02) == opened["oftenRecalledWith"][0]["weight"]
    assert f"often recalled with {other}" in call(program, "open", one, "--test-only").out


def test_learning_rebuild_and_prune(program: Program, brain: Brain) -> None:
    """What they did, in numbers; the births of the notes are older than 180 days."""
    for id_ in notes(brain, 3):
        brain.open(id_, test=True)

    rebuilt = call(program, "learning", "rebuild", "--test-only", "--json").json
    pruned = call(program, "learning", "prune", "--test-only", "--json").json

    assert (3, 3, 3) == tuple(rebuilt[key] for key in ("openings", "before", "after"))
    assert (0, 0, 3) == tuple(pruned[key] for key in ("pages", "misses", "events"))
    assert "3 openings looked at" in call(program, "learning", "rebuild", "--test-only").out
    assert "deleted 0 recalls" in call(program, "learning", "prune", "--test-only").out


def test_records_are_not_let_go_before_their_time(program: Program, brain: Brain) -> None:
    """--at may replay what has been, not run ahead of it: the ledger proves the energies of real memories."""
    brain.remember("the ferry leaves at nine")

    done = program("learning", "prune", f"--brain={program.brain}", "--at=9999-12-31")

    assert (7, "") == (done.code, done.out)
    assert "records would go that are to be kept until then. Leave --at out." in done.err
    assert 1 == brain.verify().events


@pytest.mark.parametrize("argv", [("report", "--period=month"), ("learning", "prune")], ids=" ".join)
def test_the_first_day_of_the_calendar_is_a_day(program: Program, argv: tuple[str, ...]) -> None:
    """A period or a retention that would begin before it begins with it."""
    assert 0 == program(*argv, f"--brain={program.brain}", "--at=0001-01-02").code


def test_a_retention_that_is_too_short_is_warned_of(program: Program) -> None:
    """On stderr, and 60 days are kept (R-003-28)."""
    done = program(
        "learning", "prune", "--brain", program.brain, "--json", BRAINBRIDGE_LEARNING__EVENT_RETENTION_DAYS="30"
    )

    assert 0 == done.code
    assert "learning.event_retention_days is 30; records are kept for 60 days at least." in done.err
    kept = datetime.now(UTC) - datetime.fromisoformat(done.json["before"])
    assert 60 == round(kept / timedelta(days=1))


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["shadow", "--candidate", "telepathy"], 2, "There are: co-activation"),
        (["shadow", "--days", "0"], 2, "Give a number above 0"),
        (["shadow", "--days", "soon"], 2, "is not a number"),
        (["misses", "--limit", "0"], 2, "limit"),
        (["report", "--period", "fortnight"], 2, "day"),
        (["learning"], 2, ""),
        (["misses", "--brain", "nobody-here"], 5, "there is no brain"),
    ],
)
def test_what_cannot_be_done_says_why(program: Program, argv: list[str], code: int, said: str) -> None:
    """One line, the exit code of its kind, nothing on stdout (interfaces §2)."""
    done = program("--brain", program.brain, *argv)

    assert code == done.code, done.err
    assert said in done.err
    assert "Traceback" not in done.err
