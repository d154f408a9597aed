"""Games that are played on and taken back: what self-play sees of one, and what questions do.

``Simulation`` tells of places and features; the kernel alone plays it. ``Table`` knows every legal
turn, the totals if the game ended now, and the position that is reached. ``ByRules`` plays it by
the rules engine, and ``solver.simulation.walk`` on the kernel: two ways that share no code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from model.book import book_of
from model.engine import legal_moves, play
from model.features import Feature, position_features
from model.final import final_scoring
from model.games import Game
from model.laying import lay
from model.places import can_lie, placeable, vacant
from model.position import Move, Position
from model.tiles import Kind, PlacedTile

NOBODY = -1
STEPS_OF_A_POINT = 64
"""The policy's judgement is rounded to such steps, so that no last bit of a machine decides."""
LISTED_ON_PLACE = 1 << 12
"""Turns on one place for which there is room at first."""


class Completed(NamedTuple):
    """A feature that is completed for a player."""

    kind: Kind
    points: int = 0
    """His points from it in a castle, without wall tiles."""
    fountain: bool = False
    """Whether it is a path with a fountain."""
    keep: bool = False
    """Whether it is a house larger than both keeps."""
    free: bool = False
    """Whether nobody has a follower on it in a castle."""


class Outcome(NamedTuple):
    """A turn with its results for the player who makes it."""

    turn: Any
    """To be handed back."""
    segment: int
    """The segment on which he places a follower, or -1."""
    points: int
    """His points in it."""
    gain: int
    """His points in it minus his opponent's."""
    lead: int
    """His lead after final scoring, if the game ended here."""
    homes: int
    """Followers of his that come home from features or are bought back in it."""
    takes: bool = False
    """Whether he takes a wall tile."""
    taken: tuple[tuple[int, int], ...] = ()
    """The corner towers whose wall tile is taken, each with who takes it."""
    scores: tuple[Completed, ...] = ()
    """The features of a castle that he scores."""
    doubles: bool = False
    """Whether he uses a wall tile 2 or 3."""
    again: bool = False
    """Whether he plays a wall tile 1."""
    builds: bool = False
    """Whether he builds a tower piece."""
    captures: bool = False
    """Whether he takes a follower prisoner who stands on a feature."""
    guards: bool = False
    """Whether he completes a tower."""
    ransoms: bool = False
    """Whether he buys a follower back."""
    tower: int = NOBODY
    """The cell of the tower that he raises or completes, or -1."""
    height: int = 0
    """Tower pieces on that tower before."""


class Judged(NamedTuple):
    """A turn as the policy judges it."""

    turn: Any
    """To be handed back."""
    lead: float
    """The lead at the end that the policy expects of the player who makes it, in points."""
    claims: bool
    """Whether he places a follower on a feature."""
    acts: bool
    """Whether he does something on towers, or buys a follower back."""
    builds: bool
    """Whether he builds a tower piece."""


class Threat(NamedTuple):
    """A follower who may be captured in the position with any tile."""

    tower: int
    """Cell of the tower to be raised."""
    height: int
    """Tower pieces on it before."""
    gain: int
    """The captor's gain in lead over the owner, if the game ended then."""
    ousts: bool
    """Whether the owner led the feature alone, and would no more."""


