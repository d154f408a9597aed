"""Burgrave for scripts: all public names in one module.

    >>> import burgrave
    >>> castle = burgrave.load("path-house-and-tower")
    >>> burgrave.check(castle, "K04@1,0r0 knight.N =1,0.N*2").legal
    True

Each name is imported when it is first used, so ``import burgrave`` costs nothing. All values are
frozen. A function bears the name of its command. Text stands for a member of an enumeration:
``goal="lead"``. A wrong call raises a ``BurgraveError``. The page on Python has examples.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec

if find_spec("burgrave.model") is None:
    # A checkout on a system without links: the rooms stand beside this folder.
    __path__.append(os.path.dirname(__path__[0]))  # noqa: PTH120 -- pathlib takes time
import_module("burgrave.puzzles")
del globals()["puzzles"]  # the function of that name is meant, whatever was imported before

TYPE_CHECKING = False
"""Type checkers take it for true. ``typing`` and ``pathlib`` would be loaded before the program can
say that Ctrl-C ended it."""

if TYPE_CHECKING:
    from burgrave.functions import (
        check,
        draw,
        load,
        moves,
        new,
        play,
        positions,
        practise,
        puzzles,
        replay,
        score,
        table,
        to_dict,
        verify,
    )
    from burgrave.model.components import Aerie, Follower, Node, Rank, Role
    from burgrave.model.engine import Judgement
    from burgrave.model.errors import (
        BurgraveError,
        CallError,
        FileError,
        IllegalMoveError,
        IllegalPositionError,
        NotationError,
        QuestionError,
    )
    from burgrave.model.expansions.falcon.parts import Aeries, FalconHoldings
    from burgrave.model.expansions.tower.parts import Tower, TowerHoldings, Towers
    from burgrave.model.files.lines import write_line
    from burgrave.model.files.positions import write_position
    from burgrave.model.final import final_scoring
    from burgrave.model.fitting import CellFits, Fit, fits
    from burgrave.model.games import Game
    from burgrave.model.geometry import Cell
    from burgrave.model.notation import read_move, write_move
    from burgrave.model.pictures import Theme, View, board_svg
    from burgrave.model.position import (
        Capture,
        Deployment,
        FinalUse,
        Move,
        PlayerState,
        Position,
        Ransom,
        ScoreStep,
    )
    from burgrave.model.problems import problems
    from burgrave.model.results import Final, Played
    from burgrave.model.rule import Event, Finding, Rule
    from burgrave.model.tiles import Kind, PlacedTile, TileKind
    from burgrave.puzzles.cards.verdict import Verdict
    from burgrave.puzzles.games.review import ReviewedTurn, review
    from burgrave.puzzles.warming import warm
    from burgrave.solver.limits import Limits, OutOfTimeError, Reporter
    from burgrave.solver.problem import Goal, Play, TileOrder, Wish
    from burgrave.solver.questions import ahead, best, best_lines, evaluate
    from burgrave.solver.questions import continuations as count
    from burgrave.solver.questions import expected as expect
    from burgrave.solver.questions import forced as force
    from burgrave.solver.questions import maximum as max  # noqa: A004 -- the name of its command
    from burgrave.solver.questions import why_not as why
    from burgrave.solver.questions import winning as win
    from burgrave.solver.questions.count import Count
    from burgrave.solver.result import Answer, Estimated, Evaluation, Loss, Odds, RootMove, Status
    from burgrave.tables import Table

__all__ = [
    "Aerie",
    "Aeries",
    "Answer",
    "BurgraveError",
    "CallError",
    "Capture",
    "Cell",
    "CellFits",
    "Count",
    "Deployment",
    "Estimated",
    "Evaluation",
    "Event",
    "FalconHoldings",
    "FileError",
    "Final",
    "FinalUse",
    "Finding",
    "Fit",
    "Follower",
    "Game",
    "Goal",
    "IllegalMoveError",
    "IllegalPositionError",
    "Judgement",
    "Kind",
    "Limits",
    "Loss",
    "Move",
    "Node",
    "NotationError",
    "Odds",
    "OutOfTimeError",
    "PlacedTile",
    "Play",
    "Played",
    "PlayerState",
    "Position",
    "QuestionError",
    "Rank",
    "Ransom",
    "Reporter",
    "ReviewedTurn",
    "Role",
    "RootMove",
    "Rule",
    "ScoreStep",
    "Status",
    "Table",
    "Theme",
    "TileKind",
    "TileOrder",
    "Tower",
    "TowerHoldings",
    "Towers",
    "Verdict",
    "View",
    "Wish",
    "ahead",
    "best",
    "best_lines",
    "board_svg",
    "check",
    "count",
    "draw",
    "evaluate",
    "expect",
    "final_scoring",
    "fits",
    "force",
    "load",
    "max",
    "moves",
    "new",
    "play",
    "positions",
    "practise",
    "problems",
    "puzzles",
    "read_move",
    "replay",
    "review",
    "score",
    "table",
    "to_dict",
    "verify",
    "warm",
    "why",
    "win",
    "write_line",
    "write_move",
    "write_position",
]

_AT = {
    "burgrave.functions": "check draw load moves new play positions practise puzzles replay score"
    " table to_dict verify",
    "burgrave.tables": "Table",
    "burgrave.model.components": "Aerie Follower Node Rank Role",
    "burgrave.model.engine": "Judgement",
    "burgrave.model.errors": "BurgraveError CallError FileError IllegalMoveError"
    " IllegalPositionError NotationError QuestionError",
    "burgrave.model.expansions.falcon.parts": "Aeries FalconHoldings",
    "burgrave.model.expansions.tower.parts": "Tower TowerHoldings Towers",
    "burgrave.model.files.lines": "write_line",
    "burgrave.model.files.positions": "write_position",
    "burgrave.model.final": "final_scoring",
    "burgrave.model.fitting": "CellFits Fit fits",
    "burgrave.model.games": "Game",
    "burgrave.model.geometry": "Cell",
    "burgrave.model.notation": "read_move write_move",
    "burgrave.model.pictures": "Theme View board_svg",
    "burgrave.model.position": "Capture Deployment FinalUse Move PlayerState Position Ransom"
    " ScoreStep",
    "burgrave.model.problems": "problems",
    "burgrave.model.results": "Final Played",
    "burgrave.model.rule": "Event Finding Rule",
    "burgrave.model.tiles": "Kind PlacedTile TileKind",
    "burgrave.puzzles.cards.verdict": "Verdict",
    "burgrave.puzzles.games.review": "ReviewedTurn review",
    "burgrave.puzzles.warming": "warm",
    "burgrave.solver.limits": "Limits OutOfTimeError Reporter",
    "burgrave.solver.problem": "Goal Play TileOrder Wish",
    "burgrave.solver.questions": "ahead best best_lines count=continuations evaluate"
    " expect=expected force=forced max=maximum why=why_not win=winning",
    "burgrave.solver.questions.count": "Count",
    "burgrave.solver.result": "Answer Estimated Evaluation Loss Odds RootMove Status",
}
"""The public names of each module, with the name there if it is another one."""
_FOUND = {
    word.partition("=")[0]: (module, word.rpartition("=")[2])
    for module, words in _AT.items()
    for word in words.split()
}
_OF_DRAFTS = {"board_svg", "draw", "problems", "write_line", "write_position"}
"""The functions that take positions that cannot arise; all others refuse them."""


if not TYPE_CHECKING:  # a type checker reads the imports above, and so finds mistyped names

    def __getattr__(name: str) -> object:
        """Import a name when it is first used, and keep it; calls of functions are checked."""
        if name not in _FOUND:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, inner = _FOUND[name]
        found = getattr(import_module(module), inner)
        if callable(found) and not isinstance(found, type):
            found = _calls().checked(found, name, drafts=name in _OF_DRAFTS)
        globals()[name] = found
        return found

    class _Names(dict):
        """The public names as a mapping, for annotations."""

        def __missing__(self, name: str) -> object:
            """Return a public value."""
            if name not in _FOUND:
                raise KeyError(name)
            return globals().get(name) or __getattr__(name)

    @cache
    def _calls() -> object:
        """Return what checks all calls."""
        return import_module("burgrave.calls").Calls(_Names())


def __dir__() -> list[str]:
    """Return the public names, those that are not imported yet among them."""
    return sorted(__all__)
