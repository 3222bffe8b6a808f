"""Sources: how they are named, and which names are ours."""

import pytest

from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.source import OUR_LABELS, Source


@pytest.mark.parametrize(
    ("text", "label", "id"),
    [("Ticket:42", "Ticket", "42"), ("Url:https://x.org/a:b", "Url", "https://x.org/a:b"), ("名:1", "名", "1")],
)
def test_a_source_is_a_label_and_an_id(text: str, label: str, id: str) -> None:
    """The first colon parts them (R-004-24)."""
    assert Source(label, id) == Source.parse(text)


@pytest.mark.parametrize("text", ["Ticket", "", ":42", "Ticket:", "Ticket: ", "4:2", "A B:1", "A`B:1"])
def test_what_names_no_source_is_refused(text: str) -> None:
    """With what to write instead."""
    with pytest.raises(InvalidValue):
        Source.parse(text)


@pytest.mark.parametrize("label", sorted(OUR_LABELS))
def test_our_own_nodes_are_no_sources(label: str) -> None:
    """A memory cannot hang on a memory or on the machinery."""
    with pytest.raises(InvalidValue, match=label):
        Source(label, "x")
