"""The question which tile, laid where, gives a position a wanted property."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

from burgrave.model.errors import QuestionError
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.puzzles.cards.questions import Facts
from burgrave.puzzles.questions.base import NO_LIMIT, Question, Reply
from burgrave.puzzles.questions.stored import Answer as StoredAnswer
from burgrave.puzzles.questions.wording import listed
from burgrave.solver.engines import plays
from burgrave.solver.limits import Limits, OutOfTimeError
from burgrave.solver.result import Status
from burgrave.solver.simulation import PLAYED_BY, Table, table


class Aim(StrEnum):
    """The property that the added tile must give."""

    LEVEL = "level"
    """All players would have equally many points if the game ended now."""
    HOME = "home"
    """No follower is left on the board."""
    BOTH = "both"
    """Every player scores points by the tile."""
    BLOCKED = "blocked"
    """A tile that had a place has none any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Add(Question):
    """Which of the tiles in the bag, laid where without a follower, has a property?"""

    aim: Aim
    tile: str = ""
    """For ``blocked``: id of the tile that must lose its places."""
    name: str = "add"
    must: ClassVar[frozenset[str]] = frozenset({"line"})
    may: ClassVar[frozenset[str]] = frozenset()

    def claimed(self, position: Position, answer: StoredAnswer) -> Facts:  # noqa: ARG002 -- in notation
        """Return what a stored answer claims: turns."""
        return {"status": str(Status.OPTIMAL), "turns": list(answer.line)}

    def data(self, position: Position) -> dict[str, Any]:  # noqa: ARG002 -- the same for all
        """Return its keys in a file."""
        return {"aim": str(self.aim), "tile": self.tile}

    def words(self, position: Position) -> str:
        """Return the question as a sentence."""
        wanted = {
            Aim.LEVEL: "the game would end level if it ended then",
            Aim.HOME: "every follower comes home",
            Aim.BOTH: "every player scores",
            Aim.BLOCKED: f"tile {self.tile} has no place any more",
        }[self.aim]
        mover, tiles = position.game.name(position.to_move), listed(sorted({*position.bag}))
        return (
            f"Which of the tiles {tiles} can {mover} lay without a follower, and where, so that"
            f" {wanted}?"
        )

    def engines(self, position: Position) -> tuple[str, ...]:
        """Return the engines that play every turn."""
        return tuple(way for way in PLAYED_BY if plays(way, position.game))

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return every way to add a tile with the property."""
        name, clock = self.engines(position)[0] if engine is None else engine, budget.start()
        if position.order or not position.bag:
            raise QuestionError("the tiles to choose from are in the bag, and none is drawn")
        hands = [n for one in position.players for n in (*one.wall_tiles, *one.fresh_wall_tiles)]
        if hands or position.towers:
            # The end of the game must leave nobody a choice.
            raise QuestionError(
                "this question is answered without wall tiles in hands and on towers"
            )
        game = table(position, name)
        if self.aim is Aim.BLOCKED and not game.fits(self.tile):
            raise QuestionError(f"tile {self.tile} has no place from the beginning")
        ways: list[str] = []
        try:
            for tile in sorted({*position.bag}):
                for turn in game.turns(tile, last=False):
                    clock.tick()
                    move = game.move(turn)
                    if _alone(move) and self._holds(position, game, turn):
                        ways.append(write_move(position, move))
        except OutOfTimeError:
            return Reply(facts={"status": str(Status.UNKNOWN), "turns": []}, engine=name)
        facts = {"status": str(Status.OPTIMAL), "turns": sorted(ways)}
        return Reply(facts=facts, line=tuple(sorted(ways)), engine=name)

    def ways(self, position: Position) -> Iterator[Move]:
        """Yield every way to add a tile, with the property or without."""
        game = table(position, self.engines(position)[0])
        for tile in sorted({*position.bag}):
            moves = (game.move(turn) for turn in game.turns(tile, last=False))
            yield from (move for move in moves if _alone(move))

    def _holds(self, position: Position, game: Table, turn: object) -> bool:
        """Tell whether a turn gives the position the property."""
        game.play(turn, last=False)
        try:
            if self.aim is Aim.LEVEL:
                return len({*game.totals()}) == 1
            if self.aim is Aim.BLOCKED:
                return not game.fits(self.tile)
            after = game.position()
            if self.aim is Aim.HOME:
                return not after.followers
            pairs = zip(position.players, after.players, strict=True)
            return all(late.score > early.score for early, late in pairs)
        finally:
            game.undo()

    def holds(self, position: Position, move: str) -> bool:
        """Tell whether a legal way to add a tile gives the property."""
        name = self.engines(position)[0]
        game, wanted = table(position, name), read_move(position, move)
        turns = game.turns(wanted.tile or "", last=False)
        found = next((turn for turn in turns if game.move(turn) == wanted), None)
        return found is not None and _alone(wanted) and self._holds(position, game, found)

    def unsound(self, position: Position, line: Sequence[str], value: object) -> str:  # noqa: ARG002 -- there is none
        """Check that the one turn of the line gives the property."""
        if len(line) != 1:
            return "the line is not one turn"
        return "" if self.holds(position, line[0]) else "the turn does not give the property"


def _alone(move: Move) -> bool:
    """Tell whether a move lays a tile and does nothing else that a player may leave undone."""
    return move == replace(
        Move(tile=move.tile, cell=move.cell, rotation=move.rotation), scoring=move.scoring
    ) and not any(step.wall_tiles for step in move.scoring)
