"""Burgrave for scripts: all public names in one module.

    >>> import burgrave
    >>> castle = burgrave.load("path-house-and-tower")
    >>> burgrave.judge(castle, "C26@5,5r0 knight.E =5,5.E*2").legal
    True

Each name is imported when it is first used, so ``import burgrave`` costs nothing. All values are
frozen. A wrong call raises a ``BurgraveError``. The page on Python has
examples.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
"""Type checkers take it for true. ``typing`` and ``pathlib`` would be loaded before the program can
say that Ctrl-C ended it."""

if TYPE_CHECKING:
    from pathlib import Path

    from model.components import Follower, Node, Rank, Role, Tower
    from model.engine import Judgement
    from model.errors import (
        BurgraveError,
        FileError,
        IllegalMoveError,
        IllegalPositionError,
        NotationError,
        QuestionError,
    )
    from model.files.lines import write_line
    from model.files.positions import write_position
    from model.final import final_scoring
    from model.games import Game
    from model.geometry import Cell
    from model.notation import read_move, write_move
    from model.pictures import board_svg
    from model.position import Capture, Deployment, Move, PlayerState, Position, Ransom, ScoreStep
    from model.problems import problems
    from model.results import Final, Played
    from model.rule import Event, Finding
    from model.tiles import Kind, PlacedTile, TileKind
    from puzzles.review import ReviewedTurn, review
    from solver.limits import Limits
    from solver.problem import Goal, Play, TileOrder, Wish
    from solver.questions import ahead, best, evaluate, expected, forced, maximum, why_not
    from solver.questions import winning as win
    from solver.result import Answer, Estimated, Evaluation, Loss, Odds, RootMove, Status

__all__ = [
    "Answer",
    "BurgraveError",
    "Capture",
    "Cell",
    "Deployment",
    "Estimated",
    "Evaluation",
    "Event",
    "FileError",
    "Final",
    "Finding",
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
    "PlacedTile",
    "Play",
    "Played",
    "PlayerState",
    "Position",
    "QuestionError",
    "Rank",
    "Ransom",
    "ReviewedTurn",
    "Role",
    "RootMove",
    "ScoreStep",
    "Status",
    "TileKind",
    "TileOrder",
    "Tower",
    "Wish",
    "ahead",
    "best",
    "board_svg",
    "draw",
    "evaluate",
    "expected",
    "final_scoring",
    "forced",
    "judge",
    "load",
    "maximum",
    "moves",
    "play",
    "problems",
    "read_move",
    "review",
    "why_not",
    "win",
    "write_line",
    "write_move",
    "write_position",
]

_AT = {
    "model.components": ("Follower", "Node", "Rank", "Role", "Tower"),
    "model.engine": ("Judgement",),
    "model.errors": (
        "BurgraveError",
        "FileError",
        "IllegalMoveError",
        "IllegalPositionError",
        "NotationError",
        "QuestionError",
    ),
    "model.files.lines": ("write_line",),
    "model.files.positions": ("write_position",),
    "model.final": ("final_scoring",),
    "model.games": ("Game",),
    "model.geometry": ("Cell",),
    "model.notation": ("read_move", "write_move"),
    "model.pictures": ("board_svg",),
    "model.position": (
        "Capture",
        "Deployment",
        "Move",
        "PlayerState",
        "Position",
        "Ransom",
        "ScoreStep",
    ),
    "model.problems": ("problems",),
    "model.results": ("Final", "Played"),
    "model.rule": ("Event", "Finding"),
    "model.tiles": ("Kind", "PlacedTile", "TileKind"),
    "puzzles.review": ("ReviewedTurn", "review"),
    "solver.limits": ("Limits",),
    "solver.problem": ("Goal", "Play", "TileOrder", "Wish"),
    "solver.questions": (
        "ahead",
        "best",
        "evaluate",
        "expected",
        "forced",
        "maximum",
        "why_not",
        "winning",
    ),
    "solver.result": (
        "Answer",
        "Estimated",
        "Evaluation",
        "Loss",
        "Odds",
        "RootMove",
        "Status",
    ),
}
"""The module of each name."""
_RENAMED = {"win": "winning"}
_MODULE = {name: module for module, names in _AT.items() for name in names}

if not TYPE_CHECKING:  # a type checker reads the imports above, and so finds mistyped names

    def __getattr__(name: str) -> object:
        """Import a name when it is first used, and keep it."""
        inner = _RENAMED.get(name, name)
        if name not in __all__ or inner not in _MODULE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(_MODULE[inner]), inner)
        return found


def __dir__() -> list[str]:
    """Return the public names, those that are not imported yet among them."""
    return sorted(__all__)


def load(source: str | Path) -> Position:
    """Read a position.

    Args:
        source: the path of a file, or the id of a shipped position, puzzle or rule card. Or a
            position in one line, as ``write_line`` writes it.

    Raises:
        BurgraveError: it cannot be read, or the position cannot arise.

    """
    from cli.sources import position  # noqa: PLC0415 -- loads the file models

    return position(str(source))


def moves(position: Position, tile: str | None = None) -> list[Move]:
    """Return every legal move, each once.

    Args:
        position: the position before the turn.
        tile: only moves that lay this tile; None for every tile that may be drawn.

    """
    from model.engine import legal_moves  # noqa: PLC0415 -- on demand

    return list(legal_moves(position, tile))


def judge(position: Position, move: Move | str) -> Judgement:
    """Return the verdict on a move: whether it is legal, and which rules it breaks.

    Args:
        position: the position before the move.
        move: the move, or its text.

    Raises:
        BurgraveError: the text is no move.

    """
    from model import engine  # noqa: PLC0415 -- on demand

    return engine.judge(position, _move(position, move))


def play(position: Position, move: Move | str) -> Played:
    """Return the position after a move, with the events of the turn.

    Args:
        position: the position before the move.
        move: the move, or its text.

    Raises:
        BurgraveError: the text is no move, or the move is illegal.

    """
    from model import engine  # noqa: PLC0415 -- on demand

    return engine.play(position, _move(position, move))


def _move(position: Position, move: Move | str) -> Move:
    """Return a move; read it if it is text."""
    from model.notation import read_move as read  # noqa: PLC0415 -- on demand

    return read(position, move) if isinstance(move, str) else move


def draw(position: Position, *, ascii_only: bool = False, colour: bool = False) -> str:
    """Return a picture of a position in characters, for a terminal.

    Args:
        position: any position.
        ascii_only: whether no characters but those of ASCII are used.
        colour: whether the text holds the control characters of colours.

    """
    from cli.render.glyphs import ASCII, UNICODE  # noqa: PLC0415 -- on demand
    from cli.render.legend import whole  # noqa: PLC0415 -- on demand

    return "\n".join(whole(position, ASCII if ascii_only else UNICODE).lines(colour=colour))
