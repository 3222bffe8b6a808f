"""The half of a Brain that answers questions: recall."""

from datetime import datetime, timedelta

from brainbridge.care import Care
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.recall import Page
from brainbridge.domain.tier import MemoryType, Tier, word
from brainbridge.recall.filters import Filters
from brainbridge.recall.fusion import DEPTH
from brainbridge.recall.query import analysed
from brainbridge.recall.search import LIMIT, Request, search
from brainbridge.settings import Settings


class Asking(Care):
    """Recall: what is known about something, and whether it is known at all."""

    settings: Settings

    def recall(
        self,
        query: str,
        *,
        limit: int = LIMIT,
        tier: Tier | str | None = None,
        memory_type: MemoryType | str | None = None,
        subject: str | None = None,
        since: datetime | timedelta | None = None,
        include_expired: bool = False,
        include_archived: bool = False,
        test: bool = False,
        now: datetime | None = None,
    ) -> Page:
        """The memories that answer `query`, best first, each labelled strong or weak. Changes no memory.

        A page without a strong hit is a miss: brainbridge does not know, and shows what comes nearest.

        Args:
            query: a question or words, taken literally: no character has a meaning of its own.
            limit: the most hits, 1 to 100.
            tier, memory_type, subject: only such memories.
            since: only what was remembered or restated since that instant, or within that span.
            include_expired, include_archived: also what has faded, was forgotten, promoted or superseded.

        Raises:
            InvalidValue: an unknown tier or type, or a limit out of range.
        """
        if not 1 <= limit <= DEPTH:
            raise InvalidValue(f"the limit cannot be {limit}: it must be a number from 1 to {DEPTH}.")
        if isinstance(since, timedelta):
            since = (now or self.graph.now()) - since
        filters = Filters(
            tier=None if tier is None else word(Tier, tier),
            memory_type=None if memory_type is None else word(MemoryType, memory_type),
            subject=subject,
            since=since,
            include_expired=include_expired,
            include_archived=include_archived,
        )
        request = Request(analysed(query), limit, filters, self.settings.recall.min_confidence, now)
        # Reading ends here: what is learned from a page (misses, what was shown) is recorded by the caller of _search.
        return self._search(request, test=test)

    def _search(self, request: Request, *, test: bool) -> Page:
        return search(self.graph, self.scope(test=test), request)
