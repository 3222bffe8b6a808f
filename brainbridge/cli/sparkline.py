"""A row of numbers as one line of bars."""

from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float]) -> str:
    """One bar for each of `values`, none of them negative; the highest bar is the largest of them, the lowest 0."""
    top = max(values, default=0.0)
    if top <= 0:
        return BARS[0] * len(values)
    return "".join(BARS[min(int(value / top * len(BARS)), len(BARS) - 1)] for value in values)
