"""open, explain, history, pin, unpin, forget, restore, supersede, verify as people and scripts call them."""

from collections.abc import Callable
from typing import Any

import pytest

from brainbridge.cli.sparkline import BARS
from brainbridge.graph.connection import Graph
from tests.program import Program
from tests.support import query

Call = Callable[..., dict[str, Any]]
AT, LATER = "--at=2026-01-01T12:00:00Z", "--at=2026-01-01T13:00:00Z"


@pytest.fixture
def call(program: Program) -> Call:
    """The JSON of a command on the test memories of the test's brain; fails if it fails."""

    def run(*argv: str) -> dict[str, Any]:
        done = program(*argv, "--test-only", "--json", f"--brain={program.brain}")
        assert done.code == 0, done.err
        return done.json

    return run


def said(program: Program, *argv: str) -> str:
    """What a command prints for people."""
    done = program(*argv, "--test-only", f"--brain={program.brain}")
    assert done.code == 0, done.err
    return done.out


def test_open(program: Program, call: Call) -> None:
    """All properties under their names, effectiveEnergy, weight, lineage, relations; a second time adds no energy."""
    made = program.test_memory("the port is 7687", "2.0", "longTerm")
    other = program.test_memory("bolt", "2.0", "longTerm")
    call("link", made, "extends", other)

    first, second = call("open", made), call("open", "port is 7687")

    assert "brainbridge.open/1" == first["schema"]
    documented = "id content tier energy created lastAccessed lastDecay accessCount isTest validFrom brain root state"
    assert set(documented.split()) <= first.keys()
    assert (made, "the port is 7687", "longTerm", True, "live", 2) == tuple(
        first[name] for name in ("id", "content", "tier", "isTest", "state", "accessCount")
    )
    assert (pytest.approx(3.0, abs=1e-3), first["effectiveEnergy"], True) == (
        first["energy"],
        first["energy"],
        first["counted"],
    )
    assert 0.88 < first["weight"] < 0.89
    assert [("extends", True, other)] == [(r["relation"], r["outgoing"], r["id"]) for r in first["relations"]]
    assert [made] == [step["id"] for step in first["lineage"]]
    assert (False, 3) == (second["counted"], second["accessCount"])
    shown = said(program, "open", made)
    assert "the port is 7687" in shown
    assert "opened before within half an hour, so unchanged" in shown
    assert f"extends → {other}  bolt" in shown


def test_open_an_expired_memory(program: Program, call: Call) -> None:
    """It is shown, and said to be expired; no access is counted (R-004-29)."""
    made = program.test_memory("faint", "0.05", "working")
    call("consolidate")

    shown = call("open", made)

    assert ("expired", "expired", 1, None) == tuple(shown[name] for name in ("state", "tier", "accessCount", "counted"))
    assert "expired, since " in said(program, "open", made)


def test_explain(program: Program, call: Call) -> None:
    """Where it stands, when it ends if nothing happens, and what it would take to promote it (R-004-19, R-004-18)."""
    made = program.test_memory("a note", "2.0", "working", AT)

    found = call("explain", made, LATER)
    shown = said(program, "explain", made, LATER)

    assert ("brainbridge.explain/1", "working", "live", 2.0) == tuple(
        found[name] for name in ("schema", "tier", "state", "energy")
    )
    assert (pytest.approx(1.2131, abs=1e-4), pytest.approx(0.7869, abs=1e-4), False, 2.0) == tuple(
        found[name] for name in ("effectiveEnergy", "lacking", "promotes", "promotionThreshold")
    )
    assert found["expiresAt"].startswith("2026-01-01T17:59:")
    assert {"born": {"count": 1, "last": "2026-01-01T12:00:00.000Z"}} == found["events"]
    assert "working, energy 1.213, weight 0.70" in shown
    assert "expires if nothing happens: 2026-01-01T17:59:29" in shown
    assert "promotes to shortTerm above 2: more than 0.787 is missing now, an access gives 1" in shown


@pytest.mark.parametrize(
    ("energy", "tier", "pinned", "line"),
    [
        ("3.0", "working", False, "the next run promotes it to shortTerm: it stands above 2"),
        ("0.05", "working", False, "the next run marks it as expired"),
        ("0.05", "expired", False, "expired: its energy stays as it is"),
        ("3.0", "longTerm", False, "never expires: longTerm stops at 0.1"),
        ("3.0", "longTerm", False, "hardens no further: longTerm is the last tier"),
        ("3.0", "working", True, "core: it does not fade, expire or promote"),
    ],
)
def test_what_explain_says_of_each_kind(
    program: Program, call: Call, energy: str, tier: str, pinned: bool, line: str
) -> None:
    """One line says what becomes of it."""
    made = program.test_memory("a note", energy, tier, AT)
    if pinned:
        call("pin", made)

    assert line in said(program, "explain", made, AT).splitlines()


