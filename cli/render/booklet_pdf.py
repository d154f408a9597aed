"""The booklet as PDF: text set by fpdf2, boards as pictures of few colours."""

from __future__ import annotations

import io
from collections.abc import Sequence

import resvg_py
from fpdf import FPDF
from fpdf.enums import XPos, YPos
from PIL.Image import Dither
from PIL.PngImagePlugin import PngImageFile

from cli.render.booklet import BOARD, about_boards, answer_words, colophon, solution_view
from model.pictures import Theme, board_svg, panel_svg
from puzzles.study.puzzle import HARDEST, Puzzle

_MARGIN = 14.0
"""Around a page, in millimetres, as all lengths here."""
_HALF = 134.0
"""The height of a puzzle: two share a page."""
_BOARD, _PANEL, _GAP = 116.0, 62.0, 4.0
"""Widths of a puzzle's board, of players and tiles to come beside it, and between them."""
_SMALL = (90.0, 62.0)
"""Width and height that the picture of a solution may have."""
_PIXELS = 6.5
"""Pixels to a millimetre, 165 to an inch."""
_COLOURS = 48
"""Colours of a picture; more cannot be told apart in areas of one colour each."""


def booklet_pdf(title: str, puzzles: Sequence[Puzzle]) -> bytes:
    """Return a booklet as PDF.

    Args:
        title: the heading.
        puzzles: the puzzles in their order.

    """
    book = FPDF(format="A4")
    book.set_margin(_MARGIN)
    book.set_auto_page_break(auto=True, margin=_MARGIN)
    book.set_title(title)
    book.add_page()
    _text(book, title, size=22, style="B")
    for text in about_boards(puzzles):
        _text(book, text, size=9, style="I")
    for number, puzzle in enumerate(puzzles, start=1):
        _text(book, f"{number}. {puzzle.title} ({puzzle.position.game.title}, {_level(puzzle)})")
    for number, puzzle in enumerate(puzzles, start=1):
        if number % 2:
            book.add_page()
        else:
            book.set_y(_MARGIN + _HALF)
        _puzzle(book, number, puzzle)
    book.add_page()
    _text(book, "Solutions", size=20, style="B")
    for number, puzzle in enumerate(puzzles, start=1):
        _solution(book, number, puzzle)
    _text(book, colophon(puzzles), size=9, style="I")
    return bytes(book.output())


def _puzzle(book: FPDF, number: int, puzzle: Puzzle) -> None:
    """Set a puzzle on half a page."""
    top = book.get_y()
    _text(book, f"{number}. {puzzle.title}", size=14, style="B")
    _text(book, f"{puzzle.position.game.title}, {_level(puzzle)}", size=9, style="I")
    _text(book, puzzle.words, size=10, style="B")
    here = book.get_y()
    high = top + _HALF - here - _GAP
    board = board_svg(puzzle.position, BOARD, theme=Theme.LIGHT)
    wide = _picture(book, board, (_MARGIN, here), (_BOARD, high))[0]
    beside = panel_svg(puzzle.position, theme=Theme.LIGHT)
    _picture(book, beside, (_MARGIN + wide + _GAP, here), (_PANEL, high))


def _solution(book: FPDF, number: int, puzzle: Puzzle) -> None:
    """Set the answer of a puzzle with its reasons."""
    if book.get_y() + _SMALL[1] > book.h - _MARGIN:
        book.add_page()
    _text(book, f"{number}. {puzzle.title}", size=13, style="B")
    _text(book, answer_words(puzzle), style="B")
    if puzzle.answer.moves:
        drawn = board_svg(puzzle.position, solution_view(puzzle), theme=Theme.LIGHT)
        if book.get_y() + _SMALL[1] > book.h - _MARGIN:
            book.add_page()
        here = book.get_y()
        book.set_y(here + _picture(book, drawn, (_MARGIN, here), _SMALL)[1] + 2)
    for paragraph in puzzle.explanation.splitlines():
        _text(book, paragraph)
    for one in puzzle.refutations:
        if one.why:
            _text(book, f"{one.move}: {one.value}. {one.why}", size=9)
    _text(book, puzzle.provenance, size=9, style="I")


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


def _picture(
    book: FPDF, svg: str, at: tuple[float, float], room: tuple[float, float]
) -> tuple[float, float]:
    """Set a picture as large as there is room.

    Args:
        book: the booklet.
        svg: the picture.
        at: its left and its top.
        room: the width and the height that it may have.

    Returns:
        The width and the height that it has.

    """
    across, down = (float(one) for one in svg.partition('viewBox="')[2].split('"')[0].split()[2:])
    wide = min(room[0], room[1] * across / down)
    high = wide * down / across
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=round(wide * _PIXELS)))
    drawn = PngImageFile(io.BytesIO(png)).convert("RGB").quantize(_COLOURS, dither=Dither.NONE)
    book.image(drawn, x=at[0], y=at[1], w=wide, h=high)
    return wide, high
