"""The functions for scripts that no lower package has under their public name."""

from __future__ import annotations

from pathlib import Path

from cli import sources
from cli.render.glyphs import ASCII, UNICODE
from cli.render.legend import whole
from model import engine
from model.notation import read_move
from model.position import Move, Position
from model.results import Played
from solver.questions.preconditions import spelled


def load(source: str | Path, at: int | None = None) -> Position:
    """Read a position.

    Args:
        source: the path of a file, or the id of a shipped position, puzzle or rule card. Or a
            position in one line, as ``write_line`` writes it.
        at: of a record or a save: the turn before which the position stands, from 1.

    Raises:
        BurgraveError: it cannot be read, or the position cannot arise.

    """
    return sources.position(str(source), at)


def moves(position: Position, tile: str | None = None) -> list[Move]:
    """Return every legal move, each once.

    Args:
        position: the position before the turn.
        tile: only moves that lay this tile; None for every tile that may be drawn.

    Raises:
        QuestionError: the set has no such tile.

    """
    name = None if tile is None else spelled(position, tile)
    return list(engine.legal_moves(position, name))


def check(position: Position, move: Move | str) -> engine.Judgement:
    """Return the verdict on a move: whether it is legal, and which rules it breaks.

    Args:
        position: the position before the move.
        move: the move, or its text.

    Raises:
        BurgraveError: the text is no move.

    """
    return engine.judge(position, _move(position, move))


def play(position: Position, move: Move | str) -> Played:
    """Return the position after a move, with the events of the turn.

    Args:
        position: the position before the move.
        move: the move, or its text.

    Raises:
        BurgraveError: the text is no move, or the move is illegal.

    """
    return engine.play(position, _move(position, move))


def _move(position: Position, move: Move | str) -> Move:
    """Return a move; read it if it is text."""
    return read_move(position, move) if isinstance(move, str) else move


def draw(position: Position, *, ascii_only: bool = False, colour: bool = False) -> str:
    """Return a picture of a position in characters, for a terminal.

    Args:
        position: any position.
        ascii_only: whether no characters but those of ASCII are used.
        colour: whether the text holds the control characters of colours.

    """
    return "\n".join(whole(position, ASCII if ascii_only else UNICODE).lines(colour=colour))
