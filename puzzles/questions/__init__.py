"""The questions that puzzles ask, each with the engines that answer it."""

from burgrave.puzzles.questions.add import Add, Aim
from burgrave.puzzles.questions.base import Question, Reply, plain, spelled
from burgrave.puzzles.questions.ending import Final
from burgrave.puzzles.questions.finish import Complete
from burgrave.puzzles.questions.lines import Help, Series
from burgrave.puzzles.questions.one_move import Legal, Scores
from burgrave.puzzles.questions.past import History, Last
from burgrave.puzzles.questions.rest import Expect, Force, Inflict, Most, Win
from burgrave.puzzles.questions.turn import Best

QUESTIONS: dict[str, type[Question]] = {
    "legal": Legal,
    "scores": Scores,
    "best": Best,
    "final": Final,
    "last": Last,
    "add": Add,
    "complete": Complete,
    "history": History,
    "series": Series,
    "help": Help,
    "max": Most,
    "force": Force,
    "inflict": Inflict,
    "win": Win,
    "expect": Expect,
}
"""Every kind of question by its name, simple ones first."""

__all__ = [
    "QUESTIONS",
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
