"""status and health: how things stand."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb, at_instant, test_only
from brainbridge.cli.output import Column, Grid, instant, span
from brainbridge.domain.tier import Tier

if TYPE_CHECKING:
    from brainbridge.inspection.health import Health
    from brainbridge.inspection.status import Status


@click.command("status", cls=Verb, help=COMMANDS["status"][1])
@test_only
@at_instant
@click.pass_obj
def status(context: Context, *, test_only: bool, at: datetime | None) -> None:
    with context.open_brain() as brain:
        found = brain.status(test=test_only, now=at)
    context.out.show("status/1", _status_json(found), *_status_blocks(found))


@click.command("health", cls=Verb, help=COMMANDS["health"][1])
@at_instant
@click.pass_obj
def health(context: Context, *, at: datetime | None) -> int:
    with context.open_brain() as brain:
        found = brain.health(now=at)
    context.out.show("health/1", _health_json(found), *_health_blocks(found))
    return 1 if found.level == "error" else 0


def _status_json(found: "Status") -> dict[str, Any]:
    return {
        "brain": found.scope.brain,
        "scope": found.scope.name,
        "now": found.now,
        "total": found.total,
        "tiers": {
            tier.value: {
                "count": count.memories,
                "meanEnergy": count.mean_energy,
                "maxEnergy": count.max_energy,
                "promotable": count.promotable,
                "expirable": count.expirable,
            }
            for tier, count in ((tier, found.tiers[tier]) for tier in Tier)
        },
        "archived": found.archived,
        "nextExpiry": found.next_expiry,
        "nextPromotion": found.next_promotion,
        "testCount": found.test_count,
    }


def _status_blocks(found: "Status") -> list[str | Grid]:
    columns = [
        Column("tier"),
        *(Column(title, "number") for title in ("memories", "mean energy", "highest", "to promote", "to expire")),
    ]
    rows = [
        (tier.value, count.memories, count.mean_energy, count.max_energy, count.promotable, count.expirable)
        for tier, count in ((tier, found.tiers[tier]) for tier in Tier)
    ]
    return [
        f"brain {found.scope.brain}, {found.scope.name} memories at {instant(found.now)}",
        Grid(columns, rows),
        f"total {found.total:,} · archived {found.archived:,} · test memories {found.test_count:,}",
        f"next expiry: {_due(found.next_expiry, found.now)} · next promotion: {_due(found.next_promotion, found.now)}",
    ]


def _due(at: datetime | None, now: datetime) -> str:
    if at is None:
        return "none in sight"
    return "with the next run" if at <= now else f"{instant(at)} (in {span(at - now)})"


def _health_json(found: "Health") -> dict[str, Any]:
    return {
        "brain": found.brain,
        "now": found.now,
        "level": found.level,
        "schemaVersion": found.schema_version,
        "configVersion": found.law.version if found.law else None,
        "lastRuns": found.last_runs,
        "errors": found.errors,
        "findings": [{"name": f.name, "level": f.level, "text": f.text} for f in found.findings],
    }


def _health_blocks(found: "Health") -> list[str | Grid]:
    findings = [(f.level, f.name, f.text) for f in found.findings]
    runs = [
        (operation, run.get("startedAt"), run.get("trigger"), run.get("outcome"), run.get("elapsedMs"))
        for operation, run in sorted(found.last_runs.items())
    ]
    titles = (Column("last run of"), Column("at"), Column("trigger"), Column("outcome"), Column("ms", "number"))
    return [
        f"brain {found.brain}: {found.level}, at {instant(found.now)}",
        Grid((Column("level"), Column("looked at"), Column("found")), findings),
        *([Grid(titles, runs)] if runs else []),
    ]
