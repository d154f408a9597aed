"""Sketches: a few tiles laid together at random, with all that can lie on them.

Lessons on rules are looked for in them. Much happens on few tiles. The tiles form a block with a
hole for the next one. Followers share features, markers stand before towers and gates, and players
hold pieces of every sort.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import cache
from random import Random

from burgrave.model.book import book_of
from burgrave.model.components import Follower, Node, Prisoner, Rank
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.tower.parts import Tower, TowerHoldings, Towers
from burgrave.model.features import position_features
from burgrave.model.files.tilesets import shipped_tile_set
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.laying import complete
from burgrave.model.places import can_lie
from burgrave.model.position import PlayerState, Position
from burgrave.model.problems import problems
from burgrave.model.rules.castle.setup import WALL_TILE_NUMBERS
from burgrave.model.rules.castle.wall_tiles import DOUBLERS
from burgrave.model.tiles import Kind, PlacedTile, TileKind

SIDE = (1, 4)
"""The shortest and the longest side of a block."""
FITTING = 60
"""Tiles that are tried on a cell."""
SHORT = 12
"""Points that a marker may stand before a tower or a gate."""
COMMON = 2.5
"""The delay of a tile that shows nothing rare."""
CROWDED = 0.3
"""Probability that a follower stands on the largest feature."""
WALL_TILES = 7
"""Wall tiles that are shared out at most."""


def happens(rng: Random, share: float) -> bool:
    """Let chance decide, in a share of all cases for yes."""
    return rng.random() < share


def sketch(game: Game, rng: Random) -> Position | None:
    """Return a position of a few tiles that can arise by the rules; None if this one cannot.

    Args:
        game: the game.
        rng: the only source of chance.

    """
    cells = _block(game, rng)
    pool = _pool(game, rng)
    start = PlayerState(supply=0)
    bare = Position(game=game, players=(start,) * len(game.players))
    hole = rng.choice(cells[1:] or cells)
    for cell in cells:
        if cell != hole:
            bare = _with_tile(bare, cell, pool, rng)
    if not (bare.tiles or game.board.starts):
        return None
    tiles = tuple(sorted(bare.tiles, key=lambda tile: tile.cell))
    board = replace(bare, tiles=tiles, order=_coming(bare, hole, pool, rng))
    peopled = replace(board, followers=_followers(board, hole, rng), to_move=rng.randrange(2))
    rich = _with_hands(_with_players(_with_towers(peopled, rng), rng), rng)
    return None if problems(rich) else rich


def _pool(game: Game, rng: Random) -> list[str]:
    """Return the tiles in an order of chance in which those with something rare come early."""
    late = {kind.id: 1.0 if _rare(kind, game.base) else COMMON for kind in game.tile_set.kinds}
    return sorted(game.tile_set.all_tiles(), key=lambda tile: late[tile] * rng.random())


def _rare(kind: TileKind, base: str) -> bool:
    """Tell whether a tile has something that few tiles have, or that an expansion brings."""
    return bool(kind.aeries or kind.tower_place or _shown(kind) - _usual(base))


@cache
def _usual(base: str) -> set[StrEnum]:
    """Return what tiles of a base show, apart from cloisters."""
    shown = map(_shown, shipped_tile_set(base).kinds)
    return set[StrEnum]().union(*shown) - {Kind.CLOISTER}


def _shown(kind: TileKind) -> set[StrEnum]:
    """Return the kinds and the marks of a tile's segments."""
    return {one for segment in kind.segments for one in (segment.kind, *segment.marks)}


def _block(game: Game, rng: Random) -> list[Cell]:
    """Return the cells of a rectangle, the one where the castle can begin first."""
    first = rng.choice(game.board.starts).cell if game.board.starts else Cell(0, 0)
    width, height = rng.randint(*SIDE), rng.randint(*SIDE)
    left, low = first.x - rng.randrange(width), first.y - rng.randrange(height)
    if happens(rng, 0.3):
        width, height, left, low = 3, 3, first.x - 1, first.y - 1
    cells = [Cell(left + x, low + y) for x in range(width) for y in range(height)]
    return sorted(
        (cell for cell in cells if game.board.holds(cell)),
        key=lambda cell: (abs(cell.x - first.x) + abs(cell.y - first.y), cell),
    )


def _with_tile(position: Position, cell: Cell, pool: list[str], rng: Random) -> Position:
    """Lay a tile of the pool that fits on a cell, if one is soon found."""
    for index in range(min(FITTING, len(pool))):
        kind = position.game.tile_set.kind(pool[index])
        for rotation in rng.sample(range(4), 4):
            tile = PlacedTile(cell=cell, kind=kind, rotation=rotation)
            if can_lie(position, tile):
                pool.pop(index)
                return replace(position, tiles=(*position.tiles, tile))
    return position


def _coming(position: Position, hole: Cell, pool: list[str], rng: Random) -> tuple[str, ...]:
    """Return the next tile, usually one that fits into the hole, and sometimes another one."""
    fitting = _with_tile(position, hole, list(pool), rng).tiles[len(position.tiles) :]
    first = fitting[0].kind.id if fitting and happens(rng, 0.8) else pool[0]
    pool.remove(first)
    return (first, pool[0]) if happens(rng, 0.2) else (first,)


