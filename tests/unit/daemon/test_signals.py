"""Signals and systemd's notifications, on real processes and sockets."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from brainbridge.daemon.notify import notify

LISTENER = """
import time
from brainbridge.daemon.signals import Signals
with Signals() as signals:
    print("ready", flush=True)
    while True:
        began = time.monotonic()
        signals.wait(60)
        heard = "stop" if signals.stop else "hangup" if signals.take_hangup() else "nothing"
        print(heard, time.monotonic() - began < 30, flush=True)
"""


def test_the_first_signal_asks_and_the_second_ends() -> None:
    """Each ends the wait at once; SIGHUP only reloads, a second SIGTERM does not wait for anything."""
    with subprocess.Popen([sys.executable, "-c", LISTENER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        heard = [process.stdout.readline()]
        for number in (signal.SIGHUP, signal.SIGINT):
            process.send_signal(number)
            heard.append(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        code = process.wait(timeout=30)

    assert heard == ["ready\n", "hangup True\n", "stop True\n"]
    assert code == 128 + signal.SIGTERM


def test_a_supervisor_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One datagram per message."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))

        notify("READY=1")

        assert supervisor.recv(64) == b"READY=1"


@pytest.mark.parametrize("address", ["", "/nowhere/at/all"])
def test_no_supervisor_is_no_error(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Not there, or gone."""
    monkeypatch.setenv("NOTIFY_SOCKET", address)

    notify("READY=1")
