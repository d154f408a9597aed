"""Positions as the browser holds them: the keys of their files."""

from __future__ import annotations

from typing import Any

from burgrave.cli.serve.bodies import Keys
from burgrave.cli.serve.limits import MOST_DRAWN, MOST_KINDS, MOST_SEGMENTS, MOST_TILES
from burgrave.cli.sources import Draft
from burgrave.model.errors import FileError, QuestionError
from burgrave.model.files.positions import position_data, position_from, position_keys
from burgrave.model.files.schema import PlaneBody, PositionBody
from burgrave.model.files.toml import FORMAT
from burgrave.model.notation import read_board_line
from burgrave.model.position import Position
from burgrave.model.problems import require_possible

Problem = dict[str, Any]
"""A finding as JSON."""
NAME = "position"
"""The name in messages of a position that came with a request."""


def draft(keys: Keys) -> Draft:
    """Read a position that may be impossible.

    Raises:
        FileError: every problem of the keys.
        QuestionError: it is too large for this page.

    """
    body = position_keys(NAME, keys)
    refuse_large(body)
    position = position_from(NAME, body, check=False)
    lines = tuple(read_board_line(position.game, line)[0].cell for line in body.board)
    return Draft(position=position, lines=lines)


def position(keys: Keys) -> Position:
    """Read a position.

    Raises:
        FileError: every problem of the keys.
        IllegalPositionError: it cannot arise.
        QuestionError: it is too large for this page.

    """
    read = draft(keys)
    return require_possible(read.position, read.lines)


def refuse_large(body: PositionBody | PlaneBody) -> None:
    """Refuse a position that would keep the page busy for long.

    Raises:
        QuestionError: it has more of something than the page takes.

    """
    # All that is left of a set is never too much.
    drawn = sum(body.bag.values()) if isinstance(body.bag, dict) else 0
    sizes = {
        "tiles on the board": (len(body.board), MOST_TILES),
        "tiles to come": (len(body.order) + drawn, MOST_DRAWN),
        "tiles discarded": (len(body.discarded), MOST_DRAWN),
        "kinds of its own": (len(body.kinds), MOST_KINDS),
        "segments on a tile": (
            max((len(k.segments) for k in body.kinds), default=0),
            MOST_SEGMENTS,
        ),
        "words on a line of the board": (
            max((len(line.split()) for line in body.board), default=0),
            MOST_SEGMENTS + 1,
        ),
    }
    for what, (found, most) in sizes.items():
        if found > most:
            raise QuestionError(f"{found} {what}: this page takes {most}")


def document(position: Position, title: str = "") -> dict[str, Any]:
    """Return the keys of a position's file."""
    head: dict[str, Any] = {"burgrave": FORMAT, "type": "position"}
    if title:
        head["title"] = title
    return {**head, **position_data(position)}


def set_keys(keys: Keys) -> Keys:
    """Return the keys of a position that tell its tiles, as the page asks for them."""
    wanted = ("burgrave", "type", "game", "tiles", "kinds")
    return {key: keys[key] for key in wanted if key in keys}


def title_of(keys: Keys) -> str:
    """Return the title of a position, of keys that have been read."""
    return str(keys.get("title", ""))


def problem(message: str, at: str = "") -> Problem:
    """Return a problem that breaks no rule in the form of a finding."""
    return {"rule": "", "message": message, "cells": [], "source": "", "at": at}


def problems_of(error: FileError) -> list[Problem]:
    """Return the problems of keys in the form of findings."""
    found = []
    for text in error.problems:
        place, colon, message = text.partition(": ")
        known = bool(colon) and " " not in place
        found.append(problem(message, place) if known else problem(text))
    return found
