"""Elements of SVG as text. Attributes and texts are escaped; what they make may stand in a template as it is.

Drawings are 400 units wide, so that a telephone shows their 12-unit text at about 11 pixels. Colours are classes of the
style sheet: the policy of the page forbids styles within the document.
"""

from collections.abc import Iterable

from markupsafe import Markup, escape

WIDTH = 400


def element(tag: str, *content: str, **attributes: float | str | None) -> Markup:
    """One element. `class_` is written class, `text_anchor` text-anchor; None leaves an attribute out.

    Args:
        content: elements, or text, which is escaped.
    """
    written = Markup("").join(
        Markup(' {}="{}"').format(name.rstrip("_").replace("_", "-"), _short(value))
        for name, value in attributes.items()
        if value is not None
    )
    return Markup("<{0}{1}>{2}</{0}>").format(tag, written, Markup("").join(map(escape, content)))


def drawing(
    height: float, content: Iterable[Markup], *, title: str, description: str, id_: str, linked: bool = False
) -> Markup:
    """A whole drawing with what a screen reader says of it.

    Args:
        linked: there are links in it, which an image cannot have: so it is a group.
    """
    return element(
        "svg",
        element("title", title, id=f"{id_}-title"),
        element("desc", description, id=f"{id_}-desc"),
        *content,
        viewBox=f"0 0 {WIDTH} {_short(height)}",
        role="group" if linked else "img",
        aria_labelledby=f"{id_}-title {id_}-desc",
        class_="drawing",
    )


def text(at: tuple[float, float], said: str, *, anchor: str | None = None, class_: str | None = None) -> Markup:
    """A text whose baseline begins (or ends, or has its middle) at a point."""
    return element("text", said, x=at[0], y=at[1], text_anchor=anchor, class_=class_)


def line(begin: tuple[float, float], end: tuple[float, float], class_: str) -> Markup:
    """A straight line."""
    return element("line", x1=begin[0], y1=begin[1], x2=end[0], y2=end[1], class_=class_)


def path(points: Iterable[tuple[float, float]], class_: str) -> Markup:
    """A line through points."""
    steps = " L".join(f"{_short(x)} {_short(y)}" for x, y in points)
    return element("path", d=f"M{steps}", class_=class_)


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")
