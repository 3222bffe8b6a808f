"""Back-fill: give memories the vectors they lack. `remember` waits for no model, so this comes after it.

A brain whose embedder is new goes on recalling with the old model, or by words, until every live memory has its vector
of the new one; then it switches, and the old vectors go.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import embeddings
from brainbridge.graph.statements.embeddings import Space
from brainbridge.recall import spaces
from brainbridge.recall.embedders import Embedder, document

# Texts per call of the model and per transaction: a second of work for a small model on two cores.
BATCH = 64


@dataclass(frozen=True, slots=True)
class Filled:
    """What a back-fill did.

    Attributes:
        model: the key of the model.
        embedded: memories that were given a vector.
        complete: none was left without one.
        switched: from now on the brain recalls with this model, and did not before.
    """

    model: str
    embedded: int
    complete: bool
    switched: bool


@dataclass(frozen=True, slots=True)
class Vectors:
    """The model a brain recalls with, and how many of its live memories, real and test, have and lack its vector."""

    space: Space
    filled: int
    bare: int


def vectors(graph: Graph, brain: str) -> Vectors | None:
    """How far the vectors of a brain go; None if it has none."""
    space = graph.read("embeddings/read_space", partial(embeddings.read_space, brain=brain))
    if space is None:
        return None
    counts = [
        graph.read(
            "embeddings/count_bare",
            partial(embeddings.count_bare, scope=Scope(brain, is_test=is_test), slot=space.slot),
        )
        for is_test in (False, True)
    ]
    return Vectors(space, sum(filled for filled, _ in counts), sum(bare for _, bare in counts))


def backfill(
    graph: Graph,
    brain: str,
    embedder: Embedder,
    *,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Filled:
    """Embed what lacks a vector, real and test memories; can be ended and begun again at any point.

    Args:
        seconds: stop after about so long; None: go on to the end.
        progress: called after each batch with the number embedded so far.

    Raises:
        EmbedderFailed: the model cannot be used. What was written stays, and counts.
        Refused: other brains of this database use two other models.
    """
    space = spaces.place_for(graph, embedder)
    active = graph.read("embeddings/read_space", partial(embeddings.read_space, brain=brain))
    new = active is None or active.model != space.model
    # A brain that went back to the model it has gives up the place of the one it was being given.
    coming = space.model if new else None
    graph.write("embeddings/begin_filling", partial(embeddings.begin_filling, brain=brain, model=coming))
    work = _Work(graph, space, embedder, None if seconds is None else time.monotonic() + seconds, progress)
    complete = all(work.fill(Scope(brain, is_test=is_test)) for is_test in (False, True))
    if not (new and complete):
        return Filled(space.model, work.embedded, complete, switched=False)
    graph.write("embeddings/switch_space", partial(embeddings.switch_space, brain=brain, model=space.model))
    if active is not None:
        _leave(graph, brain, active)
    return Filled(space.model, work.embedded, complete, switched=True)


class _Work:
    def __init__(
        self,
        graph: Graph,
        space: Space,
        embedder: Embedder,
        until: float | None,
        progress: Callable[[int], None] | None,
    ) -> None:
        self._graph, self._space, self._embedder = graph, space, embedder
        self._until = until  # monotonic
        self._progress = progress
        self.embedded = 0

    def fill(self, scope: Scope) -> bool:
        """Page through one scope; False if time ran out before its end."""
        after, slot = "", self._space.slot
        while True:
            if self._until is not None and time.monotonic() >= self._until:
                return False
            page = partial(embeddings.find_bare, scope=scope, slot=slot, after=after, batch=BATCH)
            found = self._graph.read("embeddings/find_bare", page)
            if not found:
                return True
            texts = [document(memory.subject, memory.content) for memory in found]
            vectors = dict(zip((memory.id for memory in found), self._embedder.embed_documents(texts), strict=True))
            write = partial(embeddings.write_vectors, scope=scope, slot=slot, vectors=vectors)
            self.embedded += self._graph.write("embeddings/write_vectors", write)
            if self._progress:
                self._progress(self.embedded)
            after = found[-1].id


def _leave(graph: Graph, brain: str, space: Space) -> None:
    """Remove a brain's vectors of the model it has left, and the model's place if it was the last one there."""
    spaces.clear(graph, brain, space.slot)
    left = [each for each in graph.read("embeddings/list_spaces", embeddings.list_spaces) if each.model == space.model]
    if left and not left[0].used and not left[0].filled:
        spaces.release(graph, left[0])
