"""A brain's name is judged alike with and without the domain."""

from hypothesis import given, settings
from hypothesis import strategies as st

from brainbridge.daemon.names import is_brain
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.scope import checked_brain


@given(name=st.one_of(st.text(max_size=70), st.from_regex(r"[A-Za-z0-9._-]{1,66}", fullmatch=True)))
@settings(max_examples=300)
def test_a_brains_name_is_judged_as_everywhere_else(name: str) -> None:
    """What goodbyes and hooks accept is what the domain accepts."""
    try:
        allowed = bool(checked_brain(name))
    except InvalidValue:
        allowed = False

    assert is_brain(name) == allowed
