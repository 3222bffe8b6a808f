"""Hooks in other programs' settings: put in beside what is there, found again, taken out without a trace."""

import json
import os
import shlex
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.domain.errors import BrainbridgeError, InvalidValue, UsageError
from brainbridge.hooks import files
from brainbridge.hooks.agents import AGENTS
from brainbridge.hooks.entries import bare, is_ours, our_commands, with_ours, without_ours
from brainbridge.hooks.install import Place, carry_out, hook_command, planned_install, planned_removal, status

WITH_SETTINGS = [name for name, agent in AGENTS.items() if agent.settings is not None]
FOREIGN: dict[str, dict[str, Any]] = {
    "claude": {
        "permissions": {"allow": ["Bash(ls:*)"], "deny": []},
        "hooks": {
            "SessionEnd": [{"hooks": [{"type": "command", "command": "say bye", "timeout": 3}]}],
            "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "check"}]}],
        },
        "model": "opus",
    },
    "codex": {"description": "mine", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}},
    "gemini": {"ui": {"theme": "Größe 🚀"}, "hooks": {"BeforeTool": [{"matcher": ".*", "hooks": []}]}},
    "cursor": {"version": 1, "hooks": {"stop": [{"command": "./beep.sh"}], "afterFileEdit": []}},
}
# How people's files look: two blanks, four, tabs, one line, Windows, no end of line, escapes.
STYLES: dict[str, Callable[[Any], bytes]] = {
    "two": lambda document: (json.dumps(document, indent=2) + "\n").encode(),
    "four": lambda document: json.dumps(document, indent=4, ensure_ascii=False).encode(),
    "tabs": lambda document: (json.dumps(document, indent="\t") + "\n\n").encode(),
    "one line": lambda document: json.dumps(document, separators=(",", ":")).encode(),
    "windows": lambda document: json.dumps(document, indent=2).replace("\n", "\r\n").encode(),
}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A user whose home is the test's own."""
    return Place(tmp_path / "user", environ={"PATH": os.environ["PATH"]})


def install(name: str, place: Place, brain: str = "milo") -> None:
    carry_out(planned_install(name, brain, place))


def remove(name: str, place: Place) -> None:
    carry_out(planned_removal(name, place))


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder with its bytes, every folder with None."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
    }


@pytest.mark.parametrize("name", WITH_SETTINGS)
@pytest.mark.parametrize("style", STYLES)
def test_what_was_there_is_kept_and_comes_back_byte_for_byte(place: Place, name: str, style: str) -> None:
    """Other keys and other hooks stand where they stood; after the removal every byte is what it was."""
    file = place.settings_file(AGENTS[name])
    file.parent.mkdir(parents=True)
    file.write_bytes(STYLES[style](FOREIGN[name]))
    file.chmod(0o640)
    before = tree(place.home)

    install(name, place)
    installed = json.loads(file.read_bytes())
    assert without_ours(installed, AGENTS[name]) == FOREIGN[name]
    assert [key for key in installed if key in FOREIGN[name]] == list(FOREIGN[name])
    assert files.backup_of(file).read_bytes() == before[file.relative_to(place.home).as_posix()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in (file, files.backup_of(file))} == {0o640}
    assert (b"\r\n" in file.read_bytes()) == (style == "windows")

    remove(name, place)
    assert tree(place.home) == before
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_where_nothing_was_nothing_stays(place: Place, name: str) -> None:
    """A file, a skill and folders that the installation made go with it; all of them were private."""
    place.home.mkdir()

    install(name, place)
    assert {path.stat().st_mode & 0o777 for path in place.home.rglob("*") if path.is_file()} == {0o600}
    remove(name, place)

    assert tree(place.home) == {}


@pytest.mark.parametrize("content", [b"", b"{}", b"{ }\n", b'{"hooks": {}}', b'{"hooks":{"SessionEnd":[], "stop":[]}}'])
@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_an_empty_file_comes_back_empty(place: Place, name: str, content: bytes) -> None:
    """It was there, so it stays."""
    file = place.settings_file(AGENTS[name])
    file.parent.mkdir(parents=True)
    file.write_bytes(content)

    install(name, place)
    assert status(name, place).state == "installed"
    remove(name, place)

    assert file.read_bytes() == content
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("name", [*WITH_SETTINGS])
def test_again_changes_nothing(place: Place, name: str) -> None:
    """Nothing to do; with another brain the commands change and the copy stays the first one."""
    file = place.settings_file(AGENTS[name])
    file.parent.mkdir(parents=True)
    file.write_bytes(STYLES["one line"](FOREIGN[name]))
    original = file.read_bytes()

    install(name, place)
    assert planned_install(name, "milo", place) == []
    install(name, place, brain="ada")
    commands = status(name, place).commands
    assert all("--brain=ada" in command for command in commands.values())
    assert len(commands) == 3
    assert files.backup_of(file).read_bytes() == original
    remove(name, place)

    assert planned_removal(name, place) == []
    assert file.read_bytes() == original


