"""Capture: document 004's three ways to write something down, each a node of its own and the memory it leaves."""

from uuid import NAMESPACE_URL, uuid5

from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.memory import checked_content
from brainbridge.domain.source import Source
from brainbridge.domain.tier import MemoryType
from brainbridge.memory.note import Note

# The label of the traditional node, and what its texts are called on it, in the order they are given.
NODES: dict[MemoryType, tuple[str, tuple[str, ...]]] = {
    MemoryType.CRYSTALLIZATION: ("Crystallization", ("trigger", "insight")),
    MemoryType.LEARNING: ("Learning", ("concept", "what")),
    MemoryType.REMINDER: ("Reminder", ("thing",)),
}


def captured(memory_type: MemoryType, *texts: str, allow_secret: bool = False) -> Note:
    """The note for a capture: "trigger: insight", "concept: what", or the thing itself.

    Its source has an id made of its texts, so that capturing the same again finds the node instead of making another.

    Raises:
        InvalidValue: a text is empty or cannot be stored unaltered.
    """
    label, names = NODES[memory_type]
    if len(texts) != len(names):
        raise InvalidValue(f"a {memory_type} has {' and '.join(names)}; {len(texts)} texts were given.")
    properties = {name: checked_content(text) for name, text in zip(names, texts, strict=True)}
    id_ = str(uuid5(NAMESPACE_URL, "\x1f".join((label, *texts))))
    source = Source(label, id_, properties)
    return Note(": ".join(texts), memory_type=memory_type, source=source, allow_secret=allow_secret)
