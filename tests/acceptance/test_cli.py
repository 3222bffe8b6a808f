"""The installed command as people and scripts call it, against a real Neo4j."""

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from brainbridge.graph.connection import Graph
from brainbridge.graph.schema import SCHEMA_VERSION
from tests.program import Program
from tests.support import query

# What P9 of the reliability page promises for every way in which a database can be out of reach.
# The promise is 5 s and takes 4; a machine that is busy with other tests takes longer to start a program.
PATIENCE = 10.0  # seconds


@pytest.fixture
def untouched(graph: Graph) -> Callable[[], int]:
    """How many nodes the database has, to compare before and after."""

    def count() -> int:
        return int(query(graph, "MATCH (n) WHERE NOT n:Lease RETURN count(n) AS n")[0]["n"])

    return count


@pytest.fixture
def silent_server() -> Iterator[str]:
    """The address of a server that accepts connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"bolt://127.0.0.1:{server.getsockname()[1]}"


# The lines of document 004, each with its modern twin. What differs between two calls is left out of the comparison.
VOLATILE = {
    "id",
    "runId",
    "now",
    "elapsedMs",
    "at",
    "lastRuns",
    "created",
    "lastDecay",
    "lastAccessed",
    "effectiveEnergy",
}


def lasting(value: Any) -> Any:
    """A JSON value without what changes from call to call."""
    if isinstance(value, dict):
        return {key: lasting(item) for key, item in value.items() if key not in VOLATILE}
    return [lasting(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("old", "modern"),
    [
        (["-consolidateAll"], ["consolidate"]),
        (["-promoteMemories"], ["promote"]),
        (["-memoryStatus"], ["status"]),
        (["-testMemory", "content", "2.5", "working"], ["test-memory", "create", "content", "2.5", "working"]),
        (["-decayEnergy", "--testOnly"], ["decay", "--test-only"]),
        (["-promoteMemories", "--testOnly"], ["promote", "--test-only"]),
        (["-consolidateAll", "--testOnly"], ["consolidate", "--test-only"]),
        (["-listTestMemories"], ["test-memory", "list"]),
    ],
    ids=lambda line: " ".join(line),
)
def test_old_lines_do_what_their_modern_twins_do(program: Program, old: list[str], modern: list[str]) -> None:
    """Each line of the quick reference, verbatim, gives the JSON of its modern form (R-004-01 to R-004-09)."""
    before = program.legacy(*old, "--json")
    after = program("--brain", program.brain, *modern, "--json")

    assert (0, 0) == (before.code, after.code), before.err + after.err
    assert lasting(before.json) == lasting(after.json)


def test_memory_health_does_what_health_does(program: Program) -> None:
    """`-memoryHealth` reports configuration, last run per operation and error counts (R-004-05, R-004-39)."""
    program.legacy("-consolidateAll")

    before = program.legacy("-memoryHealth", "--json")
    after = program("health", "--json", f"--brain={program.brain}")

    assert (0, 0) == (before.code, after.code), before.err + after.err
    assert before.json.keys() == after.json.keys()
    assert set(before.json["lastRuns"]) == {"consolidate"}
    assert before.json["errors"] == 0


def test_boost_by_the_old_line(program: Program) -> None:
    """`-boostMemory ID` adds 1.0 and an access, to a real memory and with --testOnly to a test memory (R-004-08)."""
    real = program("remember", "a fact", "--type=learning", "--json", f"--brain={program.brain}").json["id"]
    test = program.test_memory("c", "1", "longTerm")

    boosted = program.legacy("-boostMemory", real, "--json").json
    boosted_test = program.legacy("-boostMemory", test, "--testOnly", "--json").json

    assert (real, 2) == (boosted["id"], boosted["accessCount"])
    assert boosted["energy"] == pytest.approx(boosted["before"] + 1.0, abs=1e-9)
    assert boosted_test["energy"] == pytest.approx(2.0, abs=1e-3)


def test_debug_queries_run_unchanged(program: Program) -> None:
    """The three debug queries of document 004 run as they are written (R-004-12, R-004-35).

    The energy puts the memory among the first thousand of all brains, which is where a page of rows ends.
    """
    old_id = program.test_memory("about to be promoted", "10", "working", "--at=2026-01-01T12:00:00Z")
    run = ("consolidate", "--test-only", "--at=2026-01-01T12:15:00Z", f"--brain={program.brain}")
    assert program(*run).code == 0

    live = program.legacy("MATCH (m:Memory) WHERE m.validTo IS NULL RETURN m ORDER BY m.energy DESC", "--json")
    config = program.legacy("MATCH (c:ConsolidationConfig) RETURN c", "--json")
    promoted = program.legacy("MATCH (m1:Memory)-[:PROMOTED_TO]->(m2:Memory) RETURN m1, m2", "--json")

    memories = [row[0] for row in live.json["rows"] if row[0]["properties"].get("brain") == program.brain]
    assert ["about to be promoted"] == [memory["properties"]["content"] for memory in memories]
    assert {"labels", "properties"} == memories[0].keys()
    assert program.brain in [row[0]["properties"]["brain"] for row in config.json["rows"]]
    assert (old_id, "shortTerm") in [
        (m1["properties"]["id"], m2["properties"]["tier"]) for m1, m2 in promoted.json["rows"]
    ]


def test_debug_queries_read_well_off_a_terminal(program: Program) -> None:
    """Without --json a node is drawn as Cypher draws it, with its id whole (R-004-12)."""
    seen = program.test_memory("seen", "1", "working")

    done = program.legacy(f"MATCH (m:Memory) WHERE m.brain = '{program.brain}' RETURN m, m.tier AS tier")

    assert done.code == 0, done.err
    assert f"(:LiveMemory:Memory {{id: '{seen}', content: 'seen', tier: 'working', energy: 1," in done.out
    assert "tier  working" in done.out


def test_the_test_strategy_of_the_document(program: Program) -> None:
    """Energies around each threshold, a test-only run, status and log: document 004's own procedure (R-004-40)."""
    at, later = "--at=2026-01-01T12:00:00Z", "--at=2026-01-01T12:15:00Z"
    for energy, tier in [("2.5", "working"), ("2.0", "working"), ("5.2", "shortTerm"), ("0.1", "shortTerm")]:
        program.test_memory(f"{energy} in {tier}", energy, tier, at)

    done = program.legacy("-consolidateAll", "--testOnly", later, "--json")

    assert (0, "ok") == (done.code, done.json["outcome"]), done.err
    assert (4, 1, 2) == tuple(done.json[name] for name in ("decayed", "expired", "promoted"))
    tiers = program("status", "--test-only", later, "--json", f"--brain={program.brain}").json["tiers"]
    assert {"working": 1, "shortTerm": 1, "longTerm": 1, "expired": 1} == {
        tier: count["count"] for tier, count in tiers.items()
    }
    log = Path(program.environment["BRAINBRIDGE_HOME"], "logs", "consolidation.log").read_text(encoding="utf-8")
    events = [json.loads(line) for line in log.splitlines()]
    assert {done.json["runId"]} == {event["runId"] for event in events if "runId" in event}


