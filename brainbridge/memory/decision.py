"""What a text restates: decided by similarity alone, for a whole batch before anything of it is written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brainbridge.domain.tier import Tier
from brainbridge.graph.statements.memory import Candidate
from brainbridge.memory.note import Related, Text
from brainbridge.memory.restatement import SIMILAR, Comparison, compare, fingerprint

MOST_RELATED = 3


@dataclass(frozen=True, slots=True)
class Decision:
    """What a text restates (None: nothing, it is born), how similar that is, and what else came near."""

    restates: Candidate | None
    similarity: float
    related: tuple[Related, ...]


class Batch:
    """The decisions on one batch; each new text is a candidate for those after it."""

    def __init__(self, *, revives: bool) -> None:
        self._revives = revives
        self.released: list[str] = []
        self.new: list[Text] = []
        self.decisions: list[tuple[Text, Decision]] = []
        self._by_band: dict[str, list[Text]] = {}
        self._by_key: dict[str, Text] = {}

    def decide(self, text: Text, exact: Candidate | None, near: Sequence[Candidate]) -> None:
        """Decide whether `text` restates a memory that is there, or one of this batch."""
        if not self._revives:
            near = [one for one in near if one.tier is not Tier.EXPIRED]
            if exact is not None and exact.tier is Tier.EXPIRED:
                self.released.append(exact.id)
                exact = None
        if exact is None and (twin := self._by_key.get(text.print.key)) is not None:
            exact = Candidate(twin.id, twin.content, Tier.WORKING)
        if exact is not None:
            self.decisions.append((text, Decision(exact, 1.0, ())))
            return
        compared = [(compare(fingerprint(one.content), text.print), one) for one in [*near, *self._near(text)]]
        compared.sort(key=lambda pair: -pair[0].similarity)
        same = next(((result, one) for result, one in compared if result.restates), None)
        decision = Decision(
            restates=same[1] if same else None,
            similarity=same[0].similarity if same else max((result.similarity for result, _ in compared), default=0.0),
            related=tuple(_related(compared)) if same is None else (),
        )
        self.decisions.append((text, decision))
        if same is None:
            self._add(text)

    def _near(self, text: Text) -> list[Candidate]:
        found = {id(one): one for band in text.print.bands for one in self._by_band.get(band, ())}
        return [Candidate(one.id, one.content, Tier.WORKING) for one in found.values()]

    def _add(self, text: Text) -> None:
        self.new.append(text)
        self._by_key[text.print.key] = text
        for band in text.print.bands:
            self._by_band.setdefault(band, []).append(text)


def _related(compared: Iterable[tuple[Comparison, Candidate]]) -> list[Related]:
    near = [Related(one.id, result.similarity, one.content) for result, one in compared if result.similarity >= SIMILAR]
    return near[:MOST_RELATED]
