"""The spool: whole files or none, none lost, none twice."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from brainbridge.daemon.spool import Spool


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "home")


def test_what_is_put_is_read_back(spool: Spool) -> None:
    """An entry says whose memories, which scope, and when."""
    path = spool.put("milo", is_test=True)

    (entry,) = spool.entries()
    assert (entry.path, entry.brain, entry.is_test) == (path, "milo", True)
    assert entry.at.endswith("Z")


def test_entries_come_oldest_first_and_by_brain_and_scope(spool: Spool) -> None:
    """Each brain and scope is answered by a run of its own."""
    first, other, test, second = (
        spool.put("milo"),
        spool.put("ada"),
        spool.put("milo", is_test=True),
        spool.put("milo"),
    )

    assert [entry.path for entry in spool.entries()] == [first, other, test, second]
    assert [entry.path for entry in spool.entries("milo", is_test=False)] == [first, second]


def test_a_goodbye_with_a_key_waits_once(spool: Spool) -> None:
    """Said again it takes the place of the one that waits; another brain, scope or key has a place of its own."""
    for _ in range(3):
        spool.put("milo", key="claude s1 SessionEnd ")
    spool.put("milo", key="claude s2 SessionEnd ")
    spool.put("milo", key="claude s1 SessionEnd ", is_test=True)
    spool.put("ada", key="claude s1 SessionEnd ")
    spool.put("milo")

    asked_by = [(entry.brain, entry.is_test, entry.asked_by) for entry in spool.entries()]
    assert sorted(asked_by, key=str) == [
        ("ada", False, "claude s1 SessionEnd "),
        ("milo", False, "claude s1 SessionEnd "),
        ("milo", False, "claude s2 SessionEnd "),
        ("milo", False, None),
        ("milo", True, "claude s1 SessionEnd "),
    ]
    assert [path.name for path in spool.folder.iterdir() if path.name.startswith(".")] == []


def test_one_said_again_during_its_run_stays(spool: Spool) -> None:
    """The run that began before it does not answer it."""
    spool.put("milo", key="claude s1 SessionEnd ")
    waiting = spool.entries()
    spool.put("milo", key="claude s1 SessionEnd ")

    spool.remove(waiting)
    assert len(spool.entries()) == 1
    spool.remove(spool.entries())
    assert spool.entries() == []


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "a\x00b\n", "日本 🚀", "k" * 9_000])
def test_any_key_names_a_file_in_the_spool(spool: Spool, key: str) -> None:
    """An agent's session is named by the agent; what its name holds leads nowhere else."""
    path = spool.put("milo", key=key)

    assert path.parent == spool.folder
    assert [entry.asked_by for entry in spool.entries()] == [key]


def test_only_its_owner_can_read_the_spool(spool: Spool) -> None:
    """Folder 0700, files 0600, whatever the umask."""
    before = os.umask(0)
    try:
        path = spool.put("milo")
    finally:
        os.umask(before)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(spool.folder.stat().st_mode) == 0o700


def test_a_crash_before_the_rename_leaves_no_entry(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer killed between write and rename leaves a file that nobody takes for a goodbye; it is swept later."""
    spool.put("milo")
    half = spool.folder / ".goodbye-00000000000000000001-1-aa.json.tmp"
    half.write_text('{"schema": 1, "bra')

    assert len(spool.entries()) == 1
    assert spool.unreadable() == []
    assert spool.sweep() == 0
    os.utime(half, (0, 0))
    assert spool.sweep() == 1
    assert len(list(spool.folder.iterdir())) == 1


def test_a_failed_write_leaves_nothing(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is an error for the caller, not half a file."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OSError, match="No space left"):
        spool.put("milo")
    assert list(spool.folder.iterdir()) == []


def test_many_writers_lose_nothing(spool: Spool) -> None:
    """400 goodbyes by 16 threads are 400 entries, and a reader among them never sees half of one."""
    with ThreadPoolExecutor(16) as pool:
        written = [pool.submit(spool.put, f"brain{number % 3}") for number in range(400)]
        while not all(future.done() for future in written):
            assert spool.unreadable() == []
        paths = {future.result() for future in written}

    assert {entry.path for entry in spool.entries()} == paths
    assert len(paths) == 400


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"schema": 1}',
        b'{"schema": 2, "brain": "milo", "isTest": false, "at": ""}',
        b'{"schema": 1, "brain": 7, "isTest": false, "at": ""}',
    ],
    ids=["empty", "half", "not UTF-8", "a list", "no brain", "a newer schema", "a number for a brain"],
)
def test_what_is_no_goodbye_is_set_aside_with_a_reason(spool: Spool, content: bytes) -> None:
    """A corrupt file neither stops the others nor is tried for ever."""
    good = spool.put("milo")
    bad = good.with_name("goodbye-0-0-0.json")
    bad.write_bytes(content)

    unreadable = spool.unreadable()
    spool.reject(unreadable)

    assert [entry.path for entry in unreadable] == [bad]
    assert unreadable[0].reason
    assert [entry.path for entry in spool.entries()] == [good]
    assert (spool.failed / bad.name).read_bytes() == content
    assert spool.unreadable() == []


def test_an_entry_that_another_process_took_is_no_error(spool: Spool) -> None:
    """Two who clean up do not trip over each other."""
    spool.put("milo")
    entries = spool.entries()

    spool.remove(entries)
    spool.remove(entries)
    spool.reject(entries)

    assert spool.entries() == []


def test_files_of_others_are_left_alone(spool: Spool) -> None:
    """Hooks may keep their own files in the same folder."""
    spool.put("milo")
    foreign = spool.folder / "claude-1.json"
    foreign.write_text(json.dumps({"event": "Stop"}))

    assert len(spool.entries()) == 1
    assert spool.unreadable() == []
    assert foreign.exists()


def test_a_spool_that_does_not_exist_is_empty(spool: Spool) -> None:
    """Looking makes nothing."""
    assert spool.entries() == []
    assert spool.sweep() == 0
    assert not spool.folder.exists()
