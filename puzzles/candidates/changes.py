"""Small random changes of a position, for the composer's local search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

from burgrave.model.book import book_of
from burgrave.model.components import Follower, Node, Prisoner, Rank
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.tower.parts import Tower, TowerHoldings, Towers
from burgrave.model.parts import Part
from burgrave.model.position import PlayerState, Position
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.model.tiles import Kind, PlacedTile
from burgrave.puzzles.study.simplify import pieces

Change = Callable[[Position, Random], Position]
"""Returns a changed position, which may break a rule or be the same."""
SUPPLY = 3
"""Most followers of a player in a composed position."""
HELD = 2
"""Most wall tiles of a player in a composed position."""
TOKENS = 2
"""Most aerie tokens of a player in a composed position."""
TALL = 2
"""Most tower pieces of a tower in a composed position."""
NEAR = 12
"""Most points between a marker and the corner tower in front of it."""


def changed(position: Position, rng: Random) -> Position:
    """Return a position with one small change, chosen by lot."""
    game = position.game
    choice: tuple[Change, ...] = (
        *ANYWHERE,
        *(IN_CASTLES if book_of(game).wall_tiles else ()),
        *(WITH_SPECIALS if game.specials else ()),
        *((_won,) if book_of(game).collect else ()),
        *(WITH_TOWERS if book_of(game).actions else ()),
    )
    weights = (*WEIGHTS, *(1 for _ in choice[len(ANYWHERE) :]))
    (change,) = rng.choices(choice, weights)
    return change(position, rng)


def _without(position: Position, rng: Random) -> Position:
    """Take a piece away."""
    takes = list(pieces(position))
    return rng.choice(takes)(position) if takes else position


def _another_order(position: Position, rng: Random) -> Position:
    """Shuffle the tiles to come."""
    return replace(position, order=tuple(rng.sample(position.order, len(position.order))))


def _another_tile(position: Position, rng: Random) -> Position:
    """Exchange a tile to come."""
    order, others = list(position.order), unused(position)
    if not others:
        return position
    order[rng.randrange(len(order))] = rng.choice(others)
    return replace(position, order=tuple(order))


def _turned(position: Position, rng: Random) -> Position:
    """Rotate or replace a tile of the board, without followers."""
    if not position.tiles:
        return position
    tile = rng.choice(position.tiles)
    kind = tile.kind
    if rng.random() < 0.7 and (others := unused(position)):  # noqa: PLR2004 -- mostly
        kind = position.game.tile_set.kind(rng.choice(others))
    new = PlacedTile(cell=tile.cell, kind=kind, rotation=rng.choice(kind.rotations()))
    return replace(
        position,
        tiles=tuple(new if one is tile else one for one in position.tiles),
        followers=tuple(f for f in position.followers if f.node.cell != tile.cell),
    )


def _manned(position: Position, rng: Random) -> Position:
    """Place a follower of either player on a tile without one: each turn lays its own tile."""
    if not position.tiles:
        return position
    tile = rng.choice(position.tiles)
    index = rng.randrange(len(tile.kind.segments))
    roles = book_of(position.game).roles
    kind: Kind = tile.kind.segments[index].kind
    if kind not in roles or any(one.node.cell == tile.cell for one in position.followers):
        return position
    player = _any(position, rng)
    new = Follower(Node(tile.cell, index), player, roles[kind], Rank.FOLLOWER)
    return replace(position, followers=tuple(sorted((*position.followers, new))))


def _betrayed(position: Position, rng: Random) -> Position:
    """Give a follower to the next player."""
    if not position.followers:
        return position
    old = rng.choice(position.followers)
    new = old._replace(player=(old.player + 1) % len(position.players))
    return replace(
        position, followers=tuple(sorted(new if f is old else f for f in position.followers))
    )


def _supplied(position: Position, rng: Random) -> Position:
    """Change the followers that a player may place."""
    return _with(position, _any(position, rng), supply=rng.randint(0, SUPPLY))


def _held(position: Position, rng: Random) -> Position:
    """Change the wall tiles in a player's hand."""
    numbers = sorted((+unseen(position)).elements())
    held = rng.sample(numbers, min(len(numbers), rng.randint(0, HELD)))
    return _with(position, rng.randrange(2), wall_tiles=tuple(sorted(held)))


def _tempted(position: Position, rng: Random) -> Position:
    """Put a wall tile on a corner tower a few points before the player to move."""
    towers = [tower for tower in position.game.board.towers if tower.holds_tile]
    tower, numbers = rng.choice(towers), sorted((+unseen(position)).elements())
    score = max(0, rng.choice(tower.spaces) - rng.randint(1, NEAR))
    with_tile = dict(position.towers) | {tower.name: rng.choice(numbers)}
    known = [one.name for one in position.game.board.towers]
    placed = tuple(sorted(with_tile.items(), key=lambda entry: known.index(entry[0])))
    return _with(replace(position, towers=placed), position.to_move, score=score)


