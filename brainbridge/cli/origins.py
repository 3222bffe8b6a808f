"""Where each setting came from: the flag, the environment variable, the file, or nowhere."""

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

from pydantic import AliasChoices, BaseModel, SecretStr
from pydantic.fields import FieldInfo

from brainbridge.settings import ENV_PREFIX, NESTED, Settings, config_file


class Origin(NamedTuple):
    """One setting as it is in force. `origin`: the variable's name, the file's path, `--uri`, or `default`."""

    name: str
    value: Any
    origin: str


def origins(settings: Settings, *, flags: Mapping[str, Any]) -> list[Origin]:
    """Every setting by its dotted name, passwords hidden.

    Args:
        flags: what the command line gave, by the setting's name; None for what it did not.
    """
    sources = _Sources.now(flags)
    return [Origin(name, _shown(value), sources.origin(name, field)) for name, value, field in _leaves(settings)]


def origin_of(name: str, *, flags: Mapping[str, Any]) -> str:
    """Where one setting of the first level comes from."""
    return _Sources.now(flags).origin(name, Settings.model_fields[name])


class _Sources(NamedTuple):
    """What could have set a setting, as it is now."""

    flags: Mapping[str, Any]
    variables: frozenset[str]
    written: Mapping[str, Any]
    file: Path

    @classmethod
    def now(cls, flags: Mapping[str, Any]) -> Self:
        file = config_file()
        written = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        return cls(flags, frozenset(name.upper() for name in os.environ), written, file)

    def origin(self, name: str, field: FieldInfo) -> str:
        if self.flags.get(name) is not None:
            return f"--{name}"
        for variable in _variables(name, field):
            if variable in self.variables:
                return variable
        return str(self.file) if _is_written(name, self.written) else "default"


def _leaves(settings: Settings) -> Iterator[tuple[str, Any, FieldInfo]]:
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        if isinstance(value, BaseModel):
            for leaf, leaf_field in type(value).model_fields.items():
                yield f"{name}.{leaf}", getattr(value, leaf), leaf_field
        elif name == "brains":
            for brain, profile in value.items():
                for leaf, leaf_field in type(profile).model_fields.items():
                    yield f"{name}.{brain}.{leaf}", getattr(profile, leaf), leaf_field
        else:
            yield name, value, field


def _variables(name: str, field: FieldInfo) -> list[str]:
    """The environment variables that can set it, the strongest first."""
    if isinstance(field.validation_alias, AliasChoices):
        return [str(choice).upper() for choice in field.validation_alias.choices[1:]]
    parts = name.upper().split(".")
    return [ENV_PREFIX + NESTED.join(parts[:depth]) for depth in range(len(parts), 0, -1)]


def _is_written(name: str, written: Mapping[str, Any]) -> bool:
    here: Any = written
    for part in name.split("."):
        if not isinstance(here, Mapping) or part not in here:
            return False
        here = here[part]
    return True


def _shown(value: Any) -> Any:
    if isinstance(value, SecretStr):
        return "(hidden)"
    return str(value) if isinstance(value, Path) else value
