"""A deterministic embedder without a model, for tests: texts that share words lie near each other."""

import math
import struct
from collections.abc import Sequence
from hashlib import shake_128

from brainbridge.recall.embedders import TEMPLATE
from brainbridge.recall.query import words_of


class Fake:
    """Sums of one pseudo-random direction for each word.

    Args:
        dimensions: the length of its vectors.
        version: part of the key; another one is another model, with other directions.
    """

    def __init__(self, dimensions: int = 64, version: str = "1") -> None:
        self.dimensions = dimensions
        self.model_key = f"fake-{version}/{dimensions}/{TEMPLATE}"

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a text."""
        directions = [self._direction(word) for word in sorted(words_of(text) or {text})]
        total = [sum(column) for column in zip(*directions, strict=True)]
        length = math.sqrt(sum(value * value for value in total)) or 1.0
        return [value / length for value in total]

    def _direction(self, word: str) -> list[float]:
        raw = shake_128(f"{self.model_key}:{word}".encode("utf-8", "replace")).digest(2 * self.dimensions)
        return [value / 32_768 for value in struct.unpack(f">{self.dimensions}h", raw)]
