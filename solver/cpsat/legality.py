"""Where the tile may lie and where a follower may stand, each rule under its literal.

x[c,o]: the tile lies on cell c at rotation o. y[i]: a follower stands on its segment i.
rank[r]: that follower is a king or a falconer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from model.book import book_of
from model.components import Rank
from model.geometry import PORT_SIDES, PORTS, Cell, Side, middle
from model.position import Position
from model.rules.castle.followers import ONE, SUPPLY
from model.rules.castle.placement import ADJACENT, FIRST, INSIDE, PATH, START_PATH, UNKNOWN_PICTURE
from model.rules.falcon.chapels import CHAPEL_PLACE
from model.rules.falcon.specials import NOT_NOW
from model.switches import (
    CHAPEL_IS_BUILDING,
    SPECIAL_LAST_TURN,
    START_SPACE_PATHS_BIND,
    START_SPACE_UNKNOWN,
)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The new follower, as variables."""

    y: tuple[Literal, ...]
    """A follower stands on this segment of the tile; at most one is true."""
    ranks: Mapping[Rank, Literal]
    """The follower is of this rank, of those that the mover may place; none for an ordinary
    one."""


def lying(logic: Logic, ground: Ground) -> Lie:
    """Make the variables of the tile's place, with the rules of placement."""
    x = {spot: logic.decision(f"x{spot}") for spot in ground.spots()}
    logic.model.add_exactly_one(x.values())
    for law, allowed in PLACEMENT:
        for (cell, rotation), literal in x.items():
            if not allowed(ground, (cell, rotation)):
                # law → ¬x[c,o]
                logic.clause(no(logic.law(law)), no(literal))
    at = {
        cell: logic.any_of(x[cell, rotation] for rotation in ground.rotations)
        for cell in ground.position.game.board.cells
    }
    return Lie(x=x, at=at)


def _inside(ground: Ground, spot: Spot) -> bool:
    """The cell is empty."""
    return spot[0] in ground.empty


def _first(ground: Ground, spot: Spot) -> bool:
    """Some tile lies on the board, or a start space faces c."""
    return bool(ground.position.tiles) or spot[0] in _start_cells(ground.position)


def _adjacent(ground: Ground, spot: Spot) -> bool:
    """The board is bare, or a tile or a start space lies beside c."""
    starts = _start_cells(ground.position)
    return not ground.position.tiles or bool(ground.beside[spot[0]]) or spot[0] in starts


def _paths_meet(ground: Ground, spot: Spot) -> bool:
    """On every side where a tile lies: path here ↔ path there."""
    cell, rotation = spot
    paths = ground.path_sides(rotation)
    return all(
        (side in paths) == (ground.facing[cell].get(middle(side)) is Kind.PATH)
        for side in ground.beside[cell]
    )


def _start_path_meets(ground: Ground, spot: Spot) -> bool:
    """What the start space shows at c allows a path, or the lack of one, on its side."""
    position, (cell, rotation) = ground.position, spot
    if cell not in _start_cells(position):
        return True
    side, shown = _start_cells(position)[cell]
    if shown == UNKNOWN_PICTURE:
        return position.game.value(START_SPACE_UNKNOWN) != "forbid"
    there = ground.facing[cell].get(middle(side)) is Kind.PATH
    binding = position.game.value(START_SPACE_PATHS_BIND)
    bound = {"off": False, "from_start": there, "both": True}[binding]
    return not bound or (side in ground.path_sides(rotation)) == there


def _chapels_meet(ground: Ground, spot: Spot) -> bool:
    """By the switch, at every port that a tile faces: chapel here ↔ chapel there."""
    game = ground.position.game
    if Kind.CHAPEL not in book_of(game).roles or game.value(CHAPEL_IS_BUILDING) == "on":
        return True
    cell, rotation = spot
    chapels = {
        port
        for index, segment in enumerate(ground.kind.segments)
        if segment.kind is Kind.CHAPEL
        for port in ground.ports(index, rotation)
    }
    return all(
        (port in chapels) == (ground.facing[cell].get(port) is Kind.CHAPEL)
        for port in range(PORTS)
        if PORT_SIDES[port] in ground.beside[cell]
    )


def _start_cells(position: Position) -> dict[Cell, tuple[Side, str]]:
    """Return the cells that start spaces face, with the side and what is shown there."""
    game = position.game
    return {
        start.cell: (start.side, shown)
        for start, shown in zip(game.board.starts, game.shows, strict=True)
    }


Joined = Mapping[tuple[int, int], Lit]
Test = Callable[[Ground, Spot], bool]
"""Whether a rule allows the tile on a cell at a rotation."""
PLACEMENT: tuple[tuple[Law, Test], ...] = (
    (INSIDE, _inside),
    (FIRST, _first),
    (ADJACENT, _adjacent),
    (PATH, _paths_meet),
    (START_PATH, _start_path_meets),
    (CHAPEL_PLACE, _chapels_meet),
)
"""The rules of placement with their tests."""


def standing(logic: Logic, ground: Ground) -> Standing:
    """Make the variables of the follower, y[i] for each segment i of the tile.

    Whether a feature is free is said where features are joined.
    """
    mover = ground.position.players[ground.position.to_move]
    y = tuple(logic.decision(f"y{i}") for i in range(len(ground.kind.segments)))
    for first, second in _pairs(y):
        # one → ¬y[i] or ¬y[j]
        logic.clause(no(logic.law(ONE)), ~first, ~second)
    ranks = {}
    for rank in ground.position.game.specials:
        if not mover.available(rank) and not logic.explain:
            continue
        ranks[rank] = logic.decision(str(rank))
        # rank[r] → OR_i y[i]
        logic.clause(~ranks[rank], *y)
        if not mover.available(rank):
            # supply → ¬rank[r]
            logic.clause(no(logic.law(SUPPLY)), ~ranks[rank])
        if _is_last(ground) and ground.position.game.value(SPECIAL_LAST_TURN) == "off":
            # not-now → ¬rank[r]
            logic.clause(no(logic.law(NOT_NOW)), ~ranks[rank])
    logic.model.add_at_most_one(ranks.values())
    if mover.available(Rank.FOLLOWER) < 1:
        for literal in y:
            # supply and y[i] → OR_r rank[r]
            logic.clause(no(logic.law(SUPPLY)), ~literal, *ranks.values())
    return Standing(y=y, ranks=ranks)


def _is_last(ground: Ground) -> bool:
    """Tell whether no tile is left after this one."""
    return len(ground.position.order) + len(ground.position.bag) <= ground.drawn


def not_scored(logic: Logic, new: Standing, grown: Mapping[int, Lit], same: Joined) -> None:
    """Demand that no king or falconer is placed on a feature that the tile completes.

    Args:
        logic: the model.
        new: the follower.
        grown: for a segment that stands for its feature: the feature is complete.
        same: for two segments: they are one feature.

    """
    for rank in new.ranks.values():
        for (i, j), one in same.items():
            # not-now and rank[r] and y[i] and same[i,j] → ¬grown[j]
            complete = grown.get(j, False)
            logic.clause(no(logic.law(NOT_NOW)), ~rank, ~new.y[i], no(one), no(complete))


def _pairs(y: tuple[Literal, ...]) -> Iterator[tuple[Literal, Literal]]:
    """Yield every two different literals."""
    for index, first in enumerate(y):
        for second in y[index + 1 :]:
            yield first, second
