"""The questions that puzzles ask, each with the engines that answer it."""

from puzzles.questions.base import Question, Reply, plain, spelled
from puzzles.questions.ending import Final
from puzzles.questions.finish import Complete
from puzzles.questions.one_move import Legal, Scores
from puzzles.questions.rest import Expect, Force, Most, Win
from puzzles.questions.turn import Best

__all__ = [
    "Best",
    "Complete",
    "Expect",
    "Final",
    "Force",
    "Legal",
    "Most",
    "Question",
    "Reply",
    "Scores",
    "Win",
    "plain",
    "spelled",
]
