"""Types of ``--json`` of the commands that estimate; see ``json_types``."""

from __future__ import annotations

from typing import Literal

from burgrave.cli.render.json_types import Base, ByRules


class Estimated(Base):
    """A first move with its value."""

    notation: str
    value: float
    """The lead at the end of the player to move, in points."""
    interval: list[float]
    """The interval of 95 %; the value twice if it is proved."""
    win: float | None
    """The share of the playouts that he wins, a draw counted half; if the value is proved, the
    proved chance if all play for the win after this move; None if that is not known."""
    playouts: int
    """Games that were played after it."""
    behind: float
    """Points of lead by which it is worse than the best move, on the same tiles."""
    behind_interval: list[float]
    """The interval of 95 % of that; the loss twice if it is proved."""


class Evaluation(ByRules):
    """The answer of ``evaluate``."""

    player: str
    """The player to move."""
    tiles: int
    """Tiles to come."""
    status: Literal["proved", "estimate"]
    value: float
    interval: list[float]
    win: float | None
    moves: list[Estimated]
    """First moves, the best first; none if the next tile is unknown."""
    equal: int
    """How many of them, the first, cannot be told from the best: 1 if it stands apart."""
    legal: int
    """Legal moves, those that lead to the same position counted once."""
    playouts: int
    """Games that were played in all."""
    seed: int
    by: str
    """The policy of the playouts, or the engine of the proof."""
    seconds: float


class ReviewedTurn(Base):
    """A turn of a reviewed game; leads are those of the player to move."""

    number: int
    player: int
    played: str
    best: str
    before: float
    """The lead before the draw."""
    luck: float
    """Points that the draw was worth."""
    gain: float
    """Points by which the move is better than the one at first sight; if proved, than the best."""
    after: float
    """The lead after the move: ``before``, ``luck`` and ``gain`` together."""
    loss: float
    """Points of lead that the move lost against the best; an estimate may be below 0."""
    loss_low: float
    """The lower end of its interval of 95 %."""
    loss_high: float
    """The upper end."""
    win_loss: float
    """The chance to win that the move lost, -1 to 1; 0 if it is not known."""
    mark: Literal["", "!", "?!", "?", "??"]
    proved: bool
    missed: list[str]
    """Themes of the best move."""


class PlayerSummary(Base):
    """The review of a player."""

    player: str
    luck: float
    """Points of lead that his draws brought."""
    gain: float
    """Points of lead that his moves brought against those at first sight."""
    lost: float
    """Points of lead that his moves lost against the best."""
    marks: dict[str, int]
    """How many moves have each mark."""


class Review(ByRules):
    """The answer of ``review``."""

    game: str
    players: list[str]
    playouts: int
    seed: int
    turns: list[ReviewedTurn]
    summary: list[PlayerSummary]
    puzzles: list[str]
    """Ids of the puzzles that were written; none without ``--puzzles``."""


class KindOfMistake(Base):
    """What a player lost by mistakes of a kind."""

    turns: int
    marked: int
    """Turns marked as a mistake."""
    lost: float
    """Points of lead, divided by all turns of the player."""


class PlayerOfMany(Base):
    """What a player lost in many games, in points of lead."""

    player: str
    games: int
    turns: int
    lost: float
    """A turn, against the best moves."""
    lost_error: float
    """Half of its interval of 95 %."""
    against_the_field: float | None
    """``lost`` less what all other players lost a turn; null without others."""
    phases: dict[str, float]
    """Phase of the game → points lost a turn."""
    kinds: dict[str, KindOfMistake]
    luck: float
    """Of the draws, a game."""
    marks: dict[str, int]
    """Mark → turns that have it."""


class GameLeftOut(Base):
    """A game that could not be reviewed."""

    game: str
    error: str


class ManyReviews(Base):
    """The answer of ``review`` about several games."""

    games: list[str]
    """The files that were reviewed."""
    left_out: list[GameLeftOut]
    playouts: int
    seed: int
    players: list[PlayerOfMany]


class Practice(Base):
    """The answer of ``practise``: the move that a level plays."""

    player: str
    """The player to move."""
    notation: str
    level: int
    playouts: int
    """Games played for this turn; 0 at sight, and after a proof."""
    proved: bool
    """Whether the move is proved to be the best."""
    seconds: float
    seed: int
