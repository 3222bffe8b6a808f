"""The files of a managed server."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j.state import (
    ServerFiles,
    State,
    read_state,
    refuse_downgrade,
    write_private,
    write_state,
)


@pytest.fixture
def files(tmp_path: Path) -> ServerFiles:
    return ServerFiles(tmp_path / "neo4j")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_home_is_the_owners_alone(files: ServerFiles) -> None:
    """0700, also if it was there with other rights."""
    files.root.mkdir(mode=0o755)

    files.prepare()

    assert mode_of(files.root) == 0o700


def test_an_unwritable_home_is_one_clear_line(tmp_path: Path) -> None:
    """The JVM would end with rc 3 and say nothing; we name the folder and the setting."""
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    program = (
        "import os, sys; from pathlib import Path; from brainbridge.local_neo4j.state import ServerFiles\n"
        # Rights do not bind root: become nobody, after the imports, which nobody may not be allowed to read.
        "if os.getuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try: ServerFiles(Path(sys.argv[1])).prepare()\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )

    for home in (locked, locked / "neo4j"):
        said = subprocess.run([sys.executable, "-c", program, home], capture_output=True, text=True, check=True).stdout
        assert said.startswith("ServerFailed cannot write in ")
        assert said.count("\n") == 1
        assert "BRAINBRIDGE_HOME" in said


def test_a_private_file_is_replaced_whole(files: ServerFiles) -> None:
    """0600 whatever the umask; no half-written file is left beside it."""
    files.prepare()
    before = os.umask(0)
    try:
        write_private(files.password, "one\n")
        write_private(files.password, "two\n")
    finally:
        os.umask(before)

    assert files.password.read_text() == "two\n"
    assert mode_of(files.password) == 0o600
    assert not list(files.root.glob("*.part"))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"pid": 1, "port": 2}'])
def test_a_damaged_state_file_counts_as_none(files: ServerFiles, text: str) -> None:
    """A crash may leave anything; the next start must not fall over it."""
    files.prepare()
    files.state.write_text(text)

    assert read_state(files) is None


def test_the_state_is_read_back(files: ServerFiles) -> None:
    """What one process wrote, another finds."""
    files.prepare()
    state = State(pid=1, version="2026.08.1", bolt_port=7001, http_port=7002, ready=True)
    write_state(files, state)

    assert read_state(files) == state


def test_an_older_neo4j_does_not_get_a_newer_store(files: ServerFiles) -> None:
    """Neo4j itself would fail after seconds with a text about 'dbms-runtime'; same or newer versions pass."""
    files.prepare()
    refuse_downgrade(files, "5.26.30")
    write_private(files.store_version, "2026.08.1\n")

    refuse_downgrade(files, "2026.08.1")
    refuse_downgrade(files, "2026.11.0")
    with pytest.raises(ServerFailed, match=r"opened by Neo4j 2026\.08\.1, and 5\.26\.30 is older"):
        refuse_downgrade(files, "5.26.30")
