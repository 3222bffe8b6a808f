"""Every statement finds its nodes by an index, so that what it costs follows what it touches, not the store.

`ENTRIES` names, for each statement that runs in a pass, in an event or for a person who waits, the places where its
plan enters the graph. `EXCEPTIONS` are the few that may scan or sort, each with its reason. A new file has to be put
into one of the two.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.relation import Relation
from brainbridge.graph.connection import Graph
from brainbridge.graph.cypher import Statement, statement, statements
from brainbridge.graph.schema import structures
from brainbridge.graph.statements.embeddings import Slot
from brainbridge.recall.spaces import MAKE_INDEX, searches_by_index
from tests.support import query

STRAYS = {"SubtractionNodeByLabelsScan", "NodeByLabelScan"}
# All relationships of the four types; all nodes where that is cheaper, in a store with more relationships than nodes.
RELATIONS = {"DirectedUnionRelationshipTypesScan", "DirectedAllRelationshipsScan", "AllNodesScan"}
# How an entry is written below: an index as the label and its keys, or one of these.
BY_NODE = "elementId"  # a node that the same transaction has just found
COUNTER = "count store"

CONFIG = "ConsolidationConfig(brain)"
CONFIG_BY_VERSION = "ConsolidationConfig(brain, version)"
DECAY_INDEX = "LiveMemory(brain, isTest, tier, lastDecay)"
LIVE_BY_ID = "LiveMemory(brain, isTest, id)"
EXPIRED_BY_TIER = "ExpiredMemory(brain, isTest, tier)"
ARCHIVED = "ArchivedMemory(brain, isTest)"
ANY_BY_ID = "Memory(id)"
BY_TEXT = "Memory(brain, isTest, contentKey)"
FULLTEXT = "db.index.fulltext.queryNodes"
AWAIT = "db.index.fulltext.awaitEventuallyConsistentIndexRefresh"
OWNERS_LABEL = "DynamicLabelNodeLookup"  # a source's label is its owner's, and an index on it theirs to make
BY_OWNERS_LABEL = {"memory/link_source", "transfer/find_sources"}
EVENTS = "EnergyEvent(brain, isTest, kind, at)"
PAGES = "RecallPage(brain, isTest, at)"
MISSES = "RecallMiss(brain, isTest, lastAsked)"
DUE_RELATIONS = {f"{relation.name}(brain, isTest, checkedDay, created)" for relation in Relation}

ENTRIES: Mapping[str, set[str]] = {
    "brains/register_brain": {"Brain(name)"},
    "config/ensure_config": {"Brain(name)", CONFIG},
    "config/read_law": {CONFIG},
    "config/write_config": {CONFIG, CONFIG_BY_VERSION},  # either, as long as a brain has few versions
    "consolidation/adopt": {BY_NODE},
    "consolidation/count_strays": {COUNTER},
    "consolidation/find_due_relations": DUE_RELATIONS,
    "consolidation/relate": {CONFIG, LIVE_BY_ID},
    "consolidation/skip_relations": {ANY_BY_ID},
    "edges/count_relations": {COUNTER},
    "edges/link": {ANY_BY_ID},
    "edges/unlink": {ANY_BY_ID},
    "consolidation/decay": {CONFIG, DECAY_INDEX, BY_NODE},
    "consolidation/expire": {CONFIG, DECAY_INDEX, LIVE_BY_ID, BY_NODE},  # a page, or by id
    "consolidation/promote": {CONFIG, DECAY_INDEX, LIVE_BY_ID, BY_NODE},
    "consolidation/set_aside": {BY_NODE},
    "consolidation/relabel": {DECAY_INDEX, "LiveMemory(brain, isTest, validTo)", EXPIRED_BY_TIER, BY_NODE},
    "embeddings/begin_filling": {"Brain(name)"},
    "embeddings/clear_vectors": {ANY_BY_ID},
    "embeddings/count_bare": {LIVE_BY_ID},
    "embeddings/find_bare": {LIVE_BY_ID},
    "embeddings/switch_space": {"Brain(name)"},
    "embeddings/write_vectors": {LIVE_BY_ID},
    "inspect/count_by_tier": {DECAY_INDEX, EXPIRED_BY_TIER, ARCHIVED},
    "inspect/count_memories": {DECAY_INDEX, EXPIRED_BY_TIER},
    "inspect/count_due_relations": DUE_RELATIONS,
    "inspect/ledgers": {ANY_BY_ID},
    "inspect/lineage": {ANY_BY_ID},
    "inspect/list_misfits": {LIVE_BY_ID, DECAY_INDEX},
    "inspect/list_scope_leaks": {LIVE_BY_ID, EXPIRED_BY_TIER, ARCHIVED},
    "inspect/list_vain_contradictions": {"CONTRADICTS(brain, isTest, checkedDay, created)"},
    "inspect/count_by_energy": {CONFIG, DECAY_INDEX},
    "inspect/count_moves": {EVENTS},
    "inspect/list_live": {LIVE_BY_ID},
    "inspect/record": {ANY_BY_ID},
    "inspect/status": {CONFIG, DECAY_INDEX, EXPIRED_BY_TIER, ARCHIVED},
    "learning/attribute": {LIVE_BY_ID, PAGES, "EnergyEvent(id)"},
    "learning/count_events": {EVENTS},
    "learning/count_misses": {MISSES},
    "learning/count_pages": {PAGES},
    "learning/clear_test_records": {PAGES, MISSES},
    "learning/create_co_recalled": {BY_NODE},
    "learning/fire": {LIVE_BY_ID, "co_recalled(pair)"},
    "learning/list_co_recalled": {LIVE_BY_ID},
    "learning/list_lives": {EVENTS},
    "learning/prune_misses": {MISSES},
    "learning/read_activation": {EVENTS},
    "learning/read_verdicts": {"ShadowRank(brain, isTest, at)"},
    "memory/boost": {CONFIG, LIVE_BY_ID},
    "memory/create_memories": {ANY_BY_ID},
    "memory/find_by_prefix": {ANY_BY_ID},
    "memory/find_by_text": {LIVE_BY_ID},
    "memory/find_successor": {ANY_BY_ID},
    "memory/forget": {ANY_BY_ID, BY_NODE},
    "memory/open_memory": {CONFIG, LIVE_BY_ID},
    "memory/pin": {LIVE_BY_ID},
    "memory/read_memory": {ANY_BY_ID},
    "memory/restore": {ANY_BY_ID, BY_NODE, BY_TEXT},
    "memory/settle": {CONFIG, LIVE_BY_ID, BY_NODE},
    "memory/supersede": {ANY_BY_ID, BY_NODE},
    "recall/count_words": {LIVE_BY_ID, FULLTEXT},
    "recall/find_by_meaning_a": {"live_embedding_a"},
    "recall/find_by_meaning_b": {"live_embedding_b"},
    "recall/find_by_words": {AWAIT, FULLTEXT},
    "recall/read_cosines": {LIVE_BY_ID},
    "recall/read_page": {ANY_BY_ID},
    "runs/acquire_lease": {"Lease(name)"},
    "runs/count_runs": {"ConsolidationRun(brain, isTest, startedAt)"},
    "runs/list_runs": {"ConsolidationRun(brain, isTest, startedAt)"},
    "runs/read_run": {"ConsolidationRun(id)"},
    "runs/release_lease": {"Lease(name)"},
    "runs/server_now": set(),
    "runs/write_run": {"ConsolidationRun(id)"},
    "schema/read_version": {"SchemaVersion(name)"},
    "schema/write_version": {"SchemaVersion(name)"},
    "memory/link_source": {ANY_BY_ID, OWNERS_LABEL},
    "memory/probe_restatements": {BY_TEXT, FULLTEXT, "LiveMemory(brain, isTest, storedAt)"},
    "memory/reinforce": {CONFIG, LIVE_BY_ID},
    "memory/release_text": {ANY_BY_ID},
    "memory/revive": {CONFIG, ANY_BY_ID},
    "transfer/create_memories": set(),
    "transfer/create_relations": {ANY_BY_ID},
    "transfer/create_sources": set(),
    "transfer/find_memories": {ANY_BY_ID},
    "transfer/find_rivals": {ANY_BY_ID, BY_TEXT, "Memory(promotedFrom)"},
    "transfer/link_sources": {ANY_BY_ID, BY_NODE},
    "transfer/list_page": {ANY_BY_ID},
    "transfer/read_memories": {ANY_BY_ID},
    "transfer/write_configs": {"Brain(name)", CONFIG, CONFIG_BY_VERSION},
}

# name → (costly operators that its plan may have, why that is no harm)
EXCEPTIONS: Mapping[str, tuple[set[str], str]] = {
    "brains/list_brains": ({"NodeByLabelScan", "Sort"}, "one node per brain"),
    "config/list_configs": ({"Sort"}, "a brain has as many nodes as times its constants were changed"),
    "config/read_config": (
        {"Sort"},
        "as list_configs, and one of them is current; the order makes an error text stable",
    ),
    "consolidation/adopt_relations": (
        RELATIONS,
        "what a hand drew lacks the properties of every index; only when count_bare_relations finds some",
    ),
    "consolidation/lock_strays": (STRAYS, "strays have no state label, so no index; only when count_strays finds some"),
    "embeddings/claim_space": ({"NodeByLabelScan"}, "at most two nodes"),
    "embeddings/delete_space": ({"NodeByLabelScan"}, "one node per brain"),
    "embeddings/list_spaces": ({"NodeByLabelScan", "Sort"}, "at most two nodes, and one per brain"),
    "embeddings/read_space": ({"NodeByLabelScan"}, "at most two nodes"),
    "edges/list_relations": ({"Sort"}, "the relations of one memory"),
    "inspect/count_bare_relations": (
        RELATIONS,
        "what lacks a property is in no index; only when count_relations finds some, and declared relations are few",
    ),
    "inspect/ledger": ({"Sort"}, "the events of one memory"),
    "inspect/list_strays": (STRAYS, "as lock_strays"),
    "inspect/list_foremost": ({"Top"}, "as live_memories; asked for once a session"),
    "inspect/list_ranked": ({"Top"}, "as live_memories; the tiers that are asked for, by the index of the passes"),
    "inspect/list_archived": ({"Top"}, "the archive of a scope, the last to go there first, for people"),
    "inspect/list_expired": ({"Top"}, "the expired ones of a scope, as list_archived"),
    "inspect/list_next_promotions": ({"Top"}, "there is no index on what follows from energy and time, by decision"),
    "inspect/live_memories": ({"Top"}, "the most energetic of a brain: there is no index on energy, by decision"),
    "inspect/promotion_history": (
        {"Top", "DirectedRelationshipTypeScan"},
        "the newest of all promotions, for people; the planner may start from them, while there are few",
    ),
    "learning/begin_opening": ({"Sort"}, "what was opened in half an hour, in the order in which passes lock memories"),
    "learning/delete_co_recalled": ({"DirectedRelationshipTypeScan"}, "all bonds; only when they are counted again"),
    "learning/list_misses": ({"Top"}, "the misses of one brain: as many as it was asked in vain, and old ones go"),
    "learning/list_top_recalled": ({"Top"}, "the hits of the pages of a period, for people"),
    "learning/prune_events": ({"Sort"}, "one page of events, in the order in which passes lock memories"),
    "learning/prune_pages": ({"Sort"}, "the hits of one page of recalls, in the same order"),
    "learning/record_page": ({"Sort"}, "the hits of one page, in the order in which passes lock memories"),
    "learning/trim": ({"Sort"}, "the bonds of one memory that has a few more than are kept"),
    "memory/clear_test_memories": (STRAYS, "its last page looks for test memories without a state label"),
    "memory/list_test_memories": ({"Top"}, "the most energetic of the test memories"),
    "recall/find_by_cosine": ({"Top"}, "only on a server whose vector index knows no filter: looks at each vector"),
    "transfer/find_sources": ({"Sort"}, "the sources of one page, by labels that are their owner's"),
    "transfer/list_configs": ({"Sort"}, "as config/list_configs"),
}

# Not planned as queries: what they do to the graph is not a matter of indexes.
COMMANDS = {
    "memory/await_bands",
    "schema/await_indexes",
    "schema/list_constraints",
    "embeddings/make_index_a",
    "embeddings/make_index_b",
    "embeddings/drop_index",
    *structures(),
}
# Written in Cypher 25; on a server that cannot search vectors by an index others do their work (recall/spaces.py).
NEEDS_SEARCH = {
    "embeddings/make_index_a",
    "embeddings/make_index_b",
    "recall/find_by_meaning_a",
    "recall/find_by_meaning_b",
}

# The index that a step enters by: of a node, as `m:Memory(id)`, or of a relationship, as `()-[r:EXTENDS(created)]->()`.
ENTERING = re.compile(r"(?:UNIQUE|RANGE INDEX) (?:\([^)]*\)-\[)?\w*:(\w+\([^)]*\))")
# Operators that look at more nodes than the statement is about, or keep all of them at once.
COSTLY = re.compile(r"Scan|Sort|^Partial|^Top")
SAMPLES: Mapping[str, Any] = {
    "string": "x",
    "float": 1.0,
    "integer": 10,
    "boolean": True,
    "datetime": datetime(2026, 3, 1, tzinfo=UTC),
    "map": {},
    "list": [{}],
}


def explain(graph: Graph, of: Statement) -> dict[str, Any]:
    """The plan the server makes of a statement; fails if it refuses it."""
    parameters = {name: SAMPLES[kind] for name, kind in of.parameters.items()}
    with graph.session() as session:
        plan = session.run(f"EXPLAIN {of.text}", parameters).consume().plan
    assert plan is not None
    return dict(plan)


def steps(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Operator and details of every step of a plan."""
    yield plan["operatorType"].partition("@")[0], " ".join(plan["args"].get("Details", "").split())
    for child in plan.get("children", ()):
        yield from steps(child)


