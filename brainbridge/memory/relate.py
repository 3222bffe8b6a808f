"""Relate: people and agents declare what one memory says of another; brainbridge never makes a relation up."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from brainbridge.domain.errors import InvalidValue, NotFound, Refused
from brainbridge.domain.memory import Memory
from brainbridge.domain.relation import Relation, checked_relation
from brainbridge.domain.scope import Scope
from brainbridge.domain.secrets import secret_among
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import edges
from brainbridge.graph.statements.edges import Related
from brainbridge.memory.reference import resolve_current

# A promotion between looking an end up and locking it gives the end a new id; following it once or twice is the rule.
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Linked:
    """A declared relation. `created`: False if it was there before. `inert`: an end has expired, so no effect yet."""

    source: Memory
    relation: Relation
    target: Memory
    created: bool
    inert: bool


@dataclass(frozen=True, slots=True)
class Unlinked:
    """A relation taken back. `removed`: False if there was none."""

    source: Memory
    relation: Relation
    target: Memory
    removed: bool


def link(
    graph: Graph,
    scope: Scope,
    from_ref: str,
    relation: str,
    to_ref: str,
    *,
    declared_by: str,
    now: datetime | None = None,
) -> Linked:
    """Declare that one memory extends, updates, derives from or contradicts another.

    Args:
        from_ref, to_ref: the two memories, as `resolve` takes them; an archive stands for its successor.
        declared_by: who says so, in a word.

    Raises:
        InvalidValue: no such relation, no name of who declares it, or both ends are the same memory.
        Refused: `co_recalled`, or a name that is a secret. NotFound, Ambiguous: an end.
            Nothing is written in any of these cases.
    """
    kind = checked_relation(relation)
    if not declared_by.strip():
        raise InvalidValue("who declares it is empty. Give a name, such as user.")
    if said := secret_among({"name of who declares it": declared_by}):
        raise Refused(f"{said}. Nothing was written. Give a name, such as user.")
    instant = now or graph.now()
    for _ in range(ATTEMPTS):
        source, target = _ends(graph, scope, from_ref, to_ref)
        work = partial(
            edges.link,
            scope=scope,
            from_id=source.id,
            relation=kind,
            to_id=target.id,
            declared_by=declared_by.strip(),
            now=instant,
        )
        done = graph.write("edges/link", work)
        if done is not None:
            return Linked(source, kind, target, done.created, done.inert)
    raise NotFound(f"{from_ref!r} or {to_ref!r} changes faster than it can be linked. Nothing was written: try again.")


def unlink(graph: Graph, scope: Scope, from_ref: str, relation: str, to_ref: str) -> Unlinked:
    """Take a declared relation back; what it has done to energies stays.

    Raises:
        As `link`.
    """
    kind = checked_relation(relation)
    source, target = _ends(graph, scope, from_ref, to_ref)
    work = partial(edges.unlink, scope=scope, from_id=source.id, relation=kind, to_id=target.id)
    return Unlinked(source, kind, target, removed=graph.write("edges/unlink", work) > 0)


def relations(graph: Graph, scope: Scope, ref: str) -> list[Related]:
    """The declared relations of a memory in both directions, the oldest first.

    Raises:
        NotFound, Ambiguous, InvalidValue: `ref`.
    """
    found = resolve_current(graph, scope, ref)
    return graph.read("edges/list_relations", partial(edges.list_relations, scope=scope, id=found.id))


def _ends(graph: Graph, scope: Scope, from_ref: str, to_ref: str) -> tuple[Memory, Memory]:
    source, target = resolve_current(graph, scope, from_ref), resolve_current(graph, scope, to_ref)
    if source.id == target.id:
        raise InvalidValue(f"{from_ref!r} and {to_ref!r} are the same memory, {source.id}. Name two different ones.")
    return source, target
