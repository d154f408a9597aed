"""The questions that puzzles ask, each with the engines that answer it."""

from puzzles.questions.add import Add, Aim
from puzzles.questions.base import Question, Reply, plain, spelled
from puzzles.questions.ending import Final
from puzzles.questions.finish import Complete
from puzzles.questions.lines import Help, Series
from puzzles.questions.one_move import Legal, Scores
from puzzles.questions.past import History, Last
from puzzles.questions.rest import Expect, Force, Inflict, Most, Win
from puzzles.questions.turn import Best

__all__ = [
    "Add",
    "Aim",
    "Best",
    "Complete",
    "Expect",
    "Final",
    "Force",
    "Help",
    "History",
    "Inflict",
    "Last",
    "Legal",
    "Most",
    "Question",
    "Reply",
    "Scores",
    "Series",
    "Win",
    "plain",
    "spelled",
]
