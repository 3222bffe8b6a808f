"""The overview as one file that needs nothing else: for a mail, an archive, a machine without a brain."""

from datetime import datetime
from pathlib import Path

from brainbridge.app import Brain
from brainbridge.domain.errors import Refused, UsageError
from brainbridge.graph.cypher import statement
from brainbridge.learning.report import Period
from brainbridge.transfer.files import sink
from brainbridge.web.links import Links
from brainbridge.web.overview import overview
from brainbridge.web.rendering import render

# In report.html; by it a report is known again, and may be replaced by the next one.
_MARK = '<meta name="generator" content="brainbridge report">'
# The mark stands in the first few hundred bytes.
_HEAD = 2_048


def report_html(
    brain: Brain, period: Period | str = Period.WEEK, *, test: bool = False, now: datetime | None = None
) -> str:
    """The report of a period as one HTML file without scripts, which no browser asks for anything more.

    Raises:
        InvalidValue: an unknown period.
    """

    def pasted(name: str) -> str:
        return statement(name).pasted(brain=brain.name, is_test=test)

    return render(
        "report.html",
        brain=brain.name,
        links=Links(test, within=True),
        seen=overview(brain, test=test, period=period, now=now),
        pasted=pasted,
    )


def refuse_foreign_file(path: Path) -> None:
    """Let a report be written to `path` if nothing is there, or an earlier report.

    Raises:
        Refused: another file is there. UsageError: what is there cannot be read.
    """
    try:
        if not path.is_file():
            return
        with path.open("rb") as there:
            head = there.read(_HEAD)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}. No file was made.") from error
    if head and _MARK.encode() not in head:
        raise Refused(f"{path} is there and is no report of ours. Name another file, or say --force to replace it.")


def write_report(path: Path, html: str) -> None:
    """Write a report so that its file is whole or not there, readable by its owner alone: it quotes memories.

    Raises:
        UsageError: it cannot be written.
    """
    with sink(path) as stream:
        stream.write(html)