def entries(plan: Mapping[str, Any]) -> set[str]:
    """Where a plan enters the graph: the words of ENTRIES, or the operator of a scan."""
    found = set()
    for operator, details in steps(plan):
        if operator.endswith("ByElementIdSeek"):
            found.add(BY_NODE)
        elif operator in ("NodeCountFromCountStore", "RelationshipCountFromCountStore"):
            found.add(COUNTER)
        elif index := ENTERING.match(details):
            found.add(index[1])
        elif vectors := re.search(r"VECTOR INDEX (\w+)", details):
            found.add(vectors[1])
        elif operator == "ProcedureCall":
            found.add(details.partition("(")[0])
        elif re.search(r"Scan|Seek|Lookup|FromCountStore", operator):
            found.add(operator)
    return found


def scans_of_old_servers(graph: Graph, name: str) -> set[str]:
    """What 5.26 does with a label that is a parameter: it looks at all nodes (docs/how-to/use-an-existing-neo4j.md)."""
    return {"AllNodesScan"} if name in BY_OWNERS_LABEL and graph.server_version().startswith("5.") else set()


def costly(plan: Mapping[str, Any]) -> set[str]:
    """The operators of a plan that make it cost more than what it touches."""
    return {operator for operator, _ in steps(plan) if COSTLY.search(operator)}


