"""The Python interface for the reference: what there is, from signatures and docstrings alone."""

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from brainbridge.app import connect, initialise, open_graph
from brainbridge.brain import Brain
from brainbridge.memory.note import Note

Table = Callable[[tuple[str, ...], Sequence[tuple[str, ...]]], str]

# The verbs of a brain in the order in which somebody meets them; those in no group come last.
GROUPS = {
    "Remember": "remember capture remember_many",
    "Ask": "recall misses shadow report foremost embed vectors",
    "One memory": "find open boost pin unpin forget restore supersede",
    "Relations": "link unlink relations",
    "Why it stands where it stands": "explain history lineage verify",
    "Runs": "consolidate decay expire promote run since_last_run",
    "How the brain stands": "status health",
    "The law": "law law_history laws set_law",
    "Export and import": "export_to import_from",
    "Test memories": "create_test_memory list_test_memories clear_test_memories is_test_memory scope",
    "Cypher and upkeep": "cypher plan prune rebuild_co_recalled close",
}
# Members that are values, which a signature does not show.
VALUES = {"embedder"}
# Ways to make a brain, which stand with `connect`.
MAKERS = {"on"}
SECTIONS = {"Args": "Arguments", "Attributes": "Attributes", "Raises": "Raises"}


def interface(table: Table) -> str:
    """Functions, the verbs of a brain, and what they give."""
    listed = {name for names in GROUPS.values() for name in names.split()} | VALUES | MAKERS
    if gone := listed - public_names():
        raise SystemExit(f"take these out of their groups, they are no more: {sorted(gone)}")
    groups = {**GROUPS, "More": " ".join(sorted(public_names() - listed))}
    parts = ["## Opening a brain", *map(_function, (connect, open_graph, initialise, Brain.on))]
    for group, names in groups.items():
        if not names:
            continue
        parts += [f"## {group}", *(_function(getattr(Brain, name)) for name in names.split())]
    parts += ["## What they give", *(_value(kind, table) for kind in results())]
    return "\n\n".join(parts)


def public_names() -> set[str]:
    """What a brain offers: its methods and values, but not the parts it is made of."""
    return {name for name in dir(Brain) if not name.startswith("_")} - set(get_type_hints(Brain))


def results() -> list[type]:
    """The dataclasses that the verbs take or give, those inside others too, by name."""
    found = set[type]()
    waiting: list[Any] = [Note, *(get_type_hints(getattr(Brain, name))["return"] for name in public_names() - VALUES)]
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        if isinstance(kind, type) and is_dataclass(kind) and kind not in found:
            found.add(kind)
            waiting += [*get_type_hints(kind).values()]
            waiting += [get_type_hints(each.fget).get("return") for _, each in _properties(kind)]
    return sorted(found, key=lambda kind: (kind.__name__, kind.__module__))


def _function(function: Any) -> str:
    name = "Brain.on" if function.__name__ in MAKERS else function.__name__
    return f"### {name}\n\n```python\n{signature(function)}\n```\n\n{prose(function)}"


def signature(function: Any) -> str:
    """The head of a function as it stands in the source, without `self`."""
    source = textwrap.dedent(inspect.getsource(function))
    head = source[source.index("def ") :].partition('"""')[0].rstrip()
    head = re.sub(r"\b(self|cls)(,\n *|, |(?=\)))", "", head)
    return f"{head} ..."


def prose(documented: Any) -> str:
    """A docstring as Markdown: its sections become lists."""
    written = documented.__doc__
    if not written:
        raise SystemExit(f"{documented.__qualname__} has no docstring")
    paragraphs: list[str] = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(written)):
        title, _, rest = paragraph.partition(":\n")
        if title == "Returns":
            paragraphs.append(f"Returns: {_joined(rest)}")
        elif title in SECTIONS:
            paragraphs += [f"{SECTIONS[title]}:", "\n".join(_items(title, rest))]
        else:
            paragraphs.append(_joined(paragraph))
    return "\n\n".join(paragraphs)


def _items(title: str, rest: str) -> Iterator[str]:
    """The lines of a section; a line that is indented further goes on with the one before."""
    for item in re.split(r"\n(?! )", textwrap.dedent(rest)):
        name, colon, said = _joined(item).partition(": ")
        if not colon or title == "Raises":
            yield f"- {_joined(item)}"
        else:
            yield f"- {', '.join(f'`{word}`' for word in name.split(', '))}: {said}"


def _joined(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines())


def _properties(kind: type) -> list[tuple[str, property]]:
    return [(name, each) for name, each in vars(kind).items() if isinstance(each, property)]


def _value(kind: type, table: Table) -> str:
    hints = get_type_hints(kind)
    rows = [(f"`{field.name}`", f"`{_type(hints[field.name])}`") for field in fields(kind)]
    name = kind.__name__
    if sum(each.__name__ == name for each in results()) > 1:
        name += f", in {kind.__module__}"
    text = f"### {name}\n\n{prose(kind)}\n\n{table(('field', 'type'), rows)}"
    derived = [
        f"- `{name}` (`{_type(get_type_hints(each.fget).get('return'))}`): {_joined((each.__doc__ or '').strip())}"
        for name, each in _properties(kind)
        if not name.startswith("_")
    ]
    return "\n\n".join([text, *(["Also:\n\n" + "\n".join(derived)] if derived else [])])


def _type(hint: Any) -> str:
    """A type as people write it: without the modules its parts are from."""
    shown = hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", shown).replace("NoneType", "None")
