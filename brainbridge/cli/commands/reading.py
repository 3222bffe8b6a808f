"""open, explain, history, verify: reading single memories, and proving their energies."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.commands.memories import REF_HELP
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb, at_instant, test_only
from brainbridge.cli.output import Column, Grid, cell, instant, span
from brainbridge.cli.sparkline import sparkline

if TYPE_CHECKING:
    from brainbridge.domain.memory import Memory
    from brainbridge.domain.replay import Laws
    from brainbridge.graph.statements.edges import Related
    from brainbridge.graph.statements.inspect import Record
    from brainbridge.inspection.explain import Explanation
    from brainbridge.inspection.verify import Verification
    from brainbridge.memory.open_memory import Opened

SPARKLINE_WIDTH = 60
# Vectors and index words of the machinery: nothing that a reader of a memory asks for.
UNREAD = frozenset({"embeddingA", "embeddingB", "bands", "contentKey", "forgottenKey", "scope"})


@click.command("open", cls=Verb, help=f"{COMMANDS['open'][1]} That is an access.{REF_HELP}")
@click.argument("ref")
@test_only
@click.pass_obj
def open(context: Context, *, ref: str, test_only: bool) -> None:  # noqa: A001  # the verb's own name
    with context.open_brain(logs=True) as brain:
        opened = brain.open(ref, test=test_only)
    context.out.show("open/1", _opened_json(opened), *_opened_blocks(opened))


def _opened_json(opened: "Opened") -> dict[str, Any]:
    return {
        **{name: value for name, value in opened.record.properties.items() if name not in UNREAD},
        "state": opened.memory.state,
        "effectiveEnergy": opened.energy,
        "weight": opened.weight,
        "at": opened.at,
        "before": opened.before,
        "counted": opened.counted,
        "lineage": list(opened.lineage),
        "relations": relations_json(opened.relations),
        "oftenRecalledWith": [
            {"id": other.id, "content": other.content, "weight": other.weight} for other in opened.often_recalled_with
        ],
        **_replacements_json(opened.record),
    }


def _opened_blocks(opened: "Opened") -> Iterator[str | Grid]:
    yield opened.memory.id
    yield from (cell(line) for line in opened.memory.content.splitlines())
    yield f"{_standing(opened.memory, opened.energy, opened.weight)}{_opening(opened)}"
    yield from _ties(opened.memory, opened.record, opened.relations)
    for other in opened.often_recalled_with:
        yield f"often recalled with {other.id}  {cell(other.content)} ({other.weight:.2f})"


def _opening(opened: "Opened") -> str:
    if opened.before is None:
        return ""
    added = opened.energy - opened.before
    why = f"{added:+.3f} by this opening" if opened.counted else "opened before within half an hour, so unchanged"
    return f" ({why}), access {opened.memory.access_count}"


@click.command("explain", cls=Verb, help=COMMANDS["explain"][1] + REF_HELP)
@click.argument("ref")
@test_only
@at_instant
@click.pass_obj
def explain(context: Context, *, ref: str, test_only: bool, at: datetime | None) -> None:
    with context.open_brain() as brain:
        found = brain.explain(ref, test=test_only, now=at)
    context.out.show("explain/1", _explained_json(found), *_explained_blocks(found))


def _explained_json(found: "Explanation") -> dict[str, Any]:
    memory = found.memory
    return {
        "id": memory.id,
        "content": memory.content,
        "state": memory.state,
        "tier": memory.tier,
        "core": memory.core,
        "energy": memory.energy,
        "lastDecay": memory.last_decay,
        "now": found.now,
        "effectiveEnergy": found.energy,
        "weight": found.weight,
        "created": memory.created,
        "expiresAt": found.expires_at,
        "expiryThreshold": found.law.expiry_threshold,
        "promotionThreshold": found.threshold,
        "promotes": found.promotes,
        "lacking": found.lacking,
        "events": {kind: {"count": tally.count, "last": tally.last} for kind, tally in found.events.items()},
        "lineage": list(found.lineage),
        "relations": relations_json(found.relations),
        **_replacements_json(found.record),
    }


def _explained_blocks(found: "Explanation") -> Iterator[str | Grid]:
    memory = found.memory
    yield f"{memory.id}  {cell(memory.content)}"
    yield _standing(memory, found.energy, found.weight)
    yield f"stored {memory.energy:.3f} at {instant(memory.last_decay)}, born {instant(memory.created)}"
    yield from _prospects(found)
    for kind, tally in found.events.items():
        often = "" if tally.count == 1 else f" {tally.count} times, last"
        yield f"{kind}{often} {instant(tally.last)}"
    yield from _ties(memory, found.record, found.relations)
    if len(found.lineage) > 1:
        yield "lineage: " + " → ".join(f"{step['tier']} since {instant(step['since'])}" for step in found.lineage)


def _prospects(found: "Explanation") -> Iterator[str]:
    """What becomes of it if nothing happens, and what it would take to promote it."""
    memory = found.memory
    if not memory.live:
        yield f"{memory.state}: its energy stays as it is"
        return
    if memory.core:
        yield "core: it does not fade, expire or promote"
        return
    law, end = found.law, found.expires_at
    yield f"fades with λ {law.lambda_per_hour(memory.tier):g} per hour"
    if found.expires:
        yield "the next run marks it as expired"
    elif end is not None:
        yield f"expires if nothing happens: {instant(end)} (in {span(end - found.now)})"
    else:
        yield f"never expires: longTerm stops at {law.long_term_floor:g}"
    if found.threshold is None:
        yield "hardens no further: longTerm is the last tier"
    elif found.promotes:
        yield f"the next run promotes it to {memory.tier.next}: it stands above {found.threshold:g}"
    else:
        yield (
            f"promotes to {memory.tier.next} above {found.threshold:g}: more than {found.lacking:.3f} is missing now, "
            f"an access gives {law.boost_amount:g}"
        )


@click.command("history", cls=Verb, help=COMMANDS["history"][1] + REF_HELP)
@click.argument("ref")
@test_only
@at_instant
@click.pass_obj
def history(context: Context, *, ref: str, test_only: bool, at: datetime | None) -> None:
    with context.open_brain() as brain:
        found, laws = brain.find(ref, test=test_only), brain.laws()
        walked = brain.history(found.id, test=test_only)
        now = at or brain.graph.now()
    names = ("at", "kind", "before", "after", "tier")
    events = [{name: getattr(event, name) for name in names} for event, _ in walked]
    columns = (Column("at"), Column("event"), Column("before", "number"), Column("after", "number"), Column("tier"))
    heights = _heights([standing for _, standing in walked], laws, now)
    blocks: list[str | Grid] = [Grid(columns, [list(event.values()) for event in events])]
    if heights:
        blocks.append(f"{sparkline(heights)}  up to {max(heights):.3f}, now {heights[-1]:.3f}")
    context.out.show("history/1", {"id": found.id, "events": events}, f"{found.id}  {cell(found.content)}", *blocks)


def _heights(standings: Sequence[Any], laws: "Laws", now: datetime) -> list[float]:
    from brainbridge.domain.replay import course

    return course(standings, laws, now, SPARKLINE_WIDTH) if standings else []


@click.command("verify", cls=Verb, help=f"{COMMANDS['verify'][1]} Exit code 1 if one does not.{REF_HELP}")
@click.argument("ref", required=False)
@test_only
@click.pass_obj
def verify(context: Context, *, ref: str | None, test_only: bool) -> int:
    with context.open_brain() as brain:
        found = brain.verify(ref, test=test_only)
    context.out.show("verify/1", _verified_json(found), *_verified_blocks(found))
    return 1 if found.wrong else 0


def _verified_json(found: "Verification") -> dict[str, Any]:
    return {
        "brain": found.scope.brain,
        "scope": found.scope.name,
        "memories": found.memories,
        "events": found.events,
        "unproven": found.unproven,
        "wrong": [
            {
                "id": wrong.id,
                "event": wrong.fault.event,
                "at": wrong.fault.at,
                "what": wrong.fault.what,
                "expected": wrong.fault.expected,
                "found": wrong.fault.found,
            }
            for wrong in found.wrong
        ],
    }


def _verified_blocks(found: "Verification") -> Iterator[str | Grid]:
    if found.wrong:
        titles = ("id", "event", "at", "what", "expected", "found")
        rows = [
            (wrong.id, fault.event, fault.at, fault.what, _exactly(fault.expected), _exactly(fault.found))
            for wrong in found.wrong
            for fault in (wrong.fault,)
        ]
        yield Grid([Column(title) for title in titles], rows)
    unproven = f", {found.unproven:,} without events" if found.unproven else ""
    yield (
        f"brain {found.scope.brain} ({found.scope.name}): {found.memories:,} memories replayed, "
        f"{found.events:,} events, {len(found.wrong):,} wrong{unproven}"
    )


def _exactly(value: float | str) -> str:
    """With the digits that a difference of a billionth shows in."""
    return f"{value:.12g}" if isinstance(value, float) else value


def _standing(memory: "Memory", energy: float, weight: float) -> str:
    """`working, energy 1.213, weight 0.70`, and what is out of the ordinary."""
    words = [memory.tier.value, *(["core"] if memory.core else [])]
    match memory.state:
        case "expired":
            words.append(f"since {instant(memory.expired_at)}, from {memory.expired_from}")
        case "forgotten":
            words.append(f"forgotten {instant(memory.valid_to)}: {cell(memory.forgotten_reason)}")
        case "archived":
            words.append(f"archived {instant(memory.valid_to)}")
    return f"{', '.join(words)}, energy {energy:.3f}, weight {weight:.2f}"


def _ties(memory: "Memory", record: "Record", relations: Sequence["Related"]) -> Iterator[str]:
    """A line for each relation, and for what it replaced or was replaced by."""
    for each in relations:
        arrow = f"{each.relation} →" if each.outgoing else f"← {each.relation}"
        yield f"{arrow} {each.other.id}  {cell(each.other.content)}"
    for old in record.supersedes:
        yield f"supersedes {old.id}{_because(old.reason)}"
    if record.superseded_by is not None:
        yield f"superseded by {record.superseded_by.id}{_because(record.superseded_by.reason)}"
    if record.promoted_to is not None:
        yield f"lives on in {record.promoted_to}"


def _because(reason: str | None) -> str:
    return f": {cell(reason)}" if reason else ""


def relations_json(relations: Sequence["Related"]) -> list[dict[str, Any]]:
    return [
        {
            "relation": each.relation,
            "outgoing": each.outgoing,
            "id": each.other.id,
            "content": each.other.content,
            "created": each.created,
            "declaredBy": each.declared_by,
            "lastApplied": each.last_applied,
        }
        for each in relations
    ]


def _replacements_json(record: "Record") -> dict[str, Any]:
    by = record.superseded_by
    return {
        "supersedes": [{"id": old.id, "at": old.at, "reason": old.reason} for old in record.supersedes],
        "supersededBy": {"id": by.id, "at": by.at, "reason": by.reason} if by else None,
        "promotedTo": record.promoted_to,
    }
