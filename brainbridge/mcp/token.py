"""The token that HTTP callers present: the settings', else one made once and kept in a file of the owner's."""

import os
import secrets
import stat
from pathlib import Path

from brainbridge.domain.errors import BrainbridgeError, SettingsError
from brainbridge.settings import Settings


def token_file(settings: Settings) -> Path:
    """Where the token is kept if the settings give none."""
    return settings.home / "mcp-token"


def callers_token(settings: Settings) -> str:
    """The token, made if there is none yet.

    Raises:
        SettingsError: others can read the file, or it is empty. BrainbridgeError: it cannot be read or written.
    """
    if settings.mcp.token is not None:
        return settings.mcp.token.get_secret_value()
    file = token_file(settings)
    try:
        if not file.exists():
            _make(file)
        return _checked(file)
    except OSError as error:
        raise BrainbridgeError(
            f"cannot keep the token in {file}: {error.strerror}. Nothing was served. Give yourself the right, "
            "or set BRAINBRIDGE_MCP__TOKEN."
        ) from error


def _make(file: Path) -> None:
    """Write a new token, whole before it is seen; of two who do so at once the first one's stays."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as stream:
            stream.write(f"{secrets.token_urlsafe(32)}\n")
        file.hardlink_to(part)
    except FileExistsError:
        pass
    finally:
        part.unlink(missing_ok=True)


def _checked(file: Path) -> str:
    if os.name == "posix" and file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise SettingsError(f"{file} is the key to the brain and others can read it. Run: chmod 600 {file}")
    token = file.read_text(encoding="utf-8").strip()
    if not token:
        raise SettingsError(f"{file} is empty. Remove it: a new token is made then.")
    return token
