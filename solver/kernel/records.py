"""The types of the kernel's arguments, for readers and type checkers.

Each is one numpy record: compiled code gets a pointer to it, and uncompiled code reads its fields
as attributes. A record's type checkers' type is ``Any``, since its fields are known to numpy alone.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

State: TypeAlias = Any
"""A position: a record of a family's ``STATE``."""
Tables: TypeAlias = Any
"""All about a game that no turn changes: a record of a family's ``TABLES``."""
States: TypeAlias = Any
"""An array of one ``State``, or one of ``Tables``: Python passes it faster than the record."""
Job: TypeAlias = Any
"""A question and the memory of its search: a record of ``solver.kernel.job.JOB``."""
Ints: TypeAlias = NDArray[np.int64]
"""An array of whole numbers, one-dimensional if nothing else is said."""


def record(dtype: np.dtype[Any]) -> Any:
    """Return a record of a type, all zero."""
    return np.zeros(1, dtype).view(np.recarray)[0]


def room(*shape: int) -> Ints:
    """Return an array of whole numbers in which nothing is written yet."""
    return np.empty(shape, np.int64)


def alone(one: Any) -> Any:
    """Return the array of one record in which a record lies."""
    return np.asarray(one.base)


def field(records: States, *names: str) -> memoryview:
    """Return a field of an array of one record, to be read number by number.

    A number is read ten times as fast as from the record, and what is written to the record shows.

    Args:
        records: the array.
        names: of the field, from the outside inwards; a number has the index 0.

    """
    found = records
    for name in names:
        found = found[name]
    numbers = found if found.ndim == 1 else found[0]
    # By bytes, since memoryview reads no numbers that numpy calls unaligned.
    plain = memoryview(numbers.view(np.uint8)).cast("B")
    return plain.cast(numbers.dtype.char, numbers.shape)
