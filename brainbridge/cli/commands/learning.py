"""misses, shadow, report, learning: what a brain has learned from its use."""

from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Branch, Verb, test_only
from brainbridge.cli.output import Column, Grid, instant

if TYPE_CHECKING:
    from brainbridge.graph.statements.learning import Miss

MOST_LISTED = 100_000


@click.command("misses", cls=Verb, help=f"{COMMANDS['misses'][1]} The most asked first.")
@click.option("--limit", type=click.IntRange(1, MOST_LISTED), default=20, show_default=True, help="How many at most.")
@click.option("--all", "resolved", is_flag=True, help="Also those that have been answered since.")
@test_only
@click.pass_obj
def misses(context: Context, *, limit: int, resolved: bool, test_only: bool) -> None:
    with context.open_brain() as brain:
        found = brain.misses(resolved=resolved, limit=limit, test=test_only)
    context.out.show("misses/1", {"misses": [_miss_json(miss) for miss in found]}, *_miss_blocks(found))


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


def _miss_blocks(found: "list[Miss]") -> list[str | Grid]:
    if not found:
        return ["no open question: every one that was asked had a strong answer, or none was asked"]
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


@click.group("learning", cls=Branch, help=COMMANDS["learning"][1])
def learning() -> None: ...


@learning.command("rebuild", cls=Verb)
@test_only
@click.pass_obj
def rebuild(context: Context, *, test_only: bool) -> None:
    """Count what is recalled together again, from the openings in the ledger."""
    with context.open_brain() as brain:
        done = brain.rebuild_co_recalled(test=test_only)
    data = {"openings": done.openings, "before": done.before, "after": done.after}
    line = f"{done.openings:,} openings looked at: {done.before:,} pairs before, {done.after:,} now"
    context.out.show("learning-rebuild/1", data, line)
