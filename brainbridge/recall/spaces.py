"""Where the vectors of a model stand. There are two places; a model that is new to a database gets the one not in use.

Vectors of two models are never compared: each place holds those of one, its index has their length, and a brain says
which of them it recalls with. While another is being filled, it goes on with the old one.
"""

from collections.abc import Sequence
from functools import partial

from brainbridge.domain.errors import AlreadyThere, Refused
from brainbridge.domain.scope import Scope
from brainbridge.graph import schema
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import brains, embeddings
from brainbridge.graph.statements import schema as schema_statements
from brainbridge.graph.statements.embeddings import Slot, Space
from brainbridge.recall.embedders import Embedder

# The SEARCH clause with a filter inside the index; before it, a vector index knows no brain.
LEAST_WITH_SEARCH = (2026, 2)
CLEARED = 5_000  # memories per transaction

MAKE_INDEX = {
    Slot.A: ("embeddings/make_index_a", embeddings.make_index_a),
    Slot.B: ("embeddings/make_index_b", embeddings.make_index_b),
}


def searches_by_index(server_version: str) -> bool:
    """Whether a server of this version searches vectors by an index with a filter; else every vector is looked at."""
    numbers = tuple(int(part) for part in server_version.split(".")[:2] if part.isdigit())
    return numbers >= LEAST_WITH_SEARCH


def place_for(graph: Graph, embedder: Embedder) -> Space:
    """The place of a model's vectors, taken and given its index if it has none yet.

    Raises:
        Refused: other brains of this database use both places.
    """
    space = _place(graph, embedder)
    if searches_by_index(graph.server_version()):
        options = {
            "indexConfig": {"vector.dimensions": space.dimensions, "vector.similarity_function": "cosine"},
        }
        name, make = MAKE_INDEX[space.slot]
        graph.write(name, partial(make, options=options))
        graph.write("schema/await_indexes", partial(schema_statements.await_indexes, seconds=schema.INDEX_WAIT))
    return space


def _place(graph: Graph, embedder: Embedder) -> Space:
    model, dimensions = embedder.model_key, embedder.dimensions
    for _ in Slot:
        spaces = graph.read("embeddings/list_spaces", embeddings.list_spaces)
        if found := next((space for space in spaces if space.model == model), None):
            return found
        slot = _free(graph, spaces)
        try:
            claim = partial(embeddings.claim_space, slot=slot, model=model, dimensions=dimensions)
            if graph.write("embeddings/claim_space", claim) == model:
                return Space(slot, model, dimensions)
        except AlreadyThere:
            continue  # someone else has just claimed a place for the same model
    raise Refused(f"another program takes the places for vectors just now. Try again: {model} has none yet.")


def _free(graph: Graph, spaces: Sequence[Space]) -> Slot:
    """A place that holds nothing, else one that no brain uses, emptied."""
    taken = {space.slot: space for space in spaces}
    for slot in Slot:
        if slot not in taken:
            return slot
    for space in spaces:
        if not space.used and not space.filled and release(graph, space):
            return space.slot
    listed = "; ".join(f"{space.model} for {', '.join({*space.used, *space.filled})}" for space in spaces)
    raise Refused(
        f"this database holds the vectors of two models already ({listed}), and has no place for a third. "
        "Use one of them, or keep the brain in another database."
    )


def release(graph: Graph, space: Space) -> bool:
    """Remove the vectors of a model that no brain uses, their index and its place; False if a brain does use it."""
    for brain in graph.read("brains/list_brains", brains.list_brains):
        clear(graph, brain, space.slot)
    if not graph.write("embeddings/delete_space", partial(embeddings.delete_space, model=space.model)):
        return False
    graph.write("embeddings/drop_index", partial(embeddings.drop_index, name=space.slot.index_name))
    return True


def clear(graph: Graph, brain: str, slot: Slot) -> None:
    """Remove a brain's vectors from one place, page by page."""
    for is_test in (False, True):
        after: str | None = ""
        while after is not None:
            page = partial(
                embeddings.clear_vectors, scope=Scope(brain, is_test=is_test), slot=slot, after=after, batch=CLEARED
            )
            after = graph.write("embeddings/clear_vectors", page)
