"""A row of numbers as one line of bars."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.cli.sparkline import BARS, sparkline


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([], ""),
        ([0.0, 0.0], "▁▁"),
        ([1.0], "█"),
        ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "▁▂▃▄▅▆▇██"),
        ([8.0, 0.99], "█▁"),
        ([1e-300, 5e-301], "█▅"),
    ],
)
def test_bars(values: list[float], shown: str) -> None:
    """From 0 to the largest value, in eight steps."""
    assert shown == sparkline(values)


@given(st.lists(st.floats(0, 1e300), max_size=80))
def test_a_higher_value_never_has_a_lower_bar(values: list[float]) -> None:
    """One bar a value, in the order of the values."""
    bars = [BARS.index(bar) for bar in sparkline(values)]

    assert len(values) == len(bars)
    assert all(a <= b for x, a in zip(values, bars, strict=True) for y, b in zip(values, bars, strict=True) if x <= y)
