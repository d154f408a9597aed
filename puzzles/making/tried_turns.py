"""Turns that a player might try: legal ones, and ones that break a rule or two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.engine import play
from burgrave.model.expansions.tower.towers import near, tower_places
from burgrave.model.features import position_features
from burgrave.model.geometry import Cell
from burgrave.model.laying import lay
from burgrave.model.placement import Placement
from burgrave.model.places import places
from burgrave.model.position import Capture, Deployment, Guard, Move, Position, Ransom, ScoreStep
from burgrave.model.rules.castle.setup import WALL_TILE_NUMBERS
from burgrave.model.rules.castle.wall_tiles import DOUBLERS
from burgrave.model.stage import Stage
from burgrave.model.tiles import PlacedTile
from burgrave.puzzles.making.small_boards import happens
from burgrave.puzzles.rulings.without_a_rule import AnyRule, forbids

PLACES = 3
"""Number of places whose turns are tried."""
LISTED = 12
"""Number of legal turns tried on a place."""
BROKEN = 3
"""Turns tried for each legal one that break a rule, as far as they do."""


def tries(position: Position, rng: Random, rule: AnyRule) -> Iterator[Move]:
    """Yield turns in a position, the same for the same chance.

    Args:
        position: a position with a known next tile.
        rng: the only source of chance.
        rule: a rule that may decide them; if it forbids something, many moves break it.

    """
    before, ways = position_features(position), _ways(position, rule)
    tile = position.order[0]
    legal = sorted(places(position, tile), key=lambda laid: -_neighbours(position, laid.cell))
    near = legal[: 2 * PLACES]
    for laid in rng.sample(near, min(PLACES, len(near))):
        placement = lay(position, laid, before)
        listed = list(book_of(position.game).conduct.turns(placement, ()))
        for move in rng.sample(listed, min(LISTED, len(listed))):
            yield move
            if ways:
                yield from (rng.choice(ways)(placement, move, rng) for _ in range(BROKEN))
    if rule in book_of(position.game).placement:
        yield from _misplaced(position, tile, rng)


def _neighbours(position: Position, cell: Cell) -> int:
    """Return the number of sides of a cell that meet tiles."""
    return sum(position.tile_at(beyond) is not None for _, beyond in cell.neighbours())


def _misplaced(position: Position, tile: str, rng: Random) -> Iterator[Move]:
    """Yield the next tile on cells near those that are filled, turned anyhow."""
    filled = [laid.cell for laid in position.tiles]
    filled += [start.cell for start in position.game.board.starts]
    for _ in range(LISTED):
        cell = rng.choice(filled)
        near = Cell(cell.x + rng.randint(-1, 1), cell.y + rng.randint(-1, 1))
        yield Move(tile=tile, cell=near, rotation=rng.randrange(4))


def _other_follower(placement: Placement, move: Move, rng: Random) -> Move:
    """Place any follower on any segment of the new tile, or sometimes of another."""
    position = placement.position
    old = happens(rng, 0.2) and position.tiles
    tile = rng.choice(old) if old else placement.tile
    return replace(move, followers=(_deployed(position, tile, rng),))


def _more_followers(placement: Placement, move: Move, rng: Random) -> Move:
    """Place one follower more."""
    more = _deployed(placement.position, placement.tile, rng)
    return replace(move, followers=(*move.followers, more))


def _deployed(position: Position, tile: PlacedTile, rng: Random) -> Deployment:
    """Return a follower on a segment of a tile, usually one who may stand there."""
    segment = rng.randrange(len(tile.kind.segments))
    roles = book_of(position.game).roles
    own = roles[tile.kind.segments[segment].kind]
    role = own if happens(rng, 0.8) else rng.choice(list(roles.values()))
    return Deployment(tile.cell, segment, role, rng.choice(tuple(_ranks(position))))


def _ranks(position: Position) -> Iterator[Rank]:
    """Yield the ranks of the followers of a game."""
    yield Rank.FOLLOWER
    yield from position.game.specials


def _other_scoring(placement: Placement, move: Move, rng: Random) -> Move:
    """Name features in any order, perhaps with wall tiles that double them."""
    done = [feature.anchor for feature in placement.completed]
    nodes = rng.sample(done, min(len(done), rng.randint(1, 2)))
    held = placement.mover.wall_tiles
    number = rng.choice([number for number in held if number in DOUBLERS] or list(DOUBLERS))
    steps = tuple(ScoreStep(node, (number,) * rng.randint(0, 2)) for node in nodes)
    return replace(move, scoring=steps)


def _other_draw(placement: Placement, move: Move, rng: Random) -> Move:
    """Lay another tile than the next, perhaps with the next one thrown away."""
    position = placement.position
    first, *rest = position.order
    if rest and happens(rng, 0.7):
        return replace(move, discards=(first,), tile=rest[0], followers=(), scoring=())
    other = rng.choice([kind.id for kind in position.game.tile_set.kinds])
    return replace(move, tile=other, followers=(), scoring=())


def _more_wall_tiles(placement: Placement, move: Move, rng: Random) -> Move:
    """Play wall tiles 1, or tell the number of a wall tile that is taken."""
    position = placement.position
    left = play(position, move).position.towers
    taken = [tower for tower, _ in position.towers if tower not in dict(left)]
    if taken:
        return replace(move, reveals=((rng.choice(taken), rng.choice(WALL_TILE_NUMBERS)),))
    return replace(move, extra_turns=rng.randint(1, 2))


def _other_action(placement: Placement, move: Move, rng: Random) -> Move:
    """Raise or close a tower, or take a follower prisoner."""
    stage = Stage(position=placement.position, placement=placement)
    towers = tower_places(stage) or tuple(stage.board)
    cell = rng.choice(towers if happens(rng, 0.9) else tuple(stage.board))
    followers = move.followers if happens(rng, 0.2) else ()
    if happens(rng, 0.3):
        return replace(move, followers=followers, pieces=(), captures=(), guards=(Guard(cell),))
    taken = near(stage, cell)
    if happens(rng, 0.3):
        taken = tuple(Capture(*follower.node) for follower in placement.position.followers)
    captures = tuple(rng.sample(taken, min(len(taken), rng.choice((0, 1, 1, 2)))))
    pieces = (cell,) if happens(rng, 0.9) else ()
    return replace(move, followers=followers, pieces=pieces, captures=captures, guards=())


def _other_ransom(placement: Placement, move: Move, rng: Random) -> Move:
    """Buy one follower back, or two, before the action or after scoring."""
    number = rng.choice((1, 1, 2))
    other = 1 - placement.position.to_move
    ransom = Ransom(other, late=happens(rng, 0.5))
    return replace(move, ransoms=(ransom,) * number)


_Way = Callable[[Placement, Move, Random], Move]
_FOLLOWERS: tuple[_Way, ...] = (_other_follower, _more_followers)
_WALL_TILES: tuple[_Way, ...] = (_other_scoring, _other_scoring, _more_wall_tiles)


def _ways(position: Position, rule: AnyRule) -> tuple[_Way, ...]:
    """Return the ways to change a turn so that it may break a rule; none if no turn breaks it."""
    book = book_of(position.game)
    if not forbids(rule, position.game) or rule in book.placement:
        return ()
    if rule in book.deployment:
        return _FOLLOWERS
    if rule in book.actions:
        return (_other_action,)
    if rule in book.wall_tiles:
        return _WALL_TILES
    if not book.wall_tiles:
        return (_other_draw, _other_ransom, _other_action) if book.actions else (_other_draw,)
    return (_other_draw, *_WALL_TILES)
