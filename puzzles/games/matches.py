"""A game between people and levels of the program, of which each player knows what he may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from burgrave.model.draws import as_seen, stuck
from burgrave.model.engine import play
from burgrave.model.files.positions import Record
from burgrave.model.notation import write_move
from burgrave.model.position import Move, Position
from burgrave.model.results import Played
from burgrave.puzzles.games.levels import Level, answer, dealt
from burgrave.solver.limits import Limits
from burgrave.solver.questions import Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A game as far as it was played.

    Attributes:
        seed: of the deal and of all chance of the levels.
        positions: the start, and the position after each move; all tiles and wall tiles are dealt.
        moves: the moves in notation.

    """

    seed: int
    positions: tuple[Position, ...]
    moves: tuple[str, ...] = ()

    @classmethod
    def begun(cls, position: Position, seed: int) -> Self:
        """Begin a game from a position; what is unknown in it is dealt by lot."""
        return cls(seed=seed, positions=(dealt(position, seed),))

    @property
    def now(self) -> Position:
        """The position after the last move."""
        return self.positions[-1]

    @property
    def seen(self) -> Position:
        """The same as its players see it: with the tile in hand, and no other that is to come."""
        return as_seen(self.now)

    @property
    def idle(self) -> bool:
        """Whether no tile to come has a place, so that the turn is a pass."""
        return stuck(self.now) == len(self.now.order)

    def played(self, move: Move) -> tuple[Self, Played]:
        """Return the game after a move, and what the move did.

        Raises:
            IllegalMoveError: the move breaks a rule.

        """
        played = play(self.now, move)
        after = type(self)(
            seed=self.seed,
            positions=(*self.positions, played.position),
            moves=(*self.moves, write_move(self.now, move)),
        )
        return after, played

    def cut(self, moves: int) -> Self:
        """Return the game as it was after so many moves."""
        return type(self)(
            seed=self.seed, positions=self.positions[: moves + 1], moves=self.moves[:moves]
        )

    def reply(self, level: Level, budget: Limits) -> Choice:
        """Return the move of a level, chosen from what the player to move knows.

        Raises:
            QuestionError: the game is over, or the compiled search does not support the position.

        """
        return answer(self.now, level, self.seed + len(self.moves), budget)

    def record(self, title: str) -> Record:
        """Return the game as a record."""
        return Record(title=title, position=self.positions[0], moves=self.moves)
