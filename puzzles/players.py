"""Players for self-play: one that plays at random and one that plays sensibly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from model.castle.turn import turns
from model.draws import Draw, draws
from model.features import Feature, position_features
from model.markers import outcomes
from model.placement import Placement, deployable, lay
from model.position import Deployment, Move, Position, Rank
from model.rules.placement import places
from model.rules.scoring import MAJORITY
from model.tiles import PlacedTile
from puzzles.appraisal import ENDING, LOCKED, WALL_TILE, finished, game_left, left, view
from puzzles.prospects import Prospect, Table, prospects, survey

Player = Callable[[Position, Random], Move]
"""Picks a legal move in a position with tiles left to draw."""


def random_player(position: Position, rng: Random) -> Move:
    """Pick a place at random, a follower or none at random, then a way to score at random."""
    draw = drawn_by(position, rng)
    if draw.tile is None:
        return Move(discards=draw.discards)
    tile = rng.choice(list(places(position, draw.tile)))
    placement = lay(position, tile, position_features(position), draw.discards)
    followers = rng.choice(list(deployable(placement)))
    return rng.choice(list(turns(placement, draw.discards, followers)))


def drawn_by(position: Position, rng: Random) -> Draw:
    """Draw a tile: the next of a known order, or any kind in the bag by how many there are."""
    found = list(draws(position))
    weights = [max(1, position.bag.count(draw.tile or "")) for draw in found]
    return rng.choices(found, weights)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """A place and a follower, with what the player thinks of it."""

    value: float
    """Everything but corner towers and wall tiles, in points."""
    landing: float
    """What corner towers may add, all own points scored at once."""
    tile: PlacedTile
    followers: tuple[Deployment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensible:
    """A greedy player who weighs points now and chances later, his own and the opponent's.

    He claims what promises most for the time a follower stands there, likes larger houses
    for the keep, lands on corner towers and uses wall tiles. He looks one turn ahead and
    neither at the tiles to come nor under the wall tiles.
    """

    reserve: int = 1
    """Followers he keeps back, unless one comes home at once or the game is ending."""
    looseness: float = 0.0
    """Probability with which he picks any of his best ``few`` moves."""
    few: int = 5
    """Moves that he looks at closely."""
    spite: float = 0.8
    """Points of his own that a point of the opponent weighs."""

    def __call__(self, position: Position, rng: Random) -> Move:
        """Pick a legal move."""
        draw = drawn_by(position, rng)
        if draw.tile is None:
            return Move(discards=draw.discards)
        table = survey(position)
        choices = [
            choice for tile in places(position, draw.tile) for choice in self._choices(table, tile)
        ]
        choices.sort(key=lambda choice: -choice.value - choice.landing)
        judged = [self._best(table, draw, choice) for choice in choices[: self.few]]
        if rng.random() < self.looseness:
            return rng.choice(judged)[1]
        return max(judged, key=lambda entry: entry[0])[1]

    def _choices(self, table: Table, tile: PlacedTile) -> Iterator[_Choice]:
        """Yield the followers that may be placed with a tile, with a first judgement."""
        position = table.position
        found = prospects(table, tile)
        base = sum(self._change(position, prospect) for prospect in found)
        now = sum(_own_points(position, prospect.feature) for prospect in found)
        landing = _landing(position, now)
        yield _Choice(value=base, landing=landing, tile=tile)
        for prospect in found:
            if prospect.segments and not prospect.feature.followers:
                yield from self._claims(position, prospect, tile, base, now)

    def _claims(
        self, position: Position, prospect: Prospect, tile: PlacedTile, base: float, now: int
    ) -> Iterator[_Choice]:
        """Yield the followers that may be placed on a free feature."""
        role, spot = position.game.rules.roles[prospect.feature.kind], prospect.segments[0]
        for rank in (Rank.FOLLOWER, *position.game.specials):
            # King and falconer may not stand on what is scored in the same turn.
            late = rank is not Rank.FOLLOWER and finished(prospect.feature)
            if late or not position.players[position.to_move].available(rank):
                continue
            deployment = Deployment(tile.cell, spot, role, rank)
            claimed = replace(prospect.feature, followers=(deployment.by(position.to_move),))
            gain = view(position, claimed, self.spite) - self._cost(position, claimed)
            yield _Choice(
                value=base + gain,
                landing=_landing(position, now + _own_points(position, claimed)),
                tile=tile,
                followers=(deployment,),
            )

    def _change(self, position: Position, prospect: Prospect) -> float:
        """Return what a tile changes in a feature, by the followers that stand on it."""
        if not prospect.feature.followers:
            return 0.0
        before = sum(view(position, feature, self.spite) for feature in prospect.before)
        return view(position, prospect.feature, self.spite) - before

    def _cost(self, position: Position, claimed: Feature) -> float:
        """Return what it costs to have a follower less for the rest of the game."""
        cost = LOCKED * game_left(position)
        if claimed.followers[0].rank is not Rank.FOLLOWER:
            # There is one of each: he waits for a feature that is worth him.
            return 2 * cost
        last = position.players[position.to_move].supply <= self.reserve
        if last and not finished(claimed) and left(position) > ENDING:
            cost += LOCKED
        return cost

    def _best(self, table: Table, draw: Draw, choice: _Choice) -> tuple[float, Move]:
        """Return the best way to score a choice, with the value of the move."""
        placement = lay(table.position, choice.tile, table.features, draw.discards)
        ways = [
            (choice.value + self._scored(placement, move), move)
            for move in turns(placement, draw.discards, choice.followers)
        ]
        return max(ways, key=lambda way: way[0])

    def _scored(self, placement: Placement, move: Move) -> float:
        """Return what the wall tiles taken and used in a move bring, in points."""
        position = placement.position
        claims = placement.claims(move.followers)
        ends = outcomes(position, claims, move.scoring)
        markers = min(ends, key=lambda end: ends[end])
        value = 0.0
        for take in markers.takes:
            value += WALL_TILE if take.player == position.to_move else -self.spite * WALL_TILE
        plain = sum(claim.points for claim in claims if claim.winner == position.to_move)
        mover = position.players[position.to_move].score
        value += markers.scores[position.to_move] - mover - plain
        used = sum(len(step.wall_tiles) for step in move.scoring)
        more = left(position) - len(move.discards) > 1
        return (
            value
            - used * WALL_TILE * game_left(position)
            + move.extra_turns * (1.0 if more else -1)
        )


def _own_points(position: Position, feature: Feature) -> int:
    """Return the points that a finished feature brings the player whose turn it is."""
    if finished(feature) and MAJORITY(feature.followers, 2) == position.to_move:
        return position.game.rules.worth[feature.kind](feature)
    return 0


def _landing(position: Position, gained: int) -> float:
    """Return what the marker's way may bring if all points are scored at once."""
    if gained == 0:
        return 0.0
    tower = position.game.board.tower_at(position.players[position.to_move].score + gained)
    taken = tower is not None and tower.name in dict(position.towers)
    return WALL_TILE if taken else 0.0
