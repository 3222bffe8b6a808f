"""What an opening teaches: which memories are used together, and which hit of a page was the one that was wanted."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from neo4j import Transaction

from brainbridge.domain.coactivation import MOST, VISIBLE, WINDOW, Companion
from brainbridge.domain.scope import Scope
from brainbridge.graph.statements import learning
from brainbridge.graph.statements.learning import Fire, Turn

# How long after a page an opening is taken for a verdict on it (R-003-31).
VERDICT_WINDOW = timedelta(minutes=10)


class Lesson:
    """One opening. All of it happens in the opening's own transaction: either both are there or neither."""

    def __init__(self) -> None:
        self._turns: Mapping[str, Turn] = {}

    def begin(self, tx: Transaction, *, scope: Scope, id: str, now: datetime) -> None:
        """Lock the memory and those that were opened just before it, before the opening locks it alone."""
        turns = learning.begin_opening(tx, scope, id=id, since=now - WINDOW, until=now + WINDOW)
        self._turns = {turn.id: turn for turn in turns}

    def learn(self, tx: Transaction, *, scope: Scope, id: str, event: str, at: datetime) -> tuple[Companion, ...]:
        """Join the opening to its page, and let the bonds fire with every other memory opened in the window.

        Returns:
            The live memories that this one is often opened together with, the closest first.
        """
        learning.attribute(tx, scope, id=id, event=event, since=at - VERDICT_WINDOW, at=at)
        # An opening that waited for its turn may come after one with a later instant: the pair is complete with that.
        others = {
            turn.id: max(at, turn.opened)
            for turn in self._turns.values()
            if turn.id != id and turn.opened is not None and abs(at - turn.opened) <= WINDOW
        }
        if others:
            self._trim(tx, scope, id, at, learning.fire(tx, scope, id=id, others=others))
        return _often(learning.list_co_recalled(tx, scope, id=id), at)

    def _trim(self, tx: Transaction, scope: Scope, id: str, at: datetime, fires: list[Fire]) -> None:
        """Trim whoever has more bonds now than are kept: the opened memory first, then the others by root."""
        grown = dict.fromkeys((fire.id for fire in fires if fire.created), 1)
        if not grown:
            return
        grown[id] = len(grown)
        full = [turn for each in grown if (turn := self._turns[each]).bonds + grown[each] > MOST]
        if full:
            ids = [turn.id for turn in sorted(full, key=lambda turn: (turn.id != id, turn.root))]
            learning.trim(tx, scope, ids=ids, at=at, fired=[fire.pair for fire in fires])


def _often(found: list[learning.CoRecalled], at: datetime) -> tuple[Companion, ...]:
    companions = (Companion(each.id, each.content, each.bond.weight_at(at)) for each in found)
    visible = [companion for companion in companions if companion.weight >= VISIBLE]
    return tuple(sorted(visible, key=lambda companion: (-companion.weight, companion.id)))