@pytest.fixture(scope="module", autouse=True)
def _vectors(graph: Graph) -> Iterator[None]:
    """The indexes of vectors, which a store gets with its first model only."""
    if not searches_by_index(graph.server_version()):
        yield
        return
    options = {"indexConfig": {"vector.dimensions": 8, "vector.similarity_function": "cosine"}}
    for slot in Slot:
        query(graph, f"DROP INDEX {slot.index_name} IF EXISTS")
        graph.write("a test", partial(MAKE_INDEX[slot][1], options=options))
    yield
    for slot in Slot:
        query(graph, f"DROP INDEX {slot.index_name} IF EXISTS")


@pytest.fixture(autouse=True)
def _understood(request: pytest.FixtureRequest, graph: Graph) -> None:
    """No test of a statement on a server that others are for."""
    name = request.node.callspec.params.get("name") if hasattr(request.node, "callspec") else None
    if name in NEEDS_SEARCH and not searches_by_index(graph.server_version()):
        pytest.skip("for Neo4j 2026.02 and newer")


@pytest.fixture(scope="module")
def peopled(graph: Graph) -> Iterator[Graph]:
    """A store with enough in it, of every state and scope, that the planner has numbers to go by."""
    query(
        graph,
        """
        UNWIND range(1, 3000) AS i
        WITH i, ['working', 'shortTerm', 'longTerm'][i % 3] AS tier, datetime('2026-03-01T00:00Z') AS at
        CREATE (m:Memory:LiveMemory {id: 'plan-' + i, contentKey: 'plan-' + i, brain: 'plans' + (i % 2),
                                     isTest: i % 5 = 0, tier: tier, energy: 1.0, content: 'c', created: at,
                                     storedAt: at, lastDecay: at})
        CREATE (:EnergyEvent {id: 'plan-' + i, brain: m.brain, isTest: m.isTest, kind: 'born', at: at})-[:OF]->(m)
        FOREACH (_ IN CASE WHEN i % 10 = 9 THEN [1] ELSE [] END |
          SET m.promotedFrom = 'plan-from-' + i
          CREATE (:Memory:ArchivedMemory {id: m.promotedFrom, brain: m.brain, isTest: m.isTest, validTo: at})
                 -[:PROMOTED_TO {at: at}]->(m))
        FOREACH (_ IN CASE WHEN i % 10 = 3 THEN [1] ELSE [] END |
          SET m:ExpiredMemory, m.tier = 'expired' REMOVE m:LiveMemory)
        FOREACH (_ IN CASE WHEN i % 10 = 6 THEN [1] ELSE [] END |
          SET m:ArchivedMemory, m.validTo = at REMOVE m:LiveMemory)
        """,
    )
    query(
        graph,
        """
        UNWIND range(1, 500) AS i
        MATCH (a:Memory {id: 'plan-' + i}), (b:Memory {id: 'plan-' + (i + 10)})
        WITH a, b, {brain: a.brain, isTest: a.isTest, checkedDay: ['', '2026-03-01'][i % 2], created: a.created} AS its
        CREATE (a)-[x:EXTENDS]->(b), (a)-[u:UPDATES]->(b), (a)-[d:DERIVES]->(b), (a)-[c:CONTRADICTS]->(b)
        SET x = its, u = its, d = its, c = its
        """,
    )
    query(
        graph,
        """
        UNWIND range(1, 1000) AS i
        WITH i, {id: 'plan-' + i, brain: 'plans' + (i % 2), isTest: i % 5 = 0} AS its,
             datetime('2026-03-01T00:00Z') AS at
        MATCH (m:Memory {id: 'plan-' + i}), (e:EnergyEvent {id: 'plan-' + i}), (other:Memory {id: 'plan-' + (i + 20)})
        CREATE (p:RecallPage {at: at})-[:SHOWED {rank: 1, score: 1.0, strength: 'weak'}]->(m),
               (k:RecallMiss {queryKey: 'plan-' + i, lastAsked: at, count: 1}),
               (s:ShadowRank {candidate: 'c', at: at, places: [1]})-[:SHADOWS]->(p), (e)-[:FROM_PAGE]->(p),
               (m)-[r:co_recalled {pair: 'plan-' + i, weight: 0.15, lastFired: at, lastFiredDay: '2026-03-01',
                                   brain: its.brain, isTest: its.isTest}]->(other)
        SET p += its, k += its, s += its
        """,
    )
    # The server counts what is in its indexes some time after it was written; until then any plan may come out.
    query(graph, "CALL db.prepareForReplanning(60)")
    yield graph
    query(
        graph,
        "MATCH (n:Memory|EnergyEvent|RecallPage|RecallMiss|ShadowRank) WHERE n.id STARTS WITH 'plan-' DETACH DELETE n",
    )


