"""A position as a picture of the whole castle for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from burgrave.cli.render.canvas import Canvas, Ink
from burgrave.cli.render.glyphs import GROUND, MARKS, Glyphs
from burgrave.cli.render.pawns import ink, sign_of
from burgrave.cli.render.tile import HEIGHT, WIDTH, Place, picture
from burgrave.model.boards import CornerTower, StartSpace
from burgrave.model.geometry import FACING, Cell, Side, middle
from burgrave.model.position import Position
from burgrave.model.tiles import Kind, PlacedTile
from burgrave.model.track import around, notch, track

_MARGIN = 10
"""Columns left and right of the castle: a tower's two numbers with markers and its wall tile."""
_HEAD = 2
"""Rows above the castle: one for x, one for the numbers of the track."""
Parts = list[tuple[str, Ink]]
"""A text whose parts differ in ink."""
_COLUMN, _ROW = WIDTH + 1, HEIGHT + 1
"""Characters from one cell to the next; the seams between them are one wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sheet:
    """A position, the glyphs it is drawn with, and the sheet on which it is drawn."""

    position: Position
    glyphs: Glyphs
    canvas: Canvas
    laid: Mapping[Cell, PlacedTile]
    """Tiles and start-space pictures by cell."""
    west: int
    north: int

    def corner(self, corner: Cell) -> Place:
        """Return the place of a grid corner on the sheet."""
        return (
            _MARGIN + (corner.x - self.west) * _COLUMN,
            _HEAD + (self.north + 1 - corner.y) * _ROW,
        )

    def inside(self, cell: Cell) -> Place:
        """Return the top left character of a cell, inside its seams."""
        column, row = self.corner(Cell(cell.x, cell.y + 1))
        return column + 1, row + 1

    def seam(self, cell: Cell, side: Side) -> list[tuple[Place, int]]:
        """Return the characters of a side of a cell, clockwise, with the port at each."""
        column, row = self.inside(cell)
        across = [(column + x, row - 1 if side is Side.N else row + HEIGHT) for x in range(WIDTH)]
        down = [(column + WIDTH if side is Side.E else column - 1, row + y) for y in range(HEIGHT)]
        places = across if side in {Side.N, Side.S} else down
        if side in {Side.S, Side.W}:
            places.reverse()
        half = len(places) // 2
        return [
            (place, 3 * side + (index > half) + (index >= half))
            for index, place in enumerate(places)
        ]


def castle(position: Position, glyphs: Glyphs) -> Canvas:
    """Draw the castle of a position: tiles, followers, wall, track and coordinates.

    Args:
        position: any position of a board with a wall.
        glyphs: the characters to draw with.

    Returns:
        A sheet of at most 100 columns for a castle of up to nine cells across.

    """
    cells = position.game.board.cells
    sheet = _Sheet(
        position=position,
        glyphs=glyphs,
        canvas=Canvas(),
        laid=position.laid(),
        west=min(cell.x for cell in cells),
        north=max(cell.y for cell in cells),
    )
    for cell in cells:
        _draw_cell(sheet, cell)
        for side in Side:
            _draw_seam(sheet, cell, side)
    for corner in {Cell(c.x + dx, c.y + dy) for c in cells for dx in (0, 1) for dy in (0, 1)}:
        _draw_corner(sheet, corner)
    _draw_starts(sheet)
    _draw_track(sheet)
    _draw_gates(sheet)
    _draw_towers(sheet)
    _draw_axes(sheet)
    return sheet.canvas


def _draw_cell(sheet: _Sheet, cell: Cell) -> None:
    """Draw a tile with its followers, or the coordinates of an empty cell."""
    tile = sheet.laid.get(cell)
    column, row = sheet.inside(cell)
    if tile is None:
        name = str(cell)
        sheet.canvas.put(column + (WIDTH - len(name)) // 2, row + HEIGHT // 2, name, Ink.EMPTY)
        return
    shown = picture(tile.kind, tile.rotation)
    sheet.canvas.paste(column, row, shown.draw(tile.kind, sheet.glyphs))
    taken: list[Place] = []
    for follower in sheet.position.followers:
        if follower.node.cell == cell:
            x, y = shown.spot(follower.node.segment, taken)
            taken += [(x, y), (x + 1, y)]
            letters = sheet.position.game.letter(follower.player) + sign_of(follower)
            sheet.canvas.put(column + x, row + y, letters, ink(sheet.position, follower.player))


def _draw_seam(sheet: _Sheet, cell: Cell, side: Side) -> None:
    """Draw a side of a cell: what runs across it, a line where nothing does, or the wall."""
    beyond = cell.step(side)
    upright = side in {Side.E, Side.W}
    if beyond not in sheet.position.game.board.cells:
        gate = sheet.position.game.board.gate_at(cell, side) is not None
        sign, shade = (sheet.glyphs.gate, Ink.GATE) if gate else (sheet.glyphs.wall, Ink.WALL)
        for (x, y), _ in sheet.seam(cell, side):
            sheet.canvas.put(x, y, sign, shade)
        return
    mine, theirs = sheet.laid.get(cell), sheet.laid.get(beyond)
    if mine is None:
        return
    line = sheet.glyphs.upright if upright else sheet.glyphs.level
    for (x, y), port in sheet.seam(cell, side):
        kind = _kind_at(mine, port)
        other = _kind_at(theirs, FACING[port]) if theirs is not None else None
        if kind is Kind.PATH and other in {Kind.PATH, None}:
            sheet.canvas.put(x, y, _straight(sheet.glyphs, side), Ink.PATH)
        elif kind is not None and kind is other:
            sheet.canvas.put(x, y, sheet.glyphs.fill[kind], GROUND[kind])
        else:
            sheet.canvas.put(x, y, line, Ink.LINE)


def _kind_at(tile: PlacedTile, port: int) -> Kind | None:
    """Return the kind of segment at a port of the board."""
    index = tile.at(port)
    return tile.kind.segments[index].kind if index >= 0 else None


def _straight(glyphs: Glyphs, side: Side) -> str:
    """Return a piece of path that crosses a side."""
    return glyphs.path(1 << side | 1 << side.opposite)


def _draw_corner(sheet: _Sheet, corner: Cell) -> None:
    """Draw a grid corner: wall, the corner of a tile, or a point between empty cells."""
    cells = sheet.position.game.board.cells
    x, y = sheet.corner(corner)
    if any(cell not in cells for cell in around(corner)):
        sheet.canvas.put(x, y, sheet.glyphs.wall, Ink.WALL)
    else:
        sheet.canvas.put(x, y, sheet.glyphs.crossing, Ink.LINE)


def _draw_starts(sheet: _Sheet) -> None:
    """Draw the pictures of the start spaces into the wall, and arrows before them."""
    for start in sheet.position.game.board.starts:
        tile = sheet.laid[start.outside]
        facing = start.side.opposite
        for (x, y), port in sheet.seam(start.cell, start.side):
            index = tile.at(FACING[port])
            if index < 0:
                continue
            segment = tile.kind.segments[index]
            if segment.marks and port == middle(start.side):
                mark = segment.marks[0]
                sheet.canvas.put(x, y, sheet.glyphs.marks[mark], MARKS[mark])
            elif segment.kind is Kind.PATH:
                sheet.canvas.put(x, y, _straight(sheet.glyphs, facing), Ink.PATH)
            else:
                sheet.canvas.put(x, y, sheet.glyphs.fill[segment.kind], GROUND[segment.kind])
        _draw_arrow(sheet, start)


def _draw_arrow(sheet: _Sheet, start: StartSpace) -> None:
    """Draw the arrow that points from a start space into the castle."""
    (x, y), _ = next(e for e in sheet.seam(start.cell, start.side) if e[1] == middle(start.side))
    dx, dy = {Side.N: (0, -1), Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0)}[start.side]
    sheet.canvas.put(x + dx, y + dy, sheet.glyphs.arrows[start.side.opposite], Ink.START)


def _markers(position: Position, number: int) -> Iterator[tuple[str, Ink]]:
    """Yield letter and ink of the markers on a space of the track."""
    for player, state in enumerate(position.players):
        if not state.at_gate and state.score % position.game.board.track == number:
            yield position.game.letter(player), ink(position, player)


def _draw_track(sheet: _Sheet) -> None:
    """Write the numbers of the track along the straight wall, with the markers."""
    for stretch in track(sheet.position.game.board):
        seam = [place for place, _ in sheet.seam(stretch.cell, stretch.side)]
        for step, (x, y) in enumerate((seam[0], seam[-1])):
            text = _numbered(sheet.position, stretch.first + step)
            width = sum(len(part) for part, _ in text)
            if stretch.side is Side.W:
                _write(sheet, x - width - (width < 3), y, text)  # noqa: PLR2004 -- two digits
            elif stretch.side is Side.E:
                _write(sheet, x + 1 + (width < 3), y, text)  # noqa: PLR2004 -- two digits
            else:
                # The last number of a stretch ends where the stretch ends.
                column = min(seam)[0] if x == min(seam)[0] else x - width + 1
                _write(sheet, column, y - 1 if stretch.side is Side.N else y + 1, text)


def _draw_gates(sheet: _Sheet) -> None:
    """Write the letters of markers that stand on gates into them."""
    position = sheet.position
    track = position.game.board.track
    for gate in position.game.board.gates:
        here = [
            player
            for player, state in enumerate(position.players)
            if state.at_gate and state.score % track == gate.after
        ]
        seam = [place for place, _ in sheet.seam(gate.start.cell, gate.start.side)]
        for (x, y), player in zip(seam, here, strict=False):
            sheet.canvas.put(x, y, position.game.letter(player), ink(position, player))


def _numbered(position: Position, number: int) -> Parts:
    """Return a number of the track with the markers on it, each part with its ink."""
    return [(str(number), Ink.NUMBER), *_markers(position, number)]


def _write(sheet: _Sheet, x: int, y: int, parts: Parts) -> None:
    """Write parts of a text one after another."""
    for text, shade in parts:
        sheet.canvas.put(x, y, text, shade)
        x += len(text)


def _draw_towers(sheet: _Sheet) -> None:
    """Write the two numbers and the wall tile of each corner tower."""
    board = sheet.position.game.board
    left = dict(sheet.position.towers)
    for tower in board.towers:
        first, second = tower.spaces
        numbers = [
            *_numbered(sheet.position, first),
            ("/", Ink.TOWER_LABEL),
            *_numbered(sheet.position, second),
        ]
        shown: Parts = [(t, Ink.TOWER_LABEL if s is Ink.NUMBER else s) for t, s in numbers]
        tile = left.get(tower.name)
        held: Parts = [] if tile is None else [(f"[{tile or '?'}]", Ink.WALL_TILE)]
        filled = notch(board, tower)
        if filled is None:
            _draw_outer(sheet, tower, [*shown, *held])
        else:
            column, row = sheet.inside(filled)
            for line, parts in enumerate((shown, held)):
                width = sum(len(text) for text, _ in parts)
                _write(sheet, column + (WIDTH - width) // 2, row + line, parts)


def _draw_outer(sheet: _Sheet, tower: CornerTower, parts: Parts) -> None:
    """Write beside a tower in an outer corner, on the side away from the castle."""
    cells = sheet.position.game.board.cells
    within = next(cell for cell in around(tower.corner) if cell in cells)
    x, y = sheet.corner(tower.corner)
    width = sum(len(text) for text, _ in parts)
    column = x - width if within.x == tower.corner.x else x + 1
    _write(sheet, column, y + 1 if within.y == tower.corner.y else y - 1, parts)


def _draw_axes(sheet: _Sheet) -> None:
    """Write x above and below the castle and y at its left and right."""
    cells = sheet.position.game.board.cells
    xs, ys = sorted({cell.x for cell in cells}), sorted({cell.y for cell in cells})
    for x in xs:
        column = sheet.inside(Cell(x, sheet.north))[0] + WIDTH // 2
        for row in (0, sheet.corner(Cell(x, min(ys)))[1] + _HEAD):
            text = f"x={x}"
            sheet.canvas.put(column - len(text) // 2, row, text, Ink.EMPTY)
    end = sheet.corner(Cell(max(xs) + 1, 0))[0]
    for y in ys:
        row = sheet.inside(Cell(sheet.west, y))[1] + HEIGHT // 2
        sheet.canvas.put(0, row, f"y={y}", Ink.EMPTY)
        sheet.canvas.put(end + _MARGIN - 4, row, f"y={y}", Ink.EMPTY)
