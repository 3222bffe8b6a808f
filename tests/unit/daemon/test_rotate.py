"""Rotation of consolidation.log while others write to it."""

import subprocess
import sys
from pathlib import Path

import pytest

from brainbridge.daemon.lock import attempted
from brainbridge.daemon.rotate import KEPT, numbered, rotate

WRITER = """
import sys
from pathlib import Path
from brainbridge import logs
logs.configure(Path(sys.argv[1]), verbosity=-1)
log = logs.get_logger("brainbridge.test")
for number in range(int(sys.argv[3])):
    log.info("line.written", writer=sys.argv[2], number=number)
"""


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    return tmp_path / "consolidation.log"


def test_a_log_below_the_limit_stays(log_file: Path) -> None:
    """And one that is not there is no error."""
    assert not rotate(log_file, 10)
    log_file.write_text("123456789")
    assert not rotate(log_file, 10)
    assert log_file.exists()


def test_the_youngest_is_1_and_the_oldest_goes(log_file: Path) -> None:
    """Seven rotations leave the last five logs."""
    for generation in range(7):
        log_file.write_text(f"generation {generation}")
        assert rotate(log_file, 5)

    kept = [numbered(log_file, number).read_text() for number in range(1, KEPT + 1)]
    assert kept == [f"generation {generation}" for generation in (6, 5, 4, 3, 2)]
    assert not log_file.exists()
    assert not numbered(log_file, KEPT + 1).exists()


def test_who_comes_second_leaves_it(log_file: Path) -> None:
    """Two daemons share one log: only one moves it."""
    log_file.write_text("0123456789")

    with attempted(log_file.with_name(f".{log_file.name}.lock")):
        assert not rotate(log_file, 10)
    assert log_file.exists()


def test_no_line_is_lost_by_rotating_under_writers(log_file: Path) -> None:
    """Four processes write 4,000 lines while the log is moved away under them, again and again: all are there."""
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(log_file), str(writer), "1000"]) for writer in range(4)
    ]
    moved = 0
    while any(writer.poll() is None for writer in writers):
        moved += rotate(log_file, 20_000, kept=1_000)

    files = [log_file, *(numbered(log_file, number) for number in range(1, moved + 1))]
    lines = [line for file in files if file.exists() for line in file.read_text(encoding="utf-8").splitlines()]
    assert moved > 3
    assert [writer.returncode for writer in writers] == [0] * 4
    assert len(lines) == len(set(lines)) == 4_000
