"""A position of Carcassonne as a picture of the table for the terminal."""

from __future__ import annotations

from burgrave.cli.render.canvas import Canvas, Ink
from burgrave.cli.render.glyphs import GROUND, Glyphs
from burgrave.cli.render.pawns import ink, sign_of
from burgrave.cli.render.tile import HEIGHT, TOWER_PLACE, WIDTH, Place, picture
from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.geometry import PORT_SIDES, Cell, Side
from burgrave.model.position import Position
from burgrave.model.tiles import LINES, PlacedTile

_MARGIN = 6
_HEAD = 1
_COLUMN, _ROW = WIDTH + 1, HEIGHT + 1
"""Characters from one cell to the next; the seams between them are one wide."""


def table(position: Position, glyphs: Glyphs) -> Canvas:
    """Draw the tiles of a position with followers and towers, and the cells beside them.

    Args:
        position: any position; of a castle only this part is drawn, without the wall.
        glyphs: the characters to draw with.

    """
    canvas = Canvas()
    filled = position.by_cell()
    beside = {beyond for cell in filled for _, beyond in cell.neighbours()}
    cells = sorted({*filled, *filter(position.game.board.holds, beside)}) or [Cell(0, 0)]
    corner = Cell(min(cell.x for cell in cells), max(cell.y for cell in cells))
    for cell in cells:
        column, row = _place(corner, cell)
        tile = position.tile_at(cell)
        if tile is None:
            name = str(cell)
            canvas.put(column + (WIDTH - len(name)) // 2, row + HEIGHT // 2, name, Ink.EMPTY)
        else:
            _draw_tile(canvas, (column, row), position, tile, glyphs)
    _draw_axes(canvas, cells, corner)
    return canvas


def _place(corner: Cell, cell: Cell) -> Place:
    """Return the top left character of a cell."""
    return _MARGIN + (cell.x - corner.x) * _COLUMN, _HEAD + (corner.y - cell.y) * _ROW


def _draw_tile(
    canvas: Canvas, place: Place, position: Position, tile: PlacedTile, glyphs: Glyphs
) -> None:
    """Draw a tile with its seams to the north and east, its followers and its tower."""
    column, row = place
    shown = picture(tile.kind, tile.rotation)
    canvas.paste(column, row, shown.draw(tile.kind, glyphs))
    for side in (Side.N, Side.E):
        if position.tile_at(tile.cell.step(side)) is not None:
            _draw_seam(canvas, place, tile, side, glyphs)
    taken: list[Place] = []
    if tile.kind.tower_place:
        name = _tower(position, tile.cell)
        taken = [(WIDTH - len(name) + i, HEIGHT - 1) for i in range(len(name))]
        canvas.put(column + taken[0][0], row + taken[0][1], name, Ink.WALL_TILE)
    for follower in position.followers:
        if follower.node.cell == tile.cell:
            x, y = shown.spot(follower.node.segment, taken)
            taken += [(x, y), (x + 1, y)]
            letters = position.game.letter(follower.player) + sign_of(follower)
            canvas.put(column + x, row + y, letters, ink(position, follower.player))


def _tower(position: Position, cell: Cell) -> str:
    """Return a tower in a few characters: its place, ``2``, ``2R`` with a follower on it."""
    tower = position.part(Towers).on(cell)
    if tower is None:
        return TOWER_PLACE
    guard = "" if tower.guard is None else position.game.letter(tower.guard)
    return f"{tower.height}{guard or ('x' if tower.closed else '')}"


def _draw_seam(canvas: Canvas, place: Place, tile: PlacedTile, side: Side, glyphs: Glyphs) -> None:
    """Draw the kind that crosses a side to the next tile, if both tiles show the same."""
    column, row = place
    across = [(column + x, row - 1) for x in range(WIDTH)]
    down = [(column + WIDTH, row + y) for y in range(HEIGHT)]
    places = across if side is Side.N else down
    half = len(places) // 2
    for index, (x, y) in enumerate(places):
        port = 3 * side + (index > half) + (index >= half)
        segment = tile.at(port)
        if segment < 0:
            continue
        kind = tile.kind.segments[segment].kind
        if kind in LINES:
            straight = glyphs.path(1 << PORT_SIDES[port] | 1 << PORT_SIDES[port].opposite)
            canvas.put(x, y, straight, GROUND[kind])
        else:
            canvas.put(x, y, glyphs.fill[kind], GROUND[kind])


def _draw_axes(canvas: Canvas, cells: list[Cell], corner: Cell) -> None:
    """Write x above and y at the left."""
    for x in sorted({cell.x for cell in cells}):
        column = _place(corner, Cell(x, corner.y))[0] + WIDTH // 2
        text = f"x={x}"
        canvas.put(column - len(text) // 2, 0, text, Ink.EMPTY)
    for y in sorted({cell.y for cell in cells}):
        canvas.put(0, _place(corner, Cell(corner.x, y))[1] + HEIGHT // 2, f"y={y}", Ink.EMPTY)
