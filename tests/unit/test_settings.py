"""Settings: which source wins, what is refused, and that no password is ever shown."""

import os
from datetime import timedelta
from pathlib import Path

import pytest

from brainbridge.domain.errors import SettingsError
from brainbridge.settings import LearningSettings, Settings, config_file, load_settings


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only what a test sets is set."""
    for name in list(os.environ):
        if name.upper().startswith(("BRAINBRIDGE_", "NEO4J_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("BRAINBRIDGE_CONFIG", str(tmp_path / "config.toml"))


@pytest.fixture
def toml() -> Path:
    """The configuration file, private to its owner; write to it."""
    file = config_file()
    file.touch(mode=0o600)
    return file


def test_flags_win_over_environment_over_file_over_defaults(monkeypatch: pytest.MonkeyPatch, toml: Path) -> None:
    """Each source is heard only where no stronger one speaks."""
    seen = [load_settings().database]
    toml.write_text('database = "from-file"\n')
    seen.append(load_settings().database)
    monkeypatch.setenv("BRAINBRIDGE_DATABASE", "from-environment")
    seen.append(load_settings().database)
    seen.append(load_settings(database="from-flag").database)

    assert seen == ["neo4j", "from-file", "from-environment", "from-flag"]


def test_a_flag_that_is_not_given_leaves_the_setting_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """None means "not given", not "none"."""
    monkeypatch.setenv("BRAINBRIDGE_URI", "bolt://127.0.0.1:7687")

    assert load_settings(uri=None).uri == "bolt://127.0.0.1:7687"


@pytest.mark.parametrize("variable", ["BRAINBRIDGE_URI", "NEO4J_URI"])
def test_the_address_in_the_environment_wins_over_the_file(
    variable: str, monkeypatch: pytest.MonkeyPatch, toml: Path
) -> None:
    """An alias is an environment variable like any other: it is stronger than the file."""
    toml.write_text('uri = "bolt://from-file:7687"\n')
    monkeypatch.setenv(variable, "bolt://from-environment:7687")

    assert load_settings().uri == "bolt://from-environment:7687"
    assert load_settings(uri="bolt://from-flag:7687").uri == "bolt://from-flag:7687"


def test_neo4j_variables_are_aliases(monkeypatch: pytest.MonkeyPatch) -> None:
    """NEO4J_URI and its like are understood as other Neo4j programs, and the file that Aura gives, mean them."""
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:7687")
    monkeypatch.setenv("NEO4J_USERNAME", "reader")
    monkeypatch.setenv("NEO4J_PASSWORD", "s3cret-word")
    monkeypatch.setenv("NEO4J_DATABASE", "notes")

    settings = load_settings()

    assert (settings.uri, settings.username, settings.database) == ("bolt://127.0.0.1:7687", "reader", "notes")
    assert settings.password is not None
    assert settings.password.get_secret_value() == "s3cret-word"


def test_our_own_names_win_over_the_aliases(monkeypatch: pytest.MonkeyPatch) -> None:
    """BRAINBRIDGE_URI is the more specific of the two."""
    monkeypatch.setenv("NEO4J_URI", "bolt://general:7687")
    monkeypatch.setenv("BRAINBRIDGE_URI", "bolt://specific:7687")

    assert load_settings().uri == "bolt://specific:7687"


def test_sections_are_reached_with_two_underscores(monkeypatch: pytest.MonkeyPatch, toml: Path) -> None:
    """One value of a section can come from the environment while another comes from the file."""
    toml.write_text('[server]\nheap = "1g"\nbolt_port = 7001\n\n[daemon]\ninterval_minutes = 5\n')
    monkeypatch.setenv("BRAINBRIDGE_SERVER__BOLT_PORT", "7002")

    settings = load_settings()

    assert (settings.server.bolt_port, settings.server.heap, settings.daemon.interval_minutes) == (7002, "1g", 5.0)


@pytest.mark.parametrize(
    ("variable", "meant"),
    [
        ("BRAINBRIDGE_URL", "BRAINBRIDGE_URI"),
        ("BRAINBRIDGE_PASWORD", "BRAINBRIDGE_PASSWORD"),
        ("BRAINBRIDGE_SERVER__BOLT_PROT", "BRAINBRIDGE_SERVER__BOLT_PORT"),
        ("BRAINBRIDGE_DEAMON__INTERVAL_MINUTES", "BRAINBRIDGE_DAEMON__INTERVAL_MINUTES"),
    ],
)
def test_a_typing_error_in_the_environment_is_named(variable: str, meant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable of ours that is no setting is refused, with what was probably meant."""
    monkeypatch.setenv(variable, "1")

    with pytest.raises(SettingsError, match=f"{variable} is not a setting.*Did you mean {meant}"):
        load_settings()