class Reader(ABC):
    """Reads a state of the kernel, in any family of games."""

    mover: memoryview
    """The player to move, alone."""
    score: memoryview
    """By player."""
    supply: memoryview
    """By player the followers without a rank that he may place."""
    _parent: memoryview
    """By node its parent in its class; a root is its own."""

    def __init__(self, states: Any, game: Game) -> None:  # noqa: ARG002 -- families read it
        """Look at an array of one state, which may be played on."""
        self._game = game

    def find(self, node: int) -> int:
        """Return the root of a node's class."""
        parent = self._parent
        while (above := parent[node]) != node:
            node = above
        return node

    @abstractmethod
    def followers(self) -> list[tuple[int, int]]:
        """Return the followers on features: node and player."""

    @abstractmethod
    def position(self, start: Position) -> Position:
        """Return the position; its tiles to come and discarded ones are those of the start."""

    @abstractmethod
    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features on which followers stand, the game standing at a position."""


class Simulation(ABC):
    """A game of two players that plays and undoes turns with any tile."""

    _kernel: Any
    """The module with the functions of the kernel for a family of games."""
    _reads: type[Reader]
    _reader: Reader
    _kind_at: tuple[int, int]
    """By how many bits a turn is shifted, and the mask, that leave the number of its tile."""
    _turns: Any
    """Room for the turns on one place."""
    _room: Any
    """Room for results of the kernel, as a row of numbers."""

    def __init__(self, position: Position) -> None:
        """Stand at a position that the kernel covers; wall tiles may lie face down."""
        from solver.kernel.codec import Opened  # noqa: PLC0415 -- numba loads late
        from solver.kernel.records import alone, field  # noqa: PLC0415

        self._opened = Opened(position)
        self._states, self._tables = alone(self._opened.state), alone(self._opened.tables)
        self._depth, self._done = field(self._states, "depth"), field(self._states, "done")
        self._men = field(self._states, "men")
        self._reader = self._reads(self._states, position.game)
        self._make_room(LISTED_ON_PLACE)

    @abstractmethod
    def _make_room(self, listed: int) -> None:
        """Make room for the turns on one place."""

    def _listed(self, listing: Callable[[], int]) -> int:
        """List turns, in more room if need be; return how many there are."""
        while (count := listing()) > len(self._turns):
            self._make_room(2 * count)
        return count

    @property
    def mover(self) -> int:
        """The player to move."""
        return self._reader.mover[0]

    def score(self, player: int) -> int:
        """Return the points of a player now."""
        return self._reader.score[player]

    def supply(self, player: int) -> int:
        """Return the number of followers without a rank that a player may place."""
        return self._reader.supply[player]

    def pieces(self, player: int) -> int:  # noqa: ARG002 -- none by default
        """Return the number of tower pieces that a player may build; 0 in a castle."""
        return 0

    def places(self, tile: str) -> list[tuple[int, int]]:
        """Return the places of a tile: each a cell and a rotation."""
        count = self._kernel.places(self._states, self._tables, self._opened.kind(tile), self._room)
        return [(place >> 2, place & 3) for place in self._room[:count].tolist()]

    def rotations(self, tile: str, cell: int) -> Sequence[int]:
        """Return the rotations in which a tile may lie on an empty cell."""
        kind = self._opened.kind(tile)
        count = self._kernel.places_on(self._states, self._tables, cell, kind, self._room)
        return [place & 3 for place in self._room[:count].tolist()]

    @abstractmethod
    def near(self, cell: int) -> frozenset[int]:
        """Return a cell with those that share a side with it."""

    @abstractmethod
    def contested(self) -> list[int]:
        """Return the empty cells that two or more claimed features of one kind face."""

    @abstractmethod
    def closing(self, player: int) -> list[int]:
        """Return empty cells on one of which every feature is completed that a player leads.

        Features on which he places a follower in the same turn are left out.
        """

    def empty_area(self) -> int:
        """Return the cells of the largest empty area of a castle; 0 on a plane."""
        return 0

    def holds_tile(self, score: int) -> bool:  # noqa: ARG002 -- none by default
        """Tell whether a marker with a score stands at a wall tile; never on a plane."""
        return False

    def followers(self) -> list[tuple[int, int]]:
        """Return the followers on features, each with his player."""
        return self._reader.followers()

    def feature_of(self, part: int) -> int:
        """Return the feature on which a follower stands, or to which one has grown."""
        return self._reader.find(part)

    @abstractmethod
    def pays(self, feature: int) -> bool:
        """Tell whether a feature brings its leader points without growth."""

    @abstractmethod
    def completed(self, feature: int, player: int) -> Completed:
        """Return the facts of a complete feature for a player."""

    @abstractmethod
    def lay(self, tile: str, cell: int, rotation: int) -> list[int]:
        """Lay a tile alone, on one of its places; return the features that it completes."""

    @abstractmethod
    def may_score(self, feature: int, cell: int, player: int) -> bool:
        """Tell whether a player scores a completed feature, or may by a follower on a tile.

        Args:
            feature: the feature.
            cell: where that tile has just been laid.
            player: the player.

        """

    def towers(self) -> Any:
        """Return the possible actions on towers, for ``outcomes``; None in a castle."""
        return None

    @abstractmethod
    def outcomes(
        self,
        laid: tuple[str, int, int],
        done: Sequence[int],
        *,
        last: bool,
        towers: Any,
    ) -> Iterator[Outcome]:
        """Yield every turn that lays a tile on a place; in the rules engine's order.

        Args:
            laid: the tile, which lies there already, its cell and its rotation.
            done: the features that it completes.
            last: whether no tile is left after it.
            towers: the result of ``towers`` before the tile was laid; None for no action.

        """

    def judged(self, tile: str, left: int, reserve: int = 0) -> list[Judged]:
        """Return the turns with a tile as the policy judges them; none if it has no place.

        The policy is the one of the playouts. Of several turns with the same effect one is listed.

        Args:
            tile: the tile.
            left: tiles left after it. With none of them the judgement is exact.
            reserve: followers that each player seems to hold dear in his supply.

        """
        from solver.kernel.job import ROOM  # noqa: PLC0415 -- numba loads late
        from solver.kernel.playouts import FINE, ranked  # noqa: PLC0415
        from solver.simulation.policy import weights_with  # noqa: PLC0415

        opened = self._opened
        w = weights_with(opened.position.game.id, reserve)
        end = ranked(opened.state, opened.tables, opened.kind(tile), left, w, self._desk, 0)
        found = slice(min(end, ROOM))
        step = int(FINE) // STEPS_OF_A_POINT
        leads = (self._desk.hints[found] + step // 2) // step
        turns = zip(self._desk.out[found].tolist(), leads.tolist(), strict=True)
        return [Judged(turn, lead / STEPS_OF_A_POINT, *self._deeds(turn)) for turn, lead in turns]

    @abstractmethod
    def _deeds(self, turn: int) -> tuple[bool, bool, bool]:
        """Tell of a turn whether it claims, acts and builds, as in ``Judged``."""

    @cached_property
    def _desk(self) -> Any:
        """The work space of the policy."""
        from solver.kernel.playouts import DESK  # noqa: PLC0415 -- numba loads late
        from solver.kernel.records import record  # noqa: PLC0415

        return record(DESK)

    def threats(self, captor: int) -> list[Threat]:  # noqa: ARG002 -- none by default
        """Return the captures open to a player with a tower piece, best first; none in a castle."""
        return []

    def buys_back(self, player: int) -> bool:  # noqa: ARG002 -- none by default
        """Tell whether a player may buy a follower back at once; never in a castle."""
        return False

    def tile(self, turn: Any) -> str:
        """Return the tile that a turn lays."""
        shift, mask = self._kind_at
        return str(self._opened.ids[turn >> shift & mask])

    @abstractmethod
    def play(self, turn: Any, *, last: bool) -> None:
        """Play a turn.

        Args:
            turn: one of those that were listed in this position.
            last: whether no tile is left after it.

        """

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""
        return self._depth[0]

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""
        self._kernel.undo(self._states, self._tables, mark)

    def move(self, turn: Any, discards: tuple[str, ...]) -> Move:
        """Return a turn that is not played yet as a move.

        Args:
            turn: one of those that were listed in this position.
            discards: the tiles without a place that were drawn before it.

        """
        return self._opened.move(self._opened.state, turn, discards)

    def position(self, start: Position) -> Position:
        """Return the position now, with the tiles to come and the discarded ones of the start."""
        return self._reader.position(start)

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features of the position now on which followers stand, by first segment."""
        return self._reader.claimed(position)


