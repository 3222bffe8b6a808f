"""What is remembered, and what became of it: the values on both sides of memory/remember.py."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

from brainbridge.domain.energy import Law, weight_of_energy
from brainbridge.domain.memory import checked_content
from brainbridge.domain.relation import Declaration, Relation
from brainbridge.domain.scope import Scope
from brainbridge.domain.secrets import refuse_secrets
from brainbridge.domain.source import Source
from brainbridge.domain.tier import MemoryType, Producer, Tier
from brainbridge.graph.records import iso
from brainbridge.memory.restatement import Fingerprint, fingerprint


@dataclass(frozen=True, slots=True)
class Note:
    """What is to be remembered. `at` is the instant of birth; None means now, by the database server's clock.

    `declares`: what it says of memories that are there; if it restates one of them, that one says it.
    `allow_secret`: store it even if a text of it holds what looks like a secret.
    """

    content: str
    memory_type: MemoryType | None = None
    producer: Producer = Producer.USER
    core: bool = False
    subject: str | None = None
    at: datetime | None = None
    source: Source | None = None
    declares: Declaration | None = None
    allow_secret: bool = False

    def birth(self, law: Law) -> tuple[Tier, float]:
        """The tier and the energy it is born with."""
        return law.birth(memory_type=self.memory_type, producer=self.producer, core=self.core)

    def texts(self) -> dict[str, str]:
        """Every text of it that would be stored, by what people call it."""
        found = {"content": self.content, "subject": self.subject}
        if (source := self.source) is not None:
            found |= {"id of its source": source.id}
            found |= {f"{name} of its source": value for name, value in (source.properties or {}).items()}
        return {name: str(text) for name, text in found.items() if isinstance(text, str | list | tuple)}


@dataclass(frozen=True, slots=True)
class Declared:
    """A relation to the memory `id`. `created`: False if it was there before. `inert`: an end has expired."""

    relation: Relation
    id: str
    created: bool
    inert: bool


@dataclass(frozen=True, slots=True)
class Related:
    """A memory that is similar, but says something else: perhaps what this one updates."""

    id: str
    similarity: float
    content: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of one note.

    `outcome`: created, reinforced or revived. `similarity`: to the memory that was found, else to the nearest one, 0.0
    without any. `existing`: the wording that was there and stays, None for a new memory. `energy`: afterwards.
    """

    id: str
    outcome: str
    energy: float
    tier: Tier
    similarity: float = 0.0
    existing: str | None = None
    related: tuple[Related, ...] = ()
    declared: tuple[Declared, ...] = ()

    @property
    def weight(self) -> float:
        """The display weight of the energy, 0 to 1."""
        return weight_of_energy(self.energy)


class Text:
    """A note with what the transaction needs of it, made once although the transaction may run several times."""

    def __init__(self, note: Note) -> None:
        self.note = note
        self.content = checked_content(note.content)
        if not note.allow_secret:
            refuse_secrets(note.texts())
        self.print: Fingerprint = fingerprint(self.content)
        # Ids are made here, not in the statement: when the answer to a commit is lost, the same rows can be sent again.
        self.id, self.event = str(uuid4()), str(uuid4())

    def probe(self, row: int, scope: Scope) -> dict[str, Any]:
        """What memory/probe_restatements asks for this text. Tokens of the bands are hexadecimal: nothing to escape."""
        bands = " ".join(self.print.bands) or "none"
        lucene = f"+scope:{scope.token}^0 +bands:({bands})"
        return {"row": row, "contentKey": self.print.key, "lucene": lucene, "bands": list(self.print.bands)}

    def birth(self, tier: Tier, energy: float, now: datetime) -> dict[str, Any]:
        """The row that memory/create_memories makes a memory of."""
        note = self.note
        return {
            "id": self.id,
            "event": self.event,
            "content": self.content,
            "contentKey": self.print.key,
            "bands": " ".join(self.print.bands),
            "tier": tier.value,
            "energy": energy,
            "core": note.core,
            "memoryType": note.memory_type and note.memory_type.value,
            "producer": note.producer.value,
            "subject": note.subject,
            "at": iso(note.at or now),
        }
