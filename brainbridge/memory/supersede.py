"""Supersede: one memory takes the place of another, which is archived and leads to it from then on."""

from datetime import datetime
from functools import partial
from uuid import uuid4

from neo4j import Transaction

from brainbridge.domain.errors import InvalidValue, Refused
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.domain.secrets import refuse_secrets
from brainbridge.graph import transitions
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import memory
from brainbridge.graph.statements.memory import Archived
from brainbridge.memory.event import ATTEMPTS, current, expired_since, too_fast


def supersede(
    graph: Graph,
    scope: Scope,
    old: Memory,
    new: Memory,
    *,
    reason: str | None = None,
    now: datetime | None = None,
    allow_secret: bool = False,
) -> tuple[Memory, Memory, Archived]:
    """Archive `old` in favour of `new`; the history of both is kept, and `old` leads to `new` wherever it is named.

    Returns:
        The old memory as it stood before, the new one, and what the old one had.

    Raises:
        InvalidValue: both are the same memory. Refused: `old` was superseded before, `new` has expired, or the
            reason holds a secret.
        NotFound: either is archived without a successor.
    """
    if not allow_secret:
        refuse_secrets({"reason": reason})
    event = str(uuid4())
    for _ in range(ATTEMPTS):
        old = replaceable(graph, scope, old, verb="superseded")
        new = current(graph, scope, new)
        if old.id == new.id:
            raise InvalidValue(f"memory {old.id} cannot supersede itself. Nothing was changed: name two memories.")
        if not new.live:
            raise Refused(f"{expired_since(new)} and cannot take the place of another. Nothing was changed.")
        work = partial(
            _supersede, scope=scope, now=now or graph.now(), old=old.id, new=new.id, reason=reason, event=event
        )
        done = graph.write("memory/supersede", work)
        if done is not None:
            return old, new, done
    raise too_fast(old)


def replaceable(graph: Graph, scope: Scope, target: Memory, *, verb: str) -> Memory:
    """`target`, or the memory it was promoted into: the one that can be archived, live or expired.

    Args:
        verb: what would be done to it, for the refusal.

    Raises:
        Refused: another memory has taken its place; to archive that one instead would be a surprise.
        NotFound: it is archived without a successor.
    """
    found = current(graph, scope, target)
    if found.root != target.root:  # a promotion keeps the root, so somewhere on the way it was superseded
        raise Refused(
            f"memory {target.id} was superseded by {found.id} and cannot be {verb}. Nothing was changed. "
            f"Name {found.id} if that is meant."
        )
    return found


def _supersede(
    tx: Transaction, *, scope: Scope, now: datetime, old: str, new: str, reason: str | None, event: str
) -> Archived | None:
    for id_ in sorted((old, new)):  # in id order, so that two at once wait for each other instead of deadlocking
        transitions.settle(tx, scope, now=now, id=id_)
    return memory.supersede(tx, scope, now=now, old=old, new=new, reason=reason, event=event)
