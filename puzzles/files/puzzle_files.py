"""Puzzles as files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (  # noqa: TID253 -- a file model
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from burgrave.model.errors import FileError, NotationError
from burgrave.model.files.paths import read_text
from burgrave.model.files.positions import position_data, position_from
from burgrave.model.files.schema import AnyPosition, FileModel, TileId
from burgrave.model.files.toml import FORMAT, parse, to_json, to_toml, validate
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.words import read_node
from burgrave.puzzles.questions import (
    QUESTIONS,
    Add,
    Aim,
    Best,
    Complete,
    Expect,
    Final,
    Force,
    Help,
    History,
    Inflict,
    Last,
    Legal,
    Most,
    Question,
    Scores,
    Series,
    Win,
    spelled,
)
from burgrave.puzzles.questions.stored import Answer
from burgrave.puzzles.study.difficulty import HARDEST
from burgrave.puzzles.study.puzzle import (
    THEME,
    Certification,
    Lesson,
    Measures,
    Origin,
    Puzzle,
    Refutation,
    Solved,
)
from burgrave.solver.problem import Goal

QuestionName = Literal[
    "best", "max", "help", "series", "force", "inflict", "expect", "win", "legal", "scores",
    "final", "complete", "add", "history", "last",
]  # fmt: skip


def _either(value: Any, read: ValidatorFunctionWrapHandler) -> int | str:
    """Report once the allowed values, not once for each kind of value."""
    try:
        worth: int | str = read(value)
    except ValidationError as error:
        raise ValueError("give a whole number, or a fraction as text, like '17/4'") from error
    return worth


Worth = Annotated[int | Annotated[str, Field(pattern=r"^-?\d+/[1-9]\d*$")], WrapValidator(_either)]
Theme = Annotated[str, Field(pattern=THEME)]
OF_A_MOVE: dict[str, Callable[..., Question]] = {"legal": Legal, "scores": Scores, "final": Final}
"""The questions about one move."""
MOVES = tuple(name for name, kind in QUESTIONS.items() if "moves" in kind.must)
"""The questions that are answered by moves."""


class AnswerEntry(FileModel):
    """The stored answer of a puzzle."""

    value: Worth | None = Field(default=None, description="A whole number, or a fraction: '17/4'.")
    moves: list[str] = Field(default=[], description="Every best move, in notation.")
    line: list[str] = Field(
        default=[], description="Best play from the first of the moves to the end, in notation."
    )
    legal: bool | None = Field(default=None, description="For the question 'legal'.")
    breaks: list[str] = Field(default=[], description="Rules that an illegal move breaks.")
    points: list[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]* \d+$")]] = Field(
        default=[],
        description="What is scored, in order: 'white 4'; for 'final' the totals of all players.",
    )
    tokens: list[Annotated[int, Field(ge=0)]] = Field(
        default=[], description="For 'final' with The Falcon: aerie tokens of the players."
    )
    cell: str = Field(
        default="",
        pattern=r"^(-?\d+,-?\d+)?$",
        description="For 'last': the cell of the tile that was laid last.",
    )


Words = Annotated[str, Field(pattern=r"^[^0-9]*$")]


class LessonEntry(FileModel):
    """The author's words for one position, without figures: nothing in them needs a proof."""

    hint: Words = Field(default="", description="The idea, without the move.")
    notice: Words = Field(default="", description="What to see first.")
    trap: Words = Field(default="", description="Why the natural move fails.")
    key: Words = Field(default="", description="Why the key works.")
    maxim: Words = Field(default="", description="What to remember.")


class RefutationEntry(FileModel):
    """A tempting wrong move."""

    move: str
    value: Worth
    why: str = ""
    line: list[str] = Field(default=[], description="The move and best play after it.")