def test_a_variable_like_no_setting_points_to_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is close, the text says where to look."""
    monkeypatch.setenv("BRAINBRIDGE_SOMETHING_ALTOGETHER_UNHEARD_OF", "1")

    with pytest.raises(SettingsError, match="config show --origin"):
        load_settings()


@pytest.mark.parametrize(
    ("text", "name", "meant"),
    [
        ('urri = "bolt://x"\n', "urri", "uri"),
        ("[server]\nbolt_prot = 7001\n", "server.bolt_prot", "server.bolt_port"),
        ("[daemon]\ninterval = 5\n", "daemon.interval", "daemon.interval_minutes"),
    ],
)
def test_a_typing_error_in_the_file_is_named(text: str, name: str, meant: str, toml: Path) -> None:
    """The setting, the file and what was probably meant."""
    toml.write_text(text)

    with pytest.raises(SettingsError) as refused:
        load_settings()

    assert f"{name} in {toml} is not a setting. Did you mean {meant}?" in str(refused.value)


def test_an_unknown_name_in_a_profile_is_refused(toml: Path) -> None:
    """Profiles of brains are checked like everything else."""
    toml.write_text('[brains.milo]\nurri = "bolt://x"\n')

    with pytest.raises(SettingsError, match=r"brains\.milo\.urri"):
        load_settings()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[server]\nbolt_port = 70000\n", "server.bolt_port"),
        ('[server]\nheap = "lots"\n', "server.heap"),
        ("[daemon]\ninterval_minutes = 60\n", "daemon.interval_minutes"),
        ("connect_timeout = 0\n", "connect_timeout"),
        ('[server]\nprofile = "fast"\n', "server.profile"),
    ],
)
def test_a_value_outside_its_range_is_refused_by_name(text: str, name: str, toml: Path) -> None:
    """The schedule stays under the hour that the model allows, ports are ports, sizes are sizes."""
    toml.write_text(text)

    with pytest.raises(SettingsError, match=f"the setting {name} cannot be"):
        load_settings()


@pytest.mark.parametrize("raw", [b"uri = \n", b"= 1\n", b'uri = "\xff"\n'])
def test_a_file_that_is_no_toml_is_refused_with_its_place(raw: bytes, toml: Path) -> None:
    """The text names the file, not only the fault."""
    toml.write_bytes(raw)

    with pytest.raises(SettingsError, match=r"config\.toml is not valid TOML"):
        load_settings()


@pytest.mark.parametrize(
    "text",
    [
        'password = "s3cret-word"\n',
        '[brains.milo]\npassword = "s3cret-word"\n',
        '[mcp]\ntoken = "s3cret-word-s3cret-word"\n',
    ],
)
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_password_that_others_can_read_is_refused(text: str, mode: int, toml: Path) -> None:
    """Also one in a profile, and a token; the text says how to mend it and does not repeat the password."""
    toml.write_text(text)
    toml.chmod(mode)

    with pytest.raises(SettingsError, match="chmod 600") as refused:
        load_settings()

    assert "s3cret-word" not in str(refused.value)


def test_a_private_file_may_hold_a_password_and_a_public_one_the_rest(toml: Path) -> None:
    """Only the combination is refused."""
    toml.write_text('password = "s3cret-word"\n')
    toml.chmod(0o600)
    private = load_settings()
    toml.write_text('database = "shared"\n')
    toml.chmod(0o644)
    public = load_settings()

    assert private.password is not None
    assert public.database == "shared"


def test_no_password_is_in_a_repr_or_a_dump(monkeypatch: pytest.MonkeyPatch, toml: Path) -> None:
    """Neither of the settings nor of a profile; a log line or a traceback may show either."""
    monkeypatch.setenv("NEO4J_PASSWORD", "s3cret-word")
    toml.write_text('[brains.milo]\npassword = "s3cret-too"\n')

    settings = load_settings()

    shown = f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"
    assert [secret for secret in ("s3cret-word", "s3cret-too") if secret in shown] == []


def test_a_malformed_password_is_not_repeated(toml: Path) -> None:
    """The value of a setting is shown in an error, but never a password's."""
    toml.write_text("password = 1234567\n")

    with pytest.raises(SettingsError, match="hidden") as refused:
        load_settings()

    assert "1234567" not in str(refused.value)


