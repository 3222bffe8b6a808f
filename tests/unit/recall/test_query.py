"""How a query is taken apart: content words, names, identifiers; nothing in it is syntax."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbridge.recall.function_words import FUNCTION_WORDS
from brainbridge.recall.query import MOST_WORDS, analysed, index_of, lucene, words_of

WORDS = [
    ("What is the port of the staging server?", ["port", "staging", "server"]),
    ("Caroline's favourite PAINTINGS", ["caroline", "favourite", "paintings"]),
    ("my parents' house", ["parents", "house"]),
    ("what is it", ["what", "is", "it"]),  # nothing else is left, so the raw words
    ("port port Port", ["port"]),
    ("CI/CD “x", ["ci/cd", "ci", "cd", "x"]),
    ("a AND OR (", ["a", "and", "or"]),
    ("C++ and C#", ["c++", "c#"]),
    ("foo-", ["foo"]),
    ("tier:", ["tier"]),
    ("well-known", ["well-known", "well", "known"]),
    ("don't panic", ["panic"]),
    ("🚀 launch", ["🚀", "launch"]),
    ("東京の天気", ["東京", "京の", "の天", "天気"]),
    ("東京の天気はどうですか", ["東京", "京の", "の天", "天気", "気は"]),
    ("茶", ["茶"]),
    ("docker コンテナ", ["docker", "コン", "ンテ", "テナ"]),
    ("", []),
    ("* ? ~ ^ { }", []),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_content_words(text: str, words: list[str]) -> None:
    """Folded, without possessives, questions and function words, each once; CJK as pairs without what only asks."""
    assert tuple(words) == analysed(text).words


NAMES = [
    ("When did Caroline meet Melanie?", {"caroline", "melanie"}),
    ("Caroline met whom?", set()),  # at the start of a sentence a capital tells nothing
    ("is run_once called by main.py", {"run_once", "main.py"}),
    ("the LGBTQ group", {"lgbtq"}),
    ("Where is What", set()),  # a function word is no name
    ("what does NodeIndexSeek cost", {"nodeindexseek"}),
    ("port 8080", {"8080"}),
]


@pytest.mark.parametrize(("text", "names"), NAMES)
def test_names(text: str, names: set[str]) -> None:
    """Words that are capitalised within a sentence, and identifiers."""
    assert names == analysed(text).names


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("run_once", "run_once"),
        ("  ERR-1042 ", "err-1042"),
        ("src/main.py", "src/main.py"),
        ("port", None),
        ("a b_c", None),
    ],
)
def test_a_query_that_is_one_identifier(text: str, identifier: str | None) -> None:
    """Only if it is that and nothing else (R-003-18)."""
    assert identifier == analysed(text).identifier


def test_an_exact_word_is_no_stem_and_no_part() -> None:
    """Whole words of the memory, identifiers with their parts and the file a path ends in (R-003-19)."""
    held = words_of("The paintings' frames are in brainbridge/cli/main.py, see ERR-1042")

    assert {"paintings", "brainbridge/cli/main.py", "main.py", "cli", "err-1042", "1042"} <= held
    assert held.isdisjoint({"painting", "frame", "bridge", "104"})


def test_lucene_sees_words_only() -> None:
    """Each word stands in quotation marks, where neither AND nor a colon means anything; the scope is a condition."""
    text = lucene(['say "hi"', "and", "back\\slash"], "miloxr")

    assert '"run_once" "run"^0.25 "once"^0.25' in lucene(("run_once", "run", "once"), "t", analysed("run_once").parts)
    inner = r'"say \"hi\"" "and" "back\\slash"'
    assert f"+scope:miloxr^0 +(content:({inner}) subject:({inner})^2)" == text


@given(st.text(max_size=2_000))
def test_any_text_is_a_query(text: str) -> None:
    """Whatever it holds: at most 128 words, none of them empty, names among them, and no half of a surrogate pair."""
    query = analysed(text)

    assert len(query.words) <= MOST_WORDS
    assert all(query.words)
    assert len(set(query.words)) == len(query.words)
    assert query.names <= set(query.words)
    assert {index_of(word) for word in query.words} == query.by_index().keys()
    lucene(query.words, "t").encode("utf-8")


@given(
    st.lists(st.sampled_from(["port", "Milo", "run_once", "東京タワー", "e-mail", "C++", "42"]), min_size=1, max_size=6)
)
def test_a_text_holds_its_own_words(words: list[str]) -> None:
    """A memory is matched whole by a query of its very words."""
    text = " ".join(words)

    assert set(analysed(text).words) <= words_of(text)


def test_long_queries_are_bounded() -> None:
    """400 words and 10,000 characters give the first 128 distinct words, far below Lucene's 1,024 clauses."""
    assert MOST_WORDS == len(analysed(" ".join(f"word{n}" for n in range(400))).words)
    assert MOST_WORDS == len(analysed("".join(chr(0x4E00 + n) for n in range(10_000))).words)


def test_the_function_words() -> None:
    """117 words, folded; none of them is about anything."""
    assert (117, set()) == (len(FUNCTION_WORDS), {word for word in FUNCTION_WORDS if word != word.casefold()})
