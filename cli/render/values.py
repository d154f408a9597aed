"""Every answer as plain values for JSON: as its command prints it, or field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from burgrave.cli.render.editions import ruled
from burgrave.cli.render.evaluation import evaluation_data
from burgrave.cli.render.game_answers import game_answer_data, number
from burgrave.cli.render.turn_answers import turn_answer_data
from burgrave.model.engine import Judgement
from burgrave.model.errors import CallError
from burgrave.model.files.lines import write_line
from burgrave.model.geometry import Cell
from burgrave.model.position import Move, Position
from burgrave.model.rule import Rule
from burgrave.model.tiles import TileKind
from burgrave.solver.result import Answer, Evaluation


def plain(value: object) -> Any:
    """Return a value as dictionaries, lists, text and numbers.

    An ``Answer`` and an ``Evaluation`` become what their commands print with ``--json``. A move is
    its text, a position its line, a cell ``[x, y]``, a rule and a kind of tile their ids. A
    fraction becomes ``value`` and ``exact``, of which the second is text: ``17/4``.

    Raises:
        CallError: it holds something that has no such form.

    """
    if isinstance(value, Answer):
        data = turn_answer_data if value.gains else game_answer_data
        return ruled(data(value.position, value), value.position.game)
    if isinstance(value, Evaluation):
        return ruled(evaluation_data(value.position, value), value.position.game)
    if isinstance(value, Judgement):
        return {"legal": value.legal, **_parts(value)}
    if isinstance(value, Cell):
        return [value.x, value.y]
    if isinstance(value, Move | Enum):
        return str(value)
    if isinstance(value, Position):
        return write_line(value)
    if isinstance(value, Rule | TileKind):
        return value.id
    if isinstance(value, Fraction):
        return {"value": number(value), "exact": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return _parts(value)


def _parts(value: object) -> Any:
    """Return the parts of a value as plain values."""
    if is_dataclass(value):
        names = [one.name for one in fields(value) if not one.name.startswith("_")]
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: plain(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(part) for part in value]
    raise CallError(f"to_dict: found {type(value).__name__}, expected an answer of Burgrave")
