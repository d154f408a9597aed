"""Puzzles about one turn: which turn brings most by itself, as far as it shows at a glance.

The points of a turn are exact for every examined turn. So the remaining question is whether the
solution shows a theme.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from typing import NamedTuple

from burgrave.model.position import Move
from burgrave.puzzles.questions.turn import won
from burgrave.puzzles.selfplay.look import Look
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.themes.theme import Theme
from burgrave.solver.problem import Goal


class Guessed(NamedTuple):
    """The guessed solution of a scene."""

    line: tuple[Move, ...]
    lead: int
    """The lead after its first turn, or what that brings by itself."""
    margin: int
    """Its margin over any other first turn."""
    doubts: tuple[Move, ...] = ()
    """Other first turns that seem good."""


def once(
    walk: Rehearsal, looks: Sequence[Look], goal: Goal, themes: Sequence[Theme]
) -> Guessed | None:
    """Return the turn that brings most if it may be the solution of a puzzle.

    Args:
        walk: where it is made.
        looks: every turn, of which there is one at least.
        goal: the goal of the turn.
        themes: the themes that are wanted.

    Returns:
        The turn; None if others bring as much, or if it shows none of the themes.

    """
    key, *others = nlargest(2, looks, key=lambda look: won(look, goal))
    best = won(key, goal)
    margin = min((best - won(look, goal) for look in others), default=1)
    greedy = 0 < key.points == max(look.points for look in looks)
    if margin > 0 and any(
        (one.elementary or not greedy) and one.placed(key.place) and one.glimpsed(key, looks)
        for one in themes
    ):
        return Guessed((walk.move(key),), best, margin)
    return None
