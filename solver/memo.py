"""Tables of what a search has worked out, whose memory is bounded."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST = 1 << 16
"""Entries that a table may have before it is begun anew."""


class Memo(dict[K, V]):
    """A table that is begun anew when it is full: what is forgotten is worked out again."""

    def __setitem__(self, key: K, value: V) -> None:
        """Keep a value."""
        if len(self) >= MOST:
            self.clear()
        super().__setitem__(key, value)
