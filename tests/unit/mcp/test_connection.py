"""The brain of a server: opened when needed, lost with its database, opened anew."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import cast

import pytest

from brainbridge.app import Brain
from brainbridge.connection import Connection
from brainbridge.domain.errors import DatabaseUnreachable, NotFound


class Handle:
    """Stands for a brain; only whether it is closed matters here."""

    closed = False

    def close(self) -> None:
        self.closed = True


def connection(*handles: Handle) -> Connection:
    """A connection that opens these, one after the other."""
    rest = iter(handles)
    return Connection("milo", lambda: cast(Brain, next(rest)))


def test_it_is_opened_once() -> None:
    """Calls share it, also those that come at the same time, and the first one waits for nobody."""
    opened: list[Handle] = []
    entered, all_there = Event(), Barrier(8)

    def open_brain() -> Brain:
        entered.set()
        opened.append(Handle())
        return cast(Brain, opened[-1])

    shared = Connection("milo", open_brain)
    assert not entered.is_set()

    def use(_: int) -> Brain:
        all_there.wait(timeout=30)
        with shared.brain() as brain:
            return brain

    with ThreadPoolExecutor(8) as threads:
        used = list(threads.map(use, range(8)))

    assert [opened[0]] * 8 == used
    assert len(opened) == 1


def test_a_lost_brain_is_opened_anew_and_closed_at_the_end_only() -> None:
    """Others may still be using it; one outage loses it once."""
    first, second = Handle(), Handle()
    shared = connection(first, second)

    with pytest.raises(DatabaseUnreachable), shared.brain(), shared.brain():
        raise DatabaseUnreachable("gone")
    assert not first.closed
    with shared.brain() as brain:
        assert brain is cast(Brain, second)
    shared.close()

    assert (first.closed, second.closed) == (True, True)


def test_other_errors_keep_it() -> None:
    """What is wrong with a request says nothing about the database."""
    only = Handle()
    shared = connection(only)

    with pytest.raises(NotFound), shared.brain():
        raise NotFound("no such memory")
    with shared.brain() as brain:
        assert brain is cast(Brain, only)


def test_a_brain_that_cannot_be_opened_is_tried_again() -> None:
    """Each call tries, and says why it failed."""
    tries = []

    def open_brain() -> Brain:
        tries.append(1)
        raise DatabaseUnreachable(f"try {len(tries)}")

    shared = Connection("milo", open_brain)

    for number in (1, 2):
        with pytest.raises(DatabaseUnreachable, match=f"try {number}"), shared.brain():
            pass
    shared.close()
