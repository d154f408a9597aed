"""The bodies of requests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field  # noqa: TID253 -- the request models

from burgrave.cli.serve.limits import (
    MOST_BYTES,
    MOST_LEVEL,
    MOST_MOVES,
    MOST_PLAYERS,
    MOST_PLAYOUTS,
    MOST_RECORDED,
    MOST_SECONDS,
    MOST_TOLD,
)
from burgrave.model.files.schema import TileEntry
from burgrave.model.registry import GameId
from burgrave.model.tiles import Mark

Coordinate = Annotated[int, Field(ge=-999, le=999)]
CellPair = Annotated[tuple[Coordinate, Coordinate], Field(strict=False)]
Name = Annotated[str, Field(max_length=64)]
Words = Annotated[str, Field(max_length=200)]
MoveText = Annotated[str, Field(max_length=1000)]
Keys = dict[str, Any]
"""The keys of a position's file; the reader of files validates them."""


class Body(BaseModel):
    """Base of all bodies: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class AboutPosition(Body):
    """Something about a position."""

    position: Keys


class NewBody(Body):
    """A fresh position."""

    game: GameId
    seed: Annotated[int, Field(ge=0, lt=2**32)] | None = None
    unknown: bool = False
    players: Annotated[int, Field(ge=2, le=MOST_PLAYERS)] | None = None
    edition: Name | None = None


class ReadBody(Body):
    """A text that a user opened or pasted, and the position on the page."""

    text: Annotated[str, Field(max_length=MOST_BYTES)]
    position: Keys | None = None


class WriteBody(AboutPosition):
    """A position to be written as a file."""

    format: Literal["toml", "json"] = "toml"


class PictureBody(AboutPosition):
    """A position as a picture that stands by itself."""

    theme: Literal["light", "dark"] = "light"
    plain: bool = False
    """Whether it shows the board alone, and no empty rim."""


class ViewBody(AboutPosition):
    """A position to be drawn and looked through."""

    cells: Annotated[list[CellPair], Field(max_length=200)] = []
    legal: Annotated[list[CellPair], Field(max_length=400)] = []
    thumbnail: bool = False
    line: Annotated[list[MoveText], Field(max_length=MOST_MOVES)] = []
    """Moves to be shown on it; several are numbered and joined by arrows."""
    room: Annotated[int, Field(ge=1, le=3)] = 1


class FittingBody(AboutPosition):
    """Places for tiles: those of one tile, or on one cell."""

    tile: Name | None = None
    cell: CellPair | None = None


PlaceNames = Annotated[list[Annotated[str, Field(max_length=6)]], Field(max_length=9)]


PlaceMark = Annotated[
    tuple[Annotated[str, Field(max_length=6)], Annotated[Mark, Field(strict=False)]],
    Field(strict=False),
]


class FormBody(Body):
    """What a user sees on a tile of Carcassonne."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]{0,31}$")]
    count: Annotated[int, Field(ge=1, le=99)] = 1
    title: Words = ""
    sides: Annotated[
        list[Literal["city", "road", "field"]],
        Field(min_length=4, max_length=4),
    ]
    joined: Annotated[list[PlaceNames], Field(max_length=8)] = []
    inside: Literal["cloister"] | None = None
    marks: Annotated[list[PlaceMark], Field(max_length=9)] = []
    tower_place: bool = False


class KindBody(Body):
    """A kind of tile that a user makes: by what its sides show, or as a file says it."""

    kind: FormBody | TileEntry


class PlacesBody(AboutPosition):
    """The legal places of a tile; without one, of every tile that may be drawn."""

    tile: Name | None = None


class TurnsBody(AboutPosition):
    """The possible turns with a tile on a cell."""

    tile: Name
    cell: CellPair
    rotation: Annotated[int, Field(ge=0, le=3)]


class RulesBody(Body):
    """Words by which rules are looked for."""

    words: Words = ""


class MoveBody(AboutPosition):
    """A move to be judged."""

    move: MoveText


class PlayBody(AboutPosition):
    """Moves to be played one after another."""

    moves: Annotated[list[MoveText], Field(min_length=1, max_length=MOST_MOVES)]


class AskBody(AboutPosition):
    """A question for the solver."""

    question: Literal["best", "ahead", "max", "force", "expect", "win", "evaluate"]
    tile: Name | None = None
    objective: Literal["points", "lead"] = "points"
    top: Annotated[int, Field(ge=1, le=MOST_TOLD)] = 1
    tiles: Annotated[int, Field(ge=0, le=20)] = 1
    mode: Literal["helped", "solitaire"] = "helped"
    order: Literal["given", "choose", "any"] = "given"
    player: Name | None = None
    every: bool = False
    certify: bool = False
    playouts: Annotated[int, Field(ge=100, le=MOST_PLAYOUTS)] = 4000
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, strict=False)] = 60.0


class AttemptBody(Body):
    """A user's answer to a puzzle."""

    set: Name = "library"
    puzzle: Name
    answer: MoveText
    played: Annotated[list[MoveText], Field(max_length=MOST_MOVES)] = []
    """Moves of best play since the beginning of the puzzle."""
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, strict=False)] = 30.0


class SetBody(Body):
    """A file of puzzles."""

    title: Name = ""
    text: Annotated[str, Field(max_length=MOST_BYTES)]


class Trial(Body):
    """An attempt for a process that knows no sets of puzzles."""

    question: Literal["attempt"] = "attempt"
    text: str
    """The puzzle's file."""
    answer: MoveText
    played: list[MoveText]
    seconds: float


class RecordBody(Body):
    """A record of a game, or a save of JCloisterZone."""

    text: Annotated[str, Field(max_length=MOST_BYTES)]


class ReviewBody(RecordBody):
    """A game to be reviewed."""

    question: Literal["review"] = "review"
    playouts: Annotated[int, Field(ge=100, le=MOST_PLAYOUTS)] = 500
    skip: Annotated[int, Field(ge=0, le=MOST_RECORDED)] = 0
    """Turns that are reviewed already."""
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, strict=False)] = MOST_SECONDS


class HarvestBody(RecordBody):
    """Mistakes of a reviewed game of which puzzles are to be made."""

    question: Literal["harvest"] = "harvest"
    turns: Annotated[list[Keys], Field(max_length=MOST_RECORDED)]
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, strict=False)] = MOST_SECONDS


class AboutMatch(AboutPosition):
    """Something about a game that is played: its start, the seed of its deal, and its moves."""

    seed: Annotated[int, Field(ge=0, lt=2**32)] = 1
    moves: Annotated[list[MoveText], Field(max_length=MOST_RECORDED)] = []


class MatchBody(AboutMatch):
    """A game, and the next move of it as a user writes it; None to look at it."""

    move: MoveText | None = None


class ReplyBody(AboutMatch):
    """A game in which a level is to move."""

    question: Literal["reply"] = "reply"
    level: Annotated[int, Field(ge=1, le=MOST_LEVEL)]
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, strict=False)] = 60.0


class RetryBody(AboutPosition):
    """Another try at a turn of a game that was a mistake."""

    question: Literal["retry"] = "retry"
    answer: MoveText
    played: MoveText
    best: MoveText
    playouts: Annotated[int, Field(ge=100, le=MOST_PLAYOUTS)] = 500
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS, strict=False)] = 60.0


Quick = Trial | ReplyBody | RetryBody
"""A question for the process that stays, so that nobody waits for its start."""
Solvable = AskBody | ReviewBody | HarvestBody | Quick
"""A question that a separate process answers."""
