"""What a person sees while Neo4j is installed and started."""

import io

from brainbridge.local_neo4j.progress import Bar, Lines, closing, progress_on


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_few_plain_lines() -> None:
    """Between two lines some seconds pass, but the last one always comes; no control characters."""
    stream = io.StringIO()
    lines = progress_on(stream)
    for done in range(0, 101, 10):
        lines.bytes_done(done * 1_000_000, 100_000_000)
    lines.say("Starting")

    assert isinstance(lines, Lines)
    assert stream.getvalue() == "Neo4j: 100 of 100 MB\nStarting\n"


def test_a_slow_download_says_something_now_and_then() -> None:
    """With no pause asked for, each step is a line."""
    stream = io.StringIO()
    Lines(stream, every=0).bytes_done(1_000_000, 2_000_000)

    assert stream.getvalue() == "Neo4j: 1 of 2 MB\n"


def test_a_terminal_gets_a_bar_that_goes_away() -> None:
    """The bar is closed at the last byte, or when the work under it fails; both leave the cursor visible."""
    stream = Terminal()
    bar = progress_on(stream)
    assert isinstance(bar, Bar)
    with closing(bar):
        bar.say("Starting [Neo4j]")
        bar.bytes_done(1_000_000, 2_000_000)

    shown = stream.getvalue()
    assert "Starting [Neo4j]" in shown
    assert shown.rfind("\x1b[?25h") > shown.rfind("\x1b[?25l")
