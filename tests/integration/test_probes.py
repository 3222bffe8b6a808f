"""/healthz, /readyz and /metrics: of a real process, and of the readings behind them."""

import http.client
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pytest
from prometheus_client import REGISTRY
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families
from starlette.requests import Request

from brainbridge.app import Brain
from brainbridge.connection import Connection
from brainbridge.domain.errors import BrainbridgeError, DatabaseUnreachable, Refused, SchemaTooNew, UnknownBrain
from brainbridge.graph.connection import Address
from brainbridge.inspection.measures import Measures
from brainbridge.web.metrics import LEAST_KEPT, MOST_KEPT, Readings, registry
from brainbridge.web.probes import probe_routes
from tests.daemon_support import environment
from tests.mcp_support import SCRIPT
from tests.support import SECRET, free_port

Ask = Callable[..., tuple[int, Mapping[str, str], str]]


@contextmanager
def served(brain: str, env: Mapping[str, str]) -> Iterator[Ask]:
    """`brainbridge dashboard` as a process of its own; asks it for a path, without a session."""
    process = subprocess.Popen(
        [SCRIPT, "dashboard", "--no-open", "--port=0", f"--brain={brain}"],
        env=dict(env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url, process.communicate()[1]
        place = urlsplit(url).netloc

        def ask(path: str, **headers: str) -> tuple[int, Mapping[str, str], str]:
            connection = http.client.HTTPConnection(place, timeout=30)
            try:
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                return answer.status, dict(answer.getheaders()), answer.read().decode("utf-8")
            finally:
                connection.close()

        yield ask
    finally:
        process.kill()
        process.communicate()


def samples(text: str) -> dict[tuple[str, tuple[str, ...]], float]:
    """Every sample of a scrape by its name and the values of its labels but `brain`."""
    return {
        (sample.name, tuple(value for label, value in sorted(sample.labels.items()) if label != "brain")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_process_tells_how_it_stands(brain: Brain, neo4j_address: Address, tmp_path: Path) -> None:
    """Without a session: alive, ready, and numbers that Prometheus reads; no text of a memory is in them."""
    brain.remember("the vault of the bank opens at nine", memory_type="crystallization")
    brain.remember("a token " + SECRET, producer="inference", allow_secret=True)
    brain.recall("what nobody ever wrote down")
    brain.consolidate()
    with served(brain.name, environment(tmp_path, neo4j_address)) as ask:
        health, ready, (status, headers, text) = ask("/healthz"), ask("/readyz"), ask("/metrics")
        page, foreign = ask("/"), ask("/metrics", Host="evil.example")

    assert [(200, "ok\n"), (200, "ok\n")] == [(code, said) for code, _, said in (health, ready)]
    assert (200, "text/plain; version=0.0.4; charset=utf-8") == (status, headers["content-type"])
    found = samples(text)
    assert (1.0, 1.0) == (found["brainbridge_database_up", ()], found["brainbridge_misses_open", ()])
    assert (1.0, 1.0, 0.0) == tuple(
        found["brainbridge_memories", (tier,)] for tier in ("working", "shortTerm", "longTerm")
    )
    assert (1.0, 1.0) == (found["brainbridge_archived_memories", ()], found["brainbridge_promoted_total", ()])
    assert 1.0 == found["brainbridge_runs_total", ("consolidate", "ok")]
    assert 0.0 == found["brainbridge_last_run_failed", ("consolidate",)]
    began = found["brainbridge_last_run_timestamp_seconds", ("consolidate",)]
    assert began == found["brainbridge_last_success_timestamp_seconds", ()]
    assert abs(brain.graph.now().timestamp() - began) < 120
    assert 900.0 == found["brainbridge_consolidation_interval_seconds", ()]
    for told in ("vault", "token", SECRET, "nobody", neo4j_address.uri, neo4j_address.password):
        assert told not in text
    assert (401, 400) == (page[0], foreign[0])


def test_a_process_without_its_database_is_alive_and_not_ready(tmp_path: Path) -> None:
    """/readyz says why in words that name no address; a scrape still answers, and says that the database is away."""
    nowhere = Address(f"bolt://127.0.0.1:{free_port()}", "neo4j", "")
    with served("milo", environment(tmp_path, nowhere)) as ask:
        health, ready, metrics = ask("/healthz"), ask("/readyz"), ask("/metrics")

    assert (200, 200) == (health[0], metrics[0])
    assert (503, "not ready: the database does not answer\n") == (ready[0], ready[2])
    found = samples(metrics[2])
    assert 0.0 == found["brainbridge_database_up", ()]
    assert [] == [name for name, _ in found if name == "brainbridge_memories"]


def asked(connection: Connection, path: str, accept: str = "") -> tuple[int, str]:
    """The answer of a probe in this process."""
    (route,) = [route for route in probe_routes(connection) if route.path == path]
    headers = [(b"accept", accept.encode())]
    answer = route.endpoint(Request({"type": "http", "method": "GET", "path": path, "headers": headers}))
    return answer.status_code, bytes(answer.body).decode("utf-8")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DatabaseUnreachable, "does not answer"),
        (UnknownBrain, "not registered"),
        (SchemaTooNew, "newer"),
        (Refused, "older"),
        (BrainbridgeError, "cannot be opened"),
    ],
)
def test_readiness_names_the_reason_and_nothing_else(error: type[BrainbridgeError], said: str) -> None:
    """What the error itself says, an address say, is not for whoever asks."""

    def fail() -> Brain:
        raise error("bolt://secret.example:7687 refused user neo4j")

    status, text = asked(Connection("milo", fail), "/readyz")

    assert 503 == status
    assert said in text
    assert "secret" not in text


def test_scrapes_may_come_in_openmetrics(brain: Brain) -> None:
    """By the Accept that Prometheus sends; the same samples."""
    connection = Connection(brain.name, lambda: brain)
    accept = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"

    families = {family.name for family in openmetrics(asked(connection, "/metrics", accept)[1])}

    assert {family.name for family in text_string_to_metric_families(asked(connection, "/metrics")[1])} - families == {
        "brainbridge_build_info"
    }


class Costly:
    """A brain whose readings take a time, on a clock of its own."""

    def __init__(self, brain: Brain, cost: float) -> None:
        self.settings = brain.settings
        self.now = 0.0
        self.readings = 0
        self._brain = brain
        self._cost = cost

    def measures(self) -> Measures:
        self.now += self._cost
        self.readings += 1
        return self._brain.measures()


@pytest.mark.parametrize(("cost", "kept"), [(0.001, LEAST_KEPT), (0.2, 20.0), (5.0, MOST_KEPT)])
def test_scrapes_in_between_cost_no_statement(brain: Brain, cost: float, kept: float) -> None:
    """A reading is kept for a hundred times what it took, but no less than 10 and no more than 60 s."""
    costly = Costly(brain, cost)
    readings = Readings(Connection(brain.name, lambda: cast(Brain, costly)), clock=lambda: costly.now)
    readings.current()
    costly.now += kept - 0.01
    readings.current()
    before = costly.readings
    costly.now += 0.02
    readings.current()

    assert (1, 2) == (before, costly.readings)


def test_the_registry_is_our_own(brain: Brain) -> None:
    """Nothing is put into the process-wide one, and nothing of it comes out of ours."""
    before = set(REGISTRY._names_to_collectors)
    names = {family.name for family in registry(Connection(brain.name, lambda: brain)).collect()}

    assert before == set(REGISTRY._names_to_collectors)
    assert all(name.startswith("brainbridge_") for name in names)
