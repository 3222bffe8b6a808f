"""What is common to all reading of texts: scripts written without spaces, and words that name a thing exactly."""

import re

# Kana, ideographs and hangul, as the inside of a character class.
CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
CJK_RUN = re.compile(rf"[{CJK}]+")
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
