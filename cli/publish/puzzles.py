"""A puzzle with every reply of the trainer: each is made by the function that answers the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from burgrave.cli.publish.pieces import Pieces
from burgrave.cli.render.sentences import move_sentence
from burgrave.cli.serve import table, trainer
from burgrave.cli.serve.bodies import AboutPosition, PlacesBody, TurnsBody, ViewBody
from burgrave.cli.serve.puzzle_sets import PuzzleSets
from burgrave.model.engine import play
from burgrave.model.notation import read_move
from burgrave.puzzles.questions import spelled
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.words import tutor
from burgrave.puzzles.words.hints import hints
from burgrave.puzzles.words.tutor import Attempt
from burgrave.solver.limits import Limits

PLAYED_OUT = 6
"""Best moves besides the stored one that are played out, where the user is to move."""
Data = dict[str, Any]


class Recording:
    """Everything that the trainer can be asked about a puzzle.

    Attributes:
        data: the replies. A position stands there as the number of its view; a picture as the
            numbers of its pieces.
        unjudged: moves that the page offers and no reply judges.

    """

    def __init__(
        self,
        sets: PuzzleSets,
        set_id: str,
        puzzle_id: str,
        budget: Limits,
        hear: Callable[[], None] = lambda: None,
    ) -> None:
        """Ask everything.

        Args:
            sets: the sets of puzzles.
            set_id: the set.
            puzzle_id: the puzzle.
            budget: time and effort for the values of the moves of one turn.
            hear: called after each question to the solver, which ends at Ctrl-C with what it has;
                what this raises ends the recording.

        """
        self._budget = budget
        self._hear = hear
        self._pieces = Pieces()
        self._views: list[Data] = []
        self._numbers: dict[str, int] = {}
        self._stops: list[Data] = []
        self.unjudged = 0
        self._puzzle = sets.find(set_id).puzzle(puzzle_id)
        shown = trainer.puzzle(sets, set_id, puzzle_id)
        if shown["by_move"]:
            # Nobody reads notation where no server is.
            shown["form"] = "the number" if shown["question"] == "max" else ""
        keys = shown["position"]
        shown["position"] = start = self._view(keys)
        solution = trainer.solution(sets, set_id, puzzle_id)
        solution["steps"] = self._steps(solution["steps"])
        lines = [[turn["notation"] for turn in one["line"]] for one in solution["refutations"]]
        lines += [[shown["move"]]] * bool(shown["move"])
        self._stop(self._puzzle, (), start)
        self.data: Data = {
            "puzzle": shown,
            "hints": list(hints(self._puzzle)),
            "solution": solution,
            "moves": {f"{start} {','.join(line)}": self._moved(keys, line) for line in lines},
            "stops": self._stops,
            "views": self._views,
            "pieces": self._pieces.texts,
        }

    def _view(self, keys: Data) -> int:
        """Return the number of the view of a position."""
        name = json.dumps(keys)
        if name not in self._numbers:
            self._numbers[name] = len(self._views)
            told = table.view(ViewBody(position=keys))
            told.pop("features", None)  # which the trainer does not list
            self._views.append({**told, "svg": self._pieces.take(told["svg"])})
        return self._numbers[name]

    def _moved(self, keys: Data, line: list[str]) -> list[int]:
        """Return the picture of a position with a move or several on it."""
        return self._pieces.take(table.view(ViewBody(position=keys, line=line))["svg"])

    def _steps(self, steps: Sequence[Data]) -> list[Data]:
        """Return turns with the numbers of the views before and after each."""
        return [
            {**one, "before": self._view(one["before"]), "position": self._view(one["position"])}
            for one in steps
        ]

    def _stop(self, found: Puzzle, played: tuple[str, ...], view: int) -> None:
        """Record a place at which the user is to answer.

        Args:
            found: the puzzle as it stands there.
            played: the moves since the beginning of the puzzle.
            view: the number of the position's view.

        """
        keys = self._views[view]["document"]
        stop: Data = {"played": list(played), "view": view, "other": None, "number": False}
        self._stops.append(stop)
        stop["fits"] = table.fits(AboutPosition(position=keys))
        if found.answer.moves or played:
            stop["places"] = places = table.places(PlacesBody(position=keys))
            stop["turns"] = turns = dict(_turns(keys, places))
            offered = [one["notation"] for place in turns.values() for one in place["turns"]]
            offered += [places["pass"]] if "pass" in places else []
            stop["answers"] = self._moves(found, played, offered)
            if found.question.name == "max":
                stop["answers"] |= self._texts(found, [str(found.answer.value)])
                stop["other"], stop["number"] = self._text(found, "-1"), True
        elif found.question.name == "legal":
            stop["answers"] = self._texts(found, ["yes", "no"])
        elif found.question.name in {"add", "history", "last"}:
            right = found.answer.cell or "; ".join(found.answer.line)
            stop["answers"] = self._texts(found, [right])
            stop["other"] = {"right": False, "told": "No: look again."}
        else:
            counted = found.question.name == "complete"
            points = ", ".join(found.answer.points) or "nobody"
            right = str(found.answer.value) if counted else points
            stop["answers"], stop["number"] = self._texts(found, [right]), counted
            stop["other"] = self._text(found, "-1")

    def _texts(self, found: Puzzle, texts: Sequence[str]) -> Data:
        """Return the replies to answers that are no moves."""
        return {text.lower(): self._text(found, text) for text in texts}

    def _text(self, found: Puzzle, text: str) -> Data:
        """Return the reply to an answer that is no move."""
        tried = tutor.attempt(found, text)
        return {"right": tried.right, "told": tried.told}

    def _moves(self, found: Puzzle, played: tuple[str, ...], offered: Sequence[str]) -> Data:
        """Return the replies to moves, by notation; none to a move whose value is not known."""
        position, question = found.position, found.question
        values = question.values(position, self._budget)
        self._hear()
        answers: Data = {}
        out = 0
        for text in offered:
            move = text if text in values else spelled(position, text)
            tried = tutor.verdict(found, move)
            if tried is None and move in values:
                tried = tutor.valued(found, values[move])
            if tried is None:
                self.unjudged += 1
                continue
            if tried.right and not tried.line and out < PLAYED_OUT:
                out += 1
                tried = replace(tried, line=question.line_after(position, move))
            answers[text] = self._reply(found, played, tried, move)
            self._hear()
        return answers

    def _reply(self, found: Puzzle, played: tuple[str, ...], tried: Attempt, move: str) -> Data:
        """Return the reply to a move, with the turns of its line if it is known."""
        if not tried.line:
            told: Data = {
                "right": tried.right,
                "told": tried.told,
                "lost": trainer.lost(found, tried),
            }
            return told if tried.right else {**told, "reply": _refuted(found, move)}
        told = trainer.response(found, tried, move)
        told["steps"] = self._steps(told["steps"])
        if told["more"]:
            after = (*played, *(one["notation"] for one in told["steps"]))
            if not any(stop["played"] == list(after) for stop in self._stops):
                view = told["steps"][-1]["position"]
                self._stop(tutor.later(self._puzzle, after), after, view)
        return told


def _refuted(found: Puzzle, move: str) -> Data | None:
    """Return the best reply to a wrong move; None if nobody replies."""
    if found.question.name not in trainer.AGAINST:
        return None
    line = found.question.line_after(found.position, move)
    if len(line) == 1:
        return None
    after = play(found.position, read_move(found.position, move)).position
    says = move_sentence(after, read_move(after, line[1]))
    return {"player": after.game.players[after.to_move], "move": line[1], "says": says}


def _turns(keys: Data, places: Data) -> Iterator[tuple[str, Data]]:
    """Yield the turns on each place for the tile in hand, by cell and rotation."""
    for place in places["places"]:
        for rotation in place["rotations"]:
            body = TurnsBody(
                position=keys, tile=places["tile"], cell=place["cell"], rotation=rotation
            )
            told = table.turns(body)
            for one in told["turns"]:
                del one["events"]  # what a turn scores is left for the player to find
            x, y = place["cell"]
            yield f"{x},{y} {rotation}", told
