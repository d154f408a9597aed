"""Show the answer of every command about the rest of a game."""

from __future__ import annotations

from typing import NoReturn

import typer

from cli.exits import ANSWERED, ONLY_A_BOUND
from cli.output import show
from cli.render.outlooks import outlook_data, outlook_text
from model.position import Position
from solver.result import Answer, Status


def tell(position: Position, answer: Answer, *, as_json: bool) -> NoReturn:
    """Print an answer and end: answered, or only a bound."""
    text = "\n".join(outlook_text(position, answer))
    show(outlook_data(position, answer), text, as_json=as_json)
    raise typer.Exit(ANSWERED if answer.status is Status.OPTIMAL else ONLY_A_BOUND)
