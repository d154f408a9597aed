"""Endings of whole games of self-play as puzzles: every tile stays where it was laid.

A candidate depends on its own seed alone, so any process makes the same one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from burgrave.model.errors import QuestionError
from burgrave.model.games import Game
from burgrave.model.position import Move, Position
from burgrave.puzzles.candidates.composing import sole
from burgrave.puzzles.candidates.scenes import tiles_of
from burgrave.puzzles.judging.solving import TWO, certified, certify
from burgrave.puzzles.judging.stated_facts import described
from burgrave.puzzles.making.generator import EFFORT, posed, strongest, with_lines
from burgrave.puzzles.making.wishes import PuzzleWish
from burgrave.puzzles.questions import Force
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.selfplay.players import Sensible
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.puzzle import Certification, Origin, Puzzle
from burgrave.puzzles.study.study import study
from burgrave.puzzles.themes import ANY, named
from burgrave.puzzles.words.titles import title
from burgrave.solver.limits import Limits

LAID = 25
"""Fewest tiles on the board of an ending."""
CLOSE = 15
"""Most points between the markers."""
LOOSE = (0.1, 0.2, 0.3)
"""Probabilities, by lot, with which a player takes one of his best turns instead of the best."""
FEW = 3
"""Turns that are among his best."""
PROVING = Limits(nodes=40_000)
"""Turns of each engine that proves an ending: the rules engine plays a thousand a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingWish(PuzzleWish):
    """The kind of endings to make."""

    theme: str
    """The theme, several with commas, or ``any``."""
    margin: int = 1
    """Points by which the key must be better than every other first move."""

    def check(self) -> None:
        """Refuse a request that no ending can satisfy.

        Raises:
            QuestionError: no such theme, a theme of another game, or too few tiles laid.

        """
        named(self.theme, self.game.id)
        most = tiles_of(self.game) - LAID
        if self.tiles_left > most:
            raise QuestionError(
                f"an ending has {LAID} tiles laid or more: --tiles-left {most} or less"
            )

    def origin(self, index: int) -> Origin:
        """Return the record of the run in the puzzle of a number."""
        asked = f"--endings --tiles-left {self.tiles_left} --margin {self.margin}"
        return self.record(self.theme, index, asked)

    def candidate(self, index: int) -> Puzzle | None:
        """Return the puzzle with which a game ends, if it is one.

        Args:
            index: number of the game.

        Returns:
            The puzzle. The policy of the playouts makes another move at sight than its key.

        """
        rng = Random(f"ending {self.game.id} {self.seed} {index}")  # noqa: S311 -- to be repeated
        position = ending(self.game, self.tiles_left, rng)
        key = None if position is None else sole(position, EFFORT)
        if position is None or key is None or _seen(position) == key.move:
            return None
        refuted = strongest(position, Force(), key, self.margin)
        if not refuted:
            return None
        return self._proved(with_lines(posed(position, Force(), key, refuted)), index, rng)

    def _proved(self, made: Puzzle, index: int, rng: Random) -> Puzzle | None:
        """Return a puzzle with its words and its proof, if it has the theme and difficulty."""
        solution = study(made)
        if solution is None:
            return None
        made = described(made, solution)
        wanted = {one.name for one in named(self.theme, self.game.id)}
        if not made.themes or (self.theme != ANY and wanted.isdisjoint(made.themes)):
            return None
        if made.difficulty is None or not self.easiest <= made.difficulty <= self.hardest:
            return None
        proved = certify(made, PROVING, TWO, described=True, apart=True)
        if not certified(proved):
            return None
        return replace(
            made,
            id=f"ending-{self.seed}-{index}",
            title=title(made, rng),
            provenance=f"The end of a game of self-play, seed {self.seed}, number {index}.",
            origin=self.origin(index),
            certification=Certification(engines=tuple(verdict.engine for verdict in proved)),
        )


def ending(game: Game, tiles_left: int, rng: Random) -> Position | None:
    """Return the position of a game of self-play before its last tiles.

    Args:
        game: the game.
        tiles_left: number of tiles to come.
        rng: the only source of chance.

    Returns:
        The position; None if the markers are far apart, the player to move has no follower, or a
        tile had no place.

    """
    walk = Rehearsal(new_position(game, rng))
    players = [Sensible(looseness=rng.choice(LOOSE), few=FEW) for _ in range(2)]
    while walk.left > tiles_left:
        chosen = players[walk.mover](walk, rng)
        if chosen is None:
            return None
        walk.play(chosen)
    position = walk.position
    mine, other = (state.score for state in position.players)
    able = position.players[position.to_move].supply and walk.left == tiles_left
    return position if able and abs(mine - other) <= CLOSE else None


def _seen(position: Position) -> Move | None:
    """Return the move that the policy of the playouts makes at sight; None if it has none."""
    walk = Rehearsal(position)
    best = max(walk.judged(), key=lambda turn: turn.lead, default=None)
    return None if best is None else walk.move(best)
