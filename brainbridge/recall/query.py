"""What a query asks for: its content words, as the full-text index is asked for them and as a memory must hold them."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from brainbridge.domain.text import CJK, CJK_RUN, RUN, is_identifier
from brainbridge.recall.function_words import CJK_ASKING, FUNCTION_WORDS

# Lucene allows 1,024 clauses, which are words × properties; a pasted page has its subject in its first words anyway.
MOST_WORDS = 128

# A word in the subject says more than one in the text: nDCG@10 .476 without it, .502 with 2, .511 with 3, and no more
# above. Two, because in that measurement the subject is always the speaker, whom questions name.
SUBJECT_BOOST = 2

_WORD = re.compile(rf"[{CJK}]+|{RUN}(?:['._/:@+-]+{RUN})*(?:\+\+|\#)?|[^\w\s]", re.UNICODE)
_POSSESSIVE = re.compile(r"'s$|(?<=s)'$")
_CONTRACTED = re.compile(r"n't$|'(?:m|s|re|ll|ve|d)$")
_PARTS = re.compile(r"['._/:@+-]+")
_PLACES = re.compile(r"[/:@]+")
_ASKING = re.compile("|".join(map(re.escape, sorted(CJK_ASKING, key=len, reverse=True))))
_SENTENCE_END = frozenset(".!?:…。！？")


@dataclass(frozen=True, slots=True)
class Query:
    """A query, taken apart.

    Attributes:
        text: as it was asked.
        words: the distinct content words, folded, CJK as pairs of characters; in their order.
        parts: those of them that are only parts of a compound, such as `run` of `run_once`.
        names: those of them that name somebody or something exactly: capitalised within a sentence, or an identifier.
        identifier: the query itself, folded, if it is one identifier and nothing else.
    """

    text: str
    words: tuple[str, ...]
    parts: frozenset[str]
    names: frozenset[str]
    identifier: str | None = None

    def by_index(self) -> dict[str, list[str]]:
        """The words for the stemmed index (`text`) and for that of pairs of CJK characters (`cjk`), if any."""
        found: dict[str, list[str]] = {}
        for word in self.words:
            found.setdefault(index_of(word), []).append(word)
        return found

    def by_script(self) -> list[list[str]]:
        """The words in CJK and the others, without an empty list: a run of CJK is many pairs, and only some words."""
        cjk = [word for word in self.words if CJK_RUN.fullmatch(word)]
        return [words for words in (cjk, [word for word in self.words if word not in cjk]) if words]


def analysed(text: str) -> Query:
    """Take a query apart. Function words are dropped, unless there is nothing else."""
    found = [word for word in _words(_normal(text)) if word.folded]
    content = [word for word in found if word.folded not in FUNCTION_WORDS and _tokens(word)]
    words, whole, names = dict[str, None](), set[str](), set[str]()
    for word in content or found:
        tokens = _tokens(word) or _tokens(word, asked=False)
        words |= dict.fromkeys(tokens)
        whole |= {word.folded, *(token for token in tokens if index_of(token) == "cjk")}
        if word.is_name and word.folded not in FUNCTION_WORDS:
            names.add(word.folded)
        if len(words) >= MOST_WORDS:
            break
    kept = tuple(words)[:MOST_WORDS]
    alone = found[0] if len(found) == 1 and is_identifier(found[0].text) else None
    named = frozenset(names) & {*kept}
    return Query(text, kept, frozenset(kept) - whole, named, alone.folded if alone else None)


def words_of(text: str) -> frozenset[str]:
    """Every word of a memory that a query's word can be equal to: exact, not stemmed (R-003-19)."""
    return frozenset(token for word in _words(_normal(text)) for token in _tokens(word, asked=False))


def lucene(words: Iterable[str], token: str, parts: Collection[str] = ()) -> str:
    """The words as alternatives in Lucene's syntax, in content or subject, for memories whose scope is `token`.

    Between quotation marks only they and the backslash mean something to Lucene: neither AND nor a colon does.
    A word that its analyzer takes apart becomes a phrase.

    Args:
        parts: words that count a quarter, because the compound they are of is among the words.
    """
    escaped = " ".join(f'"{_escaped(word)}"{"^0.25" if word in parts else ""}' for word in words)
    return f"+scope:{token}^0 +(content:({escaped}) subject:({escaped})^{SUBJECT_BOOST})"


def _escaped(word: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", word)


@dataclass(frozen=True, slots=True)
class _Word:
    """A word as it was written, and folded, without possessive and contraction."""

    text: str
    folded: str
    at_start: bool

    @property
    def is_name(self) -> bool:
        return is_identifier(self.text) or (self.text[:1].isupper() and not self.at_start)


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("’", "'")


def _words(text: str) -> Iterator[_Word]:
    at_start = True
    for found in _WORD.finditer(text):
        word = found.group()
        if len(word) == 1 and not word.isalnum():
            if word in _SENTENCE_END:
                at_start = True
            elif unicodedata.category(word) == "So":  # emoji carry meaning, punctuation does not
                yield _Word(word, word, at_start=False)
            continue
        bare = _CONTRACTED.sub("", _POSSESSIVE.sub("", word))
        yield _Word(bare, bare.casefold(), at_start)
        at_start = False


def _tokens(word: _Word, *, asked: bool = True) -> list[str]:
    """A word as what is compared: itself and its parts, CJK as pairs of characters.

    Args:
        asked: it stands in a query, so that what only asks is cut out of CJK, which may leave nothing.
    """
    if CJK_RUN.fullmatch(word.text):
        runs = [run for run in _ASKING.split(word.text) if run] if asked else [word.text]
        return [pair for run in runs for pair in _pairs(run, alone=not asked)]
    parts = [part for part in _PARTS.split(word.folded) if part]
    if len(parts) < 2:
        return [word.folded]
    # A path in a memory answers to the file it ends in; a query means the whole of what it names.
    names = [] if asked else [name for name in _PLACES.split(word.folded) if name]
    return [word.folded, *names, *parts]


def _pairs(run: str, *, alone: bool) -> list[str]:
    """Pairs of neighbours; a lone character stands for itself, and in a memory each does.

    Args:
        alone: give the single characters too.
    """
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*pairs, *run] if alone else pairs or [run]


def index_of(word: str) -> str:
    """The index that knows a word: `cjk` for a pair of CJK characters, else `text`, which has lone ones too."""
    return "cjk" if len(word) == 2 and CJK_RUN.fullmatch(word) else "text"
