"""The booklet as PDF: text set by fpdf2, boards as pictures."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence

import resvg_py
from fpdf import FPDF
from fpdf.enums import XPos, YPos

from cli.render.booklet import about_boards, answer_words, solution_view
from model.pictures import board_svg
from puzzles.study.puzzle import HARDEST, Puzzle

_PIXELS = 1400
"""Width of a picture of a board."""
_WIDE, _SMALL = 178, 110
"""Widths of pictures on the page in millimetres, of puzzles and of solutions."""
_TALL = 195
"""The height that a picture may have."""


def booklet_pdf(title: str, puzzles: Sequence[Puzzle]) -> bytes:
    """Return a booklet as PDF.

    Args:
        title: the heading.
        puzzles: the puzzles in their order.

    """
    book = FPDF(format="A4")
    book.set_margin(16)
    book.set_title(title)
    book.add_page()
    _text(book, title, size=22, style="B")
    for text in about_boards(puzzles):
        _text(book, text, size=9, style="I")
    for number, puzzle in enumerate(puzzles, start=1):
        _text(book, f"{number}. {puzzle.title} ({puzzle.position.game.title}, {_level(puzzle)})")
    for number, puzzle in enumerate(puzzles, start=1):
        book.add_page()
        _text(book, f"{number}. {puzzle.title}", size=16, style="B")
        _text(book, f"{puzzle.position.game.title}, {_level(puzzle)}", style="I")
        _text(book, puzzle.words, style="B")
        _picture(book, board_svg(puzzle.position), _WIDE)
    book.add_page()
    _text(book, "Solutions", size=20, style="B")
    for number, puzzle in enumerate(puzzles, start=1):
        _text(book, f"{number}. {puzzle.title}", size=13, style="B")
        _text(book, answer_words(puzzle), style="B")
        if puzzle.answer.moves:
            _picture(book, board_svg(puzzle.position, solution_view(puzzle)), _SMALL)
        _text(book, puzzle.explanation)
        _text(book, puzzle.provenance, size=9, style="I")
    return bytes(book.output())


def _level(puzzle: Puzzle) -> str:
    """Return the difficulty in words."""
    known = puzzle.difficulty is not None
    return f"difficulty {puzzle.difficulty} of {HARDEST}" if known else "difficulty not measured"


def _text(book: FPDF, text: str, *, size: int = 11, style: str = "") -> None:
    """Set a paragraph; the fonts that every reader has know Latin letters alone."""
    book.set_font("helvetica", style=style, size=size)
    plain = text.encode("latin-1", "replace").decode("latin-1")
    book.multi_cell(0, size * 0.48, plain, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    book.ln(1.5)


def _picture(book: FPDF, svg: str, width: float) -> None:
    """Set a picture, on a new page where it finds no room."""
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=_PIXELS))
    across, down = struct.unpack(">II", png[16:24])  # the head of every PNG
    high = width * down / across
    if high > _TALL:
        width, high = width * _TALL / high, _TALL
    if book.get_y() + high > book.h - 16:
        book.add_page()
    book.image(io.BytesIO(png), w=width, h=high)
    book.ln(2)
