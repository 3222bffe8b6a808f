"""What is common to all reading of texts: scripts written without spaces, and words that name a thing exactly."""

import re

# Kana, ideographs and hangul, as the inside of a character class.
CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
CJK_RUN = re.compile(rf"[{CJK}]+")
# Signs that belong to the letter before them, as the inside of a character class: vowels of Devanagari, Thai, Arabic,
# and the joiners of Persian. To Python they are no letters, so that बाल and बोल were the same two consonants.
MARKS = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    r"\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711-\u07f3\u07fd\u0816-\u082d\u0859-\u085b\u0898-\u08e1"
    r"\u08e3-\u0963\u0981-\u09e3\u09fe-\u0a75\u0a81-\u0ae3\u0afa-\u0b63\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0c83"
    r"\u0cbc-\u0d4d\u0d57\u0d62-\u0d63\u0d81-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd\u0f18-\u0f19\u0f35"
    r"\u0f37\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6\u102b-\u103e\u1056-\u109d\u135d-\u135f\u1712-\u1734"
    r"\u1752-\u17d3\u17dd\u1885-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1b44\u1b6b-\u1b73\u1b80-\u1bf3"
    r"\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f-\u2dff\ua66f\ua674-\ua67d"
    r"\ua69e-\ua6f1\ua802-\ua827\ua82c\ua880-\ua8c5\ua8e0-\ua8f1\ua8ff-\ua92d\ua947-\ua953\ua980-\ua9c0"
    r"\ua9e5-\uaa4d\uaa7b-\uaac1\uaaeb-\uaaef\uaaf5-\uaaf6\uabe3-\uabea\uabec-\uabed\ufb1e\ufe20-\ufe2f"
    r"\u200c\u200d"
)
# A run of letters, digits and underscores with their signs, but no CJK; as a part of a pattern.
RUN = rf"(?>[^\W{CJK}]+(?:[{MARKS}]+[^\W{CJK}]*)*)"
_INNER_MARK = re.compile(r"[._/:@+]\w|\d|_")


def is_identifier(word: str) -> bool:
    """Whether a word is one of snake_case, dotted.names, paths, CamelCase, ACRONYMS, words with digits."""
    if CJK_RUN.fullmatch(word):
        return False
    inner = word[1:]
    return bool(
        _INNER_MARK.search(word)
        or (inner != inner.lower() and word != word.upper())
        or (len(word) > 1 and word.isupper())
    )
