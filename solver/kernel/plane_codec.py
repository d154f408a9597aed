"""Convert positions and moves of Carcassonne and The Tower to states and turns, and back."""

from __future__ import annotations

from typing import Any

from model.components import Node
from model.games import Game
from model.geometry import Cell
from model.position import Capture, Deployment, Move, Position, Ransom
from model.rules.carcassonne.followers import ROLES
from solver.kernel.carcassonne import (
    CELL_BITS,
    CELL_SHIFT,
    KIND_BITS,
    KIND_SHIFT,
    ROTATION_BITS,
    ROTATION_SHIFT,
    SEGMENT_BITS,
)
from solver.kernel.plane_board import MAN, PLANE_STATE, SIDE, find, lay, vacate
from solver.kernel.plane_tables import FOLLOWERS, PLANE_TILES, WIDTH, covers, tables_of
from solver.kernel.records import PLAYERS, numbers_of, record
from solver.kernel.tower import (
    CAPTOR,
    FREED_BITS,
    FREED_SHIFT,
    GUARD,
    PAID_LATE,
    TAKEN_BITS,
    TAKEN_SHIFT,
    TOWER_BITS,
    TOWER_SHIFT,
)


def state_of(position: Position) -> Any:
    """Return a new state, a record of ``PLANE_STATE``; ``undo`` cannot go back behind it.

    Args:
        position: a legal position.

    Raises:
        ValueError: the game is not covered, or there are more tiles than its set has.

    """
    if (unknown := covers(position.game)) is not None:
        raise ValueError(f"the compiled code does not know {unknown}")
    left = len(position.order) + len(position.bag)
    if len(position.tiles) + left > PLANE_TILES:
        raise ValueError(f"{len(position.tiles) + left} tiles: {PLANE_TILES} is the most")
    s = record(PLANE_STATE)
    s.tile[:] = -1
    here = [tile.cell for tile in position.tiles] or [Cell(0, 0)]
    s.west = min(x for x, _ in here) - left - 2
    s.south = min(y for _, y in here) - left - 2
    s.players, s.turn = len(position.players), position.to_move
    t, kinds = tables_of(position.game), numbers_of(position.game)
    if not position.tiles:
        vacate(s, index_of(s, Cell(0, 0)), 0)
    for tile in position.tiles:
        index = index_of(s, tile.cell)
        if s.wants[index] == 0:
            vacate(s, index, 0)
        lay(s, t, index, kinds[tile.kind.id] * 4 + tile.rotation)
    s.joins = 0
    _man(s, position)
    return s


def refusal(position: Position) -> str | None:
    """Describe the part of a position that exceeds a state's room; None if all fits."""
    tiles = len(position.tiles) + len(position.order) + len(position.bag)
    if tiles > PLANE_TILES:
        return f"{tiles} tiles"
    for number, player in enumerate(position.players):
        # Prisoners may return: the other players hold a player's captured followers.
        held = sum(other.prisoners.count(number) for other in position.players)
        standing = sum(follower.player == number for follower in position.followers)
        guards = sum(tower.guard == number for tower in position.built)
        owned = player.supply + held + standing + guards
        if owned > FOLLOWERS:
            return f"{owned} followers of {position.game.name(number)}"
    return None


def _man(s: Any, position: Position) -> None:
    """Write the players' holdings, and the followers and towers on the tiles."""
    for number, player in enumerate(position.players):
        s.score[number], s.supply[number] = player.score, player.supply
        s.pieces[number] = player.pieces
        for owner in player.prisoners:
            s.held[number * PLAYERS + owner] += 1
    posts = [player * FOLLOWERS for player in range(PLAYERS)]
    for follower in position.followers:
        node = node_of(s, follower.node)
        s.men[find(s, node)] += 1 << MAN * follower.player
        s.posts[posts[follower.player]] = node + 1
        posts[follower.player] += 1
    for tower in position.built:
        slot = _slot(s, tower.cell)
        s.height[slot], s.shut[slot] = tower.height, tower.closed
        s.guard[slot] = 0 if tower.guard is None else tower.guard + 1


