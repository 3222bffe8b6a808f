"""REF: how people name a memory: its id, a unique beginning of it, or a unique piece of its text."""

import re
from functools import partial

from brainbridge.domain.errors import Ambiguous, InvalidValue, NotFound
from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import memory

_FULL_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ID_START = re.compile(r"[0-9a-f-]+")
SHORTEST_PREFIX = 6
MOST_CANDIDATES = 6


def resolve(graph: Graph, scope: Scope, ref: str) -> Memory:
    """The one memory that `ref` names, in any state.

    Args:
        ref: a full id, at least 6 characters of its beginning, or a piece of the text of a live memory.

    Raises:
        NotFound: nothing matches. Ambiguous: several do, and they are listed. InvalidValue: `ref` is empty.
    """
    if not ref.strip():
        raise InvalidValue("the reference is empty. Give an id, its first 6 characters, or a piece of the text.")
    exact = graph.read("memory/read_memory", partial(memory.read_memory, scope=scope, id=ref))
    if exact is not None:
        return exact
    candidates = [] if _FULL_ID.fullmatch(ref) else _candidates(graph, scope, ref)
    if not candidates:
        raise NotFound(
            f"no {scope.name} memory of brain {scope.brain!r} matches {ref!r}. "
            f"Give its id, or another piece of its text.{_scope_hint(scope)}"
        )
    if len(candidates) > 1:
        listed = [f"{found.id}  {_one_line(found.content)}" for found in candidates]
        raise Ambiguous(f"{ref!r} matches several memories. Give more of it:\n  " + "\n  ".join(listed), listed)
    return candidates[0]


def resolve_current(graph: Graph, scope: Scope, ref: str) -> Memory:
    """The memory that `ref` names, or the one it lives on in if it is an archive: live or expired.

    Raises:
        NotFound: nothing matches, or an archive has no successor. Ambiguous, InvalidValue: as `resolve`.
    """
    found = resolve(graph, scope, ref)
    if found.valid_to is None:
        return found
    head = graph.read("memory/find_successor", partial(memory.find_successor, scope=scope, id=found.id))
    if head is None:
        raise NotFound(f"memory {found.id} is archived and has no successor. Name one that is not archived.")
    return head


def _candidates(graph: Graph, scope: Scope, ref: str) -> list[Memory]:
    if _ID_START.fullmatch(ref) and len(ref) >= SHORTEST_PREFIX:
        by_id = graph.read(
            "memory/find_by_prefix", partial(memory.find_by_prefix, scope=scope, prefix=ref, limit=MOST_CANDIDATES)
        )
        if by_id:
            return by_id
    return graph.read("memory/find_by_text", partial(memory.find_by_text, scope=scope, text=ref, limit=MOST_CANDIDATES))


def _scope_hint(scope: Scope) -> str:
    return "" if scope.is_test else " Test memories are only looked at with --test-only."


def _one_line(content: str, width: int = 60) -> str:
    line = " ".join(content.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
