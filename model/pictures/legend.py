"""Explain the symbols, as small drawings with words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burgrave.model.book import book_of
from burgrave.model.games import Game
from burgrave.model.pictures import symbols
from burgrave.model.pictures.pawns import figure
from burgrave.model.pictures.xml import group, path, words
from burgrave.model.tiles import LINES, Kind, TileKind

Sign = tuple[str, str]
"""Elements round 0, 0 with their meanings."""
_ROW = 52.0
_INDENT = 34.0
"""From the middle of a sign to its word."""


def tile_signs(kinds: Sequence[TileKind]) -> Iterator[Sign]:
    """Yield the signs that some kinds of tiles show."""
    segments = [segment for kind in kinds for segment in kind.segments]
    shown = {segment.kind for segment in segments}
    marks = {mark for segment in segments for mark in segment.marks}
    for kind in Kind:
        if kind in shown:
            yield _ground(kind), kind
    for mark, drawing in symbols.MARKS.items():
        if mark in marks:
            yield drawing(), mark
    if any(kind.squares for kind in kinds):
        yield symbols.square(), "square"
    if any(kind.aeries for kind in kinds):
        yield symbols.aerie(), "aerie"
    if Kind.PATH in shown:
        yield symbols.door(), "end of a path"
    if Kind.ROAD in shown:
        yield symbols.village(), "end of roads"
    if any(kind.tower_place for kind in kinds):
        yield symbols.foundation(), "tower place"


def _ground(kind: Kind) -> str:
    """Return a piece of a kind of area with its symbol, or of a path or road."""
    if kind in LINES:
        line = path("M-20 0H20", f"line wide side-{kind}")
        return line + path("M-20 0H20", f"line narrow way-{kind}")
    drawing = symbols.AREAS.get(kind)
    ground = path("M-20 -18H20V18H-20Z", f"area-{kind}")
    return ground + (drawing() if drawing else "")


def role_signs(game: Game, player: int) -> Iterator[Sign]:
    """Yield the followers of a game, as one player has them."""
    for role in book_of(game).roles.values():
        yield figure(game, player, role), role
    for rank in game.specials:
        yield figure(game, player, None, rank), rank.called


def table(signs: Sequence[Sign], columns: int, pitch: float) -> tuple[str, float]:
    """Return signs with their words in rows, from 0, 0 to the right and down, and their height.

    Args:
        signs: the signs.
        columns: how many stand in a row.
        pitch: how far they stand apart.

    """
    drawn = []
    for index, (sign, said) in enumerate(signs):
        row, column = divmod(index, columns)
        at = (column * pitch + 22, row * _ROW + _ROW / 2)
        drawn.append(group(sign, words(said, (_INDENT, 0), 16, "begin"), at=at))
    return "".join(drawn), -(-len(signs) // columns) * _ROW
