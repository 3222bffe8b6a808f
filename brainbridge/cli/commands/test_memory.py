"""test-memory: memories with any energy and tier, kept apart from the real ones."""

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Branch, Verb, Word, allow_secret, at_instant
from brainbridge.cli.output import Column, Grid
from brainbridge.domain.errors import InvalidValue, UsageError
from brainbridge.domain.tier import Tier

if TYPE_CHECKING:
    from brainbridge.domain.energy import Law
    from brainbridge.domain.memory import Memory

MOST_LISTED = 1_000


@click.group("test-memory", cls=Branch, help=COMMANDS["test-memory"][1])
def test_memory() -> None: ...


@test_memory.command("create", cls=Verb, takes_numbers=True)
@click.argument("content")
@click.argument("energy")
@click.argument("tier", type=Word(Tier, "a tier"), metavar="TIER")
@at_instant
@allow_secret
@click.pass_obj
def create(context: Context, *, content: str, energy: str, tier: Tier, at: datetime | None, allow_secret: bool) -> None:
    """Make a test memory with exactly this energy and tier."""
    from brainbridge.cli.content import read_text
    from brainbridge.domain.energy import checked_energy
    from brainbridge.domain.memory import checked_content
    from brainbridge.domain.secrets import refuse_secrets

    # Checked here too, so that a typing error is not answered by the start of a server.
    text, amount = checked_content(read_text(content, None, what="content")), checked_energy(_number(energy))
    if not allow_secret:
        refuse_secrets({"content": text})
    with context.open_brain(logs=True) as brain:
        born = brain.create_test_memory(text, amount, tier, now=at, allow_secret=allow_secret)
    data = {"id": born.id, "energy": born.energy, "tier": born.tier}
    context.out.show("test-memory/1", data, f"{born.id}  {born.tier} with energy {born.energy:.3f}")


@test_memory.command("list", cls=Verb)
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=MOST_LISTED, show_default=True, help="How many at most."
)
@at_instant
@click.pass_obj
def list_(context: Context, *, limit: int, at: datetime | None) -> None:
    """List the test memories that are not archived, the most energetic first."""
    with context.open_brain() as brain:
        now, law = at or brain.graph.now(), brain.law().law
        found = brain.list_test_memories(limit=limit + 1)
    memories = [_described(memory, now, law) for memory in found[:limit]]
    columns = (
        Column("id"),
        Column("tier"),
        Column("energy now", "number"),
        Column("stored", "number"),
        Column("created"),
        Column("content", "text"),
    )
    names = ("id", "tier", "effectiveEnergy", "energy", "created", "content")
    grid = Grid(columns, [[memory[name] for name in names] for memory in memories])
    truncated = len(found) > limit
    more = [f"… and more; --limit shows them (now {limit})."] if truncated else []
    blocks: list[str | Grid] = [grid, *more] if memories else ["no test memories"]
    context.out.show("test-memories/1", {"now": now, "memories": memories, "truncated": truncated}, *blocks)


@test_memory.command("clear", cls=Verb)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def clear(context: Context, *, yes: bool) -> int:
    """Delete every test memory of the brain; real ones are out of reach."""
    if not yes and not sys.stdin.isatty():
        raise UsageError("this deletes every test memory of the brain. Say --yes if that is meant.")
    with context.open_brain(logs=True) as brain:
        if not yes and not click.confirm(f"Delete every test memory of brain {brain.name}?", err=True):
            context.out.say("nothing was deleted")
            return 1
        cleared = brain.clear_test_memories()
    context.out.show("test-memory-clear/1", {"cleared": cleared}, f"{cleared:,} test memories deleted")
    return 0


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidValue(f"the energy cannot be {text!r}: it must be a number of at least 0, such as 2.5.") from None


def _described(memory: "Memory", now: datetime, law: "Law") -> dict[str, Any]:
    return {
        "id": memory.id,
        "content": memory.content,
        "tier": memory.tier,
        "energy": memory.energy,
        "effectiveEnergy": memory.energy_at(now, law),
        "created": memory.created,
        "lastAccessed": memory.last_accessed,
        "lastDecay": memory.last_decay,
        "accessCount": memory.access_count,
    }
