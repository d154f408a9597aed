"""``burgrave quiz``: questions about the moves of a position."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import ForceOption, JsonOption, PositionArgument, TurnOption
from burgrave.cli.output import show
from burgrave.model.errors import QuestionError

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists


def quiz(
    position: PositionArgument,
    count: Annotated[int, typer.Option(min=1, max=50, help="Number of questions.")] = 6,
    seed: Annotated[int, typer.Option(help="Another number gives other questions.")] = 1,
    ask: Annotated[bool, typer.Option("--ask", help="Answer them yourself, with hints.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.jsonl",
            help="Write them as puzzles, for serve, booklet and solve.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask about moves of a position: legal or not, who scores what, how the game ends."""
    from burgrave.cli import sources
    from burgrave.cli.asking import answer_text, explained, of_puzzle, tried_all
    from burgrave.cli.output import save, writable
    from burgrave.cli.render.editions import rules_text
    from burgrave.model.files.lines import is_line
    from burgrave.puzzles.files.puzzle_files import puzzle_data
    from burgrave.puzzles.judging.solving import stored
    from burgrave.puzzles.making.quiz import quiz as asked

    if ask and as_json:
        raise QuestionError("--ask and --json exclude each other")
    if output is not None and output.suffix.lower() != ".jsonl":
        raise QuestionError(f"{output}: a file of puzzles ends in .jsonl")
    writable(output, force=force)
    name = "quiz" if is_line(position) else Path(position).stem
    read = sources.position(position, at)
    found = asked(read, count, seed, name)
    if output is not None:
        import json

        save(output, "".join(json.dumps(puzzle_data(puzzle)) + "\n" for puzzle in found))
    if ask:
        right = tried_all([of_puzzle(puzzle) for puzzle in found], "question")
        raise typer.Exit(ANSWERED if right else NO)
    data: list[json_lists.QuizQuestion] = [
        {
            "id": puzzle.id,
            "question": puzzle.question.name,
            "words": puzzle.words,
            "legal": puzzle.answer.legal,
            "breaks": list(puzzle.answer.breaks),
            "points": list(puzzle.answer.points),
            "explanation": puzzle.explanation,
            "rules": list(puzzle.rules),
            "engines": [] if puzzle.certification is None else list(puzzle.certification.engines),
        }
        for puzzle in found
    ]
    lines = [*rules_text(read.game)]
    lines += [f"{number}. {puzzle.words}" for number, puzzle in enumerate(found, start=1)]
    for number, puzzle in enumerate(found, start=1):
        lines += [f"{number}.", *answer_text(stored(puzzle)), explained(puzzle)]
    show(data, "\n".join(lines), as_json=as_json)
