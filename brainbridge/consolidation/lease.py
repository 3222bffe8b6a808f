"""One run at a time per brain and scope: a lease in the graph, by the server's clock.

It saves work and keeps reports simple; correctness never depends on it, because every pass locks and looks again.
"""

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from neo4j import Transaction

from brainbridge.domain.errors import LeaseHeld
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import runs
from brainbridge.graph.statements.runs import LeaseState

# Longer than a full run over a million memories takes (31 s measured); a crashed holder blocks others no longer.
LEASE_SECONDS = 120.0
POLL_SECONDS = 0.5


def lease_name(scope: Scope) -> str:
    """The lease that covers a brain's scope."""
    return f"{scope.brain}/{scope.name}"


class Lease:
    """A lease that we hold."""

    def __init__(self, graph: Graph, name: str, run_id: str) -> None:
        self._graph, self._run_id = graph, run_id
        holder = f"{socket.gethostname()}:{os.getpid()}:{run_id}"
        self._acquire = partial(runs.acquire_lease, name=name, holder=holder, seconds=LEASE_SECONDS)
        self._release = partial(runs.release_lease, name=name, holder=holder)
        self._renewed = 0.0  # monotonic
        self.released = False

    def acquire(self) -> LeaseState:
        """Take it, if it is free."""
        state = self._graph.write("runs/acquire_lease", self._acquire, run=self._run_id)
        self._renewed = time.monotonic()
        return state

    def renew(self) -> None:
        """Hold it longer, for work that may take longer than `LEASE_SECONDS`; call it as often as you like."""
        if time.monotonic() - self._renewed > LEASE_SECONDS / 4:
            self.acquire()

    def release(self) -> None:
        """Give it back, unless that was done with `released_with`."""
        if not self.released:
            self._graph.write("runs/release_lease", self._release, run=self._run_id)

    def released_with(self, query: str, work: Callable[[Transaction], object]) -> None:
        """Run `work` and give the lease back in one transaction: whoever sees the one sees the other."""
        self._graph.write(query, lambda tx: (work(tx), self._release(tx)), run=self._run_id)
        self.released = True


@contextmanager
def held(graph: Graph, scope: Scope, run_id: str, *, wait_seconds: float = 0.0) -> Iterator[Lease]:
    """Hold the lease of `scope` for one run.

    Args:
        wait_seconds: how long to wait for another run to finish.

    Raises:
        LeaseHeld: another run still holds it.
    """
    name = lease_name(scope)
    lease = Lease(graph, name, run_id)
    deadline = time.monotonic() + wait_seconds
    while not (state := lease.acquire()).granted:
        if time.monotonic() >= deadline:
            raise LeaseHeld(
                f"another run on {name} is in progress (held by {state.holder} until {state.until:%H:%M:%S} UTC). "
                "Wait for it with --wait, or try again later."
            )
        time.sleep(POLL_SECONDS)
    try:
        yield lease
    finally:
        lease.release()
