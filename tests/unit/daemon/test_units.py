"""Units: what systemd and launchd are given."""

import configparser
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from brainbridge.daemon.units import unit_text
from brainbridge.domain.errors import InvalidValue

ODD_PLACES = {"BRAINBRIDGE_HOME": '/home/mi lo/100% "mine"/$x', "BRAINBRIDGE_PASSWORD": "secret"}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not on this machine")
@pytest.mark.parametrize("environ", [{}, ODD_PLACES], ids=["plain", "odd places"])
def test_systemd_accepts_its_unit(tmp_path: Path, environ: dict[str, str]) -> None:
    """systemd-analyze verify has nothing to say about it, and would have about a wrong line."""
    text = unit_text("systemd", "milo", environ=environ)

    assert ([], 0) == verified(tmp_path, text)
    complaints, _ = verified(tmp_path, text.replace("WatchdogSec=", "WatchdogSeconds="))
    assert any("WatchdogSeconds" in line for line in complaints)


def verified(folder: Path, text: str) -> tuple[list[str], int]:
    """What systemd-analyze complains about in a unit, and its exit code."""
    unit = folder / "brainbridge-milo.service"
    unit.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", str(unit)],
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)},
        check=False,
    )
    return [line for line in done.stderr.splitlines() if unit.name in line], done.returncode


@pytest.mark.parametrize("environ", [{}, ODD_PLACES], ids=["plain", "odd places"])
def test_the_systemd_unit_says_what_the_daemon_relies_on(environ: dict[str, str]) -> None:
    """Its type, its command, its watchdog, its restarts."""
    text = unit_text("systemd", "milo", environ=environ)
    parsed = configparser.RawConfigParser(strict=False)
    parsed.read_string(text)
    service = parsed["Service"]
    assert service["type"] == "notify"
    assert service["execstart"] == f"{sys.executable} -P -m brainbridge.daemon --brain milo"
    assert int(service["watchdogsec"]) > 30
    assert service["restart"] == "on-failure"
    assert parsed["Install"]["wantedby"] == "default.target"


def test_the_launchd_unit_is_a_property_list() -> None:
    """Started at login, again after a failure, ended by SIGTERM with time for the run in hand."""
    unit = plistlib.loads(unit_text("launchd", "milo", environ=ODD_PLACES).encode())

    assert unit["Label"] == "brainbridge.milo"
    assert unit["ProgramArguments"] == [sys.executable, "-P", "-m", "brainbridge.daemon", "--brain", "milo"]
    assert unit["EnvironmentVariables"] == {"BRAINBRIDGE_HOME": ODD_PLACES["BRAINBRIDGE_HOME"]}
    assert (unit["RunAtLoad"], unit["KeepAlive"]) == (True, {"SuccessfulExit": False})


@pytest.mark.parametrize("kind", ["systemd", "launchd"])
def test_no_password_gets_into_a_unit(kind: str) -> None:
    """Unit files are readable by others."""
    assert "secret" not in unit_text(kind, "milo", environ=ODD_PLACES)  # type: ignore[arg-type]


def test_a_name_that_is_none_is_refused() -> None:
    """Nothing of a command line gets into a unit unchecked."""
    with pytest.raises(InvalidValue):
        unit_text("systemd", "milo\nExecStartPre=/bin/false", environ={})
