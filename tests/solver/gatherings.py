"""Random endings in which features come together, with many followers on them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from burgrave.model.book import book_of
from burgrave.model.components import Follower, Node, Rank
from burgrave.model.features import position_features
from burgrave.model.geometry import PORTS
from burgrave.model.position import Position
from burgrave.model.problems import problems
from burgrave.model.tiles import Kind, Mark, Segment, TileKind
from tests.solver.endings import late

HALF = 0.5


def gathering(seed: int, *, falcon: bool) -> Iterator[Position]:
    """Yield an ending in which features come together: tiles are broad, and followers many.

    Args:
        seed: another seed, another ending.
        falcon: whether it is one of The Castle with The Falcon.

    Yields:
        Nothing if what the seed gives cannot arise.

    """
    rng = random.Random(f"gathering {seed}")
    kinds = (Kind.TOWER, Kind.HOUSE, Kind.COURT, Kind.CHAPEL)[: 3 + falcon]
    pair = rng.sample(kinds, 2)
    tiles = tuple(_broad(rng, f"B{index}", pair, falcon=falcon) for index in range(4))
    at = late(rng, rng.choice((2, 3, 3)), tiles, falcon=falcon)
    if at is not None:
        yield from crowded(at, rng)


def _broad(rng: random.Random, name: str, pair: Sequence[Kind], *, falcon: bool) -> TileKind:
    """Return a kind of tile with one segment or two, each of several sides."""
    first = rng.choice((0b1111, 0b1111, 0b0111, 0b0101, 0b0011))
    segments = []
    for kind, sides in zip(pair, (first, 0b1111 & ~first), strict=True):
        ports = tuple(port for port in range(PORTS) if sides >> port // 3 & 1)
        marks = (Mark.MARKET,) * rng.choice((0, 1)) if kind is Kind.COURT else ()
        segments += [Segment(kind=kind, ports=ports, marks=marks)] if ports else []
    aeries = ((0,),) if falcon and rng.random() < HALF else ()
    return TileKind(id=name, count=6, segments=tuple(segments), aeries=aeries)


def crowded(at: Position, rng: random.Random) -> Iterator[Position]:
    """Yield a position with other followers, those of both players on open features.

    Args:
        at: the position.
        rng: where chance comes from.

    Yields:
        Nothing if the position cannot arise.

    """
    game, board = at.game, position_features(at)
    left = [game.followers, game.followers]
    ranks = [[rank for rank in game.specials if rng.random() < HALF] for _ in at.players]
    followers = []
    crowd = rng.choice((0.2, 0.4, 0.7))
    for tile in sorted(at.tiles, key=lambda _: rng.random()):
        for index, segment in enumerate(tile.kind.segments):
            player = rng.randrange(2)
            feature = board.at(Node(tile.cell, index))
            if feature.open_sides and left[player] and rng.random() < crowd:
                role, rank = book_of(game).roles[segment.kind], Rank.FOLLOWER
                if ranks[player]:
                    rank = ranks[player].pop()
                else:
                    left[player] -= 1
                followers.append(Follower(Node(tile.cell, index), player, role, rank))
    standing = [{f.rank for f in followers if f.player == player} for player in range(2)]
    players = tuple(
        replace(
            player,
            supply=min(rng.choice((1, 2, 3)), free),
            fresh_followers=0,
            specials=tuple(sorted({*game.specials} - there)),
            fresh_specials=(),
        )
        for player, free, there in zip(at.players, left, standing, strict=True)
    )
    found = replace(at, players=players, followers=tuple(sorted(followers)))
    if not problems(found):
        yield found
