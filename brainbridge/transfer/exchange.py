"""Export and import as a brain offers them: alone on the scope, so that no run works on it meanwhile.

A run that promotes gives a memory a new id. Under a reader that goes by ids, the memory would be read twice or not at
all; under an import, a relation would find an archive. So both hold the lease of a run and wait for one in progress.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO, TextIO
from uuid import uuid4

from brainbridge.consolidation import lease
from brainbridge.consolidation.adopt import adopt
from brainbridge.consolidation.passes import Run
from brainbridge.domain.energy import Law
from brainbridge.domain.errors import UsageError
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.transfer import export, notes, restore
from brainbridge.transfer.report import ExportReport, ImportReport

# A full run over a million memories takes 31 s (measured).
WAIT_SECONDS = 60.0

Progress = Callable[[int], None]


class Format(StrEnum):
    """What an import can read: an export, plain notes as JSON lines, a folder of Markdown files."""

    BRAINBRIDGE = "brainbridge"
    NOTES = "notes"
    MARKDOWN = "markdown"


def export_to(
    graph: Graph,
    scope: Scope,
    law: Law,
    target: Path | str | TextIO,
    *,
    owns_unowned: bool,
    progress: Progress | None = None,
) -> ExportReport:
    """Write a scope to a file or a text stream; see transfer/export.

    Memories written by hand are adopted first, as before every pass, so that they are in the file too.

    Raises:
        LeaseHeld: a run on the scope does not end. UsageError: the file cannot be written.
    """
    run_id = str(uuid4())
    with _alone(graph, scope, run_id, progress) as report:
        adopt(graph, Run(run_id, scope, graph.now(), law, owns_unowned=owns_unowned))
        return export.export_to(graph, scope, target, progress=report)


def import_from(
    graph: Graph, scope: Scope, source: Path | str | TextIO | BinaryIO, *, progress: Progress | None = None
) -> ImportReport:
    """Import an export into a scope; see transfer/restore.

    Raises:
        LeaseHeld: a run on the scope does not end. InvalidValue, Refused: see there.
    """
    with _alone(graph, scope, str(uuid4()), progress) as report:
        return restore.import_from(graph, scope, source, progress=report)


def import_notes(
    source: Path | str | TextIO | BinaryIO,
    format: Format,
    remember: notes.Remember,
    law: Law,
    now: datetime,
    *,
    allow_secret: bool,
    fresh: bool = False,
) -> ImportReport:
    """Remember plain notes; see transfer/notes.

    Raises:
        InvalidValue: something that is no note, named. Refused: a note with a secret, named. UsageError: no such file
            or folder.
    """
    if format is Format.NOTES:
        return notes.import_notes(source, remember, law, now, allow_secret=allow_secret, fresh=fresh)
    if not isinstance(source, Path | str):
        raise UsageError("Markdown is imported from a folder, not from standard input. Give the folder.")
    return notes.import_markdown(source, remember, law, now, allow_secret=allow_secret, fresh=fresh)


@contextmanager
def _alone(graph: Graph, scope: Scope, run_id: str, progress: Progress | None) -> Iterator[Progress]:
    """Hold the scope's lease; renewed with each report of progress."""
    with lease.held(graph, scope, run_id, wait_seconds=WAIT_SECONDS) as ours:

        def report(done: int) -> None:
            ours.renew()
            if progress:
                progress(done)

        yield report