def test_consolidate_for_people_is_a_line_a_pass_and_a_summary(program: Program) -> None:
    """One line for each pass, then one that says what became of the run (R-004-01)."""
    done = program.legacy("-consolidateAll")

    lines = done.out.splitlines()
    assert ["adopt", "decay", "relate", "expire", "promote"] == [line.split()[0] for line in lines[:-1]]
    assert lines[-1].startswith(f"consolidate: ok, brain {program.brain} (real) at ")


def test_dry_run_writes_nothing(program: Program, untouched: Callable[[], int]) -> None:
    """--dry-run says what would change, under no run id, and changes nothing."""
    program.test_memory("fading", "0.1", "working", "--at=2026-01-01T12:00:00Z")
    before = untouched()

    done = program("consolidate", "--test-only", "--dry-run", "--json", f"--brain={program.brain}")

    assert (None, True, 1) == tuple(done.json[name] for name in ("runId", "dryRun", "expired"))
    assert before == untouched()


@pytest.mark.parametrize(
    "content", ["-dash text", "--json", "-1", "ünï 日本 🙂", "line\nline", '\'; DROP "x" $a `b`', " x "]
)
def test_content_comes_back_byte_for_byte(program: Program, content: str) -> None:
    """Whatever a content looks like, it is stored as given (R-004-06)."""
    created = program.legacy("-testMemory", content, "1", "working")
    assert created.code == 0, created.err

    listed = program.legacy("-listTestMemories", "--json").json["memories"]

    assert [content] == [memory["content"] for memory in listed]


