"""What counts as saying the same: the labelled pairs, the guards one by one, and the bands that find candidates."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.bench_restatements import SETS, reinforced
from brainbridge.memory import restatement
from brainbridge.memory.restatement import BANDS, FEW_TOKENS, SIMILAR, compare, fingerprint


@pytest.mark.parametrize(
    ("name", "caught", "swallowed"),
    [(SETS["first set"], 44, 0), (SETS["second set"], 43, 0)],
)
def test_the_labelled_pairs(name: str, caught: int, swallowed: int) -> None:
    """Nine of ten restatements are caught, none of the changes is swallowed; pinned exactly, in both directions."""
    assert (caught, swallowed) == (reinforced(name, "restatement")[0], reinforced(name, "change")[0])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The API listens on port 8080 by default", "The API listens on port 9090 by default"),
        ("Retry 3 times within 5 seconds after an error", "Retry 5 times within 3 seconds after an error"),
        ("Always commit the lock file of the project", "Never commit the lock file of the project"),
        ("The build does run on every push to main", "The build does not run on every push to main"),
        ("Anna reports to Berta every week in Rome", "Berta reports to Anna every week in Rome"),
        ("The report goes to Carla every Monday", "The report goes to Diego every Monday"),
        ("Settings live in config.toml of the home folder", "Settings live in config.yaml of the home folder"),
        ("The timeout of the request is 30 seconds", "The timeout of the request is 30 milliseconds"),
        ("The flag enables the cache of the worker", "The flag disables the cache of the worker"),
        ("The user prefers verbose output of the tests", "The user prefers terse output of the tests"),
        ("The user can merge without review on main", "The user cannot merge without review on main"),
        ("The server is not slow but it is unstable now", "The server is slow but it is not unstable now"),
        ("The freezer is at -5 degrees in the lab", "The freezer is at 5 degrees in the lab"),
        ("Set the check to x >= 5 in the loop", "Set the check to x <= 5 in the loop"),
        ("The lunch budget is $50 per person", "The lunch budget is €50 per person"),
        ("We write the parser in C for speed", "We write the parser in C++ for speed"),
        ("alice reports to bob every week", "bob reports to alice every week"),
        ("the job copies staging into production", "the job copies production into staging"),
        ("Maria owns the billing service and Tom owns search", "Maria owns the search service and Tom owns billing"),
        ("The call is at 3 pm on weekdays", "The call is at 3 am on weekdays"),
        ("If the build fails page the owner", "Unless the build fails page the owner"),
        ("Only tom may deploy to the cluster", "tom may deploy to the cluster"),
        ("会議は毎週金曜日の三時に始まります", "会議は毎週金曜日の四時に始まります"),
        ("Please ask Mel for the keys of the archive room", "Please ask Melanie for the keys of the archive room"),
        ("Every morning Chris opens the shop and the yard", "Every morning Christopher opens the yard and the shop"),
        ("राम की दुकान बाल काटती है", "राम की दुकान बोल काटती है"),
    ],
)
def test_what_changes_the_fact_is_no_restatement(first: str, second: str) -> None:
    """Numbers, signs, negation and what it bears on, names, identifiers, units, opposites, places, qualifiers."""
    result = compare(fingerprint(first), fingerprint(second))

    assert result.similarity >= SIMILAR
    assert not result.restates


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I'm allergic to walnuts", "I am allergic to walnuts."),
        ("The configuration lives in the folder of the repo", "the config lives in the folder of the repo!"),
        ("Die Konfiguration liegt im Ordner deploy/werte.", "Die Konfig liegt im Ordner deploy/werte!"),
        ("The e2e tests take twelve minutes on CI", "the e2e tests take 12 minutes on CI"),
        ("Tests are skipped in continuous integration on Windows", "Tests get skipped in CI on Windows"),
        ("Do not forget that the spare key is under the flower pot", "The spare key is under the flowerpot"),
        ("café at nine in the old town hall", "cafe\u0301 at nine in the old town hall"),
    ],
)
def test_what_people_vary_is_a_restatement(first: str, second: str) -> None:
    """Contractions, abbreviations, numbers as words, acronyms, compounds, reminders, normal forms."""
    assert compare(fingerprint(first), fingerprint(second)).restates


def test_short_texts_need_the_same_words() -> None:
    """With fewer than four different tokens one changed word decides."""
    assert compare(fingerprint("buy milk today"), fingerprint("Today: buy milk")).restates
    assert not compare(fingerprint("buy oat milk"), fingerprint("buy oat milk soon")).restates
    assert FEW_TOKENS == 4


def test_texts_without_words_are_the_same_only_if_equal() -> None:
    """CJK, emoji and symbols do not all tokenise to nothing."""
    texts = ["記憶", "忘却", "🦫", "🪵", "?!", "---", "***"]
    prints = [fingerprint(text) for text in texts]

    same = [(i, j) for i, a in enumerate(prints) for j, b in enumerate(prints) if compare(a, b).restates]

    assert [(i, i) for i in range(len(texts))] == same


@given(st.text(max_size=200))
def test_every_text_restates_itself_and_has_its_bands(text: str) -> None:
    """Any text; the bands are hexadecimal words, 32 of them or none."""
    text = text.encode("utf-8", "ignore").decode()
    one = fingerprint(text)

    assert compare(one, fingerprint(text)).restates
    assert len(one.bands) in (0, BANDS)
    assert all(band.isalnum() and band.isascii() for band in one.bands)


@given(st.sets(st.sampled_from([f"word{chr(97 + i)}x" for i in range(26)]), min_size=8, max_size=20), st.data())
def test_similar_texts_share_a_band(words: set[str], data: st.DataObject) -> None:
    """Dropping one word of eight or more leaves a similarity over 0.85: at least one band is shared."""
    ordered = sorted(words)
    dropped = data.draw(st.sampled_from(ordered))
    first, second = " ".join(ordered), " ".join(word for word in ordered if word != dropped)

    assert set(fingerprint(first).bands) & set(fingerprint(second).bands)


def test_fingerprints_are_the_same_from_any_thread() -> None:
    """A stemmer shared by threads gave wrong stems and errors; eight threads give what one gives."""
    texts = [f"generalizations {n}ing of {n}ization happily relational {n * 7919}ness" for n in range(300)]
    expected = [fingerprint(text).tokens for text in texts]
    restatement._stem.cache_clear()

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda text: fingerprint(text).tokens, texts * 3))

    assert expected * 3 == found
