"""The questions that the page asks the solver, each in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from burgrave.cli.options import player_index
from burgrave.cli.render.evaluation import evaluation_data, evaluation_text
from burgrave.cli.render.game_answers import game_answer_data, game_answer_text, limits_text
from burgrave.cli.render.sentences import move_sentence
from burgrave.cli.render.turn_answers import turn_answer_data, turn_answer_text
from burgrave.cli.serve import documents
from burgrave.cli.serve.bodies import AskBody
from burgrave.cli.serve.steps import line_steps
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.solver import questions
from burgrave.solver.limits import Limits, Reporter
from burgrave.solver.problem import Goal, Play, TileOrder
from burgrave.solver.result import Answer

if TYPE_CHECKING:
    from burgrave.solver.questions.game import Means


def answered(ask: AskBody, reporter: Reporter) -> dict[str, Any]:
    """Answer a question.

    Args:
        ask: the question.
        reporter: hears about progress.

    Returns:
        The keys that the commands print with ``--json``, the answer in words, and the positions
        of its line to step through.

    Raises:
        BurgraveError: the position is none, or the question cannot be asked of it.

    """
    position = documents.position(ask.position)
    if ask.question == "best":
        answer = questions.best(
            position,
            goal=Goal(ask.objective),
            tile=ask.tile,
            top=ask.top,
            budget=Limits(seconds=ask.seconds),
            reporter=reporter,
        )
        found = {
            **turn_answer_data(position, answer),
            "text": list(turn_answer_text(position, answer)),
            "limits": [],
            "guess": [],
            "steps": [],
        }
        return _worded(position, found)
    position = questions.drawn_first(position, ask.tile)
    if ask.question == "evaluate":
        return _evaluated(position, ask, reporter)
    answer = _asked(position, ask, reporter)
    found = {
        **game_answer_data(position, answer),
        "text": list(game_answer_text(position, answer)),
        "limits": list(limits_text(answer)),
        "steps": line_steps(position, answer),
    }
    return _worded(position, found)


def _worded(position: Position, found: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose first moves, and those guessed, have their sentences too."""

    def says(notation: str) -> str:
        return move_sentence(position, read_move(position, notation))

    moves = [{**one, "says": says(one["notation"])} for one in found["moves"]]
    guess = [{"notation": one, "says": says(one)} for one in found["guess"]]
    return {**found, "moves": moves, "guess": guess}


def _evaluated(position: Position, ask: AskBody, reporter: Reporter) -> dict[str, Any]:
    """Answer with the values of the first moves."""
    found = questions.evaluate(
        position,
        playouts=ask.playouts,
        patient=True,
        partial=True,
        budget=Limits(seconds=ask.seconds),
        reporter=reporter,
    )
    told = {
        **evaluation_data(position, found),
        "text": list(evaluation_text(position, found)),
        "engine": found.policy,
        "limits": [],
        "guess": [],
        "steps": [],
        "confirmed": [],
    }
    return _worded(position, told)


def _asked(position: Position, ask: AskBody, reporter: Reporter) -> Answer:
    """Answer a question about the rest of a game."""
    means: Means = {
        "certify": ask.certify,
        "budget": Limits(seconds=ask.seconds),
        "reporter": reporter,
    }
    if ask.question == "max":
        return questions.maximum(
            position,
            asker=player_index(position, ask.player),
            goal=Goal(ask.objective),
            play=Play(ask.mode),
            order=TileOrder(ask.order),
            **means,
        )
    if ask.question == "win":
        return questions.winning(position, **means)
    if ask.question == "ahead":
        return questions.ahead(position, ask.tiles, every=ask.every, **means)
    either = questions.forced if ask.question == "force" else questions.expected
    return either(position, every=ask.every, **means)
