"""The booklet as PDF: text set by fpdf2, boards as pictures of few colours."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import resvg_py
from fpdf import FPDF
from fpdf.enums import MethodReturnValue, XPos, YPos
from PIL.Image import Dither
from PIL.PngImagePlugin import PngImageFile

from burgrave.cli.render.booklet import (
    SMALL,
    Front,
    Printed,
    about_boards,
    answer_words,
    colophon,
    extent,
    printed,
    puzzle_view,
    solution_view,
)
from burgrave.model.pictures import Theme, panel_svg
from burgrave.puzzles.study.difficulty import HARDEST
from burgrave.puzzles.study.puzzle import Puzzle

_MARGIN = 14.0
"""Around a page, in millimetres, as all lengths here."""
_HALF = 134.0
"""The height of a puzzle: two share a page."""
_BOARD, _PANEL, _GAP = 116.0, 62.0, 4.0
"""Widths of a puzzle's board, of players and tiles to come beside it, and between them."""
_PIXELS = 6.5
"""Pixels to a millimetre, 165 to an inch."""
_COLOURS = 48
"""Colours of a picture; more cannot be told apart in areas of one colour each."""
_AFTER = 1.5
"""The space after a paragraph."""
_TOGETHER = 2
"""Lines of a paragraph, or entries of the list, that stand together at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """A paragraph."""

    text: str
    size: int = 11
    """In points."""
    style: str = ""
    """Letters of fpdf2: ``B`` bold, ``I`` italic."""


def booklet_pdf(front: Front, puzzles: Sequence[Puzzle]) -> bytes:
    """Return a booklet as PDF.

    Args:
        front: the words on the front.
        puzzles: the puzzles in their order.

    """
    book = FPDF(format="A4")
    book.set_margin(_MARGIN)
    book.set_auto_page_break(auto=True, margin=_MARGIN)
    book.set_title(front.title)
    book.add_page()
    _front(book, front, puzzles)
    for number, puzzle in enumerate(puzzles, start=1):
        if number % 2:
            book.add_page()
        else:
            book.set_y(_MARGIN + _HALF)
        _puzzle(book, number, puzzle)
    book.add_page()
    solutions = [solution(number, puzzle) for number, puzzle in enumerate(puzzles, start=1)]
    solutions[0].insert(0, _Words(text="Solutions", size=20, style="B"))
    solutions[-1].append(_Words(text=colophon(puzzles), size=9, style="I"))
    for blocks in solutions:
        for group in groups(blocks):
            _together(book, group)
    return bytes(book.output())


def _front(book: FPDF, front: Front, puzzles: Sequence[Puzzle]) -> None:
    """Set the title, the story, what holds for the boards, and the list of puzzles."""
    _set(book, _Words(text=front.title, size=22, style="B"))
    if front.story:
        _set(book, _Words(text=front.story))
    for text in about_boards(puzzles):
        _set(book, _Words(text=text, size=9, style="I"))
    entries = [
        _Words(text=f"{number}. {puzzle.title} ({puzzle.position.game.named}, {_level(puzzle)})")
        for number, puzzle in enumerate(puzzles, start=1)
    ]
    for number, entry in enumerate(entries):
        last_ones = entries[number:]
        if len(last_ones) == _TOGETHER and sum(_high(book, one) for one in last_ones) > _room(book):
            book.add_page()
        _set(book, entry)


def _puzzle(book: FPDF, number: int, puzzle: Puzzle) -> None:
    """Set a puzzle on half a page."""
    top = book.get_y()
    _set(book, _Words(text=f"{number}. {puzzle.title}", size=14, style="B"))
    about = f"{puzzle.position.game.named}, {_level(puzzle)}"
    _set(book, _Words(text=about, size=9, style="I"))
    _set(book, _Words(text=puzzle.words, size=10, style="B"))
    here = book.get_y()
    high = top + _HALF - here - _GAP
    board = printed(puzzle.position, puzzle_view(puzzle), (_BOARD, high), Theme.LIGHT)
    _draw(book, board, (_MARGIN, here))
    beside = panel_svg(puzzle.position, theme=Theme.LIGHT)
    across, down = extent(beside)
    wide = min(_PANEL, high * across / down)
    panel = Printed(svg=beside, wide=wide, high=wide * down / across)
    _draw(book, panel, (_MARGIN + board.wide + _GAP, here))


def solution(number: int, puzzle: Puzzle) -> list[_Words | Printed]:
    """Return the answer of a puzzle with its reasons."""
    found: list[_Words | Printed] = [
        _Words(text=f"{number}. {puzzle.title}", size=13, style="B"),
        _Words(text=answer_words(puzzle), style="B"),
    ]
    if puzzle.answer.moves:
        found.append(printed(puzzle.position, solution_view(puzzle), SMALL, Theme.LIGHT))
    found += [_Words(text=paragraph) for paragraph in puzzle.explanation.splitlines()]
    found += [
        _Words(text=f"{one.move}: {one.value}. {one.why}", size=9)
        for one in puzzle.refutations
        if one.why
    ]
    return [*found, _Words(text=puzzle.provenance, size=9, style="I")]


def _level(puzzle: Puzzle) -> str:
    """Return the difficulty in words."""
    known = puzzle.difficulty is not None
    return f"difficulty {puzzle.difficulty} of {HARDEST}" if known else "difficulty not measured"


def groups(blocks: Sequence[_Words | Printed]) -> Iterator[Sequence[_Words | Printed]]:
    """Yield the parts of a solution that stay on one page.

    The heading, the answer and the picture stay with the first paragraph, the last line with the
    paragraph before it.
    """
    after_picture = [n for n, one in enumerate(blocks, start=1) if isinstance(one, Printed)]
    first = min((after_picture or [_TOGETHER])[0] + 1, len(blocks))
    last = max(first, len(blocks) - _TOGETHER)
    yield blocks[:first]
    yield from ([one] for one in blocks[first:last])
    if blocks[last:]:
        yield blocks[last:]


def _together(book: FPDF, blocks: Sequence[_Words | Printed]) -> None:
    """Set blocks on one page; a paragraph alone may go on where the page ends."""
    wanted = sum(_high(book, one) for one in blocks)
    if len(blocks) > 1 and wanted > _room(book) and book.get_y() > _MARGIN:
        book.add_page()
    for one in blocks:
        if isinstance(one, _Words):
            _set(book, one)
            continue
        here = book.get_y()
        _draw(book, one, (_MARGIN, here))
        book.set_y(here + _high(book, one))


def _room(book: FPDF) -> float:
    """Return the height that is left on the page."""
    return book.h - _MARGIN - book.get_y()


def _line(words: _Words) -> float:
    """Return the height of a line."""
    return words.size * 0.48


def _plain(text: str) -> str:
    """Return a text in Latin letters: the fonts that every reader has know no others."""
    return text.encode("latin-1", "replace").decode("latin-1")


def _lines(book: FPDF, words: _Words) -> list[str]:
    """Return the lines of a paragraph."""
    book.set_font("helvetica", style=words.style, size=words.size)
    lines = book.multi_cell(
        0, _line(words), _plain(words.text), dry_run=True, output=MethodReturnValue.LINES
    )
    # The type of the result hangs on ``output``, which fpdf2 does not declare.
    return cast("list[str]", lines)


def _high(book: FPDF, block: _Words | Printed) -> float:
    """Return the height of a block with the space after it."""
    if isinstance(block, Printed):
        return block.high + _AFTER
    return len(_lines(book, block)) * _line(block) + _AFTER


def _set(book: FPDF, words: _Words) -> None:
    """Set a paragraph; no line of it stands alone at the end or at the beginning of a page."""
    lines = _lines(book, words)
    fitting = int((_room(book) + 0.01) // _line(words))
    here = kept(len(lines), fitting)
    if here < len(lines):
        if here:
            _put(book, words, " ".join(lines[:here]))
        book.add_page()
        lines = lines[here:]
    _put(book, words, " ".join(lines))
    book.ln(_AFTER)


def kept(lines: int, fitting: int) -> int:
    """Return how many lines of a paragraph stay on the page.

    >>> kept(3, 3), kept(3, 2), kept(5, 4), kept(5, 1)
    (3, 0, 3, 0)
    """
    if lines <= fitting:
        return lines
    most = min(fitting, lines - _TOGETHER)
    return most if most >= _TOGETHER else 0


def _put(book: FPDF, words: _Words, text: str) -> None:
    """Set lines where the last ones ended."""
    book.set_font("helvetica", style=words.style, size=words.size)
    book.multi_cell(0, _line(words), _plain(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _draw(book: FPDF, one: Printed, at: tuple[float, float]) -> None:
    """Set a picture at its left and top."""
    png = bytes(resvg_py.svg_to_bytes(svg_string=one.svg, width=round(one.wide * _PIXELS)))
    drawn = PngImageFile(io.BytesIO(png)).convert("RGB").quantize(_COLOURS, dither=Dither.NONE)
    book.image(drawn, x=at[0], y=at[1], w=one.wide, h=one.high)
