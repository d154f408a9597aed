"""Practice on the page: the moves of an opponent, and other tries at mistakes of a game."""

from __future__ import annotations

from typing import Any

from burgrave.cli.serve import documents
from burgrave.cli.serve.bodies import ReplyBody, RetryBody
from burgrave.model.notation import read_move, write_move
from burgrave.puzzles.games.levels import LEVELS, answer
from burgrave.puzzles.making.mistakes import retried
from burgrave.solver.limits import Limits


def replied(ask: ReplyBody) -> dict[str, Any]:
    """Return the move of a level.

    Raises:
        BurgraveError: the position is none, the next tile is unknown, or the compiled search does
            not support the position.

    """
    position = documents.position(ask.position)
    move = answer(position, LEVELS[ask.level], budget=Limits(seconds=ask.seconds, jobs=1))
    return {"move": write_move(position, move)}


def tried_again(ask: RetryBody) -> dict[str, Any]:
    """Judge another try at a mistake.

    Raises:
        BurgraveError: the position is none, or a text is no move.

    """
    position = documents.position(ask.position)
    found = retried(
        position,
        ask.answer,
        played=read_move(position, ask.played),
        best=read_move(position, ask.best),
        playouts=ask.playouts,
        budget=Limits(seconds=ask.seconds, jobs=1),
    )
    return {"right": found.right, "told": found.told}
