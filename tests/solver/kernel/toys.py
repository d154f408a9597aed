"""Small functions compiled as the kernel's are; ``python -m tests.solver.kernel.toys`` runs them.

It prints results, and how many functions were compiled and not found on disk.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from burgrave.solver.kernel.compiling import by_type, compiled, inlined, inner

SMALL = np.dtype([("depth", np.int8), ("cells", np.int16, (4,)), ("total", np.int64)], align=True)
LARGE = np.dtype([("depth", np.int64), ("cells", np.int32, (9,)), ("total", np.int64)], align=True)


@inner
def add(s: Any, number: int) -> None:
    """Add a number to the sum and to a cell."""
    s.total += number
    s.cells[number % s.cells.size] += 1


@inner
def halves(number: int) -> tuple[int, bool]:
    """Return half of a number, and whether something is left over."""
    return number // 2, number % 2 == 1


@inner
def walk(s: Any, number: int) -> int:
    """Return the number of steps to 1, each of which is added to the sum."""
    add(s, number)
    if number == 1:
        return 0
    half, odd = halves(number)
    return odd_step(s, number) if odd else even_step(s, half)


@inlined
def odd_step(s: Any, number: int) -> int:
    """Go on from an odd number."""
    return 1 + walk(s, 3 * number + 1)


@inlined
def even_step(s: Any, half: int) -> int:
    """Go on from half of an even number."""
    s.depth = max(s.depth, half % 100)
    return 1 + walk(s, half)


class Doubling:
    """Functions for the small record."""

    @staticmethod
    @inner
    def weigh(s: Any) -> int:
        """Return twice the sum."""
        return int(2 * s.total)


class Halving:
    """Functions for the large record."""

    @staticmethod
    @compiled
    def weigh(s: Any) -> int:
        """Return half of the sum, rounded down, also below zero."""
        return int(s.total // 2)


def _chosen(s: Any) -> Any:
    """Return the functions for a record or for numba's type of one."""
    return Doubling if s.dtype["cells"].shape == (4,) else Halving


@by_type(_chosen)
def weigh(s: Any) -> int:
    """Weigh a record as its type wants it."""
    return int(_chosen(s).weigh(s))


@compiled
def steps(s: Any, number: int, out: Any) -> int:
    """Count steps with a constant and with a number; write weights and cells."""
    found = walk(s, 27) + walk(s, number)
    add(s, -7)
    out[0] = weigh(s)
    for i in range(s.cells.size):
        out[1 + i] = s.cells[i]
    return found


@compiled
def largest(numbers: Any) -> int:
    """Return the largest number, called by nothing compiled."""
    found = numbers[0]
    for number in numbers:
        found = max(found, number)
    return int(found)


def main() -> None:
    """Print the results of all functions."""
    for dtype in (SMALL, LARGE):
        record = np.zeros(1, dtype).view(np.recarray)[0]
        out = np.zeros(10, np.int64)
        print(steps(record, 97, out), out.tolist(), record.depth, record.total)  # noqa: T201
        print(largest(out), weigh(record) if dtype is LARGE else 0)  # noqa: T201
        add(record, 5)  # Python may also call what is compiled for compiled functions only
        print(halves(9), record.total, record.cells.tolist())  # noqa: T201
    missed = [len(one.stats.cache_misses) for one in (steps, largest) if hasattr(one, "stats")]
    print("compiled:", sum(missed))  # noqa: T201


if __name__ == "__main__":
    main()