Totals = tuple[int, ...]
"""By player the points at the end of a game."""


class Table(ABC):
    """A game on the table. Which tile comes next is the caller's choice."""

    @property
    @abstractmethod
    def mover(self) -> int:
        """The player to move."""

    @abstractmethod
    def fits(self, tile: str) -> bool:
        """Tell whether a tile has a place."""

    @abstractmethod
    def turns(self, tile: str | None, *, last: bool) -> Sequence[Any]:
        """Return every legal turn with a tile, every wording of the rules engine once.

        Args:
            tile: id of the tile; None for the turns for which no tile is left that has a place.
            last: whether no tile comes after it.

        Returns:
            The turns, to be handed back; none if the tile has no place.

        """

    def turns_at(self, lying: Sequence[PlacedTile], *, last: bool) -> Sequence[Any]:
        """Return every legal turn that lays a tile as one of some tiles lies, all of one kind."""
        wanted = {(one.cell, one.rotation) for one in lying}
        turns = self.turns(lying[0].kind.id, last=last)
        moves = zip(turns, map(self.move, turns), strict=True)
        return [turn for turn, move in moves if (move.cell, move.rotation) in wanted]

    @abstractmethod
    def play(self, turn: Any, *, last: bool) -> None:
        """Play a turn that was listed now."""

    @abstractmethod
    def undo(self) -> None:
        """Take back the turn played last."""

    @abstractmethod
    def totals(self) -> Totals:
        """Return each player's total if the game ended now."""

    @abstractmethod
    def move(self, turn: Any, gone: tuple[str, ...] = ()) -> Move:
        """Return a turn that was listed now as a move.

        Args:
            turn: the turn.
            gone: ids of the tiles drawn before it that had no place.

        """

    @abstractmethod
    def position(self) -> Position:
        """Return the position now, without tiles to come."""


