"""The token of HTTP callers: made once, kept for its owner."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from brainbridge.domain.errors import BrainbridgeError, SettingsError
from brainbridge.mcp.token import callers_token, token_file
from brainbridge.settings import McpSettings, Settings


def test_many_starts_at_once_agree(tmp_path: Path) -> None:
    """The first one's token stays, and no half-written file is ever seen."""
    settings = Settings(home=tmp_path / "home")

    with ThreadPoolExecutor(8) as threads:
        tokens = set(threads.map(lambda _: callers_token(settings), range(32)))

    assert len(tokens) == 1
    assert [token_file(settings)] == list((tmp_path / "home").iterdir())
    assert 0o600 == stat.S_IMODE(token_file(settings).stat().st_mode)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    """With the command that mends it, and without the token."""
    settings = Settings(home=tmp_path)
    token = callers_token(settings)
    token_file(settings).chmod(mode)

    with pytest.raises(SettingsError, match="chmod 600") as refused:
        callers_token(settings)

    assert token not in str(refused.value)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    """An empty token would be known to everybody."""
    settings = Settings(home=tmp_path)
    token_file(settings).touch(mode=0o600)

    with pytest.raises(SettingsError, match="Remove it"):
        callers_token(settings)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """With the setting that needs no file."""
    (tmp_path / "home").write_text("not a folder")

    with pytest.raises(BrainbridgeError, match="BRAINBRIDGE_MCP__TOKEN"):
        callers_token(Settings(home=tmp_path / "home"))


def test_the_token_of_the_settings_needs_no_file(tmp_path: Path) -> None:
    """What is given wins, and nothing is written."""
    given = McpSettings(token=SecretStr("sixteen characters"))

    assert "sixteen characters" == callers_token(Settings(home=tmp_path, mcp=given))
    assert [] == list(tmp_path.iterdir())
