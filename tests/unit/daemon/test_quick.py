"""The two settings that goodbye reads by itself are what the settings say."""

import itertools
from pathlib import Path

import pytest

from brainbridge.daemon.quick import quick_settings, usual_home
from brainbridge.settings import Settings

ABSENT: None = None
HOMES = [ABSENT, "/env/home", "~/home"]
FILES = [
    ABSENT,
    "",
    'home = "/file/home"\n',
    'brain = "milo"\n',
    'home = "/file/home"\nbrain = "milo"\n\n[daemon]\ninterval_minutes = 5\n',
    '[brains.milo]\nuri = "bolt://elsewhere:7687"\n',
]


@pytest.mark.parametrize(("home", "file"), list(itertools.product(HOMES, FILES)))
@pytest.mark.parametrize("name", ["BRAINBRIDGE_HOME", "brainbridge_home"])
def test_home_and_brain_are_the_settings_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, home: str | None, file: str | None
) -> None:
    """Environment, file and default win in the same order and give the same folder, whatever is set where."""
    monkeypatch.delenv("BRAINBRIDGE_HOME")
    monkeypatch.setenv("BRAINBRIDGE_CONFIG", str(tmp_path / "config.toml"))
    if home is not None:
        monkeypatch.setenv(name, home)
    if file is not None:
        (tmp_path / "config.toml").write_text(file, encoding="utf-8")

    settings = Settings()
    assert quick_settings() == (settings.home, settings.brain)


@pytest.mark.parametrize("brain", ["ada", ""])
def test_the_environments_brain_wins_over_the_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, brain: str
) -> None:
    """Also an empty one: it is refused later, not replaced by another brain."""
    config = tmp_path / "config.toml"
    config.write_text('brain = "milo"\n', encoding="utf-8")
    monkeypatch.setenv("BRAINBRIDGE_CONFIG", str(config))
    monkeypatch.setenv("BRAINBRIDGE_BRAIN", brain)

    assert quick_settings().brain == Settings().brain == brain


@pytest.mark.parametrize("variable", [ABSENT, "XDG_DATA_HOME"])
def test_the_platforms_default_is_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str | None
) -> None:
    """With nothing set but what the platform itself reads."""
    monkeypatch.delenv("BRAINBRIDGE_HOME")
    monkeypatch.delenv("BRAINBRIDGE_CONFIG")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "data"))

    assert quick_settings().home == Settings().home


@pytest.mark.parametrize("folder", ["~/bridge", "~"])
def test_a_home_below_the_users_is_the_same_from_everywhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str
) -> None:
    """A hook is called in every project: without this each had a spool of its own."""
    config = tmp_path / "config.toml"
    config.write_text(f'home = "{folder}"\n', encoding="utf-8")
    monkeypatch.delenv("BRAINBRIDGE_HOME")
    monkeypatch.setenv("BRAINBRIDGE_CONFIG", str(config))

    assert quick_settings().home == Settings().home == Path(folder).expanduser()
    assert quick_settings().home.is_absolute()


@pytest.mark.parametrize("folder", ["", "bridge", "./bridge"])
def test_a_home_that_moves_with_the_caller_is_refused(monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """By both; and where no file can be read it is not followed either."""
    monkeypatch.setenv("BRAINBRIDGE_HOME", folder)

    with pytest.raises(ValueError, match="whole path"):
        quick_settings()
    with pytest.raises(ValueError, match="whole path"):
        Settings()
    assert usual_home().is_absolute()


@pytest.mark.parametrize("text", ["home = ", "home = 7"])
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, text: str) -> None:
    """What the settings refuse is refused here too, not skipped."""
    config = tmp_path / "config.toml"
    config.write_text(text, encoding="utf-8")

    with pytest.raises(ValueError):
        quick_settings({"BRAINBRIDGE_CONFIG": str(config)})
