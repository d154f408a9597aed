"""Completed features with their followers and scorers, and the turn that scores them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from burgrave.model.components import Aerie, Follower
from burgrave.model.features import Feature
from burgrave.model.games import Game
from burgrave.model.position import Move, PlayerState, Position, ScoreStep


class Occasion(Enum):
    """The time at which a feature is scored."""

    COMPLETED = auto()
    """In play, by the tile that completes it."""
    COURT = auto()
    """A court at the end."""
    COURT_WITH_TILE = auto()
    """A court at the end with a wall tile 7."""
    END_TILE = auto()
    """Uncompleted at the end, by a wall tile 4, 5 or 6."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A feature that a player scores."""

    game: Game
    feature: Feature
    followers: tuple[Follower, ...]
    """Followers on it, one placed this turn included."""
    winner: int
    """Index of the player who scores it."""
    occasion: Occasion

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.game.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A feature completed in a turn, with its followers and its scorer."""

    feature: Feature
    followers: tuple[Follower, ...]
    """Followers on it, the one placed this turn included."""
    winner: int | None
    """Index of the player who scores it, or None."""
    points: int
    """Its worth without wall tiles, doubled if the winner's followers double it."""
    doubled_by: tuple[tuple[str, str], ...] = ()
    """The followers that double it, in words, each with the id of the rule."""
    doublable: bool = True
    """Whether a wall tile 2 or 3 may double it, as far as its followers let it."""

    def scored(self, game: Game) -> Scored | None:
        """Return the scorer of the feature in play; None without one."""
        if self.winner is None:
            return None
        return Scored(
            game=game,
            feature=self.feature,
            followers=self.followers,
            winner=self.winner,
            occasion=Occasion.COMPLETED,
        )


def claimed(claims: Sequence[Claim], step: ScoreStep) -> int | None:
    """Return the index of the claim that a scoring step names, if there is one."""
    for index, claim in enumerate(claims):
        if step.node in claim.feature.nodes:
            return index
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A move with the features it completes, as the rules of wall tiles see it."""

    position: Position
    move: Move
    claims: tuple[Claim, ...]

    @property
    def mover(self) -> PlayerState:
        """The player whose turn it is."""
        return self.position.players[self.position.to_move]

    def steps(self) -> Iterator[tuple[ScoreStep, Claim]]:
        """Yield the scoring steps that name a completed feature, with their claims."""
        for step in self.move.scoring:
            index = claimed(self.claims, step)
            if index is not None:
                yield step, self.claims[index]

    def user(self, claim: Claim) -> int:
        """Return whose wall tile doubles a feature: its scorer's, or the mover's if none."""
        return self.position.to_move if claim.winner is None else claim.winner


class Pile(NamedTuple):
    """The tokens during a turn or final scoring."""

    held: tuple[int, ...]
    """Tokens of each player."""
    gone: frozenset[Aerie]
    """Aeries that bring no more tokens."""


class Farm(NamedTuple):
    """A field with the completed cities that touch it."""

    field: Feature
    cities: tuple[Feature, ...]
    """Completed cities, each once, in the order of the board."""


class Harvest(NamedTuple):
    """The points of farms for a player, for one field or one city."""

    player: int
    points: int
    feature: Feature
    """The field, or the city if cities are what is scored."""
    cities: int
    """Cities that pay."""