@pytest.mark.parametrize("name", WITH_SETTINGS)
def test_what_was_changed_since_is_kept(place: Place, name: str) -> None:
    """The user's later changes stay; only our entries go."""
    file = place.settings_file(AGENTS[name])
    file.parent.mkdir(parents=True)
    file.write_bytes(STYLES["two"](FOREIGN[name]))
    install(name, place)
    file.write_bytes(STYLES["two"](json.loads(file.read_bytes()) | {"later": True}))

    remove(name, place)

    assert json.loads(file.read_bytes()) == FOREIGN[name] | {"later": True}
    assert list(file.parent.iterdir()) == [file]


def test_entries_in_a_group_with_others_are_taken_out_of_it() -> None:
    """Somebody put another command beside ours: it stays."""
    agent = AGENTS["claude"]
    document = with_ours({}, agent, lambda event: hook_command("milo", "claude", event, {}))
    document["hooks"]["SessionEnd"][0]["hooks"].append({"type": "command", "command": "say bye"})

    assert without_ours(document, agent) == {
        "hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "say bye"}]}]}
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"a": 1 // comment\n}', "not plain JSON"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b"[]", "no JSON object"),
        (b'{"hooks": []}', '"hooks" is not an object'),
        (b'{"hooks": {"SessionEnd": {}}}', '"hooks.SessionEnd" is not a list'),
        (b"\xff\xfe{}", "not plain JSON"),
    ],
)
def test_a_file_that_cannot_be_kept_whole_is_refused(place: Place, content: bytes, said: str) -> None:
    """What was wrong and with which file; not a byte is changed."""
    file = place.settings_file(AGENTS["claude"])
    file.parent.mkdir(parents=True)
    file.write_bytes(content)

    with pytest.raises(InvalidValue, match=said):
        planned_install("claude", "milo", place)
    assert tree(file.parent) == {"settings.json": content}


def test_a_link_is_followed(place: Place, tmp_path: Path) -> None:
    """Settings are often links into a repository of such files."""
    file = place.settings_file(AGENTS["claude"])
    file.parent.mkdir(parents=True)
    (tmp_path / "dotfiles.json").write_text("{}")
    file.symlink_to(tmp_path / "dotfiles.json")

    install("claude", place)
    assert file.is_symlink()
    assert our_commands(json.loads((tmp_path / "dotfiles.json").read_text()), AGENTS["claude"])
    remove("claude", place)
    assert file.is_symlink()
    assert (tmp_path / "dotfiles.json").read_text() == "{}"


def test_a_file_that_cannot_be_written_is_an_error_with_its_name(place: Place) -> None:
    """And is what it was."""
    place.home.mkdir()
    (place.home / ".cursor").write_text("a file where a folder should be")

    with pytest.raises(BrainbridgeError, match=r"hooks\.json"):
        install("cursor", place)


def test_project_and_agents_own_variables_decide_the_file(tmp_path: Path) -> None:
    """Claude Code's project settings are the personal ones, which are not shared by git."""
    project = Place(tmp_path, tmp_path / "work")
    moved = Place(tmp_path, environ={"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x"})

    assert [
        project.settings_file(AGENTS[name]).relative_to(tmp_path / "work").as_posix() for name in WITH_SETTINGS
    ] == [
        ".claude/settings.local.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".cursor/hooks.json",
    ]
    assert [str(moved.settings_file(AGENTS[name])) for name in ("claude", "codex")] == [
        "/c/settings.json",
        "/x/hooks.json",
    ]


def test_the_end_of_a_session_states_its_own_timeout() -> None:
    """Claude Code gives all hooks of a session's end 1.5 s in all, unless one of them asks for more."""
    document = with_ours({}, AGENTS["claude"], lambda event: f"brainbridge-hook claude {event}")

    assert document["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] == 10


def test_a_command_carries_places_but_no_password() -> None:
    """By the script's full path; what was set at the installation is set for the hook, secrets excepted."""
    environ = {"BRAINBRIDGE_HOME": "/a b", "BRAINBRIDGE_PASSWORD": "hush", "BRAINBRIDGE_URI": "bolt://x"}

    words = shlex.split(hook_command("milo", "claude", "SessionEnd", environ))

    assert words[:2] == ["env", "BRAINBRIDGE_HOME=/a b"]
    assert Path(words[2]).is_absolute()
    assert words[3:] == ["--brain=milo", "claude", "SessionEnd"]
    assert is_ours({"command": shlex.join(words)})


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("brainbridge-hook claude Stop", True),
        ("env A=b '/opt/my tools/brainbridge-hook' --brain=x claude Stop", True),
        ("python -P -m brainbridge.hooks claude Stop", True),
        ("brainbridge goodbye --brain=milo", False),
        ("echo brainbridge-hooks", False),
        ("broken 'quote", False),
        (7, False),
    ],
)
def test_ours_is_what_runs_our_hook(command: object, ours: bool) -> None:
    """A goodbye line that somebody wrote by hand is theirs."""
    assert is_ours({"command": command}) == ours


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(
    document=st.dictionaries(st.text(max_size=8).filter(lambda key: key != "hooks"), JSON, max_size=4),
    hooks=st.dictionaries(st.sampled_from(["SessionEnd", "stop", "PreToolUse", "x"]), st.lists(JSON, max_size=3)),
    name=st.sampled_from(WITH_SETTINGS),
)
def test_out_undoes_in_for_any_document(document: dict[str, Any], hooks: dict[str, list[Any]], name: str) -> None:
    """Whatever else stands there, of whatever shape, is what it was; in twice is in once."""
    agent = AGENTS[name]
    before = {**agent.fresh, **document, "hooks": hooks}

    once = with_ours(before, agent, lambda event: f"brainbridge-hook {event}")

    assert with_ours(once, agent, lambda event: f"brainbridge-hook {event}") == once
    assert bare(without_ours(once, agent)) == bare(before)