class QualityEntry(FileModel):
    """The measures of a puzzle's quality."""

    points: Worth = Field(description="Share in which who takes most points solves it, 0 to 1.")
    now: Worth = Field(description="The same, of who leads most if the game ended after his move.")
    ahead: Worth = Field(description="The same, of who sees the reply too.")
    playouts: Worth = Field(description="The same, of playouts by the policy.")
    margin: Worth = Field(description="Points to the strongest wrong move.")
    natural: Worth = Field(description="Points to the most natural wrong move.")
    near: int = Field(description="Tries that fail by one point, or to a single best reply.")
    depth: int = Field(description="Own turns to be found, each unique.")
    idle: int = Field(description="Pieces that could go.")
    purity: Worth = Field(description="Share of the tries that do not show the idea.")
    surprises: list[Literal["sacrifice", "quiet", "refusal", "gift"]] = Field(
        default=[], description="What makes the key hard to believe."
    )
    score: Annotated[int, Field(ge=0, le=100)] = Field(description="The quality, 0 to 100.")


class OriginEntry(FileModel):
    """The run of the generator that made a puzzle."""

    theme: str = Field(description="The theme, or several with commas, that was looked for.")
    seed: int
    index: int
    version: str
    options: str = Field(default="", description="What else was wished for: '--margin 2 ...'.")


class CertificationEntry(FileModel):
    """The engines that proved the answer, and the date."""

    engines: list[str]
    date: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")] | None = None


class SetFile(FileModel):
    """A set of shipped puzzles."""

    burgrave: Literal[1]
    type: Literal["set"]
    title: str
    story: str = Field(description="What the set teaches.")
    themes: list[str] = Field(
        default=[], description="Each puzzle shows one of these themes; empty: any puzzle fits."
    )
    puzzles: Annotated[list[TileId], Field(min_length=1)] = Field(
        description="Ids of shipped puzzles, from the easiest to the hardest."
    )


class PuzzleFile(FileModel):
    """A puzzle."""

    burgrave: Literal[1]
    type: Literal["puzzle"]
    id: TileId
    title: str
    question: QuestionName = Field(
        description="best: the best move of this turn; max: the most a player can end with;"
        " help, series: the only line to that; force, expect, win: the best first move to the end;"
        " inflict: the first move that forces most points on the opponent;"
        " legal: whether a move is;"
        " scores: who scores by it; final: how the game ends with it; complete: with how few"
        " tiles a feature can be completed; add: which tile gives a property; history: the turns"
        " that led here; last: the tile laid last."
    )
    objective: Literal["points", "lead"] = Field(
        default="points", description="For 'best', 'max', 'help', 'series': what is large."
    )
    asker: str = Field(
        default="", description="Who is asked about, or forces points; who moves if left out."
    )
    mode: Literal["helped", "solitaire"] = Field(
        default="helped", description="For 'max': both help, or every turn is the asker's."
    )
    move: str = Field(
        default="", description="For 'legal', 'scores' and 'final': the move asked about."
    )
    feature: str = Field(default="", description="For 'complete': a segment of it, '3,1.N'.")
    aim: Literal["", "level", "home", "both", "blocked"] = Field(
        default="", description="For 'add': the property that is wanted."
    )
    tile: str = Field(default="", description="For 'add' with 'blocked': the tile without a place.")
    answer: AnswerEntry
    refutation: list[RefutationEntry] = Field(
        default=[], description="Tempting wrong moves with what they are worth."
    )
    themes: list[Theme] = Field(default=[], description="What the solution shows.")
    rules: list[str] = Field(default=[], description="Ids of the rules that the answer rests on.")
    difficulty: Annotated[int, Field(ge=1, le=HARDEST)] | None = None
    explanation: str
    lesson: LessonEntry = LessonEntry()
    provenance: str = Field(default="", description="Where the position comes from.")
    quality: QualityEntry | None = None
    generator: OriginEntry | None = None
    certification: CertificationEntry | None = None
    position: AnyPosition

    @model_validator(mode="after")
    def the_answer_fits(self) -> Self:
        """Refuse an answer to another question, and a question without its subject."""
        given = self.answer.model_fields_set
        must, may = QUESTIONS[self.question].must, QUESTIONS[self.question].may
        if not must <= given or given - must - may:
            raise ValueError(
                f"answer: one to '{self.question}' has the keys {', '.join(sorted(must))} and may"
                f" have {', '.join(sorted(may)) or 'no more'}"
            )
        if self.question in MOVES and not self.answer.moves:
            raise ValueError(
                f"answer.moves: the answer to '{self.question}' names at least one move"
            )
        if self.question in OF_A_MOVE and not self.move:
            raise ValueError(f"move: '{self.question}' asks about a move: name it under 'move'")
        if self.question == "add" and (not self.aim or not self.answer.line):
            raise ValueError("aim: 'add' wants a property under 'aim', and one turn under 'line'")
        if (self.aim == "blocked") is not bool(self.tile):
            raise ValueError("tile: the aim 'blocked' names a tile, no other aim does")
        if self.question == "complete" and not self.feature:
            raise ValueError("feature: 'complete' asks about a feature: name a segment")
        return self


