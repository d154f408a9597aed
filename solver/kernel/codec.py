"""Positions and moves as the states and turns of compiled code, for every family of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from burgrave.model.book import book_of
from burgrave.model.components import Node, Rank
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.falcon.parts import Aeries, FalconHoldings
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.games import Game
from burgrave.model.geometry import PORTS, Cell
from burgrave.model.position import Capture, Deployment, Guard, Move, Position, Ransom, ScoreStep
from burgrave.model.registry import CARCASSONNE, CASTLE, EXPANSIONS
from burgrave.model.rules.carcassonne.followers import ROLES
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN, unseen
from burgrave.model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE
from burgrave.solver.engines import unknown
from burgrave.solver.kernel import castle_board, castle_tables, plane_board, plane_tables
from burgrave.solver.kernel.bits import SPAN
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.carcassonne import (
    BIG,
    CELL_BITS,
    CELL_SHIFT,
    LIE_BITS,
    LIE_SHIFT,
    SEGMENT_BITS,
)
from burgrave.solver.kernel.castle_state import ABSENT, AT_HAND, CASTLE_STATE, NUMBERS, RESTING
from burgrave.solver.kernel.castle_tables import MISSING, cells_of
from burgrave.solver.kernel.castle_turns import (
    EXTRA,
    KIND,
    KIND_MASK,
    PLAN_NUMBER,
    PLAN_NUMBERS,
    RANK,
    ROTATION,
    SEGMENT,
    spell,
)
from burgrave.solver.kernel.game import turns
from burgrave.solver.kernel.job import NONE
from burgrave.solver.kernel.plane_board import MAN, OWNERS, PLANE_STATE, SIDE
from burgrave.solver.kernel.plane_tables import BIG_POST, FOLLOWERS, PLANE_RANKS, WIDTH
from burgrave.solver.kernel.records import (
    LISTED,
    PLAYERS,
    Sizes,
    Views,
    alone,
    numbers_of,
    record,
    room,
)
from burgrave.solver.kernel.tower import (
    BACK_BITS,
    BACK_SHIFT,
    BOUGHT,
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

KERNEL = "search"
"""Key of the compiled search in the table of engines, which lists its supported switches."""
NAMED_RANKS = (Rank.FOLLOWER, Rank.FALCONER, Rank.KING)
"""Index → rank of a follower in a castle; the index is the rank's number in a turn."""
HOLDINGS = {
    "score": "score",
    "supply": "supply",
    "fresh_men": "fresh_followers",
    "keep": "keep",
}
"""Field of a castle's state, by player → that of a ``PlayerState``."""
BEFORE = "before_draw"


