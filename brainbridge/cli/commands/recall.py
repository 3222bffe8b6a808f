"""recall: what is known about something, and whether it is known at all."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.commands.reading import relations_json
from brainbridge.cli.context import Context
from brainbridge.cli.options import Since, Verb, Word, at_instant, test_only
from brainbridge.cli.output import Column, Grid, cell, instant
from brainbridge.domain.tier import MemoryType, Tier

if TYPE_CHECKING:
    from brainbridge.domain.recall import Hit, Page
    from brainbridge.graph.statements.edges import Related

# The declared relations of each hit, by its id.
Relations = Mapping[str, Sequence["Related"]]

_HELP = (
    "\n\nQUERY is a question or words, taken literally; - reads it from standard input. Each hit is strong, an answer, "
    "or weak, only near. Without a strong hit brainbridge does not know."
)


@click.command("recall", cls=Verb, help=COMMANDS["recall"][1] + _HELP)
@click.argument("query", nargs=-1, required=True)
@click.option("--limit", type=int, default=10, metavar="N", help="At most so many hits, 1 to 100. [default: 10]")
@click.option("--since", type=Since(), metavar="DAYS|DATE", help="Only what was remembered or restated since then.")
@click.option("--type", "memory_type", type=Word(MemoryType, "a type of memory"), help="Only memories of this type.")
@click.option("--tier", type=Word(Tier, "a tier"), help="Only memories of this tier.")
@click.option("--subject", metavar="WORDS", help="Only memories about exactly this.")
@click.option("--include-expired", is_flag=True, help="Also what has faded away.")
@click.option("--include-archived", is_flag=True, help="Also what was forgotten, promoted or superseded.")
@click.option("--full", is_flag=True, help="Show each text whole.")
@click.option("--linked", is_flag=True, help="Show the declared relations of each hit.")
@click.option("--explain", is_flag=True, help="Show the numbers behind each place and label.")
@test_only
@at_instant
@click.pass_obj
def recall(
    context: Context,
    *,
    query: tuple[str, ...],
    limit: int,
    since: datetime | timedelta | None,
    memory_type: MemoryType | None,
    tier: Tier | None,
    subject: str | None,
    include_expired: bool,
    include_archived: bool,
    full: bool,
    linked: bool,
    explain: bool,
    test_only: bool,
    at: datetime | None,
) -> None:
    from brainbridge.cli.content import read_text

    asked = read_text(" ".join(query), None, what="query")
    with context.open_brain() as brain:
        page = brain.recall(
            asked,
            limit=limit,
            since=since,
            memory_type=memory_type,
            tier=tier,
            subject=subject,
            include_expired=include_expired,
            include_archived=include_archived,
            test=test_only,
            now=at,
        )
        relations = {h.memory.id: brain.relations(h.memory.id, test=test_only) for h in page.hits} if linked else {}
    data = _json(page, relations if linked else None, explain=explain)
    context.out.show(
        "recall/1", data, *_blocks(page, relations, full=full, detailed=linked or explain, explain=explain)
    )


def _json(page: "Page", relations: Relations | None, *, explain: bool) -> dict[str, Any]:
    return {
        "pageId": page.id,
        "query": page.query,
        "at": page.at,
        "semantic": "on" if page.semantic else "off",
        "miss": page.miss,
        "hits": [_hit_json(hit, relations, explain=explain) for hit in page.hits],
    }


def _hit_json(hit: "Hit", relations: Relations | None, *, explain: bool) -> dict[str, Any]:
    memory = hit.memory
    return {
        "rank": hit.rank,
        "id": memory.id,
        "content": memory.content,
        "subject": memory.subject,
        "tier": memory.tier,
        "state": memory.state,
        "energy": hit.energy,
        "weight": hit.weight,
        "score": hit.score,
        "strength": hit.strength,
        "updatedAt": memory.updated_at,
        **({"relations": relations_json(relations[memory.id])} if relations is not None else {}),
        **({"evidence": _evidence(hit)} if explain else {}),
    }


def _evidence(hit: "Hit") -> dict[str, Any]:
    ranks = {"lexicalRank": hit.lexical_rank, "semanticRank": hit.semantic_rank, "cover": hit.cover}
    return ranks | dict(hit.terms)


def _blocks(page: "Page", relations: Relations, *, full: bool, detailed: bool, explain: bool) -> Iterator[str | Grid]:
    if not page.hits:
        yield "brainbridge does not know this, and nothing comes near."
        return
    if page.miss:
        yield "brainbridge does not know this; nearest:"
    elif not page.shows_strong:
        yield "a strong hit stands further down; ask with a higher --limit:"
    if not (full or detailed):
        yield _table(page)
        return
    for hit in page.hits:
        yield from _detailed(hit, relations.get(hit.memory.id, ()), full=full, explain=explain)


def _table(page: "Page") -> Grid:
    columns = (
        Column("", "number"),
        Column("strength"),
        Column("score", "number"),
        Column("tier"),
        Column("content", "text"),
        Column("id"),
    )
    rows = [
        (hit.rank, hit.strength, f"{hit.score:.2f}", hit.memory.tier, _text(hit), hit.memory.id) for hit in page.hits
    ]
    return Grid(columns, rows)


def _text(hit: "Hit") -> str:
    subject = hit.memory.subject
    return f"{subject}: {hit.memory.content}" if subject else hit.memory.content


def _detailed(hit: "Hit", relations: Sequence["Related"], *, full: bool, explain: bool) -> Iterator[str]:
    memory = hit.memory
    standing = memory.tier.value if memory.live else memory.state
    yield f"{hit.rank}. {hit.strength}  {hit.score:.2f}  {standing}  {memory.id}  {instant(memory.updated_at)}"
    lines = _text(hit).splitlines() if full else [_text(hit)]
    yield from (f"   {cell(line)}" for line in lines)
    for each in relations:
        arrow = f"{each.relation} →" if each.outgoing else f"← {each.relation}"
        yield f"   {arrow} {each.other.id}  {cell(each.other.content)}"
    if explain:
        yield "   " + " · ".join(f"{name} {_number(value)}" for name, value in _evidence(hit).items())


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")
