"""The answer to the question for the best move, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from burgrave.cli.render.evaluation import TOLD
from burgrave.cli.render.events import event_data
from burgrave.cli.render.moves import seen
from burgrave.model.naming import times
from burgrave.model.notation import write_move
from burgrave.model.position import Position
from burgrave.solver.problem import Goal
from burgrave.solver.result import Answer, Status

if TYPE_CHECKING:
    from burgrave.cli.render import json_types

_MEANING = {
    Status.OPTIMAL: "proved",
    Status.BOUND: "not proved: stopped before",
    Status.UNKNOWN: "stopped before a move was found; allow more with --time",
}


def turn_answer_data(position: Position, answer: Answer) -> json_types.Best:
    """Return the JSON keys of an answer."""
    game = position.game
    return {
        "value": _whole(answer.value),
        "bound": _whole(answer.most),
        "status": answer.status.value,
        "objective": str(answer.goal),
        "player": game.players[answer.asker],
        "moves": [
            {
                "notation": write_move(position, first.move),
                "value": int(first.value),
                "scores": [event_data(game, event) for event in first.events],
            }
            for first in answer.first
        ],
        "engine": answer.engine,
        "seconds": round(answer.seconds, 3),
        "confirmed": list(answer.confirmed),
    }


def turn_answer_text(position: Position, answer: Answer) -> Iterator[str]:
    """Yield the lines of an answer: the value, the moves and why, what was confirmed."""
    name = position.game.name(answer.asker)
    what = "point" if answer.value == 1 else "points"
    what += "" if answer.goal is Goal.POINTS else " of lead"
    if answer.value is None:
        yield f"No best move for {name} ({_MEANING[answer.status]})."
    else:
        best = sum(first.value == answer.value for first in answer.first)
        yield (
            f"{name}: {answer.value} {what} in this turn ({_MEANING[answer.status]}),"
            f" by {times(best, 'move')}"
        )
    # A move that scores nothing still builds; which one is best shows later.
    proved = answer.status is Status.OPTIMAL
    idle = proved and answer.goal is Goal.POINTS and answer.value == 0
    if idle:
        yield "  no move scores in this turn; burgrave evaluate weighs what comes later"
    if answer.status is Status.BOUND:
        limit = "no limit is known" if answer.most is None else f"no move brings over {answer.most}"
        yield f"  {limit}"
    shown = answer.first[:TOLD] if idle else answer.first
    for first in shown:
        yield f"{int(first.value):4d}  {seen(position, first.move)}"
        for event in first.events:
            yield f"        {event.text} [{', '.join(event.rules)}]"
    if len(shown) < len(answer.first):
        more = times(len(answer.first) - len(shown), "more move")
        yield f"  and {more} (--json tells all)"
    yield f"{answer.engine}, {answer.seconds:.2f} s"
    for sentence in answer.confirmed:
        yield f"  {sentence}"


def _whole(value: Fraction | None) -> int | None:
    """Return the points of a turn as a whole number."""
    return None if value is None else int(value)
