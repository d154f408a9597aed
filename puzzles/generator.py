"""Puzzles made from self-play: positions with one best move that shows a theme.

A candidate is one game with several endings, made from its own seed alone, so that it comes
out the same whoever works on it and whatever was tried before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from model.errors import QuestionError
from model.notation import write_move
from model.position import Move, Position
from model.problems import problems
from puzzles import telling
from puzzles.difficulty import level, measured
from puzzles.puzzle import HARDEST, Answer, Certification, Origin, Puzzle, Refutation
from puzzles.questions import Force, Question, plain
from puzzles.scenes import Stage, scenes
from puzzles.solving import certified, certify
from puzzles.study import Step, Study, study
from puzzles.themes import THEMES, themes_in
from puzzles.themes.theme import Theme
from solver.answers import Objective, Status
from solver.budget import Budget
from solver.outlook import First
from solver.questions import best, forced

QUICK = Budget(nodes=4_000)
"""Turns of the first search: positions with more to think about are passed over."""
EFFORT = Budget(nodes=60_000)
"""Turns that an engine may search; no time, so that every machine comes to the same answers."""
REFUTED = 5
"""Tempting wrong moves that a puzzle shows at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What kind of puzzles is wanted."""

    game: str
    theme: str
    seed: int
    tiles_left: int = 3
    margin: int = 1
    """Points by which the key must be better than every other first move."""
    easiest: int = 1
    hardest: int = HARDEST
    version: str = ""
    """Of the program, for the record."""

    @property
    def asked(self) -> Theme:
        """The theme."""
        return THEMES[self.theme]

    def check(self) -> None:
        """Refuse what cannot be fulfilled.

        Raises:
            QuestionError: there is no such theme, or it does not occur in the game.

        """
        if self.theme not in THEMES:
            raise QuestionError(f"no theme '{self.theme}'; there are {', '.join(THEMES)}")
        if self.game not in self.asked.games:
            raise QuestionError(f"the theme {self.theme} does not occur in {self.game}")


def candidate(wish: Wish, index: int) -> Puzzle | None:
    """Return the puzzle that a game of self-play holds, if it holds one.

    Args:
        wish: what is wanted.
        index: number of the game.

    """
    theme = wish.asked
    rng = Random(f"{wish.game} {wish.theme} {wish.seed} {index}")  # noqa: S311 -- to be repeated
    for position in scenes(Stage(game=wish.game, tiles_left=wish.tiles_left), rng):
        if theme.possible(position) and not problems(position):
            found = _puzzle(wish, index, position)
            if found is not None:
                return found
    return None


def _puzzle(wish: Wish, index: int, position: Position) -> Puzzle | None:
    """Return the puzzle of a position if it passes every test, the cheap ones first."""
    found = forced(position, budget=QUICK)
    if found.status is not Status.OPTIMAL or len(found.first) != 1 or not found.complete:
        return None
    key = found.first[0]
    if not wish.asked.refuting:
        shown = study(posed(position, Force(), found.first))
        if shown is None or not wish.asked.detect(shown):
            return None
    if not wish.asked.elementary and is_greedy(position, key.move):
        return None
    every = forced(position, every=True, budget=EFFORT)
    if every.status is not Status.OPTIMAL or _margin(every.first) < wish.margin:
        return None
    made = posed(position, Force(), every.first)
    solution = study(made)
    if solution is None or not wish.asked.detect(solution):
        return None
    told = described(made, solution)
    if told.difficulty is None or not wish.easiest <= told.difficulty <= wish.hardest:
        return None
    proved = certify(told, EFFORT)
    if not certified(proved):
        return None
    name = f"{wish.theme[:16].rstrip('-')}-{wish.seed}-{index}"
    return replace(
        told,
        id=name,
        title=f"{wish.asked.title} with {key.move.tile}",
        provenance=f"A game of self-play, seed {wish.seed}, number {index}.",
        origin=Origin(theme=wish.theme, seed=wish.seed, index=index, version=wish.version),
        certification=Certification(engines=tuple(verdict.engine for verdict in proved)),
    )


def _margin(first: tuple[First, ...]) -> int:
    """Return by how much the best first move is better than the next; 0 if it is not alone."""
    values = sorted((one.value for one in first), reverse=True)
    return int(values[0] - values[1]) if len(values) > 1 else 0


def is_greedy(position: Position, move: Move) -> bool:
    """Tell whether a move is among those that win most in its turn, in points or in lead.

    Where no move wins anything there is nothing to be greedy for.
    """
    for objective in Objective:
        found = best(position, objective=objective, engine="state")
        if found.value and move in {choice.move for choice in found.moves}:
            return True
    return False


def posed(position: Position, question: Question, first: tuple[First, ...]) -> Puzzle:
    """Return a puzzle without words from the values of all first moves.

    Args:
        position: the position.
        question: what is asked.
        first: every first move with its value; the best ones with a line, if there is one.

    """
    value = max(one.value for one in first)
    keys = [one for one in first if one.value == value]
    at, line = position, []
    for move in keys[0].line:
        line.append(write_move(at, move))
        at = Step.of(at, move).after
    return Puzzle(
        id="puzzle",
        title="",
        position=position,
        question=question,
        answer=Answer(
            value=plain(value),
            moves=tuple(write_move(position, one.move) for one in keys),
            line=tuple(line),
        ),
        refutations=tuple(
            Refutation(move=write_move(position, one.move), value=plain(one.value) or 0)
            for one in _tempting(position, keys[0].move, first)
        ),
        explanation="",
    )


def _tempting(position: Position, key: Move, first: tuple[First, ...]) -> list[First]:
    """Return the wrong first moves that tempt most, each for another reason."""
    value = max(one.value for one in first)
    wrong = sorted((one for one in first if one.value < value), key=lambda one: -one.value)
    steps = {one.move: Step.of(position, one.move) for one in wrong}
    mover = position.to_move
    gains = {one.move: steps[one.move].gain(mover) for one in wrong}
    takes = {one.move: steps[one.move].takes(mover) for one in wrong}

    def alike(one: First) -> bool:
        return (one.move.cell, one.move.rotation) == (key.cell, key.rotation)

    reasons = (
        sorted(wrong, key=lambda one: -gains[one.move]),
        [one for one in wrong if alike(one) and one.move.followers == key.followers],
        [one for one in wrong if alike(one)],
        [one for one in wrong if takes[one.move]],
        wrong,
        [one for one in wrong if one.move.followers and not alike(one)],
    )
    found = dict.fromkeys(ones[0].move for ones in reasons if ones)
    return [one for one in wrong if one.move in tuple(found)[:REFUTED]]


def described(made: Puzzle, solution: Study) -> Puzzle:
    """Return a puzzle with themes, rules, difficulty and explanation, as they are found."""
    ruled = replace(made, rules=telling.rules_of(solution), themes=themes_in(solution))
    reasons = [telling.refuted(solution, other) for other in solution.others]
    return replace(
        ruled,
        difficulty=level(measured(ruled, solution)),
        explanation=telling.explanation(solution),
        refutations=tuple(
            replace(one, why=why) for one, why in zip(made.refutations, reasons, strict=True)
        ),
    )
