"""Cells, sides, ports and rotations: the grid that every board and tile shares.

A side has three ports, numbered clockwise round the tile: ``side * 3 + p``. Looking outward, ``p``
is 0 for the left half, 1 for the middle, 2 for the right half. A path takes the middle of a side,
and the features beside it take the halves. Any other side takes all three.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

PORTS = 12
"""Ports round a tile."""


class Side(IntEnum):
    """A side of a cell, clockwise from the north."""

    N = 0
    E = 1
    S = 2
    W = 3

    @property
    def opposite(self) -> Side:
        """The side that faces this one across an edge."""
        return _OPPOSITE[self]


_OPPOSITE = (Side.S, Side.W, Side.N, Side.E)
_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
KNOWN_CELLS = 4096
"""Cells whose neighbours are kept: the rules ask for them again and again."""


class Cell(NamedTuple):
    """A place for one tile; x grows to the east, y to the north."""

    x: int
    y: int

    def step(self, side: Side) -> Cell:
        """Return the neighbouring cell on ``side``.

        >>> Cell(0, 0).step(Side.N)
        Cell(x=0, y=1)
        """
        return _around(self)[side][1]

    def neighbours(self) -> Iterator[tuple[Side, Cell]]:
        """Return the four sides with the cells beyond them."""
        return iter(_around(self))

    def __str__(self) -> str:
        """Return the cell as people write it, ``x,y``."""
        return f"{self.x},{self.y}"


@lru_cache(maxsize=KNOWN_CELLS)
def _around(cell: Cell) -> tuple[tuple[Side, Cell], ...]:
    """Return the four sides with the cells beyond them, in the order of the sides."""
    steps = zip(Side, _STEPS, strict=True)
    return tuple((side, Cell(cell.x + dx, cell.y + dy)) for side, (dx, dy) in steps)


@lru_cache(maxsize=KNOWN_CELLS)
def ring(cell: Cell) -> frozenset[Cell]:
    """Return the eight cells round a cell.

    >>> len(ring(Cell(0, 0)))
    8
    """
    steps = (-1, 0, 1)
    return frozenset(Cell(cell.x + dx, cell.y + dy) for dx in steps for dy in steps) - {cell}


def rotate_port(port: int, rotation: int) -> int:
    """Return the place of ``port`` after ``rotation`` clockwise quarter turns.

    >>> port_name(rotate_port(1, 1))
    'E'
    """
    return (port + 3 * rotation) % PORTS


FACING = tuple((port // 3 + 2) % 4 * 3 + 2 - port % 3 for port in range(PORTS))
"""The neighbour's port that touches each port across the edge: SR for NL."""

PORT_SIDES = tuple(Side(port // 3) for port in range(PORTS))
"""The side that each port lies on."""


def middle(side: Side) -> int:
    """Return the middle port of ``side``, where a path crosses it."""
    return side * 3 + 1


def port_name(port: int) -> str:
    """Return ``N`` for a middle port, ``NL`` or ``NR`` for the halves beside it."""
    side, place = divmod(port, 3)
    return Side(side).name + ("L", "", "R")[place]


PORT_NAMES = {port_name(port): port for port in range(PORTS)}
"""Port by name: ``N``, ``NL``, ``NR``, ``E`` …"""


def areas(cells: Iterable[Cell], *, diagonal: bool = False) -> list[frozenset[Cell]]:
    """Split cells into connected areas, largest first.

    Args:
        cells: the cells to split.
        diagonal: whether cells that touch at a corner only are connected too.

    Returns:
        The areas; equal sizes in the order of their lowest cell.

    """
    left = set(cells)
    found = []
    while left:
        stack = [min(left)]
        left.discard(stack[0])
        area = set(stack)
        while stack:
            cell = stack.pop()
            near = {
                Cell(cell.x + dx, cell.y + dy)
                for dx in (-1, 0, 1)
                for dy in (-1, 0, 1)
                if diagonal or dx == 0 or dy == 0
            } & left
            left -= near
            area |= near
            stack.extend(near)
        found.append(frozenset(area))
    return sorted(found, key=lambda area: (-len(area), min(area)))
