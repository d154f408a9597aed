"""Final scoring, by the book of a game."""

from __future__ import annotations

from collections.abc import Sequence

from burgrave.model.book import book_of
from burgrave.model.errors import QuestionError
from burgrave.model.naming import times
from burgrave.model.position import FinalUse, Position
from burgrave.model.results import Final


def final_scoring(position: Position, uses: Sequence[FinalUse] | None = None) -> Final:
    """Score the end of a game.

    Args:
        position: a position with no tile left to draw.
        uses: the wall tiles 4 to 9 that the players use; None for the choice that brings
            each player the best lead.

    Returns:
        Totals, winner and what brought points.

    Raises:
        QuestionError: tiles are left to draw; no use is given, and a wall tile in hand that
            may be used has no number.
        IllegalMoveError: a use breaks a rule.

    """
    if not book_of(position.game).ended(position):
        left = times(len(position.order) + len(position.bag), "tile")
        raise QuestionError(f"the game is not over: {left} to draw")
    return book_of(position.game).conduct.final(position, uses)
