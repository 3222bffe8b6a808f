"""The old grammar: every line of document 004, every trap of the old program, and no token ever lost."""

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.legacy import OPERATIONS, LegacyRefused, first_operand, looks_like_cypher, translate

# Tokens as an operating system can hand them over: no NUL.
tokens = st.text(st.characters(exclude_characters="\0"), max_size=20)
known = st.sampled_from(
    [
        *OPERATIONS,
        *COMMANDS,
        "--",
        "-",
        "-q",
        "-v",
        "--json",
        "--testOnly",
        "--brain",
        "--brain=milo",
        "--brain=",
        "-1",
    ]
)


@pytest.mark.parametrize(
    ("old", "modern"),
    [
        (["--brain=milo", "-consolidateAll"], ["consolidate", "--brain=milo"]),
        (["--brain=milo", "-promoteMemories"], ["promote", "--brain=milo"]),
        (["--brain=milo", "-memoryStatus"], ["status", "--brain=milo"]),
        (["--brain=milo", "-memoryHealth"], ["health", "--brain=milo"]),
        (
            ["--brain=milo", "-testMemory", "content", "2.5", "working"],
            ["test-memory", "create", "--brain=milo", "--", "content", "2.5", "working"],
        ),
        (["--brain=milo", "-decayEnergy", "--testOnly"], ["decay", "--brain=milo", "--test-only"]),
        (["--brain=milo", "-promoteMemories", "--testOnly"], ["promote", "--brain=milo", "--test-only"]),
        (["--brain=milo", "-consolidateAll", "--testOnly"], ["consolidate", "--brain=milo", "--test-only"]),
        (["--brain=milo", "-listTestMemories"], ["test-memory", "list", "--brain=milo"]),
        (["--brain=milo", "-boostMemory", "abcdef"], ["boost", "--brain=milo", "--", "abcdef"]),
        (["-crystallization", "trigger", "-insight"], ["capture", "crystallization", "--", "trigger", "-insight"]),
        (["-learned", "concept", "what"], ["capture", "learning", "--", "concept", "what"]),
        (["-reminder", "-thing"], ["capture", "reminder", "--", "-thing"]),
        (
            ["--brain=milo", "MATCH (c:ConsolidationConfig) RETURN c"],
            ["cypher", "run", "--brain=milo", "--", "MATCH (c:ConsolidationConfig) RETURN c"],
        ),
    ],
)
def test_every_line_of_the_quick_reference_has_a_modern_twin(old: list[str], modern: list[str]) -> None:
    """Each command of document 004 is understood as it is written there (R-004-01 to R-004-12)."""
    assert modern == translate(old, COMMANDS)


@pytest.mark.parametrize(
    ("line", "modern"),
    [
        (["--testOnly", "--brain=milo", "-consolidateAll"], ["consolidate", "--brain=milo", "--test-only"]),
        (["-consolidateAll", "--testOnly", "--brain", "milo"], ["consolidate", "--brain=milo", "--test-only"]),
        (["--json", "-memoryStatus", "-q"], ["status", "--json", "-q"]),
        (["c", "2.5", "working", "-testMemory"], ["test-memory", "create", "--", "c", "2.5", "working"]),
        (
            ["c", "2.5", "working", "-testMemory", "--json"],
            ["test-memory", "create", "--json", "--", "c", "2.5", "working"],
        ),
        (["status", "2.5", "working", "-testMemory"], ["test-memory", "create", "--", "status", "2.5", "working"]),
        (
            ["-testMemory", "-dash text", "2.5", "working"],
            ["test-memory", "create", "--", "-dash text", "2.5", "working"],
        ),
        (["-testMemory", "--json", "2.5", "working"], ["test-memory", "create", "--", "--json", "2.5", "working"]),
        (
            ["-testMemory", "-decayEnergy", "1", "working"],
            ["test-memory", "create", "--", "-decayEnergy", "1", "working"],
        ),
        (["-testMemory", "c", "-1", "working"], ["test-memory", "create", "--", "c", "-1", "working"]),
        (["c", "-inf", "working", "-testMemory"], ["test-memory", "create", "--", "c", "-inf", "working"]),
        (["-testMemory", "c", "1", "working", "--testOnly"], ["test-memory", "create", "--", "c", "1", "working"]),
        (["-boostMemory", "--testOnly", "abcdef"], ["boost", "--test-only", "--", "abcdef"]),
        (["--write", "CREATE (n) RETURN n"], ["cypher", "run", "--write", "--", "CREATE (n) RETURN n"]),
        (["// all\nMATCH(n) RETURN n"], ["cypher", "run", "--", "// all\nMATCH(n) RETURN n"]),
    ],
)
def test_traps_of_the_old_program_lose_nothing(line: list[str], modern: list[str]) -> None:
    """Flags stand anywhere, content may look like anything, and a negative energy reaches its validation (R-004-06)."""
    assert modern == translate(line, COMMANDS)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (["--brain=", "-memoryStatus"], "--brain is empty"),
        (["--brain", "-memoryStatus"], "--brain is empty"),
        (["-foo"], "-foo is not an operation"),
        (["-consolidateall"], "Did you mean -consolidateAll?"),
        (["--brain=milo", "-memorystatus"], "Did you mean -memoryStatus?"),
        (["-consolidateAll", "-decayEnergy"], "two operations"),
        (["-boostMemory", "-consolidateAll"], "two operations"),
        (["-testMemory", "c", "2.5"], "takes CONTENT ENERGY TIER"),
        (["-testMemory", "--brain=milo", "c", "2.5", "working"], "Put flags before it"),
        (["-consolidateAll", "now"], "takes no operands"),
        (["-boostMemory"], "takes ID"),
        (["-memoryHealth", "--testOnly"], "--testOnly means nothing"),
        (["MATCH (n) RETURN n", "--testOnly"], "--testOnly means nothing"),
    ],
)
def test_what_the_old_program_ignored_is_refused_with_the_reason(line: list[str], said: str) -> None:
    """Wrong case, unknown switches, two operations are refused, one line each."""
    with pytest.raises(LegacyRefused) as refusal:
        translate(line, COMMANDS)

    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert 2 == refusal.value.exit_code


