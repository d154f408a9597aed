"""Types of ``--json`` of commands about positions, moves and questions.

The functions that build an answer are annotated with these types and those of ``json_lists``, so
that mypy compares them with the code. ``burgrave schema COMMAND`` publishes them as JSON Schema;
no other command imports them when the program runs.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import ConfigDict, with_config  # noqa: TID253 -- schemas only

# Python 3.11 lacks what pydantic needs of its own TypedDict.
from typing_extensions import TypedDict

File = dict[str, Any]
"""The keys of a position's or a record's file; ``burgrave schema`` describes them."""
Xy = list[int]
"""A cell: x to the east, y to the north."""
Status = Literal["optimal", "bound", "unknown"]
"""``optimal``: proved. ``bound``: only a bound is proved. ``unknown``: stopped before anything was
found."""


@with_config(ConfigDict(use_attribute_docstrings=True))
class Base(TypedDict):
    """The base of all answers."""


class ByRules(Base):
    """The base of answers that rest on the rules of a game."""

    edition: NotRequired[str]
    """The edition of the rules; left out for a game that has one edition alone."""


class Finding(Base):
    """A rule's statement on a move or a position."""

    rule: str
    """Id of the rule."""
    message: str
    """One sentence."""
    cells: list[Xy]
    """The cells of the finding."""
    source: str
    """The source of the rule."""
    at: str
    """The place in a position's file, ``board[3]``; empty for a move."""


class Event(Base):
    """Something that happened in a turn or in final scoring."""

    text: str
    """One sentence."""
    rules: list[str]
    """Ids of the rules that made it happen."""
    player: str | None
    """The player it concerns."""
    points: int
    """Points that the player wins by it."""
    cells: list[Xy]
    tokens: NotRequired[int]
    """Aerie tokens that the player takes by it (The Falcon)."""


class Check(ByRules):
    """The answer of ``check``."""

    legal: bool
    """Whether the move is legal or, without a move, the position possible."""
    move: str | None
    """The move in notation, as it was understood."""
    violations: list[Finding]
    """The rules that are broken."""
    notes: list[Finding]
    """The rules that allow what people ask about, and remarks on a position."""


class Moves(ByRules):
    """The answer of ``moves``."""

    count: int
    moves: NotRequired[list[str]]
    """The moves in notation; left out with ``--count``."""


class Fit(Base):
    """A kind of tile that fits on a cell."""

    tile: str
    left: int
    """Number of its tiles to come."""
    rotations: list[int]


class CellFits(Base):
    """A cell that may be filled next."""

    cell: Xy
    left: int
    """Number of tiles to come that fit there."""
    kinds: list[Fit]


class Fits(Base):
    """The answer of ``fits``."""

    left: int
    """Number of tiles to come."""
    cells: list[CellFits]
    dead: list[Xy]
    """Cells on which no tile to come will ever lie."""


class PlayedMove(Base):
    """A move that was played."""

    player: str
    notation: str
    events: list[Event]


class IllegalMove(Base):
    """The first illegal move of a line."""

    number: int
    """Its number, from 1."""
    notation: str
    """The move as it was given."""


class Line(ByRules):
    """The answer of ``play``."""

    legal: bool
    moves: list[PlayedMove]
    illegal: IllegalMove | None
    violations: list[Finding]
    """The faults of the illegal move."""
    scores: dict[str, int]
    """By player, after the last move that was played."""
    over: bool
    """Whether no tile is left to be laid."""
    position: File
    """The keys of the position after that move."""


class Final(Base):
    """Final scoring."""

    scores: dict[str, int]
    """By player."""
    winner: str | None
    """None if several players share the most points."""
    leaders: list[str]
    """The players with most points."""
    events: list[Event]
    uses: str
    """The wall tiles used, in notation."""


class Replay(Line):
    """The answer of ``replay``."""

    passed: bool
    """Whether every move is legal and the result that the record names is reached."""
    final: Final | None
    undecided: str | None
    """The reason why final scoring is left out after the end of the game."""
    result: list[int]
    """The scores at the end, in the order of the players."""
    expected: list[int] | None
    """The result that the record names."""


class Standing(Base):
    """A follower on a feature."""

    player: str
    role: str
    at: str
    """His segment, ``3,4.N``."""
    rank: NotRequired[str]
    """``follower``, ``king`` or ``falconer`` (The Falcon), ``big`` (Inns & Cathedrals)."""


class CastleFeature(Base):
    """A feature of a castle."""

    kind: str
    at: str
    """A segment of it, ``3,4.N``."""
    tiles: int
    """Its tiles, start spaces included."""
    cells: list[Xy]
    start_spaces: list[str]
    fountains: int
    markets: int
    followers: list[Standing]
    complete: bool
    worth: int
    """Points without growth: on completion, or at the end for a court."""
    scorer: str | None
    """The player with the majority."""
    open: list[list[int | str]]
    """Its open sides: x, y and side."""
    missing: list[Xy]
    """The empty cells that keep it open."""
    aeries: NotRequired[int]
    """The Falcon only."""