def _followers(position: Position, hole: Cell, rng: Random) -> tuple[Follower, ...]:
    """Let followers of all ranks stand on a few features that are not complete."""
    game, laid = position.game, position.laid()
    free = [
        feature
        for feature in position_features(position)
        if feature.inside and not complete(position, feature, laid)
    ]
    found: dict[Node, Follower] = {}
    ranks = {player: list(game.specials) for player in range(len(game.players))}
    near = [feature for feature in free if hole in feature.empty_cells()]
    chosen = rng.sample(near, rng.randint(len(near) // 2, len(near)))
    chosen += rng.sample(free, min(rng.randint(0, 3), len(free)))
    crowded = max(free, key=lambda feature: len(feature.nodes), default=None)
    if crowded is not None and happens(rng, CROWDED):
        chosen.append(crowded)
    for feature in chosen:
        nodes = [node for node in feature.nodes if game.board.holds(node.cell)]
        for node in rng.sample(nodes, min(len(nodes), rng.choice((1, 1, 2, 3, 3)))):
            player = rng.randrange(len(game.players))
            special = ranks[player] and node not in found and happens(rng, 0.5)
            rank = ranks[player].pop() if special else Rank.FOLLOWER
            role = book_of(game).roles[feature.kind]
            found.setdefault(node, Follower(node, player, role, rank))
    return tuple(sorted(found.values()))


def _with_towers(position: Position, rng: Random) -> Position:
    """Begin towers on tower places, some with a follower."""
    if not book_of(position.game).actions:
        return position
    places = [tile.cell for tile in position.tiles if tile.kind.tower_place]
    built = [
        Tower(cell, rng.randint(1, 3), rng.choice((None, None, 0, 1)))
        for cell in places
        if happens(rng, 0.6)
    ]
    return position.with_part(Towers(built=tuple(sorted(built))))


def _with_players(position: Position, rng: Random) -> Position:
    """Give the players scores, supplies, keeps, tokens, tower pieces and prisoners."""
    game = position.game
    walled = bool(book_of(game).wall_tiles)
    captor = rng.randrange(2) if book_of(game).actions else None
    players = []
    for index in range(len(game.players)):
        placed = [follower.rank for follower in position.followers if follower.player == index]
        specials = [rank for rank in game.specials if rank not in placed]
        state = PlayerState(
            score=_score(game, rng),
            supply=rng.choice((0, 1, 2)),
            keep=rng.choice((0, 0, 1, 2, 4)) if walled else 0,
            specials=tuple(specials),
        )
        won = FalconHoldings(tokens=rng.choice((0, 1, 2, 6)) if book_of(game).tokens else 0)
        holdings = TowerHoldings(
            pieces=rng.choice((0, 1, 2)) if book_of(game).actions else 0,
            prisoners=(Prisoner(1 - index),) * rng.randint(0, 2) if index == captor else (),
        )
        players.append(state.with_part(won).with_part(holdings))
    if captor is not None and players[1 - captor].specials and happens(rng, 0.5):
        owner, both = players[1 - captor], players[captor].part(TowerHoldings)
        for rank in owner.specials:
            both = both.with_prisoner(Prisoner(1 - captor, rank), game)
        players[captor] = players[captor].with_part(both)
        players[1 - captor] = replace(owner, specials=())
    return replace(position, players=tuple(players))


def _score(game: Game, rng: Random) -> int:
    """Return a score, often one a few points before a tower or a gate."""
    marks = [space for tower in game.board.towers for space in tower.spaces]
    marks += [gate.after for gate in game.board.gates] * 3
    if marks and happens(rng, 0.7):
        return max(0, rng.choice(marks) - rng.randint(0, SHORT))
    return rng.randint(0, SHORT)


def _with_hands(position: Position, rng: Random) -> Position:
    """Share out wall tiles, often two of a number; some lie on corner towers."""
    if not book_of(position.game).wall_tiles:
        return position
    numbers = [number for number in WALL_TILE_NUMBERS for _ in range(2)]
    hands: list[list[int]] = [[], []]
    for _ in range(rng.randint(0, WALL_TILES)):
        in_play = [number for number in numbers if number <= max(DOUBLERS)]
        number = rng.choice(in_play if in_play and happens(rng, 0.4) else numbers)
        player = rng.randrange(2)
        for _ in range(min(numbers.count(number), rng.choice((1, 2)))):
            numbers.remove(number)
            hands[player].append(number)
    rng.shuffle(numbers)
    players = zip(position.players, hands, strict=True)
    seats = [tower.name for tower in position.game.board.towers if tower.holds_tile]
    return replace(
        position,
        players=tuple(replace(p, wall_tiles=tuple(sorted(hand))) for p, hand in players),
        towers=tuple(zip(seats, numbers, strict=False))[: len(seats) - sum(map(len, hands))],
    )
