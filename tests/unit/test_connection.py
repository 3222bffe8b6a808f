"""The brain of a door that stays open longer than its database: opened anew once that was away."""

from threading import Event, Thread
from typing import Any

import pytest

from brainbridge import connection as module
from brainbridge.connection import Connection
from brainbridge.domain.errors import AuthenticationFailed, BrainbridgeError, DatabaseUnreachable, InvalidValue


class Opened:
    """What a door is given for a brain, numbered in the order in which it was opened."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> Any:
        self.count += 1
        return self.count


@pytest.mark.parametrize(("error", "then"), [(DatabaseUnreachable, 2), (AuthenticationFailed, 2), (InvalidValue, 1)])
def test_a_brain_that_was_lost_is_opened_anew(error: type[BrainbridgeError], then: int) -> None:
    """Also where the password was changed meanwhile: the settings may have the new one by now."""
    connection = Connection("milo", Opened())

    with pytest.raises(error), connection.brain():
        raise error("gone")
    with connection.brain() as brain:
        assert then == brain


def test_a_call_does_not_wait_for_ever_for_another_that_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that is frozen lets opening hang; the calls behind it say so instead of piling up."""
    monkeypatch.setattr(module, "PATIENCE", 0.01)
    opening, thawed = Event(), Event()

    def frozen() -> Any:
        opening.set()
        thawed.wait(30)
        return object()

    connection = Connection("milo", frozen)
    first = Thread(target=lambda: connection.brain().__enter__())
    first.start()
    try:
        assert opening.wait(30)
        with pytest.raises(DatabaseUnreachable, match="milo"), connection.brain():
            pass
    finally:
        thawed.set()
        first.join()
