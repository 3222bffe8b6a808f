"""Where events promote, what becomes of memories depends on their events alone; where runs promote, energies still do.

One time line of births, restatements, boosts and openings is lived through twice, with runs at different instants in
between: once by the real memories of a brain, once by its test memories.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from brainbridge.app import Brain
from brainbridge.domain.clock import hours_between
from brainbridge.domain.energy import DEFAULT_LAW, effective_energy
from brainbridge.domain.errors import NotFound
from brainbridge.domain.tier import PromotionBasis, Tier
from tests.support import T0, hours, kinds_of, query

EXACT = 1e-9
TEXTS = ("The lamp in the hall is broken", "Oat milk goes into the second cup", "Trains leave at noon from platform 9")
BIRTHS: dict[str, dict[str, Any]] = {
    "system": {"producer": "system"},
    "inference": {"producer": "inference"},
    "user": {},
    "learning": {"memory_type": "learning"},
    "reminder": {"memory_type": "reminder"},
    "crystallization": {"memory_type": "crystallization"},
    "core": {"core": True},
}


class Deed(NamedTuple):
    """What happens to one text, so many minutes after the deed before; `birth` counts if the text is new."""

    after: int
    what: str
    text: int
    birth: str


deeds = st.builds(
    Deed,
    st.one_of(st.integers(0, 45), st.integers(60, 4_000)),
    st.sampled_from(["say", "say", "boost", "boost", "open"]),
    st.integers(0, len(TEXTS) - 1),
    st.sampled_from(sorted(BIRTHS)),
)
lives = st.lists(deeds, min_size=1, max_size=9)
# Runs in minutes since the beginning; what lies behind the end of the time line comes at its end.
partitions = st.lists(st.integers(0, 6_000), max_size=4)
lived = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class Life:
    """One scope of a brain that lives through a time line."""

    def __init__(self, brain: Brain, *, test: bool, passes: Callable[..., Any]) -> None:
        self.brain = brain
        self.test = test
        self.passes = passes
        self.roots: dict[int, str] = {}

    def through(self, line: list[Deed], runs: list[int]) -> datetime:
        """Live through all deeds, with a run at each of these minutes and one at the end; when that was."""
        waiting, now = sorted(runs), T0
        for deed in line:
            then = now + timedelta(minutes=deed.after)
            while waiting and T0 + timedelta(minutes=waiting[0]) <= then:
                self.run(max(T0 + timedelta(minutes=waiting.pop(0)), now))
            now = then
            self.do(deed, now)
        self.run(now + hours(1))
        return now + hours(1)

    def run(self, now: datetime) -> None:
        report = self.passes(test=self.test, now=now)
        assert report.error is None

    def do(self, deed: Deed, now: datetime) -> None:
        text = TEXTS[deed.text]
        if deed.what == "say" or deed.text not in self.roots:
            done = self.brain.remember(text, at=now, test=self.test, **BIRTHS[deed.birth])
            self.roots.setdefault(deed.text, str(self.brain.find(done.id, test=self.test).root))
            return
        head = self.head(deed.text)["id"]
        if deed.what == "open":
            opened = self.brain.open(head, test=self.test, now=now)
            assert opened.memory.valid_to is None  # what is shown is what lives on
        else:
            try:
                _, boosted = self.brain.boost(head, test=self.test, now=now)
            except NotFound:
                assert self.head(deed.text)["tier"] == Tier.EXPIRED
            else:
                assert (boosted.id, boosted.tier) == (self.head(deed.text)["id"], self.head(deed.text)["tier"])

    def head(self, text: int) -> dict[str, Any]:
        """The memory that a text lives on in."""
        (row,) = query(
            self.brain.graph,
            "MATCH (m:Memory {root: $root}) WHERE m.validTo IS NULL RETURN properties(m) AS m",
            root=self.roots[text],
        )
        return dict(row["m"])

    def energies(self, end: datetime) -> list[float]:
        """What each text has at the end."""
        return [self.energy(self.head(text), end) for text in sorted(self.roots)]

    def pictures(self) -> Iterator[tuple[Any, ...]]:
        """What became of each text, but for ids and for what says when a run came by."""
        for text in sorted(self.roots):
            head = self.head(text)
            yield (
                [head.get(name) for name in ("tier", "accessCount", "reinforceCount", "lastOpened", "lastAccessed")],
                [step["tier"] for step in self.brain.lineage(head["id"], test=self.test)],
                kinds_of(self.brain, head["id"], test=self.test),
            )

    @staticmethod
    def energy(head: dict[str, Any], end: datetime) -> float:
        """The energy at the end; that of an expired memory carried on, because it stopped where a run marked it."""
        if head["tier"] != Tier.EXPIRED:
            return float(head["energy"])
        tier = Tier(head["expiredFrom"])
        return effective_energy(head["energy"], tier, hours_between(head["lastDecay"], end), law=DEFAULT_LAW)


def live_twice(brain: Brain, line: list[Deed], runs: tuple[list[int], list[int]], passes: Callable[..., Any]) -> None:
    """One time line with the one runs and with the others: the same comes of it, and the ledgers prove both."""
    scopes = [Life(brain, test=test, passes=passes) for test in (False, True)]
    ends = [life.through(line, partition) for life, partition in zip(scopes, runs, strict=True)]

    once, again = (life.energies(end) for life, end in zip(scopes, ends, strict=True))
    assert pytest.approx(once, rel=EXACT, abs=EXACT) == again
    assert list(scopes[0].pictures()) == list(scopes[1].pictures())
    assert [(), ()] == [brain.verify(test=test).wrong for test in (False, True)]


@given(line=lives, runs=st.tuples(partitions, partitions))
@example(line=[Deed(0, "say", 0, "crystallization")], runs=([15], []))  # above at birth, below an hour later
@example(line=[Deed(0, "say", 0, "learning"), Deed(500, "say", 0, "user")], runs=([400], []))  # faded, said again
@example(line=[Deed(0, "say", 0, "learning"), Deed(500, "boost", 0, "user")], runs=([400], []))  # faded, boosted
@example(
    line=[Deed(0, "say", 0, "user"), *[Deed(1, "boost", 0, "user")] * 3, Deed(2000, "open", 0, "user")], runs=([], [1])
)
@lived
def test_where_events_promote_no_run_decides_anything(
    make_brain: Callable[..., Brain], line: list[Deed], runs: tuple[list[int], list[int]]
) -> None:
    """Any two partitions of one time line into runs leave the same tiers, energies, counts and lineages (model §6)."""
    brain = make_brain()
    brain.set_law(T0, promotion_basis=PromotionBasis.EVENT)

    live_twice(brain, line, runs, brain.consolidate)


@given(line=lives, runs=st.tuples(partitions, partitions))
@settings(lived, max_examples=12)
def test_where_runs_promote_energies_compose_all_the_same(
    make_brain: Callable[..., Brain], line: list[Deed], runs: tuple[list[int], list[int]]
) -> None:
    """With decay passes alone in between, the same energies to 1e-9, however often (R-004-16, R-004-17)."""
    brain = make_brain()

    live_twice(brain, line, runs, brain.decay)
