"""What a feature promises a player: points now, chances later, the time of followers.

These are guesses by which a sensible player compares places; nothing in them is proved.
"""

from __future__ import annotations

import math

from model.features import Feature
from model.final_uses import scored_at_end
from model.position import PlayerState, Position
from model.rewards import collect, multiple, pile_of
from model.rules.final_tiles import TARGETS
from model.rules.keeps import END_COURT, KEEP
from model.rules.scoring import MAJORITY, Occasion, Scored
from model.tiles import Kind

WALL_TILE = 3.5
"""Points that a wall tile is guessed to bring; a sensible player does not look under it."""
KEEP_AREA = 8.0
"""Cells that the largest empty area is guessed to have at the end."""
KEEP_DOUBT = 1.5
"""Tiles of lead between two keeps that make the larger one likely to stay larger."""
LOCKED = 6.0
"""Points that a follower would bring elsewhere if he stood on the board for a whole game."""
GAME = 60
"""Tiles in a game, by which the worth of time is measured."""
GROWTH = 0.4
"""Tiles by which an uncompleted feature is guessed to grow for each empty cell it faces."""
TOKEN = 1.0
"""Points that an aerie token is guessed to bring."""
MARKET_GROWTH = 0.25
"""Markets by which a court is guessed to grow for each empty cell it faces early in the game."""
ENDING = 8
"""Tiles left to draw at which nobody keeps a follower back any longer."""


def left(position: Position) -> int:
    """Return the number of tiles that are still to be drawn."""
    return len(position.order) + len(position.bag)


def game_left(position: Position) -> float:
    """Return how much of a whole game is still to come, 0 to 1."""
    return min(1.0, left(position) / GAME)


def finished(feature: Feature) -> bool:
    """Tell whether a feature is scored in play as it stands; walled-in holes are not looked at."""
    return feature.kind is not Kind.COURT and feature.inside and not feature.open_sides


def chance(position: Position, feature: Feature) -> float:
    """Return the guessed probability that a feature will be completed, 0 to 1.

    Each empty cell that it faces must be filled, which gets less likely as tiles run out.
    """
    if feature.kind is Kind.COURT:
        return 0.0
    tiles = max(0, left(position) - 1)
    one = 0.9 * tiles / (tiles + 6.0)
    return float(one ** len(feature.empty_cells()))


def promise(position: Position, player: int, feature: Feature) -> float:
    """Return the points that a feature promises the player who has its majority."""
    owner = position.players[player]
    gaps = len(feature.empty_cells())
    if feature.kind is Kind.COURT:
        scored = scored_at_end(position, feature, player, Occasion.COURT)
        hoped = END_COURT(feature) + 3.0 * MARKET_GROWTH * gaps * game_left(position)
        return hoped * multiple(scored) + _tokens(position, scored)
    scored = scored_at_end(position, feature, player, Occasion.COMPLETED)
    worth = float(position.game.rules.worth[feature.kind](feature)) * multiple(scored)
    worth += _tokens(position, scored)
    if feature.kind is Kind.HOUSE:
        worth += keep_gain(position, owner, feature)
    if finished(feature):
        return worth
    likely = chance(position, feature)
    grown = worth * (1.0 + GROWTH * gaps * game_left(position) / feature.size)
    at_end = any(
        number in owner.wall_tiles and kind is feature.kind for number, (kind, _) in TARGETS.items()
    )
    return max(likely * grown, worth if at_end else 0.0)


def _tokens(position: Position, scored: Scored) -> float:
    """Return what the aerie tokens of a feature are guessed to bring."""
    return TOKEN * sum(event.tokens for event in collect(pile_of(position), scored)[1])


def keep_gain(position: Position, owner: PlayerState, house: Feature) -> float:
    """Return what scoring a house is guessed to add to its owner's share of the empty area."""
    other = max(player.keep for player in position.players if player is not owner)
    larger = KEEP(position.game, owner, house)
    return KEEP_AREA * (_ahead(larger - other) - _ahead((owner.keep or -1) - other))


def _ahead(lead: float) -> float:
    """Return the guessed probability that a keep so many tiles larger stays larger."""
    return 1.0 / (1.0 + math.exp(-lead / KEEP_DOUBT))


def view(position: Position, feature: Feature, spite: float) -> float:
    """Return what a feature with its followers is worth to the player whose turn it is.

    Args:
        position: the position before the move.
        feature: the feature as it is or would be.
        spite: points of his own that a point of the opponent weighs.

    """
    total = 0.0
    for player in range(len(position.players)):
        gain = feature.strength(player) * home(position, feature)
        if MAJORITY(feature.followers, len(position.players)) == player:
            gain += promise(position, player, feature)
        total += gain if player == position.to_move else -spite * gain
    return total


def home(position: Position, feature: Feature) -> float:
    """Return what a follower's way home from a feature is worth: the time he wins."""
    if finished(feature):
        return LOCKED * game_left(position)
    return 0.8 * LOCKED * game_left(position) * chance(position, feature)
