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
    auto_reload=False,
)
_environment.filters.update(wording.FILTERS)
# All at once: a daemon runs for weeks, and its files may be replaced meanwhile.
for _name in _environment.list_templates(extensions=["html", "css"]):
    _environment.get_template(_name)


def render(template: str, **values: Any) -> str:
    """A template with its values."""
    return _environment.get_template(template).render(values)
