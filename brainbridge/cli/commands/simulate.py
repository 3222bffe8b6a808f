"""simulate: what the constants mean, without waiting for it."""

from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Number, Verb
from brainbridge.cli.output import Column, Grid

if TYPE_CHECKING:
    from brainbridge.domain.energy import Law
    from brainbridge.domain.survival import Survival


@click.command("simulate", cls=Verb, help=COMMANDS["simulate"][1])
@click.option("--run-every", type=Number(0.001), metavar="MIN", help="Minutes between two runs, if not the schedule's.")
@click.pass_obj
def simulate(context: Context, *, run_every: float | None) -> None:
    from brainbridge.domain.survival import survival_table

    minutes = run_every if run_every is not None else context.settings.daemon.interval_minutes
    law, source = _law(context)
    rows = list(survival_table(law, minutes / 60))
    data = {"law": source, "runEveryMinutes": minutes, "kinds": [_described(row) for row in rows]}
    heading = f"untouched, a run every {minutes:g} min, by {source}"
    context.out.show("simulate/1", data, heading, _grid(rows))


def _law(context: Context) -> tuple["Law", str]:
    """The brain's constants if its database answers as it is; a server is not started for a preview."""
    from brainbridge.app import connect
    from brainbridge.domain.energy import DEFAULT_LAW
    from brainbridge.domain.errors import DatabaseUnreachable

    name = context.brain or context.settings.brain
    if name is None:
        return DEFAULT_LAW, "the default constants (no brain is named)"
    try:
        with connect(name, settings=context.settings, start=False) as brain:
            version = brain.law()
    except DatabaseUnreachable:
        return DEFAULT_LAW, "the default constants (no database answers)"
    return version.law, f"the constants of brain {name}, version {version.version}"


def _described(row: "Survival") -> dict[str, Any]:
    return {
        "kind": row.kind,
        "birth": row.birth,
        "tier": row.tier,
        "promotedAtHours": list(row.promoted_at),
        "finalTier": row.final_tier,
        "expiresAtHours": row.expires_at,
    }


def _grid(rows: "list[Survival]") -> Grid:
    columns = (
        Column("kind"),
        Column("energy at birth", "number"),
        Column("tier"),
        Column("promoted after"),
        Column("ends in"),
        Column("expires after", "number"),
    )
    shown = [
        (
            row.kind,
            row.birth,
            row.tier.value,
            ", ".join(map(_hours, row.promoted_at)) or "–",
            row.final_tier.value,
            "never" if row.expires_at is None else _hours(row.expires_at),
        )
        for row in rows
    ]
    return Grid(columns, shown)


def _hours(hours: float) -> str:
    if hours < 2:
        return f"{hours * 60:.0f} min"
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} d"
