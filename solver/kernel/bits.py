"""Count and find bits of machine words, compiled to one instruction each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import lower_builtin, type_callable

SPAN = 63
"""Cells in one word of a set; the sign bit stays free, so that no word is negative."""


def bit_count(word: int) -> int:
    """Return the number of bits set in a word that is not negative."""
    return int(word).bit_count()


def lowest(word: int) -> int:
    """Return the index of the lowest bit set in a word above 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


@type_callable(bit_count)
@type_callable(lowest)
def _typed(context: Any) -> Callable[[Any], Any]:
    """Tell compiled code the type of both results."""
    return lambda _: types.int64


@lower_builtin(bit_count, types.Integer)
def _population(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Count the bits of a word."""
    return builder.ctpop(context.cast(builder, args[0], signature.args[0], types.int64))


@lower_builtin(lowest, types.Integer)
def _trailing(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Count the zeros below the lowest bit of a word."""
    word = context.cast(builder, args[0], signature.args[0], types.int64)
    return builder.cttz(word, context.get_constant(types.boolean, 1))