def test_every_statement_has_its_place_here() -> None:
    """A new file must say where its plan enters the graph, or why it may scan."""
    placed = [*ENTRIES, *EXCEPTIONS, *COMMANDS]

    assert sorted(statements()) == sorted(placed)


@pytest.mark.parametrize("name", sorted(statements()))
def test_the_server_accepts_the_statement(graph: Graph, name: str) -> None:
    """Each file is valid Cypher for this server, with parameters of the declared types."""
    assert explain(graph, statement(name))


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_a_statement_enters_by_its_indexes(peopled: Graph, name: str) -> None:
    """Every way into the graph is an index seek, a handle or a counter; nothing is scanned or sorted.

    In a store with something in it: in an empty one every plan is cheap, and the planner knows it.
    """
    plan, scans = explain(peopled, statement(name)), scans_of_old_servers(peopled, name)

    assert (set(), set()) == (entries(plan) - ENTRIES[name] - scans, costly(plan) - scans)


@pytest.mark.parametrize("name", sorted(EXCEPTIONS))
def test_an_exception_costs_no_more_than_its_reason_covers(peopled: Graph, name: str) -> None:
    """The list of exceptions says exactly which operators are meant."""
    allowed, reason = EXCEPTIONS[name]

    assert reason
    assert costly(explain(peopled, statement(name))) <= allowed | scans_of_old_servers(peopled, name)


def test_an_event_locks_nothing_but_its_own_memory(brain: Brain, peopled: Graph) -> None:
    """settle and boost touch one memory in a store of thousands: PROFILE counts their rows."""
    made = brain.create_test_memory("one", 1.0, "working")
    profiled = []
    with peopled.session() as session, session.begin_transaction() as tx:
        for name in ("memory/settle", "memory/boost"):
            values = {"brain": brain.name, "isTest": True, "now": datetime.now(UTC), "id": made.id, "event": made.id}
            parameters = {key: values[key] for key in statement(name).parameters}
            plan = tx.run(f"PROFILE {statement(name).text}", parameters).consume().profile
            profiled.append(max(rows_of(plan)))
        tx.rollback()

    assert profiled == [1, 1]


def rows_of(plan: Any) -> Iterator[int]:
    """The rows that each step of a profiled plan gave."""
    yield plan["rows"]
    for child in plan.get("children", ()):
        yield from rows_of(child)
