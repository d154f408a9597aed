"""What is asked of puzzles that are made, whatever their kind."""

from __future__ import annotations

from dataclasses import dataclass

from burgrave.model.errors import QuestionError
from burgrave.model.games import Game
from burgrave.puzzles.candidates.scenes import tiles_of
from burgrave.puzzles.study.difficulty import HARDEST
from burgrave.puzzles.study.puzzle import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleWish:
    """The game of the puzzles, the tiles to come and the difficulty."""

    game: Game
    seed: int
    tiles_left: int = 3
    """Tiles to come; of the past, the turns that were played."""
    easiest: int = 1
    hardest: int = HARDEST
    tiles: str = ""
    """The file with the tile set of the game, for the record; empty for the shipped one."""
    version: str = ""
    """The version of the program, for the record."""

    def check_tiles(self, before: int) -> None:
        """Refuse more tiles than the game has.

        Args:
            before: tiles laid before the puzzle.

        Raises:
            QuestionError: it has fewer.

        """
        asked, tiles = before + self.tiles_left, tiles_of(self.game)
        if asked > tiles:
            raise QuestionError(
                f"{asked} tiles are asked for; {self.game.id} has {tiles} to be laid"
            )

    def record(self, theme: str, index: int, *options: str) -> Origin:
        """Return the record of the run in the puzzle of a number.

        Args:
            theme: the themes as they were asked for.
            index: number of the candidate.
            options: those that only this kind of puzzle has.

        """
        set_of_ones_own = [f"--tiles {self.tiles}"] if self.tiles else []
        words = [
            f"--game {self.game.id}",
            *set_of_ones_own,
            *options,
            f"--difficulty {self.easiest}-{self.hardest}",
        ]
        return Origin(
            theme=theme,
            seed=self.seed,
            index=index,
            version=self.version,
            options=" ".join(words),
        )
