"""The old command line, exactly as document 004 writes it, translated into today's.

    brainBridge --brain=milo -testMemory "content" 2.5 working
    →           test-memory create --brain=milo -- "content" 2.5 working

Pure and table-driven, and it loads nothing, because it runs before anything else does. The old program lost operands
and ignored what it did not know; here every token is either carried over unaltered or named in a refusal.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from brainbridge.domain.errors import UsageError


class LegacyRefused(UsageError):
    """A line in the old grammar that cannot be carried out as it stands."""


class Operation(NamedTuple):
    """One old switch. `test_only` says what `--testOnly` means with it: choose, implied or refused.

    `greedy`: its operands begin with free text, so it takes the tokens after it whatever they look like.
    """

    command: tuple[str, ...]
    operands: tuple[str, ...] = ()
    test_only: str = "choose"
    greedy: bool = False


OPERATIONS: dict[str, Operation] = {
    "-consolidateAll": Operation(("consolidate",)),
    "-promoteMemories": Operation(("promote",)),
    "-decayEnergy": Operation(("decay",)),
    "-memoryStatus": Operation(("status",)),
    "-memoryHealth": Operation(("health",), test_only="refused"),
    "-testMemory": Operation(
        ("test-memory", "create"), ("CONTENT", "ENERGY", "TIER"), test_only="implied", greedy=True
    ),
    "-listTestMemories": Operation(("test-memory", "list"), test_only="implied"),
    "-boostMemory": Operation(("boost",), ("ID",)),
    "-crystallization": Operation(("capture", "crystallization"), ("TRIGGER", "INSIGHT"), greedy=True),
    "-learned": Operation(("capture", "learning"), ("CONCEPT", "WHAT"), greedy=True),
    "-reminder": Operation(("capture", "reminder"), ("THING",), greedy=True),
}
_RAW_CYPHER = Operation(("cypher", "run"), ("CYPHER",), test_only="refused")
_TEST_ONLY = ("--testOnly", "--test-only")
_VALUED = ("--brain", "--uri")
_SHORT_FLAGS = ("-h", "-q", "-v", "-vv")
_NO_SWITCH = ("-inf", "-infinity", "-nan")
_CYPHER_CLAUSES = (
    *(
        "alter",
        "call",
        "create",
        "cypher",
        "delete",
        "deny",
        "detach",
        "drop",
        "explain",
        "filter",
        "finish",
        "foreach",
    ),
    *("grant", "insert", "let", "load", "match", "merge", "optional", "profile", "remove", "return", "revoke", "set"),
    *("show", "terminate", "unwind", "use", "with"),
)


class _Line(NamedTuple):
    operations: list[str]
    operands: list[str]
    flags: list[str]
    test_only: bool


def translate(argv: Sequence[str], commands: Collection[str]) -> list[str]:
    """`argv` in today's grammar; unchanged if it already is.

    Args:
        argv: the tokens after the program's name.
        commands: the names of today's commands; a line that begins with one is not ours.

    Raises:
        LegacyRefused: an unknown switch, two operations, a wrong number of operands, an empty brain.
    """
    if first_operand(argv) in commands and not _ends_with_a_greedy_one(argv):
        return list(argv)
    line = _read(argv)
    if len(line.operations) > 1:
        raise LegacyRefused(f"{' and '.join(line.operations)} are two operations. Give one a line.")
    if line.operations:
        return _written(line.operations[0], line)
    if len(line.operands) == 1 and looks_like_cypher(line.operands[0]):
        return _written("raw Cypher", line)
    return list(argv)


def first_operand(argv: Sequence[str]) -> str | None:
    """The first token that is neither a flag nor a flag's value; None if there is none, or an old switch before it."""
    position = position_of_operand(argv)
    return None if position is None else argv[position]


