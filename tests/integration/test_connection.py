"""The one way to the database: what many threads may expect of a connection that they take turns with."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import pytest
from neo4j import Transaction
from neo4j.exceptions import ClientError

from brainbridge.app import Brain
from brainbridge.domain.errors import QueryFailed
from brainbridge.graph.connection import Address, Graph

# Long enough for a busy machine; a thread that waits as long has lost its answer.
LOST = 60  # seconds


def test_a_refused_transaction_does_not_touch_the_connection_it_gave_back(brain: Brain) -> None:
    """Its connection may be another thread's by then, whose transaction was rolled back or left without an answer."""
    graph, made = brain.graph, str(uuid4())
    refused, opened = threading.Event(), threading.Event()

    def fail(tx: Transaction) -> None:
        try:
            tx.run("RETURN no_such_variable").consume()
        except ClientError:
            refused.set()
            assert opened.wait(LOST)
            raise

    def create(tx: Transaction) -> int:
        tx.run("CREATE (:Kept {id: $id})", id=made).consume()
        opened.set()
        assert failed.wait(LOST)
        return int(tx.run("MATCH (k:Kept {id: $id}) RETURN count(k) AS kept", id=made).single(strict=True)["kept"])

    failed = threading.Event()

    def refuse() -> None:
        try:
            with pytest.raises(QueryFailed, match="no_such_variable"):
                graph.write("test/refused", fail)
        finally:
            failed.set()

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(refuse)
        assert refused.wait(LOST)
        kept = threads.submit(graph.write, "test/kept", create)
        first.result(LOST)
        assert 1 == kept.result(LOST)

    assert 1 == graph.write("test/cleared", lambda tx: clear(tx, made))


def test_where_a_read_may_go_to_another_server_it_waits_for_what_was_written(neo4j_address: Address) -> None:
    """With routing the sessions of a connection share their bookmarks; a single server is never behind."""
    routed = replace(neo4j_address, uri=neo4j_address.uri.replace("bolt", "neo4j", 1))
    with Graph.open(routed, timeout=15) as graph:
        made = str(uuid4())
        graph.write("test/kept", lambda tx: tx.run("CREATE (:Kept {id: $id})", id=made).consume())
        manager = graph._bookmarks
        assert manager is not None
        written = set(manager.get_bookmarks())
        assert 1 == graph.write("test/cleared", lambda tx: clear(tx, made))
        cleared = set(manager.get_bookmarks())

    assert written
    assert cleared
    assert written != cleared


def clear(tx: Transaction, id_: str) -> int:
    """Delete what the test made; how much it was."""
    counters = tx.run("MATCH (k:Kept {id: $id}) DELETE k", id=id_).consume().counters
    return counters.nodes_deleted
