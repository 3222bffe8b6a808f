"""Candidate rankings: each in a file of its own, tried beside the live one and never shown.

To try another: write a module with a `Candidate`, and name it in `CANDIDATES`. Nothing promotes itself; making one live
is a change of recall, with numbers (docs/explanation/learning.md).
"""

from brainbridge.learning.candidates.candidate import Candidate
from brainbridge.learning.candidates.co_activation import CO_ACTIVATION

CANDIDATES: tuple[Candidate, ...] = (CO_ACTIVATION,)
