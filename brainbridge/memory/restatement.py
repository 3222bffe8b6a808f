"""Whether two texts say the same: Jaccard similarity of their stems, and guards that tell a restatement from a change.

"The port is 8080" and "The port is 9090" share most of their words and say different things. So a text that is similar
enough (≥ 0.60, document 000) still counts as a change where numbers, negation, names, identifiers or opposites differ.
docs/benchmarks.md has the table of what that gives on a labelled set; bench/bench_restatements.py makes it.
"""

import re
import struct
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from hashlib import blake2b, shake_128
from itertools import pairwise
from threading import Lock

import snowballstemmer

from brainbridge.domain.text import CJK, CJK_RUN, RUN, is_identifier
from brainbridge.memory.words import CJK_FILLERS, FILLERS, NEGATIONS, QUALIFIERS, REMINDING, exclusive, number_words

# Document 000: a near-duplicate has a Jaccard similarity of at least this, inclusive.
SIMILAR = 0.60
# With fewer distinct tokens one changed word decides, so only texts with the same tokens count as the same.
FEW_TOKENS = 4
# Of two names the shorter may be another person's; names are seldom shortened to more letters (Chris, Steph).
NICKNAME = 5
# 32 bands of 4 rows find a pair of similarity 0.60 with probability 1 − (1 − 0.6⁴)³² = 0.988, one of 0.8 always.
BANDS, ROWS = 32, 4

_TOKEN = re.compile(rf"[{CJK}]+|{RUN}(?:['._/:@+-]+{RUN})*(?:\+\+|\#)?|[^\w\s]", re.UNICODE)
_IDEOGRAPH = re.compile(r"[\u30a0-\u30fb\u3400-\u4dbf\u4e00-\u9fff]")
_CJK_DIGITS = "一二三四五六七八九十百千"
_NUMBER_OR_WORD = re.compile(
    # Numbers with their sign and am or pm, comparisons and currencies, which change what a number means; and words.
    rf"(?:(?<![\w)])[-+−])?\d+(?:[.,:/-]\d+)*(?:\s*[ap]\.?m\b)?|[<>≤≥]=?|[!=]=|[$€£¥%]|[{_CJK_DIGITS}]+|[^\W\d_{CJK}]+"
)
# Between two things that change places, these say which is which: "copies staging into production".
_DIRECTIONS = frozenset("into to from than onto über nach aus von als hacia desde vers depuis".split())  # noqa: SIM905
_DIRECTED = re.compile(
    r"\b(?:into|to|from|than|by|onto|über|nach|aus|von|als|hacia|desde|vers|depuis|chez)\b", re.IGNORECASE
)
_PARTS = re.compile(r"['._/:@+-]+")
# I'm, it's, we're, I'll, I've, he'd; and doesn't, whose negation is compared on its own.
_CONTRACTED = re.compile(r"n't$|'(?:m|s|re|ll|ve|d)$")
_SENTENCE_END = frozenset(".!?:…。！？")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What is compared of a text.

    `words`: content words in their order, folded, numbers as digits, CJK as bigrams. `tokens`: their stems.
    `names`: stems of words that are capitalised within a sentence, and of identifiers. `key`: equal for texts that are
    equal but for case, spaces and a final stop. `bands`: 32 words; texts of similarity 0.60 or more share at least one
    with probability 0.988.
    """

    key: str
    words: tuple[str, ...]
    tokens: frozenset[str]
    numbers: tuple[str, ...]
    negated: frozenset[str]
    directed: frozenset[tuple[str, str]]
    passive: bool
    names: tuple[str, ...]
    bands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How alike two texts are (0 to 1), and whether the one restates the other."""

    similarity: float
    restates: bool


def fingerprint(text: str) -> Fingerprint:
    """Everything that is compared of `text`."""
    whole = unicodedata.normalize("NFC", text).replace("’", "'")
    text = REMINDING.sub("", whole)
    found = [(word, at_start) for word, at_start in _words(text) if _carries_meaning(word)]
    words = tuple(part for word, _ in found for part in _pieces(word))
    names = tuple(
        _stem(part)
        for word, at_start in found
        if is_identifier(word) or (word[:1].isupper() and not at_start)
        for part in _pieces(word)
    )
    tokens = frozenset(_stem(word) for word in words)
    return Fingerprint(
        key=_digest(" ".join(whole.casefold().split()).rstrip(".!。 "), 16),
        words=words,
        tokens=tokens,
        numbers=tuple(_numbers(text)),
        negated=frozenset(_negated(text)),
        directed=frozenset(_directed_pairs(text)),
        passive=" by " in text.casefold(),
        names=names,
        bands=_bands(tokens),
    )


