"""Loads the .cypher files, the only place where queries stand, and checks the header each one carries.

A file is one statement. Its header (comment lines at the top) names it, says what it does, and declares its parameters;
a header that disagrees with the statement is an error at load, not a surprise at run time.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from brainbridge.domain.errors import BrainbridgeError, NotFound

_PARAMETER = re.compile(r"(?<!\$)\$([A-Za-z_]\w*)")
_DECLARED = re.compile(r"\$(\w+)\s+(string|float|integer|boolean|datetime|map|list)\b")
_TITLE = re.compile(r"([a-z_]+/[a-z_]+): (.+)")
_SECTION = re.compile(r"(Law|Params|Returns|Runs|Browser) {2,}(.*)")
_STRING_OR_COMMENT = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.DOTALL)


class CypherFileError(BrainbridgeError):
    """A .cypher file breaks the convention of cypher/README.md."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One .cypher file."""

    name: str
    summary: str
    text: str
    parameters: Mapping[str, str]
    writes: bool
    browser: tuple[str, ...] = ()
    source: str = field(default="", repr=False)

    def examples(self) -> Mapping[str, str]:
        """What stands in its Browser lines: a Cypher expression for each parameter; none for what no hand can run."""
        found: dict[str, str] = {}
        for line in self.browser:
            for part in _cut(line, ";"):
                given = part.removeprefix(":param").strip()
                pairs = _cut(given[1:-1], ",") if given.startswith("{") else [given.replace("=>", ":", 1)]
                found |= {name.strip(): value.strip() for name, _, value in (pair.partition(":") for pair in pairs)}
        return found

    def filled(self, *, brain: str | None, is_test: bool = False, id: str | None = None) -> tuple[str, ...]:
        """A `:param` line for each parameter, with brain, scope and id put in, ended so that all goes in one paste.

        One each and not one for all, as the header has them: Browser makes a float of every number in a map, and LIMIT
        takes none.

        Args:
            brain, id: None leaves what stands in the file.
        """
        given = {"brain": brain, "id": id}
        put = {name: quoted(value) for name, value in given.items() if value is not None}
        put |= {"isTest": "true"} if is_test else {}
        return tuple(f":param {name} => {put.get(name, value)};" for name, value in self.examples().items())

    def pasted(self, **values: Any) -> str:
        """The whole file below its `:param` lines; arguments as of `filled`."""
        lines = self.filled(**values)
        return "\n".join([*lines, *([""] if lines else []), self.source.rstrip()])


def quoted(text: str) -> str:
    """`text` as a string of Cypher."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n") + "'"


def _cut(text: str, at: str) -> list[str]:
    """The parts of `text` between each `at` that stands in no string, list, map or call."""
    parts, depth, begin, quote = list[str](), 0, 0, ""
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == at and depth == 0:
            parts.append(text[begin:place])
            begin = place + 1
    return [part.strip() for part in (*parts, text[begin:]) if part.strip()]


def cypher_folder() -> Path:
    """Where the .cypher files are: inside the installed package, else in the checkout this module stands in.

    An editable install has no packaged copy, and a checkout may hold a stale one; hence the order, and the
    condition that pyproject.toml stands beside the checkout's folder.
    """
    package = Path(__file__).resolve().parent.parent
    packaged = package / "_cypher"
    if packaged.is_dir():
        return packaged
    checkout = package.parent
    if (checkout / "cypher").is_dir() and (checkout / "pyproject.toml").is_file():
        return checkout / "cypher"
    raise CypherFileError(f"the .cypher files are missing from {package}. Install brainbridge again.")


@cache
def statements() -> Mapping[str, Statement]:
    """Every statement by name (`folder/file`), each parsed and checked."""
    folder = cypher_folder()
    files = sorted(folder.glob("*/*.cypher"))
    return MappingProxyType(
        {name: parse(name, path.read_text(encoding="utf-8")) for path in files if (name := _name(folder, path))}
    )


@cache
def statement(name: str) -> Statement:
    """One statement; reads only its own file.

    Raises:
        NotFound: there is no such file.
    """
    folder = cypher_folder()
    path = folder / f"{name}.cypher"
    if not re.fullmatch(r"[a-z_]+/[a-z_]+", name) or not path.is_file():
        raise NotFound(f"there is no statement {name!r}. `brainbridge cypher list` shows them all.")
    return parse(name, path.read_text(encoding="utf-8"))


def _name(folder: Path, path: Path) -> str:
    return path.relative_to(folder).with_suffix("").as_posix()


def parse(name: str, source: str) -> Statement:
    """Split a file into header and statement, and hold the one against the other.

    Raises:
        CypherFileError: the header lacks something or disagrees with the statement.
    """
    lines = source.splitlines()
    first_code = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("//")), len(lines))
    header = [line.removeprefix("//").removeprefix(" ") for line in lines[:first_code]]
    text = "\n".join(lines[first_code:]).strip()
    title = _TITLE.fullmatch(header[0]) if header else None
    if title is None or title[1] != name:
        raise CypherFileError(f"{name}.cypher: the first line must be '// {name}: what it does'.")
    sections = dict(_sections(header[1:]))
    if "Runs" not in sections:
        raise CypherFileError(
            f"{name}.cypher: the header lacks a 'Runs' line (read or write, and what a second run does)."
        )
    runs = sections["Runs"][0].split()[0].rstrip(";,.:")
    if runs not in ("read", "write"):
        raise CypherFileError(f"{name}.cypher: 'Runs' must begin with read or write, not {runs!r}.")
    parameters = dict(_DECLARED.findall("\n".join(sections.get("Params", ()))))
    _hold_against(name, text, parameters)
    browser = tuple(line for line in sections.get("Browser", ()) if line.startswith(":param"))
    return Statement(name, title[2], text, MappingProxyType(parameters), runs == "write", browser, source)


def _sections(header: list[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The labelled parts of a header; a part ends at the next label, an empty line, or the end."""
    label, body = "", list[str]()
    for line in [*header, ""]:
        start = _SECTION.match(line)
        if label and (start or not line.strip()):
            yield label, tuple(body)
            label, body = "", []
        if start:
            label, body = start[1], [start[2]]
        elif label:
            body.append(line.strip())


def _hold_against(name: str, text: str, parameters: Mapping[str, str]) -> None:
    code = _STRING_OR_COMMENT.sub(" ", text)
    used = set(_PARAMETER.findall(code))
    if used != set(parameters):
        unused, undeclared = sorted(set(parameters) - used), sorted(used - set(parameters))
        raise CypherFileError(f"{name}.cypher: declared but not used: {unused}; used but not declared: {undeclared}.")
    if ";" in code.rstrip().removesuffix(";"):
        raise CypherFileError(f"{name}.cypher: one file is one statement; ';' may only stand at its very end.")