def position_of_operand(argv: Sequence[str]) -> int | None:
    """Where `first_operand` stands."""
    skip = False
    for position, word in enumerate(argv):
        if skip:
            skip = False
        elif word in _VALUED:
            skip = True
        elif not word.startswith("-") or word == "-":
            return position
        elif not word.startswith("--") and word not in _SHORT_FLAGS:
            return None
    return None


def looks_like_cypher(text: str) -> bool:
    """Whether `text` begins with a Cypher clause, after comments, and goes on after it."""
    rest = text.strip()
    while rest.startswith(("//", "/*")):
        end = "\n" if rest.startswith("//") else "*/"
        rest = rest.partition(end)[2].strip()
    letters = next((i for i, char in enumerate(rest) if not char.isalpha()), len(rest))
    return rest[:letters].lower() in _CYPHER_CLAUSES and letters < len(rest)


def _ends_with_a_greedy_one(argv: Sequence[str]) -> bool:
    """`"status" 2.5 working -testMemory`: the content happens to be the name of a command."""
    plain = [word for word in argv if not word.startswith("--") and word not in _SHORT_FLAGS]
    last = OPERATIONS.get(plain[-1]) if plain else None
    return last is not None and last.greedy and len(plain) == 1 + len(last.operands)


def _read(argv: Sequence[str]) -> _Line:
    operations: list[str] = []
    operands: list[str] = []
    flags: list[str] = []
    test_only = False
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word == "--":
            operands += rest
            break
        if (operation := OPERATIONS.get(word)) is not None:
            operations.append(word)
            if operation.greedy and not operands:
                count = len(operation.operands)
                operands, rest = rest[:count], rest[count:]
        elif word in _TEST_ONLY:
            test_only = True
        elif word.startswith("--"):
            flags.append(_flag(word, rest))
        elif _is_switch(word):
            if word not in _SHORT_FLAGS:
                raise LegacyRefused(_unknown(word))
            flags.append(word)
        else:
            operands.append(word)
    return _Line(operations, operands, flags, test_only)


def _flag(word: str, rest: list[str]) -> str:
    """A long flag with its value, which is taken from `rest` if it stands apart."""
    name, equals, value = word.partition("=")
    if name not in _VALUED:
        return word
    if not equals:
        value = rest.pop(0) if rest and not rest[0].startswith("-") else ""
    if not value:
        example = "--brain=milo" if name == "--brain" else "--uri=bolt://127.0.0.1:7687"
        raise LegacyRefused(f"{name} is empty. Give it a value, as in {example}.")
    return f"{name}={value}"


def _is_switch(word: str) -> bool:
    """`-word`; not `-1`, not `-`, and not a text that begins with a dash."""
    name = word[1:]
    return word[:1] == "-" and name[:1].isalpha() and not any(map(str.isspace, name)) and word not in _NO_SWITCH


def _unknown(word: str) -> str:
    from difflib import get_close_matches  # 4 ms, spent on a refusal only

    known = {name.lower(): name for name in (*OPERATIONS, "--help", "--version")}
    close = get_close_matches(word.lower(), known, n=1)
    hint = f" Did you mean {known[close[0]]}?" if close else " `brainbridge --help` lists what there is."
    return f"{word} is not an operation.{hint}"


def _written(name: str, line: _Line) -> list[str]:
    operation = OPERATIONS.get(name, _RAW_CYPHER)
    if len(line.operands) != len(operation.operands):
        wanted = " ".join(operation.operands) or "no operands"
        flags_first = " Put flags before it, or after its operands." if operation.greedy else ""
        raise LegacyRefused(
            f"{name} takes {wanted}; given: {' '.join(map(repr, line.operands)) or 'none'}.{flags_first}"
        )
    if line.test_only and operation.test_only == "refused":
        raise LegacyRefused(f"--testOnly means nothing with {name}: it looks at everything. Leave it out.")
    chosen = ["--test-only"] if line.test_only and operation.test_only == "choose" else []
    protected = ["--", *line.operands] if line.operands else []
    return [*operation.command, *line.flags, *chosen, *protected]
