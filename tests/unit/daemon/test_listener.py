"""The daemon's socket: private, bounded, patient with nobody; and the hook's half of the talk."""

import json
import socket
import stat
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from brainbridge.daemon import listener as module
from brainbridge.daemon.listener import AT_A_TIME, Listener
from brainbridge.daemon.wire import MOST_ASKED, ask, reachable, socket_file


@contextmanager
def listening(home: Path, answer: str = "a note") -> Iterator[list[Mapping[str, object]]]:
    """A listener for the brain milo; the questions it was asked."""
    asked: list[Mapping[str, object]] = []

    def answered(question: Mapping[str, object]) -> str:
        asked.append(question)
        return answer

    with Listener(socket_file(home, "milo"), answered):
        yield asked


def say(home: Path, what: bytes) -> bytes:
    """What comes back for raw bytes; empty if the other side just closes."""
    with socket.socket(socket.AF_UNIX) as channel:
        channel.settimeout(30)
        with reachable(socket_file(home, "milo")) as address:
            channel.connect(address)
        try:
            channel.sendall(what)
            return channel.recv(65_536)
        except ConnectionError:
            return b""


def test_a_question_is_answered(tmp_path: Path) -> None:
    """As it was asked, as often as it is asked, in any script."""
    with listening(tmp_path, "a nöte 🚀") as asked:
        answers = [ask(tmp_path, "milo", {"event": "prompt", "prompt": f"{n} 日本"}, patience=30) for n in range(3)]

    assert answers == ["a nöte 🚀"] * 3
    assert asked == [{"event": "prompt", "prompt": f"{n} 日本"} for n in range(3)]


def test_only_its_owner_can_reach_it(tmp_path: Path) -> None:
    """Socket 0600 in a folder 0700; gone when the daemon has ended."""
    with listening(tmp_path):
        path = socket_file(tmp_path, "milo")
        modes = stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)

    assert modes == (0o600, 0o700)
    assert not path.exists()


def test_a_long_path_is_no_obstacle(tmp_path: Path) -> None:
    """A socket's address holds about 100 bytes, a home may be deeper; the current folder stays what it was."""
    home, before = tmp_path / ("x" * 120), Path.cwd()
    with listening(home):
        assert ask(home, "milo", {"event": "start"}, patience=30) == "a note"

    assert Path.cwd() == before


def test_what_a_dead_daemon_left_behind_is_replaced(tmp_path: Path) -> None:
    """A kill -9 leaves a socket that nobody listens on: refused at once, and no obstacle for the next daemon."""
    path = socket_file(tmp_path, "milo")
    path.parent.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as dead, reachable(path) as address:
        dead.bind(address)

    with pytest.raises(ConnectionRefusedError):
        ask(tmp_path, "milo", {"event": "start"})
    with listening(tmp_path):
        assert ask(tmp_path, "milo", {"event": "start"}, patience=30) == "a note"


def test_nobody_there_is_an_error_at_once(tmp_path: Path) -> None:
    """The hook goes on without context."""
    with pytest.raises(FileNotFoundError):
        ask(tmp_path, "milo", {"event": "start"})


@pytest.mark.parametrize("what", [b"\n", b"no json\n", b"[1]\n", b'"text"\n', b"\xff\xfe\n", b"x" * (MOST_ASKED + 1)])
def test_what_is_no_question_gets_no_context(tmp_path: Path, what: bytes) -> None:
    """The next question is answered all the same."""
    with listening(tmp_path) as asked:
        got = say(tmp_path, what)
        assert got == b"" or json.loads(got) == {"context": ""}
        assert asked == []
        assert ask(tmp_path, "milo", {"event": "start"}, patience=30) == "a note"


def test_a_question_that_crashes_ends_itself_only(tmp_path: Path) -> None:
    """An error of ours in one answer is logged; the socket stays."""
    crashes = iter([True, False])

    def answer(_: Mapping[str, object]) -> str:
        if next(crashes):
            raise RuntimeError("a bug")
        return "a note"

    with Listener(socket_file(tmp_path, "milo"), answer):
        with pytest.raises(ConnectionError):
            ask(tmp_path, "milo", {"event": "start"}, patience=30)
        assert ask(tmp_path, "milo", {"event": "start"}, patience=30) == "a note"


def test_a_daemon_that_is_slow_is_not_waited_for(tmp_path: Path) -> None:
    """The hook gives up at its deadline; so many may hang, more are turned away, and the daemon ends all the same."""
    release, hanging = threading.Event(), threading.Semaphore(0)

    def hangs(_: Mapping[str, object]) -> str:
        hanging.release()
        release.wait(60)
        return "too late"

    with Listener(socket_file(tmp_path, "milo"), hangs):
        for _ in range(AT_A_TIME):
            with pytest.raises(TimeoutError):
                ask(tmp_path, "milo", {"event": "start"}, patience=0.05)
        assert all(hanging.acquire(timeout=30) for _ in range(AT_A_TIME))
        began = time.monotonic()
        assert say(tmp_path, b'{"event": "start"}\n') == b""
        assert time.monotonic() - began < 30
    release.set()


def test_a_connection_that_says_nothing_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not keep a place for ever."""
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    with listening(tmp_path):
        assert say(tmp_path, b'{"event": ') == b""


def test_a_folder_without_sockets_is_a_warning(tmp_path: Path) -> None:
    """Such as a file in place of the folder: the daemon does its other work."""
    (tmp_path / "daemon").write_text("a file")

    with listening(tmp_path), pytest.raises(OSError):
        ask(tmp_path, "milo", {"event": "start"})
