"""What makes Neo4j Browser at home in a brain: our statements as saved scripts in folders, and a style for its graphs.

Browser takes a .zip that is dropped on it: each .cypher file becomes a script, named by its first line, in a folder
named by its path. It looks at nothing else in there, so the style has to be dropped by itself (docs/adr/0023).
"""

import io
import zipfile
from importlib.resources import files

from brainbridge.domain.scope import Scope
from brainbridge.graph.cypher import Statement, quoted, statements

FOLDER = "brainbridge"
PARAMETERS = f"{FOLDER}/parameters.cypher"
STYLE = "brainbridge.grass"
# Of the files in the zip: the same brain gives the same bytes.
_WHEN = (2026, 1, 1, 0, 0, 0)
_EXAMPLE_ID = "'…'"
_EXAMPLE_TOKEN = Scope("milo").token
_FIRST = "// parameters: run this first, and again after each login; every script that reads takes them."
_NOT_BY_HAND = "// It takes what the program makes or finds first. It is here to be read: by hand it does not run."


def bundle(brain: str, *, memory: str | None = None) -> bytes:
    """A zip with every statement as a script, one script that gives all readers their parameters, and the style.

    Args:
        memory: id of a memory, for the scripts that look at one.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_entry(PARAMETERS), parameters(brain, memory=memory))
        for name, found in statements().items():
            archive.writestr(_entry(f"{FOLDER}/{name}.cypher"), script(found, brain))
        archive.writestr(_entry(STYLE), style())
    return made.getvalue()


def parameters(brain: str, *, memory: str | None = None) -> str:
    """The script to run first: the parameters of every statement that reads, for the real memories of `brain`."""
    examples: dict[str, str] = {}
    for found in statements().values():
        if not found.writes:
            examples |= {name: value for name, value in found.examples().items() if name not in examples}
    examples |= {"brain": quoted(brain), "isTest": "false"}
    token = Scope(brain).token
    lines = [f":param {name} => {_with(value, memory, token)};" for name, value in examples.items()]
    return "\n".join([_FIRST, *lines, ""])


def script(of: Statement, brain: str) -> str:
    """A statement as Browser saves it.

    One that reads is the file as it is: Browser shows the result of a script that is one statement, and of one with
    `:param` lines only whether it went well. One that writes brings its parameters, for test memories, and is safe from
    those of the readers.
    """
    title, _, rest = of.source.rstrip().partition("\n")
    if not of.parameters or (of.browser and not of.writes):
        return f"{of.source.rstrip()}\n"
    if not of.browser:
        return f"{title}\n{_NOT_BY_HAND}\n{rest}\n"
    return "\n".join([title, *of.filled(brain=brain, is_test=True), rest, ""])


def style() -> str:
    """The style file: the state of a memory by colour and size, and what it says."""
    return (files("brainbridge.inspection") / "style.grass").read_text(encoding="utf-8")


def _with(expression: str, example: str | None, token: str) -> str:
    filled = expression.replace(_EXAMPLE_TOKEN, token)
    return filled if example is None else filled.replace(_EXAMPLE_ID, quoted(example))


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
