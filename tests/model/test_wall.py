"""The castle wall: cells, outline, track, corner towers and start spaces fit together.

The lengths below are the published ones; everything else follows from them here and is
compared with the board's file.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from burgrave.cli.render.castle import castle
from burgrave.cli.render.glyphs import ASCII
from burgrave.model.boards import Board, with_wide_gates
from burgrave.model.components import Marker
from burgrave.model.expansions.falcon.gates import STOP, march
from burgrave.model.files.games import shipped_game
from burgrave.model.files.lines import read_line, write_line
from burgrave.model.files.tilesets import shipped_board
from burgrave.model.geometry import Cell, Side, areas
from burgrave.model.pictures import board_svg
from burgrave.puzzles.selfplay.games import new_position

OUTLINES = {
    "castle": "N5 E2 N3 W3 N2 E3 N2 E6 S3 W1 S8 W3 S1 W4",
    "falcon": "N5 E2 N3 W3 N3 E3 N2 E7 S3 W1 S9 W3 S1 W5",
    "wide": "N5 E2 N3 W3 N4 E3 N2 E8 S3 W1 S10 W3 S1 W6",
}
"""Sides of the wall, clockwise from the corner at the origin, without gates, with gates one tile
wide, and with gates two tiles wide."""
CELLS = {"castle": 76, "falcon": 97, "wide": 120}
TILES = {"castle": 60, "falcon": 78, "wide": 78}
each_board = pytest.mark.parametrize("board_id", OUTLINES)
STRAIGHT = (10, 2, 2, 4, 4, 4, 2, 12, 6, 0, 14, 4, 0, 8)
"""Scoring spaces between a corner tower and the next."""
CORNER = 2
"""Scoring spaces on a corner tower."""
CONCAVE = {
    "castle": {
        "16/17": (1, 5), "20/21": (1, 7), "38/39": (1, 10), "66/67": (7, 8), "88/89": (4, 0),
    },
    "falcon": {
        "16/17": (1, 5), "20/21": (1, 7), "38/39": (1, 11), "66/67": (8, 9), "88/89": (5, 0),
    },
    "wide": {
        "16/17": (1, 5), "20/21": (1, 7), "38/39": (1, 12), "66/67": (9, 10), "88/89": (6, 0),
    },
}  # fmt: skip
"""The notch cells on which towers in inner corners stand."""
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
INWARD = {"N": Side.W, "E": Side.N, "S": Side.E, "W": Side.S}
"""Against which side of the cells inside the wall lies when one walks that way."""


def board(board_id: str) -> Board:
    """Return a shipped board, or that with wide gates."""
    if board_id == "wide":
        return with_wide_gates(board("falcon"))
    return shipped_board(board_id)[0]


def legs(board_id: str) -> list[tuple[str, int]]:
    """Return direction and length of each side of the outline."""
    return [(way, int(length)) for way, length in re.findall(r"([NESW])(\d+)", OUTLINES[board_id])]


def walls(board_id: str) -> list[tuple[Cell, Side]]:
    """Walk round the wall; return for each unit of it the cell inside and the cell's side."""
    found = []
    x, y = 0, 0
    for way, length in legs(board_id):
        dx, dy = STEPS[way]
        for _ in range(length):
            low_x, low_y = min(x, x + dx), min(y, y + dy)
            inside = {"N": (x, low_y), "E": (low_x, y - 1), "S": (x - 1, low_y), "W": (low_x, y)}
            found.append((Cell(*inside[way]), INWARD[way]))
            x, y = x + dx, y + dy
    assert (x, y) == (0, 0)
    return found


def corners(board_id: str) -> list[Cell]:
    """Return the grid corners at which the outline turns, from the origin on."""
    found = []
    x, y = 0, 0
    for way, length in legs(board_id):
        found.append(Cell(x, y))
        dx, dy = STEPS[way]
        x, y = x + dx * length, y + dy * length
    return found


