"""Which tiles are drawn in a saved game of JCloisterZone.

The tiles left are sorted by name. A save keeps a number from 0 to 1 for every turn, which picks the
drawn tile. Not every version need do it so: the numbers are believed
if they name all tiles that were laid, and enough of them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

ENOUGH = 5
"""Tiles laid by which numbers are confirmed: by chance they agree once in 10,000 games."""
_MASK = 2**48 - 1
_FACTOR, _STEP = 25214903917, 11
"""The generator by which a number follows from the last one (java.util.Random has it too)."""


class DisagreementError(Exception):
    """The numbers of a save name other tiles than were laid, or too few to be believed."""


@dataclass(slots=True)
class Stack:
    """The tiles that are left, by their names there, and what says which comes next."""

    left: list[str]
    """In the order of their names."""
    listed: Sequence[str] = ()
    """Tiles that come in this order before any other."""
    ends: int | None = None
    """The number of draws after which the game ends."""
    number: float | None = None
    """The number that decides the next draw, if it is known."""
    drawn: list[str] = field(default_factory=list)
    confirmed: int = 0
    """Tiles that a number named and that were laid."""

    @property
    def over(self) -> bool:
        """Whether nothing is drawn any more."""
        return not self.left or (self.ends is not None and len(self.drawn) >= self.ends)

    def next(self) -> str | None:
        """Take the next tile from the stack; None if nothing says which it is.

        Raises:
            ValueError: the list names a tile that is not left.

        """
        if len(self.drawn) < len(self.listed):
            return self.take(self.listed[len(self.drawn)])
        if self.number is None:
            return None
        code = self.left[int(self.number * len(self.left))]
        self.number = following(self.number)
        return self.take(code)

    def take(self, code: str) -> str:
        """Take a tile from the stack.

        Raises:
            ValueError: none is left.

        """
        self.left.remove(code)
        self.drawn.append(code)
        return code


def following(number: float) -> float:
    """Return the number that follows one from which more than one draw is made.

    >>> following(0.5)
    3.907985046680551e-14
    """
    (bits,) = struct.unpack("<Q", struct.pack("<d", number))
    state = (_FACTOR * (bits & _MASK) + _STEP) & _MASK
    return float(state) / (_MASK + 1)