def test_content_may_come_from_standard_input_or_a_file(program: Program, tmp_path: Path) -> None:
    """`-` and --file take the text as it is, its last line end too."""
    file = tmp_path / "note.txt"
    file.write_text("from a file\n", encoding="utf-8")

    program("remember", "-", f"--brain={program.brain}", text="from a pipe\n")
    program("remember", "--file", str(file), f"--brain={program.brain}")

    found = program.legacy(
        f"MATCH (m:LiveMemory {{brain: '{program.brain}'}}) RETURN m.content AS c ORDER BY c", "--json"
    )
    assert [["from a file\n"], ["from a pipe\n"]] == found.json["rows"]


def test_single_memories(program: Program) -> None:
    """history and lineage find a memory by id, by its beginning and by its text."""
    born = program("remember", "the heating hums", "--type=reminder", "--json", f"--brain={program.brain}").json["id"]
    program("boost", born, f"--brain={program.brain}")

    history = program("history", born[:8], "--json", f"--brain={program.brain}").json
    lineage = program("lineage", "heating", "--json", f"--brain={program.brain}").json

    assert ["born", "boosted"] == [event["kind"] for event in history["events"]]
    assert [(born, None)] == [(step["id"], step["until"]) for step in lineage["steps"]]


def test_an_ambiguous_reference_lists_what_it_could_mean(program: Program) -> None:
    """Two matches: exit 2, and the candidates with their ids; nothing is boosted."""
    for text in ("the cat sleeps", "the cat eats"):
        program("remember", text, f"--brain={program.brain}")

    done = program("boost", "cat", f"--brain={program.brain}")

    assert done.code == 2
    assert 3 == len(done.err.splitlines())
    assert "the cat sleeps" in done.err


def test_constants_are_changed_and_kept_in_versions(program: Program) -> None:
    """`config set` closes the version in force and opens the next; a contradictory law is refused (R-004-34)."""
    flag = f"--brain={program.brain}"

    changed = program("config", "set", "lambdaWorking=0.25", "boost_amount=2", flag, "--json")
    refused = program("config", "set", "expiryThreshold=3", flag)

    assert ["lambdaWorking", "boostAmount"] == changed.json["changed"]
    assert 2 == refused.code
    assert "expiryThreshold 3.0 is not below thresholdWorking 2.0" in refused.err
    assert 0.25 == program("config", "show", flag, "--json").json["law"]["lambdaWorking"]
    versions = program("config", "history", flag, "--json").json["versions"]
    assert [2, 1] == [version["version"] for version in versions]
    assert versions[1]["validTo"] == versions[0]["validFrom"]


def test_clearing_test_memories_asks_or_needs_yes(program: Program) -> None:
    """Off a terminal nothing is deleted without --yes, and real memories are out of reach (R-004-10)."""
    flag = f"--brain={program.brain}"
    program.test_memory("c", "1", "working")
    program("remember", "real", flag)

    refused = program("test-memory", "clear", flag)
    cleared = program("test-memory", "clear", "--yes", "--json", flag)

    assert (2, 1) == (refused.code, cleared.json["cleared"])
    assert 1 == program("status", flag, "--json").json["total"]


