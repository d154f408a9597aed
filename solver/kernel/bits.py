"""Count and find bits of machine words, compiled to one instruction each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import intrinsic, overload

SPAN = 63
"""Cells in one word of a set; the sign bit stays free, so that no word is negative."""


def bit_count(word: int) -> int:
    """Return the number of bits set in a word that is not negative."""
    return int(word).bit_count()


def lowest(word: int) -> int:
    """Return the index of the lowest bit set in a word above 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


@intrinsic
def _population(context: Any, word: Any) -> Any:
    """Count the bits of a word."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), build


@intrinsic
def _trailing(context: Any, word: Any) -> Any:
    """Count the zeros below the lowest bit of a word."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        flag = context.get_constant(types.boolean, 1)
        return builder.cttz(args[0], flag)

    return types.int64(types.int64), build


@overload(bit_count)
def _bit_count(word: Any) -> Callable[[int], int]:
    """Return the ``bit_count`` that compiled code calls."""

    def count(word: Any) -> Any:
        return _population(word)  # type: ignore[call-arg]

    return count


@overload(lowest)
def _lowest(word: Any) -> Callable[[int], int]:
    """Return the ``lowest`` that compiled code calls."""

    def count(word: Any) -> Any:
        return _trailing(word)  # type: ignore[call-arg]

    return count
