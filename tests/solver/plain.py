"""What the rest of a game is worth, read plainly off the rules of play, one tile at a time.

It knows legal moves, playing and final scoring, and nothing of how questions are put to an
engine: which tiles count as drawn, where a horizon lies, who has the last turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from burgrave.model.engine import legal_moves, play
from burgrave.model.final import final_scoring
from burgrave.model.position import Position

Worth = tuple[Fraction, ...]
"""The value of an end for the asker; of equal first numbers the second decides."""


def points(mine: int, theirs: int) -> tuple[int, ...]:
    """Return the asker's points."""
    return (mine,)


def lead(mine: int, theirs: int) -> tuple[int, ...]:
    """Return the asker's lead."""
    return (mine - theirs,)


def win(mine: int, theirs: int) -> tuple[int, ...]:
    """Return 1 for a win, -1 for a loss, then whether there is a decision."""
    sign = (mine > theirs) - (mine < theirs)
    return sign, abs(sign)


@dataclass(frozen=True, kw_only=True)
class Plain:
    """A question to be answered by trying everything, for two players."""

    asker: int
    goal: Callable[[int, int], tuple[int, ...]] = lead
    helped: bool = False
    """Whether both players serve the asker."""
    alone: bool = False
    """Whether every turn is the asker's."""

    def worth(self, at: Position, tiles: int | None = None) -> Worth:
        """Return the value of a position for the asker.

        Args:
            at: the position.
            tiles: no turn begins once so many tiles have been drawn; None for no limit.

        """
        if at.over:
            return self._ended(final_scoring(at).scores)
        if tiles is not None and tiles <= 0:
            return self._ended(tuple(player.score for player in at.players))
        if self.alone:
            mine = at.to_move == self.asker
            at = at if mine else replace(at, to_move=self.asker, extra_turns=0, in_extra_turn=False)
        if at.bag and not any(fits(at, tile) for tile in at.order):
            cases = [self.worth(drawn, tiles) for drawn in _draws(at)]
            return tuple(sum(each, Fraction(0)) / len(cases) for each in zip(*cases, strict=True))
        left = len(at.order) + len(at.bag)
        ends = []
        for move in legal_moves(at):
            after = play(at, move).position
            gone = left - len(after.order) - len(after.bag)
            ends.append(self.worth(after, None if tiles is None else tiles - gone))
        serves = self.helped or self.alone or at.to_move == self.asker
        return max(ends) if serves else min(ends)

    def _ended(self, scores: tuple[int, ...]) -> Worth:
        """Return the value of scores."""
        return tuple(map(Fraction, self.goal(scores[self.asker], scores[1 - self.asker])))


def fits(at: Position, tile: str) -> bool:
    """Tell whether a tile has a place."""
    alone = replace(at, order=(tile,), bag=())
    return any(move.tile is not None for move in legal_moves(alone))


def _draws(at: Position) -> Iterator[Position]:
    """Yield the position with each tile of the bag drawn; equal tiles several times."""
    for index, tile in enumerate(at.bag):
        rest = at.bag[:index] + at.bag[index + 1 :]
        yield replace(at, order=(*at.order, tile), bag=rest)
