"""misses, shadow, report, learning: what a brain has learned from its use."""

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Branch, Number, Verb, at_instant, test_only
from brainbridge.cli.output import Column, Grid, instant, write
from brainbridge.domain.errors import Refused
from brainbridge.web import DRAWING, require

if TYPE_CHECKING:
    from brainbridge.graph.statements.learning import Miss
    from brainbridge.learning.report import Report
    from brainbridge.learning.shadow import Scoreboard

MOST_LISTED = 100_000


@click.command("misses", cls=Verb, help=f"{COMMANDS['misses'][1]} The most asked first.")
@click.option("--limit", type=click.IntRange(1, MOST_LISTED), default=20, show_default=True, help="How many at most.")
@click.option("--all", "resolved", is_flag=True, help="Also those that have been answered since.")
@test_only
@click.pass_obj
def misses(context: Context, *, limit: int, resolved: bool, test_only: bool) -> None:
    with context.open_brain() as brain:
        found = brain.misses(resolved=resolved, limit=limit, test=test_only)
    context.out.show(
        "misses/1", {"misses": [_miss_json(miss) for miss in found]}, *_miss_blocks(found, resolved=resolved)
    )


def _miss_json(miss: "Miss") -> dict[str, Any]:
    return {
        "query": miss.query,
        "count": miss.count,
        "firstAsked": miss.first_asked,
        "lastAsked": miss.last_asked,
        "resolvedAt": miss.resolved_at,
        "bestCover": miss.best_cover,
        "bestLexicalRank": miss.best_lexical_rank,
        "bestSemanticRank": miss.best_semantic_rank,
    }


def _miss_blocks(found: "list[Miss]", *, resolved: bool) -> list[str | Grid]:
    if not found:
        kind = "question" if resolved else "open question"
        return [f"no {kind}: every one that was asked had a strong answer, or none was asked"]
    columns = (
        Column("asked", "number"),
        Column("question", "text"),
        Column("last asked"),
        Column("cover", "number"),
        Column("answered"),
    )
    rows = [
        (miss.count, miss.query, miss.last_asked, miss.best_cover, instant(miss.resolved_at) or "no") for miss in found
    ]
    return [Grid(columns, rows)]


@click.command("shadow", cls=Verb, help=f"{COMMANDS['shadow'][1]} Nothing promotes itself.")
@click.option("--days", type=Number(), metavar="DAYS", help="Only pages of the last so many days.")
@click.option("--candidate", metavar="NAME", help="Which candidate. [default: co-activation]")
@test_only
@at_instant
@click.pass_obj
def shadow(
    context: Context, *, days: float | None, candidate: str | None, test_only: bool, at: datetime | None
) -> None:
    with context.open_brain() as brain:
        options = {} if candidate is None else {"candidate": candidate}
        found = brain.shadow(days=days, test=test_only, now=at, **options)
    context.out.show("shadow/1", _shadow_json(found), *_shadow_lines(found))


def _shadow_json(found: "Scoreboard") -> dict[str, Any]:
    from brainbridge.domain.comparison import FAVOURS_LIVE

    result = found.comparison
    return {
        "candidate": found.candidate,
        "since": found.since,
        "pages": result.pages,
        "decided": result.decided,
        "mrrLive": result.mrr_live,
        "mrrCandidate": result.mrr_candidate,
        "wins": result.wins,
        "losses": result.losses,
        "ties": result.ties,
        "pValue": result.p_value,
        "verdict": result.verdict,
        "note": FAVOURS_LIVE,
    }


def _shadow_lines(found: "Scoreboard") -> list[str]:
    from brainbridge.domain.comparison import FAVOURS_LIVE

    result = found.comparison
    since = f" since {instant(found.since)}" if found.since else ""
    lines = [f"{found.candidate}{since}: {result.pages:,} pages that it orders otherwise and something was opened from"]
    if result.mrr_live is not None and result.mrr_candidate is not None:
        mrr = f"live {result.mrr_live:.3f}, candidate {result.mrr_candidate:.3f}"
        lines += [
            f"mean reciprocal rank of what was opened: {mrr}",
            f"candidate better on {result.wins:,} pages, worse on {result.losses:,}, the same on {result.ties:,}",
        ]
    return [*lines, result.sentence, FAVOURS_LIVE]


