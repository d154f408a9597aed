"""A sheet of characters, each with the ink it is drawn in, painted with or without colour."""

from __future__ import annotations

from enum import Enum


class Ink(Enum):
    """The meaning of a character; the value is its colour as SGR parameters.

    Colours are of the 256-colour palette, which terminals have had for twenty years.
    """

    PATH = "38;5;230;48;5;95"
    SQUARE = "1;38;5;231;48;5;95"
    FOUNTAIN = "1;38;5;45;48;5;95"
    TOWER = "38;5;188;48;5;60"
    HOUSE = "38;5;223;48;5;130"
    COURT = "38;5;114;48;5;22"
    MARKET = "1;38;5;226;48;5;22"
    CHAPEL = "38;5;225;48;5;90"
    AERIE = "1;38;5;16;48;5;214"
    GATE = "38;5;16;48;5;250"
    SHIELD = "1;38;5;27;48;5;130"
    WALL = "38;5;250;48;5;250"
    START = "1;36"
    NUMBER = "39"
    TOWER_LABEL = "1;39"
    WALL_TILE = "1;38;5;16;48;5;220"
    EMPTY = "38;5;245"
    LINE = "38;5;240"
    WHITE = "1;38;5;16;48;5;231"
    BLACK = "1;38;5;231;48;5;16"
    RED = "1;38;5;231;48;5;160"
    BLUE = "1;38;5;231;48;5;26"
    GREEN = "1;38;5;16;48;5;40"
    YELLOW = "1;38;5;16;48;5;226"
    GREY = "1;38;5;16;48;5;250"


class Canvas:
    """Characters by column and row; columns grow to the right, rows downwards."""

    def __init__(self) -> None:
        """Begin with an empty sheet."""
        self._dots: dict[tuple[int, int], tuple[str, Ink]] = {}

    @property
    def height(self) -> int:
        """Rows down to the lowest character."""
        return max((y for _, y in self._dots), default=-1) + 1

    def put(self, column: int, row: int, text: str, ink: Ink) -> None:
        """Write a text from a place to the right, over earlier text."""
        for offset, character in enumerate(text):
            self._dots[column + offset, row] = (character, ink)

    def paste(self, column: int, row: int, other: Canvas) -> None:
        """Copy another sheet so that its place 0, 0 comes to lie on a place."""
        for (x, y), dot in other._dots.items():
            self._dots[column + x, row + y] = dot

    def lines(self, *, colour: bool) -> list[str]:
        """Return the sheet as lines without spaces at their ends.

        Args:
            colour: whether to switch inks with escape sequences.

        """
        rows: dict[int, dict[int, tuple[str, Ink]]] = {}
        for (x, y), dot in self._dots.items():
            rows.setdefault(y, {})[x] = dot
        left = min((x for x, _ in self._dots), default=0)
        return [
            _line(rows.get(y, {}), left, colour=colour)
            for y in range(min(rows, default=0), max(rows, default=-1) + 1)
        ]


def _line(dots: dict[int, tuple[str, Ink]], left: int, *, colour: bool) -> str:
    """Return one row; an ink is switched on once for a run of characters."""
    parts = []
    last: Ink | None = None
    for x in range(left, max(dots, default=left - 1) + 1):
        character, ink = dots.get(x, (" ", None))
        if colour and ink is not last:
            parts.append("\x1b[0m" if ink is None else f"\x1b[0;{ink.value}m")
            last = ink
        parts.append(character)
    if last is not None:
        parts.append("\x1b[0m")
    return "".join(parts).rstrip()