def index_of(s: Any, cell: Cell) -> int:
    """Return the number of a cell; numbers have the order of cells."""
    return int((cell.x - s.west) * SIDE + cell.y - s.south)


def cell_of(s: Any, index: int) -> Cell:
    """Return the cell with a number."""
    x, y = divmod(int(index), SIDE)
    return Cell(x + int(s.west), y + int(s.south))


def node_of(s: Any, node: Node) -> int:
    """Return the number of a segment on the board."""
    return _slot(s, node.cell) * WIDTH + node.segment


def _slot(s: Any, cell: Cell) -> int:
    """Return the slot of the tile on a cell."""
    return int(s.tile[index_of(s, cell)]) >> 8


def turn_of(s: Any, position: Position, move: Move) -> int:
    """Return a move as a turn.

    Args:
        s: the state in which the move is legal.
        position: a position of the same game.
        move: a legal move, canonical.

    """
    turn, laid = 0, move.cell
    if laid is not None and move.tile is not None:
        turn = index_of(s, laid) << CELL_SHIFT | numbers_of(position.game)[move.tile] << KIND_SHIFT
        turn |= move.rotation << ROTATION_SHIFT
    for deployment in move.followers:
        turn |= deployment.segment + 1

    def slot(cell: Cell) -> int:
        return int(s.tiles) if cell == laid else _slot(s, cell)

    acts = 0
    for cell in move.pieces:
        acts |= slot(cell) + 1
    for cell in move.guards:
        acts |= slot(cell) + 1 | GUARD
    for capture in move.captures:
        if capture.segment is None:
            acts |= slot(capture.cell) + 1 << FREED_SHIFT
        else:
            acts |= node_of(s, Node(capture.cell, capture.segment)) + 1 << TAKEN_SHIFT
    for ransom in move.ransoms:
        acts |= ransom.captor + 1 << CAPTOR
        acts |= PAID_LATE if ransom.late else 0
    return turn | acts << TOWER_SHIFT


def move_of(
    s: Any,
    t: Any,
    game: Game,
    turn: int,
    discards: tuple[str, ...] = (),
) -> Move:
    """Return a turn as the move that the reference engine lists.

    Args:
        s: the state in which the turn is legal.
        t: the tables.
        game: the game.
        turn: the turn.
        discards: ids of the tiles drawn before it that had no place.

    """
    turn = int(turn)
    index, segment, acts = (
        turn >> CELL_SHIFT & CELL_BITS,
        (turn & SEGMENT_BITS) - 1,
        turn >> TOWER_SHIFT,
    )
    cell, rotation = cell_of(s, index), turn >> ROTATION_SHIFT & ROTATION_BITS
    kind = game.tile_set.kinds[turn >> KIND_SHIFT & KIND_BITS]
    followers: tuple[Deployment, ...] = ()
    if segment >= 0:
        followers = (Deployment(cell, segment, ROLES[kind.segments[segment].kind]),)
    tower, node = (acts & TOWER_BITS) - 1, (acts >> TAKEN_SHIFT & TAKEN_BITS) - 1
    freed, captor = (acts >> FREED_SHIFT & FREED_BITS) - 1, (acts >> CAPTOR & 7) - 1
    on: tuple[Cell, ...] = ()
    if tower >= 0:
        on = (cell if tower == s.tiles else cell_of(s, s.cell[tower]),)
    captures = []
    if node >= 0:
        captures = [Capture(cell_of(s, s.cell[node // WIDTH]), node % WIDTH)]
    elif freed >= 0:
        captures = [Capture(cell_of(s, s.cell[freed]), None)]
    return Move(
        discards=discards,
        tile=kind.id if index else None,
        cell=cell if index else None,
        rotation=rotation,
        followers=followers,
        ransoms=(Ransom(captor, bool(acts & PAID_LATE)),) if captor >= 0 else (),
        pieces=() if acts & GUARD else on,
        captures=tuple(captures),
        guards=on if acts & GUARD else (),
    )
