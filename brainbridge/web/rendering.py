"""Templates become HTML here. Whatever is put into one is escaped; only what our own drawings made is not."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from brainbridge.web import wording

_HERE = Path(__file__).parent
STATIC = _HERE / "static"

_environment = Environment(
    # The style sheet too: a report carries it within.
    loader=FileSystemLoader([_HERE / "templates", STATIC]),
    autoescape=True,
    undefined=StrictUndefined,
    lstrip_blocks=True,
)
_environment.filters.update(wording.FILTERS)


def render(template: str, **values: Any) -> str:
    """A template with its values."""
    return _environment.get_template(template).render(values)
