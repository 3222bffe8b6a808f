"""One run at a time per brain and scope: a lease in the graph, by the server's clock.

It saves work and keeps reports simple; correctness never depends on it, because every pass locks and looks again.
"""

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from brainbridge.domain.errors import LeaseHeld
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import runs

# Longer than a full run over a million memories takes (31 s measured); a crashed holder blocks others no longer.
LEASE_SECONDS = 120.0
POLL_SECONDS = 0.5


def lease_name(scope: Scope) -> str:
    """The lease that covers a brain's scope."""
    return f"{scope.brain}/{scope.name}"


@contextmanager
def held(graph: Graph, scope: Scope, run_id: str, *, wait_seconds: float = 0.0) -> Iterator[Callable[[], None]]:
    """Hold the lease of `scope` for one run.

    Args:
        wait_seconds: how long to wait for another run to finish.

    Yields:
        What renews it, for work that may take longer than `LEASE_SECONDS`; it may be called as often as one likes.

    Raises:
        LeaseHeld: another run still holds it.
    """
    name, holder = lease_name(scope), f"{socket.gethostname()}:{os.getpid()}:{run_id}"
    deadline = time.monotonic() + wait_seconds
    acquire = partial(runs.acquire_lease, name=name, holder=holder, seconds=LEASE_SECONDS)
    while not (state := graph.write("runs/acquire_lease", acquire, run=run_id)).granted:
        if time.monotonic() >= deadline:
            raise LeaseHeld(
                f"another run on {name} is in progress (held by {state.holder} until {state.until:%H:%M:%S} UTC). "
                "Wait for it with --wait, or try again later."
            )
        time.sleep(POLL_SECONDS)
    renewed = time.monotonic()

    def renew() -> None:
        nonlocal renewed
        if time.monotonic() - renewed > LEASE_SECONDS / 4:
            graph.write("runs/acquire_lease", acquire, run=run_id)
            renewed = time.monotonic()

    try:
        yield renew
    finally:
        graph.write("runs/release_lease", partial(runs.release_lease, name=name, holder=holder), run=run_id)
