"""neo4j.conf and the JVM's arguments."""

from pathlib import Path

import pytest

from brainbridge.local_neo4j.conf import (
    ServerConf,
    java_command,
    jvm_arguments,
    mebibytes,
    neo4j_conf,
    refused_settings,
)
from brainbridge.local_neo4j.java import Java

NEW = ServerConf("2026.08.1", 7001, 7002, "512m", "128m")
LTS = ServerConf("5.26.30", 7001, 7002, "512m", "128m")


def settings_in(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if not line.startswith("#"))


@pytest.mark.parametrize("conf", [NEW, LTS])
def test_the_server_listens_on_loopback_only_and_calls_nobody(conf: ServerConf) -> None:
    """Every address is 127.0.0.1, https is off, and so is everything that phones home or reads files."""
    settings = settings_in(neo4j_conf(conf))

    addresses = {value for name, value in settings.items() if name.endswith("_address")}
    assert addresses == {"127.0.0.1", "127.0.0.1:7001", "127.0.0.1:7002"}
    for name in (
        "server.https.enabled",
        "dbms.usage_report.enabled",
        "client.allow_telemetry",
        "server.bolt.telemetry.enabled",
        "dbms.security.allow_csv_import_from_file_urls",
    ):
        assert settings[name] == "false"
    assert settings["internal.dbms.cypher_ip_blocklist"] == "0.0.0.0/0,::/0"


def test_each_generation_gets_only_settings_it_knows() -> None:
    """5.26 ends with rc 1 on the names that 2026.x brought, and the other way round."""
    new, lts = settings_in(neo4j_conf(NEW)), settings_in(neo4j_conf(LTS))

    assert new["db.query.default_language"] == "CYPHER_25"
    assert new.keys() - lts.keys() == {
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration",
        "db.query.default_language",
        "dbms.fleet_manager.enabled",
        "server.fleet_discovery.enabled",
        "server.http.x_forward.enabled",
    }
    assert lts.keys() - new.keys() == {"internal.dbms.bolt.netty_server_shutdown_quiet_period"}


def test_a_refused_optional_setting_is_left_out_the_next_time() -> None:
    """What the server says it does not know goes, if it is optional; a needed one stays and fails aloud."""
    output = (
        "Unrecognized setting. No declared setting with name: server.fleet_discovery.enabled.\n"
        "Unrecognized setting. No declared setting with name: server.bolt.listen_address. Cleanup the config\n"
    )

    refused = refused_settings(output, NEW)

    assert refused == {"server.fleet_discovery.enabled"}
    assert "fleet_discovery" not in neo4j_conf(NEW, without=refused)
    assert "server.bolt.listen_address" in neo4j_conf(NEW, without=refused)


def test_tests_start_quickly_and_people_get_the_whole_compiler() -> None:
    """Both use the serial collector and end on a full heap; only tests stop at the first compiler."""
    people, tests = (
        jvm_arguments(25, ServerConf("2026.08.1", 1, 2, "256m", "64m", who)) for who in ("people", "tests")
    )

    assert set(tests) - set(people) == {"-XX:TieredStopAtLevel=1"}
    assert {"-Xms128m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"} <= set(people)


@pytest.mark.parametrize(("major", "knows"), [(17, False), (21, False), (25, True)])
def test_an_older_java_is_not_given_options_it_refuses(major: int, knows: bool) -> None:
    """A JVM ends at once on an option it does not know."""
    newer = {"--sun-misc-unsafe-memory-access=allow", "-XX:+UseCompactObjectHeaders", "-XX:TrimNativeHeapInterval=5000"}

    assert (newer & set(jvm_arguments(major, NEW))) == (newer if knows else set())


def test_the_command_names_our_home_in_one_argument() -> None:
    """The argument by which a server is recognised later."""
    command = java_command(Java(Path("/j/bin/java"), 25), Path("/a b/lib"), "org.Main", Path("/home/x y"), NEW)

    assert command[0] == "/j/bin/java"
    assert command[-5:] == ["-cp", "/a b/lib/*", "org.Main", "--home-dir=/home/x y", "--config-dir=/home/x y/conf"]


@pytest.mark.parametrize(("size", "expected"), [("512m", 512), ("2g", 2048), ("65536k", 64)])
def test_memory_sizes_are_read_as_java_reads_them(size: str, expected: int) -> None:
    """k, m and g are binary."""
    assert mebibytes(size) == expected
