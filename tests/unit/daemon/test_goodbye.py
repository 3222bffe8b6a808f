"""The command line of goodbye: what it accepts, what it refuses, what it never fails for."""

import subprocess
import sys
from pathlib import Path

import pytest

from brainbridge.cli import goodbye as module
from brainbridge.cli.goodbye import goodbye
from brainbridge.daemon.lock import attempted, daemon_lock
from brainbridge.daemon.spool import Spool


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRAINBRIDGE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def detached(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """How often a worker would have been started: these tests look at the rest."""
    calls: list[bool] = []
    monkeypatch.setattr(module, "detach_worker", lambda: calls.append(True))
    return calls


@pytest.mark.parametrize(
    ("argv", "is_test"),
    [
        (["--brain=milo"], False),
        (["--brain", "milo"], False),
        (["goodbye", "--brain=milo"], False),
        (["--brain=milo", "goodbye", "-q"], False),
        (["--test-only", "--brain=milo", "--json"], True),
        (["--brain=milo", "--testOnly"], True),
    ],
)
def test_flags_stand_anywhere(home: Path, detached: list[bool], argv: list[str], is_test: bool) -> None:
    """Before or after the verb, in both spellings."""
    assert goodbye(argv) == 0

    (entry,) = Spool(home).entries()
    assert (entry.brain, entry.is_test, len(detached)) == ("milo", is_test, 1)


def test_the_default_brain_is_the_settings_own(
    home: Path, detached: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --brain."""
    monkeypatch.setenv("BRAINBRIDGE_BRAIN", "ada")

    assert goodbye([]) == 0
    assert [entry.brain for entry in Spool(home).entries()] == ["ada"]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--brain="], "''"),
        (["--brain"], "''"),
        (["--brain=../milo"], "'../milo'"),
        (["--brain=mi lo"], "'mi lo'"),
        (["--brian=milo"], "'--brian=milo'"),
        (["-consolidateAll"], "'-consolidateAll'"),
        ([], "no brain is named"),
    ],
)
def test_a_wrong_command_line_is_said_in_one_line(
    home: Path, detached: list[bool], capsys: pytest.CaptureFixture[str], argv: list[str], said: str
) -> None:
    """Exit 2, the value named, nothing spooled: this is seen when the hook is written, not lost in the background."""
    assert goodbye(argv) == 2

    talk = capsys.readouterr().err
    assert said in talk
    assert talk.count("\n") == 1
    assert (Spool(home).entries(), detached) == ([], [])


def test_a_daemon_that_runs_makes_a_worker_needless(home: Path, detached: list[bool]) -> None:
    """The entry is left to it; a daemon of another brain does not count."""
    with attempted(daemon_lock(home, "milo")) as ours:
        assert ours
        assert goodbye(["--brain=milo"]) == 0
        assert detached == []
        assert goodbye(["--brain=ada"]) == 0

    assert detached == [True]


@pytest.mark.parametrize("fault", ["home is a file", "configuration is broken"])
def test_a_fault_of_the_machine_never_fails_the_hook(
    tmp_path: Path,
    detached: list[bool],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    fault: str,
) -> None:
    """Exit 0 and one line on stderr, which hooks ignore and people read."""
    broken = tmp_path / "broken"
    broken.write_text("home = \n", encoding="utf-8")
    monkeypatch.setenv("BRAINBRIDGE_HOME" if fault == "home is a file" else "BRAINBRIDGE_CONFIG", str(broken))
    if fault != "home is a file":
        monkeypatch.delenv("BRAINBRIDGE_HOME")

    assert goodbye(["--brain=milo"]) == 0
    assert "not done" in capsys.readouterr().err


def test_nothing_heavy_is_imported() -> None:
    """A hook has 50 ms: no third-party package but platformdirs is loaded for a goodbye."""
    heavy = (
        "neo4j",
        "pydantic",
        "pydantic_settings",
        "structlog",
        "click",
        "rich",
        "filelock",
        "apscheduler",
        "dataclasses",
    )
    script = "import sys, brainbridge.cli.goodbye; print(*sorted({name.partition('.')[0] for name in sys.modules}))"

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()

    assert sorted(set(heavy) & set(loaded)) == []
