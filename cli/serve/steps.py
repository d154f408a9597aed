"""Turns to step through, each with the position before it and the one that it leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burgrave.cli.render.events import event_data
from burgrave.cli.render.game_answers import replayed_line
from burgrave.cli.render.sentences import move_sentence
from burgrave.cli.serve.documents import document
from burgrave.model.engine import Played
from burgrave.model.notation import write_move
from burgrave.model.position import Move, Position
from burgrave.solver.result import Answer


def step(
    before: Position,
    move: Move,
    played: Played,
    shown: Callable[[Position], Position] = lambda position: position,
) -> dict[str, Any]:
    """Return a turn.

    Args:
        before: the position before it.
        move: its move.
        played: what the move leads to.
        shown: what is shown of a position; by default all of it.

    """
    game = before.game
    return {
        "player": game.players[before.to_move],
        "notation": write_move(before, move),
        "says": move_sentence(before, move),
        "events": [event_data(game, event) for event in played.events],
        "before": document(shown(before)),
        "position": document(shown(played.position)),
    }


def line_steps(position: Position, answer: Answer) -> list[dict[str, Any]]:
    """Return the turns of the line of an answer."""
    return [step(*turn) for turn in replayed_line(position, answer)]