def _castle_state(position: Position) -> Any:
    """Return a position in a castle as one record of ``CASTLE_STATE``."""
    game, t = position.game, castle_tables.tables_of(position.game)
    s = record(CASTLE_STATE)
    s.players = 2
    s.empty[:] = t.all_inside
    s.held[:] = t.at_start
    s.lie[:] = MISSING
    s.wants[:] = t.wants
    index = {cell: number for number, cell in enumerate(cells_of(game))}
    numbers = numbers_of(game)
    pictures = {kind.id: t.kinds + number for number, kind in enumerate(game.picture_kinds)}
    for tile in game.pictures:
        castle_board.lay(s, t, index[tile.cell], int(pictures[tile.kind.id]) * 4 + tile.rotation)
    for tile in position.tiles:
        castle_board.lay(s, t, index[tile.cell], numbers[tile.kind.id] * 4 + tile.rotation)
    s.joins = 0
    _put_players(s, position)
    nodes: dict[int, int] = {0: 0, 1: 0}
    for follower in position.followers:
        node = index[follower.node.cell] * PORTS + follower.node.segment
        rank = NAMED_RANKS.index(follower.rank)
        s.feature[find(s, node)].men += (2 if rank and t.count_twice else 1) << 8 * follower.player
        if rank:
            s.now.special[follower.player, rank] = node
        else:
            s.now.post[follower.player, nodes[follower.player]] = node
            nodes[follower.player] += 1
    each = int(t.aeries_each)
    for aerie in position.part(Aeries).taken_aeries:
        place = index[aerie.cell] * each + aerie.number
        s.now.gone[place // SPAN] |= 1 << place % SPAN
    return s


def _put_players(s: Any, position: Position) -> None:
    """Write the players' holdings, the player to move, and the wall tiles on the towers."""
    now = s.now
    for number, player in enumerate(position.players):
        for of, name in HOLDINGS.items():
            now[of][number] = getattr(player, name)
        now.tokens[number] = player.part(FalconHoldings).tokens
        now.at_gate[number] = player.at_gate
        now.hand[number] = [player.wall_tiles.count(n) for n in range(NUMBERS)]
        now.fresh_hand[number] = [player.fresh_wall_tiles.count(n) for n in range(NUMBERS)]
        now.special[number, 0] = ABSENT
        for rank, name in enumerate(NAMED_RANKS[1:], start=1):
            here = RESTING if player.resting(name) else ABSENT
            now.special[number, rank] = AT_HAND if player.available(name) else here
    there = dict(position.towers)
    now.tower[:] = MISSING
    for number, tower in enumerate(position.game.board.towers):
        now.tower[number] = there.get(tower.name, MISSING)
    now.post[:] = MISSING
    now.pending = MISSING
    now.mover = position.to_move
    now.extra = position.extra_turns
    now.in_extra = position.in_extra_turn


def _turn_over(s: Any, position: Position) -> None:
    """Set a state so that taking a face-down wall tile turns it over.

    Without this call the wall tile stays unseen, and its number stays 0.
    """
    towers = dict(position.towers)
    for number, tower in enumerate(position.game.board.towers):
        if towers.get(tower.name) == 0:
            s.now.covered |= 1 << number
    pool = unseen(position)
    s.now.unseen[:] = [max(0, pool[number]) for number in range(NUMBERS)]


def _castle_move(s: Any, t: Any, game: Game, turn: int, discards: tuple[str, ...] = ()) -> Move:
    """Return a turn in a castle, before it is played, as the move of the rules engine."""
    if turn < 0:
        return Move(discards=discards)
    cells = cells_of(game)
    kind, cell = game.tile_set.kinds[turn >> KIND & KIND_MASK], cells[turn & 127]
    followers: tuple[Deployment, ...] = ()
    segment = (turn >> SEGMENT & 15) - 1
    if segment >= 0:
        role = book_of(game).roles[kind.segments[segment].kind]
        followers = (Deployment(cell, segment, role, NAMED_RANKS[turn >> RANK & 3]),)
    spell(s, t, turn)
    chosen = s.plan[turn >> PLAN_NUMBER & PLAN_NUMBERS]
    extra = turn >> EXTRA & 31
    declared = [EXTRA_TURN] * extra if game.value(WALL_1_DECLARE) == BEFORE else []
    early = game.value(WALL_DOUBLE_DECLARE) == BEFORE
    steps = []
    order = [int(one) for one in chosen.order[: s.claims]]
    if not chosen.whole_order:
        order = sorted(
            (one for one in range(s.claims) if chosen.used[one]),
            key=lambda one: s.claim_winner[one] != s.now.mover,
        )
    for one in order:
        anchor = int(s.claim_root[one])
        numbers = (int(s.claim_doubler[one]),) * int(chosen.used[one])
        steps.append(ScoreStep(Node(cells[anchor // PORTS], anchor % PORTS), numbers))
        if early and s.claim_winner[one] == s.now.mover:
            declared += numbers
    return Move(
        discards=discards,
        declared=tuple(sorted(declared)),
        tile=kind.id,
        cell=cell,
        rotation=turn >> ROTATION & 3,
        followers=followers,
        scoring=tuple(steps),
        extra_turns=extra,
    )


def _plane_state(position: Position) -> Any:
    """Return a position on a plane as a record of ``PLANE_STATE``."""
    left = len(position.order) + len(position.bag)
    s = record(PLANE_STATE)
    s.tile[:] = -1
    here = [tile.cell for tile in position.tiles] or [Cell(0, 0)]
    s.west = min(x for x, _ in here) - left - 2
    s.south = min(y for _, y in here) - left - 2
    s.players, s.turn = len(position.players), position.to_move
    t, kinds = plane_tables.tables_of(position.game), numbers_of(position.game)
    if not position.tiles:
        plane_board.vacate(s, index_of(s, Cell(0, 0)), 0)
    for tile in position.tiles:
        index = index_of(s, tile.cell)
        if s.wants[index] == 0:
            plane_board.vacate(s, index, 0)
        plane_board.lay(s, t, index, kinds[tile.kind.id] * 4 + tile.rotation)
    s.joins = 0
    _man(s, position)
    return s


def _man(s: Any, position: Position) -> None:
    """Write the players' holdings, and the followers and towers on the tiles."""
    for number, player in enumerate(position.players):
        holdings = player.part(TowerHoldings)
        s.score[number], s.pieces[number] = player.score, holdings.pieces
        for rank in PLANE_RANKS:
            s.supply[owner_of(number, rank)] = player.available(rank)
        for prisoner in holdings.prisoners:
            s.held[number * OWNERS + owner_of(*prisoner)] += 1
    posts = [player * FOLLOWERS for player in range(PLAYERS)]
    for follower in position.followers:
        node, of = node_of(s, follower.node), follower.player
        number = PLANE_RANKS.index(follower.rank)
        s.feature[find(s, node)].men += number + 1 << MAN * of
        s.posts[of * FOLLOWERS + BIG_POST if number else posts[of]] = node + 1
        posts[of] += not number
    for tower in position.part(Towers).built:
        slot = _slot(s, tower.cell)
        s.height[slot], s.shut[slot] = tower.height, tower.closed
        s.guard[slot] = 0 if tower.guard is None else owner_of(tower.guard, tower.rank) + 1


def owner_of(player: int, rank: Rank) -> int:
    """Return the owner number of a player's followers of a rank."""
    return PLANE_RANKS.index(rank) * PLAYERS + player


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


def _plane_move(s: Any, t: Any, game: Game, turn: int, discards: tuple[str, ...] = ()) -> Move:
    """Return a turn on a plane as the move of the rules engine."""
    turn = int(turn)
    index, segment = turn >> CELL_SHIFT & CELL_BITS, (turn & SEGMENT_BITS) - 1
    acts, rank = turn >> TOWER_SHIFT, PLANE_RANKS[turn & BIG > 0]
    cell, lie = cell_of(s, index), turn >> LIE_SHIFT & LIE_BITS
    kind = game.tile_set.kinds[lie >> 2]
    followers: tuple[Deployment, ...] = ()
    if segment >= 0:
        followers = (Deployment(cell, segment, ROLES[kind.segments[segment].kind], rank),)
    tower, node = (acts & TOWER_BITS) - 1, (acts >> TAKEN_SHIFT & TAKEN_BITS) - 1
    freed, captor = (acts >> FREED_SHIFT & FREED_BITS) - 1, (acts >> CAPTOR & 7) - 1
    on = None if tower < 0 else cell if tower == s.tiles else cell_of(s, s.cell[tower])
    chosen = acts >> BACK_SHIFT & BACK_BITS
    back = PLANE_RANKS[chosen - 1] if chosen else None
    captures = []
    if node >= 0:
        captures = [Capture(cell_of(s, s.cell[node // WIDTH]), node % WIDTH, back)]
    elif freed >= 0:
        captures = [Capture(cell_of(s, s.cell[freed]), None, back)]
    bought = Ransom(captor, bool(acts & PAID_LATE), PLANE_RANKS[acts >> BOUGHT & 1])
    return Move(
        discards=discards,
        tile=kind.id if index else None,
        cell=cell if index else None,
        rotation=lie & 3,
        followers=followers,
        ransoms=(bought,) if captor >= 0 else (),
        pieces=() if on is None or acts & GUARD else (on,),
        captures=tuple(captures),
        guards=() if on is None or not acts & GUARD else (Guard(on, rank),),
    )


class Codec(NamedTuple):
    """The functions of a family of games, for positions that ``refusal`` accepts."""

    sizes: Callable[[Position], Sizes]
    tables_of: Callable[[Game], Any]
    state_of: Callable[[Position], Any]
    move_of: Callable[[Any, Any, Game, int, tuple[str, ...]], Move]


_IN_CASTLES = Codec(castle_tables.sizes, castle_tables.tables_of, _castle_state, _castle_move)
_ON_PLANES = Codec(plane_tables.sizes, plane_tables.tables_of, _plane_state, _plane_move)
CODECS = {CASTLE: _IN_CASTLES, CARCASSONNE: _ON_PLANES}
"""Id of a base → the functions of its family."""


def refusal(position: Position) -> str | None:
    """Describe what the kernel does not support in a position; None if it plays the position."""
    game = position.game
    if game.base not in CODECS or not all(EXPANSIONS[name].compiled for name in game.expansions):
        return game.id
    sizes = CODECS[game.base].sizes(position)
    for player in range(len(position.players)):
        for rank in (Rank.FOLLOWER, *game.specials):
            most = 1 if rank in game.specials else sizes["followers"][1]
            sizes[f"{rank.called}s of {game.name(player)}"] = _owned(position, player, rank), most
    beyond = [f"{number} {what}" for what, (number, most) in sizes.items() if number > most]
    return ", ".join((*unknown(KERNEL, game), *beyond)) or None


def _owned(position: Position, player: int, rank: Rank) -> int:
    """Return the number of a player's followers of a rank, wherever they are."""
    own = position.players[player]
    # Prisoners may return.
    return own.available(rank) + own.resting(rank) + position.away()[player, rank]


def tables_of(game: Game) -> Any:
    """Return the tables of a game."""
    return CODECS[game.base].tables_of(game)


def state_of(position: Position) -> Any:
    """Return a new state of a position; ``undo`` cannot go back behind it."""
    return CODECS[position.game.base].state_of(position)


class Opened:
    """A position as a state of the kernel, with its turns as moves.

    Attributes:
        state: the state; turns may be played on it.
        tables: the tables of its game.
        views: the state, to be read number by number.
        ids: kind of tile → its id.

    """

    def __init__(self, position: Position, *, shown: bool = False) -> None:
        """Open a position.

        Args:
            position: the position.
            shown: whether taking a face-down wall tile turns it over; if not, it stays unseen.

        Raises:
            QuestionError: the kernel does not know a switch's value, or has no room for the game.

        """
        if (refused := refusal(position)) is not None:
            raise QuestionError(f"the kernel plays no game with {refused}")
        self.position = position
        self.state = state_of(position)
        if shown and position.towers:
            _turn_over(self.state, position)
        self.tables = tables_of(position.game)
        self.ids = tuple(kind.id for kind in position.game.tile_set.kinds)
        self._kinds = numbers_of(position.game)
        self._move_of = CODECS[position.game.base].move_of
        self.views = Views(alone(self.state))

    def kind(self, tile: str) -> int:
        """Return the number of a kind of tile by its id."""
        return self._kinds[tile]

    def move(self, state: Any, turn: int, discards: tuple[str, ...]) -> Move:
        """Return a turn as the move that the rules engine lists.

        Args:
            state: a state of this game in which the turn is legal and not played yet.
            turn: the turn.
            discards: ids of the tiles drawn before it that had no place.

        """
        return self._move_of(state, self.tables, self.position.game, turn, discards)

    def turn(self, move: Move) -> int:
        """Return a canonical move, legal in the state and not played yet, as a turn.

        Raises:
            QuestionError: no turn is this move.

        """
        kind, out = NONE if move.tile is None else self.kind(move.tile), room(LISTED)
        wanted = replace(move, reveals=())
        # Other turns are legal in the last turn, but a turn's number means the same.
        for last in (False, True):
            end = turns(self.state, self.tables, kind, last, True, out, out[:0], 0)
            for turn in out[:end].tolist():
                if self.move(self.state, turn, move.discards) == wanted:
                    return int(turn)
        raise QuestionError(f"{move} is not among the legal moves of this turn")
