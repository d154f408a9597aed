"""Progress reports of a long question. The solver itself never prints."""

from __future__ import annotations

from fractions import Fraction


class Reporter:
    """A listener that hears nothing; override what you want to hear."""

    def stage(self, name: str) -> None:
        """Hear that a stage begins: ``laying C07``, ``proving 12``."""

    def found(self, value: int | Fraction) -> None:
        """Hear the best value found so far."""

    def ruled_out(self, cases: int) -> None:
        """Hear in how many cases it is settled that something cannot be."""

    def listed(self, moves: int) -> None:
        """Hear how many moves have been listed so far."""


SILENT = Reporter()
"""A listener that reports nothing."""
