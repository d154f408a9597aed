"""Everything that is impossible about a position, by place in its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.book import book_of
from model.errors import IllegalPositionError
from model.geometry import Cell
from model.position import Position
from model.rule import Finding


def problems(position: Position, lines: Sequence[Cell] = ()) -> tuple[Finding, ...]:
    """Return every rule that a position breaks; none if it can arise.

    Args:
        position: any position.
        lines: the cells in the order of the position's file, so that a finding can name the line;
            by default the order of ``position.tiles``.

    """
    where = {cell: f"board[{index}]" for index, cell in enumerate(lines)}
    if not lines:
        where = {tile.cell: f"board[{index}]" for index, tile in enumerate(position.tiles)}
    found = [finding for law in book_of(position.game).setup for finding in law(position)]
    found += [
        replace(f, at=f.at or where.get(f.cells[0], ""))
        for f in book_of(position.game).standing(position)
    ]
    return tuple(found)


def remarks(position: Position) -> tuple[Finding, ...]:
    """Return the remarks on a position that breaks no rule."""
    return tuple(finding for law in book_of(position.game).remarks for finding in law(position))


def require_possible(position: Position, lines: Sequence[Cell] = ()) -> Position:
    """Return the position if it can arise.

    Raises:
        IllegalPositionError: it cannot; all findings are listed.

    """
    found = problems(position, lines)
    if found:
        raise IllegalPositionError(found)
    return position
