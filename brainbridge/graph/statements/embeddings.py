"""cypher/embeddings/*.cypher as functions: where the vectors of which model stand, and putting them there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from neo4j import Transaction

from brainbridge.domain.scope import Scope
from brainbridge.graph.records import count, one, rows


class Slot(StrEnum):
    """One of the two places for vectors: a model in use, and one that memories are being given meanwhile."""

    A = "A"
    B = "B"

    @property
    def property_name(self) -> str:
        """The property of a memory that holds its vector."""
        return f"embedding{self.value}"

    @property
    def index_name(self) -> str:
        """The name of the index of these vectors."""
        return f"live_embedding_{self.value.lower()}"


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors of one model. `used`, `filled`: the brains that recall with it, and those being given it."""

    slot: Slot
    model: str
    dimensions: int
    used: tuple[str, ...] = ()
    filled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bare:
    """A memory that lacks a vector."""

    id: str
    subject: str | None
    content: str


def list_spaces(tx: Transaction) -> list[Space]:
    """Every model whose vectors stand in this database."""
    return [
        Space(Slot(row["slot"]), row["model"], row["dimensions"], tuple(row["used"]), tuple(row["filled"]))
        for row in rows(tx, "embeddings/list_spaces")
    ]


def read_space(tx: Transaction, *, brain: str) -> Space | None:
    """The model a brain recalls with; None if it has no vectors yet."""
    row = one(tx, "embeddings/read_space", brain=brain)
    return Space(Slot(row["slot"]), row["model"], row["dimensions"]) if row else None


def claim_space(tx: Transaction, *, slot: Slot, model: str, dimensions: int) -> str:
    """Take a place for a model; whose it is now."""
    row = one(tx, "embeddings/claim_space", slot=slot.value, model=model, dimensions=dimensions)
    assert row is not None  # MERGE gives a row
    return str(row["model"])


def begin_filling(tx: Transaction, *, brain: str, model: str | None) -> None:
    """Note that a brain is being given the vectors of a model; None: of none any more."""
    rows(tx, "embeddings/begin_filling", brain=brain, model=model)


def switch_space(tx: Transaction, *, brain: str, model: str) -> str | None:
    """Let a brain recall with the model it was given; the one before, if any."""
    row = one(tx, "embeddings/switch_space", brain=brain, model=model)
    return row["before"] if row else None


def delete_space(tx: Transaction, *, model: str) -> int:
    """Free the place of a model, unless a brain uses it; how many were freed."""
    return count(tx, "embeddings/delete_space", "deleted", model=model)


def make_index_a(tx: Transaction, *, options: Mapping[str, Any]) -> None:
    """Make the index of the first place."""
    rows(tx, "embeddings/make_index_a", options=dict(options))


def make_index_b(tx: Transaction, *, options: Mapping[str, Any]) -> None:
    """Make the index of the second place."""
    rows(tx, "embeddings/make_index_b", options=dict(options))


def drop_index(tx: Transaction, *, name: str) -> None:
    """Drop an index of vectors."""
    rows(tx, "embeddings/drop_index", name=name)


def find_bare(tx: Transaction, scope: Scope, *, slot: Slot, after: str, batch: int) -> list[Bare]:
    """One page of live memories without a vector."""
    found = rows(
        tx,
        "embeddings/find_bare",
        brain=scope.brain,
        isTest=scope.is_test,
        property=slot.property_name,
        after=after,
        batch=batch,
    )
    return [Bare(row["id"], row["subject"], row["content"]) for row in found]


def count_bare(tx: Transaction, scope: Scope, *, slot: Slot) -> tuple[int, int]:
    """How many live memories have a vector, and how many lack one."""
    row = one(tx, "embeddings/count_bare", brain=scope.brain, isTest=scope.is_test, property=slot.property_name)
    return (row["filled"], row["bare"]) if row else (0, 0)


def write_vectors(tx: Transaction, scope: Scope, *, slot: Slot, vectors: Mapping[str, Sequence[float]]) -> int:
    """Give live memories their vectors, by id; how many of them were still there."""
    return count(
        tx,
        "embeddings/write_vectors",
        "written",
        brain=scope.brain,
        isTest=scope.is_test,
        property=slot.property_name,
        rows=[{"id": id_, "vector": list(vector)} for id_, vector in vectors.items()],
    )


def clear_vectors(tx: Transaction, scope: Scope, *, slot: Slot, after: str, batch: int) -> str | None:
    """Take the vectors of one page of memories away; its last id, None if there was none left."""
    row = one(
        tx,
        "embeddings/clear_vectors",
        brain=scope.brain,
        isTest=scope.is_test,
        property=slot.property_name,
        after=after,
        batch=batch,
    )
    return row["last"] if row else None