def _kept(position: Position, rng: Random) -> Position:
    """Change a player's keep."""
    return _with(position, rng.randrange(2), keep=rng.choice((0, 2, 3, 4)))


def _crowned(position: Position, rng: Random) -> Position:
    """Exchange a follower on the board for one of another rank, a king perhaps."""
    if not position.followers:
        return position
    old = rng.choice(position.followers)
    rank = rng.choice((Rank.FOLLOWER, *position.game.specials))
    others = (one for one in position.followers if one is not old)
    at = replace(position, followers=tuple(sorted((*others, old._replace(rank=rank)))))
    return _absent(at, old.player, rank)


def _attended(position: Position, rng: Random) -> Position:
    """Change which followers with a rank a player has at hand."""
    player = _any(position, rng)
    away = {one.rank for one in position.followers if one.player == player}
    free = [rank for rank in position.game.specials if rank not in away]
    hand = rng.sample(free, rng.randint(0, len(free)))
    return _with(position, player, specials=tuple(sorted(hand)))


def _won(position: Position, rng: Random) -> Position:
    """Change a player's aerie tokens."""
    return _with_part(position, _any(position, rng), FalconHoldings(tokens=rng.randint(0, TOKENS)))


def _raised(position: Position, rng: Random) -> Position:
    """Build a tower on a place for one, with a guard or without, or take it away."""
    cells = [tile.cell for tile in position.tiles if tile.kind.tower_place]
    if not cells:
        return position
    cell, height = rng.choice(cells), rng.randint(0, TALL)
    guard = rng.choice((None, *range(len(position.players))))
    rank = Rank.FOLLOWER if guard is None else _at_hand(position, guard, rng)
    others = position.part(Towers).without(cell).built
    risen = (Tower(cell, height, guard, rank=rank),) if height else ()
    at = position.with_part(Towers(built=tuple(sorted((*others, *risen)))))
    return at if guard is None else _absent(at, guard, rank)


def _captured(position: Position, rng: Random) -> Position:
    """Give a player a prisoner of another one, or none."""
    player = _any(position, rng)
    owner = rng.choice((None, *(p for p in range(len(position.players)) if p != player)))
    if owner is None:
        return _holding(position, player)
    rank = _at_hand(position, owner, rng)
    return _absent(_holding(position, player, Prisoner(owner, rank)), owner, rank)


def _holding(position: Position, player: int, *prisoners: Prisoner) -> Position:
    """Return the position with other prisoners of a player."""
    had = position.players[player].part(TowerHoldings)
    return _with_part(position, player, replace(had, prisoners=prisoners))


def _at_hand(position: Position, player: int, rng: Random) -> Rank:
    """Return the rank of a follower by lot: an ordinary one, or one of those in a supply."""
    ranks = (Rank.FOLLOWER, *position.players[player].specials)
    return rng.choice(ranks) if len(ranks) > 1 else Rank.FOLLOWER


def _absent(position: Position, player: int, rank: Rank) -> Position:
    """Take the follower of a rank out of a player's supply: he is somewhere else."""
    hand = position.players[player].specials
    return _with(position, player, specials=tuple(one for one in hand if one != rank))


def _any(position: Position, rng: Random) -> int:
    """Return a player by lot."""
    return rng.randrange(len(position.players))


def unused(position: Position) -> list[str]:
    """Return the tiles of the set that are neither on the board nor to come."""
    left = Counter(position.game.tile_set.all_tiles())
    left.subtract(tile.kind.id for tile in position.tiles)
    left.subtract(position.order)
    return sorted((+left).elements())


def _with(position: Position, player: int, **state: object) -> Position:
    """Return the position with another state of a player."""
    players: list[PlayerState] = list(position.players)
    players[player] = replace(players[player], **state)  # type: ignore[arg-type]  # each caller names fields
    return replace(position, players=tuple(players))


def _with_part(position: Position, player: int, part: Part) -> Position:
    """Return the position with another part of a player's state."""
    return _with(position, player, parts=position.players[player].with_part(part).parts)


ANYWHERE: tuple[Change, ...] = (
    _without,
    _another_order,
    _another_tile,
    _turned,
    _manned,
    _betrayed,
    _supplied,
)
WEIGHTS = (3, 2, 4, 4, 3, 1, 1)
"""Relative frequency of each change."""
IN_CASTLES: tuple[Change, ...] = (_held, _tempted, _kept)
WITH_SPECIALS: tuple[Change, ...] = (_crowned, _attended)
WITH_TOWERS: tuple[Change, ...] = (_raised, _captured)
