"""Sources: the nodes that memories came from. They are the user's own, so they never carry one of our labels."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from brainbridge.domain.errors import InvalidValue

STATE_LABELS = frozenset({"Memory", "LiveMemory", "ExpiredMemory", "ArchivedMemory"})
# Labels that nobody else can give to a node: they are the machinery's.
OUR_LABELS = STATE_LABELS | {
    "Brain", "ConsolidationConfig", "ConsolidationRun", "EmbeddingSpace", "EnergyEvent", "Lease", "SchemaVersion",
    "RecallPage", "RecallMiss", "ShadowRank",
}  # fmt: skip
_LABEL = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Source:
    """The node a memory came from: its label, its own id, and the properties to make it with if it is not there.

    Raises:
        InvalidValue: no name for a label, one of our labels, or an empty id.
    """

    label: str
    id: str
    properties: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if not _LABEL.fullmatch(self.label):
            raise InvalidValue(
                f"{self.label!r} cannot be a source's label. Use letters, digits and '_', beginning with a letter."
            )
        if self.label in OUR_LABELS:
            raise InvalidValue(f"a source cannot be labelled {self.label}: that is ours. Choose another.")
        if not self.id.strip():
            raise InvalidValue(f"the source {self.label} has an empty id. Write it as {self.label}:id.")

    @classmethod
    def parse(cls, text: str) -> Self:
        """The source that `Label:id` names; the id may hold more colons.

        Raises:
            InvalidValue: the text is no such name.
        """
        label, colon, id_ = text.partition(":")
        if not colon:
            raise InvalidValue(f"{text!r} names no source. Write it as Label:id, such as Ticket:42.")
        return cls(label.strip(), id_.strip())
