"""What somebody would like to do in a turn, to be told why it cannot be done."""

from __future__ import annotations

from dataclasses import dataclass

from model.geometry import Cell
from model.tiles import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Demands on a turn; what is None is left open. The empty wish is to lay the tile."""

    cell: Cell | None = None
    """The tile lies here."""
    rotation: int | None = None
    """It lies at this rotation, or at one that looks the same: quarter turns, 0 to 3."""
    follower: Kind | None = None
    """A follower is placed on a segment of this kind."""
    doubled: Kind | None = None
    """A completed feature of this kind is doubled by a wall tile."""
    extra_turns: int = 0
    """At least so many wall tiles 1 are played."""
