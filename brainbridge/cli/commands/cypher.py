"""cypher: the console, and the statements that brainbridge itself runs, to look at and to paste."""

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.legacy import first_operand, looks_like_cypher
from brainbridge.cli.options import Branch, Verb, test_only
from brainbridge.cli.output import Column, Grid, cell
from brainbridge.domain.errors import InvalidValue

WIDE = 120  # columns; beyond, a table is no longer one on most screens


class Console(Branch):
    """`cypher "MATCH …"` means `cypher run "MATCH …"`; a single word that is no command stays a typing error."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        operand = first_operand(args)
        is_text = operand is not None and (operand == "-" or looks_like_cypher(operand) or " " in operand.strip())
        from_file = any(arg.split("=")[0] == "--file" for arg in args)
        if operand not in self.commands and (is_text or from_file):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group("cypher", cls=Console, help=f"{COMMANDS['cypher'][1]}\n\n`cypher TEXT` is short for `cypher run TEXT`.")
def cypher() -> None: ...


@cypher.command("run", cls=Verb)
@click.argument("text", required=False)
@click.option("--file", metavar="FILE", help="Take the statement from a file.")
@click.option("--write", is_flag=True, help="Allow it to change the graph.")
@click.option("--param", "pairs", multiple=True, metavar="NAME=VALUE", help="A parameter: JSON, or else text.")
@click.pass_obj
def run(context: Context, *, text: str | None, file: str | None, write: bool, pairs: Sequence[str]) -> None:
    """Run one statement, read-only unless --write. TEXT may be - for standard input."""
    from brainbridge.cli.content import read_text
    from brainbridge.cli.values import plain, shown

    statement = read_text(text, file, what="Cypher")
    parameters = dict(map(_parameter, pairs))
    with context.open_brain(logs=write) as brain:
        table = brain.cypher(statement, parameters, write=write)
    rows = [[plain(value) for value in row] for row in table.rows]
    data = {"columns": list(table.columns), "rows": rows, "truncated": table.truncated}
    blocks = _blocks(table.columns, [[shown(value) for value in row] for row in table.rows])
    context.out.show("cypher/1", data, *blocks)
    if table.columns and not rows:
        context.out.say("no rows")
    if table.truncated:
        context.out.say(f"cut after {len(rows):,} rows; narrow it down or say LIMIT.")


@cypher.command("list", cls=Verb)
@click.pass_obj
def list_(context: Context) -> None:
    """List the statements that brainbridge runs."""
    from brainbridge.graph.cypher import statements

    found = list(statements().values())
    data = [{"name": s.name, "summary": s.summary, "writes": s.writes, "parameters": dict(s.parameters)} for s in found]
    rows = [(s.name, "write" if s.writes else "read", s.summary.rstrip(".")) for s in found]
    grid = Grid((Column("name"), Column("runs"), Column("what it does", "text")), rows)
    context.out.show("cypher-list/1", {"statements": data}, grid)


@cypher.command("show", cls=Verb)
@click.argument("name")
@test_only
@click.pass_obj
def show(context: Context, *, name: str, test_only: bool) -> None:
    """Print a statement ready to paste into Neo4j Browser, its parameters filled for the brain."""
    from brainbridge.graph.cypher import statement

    found = statement(_known(name))
    brain = context.brain or context.settings.brain
    parameters = list(found.filled(brain=brain, is_test=test_only))
    pasted = found.pasted(brain=brain, is_test=test_only)
    data = {"name": found.name, "parameters": parameters, "cypher": found.text}
    context.out.show("cypher-show/1", data, pasted)
    if brain is None and parameters:
        context.out.say("no brain is named; the parameters are those of the file's example.")


@cypher.command("explain", cls=Verb)
@click.argument("name")
@click.pass_obj
def explain(context: Context, *, name: str) -> None:
    """Print the plan that the database makes for a statement; nothing is run."""
    known = _known(name)
    with context.open_brain() as brain:
        plan = brain.plan(known)
    operators = list(_operators(plan))
    columns = (Column("operator"), Column("estimated rows", "number"), Column("details", "text"))
    rows = [(f"{'│ ' * step['depth']}{step['operator']}", step["estimatedRows"], step["details"]) for step in operators]
    context.out.show("cypher-explain/1", {"name": known, "operators": operators}, Grid(columns, rows))


def _known(name: str) -> str:
    """The full name of a statement; `decay` and `cypher/consolidation/decay.cypher` mean `consolidation/decay` too."""
    from brainbridge.graph.cypher import statements

    trimmed = name.removeprefix("cypher/").removesuffix(".cypher")
    meant = [known for known in statements() if trimmed in (known, known.partition("/")[2])]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise InvalidValue(f"{name!r} stands for several statements: {', '.join(meant)}. Give the folder too.")
    close = get_close_matches(trimmed, list(statements()), n=1)
    hint = f"Did you mean {close[0]}?" if close else "`brainbridge cypher list` shows them all."
    raise InvalidValue(f"{name!r} is not a statement. {hint}")


def _parameter(pair: str) -> tuple[str, Any]:
    name, equals, value = pair.partition("=")
    if not equals or not name:
        raise InvalidValue(f"{pair!r} is not NAME=VALUE.")
    try:
        return name.removeprefix("$"), json.loads(value)
    except ValueError:
        return name.removeprefix("$"), value


def _blocks(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str | Grid]:
    """A table; or, where whole nodes would make it wider than any screen, a paragraph a row."""
    if not columns:
        return ["done"]
    wide = any(len(cell(value)) > WIDE for row in rows for value in row)
    if len(columns) > 1 and wide:
        names = [f"{name}  " for name in columns]
        return [
            "\n".join(f"{name}{cell(value)}" for name, value in zip(names, row, strict=True)) + "\n" for row in rows
        ]
    kinds = [Column(name, "number" if _numeric(rows, at) else "fixed") for at, name in enumerate(columns)]
    return [Grid(kinds, rows)]


def _numeric(rows: Sequence[Sequence[Any]], at: int) -> bool:
    values = [row[at] for row in rows if row[at] is not None]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _operators(plan: Mapping[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    arguments = plan.get("args", {})
    yield {
        "operator": plan["operatorType"].partition("@")[0],
        "depth": depth,
        "estimatedRows": arguments.get("EstimatedRows"),
        "details": arguments.get("Details", ""),
    }
    # The first child is what the operator reads from: printed last and flush, a plan reads from the bottom up.
    first, *others = plan.get("children", ()) or [None]
    for child in others:
        yield from _operators(child, depth + 1)
    if first is not None:
        yield from _operators(first, depth)
