"""The themes of puzzles: ideas that are detected in a solution, never taken on trust."""

from collections.abc import Mapping
from types import MappingProxyType

from puzzles.study.puzzle import Puzzle
from puzzles.study.study import Study, study
from puzzles.themes.expansions import EXPANSIONS
from puzzles.themes.majority import MAJORITIES
from puzzles.themes.scoring import SCORING
from puzzles.themes.supply import SUPPLY
from puzzles.themes.theme import Theme

THEMES: Mapping[str, Theme] = MappingProxyType(
    {one.name: one for one in (*SCORING, *MAJORITIES, *SUPPLY, *EXPANSIONS)}
)
"""Every theme by its name."""


def themes_in(found: Study) -> tuple[str, ...]:
    """Return the names of the themes that occur in a solution."""
    game = found.position.game.id
    return tuple(n for n, one in THEMES.items() if game in one.games and one.detect(found))


def detected(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the themes of a puzzle's stored answer; none if the answer is not a move.

    Raises:
        IllegalMoveError: a stored move breaks a rule.

    """
    found = study(puzzle)
    return () if found is None else themes_in(found)
