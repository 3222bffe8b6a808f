"""What events on one live memory share: it is settled and changed in one transaction, and followed where it went."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TypeVar

from neo4j import Transaction

from brainbridge.domain.errors import NotFound
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import memory, runs

T = TypeVar("T")

# A promotion while we wait for its lock gives the memory a new id; following it once or twice is the rule.
ATTEMPTS = 5


def on_live(
    graph: Graph,
    scope: Scope,
    target: Memory,
    change: Callable[..., T | None],
    *,
    query: str,
    now: datetime | None = None,
    first: Callable[..., object] | None = None,
) -> tuple[Memory, T | None]:
    """Let `change` happen to `target`, or to the memory it lives on in, once it is settled.

    Args:
        change: called with the transaction, and the `scope` and `id` of the memory and how it stands `settled`.
        query: the name that SHOW TRANSACTIONS shows for it.
        first: called like `change`, and with `now`, before anything is locked.

    Returns:
        The memory as it stood before, and what `change` gave; None if that memory has expired: nothing was changed.

    Raises:
        NotFound: it is archived without a live successor.
    """
    for _ in range(ATTEMPTS):
        work = partial(_settled, change=change, scope=scope, now=now, id=target.id, first=first)
        done = graph.write(query, work)
        if done is not None:
            return target, done
        target = current(graph, scope, target)
        if not target.live:
            return target, None
    raise too_fast(target)


def current(graph: Graph, scope: Scope, target: Memory) -> Memory:
    """`target` as it stands now, or the memory it lives on in if it is archived: live or expired.

    Raises:
        NotFound: it is archived without a successor, or is no more.
    """
    found = graph.read("memory/read_memory", partial(memory.read_memory, scope=scope, id=target.id))
    if found is None:
        raise NotFound(f"memory {target.id} no longer exists. Nothing was changed.")
    if found.valid_to is None:
        return found
    successor = graph.read("memory/find_successor", partial(memory.find_successor, scope=scope, id=target.id))
    if successor is not None:
        return successor
    if found.forgotten_reason is not None:
        raise NotFound(
            f"memory {found.id} was forgotten on {found.valid_to:%Y-%m-%d} ({found.forgotten_reason}). "
            f"Nothing was changed. Bring it back with: brainbridge restore {found.id}"
        )
    raise NotFound(f"memory {found.id} is archived and has no live successor. Nothing was changed.")


def too_fast(target: Memory) -> NotFound:
    """What to say when a memory could not be taken hold of, however often we looked for where it went."""
    if target.root is None:
        return NotFound(f"memory {target.id} was written by hand. Adopt it first with: brainbridge consolidate")
    return NotFound(f"memory {target.id} is changed faster than it can be followed. Nothing was changed. Try again.")


def expired_since(target: Memory) -> str:
    """`memory … has expired`, with the day if it is known."""
    day = f" on {target.expired_at:%Y-%m-%d}" if target.expired_at else ""
    return f"memory {target.id} expired{day}"


def _settled(
    tx: Transaction,
    *,
    change: Callable[..., T | None],
    scope: Scope,
    now: datetime | None,
    id: str,
    first: Callable[..., object] | None,
) -> T | None:
    now = now or runs.server_now(tx)
    if first is not None:
        first(tx, scope=scope, id=id, now=now)
    settled = transitions.settle(tx, scope, now=now, id=id)
    return None if settled is None else change(tx, scope=scope, id=id, settled=settled)
