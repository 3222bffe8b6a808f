"""The half of a Brain that answers questions: recall, and the vectors it finds meanings by."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property, partial

from neo4j import Transaction

from brainbridge.care import Care
from brainbridge.domain.clock import back_by
from brainbridge.domain.errors import EmbedderFailed, InvalidValue
from brainbridge.domain.recall import Page
from brainbridge.domain.scope import Scope
from brainbridge.domain.tier import MemoryType, Tier, word
from brainbridge.graph.statements.embeddings import read_space
from brainbridge.learning.page import record
from brainbridge.logs import get_logger
from brainbridge.recall.backfill import Filled, Vectors, backfill, vectors
from brainbridge.recall.embedders import MOST_CHARACTERS, Embedder, embedder_of
from brainbridge.recall.filters import Filters
from brainbridge.recall.fusion import DEPTH
from brainbridge.recall.legs import Meaning
from brainbridge.recall.query import analysed
from brainbridge.recall.search import LIMIT, Request, search
from brainbridge.recall.spaces import searches_by_index
from brainbridge.settings import LearningSettings, Settings

log = get_logger(__name__)


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
        explicit: bool = True,
        test: bool = False,
        now: datetime | None = None,
    ) -> Page:
        """The memories that answer `query`, best first, each labelled strong or weak. Changes no memory.

        A page without a strong hit is a miss: brainbridge does not know, and shows what comes nearest. Asked of a part
        of the memories, or of old ones too, it says nothing of what brainbridge knows and is not kept as a miss.

        Args:
            query: a question or words, taken literally: no character has a meaning of its own.
            limit: the most hits, 1 to 100.
            tier, memory_type, subject: only such memories; the tier `expired` needs no `include_expired`.
            since: only what was remembered or restated since that instant, or within that span.
            include_expired, include_archived: also what has faded, was forgotten, promoted or superseded.
            explicit: someone asked. What a hook puts into a context is not recorded, neither as shown nor as a miss.

        Raises:
            InvalidValue: an unknown tier or type, or a limit out of range.
        """
        if not 1 <= limit <= DEPTH:
            raise InvalidValue(f"the limit cannot be {limit}: it must be a number from 1 to {DEPTH}.")
        if isinstance(since, timedelta):
            since = back_by(now or self.graph.now(), since)
        filters = Filters(
            tier=None if tier is None else word(Tier, tier),
            memory_type=None if memory_type is None else word(MemoryType, memory_type),
            subject=subject,
            since=since,
            include_expired=include_expired,
            include_archived=include_archived,
        )
        scope, confidence = self.scope(test=test), self.settings.recall.min_confidence
        request = Request(analysed(query), self._meaning(query), limit, filters, confidence, now)
        if not explicit:
            return self.graph.read("recall/find_by_words", partial(search, scope=scope, request=request))
        settings = self.settings.learning
        return self.graph.write(
            "recall/find_by_words", partial(_answered, scope=scope, request=request, settings=settings)
        )

    def embed(self, *, seconds: float | None = None, progress: Callable[[int], None] | None = None) -> Filled | None:
        """Give the memories of this brain the vectors they lack; None if the settings name no embedder.

        Args:
            seconds: stop after about so long.
            progress: called with the number embedded so far.

        Raises:
            EmbedderFailed: the model cannot be loaded, reached or trusted. What was written stays.
            Refused: other brains of this database use two other models.
        """
        if self.embedder is None:
            return None
        return backfill(self.graph, self.name, self.embedder, seconds=seconds, progress=progress)

    @cached_property
    def embedder(self) -> Embedder | None:
        """What makes vectors of texts, as the settings name it; None: recall goes by words alone.

        Raises:
            EmbedderFailed: it cannot be loaded.
        """
        return embedder_of(self.settings.recall)

    def vectors(self) -> Vectors | None:
        """The model this brain recalls with, and how many of its memories have a vector; None: by words alone."""
        return vectors(self.graph, self.name)

    @cached_property
    def _by_index(self) -> bool:
        return searches_by_index(self.graph.server_version())

    def _meaning(self, query: str) -> Meaning | None:
        """The vector of a query; None if there is no model, or the memories have vectors of another one.

        A model that fails does not stop recall: the page says that it went by words, and the log why.
        """
        if self.settings.recall.embedder == "none" or not query.strip():
            return None
        space = self.graph.read("embeddings/read_space", partial(read_space, brain=self.name))
        try:
            if space is None or self.embedder is None or self.embedder.model_key != space.model:
                return None
            return Meaning(space.slot, self.embedder.embed_query(query[:MOST_CHARACTERS]), self._by_index)
        except EmbedderFailed as error:
            log.warning("recall.went_by_words", brain=self.name, error=str(error))
            return None


def _answered(tx: Transaction, *, scope: Scope, request: Request, settings: LearningSettings) -> Page:
    """A page and its record, in one transaction: two cost a millisecond more."""
    page = search(tx, scope, request)
    return replace(page, id=record(tx, scope, page, settings=settings, whole=request.filters == Filters()))
