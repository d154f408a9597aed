"""The answer to the question for the best move, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cli.render.events import event_data
from cli.render.findings import times
from model.notation import write_move
from model.position import Position
from solver.answers import Answer, Objective, Status

_MEANING = {
    Status.OPTIMAL: "proved",
    Status.BOUND: "not proved: stopped before",
    Status.INFEASIBLE: "proved: there is no such move",
    Status.UNKNOWN: "stopped before a move was found; allow more with --time",
}


def answer_data(position: Position, answer: Answer) -> dict[str, Any]:
    """Return the JSON keys of an answer."""
    game = position.game
    return {
        "value": answer.value,
        "bound": answer.bound,
        "status": str(answer.status),
        "objective": str(answer.objective),
        "player": game.players[answer.player],
        "moves": [
            {
                "notation": write_move(position, choice.move),
                "value": choice.value,
                "scores": [event_data(game, event) for event in choice.parts],
            }
            for choice in answer.moves
        ],
        "engine": answer.engine,
        "seconds": round(answer.seconds, 3),
        "confirmed": list(answer.confirmed),
    }


def answer_text(position: Position, answer: Answer) -> Iterator[str]:
    """Yield the lines of an answer: the value, the moves and why, what was confirmed."""
    name = position.game.name(answer.player)
    what = "point" if answer.value == 1 else "points"
    what += "" if answer.objective is Objective.POINTS else " of lead"
    if answer.value is None:
        yield f"No best move for {name} ({_MEANING[answer.status]})."
    else:
        best = sum(choice.value == answer.value for choice in answer.moves)
        yield (
            f"{name}: {answer.value} {what} in this turn ({_MEANING[answer.status]}),"
            f" by {times(best, 'move')}"
        )
    if answer.status is Status.BOUND:
        limit = (
            "no limit is known" if answer.bound is None else f"no move brings over {answer.bound}"
        )
        yield f"  {limit}"
    for choice in answer.moves:
        yield f"{choice.value:4d}  {write_move(position, choice.move)}"
        for event in choice.parts:
            yield f"        {event.text} [{', '.join(event.rules)}]"
    yield f"{answer.engine}, {answer.seconds:.2f} s"
    for sentence in answer.confirmed:
        yield f"  {sentence}"
