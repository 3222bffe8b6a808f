"""What /metrics says, in the words of Prometheus: names, units and labels. No text of a memory, no secret.

The numbers are read from the graph at most once in a while: see `Readings`. A scrape in between costs no statement.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from brainbridge import __version__
from brainbridge.connection import Connection
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.tier import Tier
from brainbridge.inspection.measures import Measures
from brainbridge.logs import get_logger

# A reading is kept for SHARE times what it took, within these bounds: up to 0.6 s, at most a hundredth of the server's
# time goes there.
LEAST_KEPT, MOST_KEPT = 10.0, 60.0  # seconds
SHARE = 100

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from the graph. `measures` is None while it cannot be had."""

    measures: Measures | None
    interval_seconds: float | None
    seconds: float  # that it took


class Readings:
    """The graph's numbers, read when they are asked for and kept for a while. Thread-safe.

    Args:
        clock: seconds, monotonic.
    """

    def __init__(self, connection: Connection, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._connection = connection
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: tuple[float, Reading] | None = None  # until when, and what

    def current(self) -> Reading:
        """The last reading if it is fresh enough, else a new one. One thread reads, others wait for it."""
        with self._lock:
            now = self._clock()
            if self._kept is None or self._kept[0] <= now:
                reading = self._read(now)
                # A database that is away is looked for again soon, however long it took to find out.
                share = SHARE * reading.seconds if reading.measures else LEAST_KEPT
                self._kept = (self._clock() + min(max(share, LEAST_KEPT), MOST_KEPT), reading)
            return self._kept[1]

    def _read(self, began: float) -> Reading:
        try:
            with self._connection.brain() as brain:
                interval = brain.settings.daemon.interval_minutes * 60
                return Reading(brain.measures(), interval, self._clock() - began)
        except BrainbridgeError as error:
            log.warning("metrics.unread", brain=self._connection.name, error=str(error))
            return Reading(None, None, self._clock() - began)


def registry(connection: Connection, readings: Readings | None = None) -> CollectorRegistry:
    """A registry of this brain alone, apart from the process-wide one."""
    made = CollectorRegistry(auto_describe=False)
    made.register(_Brain(connection.name, readings or Readings(connection)))
    return made


class _Brain(Collector):
    def __init__(self, name: str, readings: Readings) -> None:
        self._name = name
        self._readings = readings

    def collect(self) -> Iterator[Metric]:
        reading = self._readings.current()
        yield InfoMetricFamily("brainbridge_build", "The running program.", {"version": __version__})
        yield self._gauge("database_up", "Whether the last look at the database was answered.", _one(reading.measures))
        yield self._gauge("read_seconds", "How long that look took.", reading.seconds)
        if reading.interval_seconds is not None:
            yield self._gauge(
                "consolidation_interval_seconds", "How often the daemon consolidates.", reading.interval_seconds
            )
        if reading.measures is not None:
            yield from self._standing(reading.measures)
            yield from self._totals(reading.measures)
            yield from self._last(reading.measures)

    def _standing(self, found: Measures) -> Iterator[Metric]:
        tiers = GaugeMetricFamily("brainbridge_memories", "Real memories by tier.", labels=("brain", "tier"))
        for tier in Tier:
            tiers.add_metric((self._name, tier.value), found.memories.get(tier.value, 0))
        yield tiers
        archived = found.memories.get("archived", 0)
        yield self._gauge("archived_memories", "What promotions and forgetting left behind.", archived)
        yield self._gauge("misses_open", "Questions without a strong answer so far.", found.open_misses)

    def _totals(self, found: Measures) -> Iterator[Metric]:
        counted = CounterMetricFamily(
            "brainbridge_runs", "Runs on record, by their outcome.", labels=("brain", "operation", "outcome")
        )
        for run in found.runs:
            counted.add_metric((self._name, run.operation, run.outcome), run.runs)
        yield counted
        for name, help_, total in (
            ("promoted", "Memories that runs promoted.", sum(run.promoted for run in found.runs)),
            ("expired", "Memories that runs marked as expired.", sum(run.expired for run in found.runs)),
        ):
            family = CounterMetricFamily(f"brainbridge_{name}", help_, labels=("brain",))
            family.add_metric((self._name,), total)
            yield family

    def _last(self, found: Measures) -> Iterator[Metric]:
        labels = ("brain", "operation")
        at = GaugeMetricFamily("brainbridge_last_run_timestamp_seconds", "When the last run began.", labels=labels)
        took = GaugeMetricFamily("brainbridge_run_duration_seconds", "How long the last run took.", labels=labels)
        failed = GaugeMetricFamily("brainbridge_last_run_failed", "Whether the last run failed.", labels=labels)
        for run in found.last_runs:
            at.add_metric((self._name, run.operation), run.started.timestamp())
            took.add_metric((self._name, run.operation), run.seconds)
            failed.add_metric((self._name, run.operation), float(not run.ok))
        yield from (at, took, failed)
        if found.last_success is not None:
            yield self._gauge(
                "last_success_timestamp_seconds",
                "When the last consolidation began that did not fail.",
                found.last_success.timestamp(),
            )

    def _gauge(self, name: str, help_: str, value: float) -> GaugeMetricFamily:
        family = GaugeMetricFamily(f"brainbridge_{name}", help_, labels=("brain",))
        family.add_metric((self._name,), value)
        return family


def _one(measures: Measures | None) -> float:
    return 0.0 if measures is None else 1.0
