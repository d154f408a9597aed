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
Job: TypeAlias = Any
"""A question and the memory of its search: a record of ``solver.kernel.job.JOB``."""
Ints: TypeAlias = NDArray[np.int64]
"""An array of whole numbers, one-dimensional if nothing else is said."""


def record(dtype: np.dtype[Any]) -> Any:
    """Return a record of a type, all zero."""
    return np.zeros(1, dtype).view(np.recarray)[0]
