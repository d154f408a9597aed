"""Positions and games of the user's own that a published copy shows at addresses of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burgrave.cli import sources
from burgrave.cli.publish.pieces import Pieces
from burgrave.cli.reviews import game_from
from burgrave.cli.serve import documents, table
from burgrave.cli.serve.bodies import ViewBody
from burgrave.cli.serve.steps import step
from burgrave.model.engine import play
from burgrave.model.files.toml import parse
from burgrave.model.position import Position

_NO_NAME = "board"
"""The name in addresses of what comes without a file."""


@dataclass(frozen=True, slots=True)
class Board:
    """A position, or a game with all its turns.

    Attributes:
        id: the name in addresses.
        title: its title.
        data: the pictures of its positions and its turns; a position stands there as the number of
            its view.

    """

    id: str
    title: str
    data: dict[str, Any]


def boards(arguments: Iterable[str]) -> tuple[Board, ...]:
    """Return what a site shows besides puzzles and rules.

    Args:
        arguments: files, ids or lines of positions and games.

    Raises:
        BurgraveError: one cannot be read, or a move of a game is illegal.

    """
    found: dict[str, Board] = {}
    for argument in arguments:
        stem = re.sub(r"[^a-z0-9]+", "-", Path(argument).stem.lower()).strip("-")[:40] or _NO_NAME
        names = (stem, *(f"{stem}-{number}" for number in range(2, len(found) + 3)))
        name = next(one for one in names if one not in found)
        found[name] = _board(name, argument)
    return tuple(found.values())


def _board(name: str, argument: str) -> Board:
    """Read a position or a game, and draw all its positions."""
    read = sources.game_or_position(argument)
    if isinstance(read, Position):
        source = sources.source(argument)
        title = str(parse(source.name, source.text).get("title", ""))
        return Board(name, title or name, _drawn(title, read, []))
    game = game_from(argument, read)
    steps = [step(position, move, play(position, move)) for position, move in game.turns]
    return Board(name, game.title or name, _drawn(game.title, game.turns[0][0], steps))


def _drawn(title: str, begin: Position, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the views of a position and of those after some turns."""
    pieces = Pieces()
    views: list[dict[str, Any]] = []
    numbers: dict[str, int] = {}

    def number(keys: dict[str, Any]) -> int:
        name = json.dumps(keys)
        if name not in numbers:
            numbers[name] = len(views)
            told = table.view(ViewBody(position=keys))
            views.append({**told, "svg": pieces.take(told["svg"])})
        return numbers[name]

    first = number(documents.document(begin, title))
    turns = [
        {**one, "before": number(one["before"]), "position": number(one["position"])}
        for one in steps
    ]
    return {"position": first, "steps": turns, "views": views, "pieces": pieces.texts}
