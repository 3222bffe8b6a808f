"""Units that start the daemon with a login: systemd for users, launchd for macOS. Text only; nothing is installed."""

import os
import plistlib
import sys
from collections.abc import Mapping
from typing import Literal

from brainbridge.domain.scope import checked_brain

Kind = Literal["systemd", "launchd"]

WATCHDOG_SECONDS = 120
# A run in hand may end; longer than any transaction may take.
STOP_SECONDS = 150
# What tells where everything is. Nothing else of the environment: a unit file is no place for a password.
PASSED_ON = ("BRAINBRIDGE_HOME", "BRAINBRIDGE_CACHE", "BRAINBRIDGE_CONFIG")


def unit_text(kind: Kind, brain: str, *, environ: Mapping[str, str] = os.environ) -> str:
    """A unit that runs the daemon of `brain` with this very Python.

    Args:
        kind: `systemd`, for ~/.config/systemd/user/brainbridge-<brain>.service; `launchd`, for ~/Library/LaunchAgents/
            brainbridge.<brain>.plist.
        environ: where home, cache and configuration file are taken from, if they are set there.

    Raises:
        InvalidValue: `brain` cannot be a brain's name.
    """
    # The module, not the script: it is there whatever became of PATH and of the folder for scripts.
    command = [sys.executable, "-P", "-m", "brainbridge.daemon", "--brain", checked_brain(brain)]
    places = {name: environ[name] for name in PASSED_ON if environ.get(name)}
    return _systemd(brain, command, places) if kind == "systemd" else _launchd(brain, command, places)


def _systemd(brain: str, command: list[str], places: Mapping[str, str]) -> str:
    environment = "".join(f"Environment={_quoted(f'{name}={value}')}\n" for name, value in places.items())
    return f"""\
[Unit]
Description=brainbridge: consolidation of the memories of {brain}
Documentation=man:systemd.service(5)
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart={" ".join(_quoted(word.replace("$", "$$")) for word in command)}
ExecReload=/bin/kill -HUP $MAINPID
{environment}WatchdogSec={WATCHDOG_SECONDS}
TimeoutStopSec={STOP_SECONDS}
Restart=on-failure
RestartSec=10
# Wrong settings, password or brain, or a second daemon: trying again would not help.
RestartPreventExitStatus=2 4 5 6
# The managed Neo4j may have been started by the daemon and outlives it.
KillMode=process
# No MemoryDenyWriteExecute: the JVM compiles. No Protect… or Private…: for a user's units they need user namespaces.
NoNewPrivileges=yes
RestrictSUIDSGID=yes
RestrictRealtime=yes
LockPersonality=yes
SystemCallArchitectures=native
UMask=0077

[Install]
WantedBy=default.target
"""


def _quoted(word: str) -> str:
    """One word of a unit file, where `%` would begin a specifier."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"' if escaped != word or any(letter in word for letter in " '\t;") else word


def _launchd(brain: str, command: list[str], places: Mapping[str, str]) -> str:
    unit = {
        "Label": f"brainbridge.{brain}",
        "ProgramArguments": command,
        "EnvironmentVariables": dict(places),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 10,
        "ExitTimeOut": STOP_SECONDS,
        "ProcessType": "Background",
        "AbandonProcessGroup": True,  # the managed Neo4j may have been started by the daemon and outlives it
        "Umask": 0o077,
    }
    return plistlib.dumps(unit, sort_keys=False).decode()
