"""The constants of the law live in the graph: the passes read them there, a change is a new version."""

import math

import pytest

from brainbridge.app import Brain, initialise
from brainbridge.domain.energy import DEFAULT_LAW
from brainbridge.domain.errors import BrainbridgeError, InvalidValue
from tests.support import T0, hours, query


def test_a_new_brain_has_the_documents_constants(brain: Brain) -> None:
    """λ 0.5, 0.05, 0.001; thresholds 2.0, 5.0, 0.1; births 3.0, 2.5, 2.0 (R-004-14, -18, -19, -20, -34)."""
    (row,) = query(
        brain.graph,
        "MATCH (c:ConsolidationConfig {brain: $b}) RETURN properties(c) AS c",
        b=brain.name,
    )

    assert DEFAULT_LAW == brain.law().law
    assert (0.5, 0.05, 0.001, 2.0, 5.0, 0.1, 3.0, 2.5, 2.0) == tuple(
        row["c"][name]
        for name in (
            "lambdaWorking",
            "lambdaShortTerm",
            "lambdaLongTerm",
            "thresholdWorking",
            "thresholdShortTerm",
            "expiryThreshold",
            "birthCrystallization",
            "birthReminder",
            "birthLearning",
        )
    )


def test_a_change_closes_the_old_version_and_opens_the_next(brain: Brain) -> None:
    """The closed version keeps its values and gets validTo; one is current (R-004-34)."""
    brain.set_law(lambda_working=0.25)

    new, old = brain.law_history()
    assert (2, 0.25, None) == (new.version, new.law.lambda_working, new.valid_to)
    assert (1, 0.5, new.valid_from) == (old.version, old.law.lambda_working, old.valid_to)


def test_the_passes_go_by_the_version_in_force(brain: Brain) -> None:
    """Decay, expiry, promotion and the boost read λ, thresholds and amounts from the node, not from Python."""
    brain.set_law(
        lambda_working=1.0, threshold_working=1.0, expiry_threshold=0.2, long_term_floor=0.2, boost_amount=0.5
    )
    strong = brain.create_test_memory("strong", 2.8, "working", now=T0)
    brain.create_test_memory("faint", 0.5, "working", now=T0)

    brain.boost(strong.id, test=True, now=T0)
    brain.consolidate(test=True, now=T0 + hours(1))

    assert [
        ("strong", "shortTerm", pytest.approx(3.3 * math.exp(-1), abs=1e-9)),
        ("faint", "expired", pytest.approx(0.5 * math.exp(-1), abs=1e-9)),
    ] == [(m.content, m.tier, m.energy) for m in brain.list_test_memories()]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"lambda_woking": 0.5}, "'lambda_woking' is not a constant"),
        ({"lambda_working": -1.0}, "at least 0"),
        ({"lambda_working": 0.0}, "nothing would ever fade"),
        ({"lambda_working": math.nan}, "lambdaWorking cannot be nan"),
        ({"threshold_working": 6.0}, "thresholdWorking 6.0 is not below thresholdShortTerm 5.0"),
        ({"expiry_threshold": 0.5}, "longTermFloor 0.1 lies below expiryThreshold 0.5"),
    ],
)
def test_a_law_that_contradicts_itself_is_refused_whole(brain: Brain, changes: dict[str, float], said: str) -> None:
    """The refusal names the constant and the value; no version is written."""
    with pytest.raises(InvalidValue, match=said):
        brain.set_law(**changes)

    assert [1] == [version.version for version in brain.law_history()]


def test_a_change_to_the_same_values_makes_no_version(brain: Brain) -> None:
    """Setting what is set changes nothing."""
    brain.set_law(lambda_working=0.5)

    assert [1] == [version.version for version in brain.law_history()]


def test_init_completes_a_current_version_that_lacks_constants(brain: Brain) -> None:
    """A node made by hand with some constants keeps them and gets the defaults of the others."""
    query(
        brain.graph,
        "MATCH (c:ConsolidationConfig {brain: $b}) SET c.lambdaWorking = 0.7 REMOVE c.boostAmount",
        b=brain.name,
    )
    with pytest.raises(BrainbridgeError, match="lacks boostAmount"):
        brain.law()

    initialise(brain.graph, brain.name)

    assert (0.7, 1.0) == (brain.law().law.lambda_working, brain.law().law.boost_amount)


def test_two_current_versions_stop_every_run(brain: Brain) -> None:
    """A hand edit that leaves two is named; nothing decays twice."""
    query(brain.graph, "CREATE (:ConsolidationConfig {brain: $b, version: 7})", b=brain.name)

    with pytest.raises(BrainbridgeError, match=r"2 current ConsolidationConfig nodes \(versions 1, 7\)"):
        brain.consolidate(now=T0)
    assert "error" == brain.health().level
