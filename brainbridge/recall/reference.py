"""A query that is the id of a memory, or the beginning of one: what it names comes first, and is strong (R-003-18)."""

import re

from neo4j import Transaction

from brainbridge.domain.memory import Memory
from brainbridge.domain.scope import Scope
from brainbridge.graph.statements import memory

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_ID_START = re.compile(r"[0-9a-f][0-9a-f-]{5,35}")


def named(tx: Transaction, scope: Scope, text: str) -> Memory | None:
    """The memory whose id `text` is, or begins; of an archive, the memory it lives on in. None: it names none."""
    text = text.strip()
    if not _ID_START.fullmatch(text):
        return None
    if _ID.fullmatch(text):
        found = memory.read_memory(tx, scope, id=text)
    else:
        alike = memory.find_by_prefix(tx, scope, prefix=text, limit=2)
        found = alike[0] if len(alike) == 1 else None
    if found is None or found.valid_to is None:
        return found
    return memory.find_successor(tx, scope, id=found.id) or found