class ByRules(Table):
    """A game that the rules engine plays; its turns are moves."""

    def __init__(self, position: Position) -> None:
        """Begin at a position."""
        self._played = [replace(position, order=(), bag=())]

    @property
    def mover(self) -> int:
        """The player to move."""
        return self._played[-1].to_move

    def fits(self, tile: str) -> bool:
        """Tell whether a tile has a place."""
        return placeable(self._played[-1], tile)

    def turns(self, tile: str | None, *, last: bool) -> Sequence[Any]:
        """Return every legal turn with a tile, or without one."""
        at = self._drawn(tile, last=last)
        if tile is None:
            return list(book_of(at.game).conduct.passes(at, ()))
        return [move for move in legal_moves(at) if move.tile is not None]

    def turns_at(self, lying: Sequence[PlacedTile], *, last: bool) -> Sequence[Any]:
        """Return the turns at some places alone: those at others are not listed first."""
        at = self._drawn(lying[0].kind.id, last=last)
        before, free = position_features(at), {*vacant(at)}
        found = list[Move]()
        for one in lying:
            if one.cell in free and can_lie(at, one):
                found += book_of(at.game).conduct.turns(lay(at, one, before, ()), ())
        return found

    def play(self, turn: Any, *, last: bool) -> None:
        """Play a move."""
        at = self._drawn(turn.tile, last=last)
        passed = book_of(at.game).conduct.pass_turn if turn.tile is None else play
        self._played.append(replace(passed(at, turn).position, order=(), bag=()))

    def undo(self) -> None:
        """Take back the move played last."""
        self._played.pop()

    def totals(self) -> Totals:
        """Return each player's total if the game ended now."""
        return final_scoring(self._played[-1]).scores

    def move(self, turn: Any, gone: tuple[str, ...] = ()) -> Move:
        """Return the move."""
        move: Move = replace(turn, discards=gone)
        return move

    def position(self) -> Position:
        """Return the position now, without tiles to come."""
        return self._played[-1]

    def _drawn(self, tile: str | None, *, last: bool) -> Position:
        """Return the position with a tile in hand; before the last turn another one follows."""
        if tile is None:
            return self._played[-1]
        return replace(self._played[-1], order=(tile,) if last else (tile, tile))
