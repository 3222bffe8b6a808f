"""What the hook makes of each agent's events: which it answers and how, what it spools, what it never does."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from brainbridge.daemon import wire
from brainbridge.daemon.lock import attempted, daemon_lock
from brainbridge.daemon.spool import Spool
from brainbridge.hooks import main as module
from brainbridge.hooks.agents import AGENTS
from brainbridge.hooks.main import main
from tests.hooks_support import EVENTS, payload

SESSION = "7c1f3a52-9f0e-4f55-8b36-1d2a5c9e4b10"
TURN = "0199f3b2-77aa-7c11-a5f1-2f8f7c0f9d21"
PROMPT = "How do deploys of the billing service go? 🚀"
Asked = list[Mapping[str, str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRAINBRIDGE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def detached(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """How often a worker would have been started."""
    calls: list[bool] = []
    monkeypatch.setattr(module, "detach_worker", lambda: calls.append(True))
    return calls


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What the daemon is asked; it answers `a note`."""
    questions: Asked = []

    def answer(_: Path, brain: str, question: Mapping[str, str]) -> str:
        questions.append({"brain": brain, **question})
        return "a note"

    monkeypatch.setattr(wire, "ask", answer)
    return questions


@pytest.fixture
def call(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., tuple[str, str]]:
    """Call the hook with a payload; what stands on stdout and stderr. It ends with 0 every time."""

    def called(agent: str, event: str, given: Mapping[str, Any] | None = None) -> tuple[str, str]:
        monkeypatch.setattr(module, "read_payload", lambda: payload(agent, event) if given is None else given)
        assert main(["--brain=milo", agent, event]) == 0
        out, err = capfd.readouterr()
        return out, err

    return called


@pytest.mark.parametrize(
    ("agent", "event", "expected"),
    [
        (agent, event, {"hookSpecificOutput": {"hookEventName": event, "additionalContext": "a note"}})
        for agent, events in {
            "claude": ("SessionStart", "UserPromptSubmit"),
            "codex": ("SessionStart", "UserPromptSubmit"),
            "gemini": ("SessionStart", "BeforeAgent"),
        }.items()
        for event in events
    ]
    + [
        ("cursor", "sessionStart", {"additional_context": "a note"}),
        ("cursor", "beforeSubmitPrompt", {"continue": True, "additional_context": "a note"}),
    ],
)
def test_context_is_printed_as_the_agent_wants_it(
    call: Callable[..., tuple[str, str]],
    asked: Asked,
    detached: list[bool],
    home: Path,
    agent: str,
    event: str,
    expected: Mapping[str, Any],
) -> None:
    """One JSON object on stdout and nothing else; the daemon is told project and prompt; nothing is spooled."""
    out, err = call(agent, event)

    duty = AGENTS[agent].events[event].duty
    assert (json.loads(out), err) == (expected, "")
    assert asked == [
        {
            "brain": "milo",
            "event": duty,
            "session": SESSION,
            "prompt": PROMPT if duty == "prompt" else "",
            "cwd": "/home/ada/billing",
        }
    ]
    assert (detached, home.exists()) == ([], False)


@pytest.mark.parametrize(
    ("agent", "event", "key"),
    [
        ("claude", "SessionEnd", f"claude {SESSION} SessionEnd "),
        ("claude", "Stop", f"claude {SESSION} Stop "),
        ("codex", "SessionEnd", f"codex {SESSION} SessionEnd "),
        ("codex", "Stop", f"codex {SESSION} Stop {TURN}"),
        ("gemini", "SessionEnd", f"gemini {SESSION} SessionEnd 2026-10-04T09:30:00.000Z"),
        ("gemini", "AfterAgent", f"gemini {SESSION} AfterAgent 2026-10-04T09:30:00.000Z"),
        ("cursor", "sessionEnd", f"cursor {SESSION} sessionEnd {TURN}"),
        ("cursor", "stop", f"cursor {SESSION} stop {TURN}"),
    ],
)
def test_an_end_is_a_goodbye_under_its_key(
    call: Callable[..., tuple[str, str]],
    asked: Asked,
    detached: list[bool],
    home: Path,
    agent: str,
    event: str,
    key: str,
) -> None:
    """Nothing is printed; said twice it waits once; a worker is started, as no daemon runs."""
    assert [call(agent, event) for _ in range(2)] == [("", "")] * 2

    (entry,) = Spool(home).entries()
    assert (entry.brain, entry.is_test, entry.asked_by) == ("milo", False, key)
    assert (asked, len(detached)) == ([], 2)


def test_every_event_of_the_table_has_a_payload() -> None:
    """No agent's event is untested; git has none."""
    assert {(agent, event) for agent in AGENTS if agent != "git" for event in AGENTS[agent].events} == set(EVENTS)


