"""`brainbridge dashboard` and `report --html` as people call them, and the page as the daemon serves it."""

import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.daemon_support import log_events, running_daemon, wait_until
from tests.page_support import Visitor
from tests.program import Program
from tests.support import free_port


@contextmanager
def dashboard(program: Program, *argv: str, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    """The command as a process of its own; killed at the end if it still runs."""
    script = Path(sys.executable).with_name("brainbridge")
    process = subprocess.Popen(
        [script, "--brain", program.brain, "dashboard", "--no-open", *argv],
        env=program.environment | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def first_line(process: "subprocess.Popen[str]") -> str:
    """What it printed first."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def visitor_by(url: str) -> Visitor:
    """Somebody who followed a login URL."""
    visitor = Visitor(urlsplit(url).port or 0)
    assert visitor.log_in(url).status == 200
    return visitor


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_dashboard_serves_until_it_is_told_to_end(program: Program, ending: signal.Signals) -> None:
    """It prints a URL that logs in, shows the brain, and ends with exit code 0; nobody answers there any more."""
    program("--brain", program.brain, "remember", "The kettle is descaled in spring")
    with dashboard(program, "--port", "0") as process:
        visitor = visitor_by(first_line(process))
        page = visitor("/")
        process.send_signal(ending)
        code = process.wait(timeout=30)

        assert (200, 0) == (page.status, code)
        assert "The kettle is descaled in spring" in page.text
        with pytest.raises(OSError):
            visitor("/")


def test_dashboard_says_a_taken_port(program: Program) -> None:
    """Two of them cannot share one; the second ends with exit code 1 and the way out."""
    with dashboard(program, "--port", "0") as process:
        port = str(urlsplit(first_line(process)).port)
        done = program("--brain", program.brain, "dashboard", "--no-open", "--port", port)

    assert (1, True) == (done.code, "--port" in done.err)


def test_dashboard_of_an_unknown_brain_is_refused(program: Program) -> None:
    """A typing error ends it; a page about nothing would be no help."""
    done = program("--brain", "nobody", "dashboard", "--no-open", "--port", "0")

    assert (5, "") == (done.code, done.out)


def test_dashboard_waits_for_a_database_that_is_down(program: Program) -> None:
    """It says so, serves, and the page says so too with 503."""
    down = f"bolt://127.0.0.1:{free_port()}"
    with dashboard(program, "--port", "0", BRAINBRIDGE_URI=down, BRAINBRIDGE_CONNECT_TIMEOUT="1") as process:
        page = visitor_by(first_line(process))("/")

    assert 503 == page.status
    assert down in page.text


def test_the_daemon_serves_the_page(program: Program) -> None:
    """Switched on, it does; `dashboard` then prints a login URL for it and ends."""
    home = Path(program.environment["BRAINBRIDGE_HOME"])
    web = {"BRAINBRIDGE_WEB__ENABLED": "true", "BRAINBRIDGE_WEB__PORT": str(free_port())}
    program("--brain", program.brain, "remember", "The kettle is descaled in spring")
    with running_daemon(program.brain, program.environment | web) as process:
        done = program("--brain", program.brain, "dashboard", "--no-open", "--json", **web)
        page = visitor_by(done.json["url"])("/")
        process.terminate()
        code = process.wait(timeout=30)

    assert (0, 200, 0) == (done.code, page.status, code)
    assert f":{web['BRAINBRIDGE_WEB__PORT']}/login?token=" in done.json["url"]
    assert "The kettle is descaled in spring" in page.text
    assert [f"http://127.0.0.1:{web['BRAINBRIDGE_WEB__PORT']}/"] == [e["url"] for e in log_events(home, "page.served")]


def test_a_daemon_without_its_port_goes_on(program: Program) -> None:
    """A port that somebody else has costs the page, not the schedule; the log says so."""
    home = Path(program.environment["BRAINBRIDGE_HOME"])
    with dashboard(program, "--port", "0") as other:
        port = str(urlsplit(first_line(other)).port)
        web = {"BRAINBRIDGE_WEB__ENABLED": "true", "BRAINBRIDGE_WEB__PORT": port}
        with running_daemon(program.brain, program.environment | web) as process:
            wait_until(lambda: log_events(home, "consolidation.finished"), "the first run")
            running = process.poll() is None

    assert running
    assert [port in event["error"] for event in log_events(home, "page.refused")] == [True]


def test_a_daemon_serves_nothing_unasked(program: Program) -> None:
    """Without the setting no port is opened, and `dashboard` finds nothing to lead to."""
    home = Path(program.environment["BRAINBRIDGE_HOME"])
    with (
        running_daemon(program.brain, program.environment),
        dashboard(program, "--port", "0") as process,
    ):
        assert visitor_by(first_line(process))("/").status == 200

    assert [] == log_events(home, "page.served")


def test_a_report_is_written_whole_and_private(program: Program, tmp_path: Path) -> None:
    """One file, for its owner alone; the next report takes its place, with nothing left beside it."""
    program("--brain", program.brain, "remember", "The kettle is descaled in spring")
    file = tmp_path / "report.html"

    first = program("--brain", program.brain, "report", "--html", str(file))
    text = file.read_text(encoding="utf-8")
    second = program("--brain", program.brain, "report", "--period", "month", "--html", str(file), "--json")

    assert (0, 0) == (first.code, second.code)
    assert {"schema": "brainbridge.report-html/1", "period": "month", "file": str(file)} == second.json
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert [file] == [path for path in tmp_path.iterdir() if path.is_file()]
    assert "The kettle is descaled in spring" in text
    assert "<script" not in text
    assert "The last 30 days" in file.read_text(encoding="utf-8")


def test_a_report_replaces_no_file_but_a_report(program: Program, tmp_path: Path) -> None:
    """Exit code 7, and the file is what it was, unless --force."""
    file = tmp_path / "letter.html"
    file.write_text("<p>Dear Milo</p>", encoding="utf-8")

    refused = program("--brain", program.brain, "report", "--html", str(file))
    kept = file.read_text(encoding="utf-8")
    forced = program("--brain", program.brain, "report", "--html", str(file), "--force")

    assert (7, "<p>Dear Milo</p>", 0) == (refused.code, kept, forced.code)
    assert "--force" in refused.err
    assert "brainbridge report" in file.read_text(encoding="utf-8")


def test_a_report_goes_to_standard_output(program: Program) -> None:
    """For a pipe: the document and nothing else."""
    done = program("--brain", program.brain, "report", "--html", "-")

    assert done.code == 0
    assert done.out.strip().startswith("<!doctype html>")
    assert done.out.strip().endswith("</html>")
