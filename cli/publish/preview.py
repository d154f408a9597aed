"""What other pages show of a link to a published copy: title, description, address and picture."""

from __future__ import annotations

from html import escape
from importlib.util import find_spec
from urllib.parse import urlsplit

from burgrave.cli.pictures import png
from burgrave.model.errors import QuestionError
from burgrave.model.naming import times
from burgrave.model.pictures import Theme, board_svg
from burgrave.model.position import Position

PREVIEW = "preview.png"
_WIDTH = 1200
"""Pixels of the picture, as wide as pages show it at most."""


def web_address(text: str) -> str:
    """Return the address of a site, with a slash at its end.

    Raises:
        QuestionError: it is no address of the web.

    """
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise QuestionError(f"--site '{text}': give an address like https://example.org/puzzles/")
    return text if text.endswith("/") else f"{text}/"


def described(title: str, puzzles: int) -> str:
    """Return what a site is, in a sentence."""
    name = "" if title == "Burgrave" else f"{title}: "
    return (
        f"{name}{times(puzzles, 'puzzle')} of Carcassonne and The Castle with proofs, and the rules"
        " with pictured cases."
    )


def picture(position: Position) -> bytes | None:
    """Return the picture of a board; None without the extra for pictures."""
    if find_spec("resvg_py") is None:
        return None
    return png(board_svg(position, theme=Theme.LIGHT), _WIDTH)


def head(title: str, description: str, address: str | None, *, pictured: bool) -> str:
    """Return the lines of the page's head about it."""
    told = {"og:title": title, "og:description": description, "og:type": "website"}
    lines = [f'<meta name="description" content="{escape(description)}">']
    if address is not None:
        told["og:url"] = address
        lines.append(f'<link rel="canonical" href="{escape(address)}">')
        if pictured:
            told["og:image"] = f"{address}{PREVIEW}"
            lines.append('<meta name="twitter:card" content="summary_large_image">')
    lines += [f'<meta property="{key}" content="{escape(said)}">' for key, said in told.items()]
    return "\n    ".join(lines)