def outline_of(cells: tuple[Cell, ...]) -> str:
    """Walk round a set of cells clockwise from the origin, keeping them at the right hand."""
    inside = set(cells)
    edges = {}
    for cell in cells:
        x, y = cell
        ways = {Side.N: ((x, y + 1), "E"), Side.E: ((x + 1, y + 1), "S")}
        ways |= {Side.S: ((x + 1, y), "W"), Side.W: ((x, y), "N")}
        for side, (start, way) in ways.items():
            if cell.step(side) not in inside:
                assert start not in edges, "the wall touches itself"
                edges[start] = way
    walked = []
    at = (0, 0)
    for _ in edges:
        way = edges[at]
        walked.append(way)
        at = (at[0] + STEPS[way][0], at[1] + STEPS[way][1])
    assert at == (0, 0)
    return " ".join(
        f"{m.group()[0]}{len(m.group())}" for m in re.finditer(r"(.)\1*", "".join(walked))
    )


@each_board
def test_the_castle_has_76_connected_cells_or_97_with_gates(board_id: str) -> None:
    """All connected: 60 tiles leave at least 16 empty, as the rulebook says, 78 at least 19."""
    cells = board(board_id).cells
    assert len(cells) == len(set(cells)) == CELLS[board_id]
    assert CELLS[board_id] - TILES[board_id] == {"castle": 16, "falcon": 19, "wide": 42}[board_id]
    assert len(areas(cells)) == 1
    assert list(cells) == sorted(cells)


@each_board
def test_the_cells_have_the_published_outline(board_id: str) -> None:
    """Walking round the cells gives back the 14 sides of the wall, with no hole inside."""
    assert outline_of(board(board_id).cells) == OUTLINES[board_id]


@each_board
def test_the_track_has_100_spaces(board_id: str) -> None:
    """The straight spaces and two on each of 14 towers make 100."""
    assert len(STRAIGHT) == len(legs(board_id)) == len(board(board_id).towers) == 14
    assert sum(STRAIGHT) + CORNER * len(STRAIGHT) == board(board_id).track == 100


@each_board
def test_corner_towers_have_the_numbers_of_the_track(board_id: str) -> None:
    """Counting round the track gives every tower its two numbers; only 0/1 holds no tile."""
    numbers = []
    space = 0
    for straight in STRAIGHT:
        numbers.append((space, space + 1))
        space += CORNER + straight
    assert [tower.spaces for tower in board(board_id).towers] == numbers
    assert [tower.name for tower in board(board_id).towers] == [f"{a}/{b}" for a, b in numbers]
    assert [tower.name for tower in board(board_id).towers if not tower.holds_tile] == ["0/1"]


@each_board
def test_corner_towers_stand_on_the_outline(board_id: str) -> None:
    """Convex towers stand at corners of the outline, concave ones on the notch cell there."""
    inside = set(board(board_id).cells)
    concave = CONCAVE[board_id]
    for tower, corner in zip(board(board_id).towers, corners(board_id), strict=True):
        assert tower.corner == corner
        around = {Cell(corner.x - dx, corner.y - dy) for dx in (0, 1) for dy in (0, 1)}
        outside = around - inside
        assert len(outside) == (1 if tower.name in concave else 3)
        if tower.name in concave:
            assert outside == {Cell(*concave[tower.name])}


def spaces_by_wall(board_id: str) -> dict[tuple[int, int], tuple[Cell, Side]]:
    """Return the unit of wall behind each pair of spaces that lies on one, by walking.

    Two spaces lie along each unit of wall. A convex tower stands outside its corner and takes no
    wall. A concave one stands on the notch cell and takes the last unit of both its sides.
    A gate has no spaces. The rest of a side are its straight spaces.
    """
    found = {}
    units = walls(board_id)
    convex = [
        len({Cell(c.x - a, c.y - b) for a in (0, 1) for b in (0, 1)} & set(board(board_id).cells))
        == 1
        for c in corners(board_id)
    ]
    first = 0
    space = 0
    for index, (_, length) in enumerate(legs(board_id)):
        space += CORNER
        taken = [not convex[index], not convex[(index + 1) % len(convex)]]
        side = units[first : first + length]
        gates = [(cell, g.start.side) for g in board(board_id).gates for cell in g.cells]
        free = [unit for unit in side[taken[0] : length - taken[1]] if unit not in gates]
        assert 2 * len(free) == STRAIGHT[index], (index, free)
        for unit in free:
            found[space, space + 1] = unit
            space += 2
        first += length
    assert space == board(board_id).track
    return found


@each_board
def test_start_spaces_lie_where_the_track_says(board_id: str) -> None:
    """The two numbers of each start space name one unit of wall: its cell and side."""
    by_spaces = spaces_by_wall(board_id)
    for start in board(board_id).starts:
        first, second = map(int, start.name.split("/"))
        assert by_spaces[first, second] == (start.cell, start.side)