def compare(first: Fingerprint, second: Fingerprint) -> Comparison:
    """Whether `second` restates `first`."""
    if first.key == second.key:
        return Comparison(1.0, restates=True)
    gone, come = first.tokens - second.tokens, second.tokens - first.tokens
    if 2 * len(first.tokens & second.tokens) < len(first.tokens | second.tokens) * SIMILAR:
        return Comparison(len(first.tokens & second.tokens) / (len(first.tokens | second.tokens) or 1), restates=False)
    for short, long in _abbreviations(first, second, gone, come):
        gone, come = gone - long - short, come - long - short
    shared = len(first.tokens | second.tokens) - len(first.tokens ^ second.tokens)
    shared += len(first.tokens - second.tokens - gone)  # abbreviated words count as shared
    total = shared + len(gone) + len(come)
    if not total:
        return Comparison(0.0, restates=False)
    few = min(len(first.tokens), len(second.tokens)) < FEW_TOKENS and bool(gone or come)
    similar = shared / total >= SIMILAR and not few
    return Comparison(shared / total, restates=similar and not _says_something_else(first, second, gone, come))


def _says_something_else(first: Fingerprint, second: Fingerprint, gone: frozenset[str], come: frozenset[str]) -> bool:
    """The guards: what stands in one text only (`gone`, `come`), and carries the meaning."""
    return (
        first.numbers != second.numbers
        or first.negated != second.negated
        or not gone.isdisjoint(first.names)
        or not come.isdisjoint(second.names)
        or _swapped(first, second)
        or (_opening(first) in gone and _opening(second) in come)
        or _exclude_each_other(first, second)
        or _one_word_replaced(first.words, second.words, gone, come)
    )


def _one_word_replaced(
    first: tuple[str, ...], second: tuple[str, ...], gone: frozenset[str], come: frozenset[str]
) -> bool:
    """Whether the texts are the same word for word, but for one that stands in another's place.

    People who restate a fact move, add and drop words; who changes one keeps the sentence and puts another word in.
    A place is one word, or what one word is in CJK bigrams.
    """
    edits = [edit for edit in SequenceMatcher(None, first, second, autojunk=False).get_opcodes() if edit[0] != "equal"]
    if len(edits) != 1 or edits[0][0] != "replace":
        return False
    _, i, j, k, m = edits[0]
    old, new = first[i:j], second[k:m]
    single = len(old) == len(new) == 1 or _another_ideograph(old, new)
    return single and {_stem(word) for word in old} <= gone and {_stem(word) for word in new} <= come


def _swapped(first: Fingerprint, second: Fingerprint) -> bool:
    """Whether two parts changed places around one that stayed: "Anna reports to Berta", "Berta reports to Anna".

    What only moves, as in "in March Priya joined", is no swap, and the passive voice is none. Two neighbours may change
    places, as in a list, unless a word such as `into` stands between them and says which is which.
    """
    ours, theirs = ([_stem(word) for word in text.words] for text in (first, second))
    if ours == theirs or sorted(ours) != sorted(theirs):
        return False
    while ours[0] == theirs[0]:
        ours, theirs = ours[1:], theirs[1:]
    while ours[-1] == theirs[-1]:
        ours, theirs = ours[:-1], theirs[:-1]
    if first.passive != second.passive:
        return False
    if len(ours) == 2:
        return tuple(ours) in first.directed
    return any(
        theirs == ours[-back:] + ours[front:-back] + ours[:front]
        for front in range(1, len(ours))
        for back in range(1, len(ours) - front)
    )


