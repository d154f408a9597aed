"""A puzzle: a position, a question, the stored answer and why it is the answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field  # noqa: TID253 -- a file model

from model.engine import canonical
from model.files.positions import position_from
from model.files.schema import AnyPosition, FileModel, TileId
from model.files.toml import parse, read_text, validate
from model.notation import read_move, write_move
from model.position import Position
from puzzles.verdict import Verdict
from solver.answers import Objective, Status
from solver.questions import best


class AnswerEntry(FileModel):
    """The stored answer of a puzzle."""

    value: int
    moves: Annotated[list[str], Field(min_length=1)] = Field(
        description="Every best move, in notation."
    )


class PuzzleFile(FileModel):
    """A puzzle."""

    burgrave: Literal[1]
    type: Literal["puzzle"]
    id: TileId
    title: str
    question: Literal["best"] = Field(description="best: the best move of this turn.")
    objective: Literal["points", "lead"] = "points"
    answer: AnswerEntry
    explanation: str
    rules: list[str] = Field(default=[], description="Ids of the rules that the answer rests on.")
    provenance: str = Field(default="", description="Where the position comes from.")
    position: AnyPosition


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A puzzle as a value."""

    id: str
    title: str
    position: Position
    objective: Objective
    """What the best move is best for."""
    value: int
    """Points, or lead, that the best move brings in this turn."""
    moves: tuple[str, ...]
    """Every best move, in canonical notation."""
    explanation: str
    rules: tuple[str, ...]
    provenance: str

    @property
    def question(self) -> str:
        """The question in words."""
        name = self.position.game.name(self.position.to_move)
        tile = self.position.order[0] if self.position.order else "the tile drawn"
        gain = "most points" if self.objective is Objective.POINTS else "the largest gain in lead"
        return f"{name} to lay {tile}: which move brings {gain} in this turn?"


def read_puzzle(name: str, text: str) -> Puzzle:
    """Read a puzzle.

    Args:
        name: the file as the user named it, for errors.
        text: TOML or JSON.

    Raises:
        FileError: every problem of the file.
        NotationError: a stored move cannot be read.

    """
    file = validate(name, parse(name, text), PuzzleFile, "puzzle")
    position = position_from(name, file.position, prefix="position.")
    return Puzzle(
        id=file.id,
        title=file.title,
        position=position,
        objective=Objective(file.objective),
        value=file.answer.value,
        moves=tuple(write_move(position, read_move(position, move)) for move in file.answer.moves),
        explanation=file.explanation.strip(),
        rules=tuple(file.rules),
        provenance=file.provenance,
    )


def load_puzzle(path: Path) -> Puzzle:
    """Read a puzzle from a file.

    Raises:
        FileError: the file cannot be used.

    """
    return read_puzzle(str(path), read_text(path))


def solve(puzzle: Puzzle, engine: str | None = None) -> Verdict:
    """Answer a puzzle anew and compare with the stored answer.

    Args:
        puzzle: the puzzle.
        engine: the engine that answers: ``cpsat``, ``reference``, ``state`` or ``brute``; None
            for the first that plays the game.

    Returns:
        The verdict; it passes if value, status and the set of best moves are the same.

    """
    answer = best(puzzle.position, objective=puzzle.objective, engine=engine)
    position = puzzle.position
    stored = {
        write_move(position, canonical(position, read_move(position, move)))
        for move in puzzle.moves
    }
    found = {write_move(position, choice.move) for choice in answer.moves}
    expected = {"value": puzzle.value, "status": str(Status.OPTIMAL), "moves": sorted(stored)}
    got = {"value": answer.value, "status": str(answer.status), "moves": sorted(found)}
    return Verdict(
        id=puzzle.id,
        title=puzzle.title,
        rules=puzzle.rules,
        engine=answer.engine,
        expected=expected,
        got=got,
    )