@each_board
def test_start_spaces_face_one_cell_each(board_id: str) -> None:
    """Each start space lies outside and touches one cell inside; no cell faces two of them."""
    inside = set(board(board_id).cells)
    for start in board(board_id).starts:
        assert start.outside not in inside
        assert start.cell in inside
        assert start.outside.step(start.side.opposite) == start.cell
    faced = [start.cell for start in board(board_id).starts]
    assert len(faced) == len(set(faced)) == 7
    for start in board(board_id).starts:
        touching = {cell for _, cell in start.outside.neighbours() if cell in inside}
        assert touching == {start.cell}


@pytest.mark.parametrize(("board_id", "width"), [("falcon", 1), ("wide", 2)])
def test_the_gates_lie_between_their_numbers(board_id: str, width: int) -> None:
    """Walking along the wall, a gate comes after the space before it and before the next."""
    spaces = {unit: pair for pair, unit in spaces_by_wall(board_id).items()}
    units = walls(board_id)
    gates = board(board_id).gates
    assert [gate.name for gate in gates] == ["27/28", "47/48", "69/70", "91/92"]
    for gate in gates:
        at = units.index((gate.start.cell, gate.start.side))
        assert units[at : at + width] == [(cell, gate.start.side) for cell in gate.cells]
        before, after = spaces.get(units[at - 1]), spaces[units[at + width]]
        assert after[0] == gate.after + 1
        # Two of the gates stand right after a corner tower.
        tower = board(board_id).tower_at(gate.after)
        assert (before is not None and before[1] == gate.after) or tower is not None


def test_a_switch_chooses_how_wide_gates_are() -> None:
    """In any order with other switches, and there and back; a wall of its own stays as it is."""
    game = shipped_game("castle+falcon")
    wide = game.with_switches({"gate_width": "2"})
    assert wide.board.cells == board("wide").cells
    assert wide.with_switches({"gate_width": "1"}) == game
    wanted = {"gate_width": "2", "gate_start_spaces": "47/48+69/70"}
    together = game.with_switches(wanted)
    assert together == wide.with_switches({"gate_start_spaces": wanted["gate_start_spaces"]})
    starts = {start.name: start.cell for start in together.board.starts}
    assert (starts["47/48"], starts["69/70"]) == (Cell(4, 13), Cell(8, 8))
    own = replace(game, board=replace(game.board, id="own"))
    assert own.with_switches({"gate_width": "2"}).board == own.board


def test_a_wide_gate_is_drawn_along_both_tiles() -> None:
    """The picture has 4 gates with 5 bars a tile, the terminal's as many signs as for two."""
    game = shipped_game("castle+falcon").with_switches({"gate_width": "2"})
    position = new_position(game, Random(1))
    bars = re.findall(
        r'<path d="([^"]*)"[^>]*class="bars"|class="bars"[^>]* d="([^"]*)"', board_svg(position)
    )
    assert [("".join(pair)).count("M") for pair in bars] == [10] * 4
    assert read_line(write_line(position)) == position
    drawn = "\n".join(castle(position, ASCII).lines(colour=False))
    narrow = "\n".join(
        castle(new_position(shipped_game("castle+falcon"), Random(1)), ASCII).lines(colour=False)
    )
    assert drawn.count("H") > narrow.count("H") > 0


def test_a_marker_that_stopped_at_a_gate_goes_on_from_there() -> None:
    """It stands on the gate after 27 or on 27, and next time nothing holds it; the rest is lost."""
    game = shipped_game("castle+falcon").with_switches({"gate_stop": "on"})
    before = game.with_switches({"gate_stop_place": "space_before"})
    for rules, stopped in ((game, Marker(27, at_gate=True)), (before, Marker(27))):
        first = march(rules, Marker(25), 6)
        assert (first.marker, first.rules) == (stopped, (STOP.id,))
        assert first.note.endswith("the gate after 27: 4 lost")
        assert march(rules, stopped, 6).marker == Marker(33)
        assert march(rules, Marker(25), 2).marker == Marker(27)  # an ordinary landing
    assert march(shipped_game("castle+falcon"), Marker(25), 6).marker == Marker(31)