@click.command("report", cls=Verb, help=COMMANDS["report"][1])
@click.option(
    "--period",
    type=click.Choice(["day", "week", "month", "all"]),
    default="week",
    show_default=True,
    help="The last 24 hours, 7 days or 30 days, or all that is kept.",
)
@click.option("--html", metavar="FILE", help="Draw it as one HTML file that needs nothing else; - is standard output.")
@click.option("--force", is_flag=True, help="Replace FILE although it is no earlier report.")
@test_only
@at_instant
@click.pass_obj
def report(
    context: Context, *, period: str, html: str | None, force: bool, test_only: bool, at: datetime | None
) -> None:
    if html is not None:
        _draw_report(context, period, html, force=force, test_only=test_only, at=at)
        return
    with context.open_brain() as brain:
        found = brain.report(period, test=test_only, now=at)
    context.out.show("report/1", _report_json(found), *_report_blocks(found))


def _draw_report(
    context: Context, period: str, file: str, *, force: bool, test_only: bool, at: datetime | None
) -> None:
    require(*DRAWING)
    from brainbridge.web.report import refuse_foreign_file, report_html, write_report

    to_file = file != "-"
    if to_file and not force:
        refuse_foreign_file(Path(file))
    with context.open_brain() as brain:
        made = report_html(brain, period, test=test_only, now=at)
    if not to_file:
        write(sys.stdout, made)
        return
    write_report(Path(file), made)
    context.out.show("report-html/1", {"period": period, "file": file}, f"wrote {file}")


def _report_json(found: "Report") -> dict[str, Any]:
    return {
        "period": found.period,
        "since": found.since,
        "now": found.now,
        **found.counts,
        "recalled": found.recalled,
        "misses": found.misses,
        "topRecalled": [{"id": top.id, "content": top.content, "pages": top.pages} for top in found.top_recalled],
        "unanswered": found.unanswered,
        "unansweredQueries": [{"query": miss.query, "count": miss.count} for miss in found.unanswered_queries],
    }


def _report_blocks(found: "Report") -> list[str | Grid]:
    since = instant(found.since) if found.since else "the oldest record"
    counts = [*found.counts.items(), ("recalled", found.recalled), ("recalled without a strong answer", found.misses)]
    blocks: list[str | Grid] = [
        f"from {since} to {instant(found.now)}",
        Grid((Column("what"), Column("how often", "number")), counts),
    ]
    if found.top_recalled:
        rows = [(top.pages, top.content, top.id) for top in found.top_recalled]
        blocks += ["", Grid((Column("pages", "number"), Column("recalled most", "text"), Column("id")), rows)]
    blocks += ["", f"unanswered queries: {found.unanswered:,}"]
    if found.unanswered_queries:
        queries = [(miss.count, miss.query) for miss in found.unanswered_queries]
        blocks.append(Grid((Column("asked", "number"), Column("question", "text")), queries))
    return blocks


@click.group("learning", cls=Branch, help=COMMANDS["learning"][1])
def learning() -> None: ...


@learning.command("rebuild", cls=Verb)
@test_only
@click.pass_obj
def rebuild(context: Context, *, test_only: bool) -> None:
    """Count again what is recalled together.

    The bonds are replaced by what the openings in the ledger say.
    """
    with context.open_brain() as brain:
        done = brain.rebuild_co_recalled(test=test_only)
    data = {"openings": done.openings, "before": done.before, "after": done.after}
    line = f"{done.openings:,} openings looked at: {done.before:,} pairs before, {done.after:,} now"
    context.out.show("learning-rebuild/1", data, line)


@learning.command("prune", cls=Verb)
@test_only
@at_instant
@click.pass_obj
def prune(context: Context, *, test_only: bool, at: datetime | None) -> None:
    """Delete what is kept no longer.

    That is recalls, misses and events older than learning.event_retention_days. The daemon does it too.
    """
    from brainbridge.settings import LEAST_RETENTION_DAYS

    with context.open_brain() as brain:
        if at is not None and not test_only and at > brain.graph.now():
            raise Refused(f"at {instant(at)} records would go that are to be kept until then. Leave --at out.")
        asked = brain.settings.learning
        if asked.retention_was_raised:
            least = f"records are kept for {LEAST_RETENTION_DAYS} days at least."
            context.out.say(f"learning.event_retention_days is {asked.event_retention_days}; {least}")
        done = brain.prune(test=test_only, now=at)
    data = {"before": done.before, "pages": done.pages, "misses": done.misses, "events": done.events}
    went = f"{done.pages:,} recalls, {done.misses:,} misses and {done.events:,} events from before"
    line = "everything is kept for ever" if done.before is None else f"deleted {went} {instant(done.before)}"
    context.out.show("learning-prune/1", data, line)
