"""The constants of the law as they stand in a ConsolidationConfig node, and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from neo4j import Transaction

from brainbridge.domain.energy import DEFAULT_LAW, Law
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.naming import camel
from brainbridge.domain.replay import Laws
from brainbridge.domain.tier import PromotionBasis
from brainbridge.graph.connection import Graph
from brainbridge.graph.statements import config


@dataclass(frozen=True, slots=True)
class LawVersion:
    """One version of a brain's constants."""

    law: Law
    version: int
    valid_from: datetime | None
    valid_to: datetime | None = None


def properties_of_law(law: Law) -> dict[str, float | str]:
    """Every constant under its property name: numbers, and the one word as plain text."""
    return {camel(name): _plain(getattr(law, name)) for name in Law.names()}


def _plain(value: float | PromotionBasis) -> float | str:
    return value.value if isinstance(value, PromotionBasis) else float(value)


def law_version(properties: Mapping[str, Any]) -> LawVersion:
    """A ConsolidationConfig node's properties as a checked law."""
    law = Law(**{name: properties[camel(name)] for name in Law.names() if camel(name) in properties})
    return LawVersion(law, properties["version"], properties.get("validFrom"), properties.get("validTo"))


def through_time(versions: Sequence[LawVersion]) -> Laws:
    """All versions of a brain's constants, at least one, each in force from its validFrom on."""
    ordered = sorted(versions, key=lambda version: version.version)
    always = datetime.min.replace(tzinfo=UTC)
    return Laws(tuple((version.valid_from or always, version.law) for version in ordered))


def ensure(graph: Graph, brain: str, now: datetime) -> None:
    """Give a registered brain its first constants, or those that an older brainbridge did not know."""
    constants = properties_of_law(DEFAULT_LAW)
    graph.write("config/ensure_config", partial(config.ensure_config, brain=brain, now=now, constants=constants))


def in_force(tx: Transaction, brain: str) -> LawVersion:
    """The version in force, as this transaction sees it. Raises as `current`."""
    return current(config.read_config(tx, brain=brain), brain)


def in_force_now(tx: Transaction, brain: str) -> tuple[LawVersion, datetime]:
    """As `in_force`, with the instant by the server's clock."""
    configs, now = config.read_law(tx, brain=brain)
    return current(configs, brain), now


def current(configs: list[dict[str, Any]], brain: str) -> LawVersion:
    """The one version in force.

    Raises:
        BrainbridgeError: there is none, or a hand edit left several; the passes would not know which to read.
    """
    if not configs:
        raise BrainbridgeError(f"brain {brain!r} has no ConsolidationConfig. Run: brainbridge --brain={brain} init")
    if len(configs) > 1:
        versions = ", ".join(sorted(str(config.get("version")) for config in configs))
        raise BrainbridgeError(
            f"brain {brain!r} has {len(configs)} current ConsolidationConfig nodes (versions {versions}). "
            "Set validTo on all but one in Neo4j Browser."
        )
    missing = [camel(name) for name in Law.names() if camel(name) not in configs[0]]
    if missing:
        raise BrainbridgeError(
            f"the ConsolidationConfig of brain {brain!r} lacks {', '.join(missing)}. "
            f"Run: brainbridge --brain={brain} init"
        )
    return law_version(configs[0])