def test_a_profile_is_laid_over_the_settings_of_its_brain_only(toml: Path) -> None:
    """What the profile names replaces the general value, what it leaves out stays, other brains see nothing of it."""
    toml.write_text(
        'uri = "bolt://general:7687"\ndatabase = "neo4j"\n\n'
        '[brains.milo]\nuri = "bolt://own:7687"\nusername = "milo"\npassword = "s3cret-word"\n'
    )
    toml.chmod(0o600)

    settings = load_settings()
    milo, other, none = settings.for_brain("milo"), settings.for_brain("hazel"), settings.for_brain(None)

    assert (milo.uri, milo.username, milo.database) == ("bolt://own:7687", "milo", "neo4j")
    assert milo.password is not None
    assert milo.password.get_secret_value() == "s3cret-word"
    assert other is settings
    assert none is settings


def test_an_address_from_a_flag_or_the_environment_leaves_a_profile_out(
    monkeypatch: pytest.MonkeyPatch, toml: Path
) -> None:
    """A profile's password is for the profile's address; it is never offered to another one."""
    toml.write_text('[brains.milo]\nuri = "bolt://own:7687"\npassword = "s3cret-word"\n')

    from_flag = load_settings(uri="bolt://flag:7687").for_brain("milo")
    monkeypatch.setenv("NEO4J_URI", "bolt://environment:7687")
    from_environment = load_settings().for_brain("milo")

    assert ("bolt://flag:7687", None) == (from_flag.uri, from_flag.password)
    assert ("bolt://environment:7687", None) == (from_environment.uri, from_environment.password)


def test_settings_do_not_change_under_those_who_hold_them() -> None:
    """They are frozen, sections too."""
    settings = load_settings()

    with pytest.raises(ValueError, match="frozen"):
        settings.database = "other"
    with pytest.raises(ValueError, match="frozen"):
        settings.server.bolt_port = 7001


def test_a_password_from_a_flag_cannot_be_given_on_a_command_line() -> None:
    """There is no such option: what stands in argv is seen by every user of the machine."""
    from brainbridge.cli.root import cli

    options = {name for parameter in cli.params for name in parameter.opts}
    assert [name for name in options if "pass" in name] == []


def test_the_log_lies_below_home() -> None:
    """One home holds everything that must survive; moving it moves the log."""
    settings = Settings(home=Path("/somewhere"))

    assert Path("/somewhere/logs/consolidation.log") == settings.log_file


def test_the_interval_stays_below_the_hour() -> None:
    """The default schedule is 15 minutes, and 60 are refused (see above): the reinforcement cap counts on it."""
    assert load_settings().daemon.interval_minutes == 15.0


@pytest.mark.parametrize(
    ("days", "kept", "raised"),
    [(0, None, False), (1, 60, True), (59, 60, True), (60, 60, False), (180, 180, False), (9000, 9000, False)],
)
def test_records_are_kept_sixty_days_at_least(days: int, kept: int | None, raised: bool) -> None:
    """0 is for ever; what is less than 60 counts as 60, and it can be said so (R-003-28)."""
    learning = LearningSettings(event_retention_days=days)

    assert (timedelta(days=kept) if kept else None, raised) == (learning.retention, learning.retention_was_raised)


def test_what_is_learned_is_a_section_of_its_own(monkeypatch: pytest.MonkeyPatch, toml: Path) -> None:
    """From the file and from the environment; a typing error is named with what was probably meant (R-003-29, -38)."""
    toml.write_text("[learning]\nevent_retention_days = 90\nlog_misses = false\n")
    monkeypatch.setenv("BRAINBRIDGE_LEARNING__SHADOW_RANKING", "false")
    learning = load_settings().learning
    toml.write_text("[learning]\nlog_miss = false\n")

    assert (90, False, False) == (learning.event_retention_days, learning.log_misses, learning.shadow_ranking)
    with pytest.raises(SettingsError, match=r"Did you mean learning\.log_misses"):
        load_settings()
    toml.write_text("[learning]\nevent_retention_days = -1\n")
    with pytest.raises(SettingsError, match="event_retention_days"):
        load_settings()
