"""remember, boost, lineage: single memories."""

from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb, Word, allow_secret, test_only
from brainbridge.cli.output import Column, Grid, cell, instant
from brainbridge.domain.tier import MemoryType, Producer

if TYPE_CHECKING:
    from brainbridge.memory.note import Remembered

REF_IS = "REF is an id, at least 6 characters of its beginning, or a piece of the text that no other memory has."
REF_HELP = f"\n\n{REF_IS}"


@click.command("remember", cls=Verb, help=f"{COMMANDS['remember'][1]}\n\nTEXT may be - for standard input. {REF_IS}")
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
@click.option("--relation", metavar="WORD", help="extends, updates, derives or contradicts what --related-to names.")
@click.option("--related-to", metavar="REF", multiple=True, help="The memory it is related to; may be given again.")
@click.option("--source", metavar="LABEL:ID", help="The node that it came from; made if it is not there.")
@click.option("--test", "--test-only", "--testOnly", "test", is_flag=True, help="Make it a test memory.")
@allow_secret
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
    relation: str | None,
    related_to: tuple[str, ...],
    source: str | None,
    test: bool,
    allow_secret: bool,
) -> None:
    from brainbridge.cli.content import read_text
    from brainbridge.domain.memory import checked_content
    from brainbridge.domain.relation import declaration
    from brainbridge.domain.secrets import refuse_secrets
    from brainbridge.domain.source import Source

    # Checked here too, so that a typing error is not answered by the start of a server.
    content = checked_content(read_text(text, file, what="content"))
    declaration(relation, related_to)
    origin = None if source is None else Source.parse(source)
    if not allow_secret:  # here too: a refusal must not wait for the start of a server
        refuse_secrets({"content": content, "subject": subject})
    with context.open_brain(logs=True) as brain:
        born = brain.remember(
            content,
            memory_type=memory_type,
            producer=producer,
            core=core,
            subject=subject,
            source=origin,
            relation=relation,
            related_to=related_to,
            test=test,
            allow_secret=allow_secret,
        )
    _show_remembered(context, born)


@click.command(
    "capture",
    cls=Verb,
    help=COMMANDS["capture"][1]
    + "\n\nTEXTS are trigger and insight of a crystallization, concept and content of a learning, or the thing to "
    "be reminded of.",
)
@click.argument("kind", type=Word(MemoryType, "something to capture"))
@click.argument("texts", nargs=-1, required=True)
@test_only
@allow_secret
@click.pass_obj
def capture(context: Context, *, kind: MemoryType, texts: tuple[str, ...], test_only: bool, allow_secret: bool) -> None:
    with context.open_brain(logs=True) as brain:
        _show_remembered(context, brain.capture(kind, *texts, test=test_only, allow_secret=allow_secret))


def _show_remembered(context: Context, done: "Remembered") -> None:
    data: dict[str, Any] = {
        "id": done.id,
        "outcome": done.outcome,
        "similarity": done.similarity,
        "existing": done.existing,
        "energy": done.energy,
        "weight": done.weight,
        "tier": done.tier,
        "related": [{"id": near.id, "similarity": near.similarity} for near in done.related],
        "declared": [
            {
                "relation": each.relation,
                "to": each.id,
                "outcome": "created" if each.created else "exists",
                "inert": each.inert,
            }
            for each in done.declared
        ],
    }
    lines = [f"{done.id}  {_OUTCOMES[done.outcome]}, {done.tier} with energy {done.energy:.3f}"]
    if done.existing is not None:
        lines.append(f"  it stands there as: {cell(done.existing)}")
    lines += [
        f"  {each.relation} {each.id}  {'created' if each.created else 'exists'}"
        f"{'; an end has expired, so it has no effect' if each.inert else ''}"
        for each in done.declared
    ]
    lines += [
        f"  similar, but not the same ({near.similarity:.2f}): {near.id}  {cell(near.content)}" for near in done.related
    ]
    context.out.show("remember/1", data, *lines)


# Document 000 says "already known - reinforced" where others say "duplicate".
_OUTCOMES = {
    "created": "created",
    "reinforced": "already known - reinforced",
    "revived": "already known - revived",
}


@click.command("boost", cls=Verb, help=COMMANDS["boost"][1] + REF_HELP)
@click.argument("ref")
@test_only
@click.pass_obj
def boost(context: Context, *, ref: str, test_only: bool) -> None:
    with context.open_brain(logs=True) as brain:
        # Document 004 boosts its test memories by id and without a flag: a full id says which scope is meant.
        memory, done = brain.boost(ref, test=test_only or brain.is_test_memory(ref))
    data = {
        "id": done.id,
        "energy": done.after,
        "tier": done.tier,
        "before": done.before,
        "accessCount": done.access_count,
        "at": done.at,
    }
    line = f"{memory.id}  energy {done.before:.3f} → {done.after:.3f}, {done.tier}, access {done.access_count}"
    context.out.show("boost/1", data, line, *lives_on(memory.id, done.id))


def lives_on(old: str, new: str) -> list[str]:
    """A line that says that an event promoted a memory, which gave it another id."""
    return [] if old == new else [f"  promoted by this: it lives on as {new}"]


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
