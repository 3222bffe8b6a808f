"""neo4j.conf and the JVM's arguments, as text: pure functions of what was decided elsewhere."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from brainbridge.local_neo4j.java import Java
from brainbridge.local_neo4j.lock import version_key

HOST = "127.0.0.1"
HOME_ARGUMENT = "--home-dir="
_REFUSED = re.compile(r"No declared setting with name: ([\w.]+\w)")
# The heap grows when it is needed; what the server takes at work is a row of bench/bench_passes.py.
_FIRST_HEAP = 128  # MiB
_OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")


@dataclass(frozen=True, slots=True)
class ServerConf:
    """What of a server's configuration varies. Memory sizes as Neo4j and Java write them: `512m`."""

    version: str
    bolt_port: int
    http_port: int
    heap: str
    page_cache: str
    profile: Literal["people", "tests"] = "people"


def neo4j_conf(conf: ServerConf, without: Collection[str] = ()) -> str:
    """The text of neo4j.conf.

    Args:
        without: optional settings that this version turned out to refuse (`refused_settings`).
    """
    optional = {name: value for name, value in _optional(conf).items() if name not in without}
    lines = [f"{name}={value}" for name, value in {**_required(conf), **optional}.items()]
    return "# Written by brainbridge at every start; changes here are lost.\n" + "\n".join(lines) + "\n"


def refused_settings(output: str, conf: ServerConf) -> set[str]:
    """The optional settings that a server's output says it does not know, so that a start without them may do.

    Neo4j ends with rc 1 on any unknown name (0.8 s). The internal ones may go in any release, and a user's own
    distribution may be of a version nobody tried; none of them is worth a server that does not come up.
    """
    return set(_REFUSED.findall(output)) & _optional(conf).keys()


def java_command(java: Java, lib: Path, main_class: str, root: Path, conf: ServerConf) -> list[str]:
    """The command line of the server.

    Args:
        lib: all its jars go on the class path.
        root: the server's home; its conf/ holds neo4j.conf.
    """
    return [
        str(java.executable),
        *jvm_arguments(java.major, conf),
        "-cp",
        f"{lib}/*",
        main_class,
        f"{HOME_ARGUMENT}{root}",
        f"--config-dir={root / 'conf'}",
    ]


def jvm_arguments(java_major: int, conf: ServerConf) -> list[str]:
    """Memory, collector, compiler and the module openings that Neo4j asks for."""
    arguments = [
        f"-Xms{_initial_heap(conf)}",
        f"-Xmx{conf.heap}",
        # Against G1 on 2 cores: 449 instead of 664 MB resident, up in 10.8 instead of 12.8 s.
        "-XX:+UseSerialGC",
        # Without it a heap too small leaves a server that is up and answers nothing.
        "-XX:+ExitOnOutOfMemoryError",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
        "--enable-native-access=ALL-UNNAMED",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Dlog4j2.disable.jmx=true",
    ]
    if conf.profile == "tests":
        # The first compiler only: up in 6.8 instead of 10.8 s, for slower long passes.
        arguments.append("-XX:TieredStopAtLevel=1")
    if java_major >= 22:  # gives back what compiling and Lucene's writers have freed
        arguments.append("-XX:TrimNativeHeapInterval=5000")
    if java_major >= 25:
        arguments.append("-XX:+UseCompactObjectHeaders")
    if java_major >= 23:  # 23 brought the option, and with 24 its absence prints warnings
        arguments.append("--sun-misc-unsafe-memory-access=allow")
    return arguments


def mebibytes(size: str) -> int:
    """`512m`, `1g` or `65536k` in MiB."""
    number, unit = int(size[:-1]), size[-1]
    return {"k": number // 1024, "m": number, "g": number * 1024}[unit]


def _initial_heap(conf: ServerConf) -> str:
    return min(conf.heap, f"{_FIRST_HEAP}m", key=mebibytes)


def _required(conf: ServerConf) -> Mapping[str, str]:
    """What the server must obey, or not start."""
    bolt, http = f"{HOST}:{conf.bolt_port}", f"{HOST}:{conf.http_port}"
    return {
        "server.default_listen_address": HOST,
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.enabled": "true",  # Neo4j Browser is served from here
        "server.http.listen_address": http,
        "server.http.advertised_address": http,
        "server.https.enabled": "false",
        "server.memory.heap.initial_size": _initial_heap(conf),
        "server.memory.heap.max_size": conf.heap,
        "server.memory.pagecache.size": conf.page_cache,
        "db.tx_log.rotation.retention_policy": "100M size",
        "db.transaction.timeout": "120s",
        "db.lock.acquisition.timeout": "30s",
        # Nothing leaves the machine and no statement reads its files.
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "dbms.security.allow_csv_import_from_file_urls": "false",
    }


def _optional(conf: ServerConf) -> Mapping[str, str]:
    """What is better with than without, per generation; dropped when the server does not know it."""
    common = {
        # A fresh store takes 2.4 MB instead of two preallocated 256 MB logs.
        "db.tx_log.preallocate": "false",
        "db.tx_log.rotation.size": "32M",
        "server.bolt.telemetry.enabled": "false",
        # A driver takes a server for frozen after two of these without a sign of life; by default after two minutes.
        "server.bolt.connection_keep_alive": "10s",
        "server.http_enabled_modules": "TRANSACTIONAL_ENDPOINTS,BROWSER",
        # LOAD CSV from no address at all.
        "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",
    }
    # Without a quiet period of 0 the server takes 10.4 s to stop (two times netty's 5 s); with it 0.2 to 0.8 s.
    if version_key(conf.version) < (2025,):
        return {**common, "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0"}
    return {
        **common,
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
        "db.query.default_language": "CYPHER_25",
        "dbms.fleet_manager.enabled": "false",
        "server.fleet_discovery.enabled": "false",
        "server.http.x_forward.enabled": "false",
    }
