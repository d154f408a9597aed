"""Elements of SVG as text: escaped, with rounded numbers, the same bytes every time."""

from __future__ import annotations

from html import escape

Point = tuple[float, float]
"""A point of a picture; x grows to the right, y downwards."""


def number(value: float) -> str:
    """Return a number with at most one decimal.

    >>> number(12.04), number(-0.04), number(2.5)
    ('12', '0', '2.5')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def clean(text: str) -> str:
    """Return a text that XML can hold: escaped, without control characters."""
    return escape("".join(character for character in text if character.isprintable()))


def element(name: str, *children: str, **attributes: str | float | None) -> str:
    """Return an element.

    Args:
        name: its name.
        children: its content as XML.
        attributes: in the order in which they are written; ``class_`` is written ``class`` and
            ``data_cell`` ``data-cell``. Those that are None are left out.

    >>> element("circle", r=2.0, data_cell="1,2")
    '<circle r="2" data-cell="1,2"/>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(children)
    return f"<{name}{written}>{inner}</{name}>" if inner else f"<{name}{written}/>"


def _value(value: str | float) -> str:
    """Return the value of an attribute."""
    return clean(value) if isinstance(value, str) else number(value)


def group(
    *children: str,
    at: Point | None = None,
    scale: float = 1.0,
    **attributes: str | float | None,
) -> str:
    """Return a group, moved to a point if one is given, and drawn larger or smaller."""
    moved = None if at is None else f"translate({number(at[0])} {number(at[1])})"
    if moved and scale != 1:
        moved += f"scale({scale:g})"
    return element("g", *children, transform=moved, **attributes)


def title(text: str) -> str:
    """Return the words that a reader of the screen speaks and a pointer shows."""
    return element("title", clean(text))


def words(text: str, at: Point, size: float, class_: str = "words", **more: str | float) -> str:
    """Return a line of text.

    Args:
        text: the words.
        at: the middle of the line, unless ``more`` anchors it otherwise.
        size: the height of the letters, about.
        class_: its class, which gives it its colour.
        more: further attributes.

    """
    # Not every renderer knows dominant-baseline; a third of the size below is the middle.
    x, y = at[0], at[1] + 0.35 * size
    return element("text", clean(text), class_=class_, x=x, y=y, font_size=size, **more)


def path(data: str, class_: str, **more: str | float | None) -> str:
    """Return a path."""
    return element("path", class_=class_, d=data, **more)


def polygon(points: list[Point], class_: str, **more: str | float | None) -> str:
    """Return a closed path along some points."""
    corners = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return path(f"M{corners}Z", class_, **more)


def circle(at: Point, r: float, class_: str, **more: str | float | None) -> str:
    """Return a circle."""
    return element("circle", class_=class_, cx=at[0], cy=at[1], r=r, **more)


def box(at: Point, width: float, height: float, class_: str, **more: str | float | None) -> str:
    """Return a rectangle by its top left corner."""
    return element("rect", class_=class_, x=at[0], y=at[1], width=width, height=height, **more)
