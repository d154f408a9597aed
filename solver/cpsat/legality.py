"""Where the tile may lie and where a follower may stand, each rule under its literal.

x[c,o]: the tile lies on cell c at rotation o. y[i]: a follower stands on its segment i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from model.geometry import Cell, Side, middle
from model.position import Position
from model.rules.followers import ONE, SUPPLY
from model.rules.placement import (
    ADJACENT,
    FIRST,
    INSIDE,
    PATH,
    START_PATH,
    UNKNOWN_PICTURE,
)
from model.switches import START_SPACE_PATHS_BIND, START_SPACE_UNKNOWN
from model.tiles import Kind
from solver.cpsat.board import Ground, Spot
from solver.cpsat.logic import Law, Lit, Logic, no
from solver.cpsat.run import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Lie:
    """Where the tile lies, as variables."""

    x: Mapping[Spot, Literal]
    """The tile lies on this cell at this rotation; exactly one is true."""
    at: Mapping[Cell, Lit]
    """The tile lies on this cell."""


def lying(logic: Logic, ground: Ground) -> Lie:
    """Make the variables of the tile's place, with the rules of placement."""
    x = {spot: logic.decision(f"x{spot}") for spot in ground.spots()}
    logic.model.add_exactly_one(x.values())
    for law, allowed in PLACEMENT:
        for (cell, rotation), literal in x.items():
            if not allowed(ground, cell, ground.path_sides(rotation)):
                # law → ¬x[c,o]
                logic.clause(no(logic.law(law)), no(literal))
    at = {
        cell: logic.any_of(x[cell, rotation] for rotation in ground.rotations)
        for cell in ground.position.game.board.cells
    }
    return Lie(x=x, at=at)


Paths = frozenset[Side]
"""The sides of the tile that a path crosses."""


def _inside(ground: Ground, cell: Cell, paths: Paths) -> bool:  # noqa: ARG001
    """The cell is empty."""
    return cell in ground.empty


def _first(ground: Ground, cell: Cell, paths: Paths) -> bool:  # noqa: ARG001
    """Some tile lies on the board, or a start space faces c."""
    return bool(ground.position.tiles) or cell in _start_cells(ground.position)


def _adjacent(ground: Ground, cell: Cell, paths: Paths) -> bool:  # noqa: ARG001
    """The board is bare, or a tile or a start space lies beside c."""
    starts = _start_cells(ground.position)
    return not ground.position.tiles or bool(ground.beside[cell]) or cell in starts


def _paths_meet(ground: Ground, cell: Cell, paths: Paths) -> bool:
    """On every side where a tile lies: path here ↔ path there."""
    return all(
        (side in paths) == (ground.facing[cell].get(middle(side)) is Kind.PATH)
        for side in ground.beside[cell]
    )


def _start_path_meets(ground: Ground, cell: Cell, paths: Paths) -> bool:
    """What the start space shows at c allows a path, or the lack of one, on its side."""
    position = ground.position
    if cell not in _start_cells(position):
        return True
    side, shown = _start_cells(position)[cell]
    if shown == UNKNOWN_PICTURE:
        return position.game.value(START_SPACE_UNKNOWN) != "forbid"
    there = ground.facing[cell].get(middle(side)) is Kind.PATH
    binding = position.game.value(START_SPACE_PATHS_BIND)
    bound = {"off": False, "from_start": there, "both": True}[binding]
    return not bound or (side in paths) == there


def _start_cells(position: Position) -> dict[Cell, tuple[Side, str]]:
    """Return the cells that start spaces face, with the side and what is shown there."""
    game = position.game
    return {
        start.cell: (start.side, shown)
        for start, shown in zip(game.board.starts, game.shows, strict=True)
    }


Test = Callable[[Ground, Cell, Paths], bool]
"""Whether a rule allows the tile on a cell with paths on these sides."""
PLACEMENT: tuple[tuple[Law, Test], ...] = (
    (INSIDE, _inside),
    (FIRST, _first),
    (ADJACENT, _adjacent),
    (PATH, _paths_meet),
    (START_PATH, _start_path_meets),
)
"""The rules of placement with their tests."""


def standing(logic: Logic, ground: Ground) -> tuple[Literal, ...]:
    """Make the variables of the follower, y[i] for each segment i of the tile.

    Whether a feature is free is said where features are joined.
    """
    y = tuple(logic.decision(f"y{i}") for i in range(len(ground.kind.segments)))
    for first, second in _pairs(y):
        # one → ¬y[i] or ¬y[j]
        logic.clause(no(logic.law(ONE)), ~first, ~second)
    if ground.position.players[ground.position.to_move].supply < 1:
        for literal in y:
            # supply → ¬y[i]
            logic.clause(no(logic.law(SUPPLY)), ~literal)
    return y


def _pairs(y: tuple[Literal, ...]) -> Iterator[tuple[Literal, Literal]]:
    """Yield every two different literals."""
    for index, first in enumerate(y):
        for second in y[index + 1 :]:
            yield first, second
