"""An agent's session from end to end, each part a process of its own: hook, daemon, MCP server (R-004-32, P1, P14)."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.daemon.spool import Spool
from brainbridge.graph.connection import Address
from tests.daemon_support import environment, log_events, running_daemon, wait_until
from tests.hooks_support import call_hook, payload, until_context
from tests.mcp_support import agent
from tests.support import query

PROJECT = "/home/ada/harbour"
# Learnt an hour ago, its 2.0 has faded to 1.21, below what promotes. One opening makes it 2.21.
OLD = "The harbour crane lifts at most forty tons"
# A reminder is born with 2.5: it promotes unless half an hour passes.
NEW = "Ask the port authority about the harbour's night shift"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def env(home: Path, neo4j_address: Address) -> dict[str, str]:
    return environment(home, neo4j_address)


@pytest.fixture
def old(brain: Brain) -> str:
    """The id of what an earlier session has left."""
    at = brain.graph.now() - timedelta(hours=1)
    return brain.remember(OLD, memory_type="learning", at=at).id


@pytest.fixture
def work(brain: Brain, env: dict[str, str], tmp_path: Path) -> Callable[[], tuple[dict[str, Any], dict[str, Any]]]:
    """What an agent does between start and end: finds the old memory, opens it, remembers a new one."""

    def session() -> tuple[dict[str, Any], dict[str, Any]]:
        with agent(env, f"--brain={brain.name}", stderr=tmp_path / "stderr") as server:
            server.greet()
            page = server.call("recall", query="How much does the harbour crane lift?")["structuredContent"]
            opened = server.call("open_memory", ref=page["hits"][0]["id"])["structuredContent"]
            born = server.call("remember", content=NEW, memory_type="reminder", producer="user")["structuredContent"]
            assert server.leave() == 0
        return opened, born

    return session


def notes_of(context: str) -> dict[str, str]:
    """The tier of each note of a context, by its text."""
    lines = [line.removeprefix('- "') for line in context.splitlines() if line.startswith('- "')]
    return {text: rest.partition("(")[2].partition(",")[0] for text, _, rest in (line.partition('"') for line in lines)}


def say_goodbye(env: dict[str, str], brain: Brain) -> None:
    """The end of the session as Claude Code tells it; the hook fails nobody and says nothing."""
    done = call_hook(env, f"--brain={brain.name}", "claude", "SessionEnd", given=payload("claude", "SessionEnd"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def next_start(env: dict[str, str], brain: Brain) -> dict[str, str]:
    """The notes of the next session's start, as soon as the daemon looks again after its run."""
    found: dict[str, str] = {}

    def promoted() -> bool:
        nonlocal found
        found = notes_of(until_context(env, brain.name, "SessionStart", cwd=PROJECT))
        return set(found.values()) == {"shortTerm"}

    wait_until(promoted, "the promoted memories among the notes")
    return found


def successors(brain: Brain) -> list[tuple[str, int]]:
    """How often each text was promoted."""
    text = """
        MATCH (m:Memory {brain: $brain}) WITH m.content AS content, COUNT { (m)-[:PROMOTED_TO]->() } AS count
        RETURN content, sum(count) AS count ORDER BY content
    """
    return [(row["content"], row["count"]) for row in query(brain.graph, text, brain=brain.name)]


def goodbye_runs(brain: Brain) -> list[str]:
    """The outcome of each recorded run that answered a goodbye."""
    text = "MATCH (r:ConsolidationRun {brain: $brain, trigger: 'goodbye'}) RETURN r.outcome AS outcome"
    return [row["outcome"] for row in query(brain.graph, text, brain=brain.name)]


def test_a_session_leaves_what_it_used_for_the_next_one(
    brain: Brain,
    home: Path,
    env: dict[str, str],
    old: str,
    work: Callable[[], tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    """Context, recall, opening, remembering, goodbye, consolidation: the next session finds both in shortTerm."""
    with running_daemon(brain.name, env):
        first = notes_of(until_context(env, brain.name, "SessionStart", cwd=PROJECT))
        opened, born = work()
        say_goodbye(env, brain)
        second = next_start(env, brain)

    assert first == {OLD: "working"}
    assert (opened["id"], opened["counted"], opened["tier"]) == (old, True, "working")
    assert 2.0 < opened["energy"] < 2.25
    assert (born["outcome"], born["tier"]) == ("created", "working")
    assert second == {OLD: "shortTerm", NEW: "shortTerm"}
    assert goodbye_runs(brain) == ["ok"]
    assert Spool(home).entries() == []
    assert successors(brain) == [(NEW, 1), (OLD, 1)]


def test_a_daemon_killed_in_the_middle_of_the_run_loses_nothing(
    brain: Brain,
    home: Path,
    env: dict[str, str],
    old: str,
    work: Callable[[], tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    """kill -9 while the run for the goodbye waits for a lock: the goodbye stays, and the next daemon makes the run."""
    with running_daemon(brain.name, env) as daemon:
        until_context(env, brain.name, "SessionStart", cwd=PROJECT)
        work()
        with brain.graph.session() as session, session.begin_transaction() as holding:
            holding.run("MATCH (m:Memory {id: $id}) SET m:Memory", id=old).consume()
            say_goodbye(env, brain)
            wait_until(lambda: passes_that_wait(brain), "the run to wait for the memory that is held")
            daemon.kill()
            daemon.wait(timeout=30)
            holding.rollback()
    waiting = Spool(home).entries(brain.name)
    unanswered = goodbye_runs(brain)
    # The lease of the killed run: two minutes, which pass here.
    query(brain.graph, "MATCH (l:Lease {name: $name}) SET l.until = datetime() - duration('PT1S')", name=lease(brain))
    with running_daemon(brain.name, env):
        wait_until(lambda: log_events(home, "goodbye.answered"), "the goodbye's run")
        second = next_start(env, brain)

    assert (len(waiting), unanswered) == (1, [])
    assert second == {OLD: "shortTerm", NEW: "shortTerm"}
    assert goodbye_runs(brain) == ["ok"]
    assert Spool(home).entries() == []
    assert successors(brain) == [(NEW, 1), (OLD, 1)]
    assert len(brain.verify().wrong) == 0


def passes_that_wait(brain: Brain) -> list[dict[str, Any]]:
    """The passes of the brain's run that the server holds up, because another transaction has what they need."""
    held = query(brain.graph, "MATCH (l:Lease {name: $name}) RETURN l.holder AS holder", name=lease(brain))
    text = """
        SHOW TRANSACTIONS YIELD metaData, status
        WHERE metaData.query STARTS WITH 'consolidation/' AND $holder ENDS WITH metaData.run
          AND status STARTS WITH 'Blocked'
        RETURN metaData.query AS query
    """
    return query(brain.graph, text, holder=held[0]["holder"])


def lease(brain: Brain) -> str:
    """The name of the lease of a brain's real memories."""
    return f"{brain.name}/{brain.scope().name}"
