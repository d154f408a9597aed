"""A whole picture: the root element with its size, its words and its colours."""

from __future__ import annotations

from burgrave.model.pictures.style import Theme, style_of
from burgrave.model.pictures.xml import box, clean, element, number, title

_FITTING = ".bv:not(:root){max-width:100%;height:auto}\n"
"""Within a document, as in a notebook, a picture is no wider than there is room."""
Extent = tuple[float, float, float, float]
"""Left, top, width and height."""


class Svg(str):
    """SVG text that a notebook shows as the picture it is."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """Return the text for a notebook."""
        return str(self)


def picture(drawn: str, extent: Extent, name: str, description: str, *, theme: Theme | None) -> Svg:
    """Return a picture as SVG text.

    Args:
        drawn: its elements.
        extent: the part of the plane that it shows.
        name: what it is called.
        description: what a reader of the screen says of it.
        theme: the colours that it carries; with None it holds no style that a strict
            Content-Security-Policy would refuse.

    """
    left, top, width, height = extent
    style = "" if theme is None else element("style", _FITTING + style_of(drawn, theme))
    return Svg(
        element(
            "svg",
            title(name),
            element("desc", clean(description)) if description else "",
            style,
            box((left, top), width, height, "sheet"),
            drawn,
            xmlns="http://www.w3.org/2000/svg",
            class_="bv",
            viewBox=" ".join(map(number, extent)),
            width=width,
            height=height,
            role="img",
        )
        + "\n"
    )