def _another_ideograph(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Whether ideographs or katakana of one text gave way to others; kana alone are mostly endings."""
    before, after = ({*_IDEOGRAPH.findall("".join(words))} for words in (old, new))
    return bool(before - after) and bool(after - before)


def _opening(text: Fingerprint) -> str:
    """The stem a text begins with: a name there cannot be told by its capital."""
    return _stem(text.words[0]) if text.words else ""


def _exclude_each_other(first: Fingerprint, second: Fingerprint) -> bool:
    """Whether the texts differ in words of one closed set: another unit, weekday, colour, the opposite."""
    ours, theirs = (_places(set(one.words) - set(other.words)) for one, other in ((first, second), (second, first)))
    return any(ours[number] != theirs[number] for number in ours.keys() & theirs.keys())


def _places(words: set[str]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = {}
    for word in words:
        for number, place in exclusive().get(word, ()):
            found.setdefault(number, set()).add(place)
    return {number: frozenset(places) for number, places in found.items()}


def _abbreviations(
    first: Fingerprint, second: Fingerprint, gone: frozenset[str], come: frozenset[str]
) -> Iterable[tuple[frozenset[str], frozenset[str]]]:
    """Pairs (short, long) of stems that are the same word: config and configuration, CI, flower pot and flowerpot.

    Not of two names, unless the short one is too long for a nickname: Mel need not be Melanie, and German writes every
    noun like a name, as in Konfig and Konfiguration.
    """
    names = {*first.names, *second.names}
    for long_text, short_only, long_only in ((second, gone, come), (first, come, gone)):
        for short in short_only:
            # One letter is an abbreviation only if it is all that differs: 17 h, 17 heures.
            if short.isdigit() or (len(short) < 2 and len(gone) + len(come) > 2):
                continue
            for long in long_only:
                if len(short) <= NICKNAME and names.issuperset((short, long)):
                    continue
                if long.startswith(short) and len(long) >= len(short) + 2 and long.isalnum() and not long.isdigit():
                    yield frozenset({short}), frozenset({long})
            for pieces in _spelled_out(short, long_text.words):
                yield frozenset({short}), frozenset(map(_stem, pieces))


def _spelled_out(short: str, words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """Runs of 2 to 4 words whose initials, or which written together, are `short`."""
    for length in (2, 3, 4):
        for start in range(len(words) - length + 1):
            run = words[start : start + length]
            if short in ("".join(word[0] for word in run), "".join(run)):
                yield run


def _words(text: str) -> Iterable[tuple[str, bool]]:
    """Words, CJK runs and symbols of a text, each with whether a sentence begins there."""
    at_start = True
    for found in _TOKEN.finditer(text):
        word = found.group()
        if len(word) == 1 and not word.isalnum():
            if word in _SENTENCE_END:
                at_start = True
            elif unicodedata.category(word) == "So":  # emoji carry meaning, punctuation does not
                yield word, False
            continue
        yield word, at_start
        at_start = False


def _carries_meaning(word: str) -> bool:
    return _CONTRACTED.sub("", word.casefold()) not in FILLERS | NEGATIONS


def _pieces(word: str) -> list[str]:
    """A word as the tokens it counts for: CJK runs as bigrams, compounds by their parts."""
    if CJK_RUN.fullmatch(word):
        run = word.translate(CJK_FILLERS)
        return [run[i : i + 2] for i in range(len(run) - 1)] or [word]
    if word.endswith(("++", "#")):  # C++, C#
        return [word.casefold()]
    parts = _PARTS.split(_CONTRACTED.sub("", word.casefold()))
    return [number_words().get(part, part) for part in parts if part]


def _numbers(text: str) -> Iterable[str]:
    """Numbers in digits, and those written as words."""
    for found in _NUMBER_OR_WORD.findall(text.casefold()):
        if not found[0].isalpha() or found[0] in _CJK_DIGITS:
            yield found.replace(" ", "").replace(".m", "m")
        elif found in number_words():
            yield number_words()[found]


def _directed_pairs(text: str) -> Iterable[tuple[str, str]]:
    """The stems on both sides of each word such as `into`."""
    words = re.findall(r"[^\W_]+(?:['._/:@+-]+[^\W_]+)*", text.casefold())
    content = [(at, _stem(word)) for at, word in enumerate(words) if _carries_meaning(word)]
    for (start, before), (end, after) in pairwise(content):
        if not _DIRECTIONS.isdisjoint(words[start + 1 : end]):
            yield before, after


def _negated(text: str) -> Iterable[str]:
    """What each negation of a text bears on, the stem of the content word after it; and the qualifiers themselves."""
    folded = text.casefold()
    pending = False
    for word in re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", folded):
        if word in QUALIFIERS:
            yield word
        elif word in NEGATIONS or word.endswith("n't") or word.startswith("n'"):
            if pending:
                yield ""
            pending = True
        elif pending and _carries_meaning(word):
            yield _stem(_CONTRACTED.sub("", word))
            pending = False
    if pending:
        yield ""
    for sign in NEGATIONS:
        if CJK_RUN.fullmatch(sign):
            yield from (sign + folded[at.end() : at.end() + 1] for at in re.finditer(sign, folded))


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    with _STEMMING:
        return str(_STEMMER.stemWord(word))


@lru_cache(maxsize=50_000)
def _hashes(token: str) -> tuple[int, ...]:
    """One 32-bit hash of a token for each row of each band: fixed for ever, so that signatures can be compared."""
    return struct.unpack(f">{BANDS * ROWS}I", shake_128(token.encode()).digest(BANDS * ROWS * 4))


def _digest(text: str, size: int) -> str:
    return blake2b(text.encode(), digest_size=size).hexdigest()


def _bands(tokens: frozenset[str]) -> tuple[str, ...]:
    """The bands of the MinHash signature of a set (Broder 1997), each hashed to one word."""
    if not tokens:
        return ()
    signature = [min(column) for column in zip(*map(_hashes, tokens), strict=True)]
    rows = (signature[band * ROWS : (band + 1) * ROWS] for band in range(BANDS))
    return tuple(_digest(f"{band}:{row}", 6) for band, row in enumerate(rows))


# A stemmer works on a buffer of its own: two threads at once got wrong stems, which the cache kept, or an IndexError.
_STEMMER, _STEMMING = snowballstemmer.stemmer("english"), Lock()
