"""Which memories an operation may see: one brain, and either its real or its test memories, never both."""

import re
from dataclasses import dataclass

from brainbridge.domain.errors import InvalidValue

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def checked_brain(name: str) -> str:
    """`name`, if it can be a brain's name: 1 to 64 of letters, digits, `_`, `.`, `-`, beginning with a letter or digit.

    Raises:
        InvalidValue: otherwise.
    """
    if not name:
        raise InvalidValue("the brain's name is empty. Give one, as in --brain=milo.")
    if not _NAME.fullmatch(name):
        raise InvalidValue(
            f"{name!r} cannot be a brain's name. Use 1 to 64 letters, digits, '_', '.' or '-', "
            "beginning with a letter or digit."
        )
    return name


@dataclass(frozen=True, slots=True)
class Scope:
    """One brain's real memories, or its test memories. Every statement filters on both."""

    brain: str
    is_test: bool = False

    @property
    def name(self) -> str:
        """`real` or `test`: the word people read."""
        return "test" if self.is_test else "real"

    @property
    def token(self) -> str:
        """One alphanumeric word for brain and isTest, for use inside a full-text index.

        Every character that is not a lower-case letter or digit is written as `x` and its code, so no two brains share
        a token, whether the index folds case or not.
        """
        plain = "abcdefghijklmnopqrstuvwyz0123456789"
        letters = (c if c in plain else f"x{ord(c):02x}" for c in self.brain)
        return f"{''.join(letters)}x{'t' if self.is_test else 'r'}"
