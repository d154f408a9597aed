"""The types of the kernel's arguments, for readers and type checkers.

Each is one record: compiled code gets a pointer to it, and uncompiled code reads its fields as
attributes. Type checkers see ``Any``, since only numpy knows the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from burgrave.model.games import Game
from burgrave.model.rule import Switch

State: TypeAlias = Any
"""A position: a record of a family's ``STATE``."""
Tables: TypeAlias = Any
"""The data of a game that no turn changes: a record of a family's ``TABLES``."""
States: TypeAlias = Any
"""An array of one ``State``, or one of ``Tables``: Python passes it faster than the record."""
Job: TypeAlias = Any
"""A question and the memory of its search: a record of ``solver.kernel.job.JOB``."""
Ints: TypeAlias = NDArray[np.int64]
"""An array of whole numbers, one-dimensional unless documented otherwise."""
Sizes: TypeAlias = dict[str, tuple[int, int]]
"""Name of things → their number, and how many have room."""


LISTED = 1 << 16
"""Turns with one tile for which there is room."""
PLAYERS = 6
"""The most players of a game."""
TURN, FOLLOWER_ON, POINTS_WON, LEAD_WON, LEAD_AT_END, HOMES = range(6)
"""The first numbers of a turn with its outcome, in both families: the turn; its follower's segment
or -1; the mover's points; his gain in lead; his lead after final scoring; his followers that come
home."""


def numbers_of(game: Game) -> dict[str, int]:
    """Return the number of each kind of drawn tile, by its id."""
    return {kind.id: number for number, kind in enumerate(game.tile_set.kinds)}


def set_flags(t: Any, flags: Mapping[str, tuple[Switch, str]], game: Game) -> None:
    """Set the flags of a game's tables whose switch has the value that sets them."""
    values = dict(game.switches)
    for name, (switch, value) in flags.items():
        setattr(t, name, int(values.get(switch) == value))


def record_type(fields: list[Any], *, align: bool = False) -> np.dtype[Any]:
    """Return a type of records whose fields are attributes.

    Python reads and writes them up to ten times as fast as those of ``numpy.record``.

    Args:
        fields: as for ``numpy.dtype``; a record within the record has such a type too.
        align: likewise.

    """
    plain = np.dtype(fields, align=align)
    names = {name: property(itemgetter(name), _writer(name)) for name in plain.names or ()}
    return np.dtype((type("Record", (np.void,), {"__slots__": (), **names}), plain))


def _writer(name: str) -> Callable[[Any, Any], None]:
    """Return the function that writes a field of a record."""

    def write(one: Any, value: Any) -> None:
        one[name] = value

    return write


def record(dtype: np.dtype[Any]) -> Any:
    """Return a record of a type, all zero."""
    return np.zeros(1, dtype)[0]


def room(*shape: int) -> Ints:
    """Return an uninitialised array of whole numbers."""
    return np.empty(shape, np.int64)


def alone(one: Any) -> Any:
    """Return a record as an array of length one that shares its memory."""
    return np.asarray(one.base)


class Views:
    """The fields of an array of one record, as attributes that show later writes to the record.

    A view gives a number ten times as fast as the record does. A single number has the index 0, and
    a record within the record has views of its own.
    """

    def __init__(self, records: States) -> None:
        """Look at an array of one record."""
        self._records = records

    def __getattr__(self, name: str) -> Any:
        """Return the view of a field, which is made at its first use."""
        found = self._records[name]
        view: Any = Views(found)
        if found.dtype.names is None:
            numbers = found if found.ndim == 1 else found[0]
            if numbers.flags.c_contiguous:
                # A cast to bytes, since memoryview cannot read unaligned numbers of numpy.
                plain = memoryview(numbers.view(np.uint8)).cast("B")
                view = plain.cast(numbers.dtype.char, numbers.shape)
            else:
                view = memoryview(numbers)
        setattr(self, name, view)
        return view
