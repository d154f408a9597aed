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


COMMON = ("complete-for-most", "patience", "last-follower")
"""Themes that most positions show: they are told where nothing else is."""


def themes_in(found: Study) -> tuple[str, ...]:
    """Return the names of the themes of a solution.

    A theme that more than half of the tries show too, played out, is no idea of the solution. All
    are ideas of players who want points: where points are forced on the opponent, none is told.
    """
    if found.forcing:
        return ()
    game = found.position.game.id
    shown = [n for n, one in THEMES.items() if game in one.games and one.detect(found)]
    tried = [found.tried(other) for other in found.others if other.line]
    shown = [n for n in shown if 2 * sum(THEMES[n].detect(one) for one in tried) <= len(tried)]
    return tuple([n for n in shown if n not in COMMON] or shown)


def headline(found: Study) -> str | None:
    """Return the most telling theme of a solution; None if it shows none."""
    return next(reversed(themes_in(found)), None)


def detected(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the themes of a puzzle's stored answer; none if the answer is not a move.

    Raises:
        IllegalMoveError: a stored move breaks a rule.

    """
    found = study(puzzle)
    return () if found is None else themes_in(found)
