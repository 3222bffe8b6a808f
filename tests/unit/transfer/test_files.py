"""Where an export, a report or a bundle goes: whole or not at all, and never in place of what is no file."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from brainbridge.domain.errors import UsageError
from brainbridge.transfer.files import sink, write_bytes


def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path: Path) -> None:
    """Somebody reads at its other end; a file in its place would leave them waiting."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with ThreadPoolExecutor(1) as threads:
        read = threads.submit(pipe.read_bytes)
        write_bytes(pipe, b"whole")

        assert b"whole" == read.result(10)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_that_leads_to_itself_is_refused_in_one_line(tmp_path: Path) -> None:
    """By both ways of writing, and nothing is made."""
    link = tmp_path / "link"
    link.symlink_to(link)

    with pytest.raises(UsageError, match="cannot write"):
        write_bytes(link, b"")
    with pytest.raises(UsageError, match="cannot write"), sink(link):
        pass
    assert [link] == list(tmp_path.iterdir())
