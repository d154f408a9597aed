"""A game on the compiled kernel that is played on and taken back; its state as a position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from burgrave.model.book import book_of
from burgrave.model.components import Aerie, Follower, Node, Prisoner, Rank
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.falcon.parts import Aeries, FalconHoldings
from burgrave.model.expansions.tower.parts import Tower, TowerHoldings, Towers
from burgrave.model.features import Feature, feature_of
from burgrave.model.games import Game
from burgrave.model.geometry import PORTS, Cell
from burgrave.model.parts import ordered
from burgrave.model.position import Move, PlayerState, Position
from burgrave.model.registry import CARCASSONNE
from burgrave.model.rules.carcassonne.followers import ROLES
from burgrave.model.tiles import PlacedTile
from burgrave.solver.kernel import game
from burgrave.solver.kernel.bits import SPAN
from burgrave.solver.kernel.castle_state import AT_HAND, RANKS, RESTING
from burgrave.solver.kernel.castle_tables import CASTLE_FEATURES, MEN, cells_of, tables_of
from burgrave.solver.kernel.codec import HOLDINGS, NAMED_RANKS, Opened
from burgrave.solver.kernel.job import NONE
from burgrave.solver.kernel.plane_board import OWNERS, SIDE, rank_at
from burgrave.solver.kernel.plane_tables import FOLLOWERS, PLANE_FEATURES, PLANE_RANKS, WIDTH
from burgrave.solver.kernel.records import LISTED, PLAYERS, Views, room
from burgrave.solver.result import TooLargeError
from burgrave.solver.simulation.simulation import Table, Totals


class _Reader(ABC):
    """Reads a state of the kernel, in any family of games."""

    mover: memoryview
    """The player to move, alone."""
    score: memoryview
    """By player."""
    supply: memoryview
    """By player the followers without a rank that he may place."""

    def __init__(self, state: Views, game: Game) -> None:
        """Look at a state, which may be played on."""
        self._state, self._game = state, game

    def find(self, node: int) -> int:
        """Return the root of a node's class."""
        parent = self._state.parent
        while (above := parent[node]) != node:
            node = above
        return node

    @abstractmethod
    def followers(self) -> list[tuple[int, int]]:
        """Return the followers on features: node and player."""

    @abstractmethod
    def position(self, start: Position) -> Position:
        """Return the position, as far as the state knows it."""

    @abstractmethod
    def _first(self, cell: Cell) -> int:
        """Return the node of the first segment of the tile on a cell."""

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features on which followers stand, the game standing at a position."""
        nodes: dict[int, list[Node]] = {self.find(node): [] for node, _ in self.followers()}
        laid, standing = position.laid(), {one.node: [one] for one in position.followers}
        for cell, tile in laid.items():
            first = self._first(cell)
            for segment in range(len(tile.kind.segments)):
                if (root := self.find(first + segment)) in nodes:
                    nodes[root].append(Node(cell, segment))
        board = position.game.board
        found = (feature_of(tuple(sorted(one)), laid, standing, board) for one in nodes.values())
        return tuple(sorted(found, key=lambda feature: feature.nodes[0]))


class CastleReader(_Reader):
    """The content of a state of a game in a castle."""

    def __init__(self, state: Views, game: Game) -> None:
        """Look at a state, which may be played on."""
        super().__init__(state, game)
        self._cells = cells_of(game)
        self._index = {cell: number for number, cell in enumerate(self._cells)}
        self.mover, self.score = state.now.mover, state.now.score
        self.supply = state.now.supply

    def cells_of(self, root: int) -> int:
        """Return the cells of a feature as bits."""
        mask = self._state.feature.mask
        return int(mask[root, 0] | mask[root, 1] << SPAN)

    def followers(self) -> list[tuple[int, int]]:
        """Return the followers on features: node and player."""
        return [(node, player) for node, player, _ in self._ranked()]

    def _ranked(self) -> Iterator[tuple[int, int, Rank]]:
        """Yield the followers on features: node, player and rank."""
        now = self._state.now
        for player in (0, 1):
            nodes = [(now.post[player, i], NAMED_RANKS[0]) for i in range(MEN)]
            nodes += [(now.special[player, r], NAMED_RANKS[r]) for r in range(1, RANKS)]
            yield from ((node, player, rank) for node, rank in nodes if node >= 0)

    def occupied(self, players: Collection[int] = (0, 1)) -> set[int]:
        """Return the roots of the features with followers of some players."""
        return {self.find(node) for node, player in self.followers() if player in players}

    def position(self, start: Position) -> Position:
        """Return the position, as far as the state knows it."""
        cells, game, now = self._cells, self._game, self._state.now
        kinds, roles = game.tile_set.kinds, book_of(game).roles
        players = tuple(map(self._player, (0, 1)))
        towers = tuple(
            (tower.name, number)
            for tower, number in zip(game.board.towers, now.tower, strict=False)
            if number >= 0
        )
        begun = Counter((*start.spent, *_wall_tiles(start.players, start.towers)))
        low, high = now.gone
        each = int(tables_of(game).aeries_each)
        taken = (divmod(bit, each) for bit in bits(low | high << SPAN))
        aeries = (Aerie(cells[cell], number) for cell, number in taken)
        tiles = [
            PlacedTile(cell=cells[cell], kind=kinds[lie // 4], rotation=lie % 4)
            for cell, lie in enumerate(self._state.lie[: len(game.board.cells)])
            if lie >= 0
        ]
        followers = [
            Follower(
                Node(cells[node // PORTS], node % PORTS),
                player,
                roles[CASTLE_FEATURES[self._state.kind[node]]],
                rank,
            )
            for node, player, rank in self._ranked()
        ]
        return replace(
            start,
            tiles=tuple(sorted(tiles, key=lambda tile: tile.cell)),
            followers=tuple(sorted(followers)),
            players=players,
            to_move=self.mover[0],
            towers=towers,
            spent=tuple(sorted((begun - Counter(_wall_tiles(players, towers))).elements())),
            extra_turns=now.extra[0],
            in_extra_turn=bool(now.in_extra[0]),
            parts=ordered([Aeries(taken_aeries=tuple(sorted(aeries)))]),
        )

    def _player(self, player: int) -> PlayerState:
        """Return a player's possessions, without the followers on the board."""
        now = self._state.now
        held = {name: getattr(now, of)[player] for of, name in HOLDINGS.items()}
        special = now.special.tolist()[player]
        specials, fresh = (
            tuple(sorted(NAMED_RANKS[r] for r in range(1, RANKS) if special[r] == where))
            for where in (AT_HAND, RESTING)
        )
        return PlayerState(
            **held,
            wall_tiles=_numbers(now.hand.tolist()[player]),
            fresh_wall_tiles=_numbers(now.fresh_hand.tolist()[player]),
            specials=specials,
            fresh_specials=fresh,
            at_gate=bool(now.at_gate[player]),
            parts=ordered([FalconHoldings(tokens=now.tokens[player])]),
        )

    def _first(self, cell: Cell) -> int:
        """Return the node of the first segment of the tile on a cell."""
        return self._index[cell] * PORTS


def _wall_tiles(players: Iterable[PlayerState], towers: Iterable[tuple[str, int]]) -> Iterator[int]:
    """Yield the wall tiles in hands and on corner towers."""
    yield from (number for _, number in towers)
    for state in players:
        yield from (*state.wall_tiles, *state.fresh_wall_tiles)


def _numbers(counts: Sequence[int]) -> tuple[int, ...]:
    """Return wall tiles by how many there are of each number."""
    return tuple(number for number, count in enumerate(counts) for _ in range(count))


class PlaneReader(_Reader):
    """The content of a state of Carcassonne, whatever its expansions."""

    def __init__(self, state: Views, game: Game) -> None:
        """Look at a state, which may be played on."""
        super().__init__(state, game)
        self._west, self._south = state.west[0], state.south[0]
        self.mover, self.score, self.supply = state.turn, state.score, state.supply

    def followers(self) -> list[tuple[int, int]]:
        """Return the followers on features: node and player."""
        return [(node, player) for node, player, _ in self._ranked()]

    def _ranked(self) -> Iterator[tuple[int, int, Rank]]:
        """Yield the followers on features: node, player and rank."""
        for post, node in enumerate(self._state.posts.tolist()):
            if node:
                yield node - 1, post // FOLLOWERS, PLANE_RANKS[rank_at(post)]

    def position(self, start: Position) -> Position:
        """Return the position, as far as the state knows it."""
        kinds, state = self._game.tile_set.kinds, self._state
        tiles, built = [], []
        for number in sorted(state.cell[: state.tiles[0]]):
            slot, lie = divmod(state.tile[number], 1 << 8)
            cell, height, guard = self._place(number), state.height[slot], state.guard[slot]
            tiles.append(PlacedTile(cell=cell, kind=kinds[lie // 4], rotation=lie % 4))
            if height:
                rank, owner = divmod(guard - 1, PLAYERS) if guard else (0, None)
                built.append(Tower(cell, height, owner, bool(state.shut[slot]), PLANE_RANKS[rank]))
        followers = [
            Follower(
                Node(self._place(state.cell[node // WIDTH]), node % WIDTH),
                player,
                ROLES[PLANE_FEATURES[state.shows[node]]],
                rank,
            )
            for node, player, rank in self._ranked()
        ]
        players = [
            PlayerState(
                score=state.score[player],
                supply=state.supply[player],
                specials=(Rank.BIG,) * state.supply[PLAYERS + player],
                parts=ordered([self._holdings(player)]),
            )
            for player in range(len(self._game.players))
        ]
        return replace(
            start,
            tiles=tuple(tiles),
            followers=tuple(sorted(followers)),
            players=tuple(players),
            to_move=self.mover[0],
            parts=ordered([Towers(built=tuple(built))]),
        )

    def _holdings(self, player: int) -> TowerHoldings:
        """Return the tower pieces and the prisoners of a player."""
        held = self._state.held[player * OWNERS : (player + 1) * OWNERS]
        owners = (divmod(number, PLAYERS) for number in _numbers(held))
        return TowerHoldings(
            pieces=self._state.pieces[player],
            prisoners=tuple(sorted(Prisoner(owner, PLANE_RANKS[rank]) for rank, owner in owners)),
        )

    def _place(self, cell: int) -> Cell:
        """Return the cell with a number."""
        return Cell(cell // SIDE + self._west, cell % SIDE + self._south)

    def _first(self, cell: Cell) -> int:
        """Return the node of the first segment of the tile on a cell."""
        number = (cell.x - self._west) * SIDE + cell.y - self._south
        return int(self._state.tile[number] >> 8) * WIDTH


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def check_room(state: Any) -> None:
    """Check that everything listed and played on a state had room in its tables.

    Raises:
        TooLargeError: something had none, so that results are void.

    """
    if "overflow" in state.dtype.names and state.overflow:
        raise TooLargeError


class Walk(Table):
    """A game that the kernel plays.

    A turn is a number of the kernel.

    Attributes:
        opened: the state that is played on, with its tables.
        hints: by turn listed last how promising it is, for the order of a search only.

    """

    def __init__(self, position: Position, *, shown: bool = False) -> None:
        """Begin at a position, with room for its tiles to come.

        Args:
            position: the position.
            shown: as for ``Opened``.

        Raises:
            QuestionError: as for ``Opened``.

        """
        self.opened = Opened(position, shown=shown)
        self.state, self._tables = self.opened.state, self.opened.tables
        self._left = len(position.order) + len(position.bag)
        self._room = room(2, LISTED)
        self._totals = room(len(position.players))

    @property
    def mover(self) -> int:
        """The player to move."""
        return int(game.mover(self.state))

    def fits(self, tile: str) -> bool:
        """Tell whether a tile has a place."""
        return bool(game.placeable(self.state, self._tables, self.opened.kind(tile)))

    def turns(self, tile: str | None, *, last: bool) -> Sequence[int]:
        """Return every legal turn with a tile, or without one.

        Raises:
            TooLargeError: the kernel has no room for them.

        """
        kind = NONE if tile is None else self.opened.kind(tile)
        out, self.hints = self._room
        end = game.turns(self.state, self._tables, kind, last, True, out, self.hints, 0)
        check_room(self.state)
        listed: list[int] = out[:end].tolist()
        return listed

    def play(self, turn: int, *, last: bool) -> None:
        """Play a turn.

        Raises:
            QuestionError: there is no room for another tile.

        """
        if not self._left:
            raise QuestionError("no more tiles can be laid than were to come")
        self._left -= 1
        game.play(self.state, self._tables, turn, last)

    def hand_over(self, player: int) -> None:
        """Let the next turn be a player's; ``undo`` takes it back with the turn before."""
        game.hand_over(self.state, player)

    def undo(self) -> None:
        """Take back the turn played last."""
        self._left += 1
        game.undo(self.state, self._tables)

    def totals(self) -> Totals:
        """Return each player's total if the game ended now."""
        game.totals(self.state, self._tables, self._totals)
        check_room(self.state)
        return tuple(self._totals.tolist())

    def standing(self) -> Totals:
        """Return each player's score on the track."""
        game.standing(self.state, self._tables, self._totals)
        return tuple(self._totals.tolist())

    def move(self, turn: int, gone: tuple[str, ...] = ()) -> Move:
        """Return a turn that was listed now as the move that the rules engine lists."""
        return self.opened.move(self.state, turn, gone)

    def position(self) -> Position:
        """Return the position now, read from the state number by number."""
        return self._reader.position(replace(self.opened.position, order=(), bag=()))

    @cached_property
    def _reader(self) -> CastleReader | PlaneReader:
        """Reads the state, also when it is played on."""
        start = self.opened.position.game
        reader = PlaneReader if start.base == CARCASSONNE else CastleReader
        return reader(self.opened.views, start)
