"""remember, boost, history, lineage: single memories."""

from typing import Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb, Word, test_only
from brainbridge.cli.output import Column, Grid, cell, instant
from brainbridge.domain.tier import MemoryType, Producer

REF_HELP = "\n\nREF is an id, at least 6 characters of its beginning, or a piece of the text that no other memory has."


@click.command("remember", cls=Verb, help=f"{COMMANDS['remember'][1]}\n\nTEXT may be - for standard input.")
@click.argument("text", required=False)
@click.option("--file", metavar="FILE", help="Take the text from a file: UTF-8, at most 1 MiB.")
@click.option(
    "--type",
    "memory_type",
    type=Word(MemoryType, "a type of memory"),
    help="Decides its energy at birth.",
)
@click.option(
    "--producer", type=Word(Producer, "a producer"), default=Producer.USER, help="Who says so. [default: user]"
)
@click.option("--core", is_flag=True, help="Protect it: it never fades.")
@click.option("--subject", metavar="WORDS", help="What it is about.")
@click.option("--test", "--test-only", "--testOnly", "test", is_flag=True, help="Make it a test memory.")
@click.pass_obj
def remember(
    context: Context,
    *,
    text: str | None,
    file: str | None,
    memory_type: MemoryType | None,
    producer: Producer,
    core: bool,
    subject: str | None,
    test: bool,
) -> None:
    from brainbridge.cli.content import read_text
    from brainbridge.domain.energy import weight_of_energy
    from brainbridge.domain.memory import checked_content

    content = checked_content(read_text(text, file, what="content"))
    with context.open_brain(logs=True) as brain:
        born = brain.remember(
            content, memory_type=memory_type, producer=producer, core=core, subject=subject, test=test
        )
    data: dict[str, Any] = {
        "id": born.id,
        "outcome": born.outcome,
        "similarity": None,
        "existing": None,
        "energy": born.energy,
        "weight": weight_of_energy(born.energy),
        "tier": born.tier,
        "related": [],
    }
    context.out.show("remember/1", data, f"{born.id}  {born.outcome}, {born.tier} with energy {born.energy:.3f}")


@click.command("boost", cls=Verb, help=COMMANDS["boost"][1] + REF_HELP)
@click.argument("ref")
@test_only
@click.pass_obj
def boost(context: Context, *, ref: str, test_only: bool) -> None:
    with context.open_brain(logs=True) as brain:
        # Document 004 boosts its test memories by id and without a flag: a full id says which scope is meant.
        memory, done = brain.boost(ref, test=test_only or brain.is_test_memory(ref))
    data = {
        "id": memory.id,
        "energy": done.after,
        "tier": done.tier,
        "before": done.before,
        "accessCount": done.access_count,
        "at": done.at,
    }
    line = f"{memory.id}  energy {done.before:.3f} → {done.after:.3f}, {done.tier}, access {done.access_count}"
    context.out.show("boost/1", data, line)


@click.command("history", cls=Verb, help=COMMANDS["history"][1] + REF_HELP)
@click.argument("ref")
@test_only
@click.pass_obj
def history(context: Context, *, ref: str, test_only: bool) -> None:
    with context.open_brain() as brain:
        found = brain.find(ref, test=test_only)
        events = brain.ledger(found.id, test=test_only)
    columns = (
        Column("at"),
        Column("event"),
        Column("before", "number"),
        Column("after", "number"),
        Column("tier"),
    )
    rows = [[event[name] for name in ("at", "kind", "before", "after", "tier")] for event in events]
    heading = f"{found.id}  {cell(found.content)}"
    context.out.show("history/1", {"id": found.id, "events": events}, heading, Grid(columns, rows))


@click.command("lineage", cls=Verb, help=COMMANDS["lineage"][1] + REF_HELP)
@click.argument("ref")
@test_only
@click.pass_obj
def lineage(context: Context, *, ref: str, test_only: bool) -> None:
    with context.open_brain() as brain:
        steps = brain.lineage(ref, test=test_only)
    columns = (Column("id"), Column("tier"), Column("energy", "number"), Column("since"), Column("until"))
    rows = [[step["id"], step["tier"], step["energy"], step["since"], _until(step)] for step in steps]
    context.out.show("lineage/1", {"steps": steps}, Grid(columns, rows))


def _until(step: dict[str, Any]) -> str:
    return instant(step["until"]) or "now"