def read_puzzle(name: str, text: str) -> Puzzle:
    """Read a puzzle.

    Args:
        name: the file as the user named it, for errors.
        text: TOML or JSON.

    Raises:
        FileError: every problem of the file, moves that cannot be read among them.

    """
    file = validate(name, parse(name, text), PuzzleFile, "puzzle")
    position = position_from(name, file.position, prefix="position.")
    faults = list(_unreadable(position, file))
    if faults:
        raise FileError(name, faults)
    return Puzzle(
        id=file.id,
        title=file.title,
        position=position,
        question=_question(position, file),
        answer=Answer(
            value=file.answer.value,
            moves=tuple(spelled(position, move) for move in file.answer.moves),
            line=tuple(file.answer.line),
            legal=file.answer.legal,
            breaks=tuple(file.answer.breaks),
            points=tuple(file.answer.points),
            tokens=tuple(file.answer.tokens),
            cell=file.answer.cell,
        ),
        refutations=tuple(
            Refutation(
                move=spelled(position, one.move),
                value=one.value,
                why=one.why,
                line=tuple(one.line),
            )
            for one in file.refutation
        ),
        themes=tuple(file.themes),
        rules=tuple(file.rules),
        difficulty=file.difficulty,
        measures=_measures(file.quality),
        explanation=file.explanation.strip(),
        lesson=Lesson(**file.lesson.model_dump()),
        provenance=file.provenance,
        origin=None if file.generator is None else Origin(**file.generator.model_dump()),
        certification=_certification(file.certification),
    )


def read_puzzles(name: str, text: str) -> list[Puzzle]:
    """Read puzzles of which each is a line, as JSON; empty lines are passed over.

    Args:
        name: what errors call the text.
        text: the lines.

    Raises:
        FileError: lines hold no puzzle; every problem of each.

    """
    found, faults = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(read_puzzle(f"{name}, line {number}", line))
        except FileError as error:
            faults += [f"line {number}: {problem}" for problem in error.problems]
    if faults:
        raise FileError(name, faults)
    return found


def load_puzzle(path: Path) -> Puzzle:
    """Read a puzzle from a file.

    Raises:
        FileError: the file cannot be used.

    """
    return read_puzzle(str(path), read_text(path))


def _unreadable(position: Position, file: PuzzleFile) -> Iterator[str]:
    """Yield a problem for every move and name that means nothing in the position."""
    moves = {f"answer.moves[{i}]": move for i, move in enumerate(file.answer.moves)}
    moves |= {f"refutation[{i}].move": one.move for i, one in enumerate(file.refutation)}
    for place, text in moves.items():
        try:
            read_move(position, text)
        except NotationError as error:
            yield f"{place}: {error}"
    try:
        if file.move:
            read_move(position, file.move)
        if file.feature:
            read_node(position, file.feature)
    except NotationError as error:
        yield f"{'move' if file.move else 'feature'}: {error}"
    if file.tile and file.tile not in position.game.tile_set.ids():
        yield f"tile: the set {position.game.tile_set.id} has no tile {file.tile}"
    players = position.game.players
    if file.asker and file.asker not in players:
        yield f"asker: found {file.asker!r}, allowed are {', '.join(players)}"
    for index, entry in enumerate(file.answer.points):
        if entry.split()[0] not in players:
            yield f"answer.points[{index}]: found {entry!r}, the players are {', '.join(players)}"


