"""The themes of puzzles: ideas that are detected in a solution, never taken on trust."""

from collections.abc import Mapping
from types import MappingProxyType

from burgrave.model.errors import QuestionError
from burgrave.model.naming import quoted, suggestion
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.study.study import Study, study
from burgrave.puzzles.themes.expansions import EXPANSIONS
from burgrave.puzzles.themes.majority import MAJORITIES
from burgrave.puzzles.themes.scoring import SCORING
from burgrave.puzzles.themes.supply import SUPPLY
from burgrave.puzzles.themes.theme import Theme

THEMES: Mapping[str, Theme] = MappingProxyType(
    {one.name: one for one in (*SCORING, *MAJORITIES, *SUPPLY, *EXPANSIONS)}
)
"""Every theme by its name."""
ANY = "any"
"""The word by which a request names every theme of its game."""
COMMON = ("complete-for-most", "patience", "last-follower")
"""Themes that most positions show: they are told where nothing else is."""


def named(names: str, game: str) -> tuple[Theme, ...]:
    """Return the themes of a game that a request names.

    Args:
        names: the names, with commas, or ``any`` for every theme.
        game: id of the game.

    Raises:
        QuestionError: no such theme, or a theme of another game.

    """
    if names == ANY:
        return tuple(one for one in THEMES.values() if game in one.games)
    for name in names.split(","):
        if name not in THEMES:
            lists = "docs/reference/themes.md lists them."
            raise QuestionError(f"no theme {quoted(name)}.{suggestion(name, THEMES, lists)}")
        if game not in THEMES[name].games:
            raise QuestionError(f"the theme {name} does not occur in {game}")
    return tuple(THEMES[name] for name in names.split(","))


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
