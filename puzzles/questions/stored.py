"""The answer of a puzzle as its file holds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A stored answer: what of it is there depends on the question."""

    value: int | str | None = None
    """Points, lead or tiles; a fraction as text."""
    moves: tuple[str, ...] = ()
    """Every best move of this turn, in notation."""
    line: tuple[str, ...] = ()
    """Best play from the first of them to the end, in notation."""
    legal: bool | None = None
    breaks: tuple[str, ...] = ()
    """Ids of the rules that an illegal move breaks."""
    points: tuple[str, ...] = ()
    """The points scored, in order, ``white 4``; for the end of a game the totals."""
    cell: str = ""
    """The cell of the tile that was laid last, ``1,-2``."""
    tokens: tuple[int, ...] = ()
    """Aerie tokens of the players at the end of a game that has them."""
