"""Games that are played on and taken back: what self-play sees of one, and what questions do.

A simulation of ``solver.simulation.games`` tells of places and features in the values of this
module; the kernel alone plays it. ``Table`` knows every legal turn, the totals if the game ended
now, and the position that is reached. ``ByRules`` plays it by the rules engine, and
``solver.simulation.walk`` on the kernel: two ways that share no code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from burgrave.model.book import book_of
from burgrave.model.engine import legal_moves, play
from burgrave.model.features import position_features
from burgrave.model.final import final_scoring
from burgrave.model.laying import lay
from burgrave.model.places import can_lie, placeable, vacant
from burgrave.model.position import Move, Position
from burgrave.model.tiles import Kind, PlacedTile

NOBODY = -1


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


Totals = tuple[int, ...]
"""By player the points at the end of a game."""


class Table(Protocol):
    """A game on the table. Which tile comes next is the caller's choice."""

    @property
    def mover(self) -> int:
        """The player to move."""

    def fits(self, tile: str) -> bool:
        """Tell whether a tile has a place."""

    def turns(self, tile: str | None, *, last: bool) -> Iterable[Any]:
        """Return every legal turn with a tile, every wording of the rules engine once.

        There are none if the tile has no place. With None they are those of a player for whom no
        tile is left that has a place. ``last`` says whether no tile comes after it.
        """

    def turns_at(self, lying: Sequence[PlacedTile], *, last: bool) -> Iterable[Any]:
        """Return every legal turn that lays a tile as one of some tiles lies, all of one kind."""
        wanted = {(one.cell, one.rotation) for one in lying}
        for turn in self.turns(lying[0].kind.id, last=last):
            move = self.move(turn)
            if (move.cell, move.rotation) in wanted:
                yield turn

    def play(self, turn: Any, *, last: bool) -> None:
        """Play a turn that was listed now."""

    def undo(self) -> None:
        """Take back the turn played last."""

    def totals(self) -> Totals:
        """Return each player's total if the game ended now."""

    def standing(self) -> Totals:
        """Return each player's score on the track."""

    def move(self, turn: Any, gone: tuple[str, ...] = ()) -> Move:
        """Return a turn that was listed now as a move, after the tiles ``gone`` without a place."""

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

    def turns(self, tile: str | None, *, last: bool) -> Iterable[Any]:
        """Return every legal turn with a tile, or without one."""
        at = self._drawn(tile, last=last)
        if tile is None:
            return book_of(at.game).conduct.passes(at, ())
        return (move for move in legal_moves(at) if move.tile is not None)

    def turns_at(self, lying: Sequence[PlacedTile], *, last: bool) -> Iterable[Any]:
        """Yield the turns at some places alone: those at others are not listed first."""
        at = self._drawn(lying[0].kind.id, last=last)
        before, free = position_features(at), {*vacant(at)}
        for one in lying:
            if one.cell in free and can_lie(at, one):
                yield from book_of(at.game).conduct.turns(lay(at, one, before, ()), ())

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

    def standing(self) -> Totals:
        """Return each player's score on the track."""
        return tuple(player.score for player in self._played[-1].players)

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