def test_doctor_and_explain_and_browser(program: Program) -> None:
    """The three commands that explain themselves answer with a healthy database."""
    flag = f"--brain={program.brain}"

    doctor = program("doctor", flag, "--json")
    plan = program("cypher", "explain", "consolidation/decay", flag, "--json")
    browser = program("browser", flag)

    assert doctor.code == 0, doctor.out
    assert {"database", "schema", "brain", "law"} <= {check["name"] for check in doctor.json["checks"]}
    assert "NodeIndexSeek" in [operator["operator"] for operator in plan.json["operators"]]
    assert "/browser/" in browser.out
    assert program.environment["BRAINBRIDGE_PASSWORD"] not in browser.out


@pytest.mark.parametrize(
    ("version", "level", "said"),
    [
        (1, "warning", "version 1, of an older brainbridge; the next command that opens a brain brings it up to"),
        (99, "error", "has schema 99"),
    ],
)
def test_doctor_says_that_the_schema_is_not_ours(
    program: Program, graph: Graph, version: int, level: str, said: str
) -> None:
    """An older one is announced and left as it is, a newer one is an error (P13)."""
    query(graph, "MATCH (v:SchemaVersion) SET v.version = $version", version=version)
    try:
        done = program("doctor", f"--brain={program.brain}", "--json")
        left = query(graph, "MATCH (v:SchemaVersion) RETURN v.version AS version")
    finally:
        query(graph, "MATCH (v:SchemaVersion) SET v.version = $version", version=SCHEMA_VERSION)

    (check,) = [check for check in done.json["checks"] if check["name"] == "schema"]
    assert level == check["level"]
    assert said in check["text"]
    assert [{"version": version}] == left


def test_list_shows_real_memories(program: Program) -> None:
    """The most energetic first; as JSON without what only the machinery reads."""
    flag = f"--brain={program.brain}"
    for text, kind in (("a reminder of something", "reminder"), ("what was understood", "crystallization")):
        program("remember", text, f"--type={kind}", flag)
    program.test_memory("a test memory", "5", "working")

    listed = program("list", flag, "--json").json
    cut = program("list", "--limit=1", flag).out
    fading = program("list", "--fading", "--tier=working", flag, "--json").json
    opened = program("open", listed["memories"][0]["id"], flag, "--json").json

    assert ["what was understood", "a reminder of something"] == [found["content"] for found in listed["memories"]]
    assert ["a reminder of something", "what was understood"] == [found["content"] for found in fading["memories"]]
    assert "and more; --limit" in cut
    assert set() == {"bands", "scope", "contentKey"} & {*listed["memories"][0], *opened}


def test_cypher_values_in_json(program: Program) -> None:
    """Points, durations, instants and paths come out as JSON that says what they are."""
    text = (
        "CREATE p = (:CliA {x: 1})-[:CLI_R {y: 2}]->(:CliB) "
        "RETURN p, point({x: 1, y: 2}) AS at, duration('P1DT2H') AS span, "
        "datetime('2026-01-01T01:00+01:00') AS zoned, date('2026-01-02') AS day, 0.0 / 0.0 AS nan"
    )

    done = program("cypher", text, "--write", "--json", f"--brain={program.brain}")
    program("cypher", "MATCH (n:CliA|CliB) DETACH DELETE n", "--write", f"--brain={program.brain}")

    assert [
        [
            {"labels": ["CliA"], "properties": {"x": 1}},
            {"type": "CLI_R", "properties": {"y": 2}},
            {"labels": ["CliB"], "properties": {}},
        ],
        {"srid": 7203, "coordinates": [1.0, 2.0]},
        "P1DT2H",
        "2026-01-01T00:00:00.000Z",
        "2026-01-02",
        "NaN",
    ] == done.json["rows"][0]


def test_parameters_are_json_or_text(program: Program) -> None:
    """--param takes JSON values; what is no JSON is taken as the text it is."""
    argv = ["cypher", "RETURN $n + 1 AS n, $list AS list, $word AS word", "--json", f"--brain={program.brain}"]

    done = program(*argv, "--param", "n=41", "--param", 'list=["a", null]', "--param", "word=milo")

    assert [[42, ["a", None], "milo"]] == done.json["rows"]


