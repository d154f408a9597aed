"""Move counts by depth: reading them from their file, and counting anew.

The count at depth 1 is the number of legal moves, at depth 2 the number of legal moves
after each of them, added up. A turn of chance counts the moves of every tile that may be drawn.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from burgrave.model.engine import legal_moves, play
from burgrave.model.files.positions import read_position
from burgrave.model.files.toml import to_toml
from burgrave.model.notation import write_move
from burgrave.model.position import Position

COUNTS = Path(__file__).parent / "data" / "perft"
"""The folder of the frozen counts, one file a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """A position with its frozen counts."""

    id: str
    shows: str
    """What the position is there for."""
    origin: str
    position: Position
    moves: tuple[int, ...]
    """Legal moves at depth 1, 2, …"""


@cache
def frozen(folder: Path = COUNTS) -> tuple[Frozen, ...]:
    """Read the frozen counts of all games."""
    return tuple(entry for path in sorted(folder.glob("*.toml")) for entry in _frozen(path))


def _frozen(path: Path) -> list[Frozen]:
    """Read the frozen counts of a game."""
    file = tomllib.loads(path.read_text(encoding="utf-8"))
    return [
        Frozen(
            id=entry["id"],
            shows=entry["shows"],
            origin=entry["origin"],
            position=read_position(entry["id"], _file(entry["position"], file["kinds"])),
            moves=tuple(entry["moves"]),
        )
        for entry in file["perft"]
    ]


def _file(body: Mapping[str, Any], kinds: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of a position's file that brings the kinds of tiles along."""
    return to_toml({"burgrave": 1, "type": "position", "kinds": kinds, **body})


def split(position: Position) -> dict[str, int]:
    """Return for every legal move the number of legal moves after it."""
    return {
        write_move(position, move): _count(play(position, move).position)
        for move in legal_moves(position)
    }


def _count(position: Position) -> int:
    """Return the number of legal moves, 0 when the game is over."""
    return sum(1 for _ in legal_moves(position))


def shown(counts: Mapping[str, int]) -> str:
    """Return the split as lines, one a move."""
    return "\n".join(f"{count:6} {move}" for move, count in counts.items())