class CastlePlayer(Base):
    """The possessions of a player of a castle."""

    score: int
    supply: int
    """Followers left."""
    on_board: int
    keep: int
    """Tiles of the keep; 0 without one."""
    wall_tiles: list[int]
    """Numbers of the wall tiles in hand; 0 for one that is unknown."""
    fresh_wall_tiles: list[int]
    """The same of those taken in this turn."""
    specials: NotRequired[list[str]]
    """King and falconer in the supply (The Falcon)."""
    tokens: NotRequired[int]
    """Aerie tokens (The Falcon)."""
    at_gate: NotRequired[bool]
    """Whether the marker stands on the gate (The Falcon)."""


class Ended(Base):
    """The result of a game."""

    final: Final | None
    """Null unless the game is over."""
    undecided: str | None
    """The reason why final scoring is left out after the end of the game."""


class CastleNow(Base):
    """The features and players of a castle."""

    players: dict[str, CastlePlayer]
    empty_area: int
    """Cells of the largest empty area."""
    features: list[CastleFeature]


class CastleScore(CastleNow, Ended):
    """The answer of ``score`` for a castle."""


class PlaneFeature(Base):
    """A feature of Carcassonne."""

    kind: str
    at: str
    tiles: int
    cells: list[Xy]
    shields: int
    marks: list[str]
    """Its other marks, each once: ``inn``, ``cathedral``."""
    followers: list[Standing]
    complete: bool
    worth: int | None
    """Points on completion; None for a field."""
    worth_at_the_end: int | None
    """Points if the game ended now, 0 for a completed feature; None for a field."""
    scorers: list[str]
    """Players with most followers on it, who score it; farms may pay by city instead."""
    open: list[list[int | str]]
    missing: list[Xy]


class PlanePlayer(Base):
    """The possessions of a player of Carcassonne."""

    score: int
    supply: int
    specials: list[str]
    """Ranks of the followers with a rank in the supply."""
    on_board: int
    guards: int
    """Followers on towers."""
    pieces: int
    """Tower pieces left."""
    prisoners: list[str]
    """The owners of the followers held prisoner; of a rank ``blue:big``."""


class Farm(Base):
    """The points of a farm if the game ended now."""

    player: str
    points: int
    at: str
    cities: int
    rule: str


class PlaneNow(Base):
    """The features and players of a plane."""

    players: dict[str, PlanePlayer]
    features: list[PlaneFeature]
    farms_now: list[Farm]


class PlaneScore(PlaneNow, Ended, ByRules):
    """The answer of ``score`` for Carcassonne."""


class BestMove(Base):
    """A best move of a turn."""

    notation: str
    value: int
    scores: list[Event]


class Best(ByRules):
    """The answer of ``best`` about this turn."""

    value: int | None
    """The value of the best move; None if there is no move or none was found."""
    bound: int | None
    """No move is worth more."""
    status: Status
    objective: str
    player: str
    moves: list[BestMove]
    engine: str
    seconds: float
    confirmed: list[str]
    """The checks of the answer, a sentence each."""


class Exact(Base):
    """A number and its exact value as a fraction."""

    value: int | float
    exact: str


class Odds(Base):
    """The probabilities of the results."""

    win: Exact | None
    draw: Exact | None
    loss: Exact | None


class RootMove(Base):
    """A first move with its value and line."""

    notation: str
    value: int | float
    exact: str


class Outlook(ByRules):
    """The answer of ``force``, ``win``, ``expect``, ``max`` and ``best --ahead``."""

    value: int | float | None
    """For the player asked about; None if nothing is proved."""
    exact: str | None
    """The same as a fraction."""
    status: Status
    least: Exact | None
    """Proved: the value is not smaller."""
    most: Exact | None
    """Proved: the value is not larger."""
    player: str
    goal: str
    """``points``, ``lead`` or ``win``."""
    play: str
    """Who plays how: ``against``, ``helped``, ``solitaire`` or ``each``."""
    order: str
    """The order of the tiles: ``given``, ``choose``, ``any`` or ``chance``."""
    tiles: int
    """Number of tiles looked ahead."""
    odds: Odds | None
    moves: list[RootMove]
    """First moves with their values."""
    complete: bool
    """Whether these are all the best first moves or, if every one was asked for, all."""
    guess: list[str]
    """First moves of a stopped search, without a proof."""
    line: list[str]
    """A line of play to the end, in notation."""
    scores: list[int] | None
    """The scores at its end, in the order of the players."""
    engine: str
    nodes: int
    seconds: float
    floor: Exact | None
    """The player's guaranteed value if all others play against him."""
    confirmed: list[str]


class Count(ByRules):
    """The answer of ``count``."""

    lines: int | None
    """None if the count was stopped."""
    least: int
    """A lower bound of the number."""
    value: int | None
    """The value of the best lines."""
    nodes: int
    seconds: float


class Reason(Base):
    """A rule that takes part in forbidding something."""

    id: str
    text: str
    source: str


class Why(ByRules):
    """The answer of ``why``."""

    possible: bool | None
    """None if the search was stopped."""
    chosen: list[str]
    """Unknowns that are assumed in the best case: ``order``, ``wall tiles``."""
    rules: list[Reason]
    """The rules that forbid it together; without any of them it is possible."""
    facts: list[str]
    confirmed: list[str]