def test_a_commit_is_a_goodbye_of_its_folder(
    call: Callable[..., tuple[str, str]],
    detached: list[bool],
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """git says nothing on stdin; ten commits while the database is down wait as one."""
    monkeypatch.chdir(tmp_path)
    for _ in range(10):
        assert call("git", "post-commit", {}) == ("", "")

    (entry,) = Spool(home).entries()
    assert entry.asked_by == f"git {tmp_path} post-commit "


def test_a_daemon_that_runs_makes_a_worker_needless(
    call: Callable[..., tuple[str, str]], detached: list[bool], home: Path
) -> None:
    """The entry is left to it."""
    with attempted(daemon_lock(home, "milo")) as ours:
        assert ours
        call("claude", "SessionEnd")

    assert (len(Spool(home).entries()), detached) == (1, [])


def test_silence_where_no_daemon_listens(
    call: Callable[..., tuple[str, str]], detached: list[bool], home: Path
) -> None:
    """No context, no worker, no file: a prompt is not written anywhere."""
    assert call("claude", "SessionStart") == ("", "")
    assert call("claude", "UserPromptSubmit") == ("", "")
    assert (detached, home.exists()) == ([], False)


def test_a_sessions_start_makes_up_for_a_goodbye_that_waits(
    call: Callable[..., tuple[str, str]], detached: list[bool], home: Path
) -> None:
    """The database was down when it was said: the next session brings a worker, the next prompt does not."""
    Spool(home).put("milo")

    call("claude", "UserPromptSubmit")
    assert detached == []
    call("claude", "SessionStart")
    assert detached == [True]


@pytest.mark.parametrize("event", ["PreToolUse", "Notification", "sessionstart", ""])
def test_other_events_are_let_pass(
    call: Callable[..., tuple[str, str]], asked: Asked, detached: list[bool], home: Path, event: str
) -> None:
    """Nothing is asked, printed or written."""
    assert call("claude", event, {"session_id": "s"}) == ("", "")
    assert (asked, detached, home.exists()) == ([], [], False)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"session_id": 7, "prompt": ["x"], "cwd": None},
        {"session_id": "../../etc\x00/passwd\n", "prompt": "\ud800", "cwd": ""},
        {"session_id": "s" * 5_000, "prompt": "p" * 500_000, "cwd": "/c"},
    ],
)
def test_a_strange_payload_does_no_harm(
    call: Callable[..., tuple[str, str]], asked: Asked, detached: list[bool], home: Path, given: Mapping[str, Any]
) -> None:
    """The duty is done with what there is: a goodbye stays in the spool, a prompt is cut to what recall looks at."""
    call("claude", "SessionEnd", given)
    call("claude", "UserPromptSubmit", given)

    (entry,) = Spool(home).entries()
    assert entry.path.parent == home / "spool"
    assert len(asked[0]["prompt"]) <= module.LONGEST_PROMPT
    assert len(json.dumps(dict(asked[0]))) <= wire.MOST_ASKED


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--brain=../x", "claude", "SessionEnd"], "'../x' is not a brain's name"),
        (["claude", "SessionEnd"], "None is not a brain's name"),
        (["--brain", "milo", "claude"], None),
        (["--brain=milo", "claud", "SessionEnd"], None),
        ([], None),
    ],
)
def test_a_wrong_command_line_fails_no_agent(
    home: Path,
    detached: list[bool],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    argv: list[str],
    said: str | None,
) -> None:
    """Exit 0 and silence. The log says what was wrong, where the words could be read."""
    monkeypatch.setattr(module, "read_payload", dict)

    assert main(argv) == 0
    assert capfd.readouterr() == ("", "")
    log_file = home / "logs" / "consolidation.log"
    logged = [json.loads(line) for line in log_file.read_text().splitlines()] if log_file.exists() else []
    assert [line["event"] for line in logged] == (["hook.failed"] if said else [])
    assert all(said is None or said in line["error"] for line in logged)
    assert (Spool(home).entries(), detached) == ([], [])


def test_a_person_who_tries_it_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a terminal a wrong command line is answered with the right one."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    assert main(["claud", "SessionEnd"]) == 0
    assert "usage: brainbridge-hook" in capsys.readouterr().err


@pytest.mark.parametrize("duty", ["UserPromptSubmit", "SessionEnd"])
def test_the_standard_library_is_enough(tmp_path: Path, duty: str) -> None:
    """No module outside of it is loaded on the way, and none of brainbridge but the hook's own few.

    What the rest costs is measured in docs/adr/0019-hooks-without-dependencies.md.
    """
    script = (
        "import sys; from brainbridge.hooks.main import main; "
        f"main(['--brain=milo', 'claude', {duty!r}]); print(*sorted(sys.modules))"
    )
    environment = {"BRAINBRIDGE_HOME": str(tmp_path / "home"), "PATH": ""}
    (tmp_path / "home" / "daemon").mkdir(parents=True)
    with attempted(daemon_lock(tmp_path / "home", "milo")):
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, input="{}", capture_output=True, text=True, check=True
        )

    loaded = done.stdout.split()
    ours = {name for name in loaded if name.partition(".")[0] == "brainbridge"}
    # Loaded by Python's own start: what .pth files of this environment import.
    before = subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    ).stdout.split()
    foreign = {name.partition(".")[0] for name in set(loaded) - set(before)} - sys.stdlib_module_names
    assert foreign == {"brainbridge"}
    assert ours <= {
        "brainbridge",
        "brainbridge.daemon",
        *(f"brainbridge.daemon.{name}" for name in ("detach", "lock", "names", "quick", "spool", "wire")),
        "brainbridge.hooks",
        *(f"brainbridge.hooks.{name}" for name in ("agents", "main", "payload")),
    }
    assert not {"dataclasses", "subprocess", "logging", "asyncio", "tomllib", "hashlib", "threading"} & set(loaded)
