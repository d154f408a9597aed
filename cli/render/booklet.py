"""A booklet of puzzles: one self-contained page to be printed, solutions at the back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from model.notation import read_move
from model.pictures import Step, Theme, View, board_svg, panel_svg, stylesheet
from puzzles.study.puzzle import HARDEST, Puzzle
from puzzles.tutor import WHOLE_LINES

_STYLE = """
:root { color-scheme: light; }
body { font: 11pt/1.45 Georgia, 'Times New Roman', serif; color: #222; margin: 2rem auto;
  max-width: 50rem; padding: 0 1rem; }
h1 { text-align: center; margin: 3rem 0 1rem; }
h2 { border-bottom: 1px solid #999; }
article { break-inside: avoid; margin: 0 0 2.5rem; }
.puzzle { display: grid; grid-template-columns: 5fr 3fr; gap: 0 1rem; align-content: start; }
.puzzle > :not(svg) { grid-column: 1 / -1; margin: .2rem 0; }
.about, .where { color: #555; font-style: italic; }
.question { font-weight: bold; }
svg.bv { width: 100%; height: auto; max-height: 75vh; }
.colophon { border-top: 1px solid #999; font-size: 9pt; margin-top: 2rem; }
.solution svg.bv { max-height: 45vh; }
table { border-collapse: collapse; }
td, th { border-bottom: 1px solid #ccc; padding: .15rem .6rem .15rem 0; text-align: left;
  vertical-align: top; }
code { font-family: Consolas, monospace; font-size: 90%; }
a { color: inherit; }
@page { size: A4; margin: 16mm; }
@media print { .puzzle { height: 130mm; margin: 0; }
  .puzzle:nth-of-type(odd) { break-before: page; }
  .puzzle svg.bv { max-height: 98mm; }
  .solution svg.bv { max-height: 60mm; }
  body { margin: 0; max-width: none; padding: 0; }
  .solutions { break-before: page; } }
"""

BOARD = View(panel=False, crop=True)
"""The picture of a puzzle's board; players and tiles to come are a picture of their own."""


def booklet_html(title: str, puzzles: Sequence[Puzzle]) -> str:
    """Return a booklet as one HTML page without anything beside it.

    Args:
        title: the heading.
        puzzles: the puzzles in their order.

    """
    numbered = list(enumerate(puzzles, start=1))
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}{stylesheet(Theme.LIGHT)}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
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
    walled = any(not puzzle.position.game.board.endless for puzzle in puzzles)
    tiles = " Tiles and wall of The Castle are a reconstruction." if walled else ""
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
            f"<td>{escape(puzzle.position.game.title)}</td><td>{stars(puzzle)}</td></tr>"
        )
    yield "</table>"


def _puzzle(number: int, puzzle: Puzzle) -> Iterator[str]:
    """Yield a puzzle without its answer."""
    yield f'<article class="puzzle" id="p{number}"><h2>{number}. {escape(puzzle.title)}</h2>'
    yield f'<p class="about">{escape(puzzle.position.game.title)}, {stars(puzzle)}</p>'
    yield f'<p class="question">{escape(puzzle.words)}</p>'
    yield board_svg(puzzle.position, BOARD, embed_style=False)
    yield panel_svg(puzzle.position, embed_style=False)
    yield f'<p><a href="#s{number}">Solution {number}</a></p></article>'


def _solution(number: int, puzzle: Puzzle) -> Iterator[str]:
    """Yield the answer with its reasons."""
    yield f'<article class="solution" id="s{number}">'
    yield f'<h3><a href="#p{number}">{number}. {escape(puzzle.title)}</a></h3>'
    yield f"<p><code>{escape(answer_words(puzzle))}</code></p>"
    if puzzle.answer.moves:
        yield board_svg(puzzle.position, solution_view(puzzle), embed_style=False)
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


def solution_view(puzzle: Puzzle) -> View:
    """Return the picture's part of a solution: the best move or the whole line."""
    position = puzzle.position
    line = puzzle.answer.line
    if len(line) > 1:
        return View(panel=False, crop=True, line=tuple(_steps(puzzle)))
    return View(panel=False, crop=True, move=read_move(position, puzzle.answer.moves[0]))


def _steps(puzzle: Puzzle) -> Iterator[Step]:
    """Yield the moves of the line with who makes them."""
    from model.engine import play  # noqa: PLC0415 -- loads the rules

    at = puzzle.position
    for text in puzzle.answer.line:
        move = read_move(at, text)
        yield Step(at.to_move, move)
        at = puzzle.question.met(play(at, move).position)
