"""A booklet of puzzles: one self-contained page to be printed, solutions at the back.

What HTML and PDF share is here too: headings, words and the sizes of boards on paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import isclose

from burgrave.model.games import RECONSTRUCTED
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move
from burgrave.model.pictures import COORDINATE, Step, Theme, View, board_svg, panel_svg, stylesheet
from burgrave.model.places import vacant
from burgrave.model.position import Position
from burgrave.puzzles.questions import Add
from burgrave.puzzles.study.difficulty import HARDEST
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.words.tutor import WHOLE_LINES

_STYLE = """
:root { color-scheme: light; }
body { font: 11pt/1.45 Georgia, 'Times New Roman', serif; color: #222; margin: 2rem auto;
  max-width: 50rem; padding: 0 1rem; }
h1 { text-align: center; margin: 3rem 0 1rem; }
h2 { border-bottom: 1px solid #999; }
article { break-inside: avoid; margin: 0 0 2.5rem; }
.puzzle { display: grid; grid-template-columns: auto 1fr; gap: 0 1rem; align-content: start; }
.puzzle > :not(svg, .board) { grid-column: 1 / -1; margin: .2rem 0; }
.about, .where { color: #555; font-style: italic; }
.question { font-weight: bold; }
svg.bv { width: 100%; height: auto; }
.board { max-width: 100%; }
.colophon { border-top: 1px solid #999; font-size: 9pt; margin-top: 2rem; }
h1, h2, h3 { break-after: avoid; }
p { orphans: 3; widows: 3; }
tr { break-inside: avoid; }
table { border-collapse: collapse; }
td, th { border-bottom: 1px solid #ccc; padding: .15rem .6rem .15rem 0; text-align: left;
  vertical-align: top; }
code { font-family: Consolas, monospace; font-size: 90%; }
a { color: inherit; }
@page { size: A4; margin: 16mm; }
@media print { .puzzle { height: 130mm; margin: 0; }
  .puzzle:nth-of-type(odd) { break-before: page; }
  body { margin: 0; max-width: none; padding: 0; }
  .solutions { break-before: page; } }
"""

PAPER = (110.0, 96.0)
"""Width and height in millimetres that a puzzle's board may have on paper."""
SMALL = (90.0, 62.0)
"""The same of the picture of a solution."""
LETTERS = 1.9
"""Size in millimetres of the letters of every board: coordinates and label."""
_LARGEST = 0.2
"""Millimetres of a unit of a picture at most, so that a cell is no larger than 20 mm."""
_DRAWN = 10
"""Times that a board is drawn at most: larger letters need wider margins, which make the board
smaller."""
_NEAR = 0.02
"""Part of their size by which letters may differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """The words on the front of a booklet."""

    title: str
    story: str = ""
    """What the set of the booklet teaches; empty where it is no set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A picture on paper, in millimetres."""

    svg: str
    wide: float
    """Its width in millimetres."""
    high: float
    """Its height in millimetres."""


def printed(
    position: Position, view: View, room: tuple[float, float], theme: Theme | None = None
) -> Printed:
    """Return a board as large as there is room, with letters of the size of all other boards.

    Args:
        position: the position.
        view: what to show.
        room: the width and the height that it may have, in millimetres.
        theme: the colours that the picture carries; None if the page carries them.

    """
    lettering = 1.0
    for _ in range(_DRAWN):
        svg = board_svg(
            position,
            replace(view, lettering=lettering),
            embed_style=theme is not None,
            theme=theme or Theme.AUTO,
        )
        across, down = extent(svg)
        scale = min(room[0] / across, room[1] / down, _LARGEST)
        wanted = LETTERS / (COORDINATE * scale)
        if isclose(wanted, lettering, rel_tol=_NEAR):
            break
        lettering = wanted
    return Printed(svg=svg, wide=scale * across, high=scale * down)


def extent(svg: str) -> tuple[float, float]:
    """Return width and height of a picture in its units."""
    across, down = svg.partition('viewBox="')[2].partition('"')[0].split()[2:]
    return float(across), float(down)


def puzzle_view(puzzle: Puzzle) -> View:
    """Return the picture of a puzzle: the whole castle, or all cells on which a turn is played.

    Players and tiles to come are a picture of their own.
    """
    position = puzzle.position
    if position.game.board.cells:
        return View(panel=False)
    cells = {*position.by_cell(), *vacant(position), *solution_view(puzzle).shown}
    xs, ys = [cell.x for cell in cells], [cell.y for cell in cells]
    return View(panel=False, frame=(Cell(min(xs), min(ys)), Cell(max(xs), max(ys))))


def heading(puzzles: Sequence[Puzzle]) -> str:
    """Return the heading of a booklet that has no title of its own: it names the games."""
    *most, last = dict.fromkeys(puzzle.position.game.title for puzzle in puzzles)
    return f"Puzzles of {', '.join(most)}{' and ' * bool(most)}{last}"


def booklet_html(front: Front, puzzles: Sequence[Puzzle]) -> str:
    """Return a booklet as one HTML page without anything beside it.

    Args:
        front: the words on the front.
        puzzles: the puzzles in their order.

    """
    title = front.title
    numbered = list(enumerate(puzzles, start=1))
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}{stylesheet(Theme.LIGHT)}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        *([f"<p>{escape(front.story)}</p>"] if front.story else []),
        *(f'<p class="about">{escape(text)}</p>' for text in about_boards(puzzles)),
        *_contents(numbered),
        *(line for number, puzzle in numbered for line in _puzzle(number, puzzle)),
        '<section class="solutions"><h2>Solutions</h2>',
        *(line for number, puzzle in numbered for line in _solution(number, puzzle)),
        f'</section><p class="colophon">{escape(colophon(puzzles))}</p></body></html>',
    ]
    return "\n".join(parts) + "\n"


def about_boards(puzzles: Sequence[Puzzle]) -> list[str]:
    """Return the labels and notes of the boards of some puzzles, each once."""
    games = [puzzle.position.game for puzzle in puzzles]
    said = [*(game.label for game in games), *(game.board.note for game in games)]
    return [text for text in dict.fromkeys(said) if text]


def colophon(puzzles: Sequence[Puzzle]) -> str:
    """Return the words at the end: who made the booklet, and what it is not."""
    games = " and ".join(dict.fromkeys(puzzle.position.game.title for puzzle in puzzles))
    reconstructed = any(puzzle.position.game.reconstructed for puzzle in puzzles)
    tiles = f" {RECONSTRUCTED}" if reconstructed else ""
    return (
        f"Unofficial puzzles for {games}, set and checked by Burgrave.{tiles} "
        "The publishers of the games have no part in this booklet."
    )


def stars(puzzle: Puzzle) -> str:
    """Return the difficulty as stars, full and empty ones."""
    level = puzzle.difficulty or 0
    return "\N{BLACK STAR}" * level + "\N{WHITE STAR}" * (HARDEST - level)


def answer_words(puzzle: Puzzle) -> str:
    """Return the stored answer in words."""
    answer = puzzle.answer
    if puzzle.question.name == "legal":
        rules = f" ({', '.join(answer.breaks)})" if answer.breaks else ""
        return "It is legal." if answer.legal else f"It is not legal{rules}."
    if puzzle.question.name in {"scores", "final"}:
        return ", ".join(entry.capitalize() for entry in answer.points) or "Nobody scores."
    if puzzle.question.name == "complete":
        return f"With {answer.value} tiles." if answer.value != 1 else "With 1 tile."
    if puzzle.question.name == "last":
        return f"The tile on {answer.cell}."
    if puzzle.question.name in {"history", "add"}:
        return "; ".join(answer.line)
    if puzzle.question.name in WHOLE_LINES:
        return f"{'; '.join(answer.line)}: {answer.value}"
    return f"{' or '.join(answer.moves)}: {answer.value}"


def _contents(numbered: Sequence[tuple[int, Puzzle]]) -> Iterator[str]:
    """Yield the list of puzzles."""
    yield "<table><tr><th></th><th>Puzzle</th><th>Game</th><th>Difficulty</th></tr>"
    for number, puzzle in numbered:
        yield (
            f'<tr><td>{number}</td><td><a href="#p{number}">{escape(puzzle.title)}</a></td>'
            f"<td>{escape(puzzle.position.game.named)}</td><td>{stars(puzzle)}</td></tr>"
        )
    yield "</table>"


def _puzzle(number: int, puzzle: Puzzle) -> Iterator[str]:
    """Yield a puzzle without its answer."""
    yield f'<article class="puzzle" id="p{number}"><h2>{number}. {escape(puzzle.title)}</h2>'
    yield f'<p class="about">{escape(puzzle.position.game.named)}, {stars(puzzle)}</p>'
    yield f'<p class="question">{escape(puzzle.words)}</p>'
    yield _board(printed(puzzle.position, puzzle_view(puzzle), PAPER))
    yield panel_svg(puzzle.position, embed_style=False)
    yield f'<p><a href="#s{number}">Solution {number}</a></p></article>'


def _solution(number: int, puzzle: Puzzle) -> Iterator[str]:
    """Yield the answer with its reasons."""
    yield f'<article class="solution" id="s{number}">'
    yield f'<h3><a href="#p{number}">{number}. {escape(puzzle.title)}</a></h3>'
    yield f"<p><code>{escape(answer_words(puzzle))}</code></p>"
    if puzzle.answer.moves:
        yield _board(printed(puzzle.position, solution_view(puzzle), SMALL))
    yield from (f"<p>{escape(one)}</p>" for one in puzzle.explanation.splitlines())
    if puzzle.refutations:
        yield "<table><tr><th>Refuted</th><th>Value</th><th>Why</th></tr>"
        for one in puzzle.refutations:
            why = escape(one.why) or "See above."
            cells = (f"<code>{escape(one.move)}</code>", str(one.value), why)
            yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        yield "</table>"
    themes = ", ".join(theme.replace("-", " ") for theme in puzzle.themes)
    proved = puzzle.certification
    engines = f"; proved by {' and '.join(proved.engines)}" if proved is not None else ""
    rules = f"Rules: {', '.join(puzzle.rules)}. " if puzzle.rules else ""
    about = f"{rules}Themes: {themes or 'none'}{engines}."
    yield f'<p class="about">{escape(about)}</p>'
    yield f'<p class="where">{escape(puzzle.provenance)}</p></article>'


def _board(one: Printed) -> str:
    """Return a board in its size on paper."""
    return f'<div class="board" style="width: {one.wide:.1f}mm">{one.svg}</div>'


def solution_view(puzzle: Puzzle) -> View:
    """Return the picture's part of a solution: the best move or the whole line, if there is one."""
    position, question = puzzle.position, puzzle.question
    view = View(panel=False, crop=True)
    if len(puzzle.answer.line) > 1 and puzzle.answer.moves:
        return replace(view, line=tuple(_steps(puzzle)))
    texts = puzzle.answer.moves
    if question.about:
        texts = (question.about,)
    elif isinstance(question, Add):
        texts = puzzle.answer.line
    return replace(view, move=read_move(position, texts[0])) if texts else view


def _steps(puzzle: Puzzle) -> Iterator[Step]:
    """Yield the moves of the line with who makes them."""
    from burgrave.model.engine import play  # noqa: PLC0415 -- loads the rules

    at = puzzle.position
    for text in puzzle.answer.line:
        move = read_move(at, text)
        yield Step(at.to_move, move)
        at = puzzle.question.met(play(at, move).position)