# The skill


def test_a_skill_of_the_users_own_is_left_alone(place: Place) -> None:
    """Also one of ours that was changed: it is neither replaced nor removed."""
    skill = place.skill_file(AGENTS["claude"])
    install("claude", place)
    ours = skill.read_text(encoding="utf-8")
    assert "--brain=milo" in ours
    install("claude", place, brain="ada")
    assert "--brain=ada" in skill.read_text(encoding="utf-8")

    skill.write_text(ours.replace("Goodbye", "Farewell"), encoding="utf-8")
    assert planned_install("claude", "ada", place) == []
    remove("claude", place)

    assert "Farewell" in skill.read_text(encoding="utf-8")


# git


@pytest.fixture
def repository(tmp_path: Path) -> Place:
    """A user in a git repository of the test's own."""
    project = tmp_path / "repository"
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "ada" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        "BRAINBRIDGE_HOME": str(tmp_path / "home"),
    }
    subprocess.run(["git", "init", "-q", str(project)], env=environ, check=True)
    shutil.rmtree(project / ".git" / "hooks", ignore_errors=True)
    return Place(tmp_path, project, environ)


def hook_file(repository: Place) -> Path:
    assert repository.project is not None
    return repository.project / ".git" / "hooks" / "post-commit"


def test_a_hook_that_was_there_is_called_first_and_comes_back(repository: Place) -> None:
    """Its output and its exit code are what they were; the removal restores it with its permissions."""
    file = hook_file(repository)
    file.parent.mkdir()
    file.write_bytes(b'#!/bin/sh\necho "before $#"; exit 3\n')
    file.chmod(0o750)
    before = file.read_bytes()

    install("git", repository)
    # In place of the real hook, so that no worker is started here.
    written = file.read_text()
    file.write_text(written.replace(status("git", repository).commands["post-commit"], "echo never-seen"))
    done = subprocess.run([file], capture_output=True, text=True, check=False)
    file.write_text(written)
    assert (done.returncode, done.stdout, done.stderr) == (3, "before 0\n", "")
    assert status("git", repository).state == "installed"
    assert planned_install("git", "milo", repository) == []
    remove("git", repository)

    assert tree(file.parent) == {"post-commit": before}
    assert stat.S_IMODE(file.stat().st_mode) == 0o750
    assert status("git", repository).state == "absent"


def test_a_new_git_hook_is_executable_and_goes_without_a_trace(repository: Place) -> None:
    """In a repository without hooks."""
    file = hook_file(repository)

    install("git", repository)
    assert os.access(file, os.X_OK)
    assert subprocess.run(["sh", "-n", file], check=False).returncode == 0
    remove("git", repository)

    assert not file.exists()
    assert planned_removal("git", repository) == []


def test_two_hooks_of_others_are_not_lost(repository: Place) -> None:
    """Somebody replaced ours while the one before it was kept: neither is overwritten."""
    file = hook_file(repository)
    file.parent.mkdir()
    file.write_bytes(b"#!/bin/sh\n# first\n")
    install("git", repository)
    file.write_bytes(b"#!/bin/sh\n# second\n")

    with pytest.raises(UsageError, match="Move one of the two away"):
        planned_install("git", "milo", repository)
    assert planned_removal("git", repository) == []


def test_outside_a_repository_git_is_refused(tmp_path: Path) -> None:
    """With the folder's name."""
    environ = {"PATH": os.environ["PATH"], "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
    with pytest.raises(UsageError, match="no git repository"):
        planned_install("git", "milo", Place(tmp_path, tmp_path, environ))


def test_without_git_it_is_said(tmp_path: Path) -> None:
    """What is missing, not a traceback."""
    with pytest.raises(UsageError, match="git cannot be run"):
        planned_install("git", "milo", Place(tmp_path, tmp_path, {"PATH": str(tmp_path)}))
