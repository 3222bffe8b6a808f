"""Forget and restore: a memory goes into the archive because someone wants it gone, and comes back. No delete."""

from datetime import datetime
from functools import partial
from uuid import uuid4

from neo4j import Transaction

from brainbridge.domain.errors import NotFound, Refused
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.secrets import refuse_secrets
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import inspect, memory
from brainbridge.graph.statements.memory import Archived, Restored
from brainbridge.memory.event import ATTEMPTS, too_fast
from brainbridge.memory.supersede import replaceable

NO_REASON = "no reason given"


def forget(
    graph: Graph,
    scope: Scope,
    target: Memory,
    *,
    reason: str | None = None,
    now: datetime | None = None,
    allow_secret: bool = False,
) -> tuple[Memory, Archived]:
    """Archive `target`, or the memory it was promoted into; also one that has expired or is protected.

    Returns:
        The memory as it stood before, and what it had.

    Raises:
        Refused: it was superseded; the one that replaced it is named, not forgotten in its place. Or the reason holds
            a secret.
        NotFound: it is archived already.
    """
    if not allow_secret:
        refuse_secrets({"reason": reason})
    event = str(uuid4())
    reason = reason.strip() if reason and reason.strip() else NO_REASON
    for _ in range(ATTEMPTS):
        target = replaceable(graph, scope, target, verb="forgotten")
        work = partial(_forget, scope=scope, now=now or graph.now(), id=target.id, reason=reason, event=event)
        done = graph.write("memory/forget", work)
        if done is not None:
            return target, done
    raise too_fast(target)


def _forget(tx: Transaction, *, scope: Scope, now: datetime, id: str, reason: str, event: str) -> Archived | None:
    transitions.settle(tx, scope, now=now, id=id)  # an expired memory has nothing to settle
    return memory.forget(tx, scope, now=now, id=id, reason=reason, event=event)


def restore(graph: Graph, scope: Scope, target: Memory, *, now: datetime | None = None) -> tuple[Memory, Restored]:
    """Undo the forgetting of `target`: it stands where it stood, and decays from now on.

    Returns:
        The memory as it was while forgotten, and how it stands.

    Raises:
        Refused: it was not forgotten, lives on in another memory, or was remembered anew since; each by name.
    """
    work = partial(memory.restore, scope=scope, now=now or graph.now(), id=target.id, event=str(uuid4()))
    done = graph.write("memory/restore", work)
    if done is None:
        raise _not_forgotten(graph, scope, target)
    if done.taken is not None:
        raise Refused(
            f"memory {target.id} cannot be restored: its text has been remembered anew as {done.taken}. "
            "Nothing was changed. Use that one, or forget it first."
        )
    return target, done


def _not_forgotten(graph: Graph, scope: Scope, target: Memory) -> Refused | NotFound:
    found = graph.read("inspect/record", partial(inspect.record, scope=scope, id=target.id))
    if found is None:
        return NotFound(f"memory {target.id} no longer exists. Nothing was changed.")
    if found.superseded_by is not None:
        what = f"it was superseded by {found.superseded_by.id}"
    elif found.promoted_to is not None:
        what = f"it was promoted and lives on in {found.promoted_to}"
    elif found.memory.valid_to is not None:
        what = "it was archived by hand; remove its validTo in Neo4j Browser"
    else:
        what = f"it was not forgotten, it is {found.memory.state}"
    return Refused(f"memory {target.id} cannot be restored: {what}. Nothing was changed.")
