"""list: the memories of a brain, by energy or by how soon they fade away."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb, Word, at_instant, test_only
from brainbridge.cli.output import Column, Grid
from brainbridge.domain.tier import Tier

if TYPE_CHECKING:
    from brainbridge.domain.energy import Law
    from brainbridge.domain.memory import Memory

DEFAULT_LIMIT = 25
MOST_LISTED = 10_000


@click.command(
    "list",
    cls=Verb,
    help=f"{COMMANDS['list'][1]}\n\nThe most energetic first; with --fading those first that expire soonest if nothing "
    "happens. Expired ones only with --tier=expired.",
)
@click.option("--tier", type=Word(Tier, "a tier"), help="Only of this tier.")
@click.option("--fading", is_flag=True, help="Order by when they expire.")
@click.option(
    "--limit", type=click.IntRange(1, MOST_LISTED), default=DEFAULT_LIMIT, show_default=True, help="How many at most."
)
@test_only
@at_instant
@click.pass_obj
def list(  # noqa: A001  # the verb's own name
    context: Context, *, tier: Tier | None, fading: bool, limit: int, test_only: bool, at: datetime | None
) -> None:
    with context.open_brain() as brain:
        found = brain.ranked(tier=tier, fading=fading, limit=limit, test=test_only, now=at)
    memories = [described(memory, found.now, found.law) for memory in found.memories]
    names = ("id", "tier", "effectiveEnergy", "expiresAt", "content")
    columns = (
        Column("id"),
        Column("tier"),
        Column("energy", "number"),
        Column("expires"),
        Column("content", "text"),
    )
    grid = Grid(columns, [[memory[name] for name in names] for memory in memories])
    more = [f"… and more; --limit shows them (now {limit})."] if found.truncated else []
    data = {
        "brain": found.scope.brain,
        "scope": found.scope.name,
        "now": found.now,
        "memories": memories,
        "truncated": found.truncated,
    }
    blocks: Sequence[str | Grid] = [grid, *more] if memories else ["no memories"]
    context.out.show("list/1", data, *blocks)


def described(memory: "Memory", now: datetime, law: "Law") -> dict[str, Any]:
    """A memory in a list, as JSON."""
    return {
        "id": memory.id,
        "content": memory.content,
        "subject": memory.subject,
        "tier": memory.tier,
        "core": memory.core,
        "energy": memory.energy,
        "effectiveEnergy": memory.energy_at(now, law),
        "expiresAt": memory.expires_at(law),
        "created": memory.created,
        "lastAccessed": memory.last_accessed,
        "lastDecay": memory.last_decay,
        "accessCount": memory.access_count,
    }