def test_history_draws_the_course(program: Program, call: Call) -> None:
    """The events, and a line of bars from the birth to now."""
    made = program.test_memory("a note", "2.0", "working", AT)
    for name in ("boost", "open", "pin"):
        call(name, made)

    shown = said(program, "history", made, "--at=2099-01-01T00:00:00Z")

    assert ["born", "boosted", "opened", "pinned"] == [event["kind"] for event in call("history", made)["events"]]
    *_, line = shown.splitlines()
    bars = line.split()[0]
    assert (60, set()) == (len(bars), set(bars) - set(BARS))
    assert "█" in bars


def test_pin_and_unpin(program: Program, call: Call) -> None:
    """id, energy and tier; a second time says that nothing changed (R-000-28)."""
    made = program.test_memory("a note", "2.0", "longTerm")

    pinned = call("pin", made)
    assert (made, "longTerm", True, True) == tuple(pinned[name] for name in ("id", "tier", "core", "changed"))
    assert "was pinned before" in said(program, "pin", made)
    assert "unpinned: it fades from now on" in said(program, "unpin", made)
    assert not call("unpin", made)["changed"]


def test_forget_and_restore(program: Program, call: Call) -> None:
    """The line says how to bring it back, and that line works (R-000-29)."""
    made = program.test_memory("a note", "2.0", "longTerm")

    line = said(program, "forget", made, "--reason", "it is wrong")
    assert f"{made}  forgotten." in line
    assert ("forgotten", "it is wrong") == tuple(call("open", made)[name] for name in ("state", "forgottenReason"))
    argv = line.strip().partition("brainbridge ")[2].split()

    done = program(*argv, f"--brain={program.brain}")

    assert (0, True) == (done.code, f"{made}  restored, longTerm with energy 2.000" in done.out), done.err
    assert "live" == call("explain", made)["state"]


def test_forget_says_that_it_was_core(program: Program, call: Call) -> None:
    """Protection is no obstacle, but it is mentioned."""
    made = program.test_memory("a note", "2.0", "longTerm")
    call("pin", made)

    assert "It was core." in said(program, "forget", made)


def test_supersede(program: Program, call: Call) -> None:
    """The old id opens the new memory, which says what it replaced (R-004-27)."""
    old = program.test_memory("the port is 8080", "2.0", "longTerm")
    new = program.test_memory("the port is 9090", "2.0", "longTerm")

    done = call("supersede", "8080", "9090", "--reason", "it moved")

    assert (old, new, "it moved") == tuple(done[name] for name in ("old", "new", "reason"))
    opened = call("open", old)
    assert (new, [(old, "it moved")]) == (opened["id"], [(o["id"], o["reason"]) for o in opened["supersedes"]])
    assert new == call("explain", old)["supersededBy"]["id"]


@pytest.mark.parametrize(
    ("verb", "state", "code", "complaint"),
    [
        ("pin", "expired", 7, "Remember its text again"),
        ("restore", "live", 7, "it was not forgotten, it is live"),
        ("pin", "forgotten", 2, "Bring it back with: brainbridge restore"),
        ("forget", "forgotten", 2, "Bring it back with: brainbridge restore"),
    ],
)
def test_what_is_refused(program: Program, call: Call, verb: str, state: str, code: int, complaint: str) -> None:
    """One line on stderr, with what to do, and the exit code of its kind."""
    made = program.test_memory("a note", "0.05", "expired" if state == "expired" else "working")
    if state == "forgotten":
        call("forget", made)

    done = program(verb, made, "--test-only", f"--brain={program.brain}")

    assert (code, "") == (done.code, done.out)
    assert done.err.startswith("brainbridge: memory ")
    assert complaint in done.err


def test_a_memory_of_the_other_scope_is_not_found(program: Program) -> None:
    """Without --test-only the verbs look at real memories only; the error says so (R-004-10)."""
    made = program.test_memory("a note", "2.0", "working")

    for argv in (["open", made], ["pin", made], ["forget", made], ["supersede", made, made], ["verify", made]):
        done = program(*argv, f"--brain={program.brain}")
        assert (2, "") == (done.code, done.out)
        assert "Test memories are only looked at with --test-only." in done.err


def test_verify(program: Program, call: Call, graph: Graph) -> None:
    """Exit code 0 and the count while all is well; 1 and the memory's id once an energy was typed in by hand."""
    made = program.test_memory("a note", "2.0", "working", AT)
    call("boost", made)

    found = call("verify")
    assert (1, 2, []) == tuple(found[name] for name in ("memories", "events", "wrong"))
    query(graph, "MATCH (m:Memory {id: $id}) SET m.energy = m.energy + 0.5", id=made)
    done = program("verify", "--test-only", "--json", f"--brain={program.brain}")
    one = program("verify", made, "--test-only", f"--brain={program.brain}")

    assert (1, 1) == (done.code, one.code)
    (wrong,) = done.json["wrong"]
    assert (made, "stored", "energy") == tuple(wrong[name] for name in ("id", "event", "what"))
    assert pytest.approx(wrong["expected"] + 0.5) == wrong["found"]
    assert "1 memories replayed, 2 events, 1 wrong" in one.out
