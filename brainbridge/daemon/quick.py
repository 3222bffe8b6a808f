"""The two settings that a goodbye or a hook needs, read with the standard library: pydantic alone would take 0.3 s.

`brainbridge.settings` is the authority; a test holds both to the same answer in every combination of sources.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class QuickSettings(NamedTuple):
    """`Settings.home` and `Settings.brain`."""

    home: Path
    brain: str | None


def quick_settings(environ: Mapping[str, str] = os.environ) -> QuickSettings:
    """Environment, else the TOML file, else the platform's default.

    Raises:
        ValueError: the file is not TOML, or holds something else than text for one of the two, or home is no whole
            path.
        OSError: the file cannot be read.
    """
    # Upper and lower case are one, as they are to pydantic-settings.
    given = {name.upper(): value for name, value in environ.items()}
    home, brain = given.get("BRAINBRIDGE_HOME"), given.get("BRAINBRIDGE_BRAIN")
    if home is None or brain is None:
        written = _written(_config_file(environ))
        home = written.get("home") if home is None else home
        brain = written.get("brain") if brain is None else brain
    if home is None:
        return QuickSettings(usual_home(environ), brain)
    folder = Path(home).expanduser()
    if not folder.is_absolute():
        raise ValueError(f"home is {home!r}: give a whole path, or one that begins with ~")
    return QuickSettings(folder, brain)


def usual_home(environ: Mapping[str, str] = os.environ) -> Path:
    """The home where the configuration file names none, or cannot be read."""
    named = Path({name.upper(): value for name, value in environ.items()}.get("BRAINBRIDGE_HOME", "")).expanduser()
    usual = _platform_folder("data", "XDG_DATA_HOME", "~/.local/share", environ)
    return named if named.is_absolute() else Path(usual)


def _config_file(environ: Mapping[str, str]) -> Path:
    named = environ.get("BRAINBRIDGE_CONFIG")
    if named:
        return Path(named).expanduser()
    return Path(_platform_folder("config", "XDG_CONFIG_HOME", "~/.config", environ)) / "config.toml"


def _platform_folder(kind: str, variable: str, default: str, environ: Mapping[str, str]) -> str:
    """What platformdirs says. On Linux said here: a hook must run without it, and it takes 10 ms."""
    if sys.platform == "linux":
        base = environ.get(variable, "")
        return os.path.join(base if os.path.isabs(base) else os.path.expanduser(default), "brainbridge")  # noqa: PTH111, PTH117, PTH118
    import platformdirs

    folder: str = getattr(platformdirs, f"user_{kind}_dir")("brainbridge")
    return folder


def _written(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    import tomllib

    document = tomllib.loads(path.read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for name in ("home", "brain"):
        if name in document:
            if not isinstance(document[name], str):
                raise ValueError(f"{name} in {path} is not text")
            found[name] = document[name]
    return found
