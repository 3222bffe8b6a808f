"""Which names a brain can have, without the imports of domain/scope.py, whose dataclass would cost a hook 15 ms."""

import re

# As in domain/scope.py; a test holds the two together.
_BRAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def is_brain(name: str) -> bool:
    """Whether `name` can be a brain's name."""
    return _BRAIN.fullmatch(name) is not None
