"""What makes Neo4j Browser at home in a brain: our statements as saved scripts in folders, and a style for its graphs.

Browser takes a .zip that is dropped on it: each .cypher file becomes a script, named by its first line, in a folder named
by its path. It looks at nothing else in there, so a style has to be dropped by itself (docs/adr/0023).
"""

import io
import zipfile
from importlib.resources import files

from brainbridge.graph.cypher import Statement, statements

FOLDER = "brainbridge"
STYLE_NAME = "brainbridge.grass"
# Of the file in the zip: the same brain gives the same bytes.
_WHEN = (2026, 1, 1, 0, 0, 0)
_PLACEHOLDER = "'…'"
_BY_PROGRAM = "// It takes rows or handles that the program makes, so it is here to be read: by hand it does not run."


def bundle(brain: str, *, memory: str | None = None, run: str | None = None) -> bytes:
    """A zip with every statement as a script, its parameters filled for `brain`, and the style.

    Args:
        memory: id of a memory, for the scripts that look at one.
        run: id of a run, likewise.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, found in statements().items():
            example = run if name.startswith("runs/") else memory
            archive.writestr(_entry(f"{FOLDER}/{name}.cypher"), script(found, brain, example=example))
        archive.writestr(_entry(STYLE_NAME), style())
    return made.getvalue()


def script(of: Statement, brain: str, *, example: str | None = None) -> str:
    """A statement as Browser saves it: the line that names it, its parameters, its header and text.

    One that writes is filled for test memories: a script is run with one click.

    Args:
        example: an id for the parameters that want one.
    """
    title, _, rest = of.source.rstrip().partition("\n")
    if of.parameters and not of.browser:
        return f"{title}\n{_BY_PROGRAM}\n{rest}\n"
    lines = of.filled(brain=brain, is_test=of.writes)
    if example is not None:
        quoted = "'" + example.replace("\\", "\\\\").replace("'", "\\'") + "'"
        lines = tuple(line.replace(_PLACEHOLDER, quoted) for line in lines)
    return "\n".join([title, *lines, rest, ""])


def style() -> str:
    """The style file: state by colour and size, what a memory says as its caption."""
    return (files("brainbridge.inspection") / "style.grass").read_text(encoding="utf-8")


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry
