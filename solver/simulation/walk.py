"""A game on the compiled kernel that is played on and taken back; its state as a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

from model.book import book_of
from model.components import Aerie, Follower, Node, Rank, Tower
from model.errors import QuestionError
from model.features import Feature, feature_of
from model.games import Game
from model.geometry import PORTS, Cell
from model.position import Move, PlayerState, Position
from model.rules.carcassonne.followers import ROLES
from model.tiles import PlacedTile
from solver.kernel import game
from solver.kernel.bits import SPAN
from solver.kernel.castle_state import AT_HAND, RESTING
from solver.kernel.castle_tables import CASTLE_FEATURES, MEN, cells_of, tables_of
from solver.kernel.codec import NAMED_RANKS, Opened
from solver.kernel.compiling import is_compiled, note_compiled
from solver.kernel.job import NONE
from solver.kernel.plane_board import SIDE
from solver.kernel.plane_tables import FOLLOWERS, PLANE_FEATURES, WIDTH
from solver.kernel.records import LISTED, PLAYERS, States, alone, field, room
from solver.limits import SILENT, Reporter
from solver.result import TooLargeError
from solver.simulation.simulation import Table, Totals


class _Reader:
    """Reads a state of the kernel, in any family of games."""

    mover: memoryview
    """The player to move, alone."""
    score: memoryview
    """By player."""
    supply: memoryview
    """By player the followers without a rank that he may place."""

    def __init__(self, states: States, game: Game) -> None:
        """Look at an array of one state, which may be played on."""
        self._game = game
        self._parent = field(states, "parent")

    def find(self, node: int) -> int:
        """Return the root of a node's class."""
        parent = self._parent
        while (above := parent[node]) != node:
            node = above
        return node


class CastleReader(_Reader):
    """The content of a state of a game in a castle."""

    def __init__(self, states: States, game: Game) -> None:
        """Look at an array of one state, which may be played on."""
        super().__init__(states, game)
        self._cells = cells_of(game)
        self._inside = len(game.board.cells)
        self._aeries_each = int(tables_of(game).aeries_each)
        self._kind, self._lie = field(states, "kind"), field(states, "lie")
        self._mask = field(states, "mask")
        self._posts, self._special = field(states, "now", "post"), field(states, "now", "special")
        self._now = states["now"][0]
        self.mover, self.score = field(states, "now", "mover"), field(states, "now", "score")
        self.supply, self.keep = field(states, "now", "supply"), field(states, "now", "keep")
        self.towers = field(states, "now", "tower")
        """By corner tower its wall tile, or -1."""

    def cells_of(self, root: int) -> int:
        """Return the cells of a feature as bits."""
        return self._mask[root, 0] | self._mask[root, 1] << SPAN

    def stands(self, player: int) -> list[int]:
        """Return the nodes on which the followers of a player stand, those with a rank last."""
        return [node for _, node in self._standing(player)]

    def _standing(self, player: int) -> list[tuple[Rank, int]]:
        """Return the followers of a player on features: rank and node."""
        posts, special = self._posts, self._special
        found = [(NAMED_RANKS[0], node) for i in range(MEN) if (node := posts[player, i]) >= 0]
        ranks = range(1, len(NAMED_RANKS))
        return found + [(NAMED_RANKS[r], node) for r in ranks if (node := special[player, r]) >= 0]

    def followers(self) -> list[tuple[int, int]]:
        """Return the followers on features: node and player."""
        return [(node, player) for player in (0, 1) for node in self.stands(player)]

    def occupied(self) -> set[int]:
        """Return the roots of the features with followers."""
        return {self.find(node) for player in (0, 1) for node in self.stands(player)}

    def position(self, start: Position) -> Position:
        """Return the position, as far as the state knows it."""
        cells, kinds, game = self._cells, self._game.tile_set.kinds, self._game
        players = tuple(map(self._player, (0, 1)))
        towers = tuple(
            (tower.name, number)
            for tower, number in zip(game.board.towers, self.towers, strict=False)
            if number >= 0
        )
        begun = Counter((*start.spent, *_wall_tiles(start.players, start.towers)))
        low, high = self._now["gone"].tolist()
        taken = [divmod(bit, self._aeries_each) for bit in bits(low | high << SPAN)]
        tiles = [
            PlacedTile(cell=cells[cell], kind=kinds[lie // 4], rotation=lie % 4)
            for cell, lie in enumerate(self._lie[: self._inside])
            if lie >= 0
        ]
        return replace(
            start,
            tiles=tuple(sorted(tiles, key=lambda tile: tile.cell)),
            followers=tuple(sorted(self._followers())),
            players=players,
            to_move=self.mover[0],
            towers=towers,
            spent=tuple(sorted((begun - Counter(_wall_tiles(players, towers))).elements())),
            extra_turns=int(self._now["extra"]),
            in_extra_turn=bool(self._now["in_extra"]),
            taken_aeries=tuple(sorted(Aerie(cells[cell], number) for cell, number in taken)),
        )

    def _player(self, player: int) -> PlayerState:
        """Return a player's possessions, without the followers on the board."""
        return PlayerState(
            score=self.score[player],
            supply=self.supply[player],
            keep=self.keep[player],
            wall_tiles=_numbers(self._now["hand"][player].tolist()),
            fresh_wall_tiles=_numbers(self._now["fresh_hand"][player].tolist()),
            fresh_followers=int(self._now["fresh_men"][player]),
            specials=self._ranks(player, AT_HAND),
            fresh_specials=self._ranks(player, RESTING),
            tokens=int(self._now["tokens"][player]),
            at_gate=bool(self._now["at_gate"][player]),
        )

    def _ranks(self, player: int, where: int) -> tuple[Rank, ...]:
        """Return which of a player's king and falconer are in a place off the board."""
        named = enumerate(NAMED_RANKS[1:], start=1)
        return tuple(sorted(name for rank, name in named if self._special[player, rank] == where))

    def _followers(self) -> Iterator[Follower]:
        """Yield the followers on the board."""
        roles = book_of(self._game).roles
        for player in (0, 1):
            for rank, node in self._standing(player):
                cell, segment = divmod(node, PORTS)
                role = roles[CASTLE_FEATURES[self._kind[node]]]
                yield Follower(Node(self._cells[cell], segment), player, role, rank)

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features on which followers stand, the game standing at a position."""
        return _claimed(map(self._nodes, self.occupied()), position)

    def _nodes(self, root: int) -> Iterator[Node]:
        """Yield the segments of a feature."""
        kinds = (*self._game.tile_set.kinds, *self._game.picture_kinds)
        for cell in bits(self.cells_of(root)):
            for segment in range(len(kinds[self._lie[cell] // 4].segments)):
                if self.find(cell * PORTS + segment) == root:
                    yield Node(self._cells[cell], segment)


def _wall_tiles(players: Iterable[PlayerState], towers: Iterable[tuple[str, int]]) -> Iterator[int]:
    """Yield the wall tiles in hands and on corner towers."""
    yield from (number for _, number in towers)
    for state in players:
        yield from (*state.wall_tiles, *state.fresh_wall_tiles)


def _numbers(counts: Sequence[int]) -> tuple[int, ...]:
    """Return wall tiles by how many there are of each number."""
    return tuple(number for number, count in enumerate(counts) for _ in range(count))


class PlaneReader(_Reader):
    """The content of a state of Carcassonne, with The Tower or without."""

    def __init__(self, states: States, game: Game) -> None:
        """Look at an array of one state, which may be played on."""
        super().__init__(states, game)
        self._players = len(game.players)
        self._west, self._south = field(states, "west")[0], field(states, "south")[0]
        self._tiles, self._cell = field(states, "tiles"), field(states, "cell")
        self._shows = field(states, "shows")
        self._posts, self._held = field(states, "posts"), field(states, "held")
        self._height, self._guard = field(states, "height"), field(states, "guard")
        self._shut = field(states, "shut")
        self.tile = field(states, "tile")
        """By cell slot and lie of its tile (``slot << 8 | lie``), or -1."""
        self.mover, self.score = field(states, "turn"), field(states, "score")
        self.supply, self.pieces = field(states, "supply"), field(states, "pieces")

    def followers(self) -> list[tuple[int, int]]:
        """Return the followers on features: node and player."""
        posts = enumerate(self._posts.tolist())
        return [(node - 1, post // FOLLOWERS) for post, node in posts if node]

    def _place(self, cell: int) -> Cell:
        """Return the cell with a number."""
        return Cell(cell // SIDE + self._west, cell % SIDE + self._south)

    def _laid(self) -> list[tuple[int, int, int]]:
        """Return the tiles by cell: cell, slot, lie."""
        cells = sorted(self._cell[: self._tiles[0]])
        return [(cell, self.tile[cell] >> 8, self.tile[cell] & 255) for cell in cells]

    def position(self, start: Position) -> Position:
        """Return the position, as far as the state knows it."""
        kinds, laid, everyone = self._game.tile_set.kinds, self._laid(), range(self._players)
        tiles = [
            PlacedTile(cell=self._place(cell), kind=kinds[lie // 4], rotation=lie % 4)
            for cell, _, lie in laid
        ]
        followers = [
            Follower(self._node(node), player, ROLES[PLANE_FEATURES[self._shows[node]]])
            for node, player in self.followers()
        ]
        players = [
            PlayerState(
                score=self.score[player],
                supply=self.supply[player],
                pieces=self.pieces[player],
                prisoners=_numbers([self._held[player * PLAYERS + one] for one in everyone]),
            )
            for player in everyone
        ]
        return replace(
            start,
            tiles=tuple(tiles),
            followers=tuple(sorted(followers)),
            players=tuple(players),
            to_move=self.mover[0],
            built=tuple(self._built(laid)),
        )

    def _node(self, node: int) -> Node:
        """Return the segment on the board with a number."""
        return Node(self._place(self._cell[node // WIDTH]), node % WIDTH)

    def _built(self, laid: Iterable[tuple[int, int, int]]) -> Iterator[Tower]:
        """Yield the towers that have been begun, by cell."""
        for cell, slot, _ in laid:
            if height := self._height[slot]:
                guard = self._guard[slot]
                yield Tower(
                    cell=self._place(cell),
                    height=height,
                    guard=guard - 1 if guard else None,
                    closed=bool(self._shut[slot]),
                )

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features on which followers stand, the game standing at a position."""
        kinds = self._game.tile_set.kinds
        nodes: dict[int, list[Node]] = {self.find(node): [] for node, _ in self.followers()}
        for cell, slot, lie in self._laid():
            for segment in range(len(kinds[lie // 4].segments)):
                root = self.find(slot * WIDTH + segment)
                if root in nodes:
                    nodes[root].append(Node(self._place(cell), segment))
        return _claimed(nodes.values(), position)


def _claimed(groups: Iterable[Iterable[Node]], position: Position) -> tuple[Feature, ...]:
    """Return features, given by their segments, in the order of the first of them."""
    laid, standing = position.laid(), {one.node: [one] for one in position.followers}
    found = [
        feature_of(tuple(sorted(nodes)), laid, standing, position.game.board) for nodes in groups
    ]
    return tuple(sorted(found, key=lambda feature: feature.nodes[0]))


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


SECONDS = {"turns": 8, "search": 20, "each": 15}
"""By part of the kernel: seconds to compile it. ``turns`` lists and plays turns, ``search`` finds
best play, and ``each`` does so where each of several players plays for himself."""


@contextmanager
def compiling(what: str, game: Game, reporter: Reporter) -> Iterator[None]:
    """Tell that a part of the kernel, of ``SECONDS``, is compiled, unless its code is on disk.

    The caller runs it within, on the main thread for Ctrl-C. The game is any one of the family.
    """
    name = f"{what}-{'plane' if game.board.endless else 'castle'}"
    if not is_compiled(name):
        reporter.stage(f"compiling the {what} once, about {SECONDS[what]} s")
    yield
    note_compiled(name)


def check_room(state: Any) -> None:
    """Check that everything listed and played on a state had room in its tables.

    Raises:
        TooLargeError: something had none, so that results are void.

    """
    if "overflow" in state.dtype.names and state.overflow:
        raise TooLargeError


class Walk(Table):
    """A game that the kernel plays.

    A turn is a number of the kernel. Wall tiles that lie face down are taken unseen.
    """

    def __init__(self, position: Position, reporter: Reporter = SILENT) -> None:
        """Begin at a position that the codec does not refuse, with room for its tiles to come."""
        self._opened = Opened(position)
        self.state, self._tables = self._opened.state, self._opened.tables
        self._left = len(position.order) + len(position.bag)
        self._room = room(2, LISTED)
        self._totals = room(len(position.players))
        with compiling("turns", position.game, reporter):
            self.totals()
            self.turns(self._opened.ids[0], last=False)

    @property
    def mover(self) -> int:
        """The player to move."""
        return int(game.mover(self.state))

    def fits(self, tile: str) -> bool:
        """Tell whether a tile has a place."""
        return bool(game.placeable(self.state, self._tables, self._opened.kind(tile)))

    def turns(self, tile: str | None, *, last: bool) -> Sequence[int]:
        """Return every legal turn with a tile, or without one.

        Raises:
            TooLargeError: the kernel has no room for them.

        """
        kind = NONE if tile is None else self._opened.kind(tile)
        out, hints = self._room
        end = game.turns(self.state, self._tables, kind, last, True, out, hints, 0)
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
        return self._opened.move(self.state, turn, gone)

    def position(self) -> Position:
        """Return the position now, read from the state number by number."""
        return self._reader.position(replace(self._opened.position, order=(), bag=()))

    @cached_property
    def _reader(self) -> CastleReader | PlaneReader:
        """Reads the state, also when it is played on."""
        start = self._opened.position.game
        reader = PlaneReader if start.board.endless else CastleReader
        return reader(alone(self.state), start)