def test_long_results_are_cut_and_it_is_said(program: Program) -> None:
    """At most 1,000 rows, with a word about it on stderr and in the JSON."""
    done = program.legacy("UNWIND range(1, 1001) AS x RETURN x", "--json")

    assert (1_000, True) == (len(done.json["rows"]), done.json["truncated"])
    assert "cut after 1,000 rows" in done.err


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["-testMemory", "c", "-1", "working"], 2, "energy"),
        (["-testMemory", "c", "nan", "working"], 2, "energy"),
        (["-testMemory", "c", "1e400", "working"], 2, "energy"),
        (["-testMemory", "c", "abc", "working"], 2, "energy"),
        (["-testMemory", "c", "1", "middling"], 2, "working, shortTerm, longTerm, expired"),
        (["-testMemory", "", "1", "working"], 2, "content is empty"),
        (["-testMemory", "c", "1"], 2, "CONTENT ENERGY TIER"),
        (["-consolidateall"], 2, "Did you mean -consolidateAll?"),
        (["-consolidateAll", "-decayEnergy"], 2, "two operations"),
        (["-learned", "concept"], 2, "takes CONCEPT WHAT"),
        (["-learned", "", "what"], 2, "the content is empty"),
        (["-boostMemory", "00000000-0000-4000-8000-000000000000"], 2, "matches"),
        (["stauts"], 2, "Did you mean status?"),
        (["CREATE (n:Leak) RETURN n"], 7, "--write"),
        (["LOAD CSV FROM 'http://127.0.0.1:1/x.csv' AS row RETURN row"], 7, "LOAD CSV"),
        (["RETRUN 1"], 2, "is not a command"),
        (["MATCH (n) RETRUN n"], 1, "refused the statement"),
        (["--brain=nobody", "-memoryStatus"], 5, "no brain 'nobody'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_errors_are_one_line_with_the_documented_code_and_write_nothing(
    program: Program, untouched: Callable[[], int], argv: list[str], code: int, said: str
) -> None:
    """Each kind of error has its exit code and one line, and leaves the graph as it was (P9, R-004-06, R-004-11)."""
    before = untouched()

    done = program.legacy(*argv)

    assert (code, "") == (done.code, done.out)
    assert 1 == len(done.err.splitlines())
    assert said in done.err
    assert before == untouched()


def test_a_database_out_of_reach_is_told_in_time(program: Program, silent_server: str) -> None:
    """Nobody listens, or somebody listens and is silent: exit 3 in seconds, not minutes (P9)."""
    for uri in ("bolt://127.0.0.1:9", silent_server):
        started = time.monotonic()
        done = program("status", "--uri", uri, f"--brain={program.brain}", BRAINBRIDGE_CONNECT_TIMEOUT="3")
        elapsed = time.monotonic() - started

        assert (3, 1) == (done.code, len(done.err.splitlines()))
        assert elapsed < PATIENCE, uri


def test_a_wrong_password_is_told_once(program: Program, untouched: Callable[[], int]) -> None:
    """Exit 4, one line, no retry that would lock the account, and not a word of the password (P9)."""
    before = untouched()

    done = program("-consolidateAll", f"--brain={program.brain}", BRAINBRIDGE_PASSWORD="wrong-one")

    assert (4, 1) == (done.code, len(done.err.splitlines()))
    assert "wrong-one" not in done.err
    assert before == untouched()


def test_another_run_in_progress_is_exit_6_or_waited_for(program: Program, graph: Graph) -> None:
    """A lease held by another run refuses at once; with --wait the run waits until it is free."""
    lease = f"{program.brain}/real"
    hold = (
        "MERGE (l:Lease {name: $name}) SET l.holder = 'another', l.until = datetime() + duration({seconds: $seconds})"
    )
    query(graph, hold, name=lease, seconds=60)

    refused = program.legacy("-consolidateAll")
    query(graph, hold, name=lease, seconds=2)
    waited = program("consolidate", "--wait", f"--brain={program.brain}")

    assert (6, 1) == (refused.code, len(refused.err.splitlines()))
    assert waited.code == 0, waited.err