def _measures(entry: QualityEntry | None) -> Measures | None:
    """Return the measures that a file states."""
    if entry is None:
        return None
    return Measures(
        solved=Solved(**{name: Fraction(getattr(entry, name)) for name in Solved._fields}),
        margin=Fraction(entry.margin),
        natural=Fraction(entry.natural),
        near=entry.near,
        depth=entry.depth,
        idle=entry.idle,
        purity=Fraction(entry.purity),
        surprises=tuple(entry.surprises),
    )


def _certification(entry: CertificationEntry | None) -> Certification | None:
    """Return the engines that proved the answer, if the file names them."""
    if entry is None:
        return None
    return Certification(engines=tuple(entry.engines), date=entry.date or "")


_PLAIN = {kind().name: kind for kind in (Force, Expect, Win, History, Last)}
"""The questions without further keys, by name."""


def _question(position: Position, file: PuzzleFile) -> Question:
    """Return the question of a file whose keys are in order."""
    if file.question == "best":
        return Best(goal=Goal(file.objective))
    asker = position.game.players.index(file.asker) if file.asker else position.to_move
    if file.question == "max":
        return Most(asker=asker, goal=Goal(file.objective), alone=file.mode == "solitaire")
    if file.question in {"help", "series"}:
        kind = Help if file.question == "help" else Series
        return kind(asker=asker, goal=Goal(file.objective))
    if file.question == "inflict":
        return Inflict(asker=asker)
    if file.question in _PLAIN:
        return _PLAIN[file.question]()
    if file.aim:
        return Add(aim=Aim(file.aim), tile=file.tile)
    if file.question in OF_A_MOVE:
        return OF_A_MOVE[file.question](move=file.move)
    return Complete(feature=file.feature)


def _question_data(position: Position, question: Question) -> dict[str, Any]:
    """Return the keys of a question."""
    moved = {"move": question.about} if question.about else {}
    return {"question": question.name, **question.data(position), **moved}


def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return the keys of a puzzle's file, without those that have their default."""
    answer = asdict(puzzle.answer).items()
    stored = {key: list(one) if isinstance(one, tuple) else one for key, one in answer}
    wanted = puzzle.question.must
    data: dict[str, Any] = {
        "burgrave": FORMAT,
        "type": "puzzle",
        "id": puzzle.id,
        "title": puzzle.title,
        **_question_data(puzzle.position, puzzle.question),
        "themes": list(puzzle.themes),
        "rules": list(puzzle.rules),
        "difficulty": puzzle.difficulty,
        "explanation": puzzle.explanation,
        "provenance": puzzle.provenance,
    }
    data = {key: value for key, value in data.items() if value not in (None, "", [])}
    if lesson := {key: words for key, words in asdict(puzzle.lesson).items() if words}:
        data["lesson"] = lesson
    data["answer"] = {
        key: value for key, value in stored.items() if key in wanted or value not in (None, "", [])
    }
    if puzzle.refutations:
        data["refutation"] = [
            {"move": one.move, "value": one.value}
            | ({"why": one.why} if one.why else {})
            | ({"line": list(one.line)} if one.line else {})
            for one in puzzle.refutations
        ]
    if puzzle.measures is not None:
        data["quality"] = puzzle.measures.data
    if puzzle.origin is not None:
        origin = asdict(puzzle.origin)
        data["generator"] = {key: one for key, one in origin.items() if one or key != "options"}
    if puzzle.certification is not None:
        stamp = puzzle.certification
        data["certification"] = {"engines": list(stamp.engines)}
        data["certification"] |= {"date": stamp.date} if stamp.date else {}
    data["position"] = position_data(puzzle.position)
    return data


def write_puzzle(puzzle: Puzzle, *, as_json: bool = False) -> str:
    """Write a puzzle's file; ``read_puzzle`` gives the puzzle back."""
    data = puzzle_data(puzzle)
    return to_json(data) if as_json else to_toml(data)
