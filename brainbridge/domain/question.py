"""When two questions are the same one: they have the same words in the same order, whatever their case and signs."""

import re
import unicodedata
from hashlib import sha256

from brainbridge.domain.text import MARKS

_WORD = re.compile(rf"[\w{MARKS}]+")
# Hexadecimal digits of the key: 128 bits, so that two questions never share one, and short enough for an index,
# which a question of any length is not.
_KEY_LENGTH = 32


def question_key(query: str) -> str:
    """What all askings of one question have in common: lower-cased, cut into words, joined, digested (R-003-23).

    A question without any word, such as an emoji, is compared by its signs.
    """
    lowered = unicodedata.normalize("NFC", query).lower()
    same = " ".join(_WORD.findall(lowered)) or " ".join(lowered.split())
    return sha256(same.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_LENGTH]
