"""``burgrave draw``: a picture of a position for the terminal."""

from __future__ import annotations

from cli.options import AsciiOption, ColourOption, JsonOption, PositionArgument
from cli.output import Colour, coloured, glyphs, note, show


def draw(
    position: PositionArgument,
    color: ColourOption = Colour.AUTO,
    ascii_only: AsciiOption = False,
    as_json: JsonOption = False,
) -> None:
    """Draw a position: castle, followers, track, wall tiles, players and the next tile."""
    from cli.render.legend import whole
    from cli.sources import draft
    from model.problems import problems

    read = draft(position)
    canvas = whole(read.position, glyphs(plain=ascii_only))
    lines = canvas.lines(colour=coloured(color))
    show({"lines": lines}, "\n".join(lines), as_json=as_json)
    if problems(read.position, read.lines):
        note("This position is impossible; burgrave check says why.")
