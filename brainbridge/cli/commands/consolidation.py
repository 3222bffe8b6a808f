"""consolidate, decay, promote, expire: one run, or one of its passes."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Number, Verb, at_instant, test_only
from brainbridge.cli.output import complain, instant

if TYPE_CHECKING:
    from brainbridge.consolidation.report import RunReport

# What --wait alone waits: longer than a run over a million memories takes (31 s measured), shorter than the schedule.
PATIENCE = 600.0  # seconds


def _verb(operation: str) -> click.Command:
    """The command for one operation; the four differ in nothing but the operation."""

    @click.command(operation, cls=Verb, help=COMMANDS[operation][1])
    @test_only
    @click.option("--dry-run", is_flag=True, help="Only say what would change.")
    @click.option(
        "--wait",
        type=Number(),
        is_flag=False,
        flag_value=PATIENCE,
        default=0.0,
        metavar="[SECONDS]",
        help=f"Wait for another run to finish, {PATIENCE:.0f} s if no number is given.",
    )
    @at_instant
    @click.option("--trigger", default="manual", hidden=True)
    @click.pass_obj
    def command(
        context: Context, *, test_only: bool, dry_run: bool, wait: float, at: datetime | None, trigger: str
    ) -> int:
        with context.open_brain(logs=True) as brain:
            report = brain.run(operation, test=test_only, dry_run=dry_run, wait_seconds=wait, now=at, trigger=trigger)
        context.out.show(f"{operation}/1", _report(report), *_lines(report))
        if report.outcome == "failed":
            complain(f"{operation} failed: {report.error}. What was committed stays; run it again to complete it.")
            return 1
        return 0

    return command


def _report(report: "RunReport") -> dict[str, Any]:
    from brainbridge.consolidation.report import COUNT_NAMES

    return {
        "runId": None if report.dry_run else report.run_id,  # a dry run leaves no ConsolidationRun to look up
        "brain": report.scope.brain,
        "scope": report.scope.name,
        "trigger": report.trigger,
        "now": report.now,
        "outcome": report.outcome,
        "dryRun": report.dry_run,
        "elapsedMs": report.elapsed_ms,
        "error": report.error,
        "passes": [
            {
                "name": done.name,
                "changed": done.changed,
                "elapsedMs": done.elapsed_ms,
                "outcome": done.outcome,
            }
            for done in report.passes
        ],
        **{word: report.changed(name) for name, word in COUNT_NAMES.items()},
    }


def _lines(report: "RunReport") -> list[str]:
    from brainbridge.consolidation.report import COUNT_NAMES

    would = "would be " if report.dry_run else ""
    lines = []
    for done in report.passes:
        counted = f"{done.changed:>8,} {would}{COUNT_NAMES[done.name]}"
        what = counted if done.outcome in ("ok", "preview") else f"{done.outcome:>8}"
        lines.append(f"{done.name:<8}{what}" + ("" if report.dry_run else f"  ({done.elapsed_ms:,.0f} ms)"))
    counts = [f"{done.changed:,} {would}{COUNT_NAMES[done.name]}" for done in report.passes if done.changed]
    head = f"{report.operation}{' (dry run)' if report.dry_run else ''}: {report.outcome}"
    where = f"brain {report.scope.brain} ({report.scope.name}) at {instant(report.now)}"
    return [*lines, f"{head}, {where}: {', '.join(counts) or 'nothing due'}"]


consolidate = _verb("consolidate")
decay = _verb("decay")
promote = _verb("promote")
expire = _verb("expire")
