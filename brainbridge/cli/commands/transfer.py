"""export and import: memories as JSON lines, out of a brain and into one."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.content import refuse_overwriting
from brainbridge.cli.context import Context
from brainbridge.cli.options import Verb, allow_secret, force, test_only
from brainbridge.domain.errors import UsageError

if TYPE_CHECKING:
    from brainbridge.transfer.report import ExportReport, ImportReport

FORMATS = ("brainbridge", "notes", "markdown")
STANDARD = "-"

EXPORT_HELP = f"""{COMMANDS["export"][1]}

FILE is - for standard output, which is the default. A file gets its name when it is complete, and only you can read it.
One that is there already is replaced only with --force.
"""
IMPORT_HELP = f"""{COMMANDS["import"][1]}

SOURCE is a file, a folder of Markdown files, or - for standard input. What is here already is never overwritten: the
same import again changes nothing, and completes one that was interrupted. Plain notes are remembered like any text, so
the same notes again count as restatements, and one with a secret in it is refused. An export is taken as it is.
"""


@click.command("export", cls=Verb, help=EXPORT_HELP)
@click.argument("file", default=STANDARD)
@test_only
@force
@click.pass_obj
def export(context: Context, *, file: str, test_only: bool, force: bool) -> None:
    if file != STANDARD and not force:
        refuse_overwriting(file)
    if file == STANDARD and context.json:
        raise UsageError("the export itself goes to standard output, so --json has no place there. Give a FILE.")
    with context.open_brain() as brain, _output(file) as target, context.out.counting("memories") as progress:
        report = brain.export_to(target, test=test_only, progress=progress)
    scope = brain.scope(test=test_only)
    line = _exported(report, "standard output" if file == STANDARD else file)
    if file == STANDARD:
        context.out.say(line)
    else:
        data = {"brain": scope.brain, "scope": scope.name, "file": str(Path(file).resolve()), **_camel(report)}
        context.out.show("export/1", data, line)


@click.command("import", cls=Verb, help=IMPORT_HELP)
@click.argument("source", default=STANDARD)
@test_only
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    help="What SOURCE holds: an export, plain notes as JSON lines, or Markdown. [default: markdown for a folder, "
    "else brainbridge]",
)
@click.option("--fresh", is_flag=True, help="Remember notes as of now, whatever their date: old ones would expire.")
@allow_secret
@click.pass_obj
def import_(
    context: Context, *, source: str, test_only: bool, format: str | None, fresh: bool, allow_secret: bool
) -> None:
    if source == STANDARD and sys.stdin.isatty():
        raise UsageError("nothing to import: give a file, a folder, or pipe an export in.")
    kind = format or ("markdown" if source != STANDARD and Path(source).is_dir() else "brainbridge")
    if fresh and kind == "brainbridge":
        raise UsageError("--fresh is for plain notes: what an export holds keeps its energy and its instants.")
    given: str | BinaryIO = sys.stdin.buffer if source == STANDARD else source
    with context.open_brain(logs=True) as brain, context.out.counting("memories") as progress:
        report = brain.import_from(
            given, format=kind, test=test_only, allow_secret=allow_secret, fresh=fresh, progress=progress
        )
    scope = brain.scope(test=test_only)
    data = {"brain": scope.brain, "scope": scope.name, "format": kind, **_camel(report)}
    context.out.show("import/1", data, *_imported(report))


@contextmanager
def _output(file: str) -> Iterator[str | TextIO]:
    """The file, or standard output as UTF-8 with plain line ends, whatever the locale says."""
    if file != STANDARD:
        yield file
        return
    stream = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
    try:
        yield stream
        stream.flush()
    finally:
        stream.detach()


def _camel(report: "ExportReport | ImportReport") -> dict[str, Any]:
    from brainbridge.domain.naming import camel

    return {camel(field.name): getattr(report, field.name) for field in fields(report)}


def _exported(report: "ExportReport", place: str) -> str:
    left_out = f"; {report.left_out:,} left out, because they are no memories (see health)" if report.left_out else ""
    return (
        f"{report.memories:,} memories, {report.events:,} events, {report.relations:,} relations to {place} "
        f"in {report.seconds:.1f} s{left_out}"
    )


def _imported(report: "ImportReport") -> list[str]:
    first = (
        f"{report.created:,} created, {report.already_there:,} already there, "
        f"{report.relations:,} relations, {report.events:,} events in {report.seconds:.1f} s"
    )
    told: tuple[tuple[int, str], ...] = (
        (report.reinforced, "restate a memory that is here"),
        (report.kept, "stand here differently and were kept as they are"),
        (report.configs, "versions of the constants were taken over"),
        (report.configs_kept, "versions of the constants were not taken over: the ones here stay in force"),
        (report.dangling, "relations left out: one of their memories is neither here nor in the file"),
        (report.faded, "so old that the next run expires them; --fresh remembers notes as of now"),
    )
    return [first, *(f"{number:,} {words}" for number, words in told if number)]
