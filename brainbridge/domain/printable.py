"""Text that may be shown: what a memory holds is somebody's, and must not steer a terminal, a page or a reader."""

import re
import unicodedata

# Marks that change the direction of what follows: with them a text can read as what it is not.
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# CSI and OSC sequences whole, so that no "[31m" is left when their ESC goes.
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")


def printable(text: str) -> str:
    """`text` on one line, without anything that moves the cursor, sets colours or turns the writing direction."""
    shown = _BIDI.sub("", _ESCAPES.sub("", text))
    return " ".join("".join(" " if c.isspace() else c for c in shown if c.isspace() or not _is_control(c)).split())


def _is_control(char: str) -> bool:
    return unicodedata.category(char) == "Cc"