@pytest.mark.parametrize(
    "line",
    [
        [],
        ["--help"],
        ["status", "--json"],
        ["--brain", "milo", "status"],
        ["--brain=milo", "remember", "MATCH the socks"],
        ["remember", "--", "-testMemory"],
        ["test-memory", "create", "-testMemory", "2.5", "working"],
        ["stauts"],
    ],
)
def test_modern_lines_pass_through_untouched(line: list[str]) -> None:
    """A line that begins with a command of today is not looked at twice."""
    assert line == translate(line, COMMANDS)


@given(st.lists(st.one_of(tokens, known), max_size=8))
def test_any_line_is_translated_or_refused(line: list[str]) -> None:
    """No line makes the translation fail in any other way than by its documented refusal."""
    try:
        modern = translate(line, COMMANDS)
    except LegacyRefused:
        return

    assert all(isinstance(token, str) for token in modern)


@given(content=st.one_of(tokens, known), energy=st.one_of(tokens, known), tier=tokens)
@example(content="--", energy="-1", tier="--testOnly")
def test_test_memory_keeps_its_operands_verbatim(content: str, energy: str, tier: str) -> None:
    """`-testMemory` takes the next three tokens unaltered, whatever they look like (R-004-06)."""
    modern = translate(["--brain=milo", "-testMemory", content, energy, tier], COMMANDS)

    assert ["test-memory", "create", "--brain=milo", "--", content, energy, tier] == modern


@given(tokens.filter(lambda text: not text.startswith("-") and text not in COMMANDS))
def test_raw_cypher_is_never_altered(text: str) -> None:
    """A single operand is run as Cypher exactly as given, or left alone (R-004-12)."""
    modern = translate([text], COMMANDS)

    assert modern in (["cypher", "run", "--", text], [text])


@pytest.mark.parametrize(
    ("text", "cypher"),
    [
        ("MATCH (n) RETURN n", True),
        ("match(n) return n", True),
        ("  /* why */ // what\n CALL db.labels()", True),
        ("show", False),
        ("matching socks", False),
        ("", False),
        ("// only a comment", False),
        ("/* open", False),
    ],
)
def test_cypher_is_told_by_its_first_clause(text: str, *, cypher: bool) -> None:
    """A clause's name with something after it is Cypher; a lone word may be a misspelt command."""
    assert cypher == looks_like_cypher(text)


@pytest.mark.parametrize(
    ("line", "operand"),
    [
        (["--brain", "goodbye", "status"], "status"),
        (["-q", "--json", "goodbye"], "goodbye"),
        (["-consolidateAll", "status"], None),
        (["--brain"], None),
    ],
)
def test_the_command_is_the_first_token_that_is_no_flag(line: list[str], operand: str | None) -> None:
    """A flag's value is not taken for the command, and an old switch hides what follows it."""
    assert operand == first_operand(line)


def test_translation_loads_nothing() -> None:
    """The translation runs before everything else, so it may not cost an import of note."""
    script = (
        "import sys, brainbridge.cli.legacy as l; from brainbridge.cli.commands import COMMANDS;"
        "l.translate(['-memoryStatus'], COMMANDS); print('click' in sys.modules, 'difflib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert "False False" == done.stdout.strip()