def test_a_log_that_cannot_be_written_stops_before_anything_is_done(
    program: Program, untouched: Callable[[], int], tmp_path: Path
) -> None:
    """A run that could not be logged is not begun (R-004-33)."""
    in_the_way = tmp_path / "file"
    in_the_way.write_text("", encoding="utf-8")
    before = untouched()

    done = program.legacy("-consolidateAll")
    assert done.code == 0, done.err
    after_run = untouched()
    refused = program("consolidate", f"--brain={program.brain}", BRAINBRIDGE_HOME=str(in_the_way))

    assert before < after_run
    assert (1, 1) == (refused.code, len(refused.err.splitlines()))
    assert "Nothing was done" in refused.err
    assert after_run == untouched()


def test_flags_stand_before_and_after_the_command(program: Program) -> None:
    """--brain and --json mean the same on both sides of a command, and the environment gives the default brain."""
    flag = f"--brain={program.brain}"

    results = [
        program("--json", flag, "status"),
        program("status", flag, "--json"),
        program("status", "--json", BRAINBRIDGE_BRAIN=program.brain),
    ]

    assert [0, 0, 0] == [done.code for done in results]
    assert 1 == len({json.dumps(lasting(done.json)) for done in results})


def test_init_registers_a_brain_once_and_says_what_to_do_next(program: Program) -> None:
    """`init NAME` makes a brain, again changes nothing, and shows the next command; `brains` lists it (R-004-11)."""
    name = f"{program.brain}-new"

    first = program("init", name)
    again = program("init", name, "--json")
    listed = program("brains", "--json")

    assert (0, 0) == (first.code, again.code), first.err + again.err
    assert f"brainbridge --brain={name} remember" in first.err
    assert (False, name) == (again.json["created"], again.json["brain"])
    assert name in listed.json["brains"]


def test_without_a_brain_the_known_ones_are_listed(program: Program) -> None:
    """No --brain and no default: exit 2 and the list to choose from, five of it at most (R-004-11)."""
    known = program("brains", "--json").json["brains"]
    shown = ", ".join(known[:5]) + (f" and {len(known) - 5:,} more" if len(known) > 5 else "")

    done = program("status")

    assert done.code == 2
    assert f"There are: {shown}." in done.err


def test_instants_in_json_are_utc(program: Program) -> None:
    """Whatever the zone of an instant on the way in, it comes out in UTC."""
    flag = f"--brain={program.brain}"

    done = program("status", "--at=2026-01-01T13:00:00+01:00", flag, "--json")

    assert "2026-01-01T12:00:00.000Z" == done.json["now"]
    assert datetime.fromisoformat(done.json["now"]).utcoffset() is not None


def test_a_brain_whose_events_promote(program: Program) -> None:
    """config set promotionBasis=event; from then on boost and remember name the id that lives on (model §6)."""
    flag = f"--brain={program.brain}"

    told = program("config", "set", "promotionBasis=event", flag).out
    made = program.test_memory("almost there", "1.9", "working")
    line = program("boost", made, "--test-only", flag).out
    born = program("remember", "an insight", "--type=crystallization", "--json", flag).json
    shown = program("config", "show", "--json", flag).json["law"]["promotionBasis"]
    refused = program("config", "set", "promotionBasis=sometimes", flag)
    lineage = program("lineage", made, "--test-only", "--json", flag).json["steps"]

    assert ("promotionBasis: run → event", "event") == (told.splitlines()[0], shown)
    assert f"promoted by this: it lives on as {lineage[-1]['id']}" in line
    assert (["working", "shortTerm"], "shortTerm") == ([step["tier"] for step in lineage], born["tier"])
    assert 2 == refused.code
    assert "it must be run or event" in refused.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["--version"], ["cypher", "list"]])
def test_a_full_disk_behind_standard_output_is_said_in_one_line(words: list[str]) -> None:
    """No traceback, no call to report a bug; exit code 2."""
    script = shutil.which("brainbridge", path=str(Path(sys.executable).parent))
    assert script
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([script, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)

    assert (2, 1) == (done.returncode, len(done.stderr.splitlines()))
    assert "standard output" in done.stderr
