"""The kernel of The Castle beside the reference: a walk on which each step is compared.

    python -m tests.solver.kernel.castles 20000 1

compares so many positions of games that begin with that seed and prints how many there were.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from burgrave.model.book import book_of
from burgrave.model.draws import draws
from burgrave.model.engine import legal_moves
from burgrave.model.expansions.falcon.switches import FALCON_SWITCHES
from burgrave.model.features import position_features
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.geometry import PORTS
from burgrave.model.laying import lay
from burgrave.model.places import placeable
from burgrave.model.position import Move, Position
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.model.switches import CASTLE_SWITCHES
from burgrave.model.tiles import PlacedTile
from burgrave.solver.engines import ONLY_BY
from burgrave.solver.kernel import game as kernel
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.castle_turns import PASS
from burgrave.solver.kernel.codec import Opened, refusal, state_of, tables_of
from burgrave.solver.kernel.records import LISTED, numbers_of, room
from tests.strategies import (
    castle_with,
    falcon_hall_game,
    falcon_opening,
    falcon_with,
    hall_game,
    opening,
)


def random_game(rng: random.Random, *, falcon: bool, hall: bool) -> Game:
    """Return a game in a small hall with random tiles or in the real one.

    Its switches have random values that the kernel knows.
    """
    known = (*CASTLE_SWITCHES, *FALCON_SWITCHES) if falcon else CASTLE_SWITCHES
    share = rng.choice((0.1, 0.5, 0.9))
    able = {
        one.name: [v for v in one.values if "state" in ONLY_BY.get((one.name, v), {"state"})]
        for one in known
    }
    switches = {name: rng.choice(values) for name, values in able.items() if rng.random() < share}
    if falcon:
        rich = rng.random() < 0.3
        return falcon_hall_game(rng, switches, rich=rich) if hall else falcon_with(rng, switches)
    return hall_game(rng, switches) if hall else castle_with(rng, switches, own_kinds=12)


def random_opening(rng: random.Random, *, falcon: bool, hall: bool) -> Position:
    """Return a position before the first tile of such a game, players with wall tiles in hand."""
    game = random_game(rng, falcon=falcon, hall=hall)
    position = (falcon_opening if falcon else opening)(game, rng)
    if rng.random() < 0.5:
        return position
    # Wall tiles 1 to 3 in hand, whatever else the players have: two of each are allowed.
    pool = [1, 1, 2, 2, 3, 3, 4, 5, 6, 7]
    rng.shuffle(pool)
    hands = [tuple(sorted(pool[:3])), tuple(sorted(pool[3:6]))]
    players = tuple(
        replace(player, wall_tiles=hand)
        for player, hand in zip(position.players, hands, strict=True)
    )
    left = list(unseen(replace(position, towers=(), players=players)).elements())
    rng.shuffle(left)
    towers = tuple((name, number and left.pop()) for name, number in position.towers)
    return replace(position, players=players, towers=towers)


def registers(s: Any, t: Any) -> list[object]:
    """Return everything of a state that does not depend on how it was reached."""
    now = s.now
    found: list[object] = [
        np.sort(now.post[player][now.post[player] >= 0]).tolist() for player in range(2)
    ]
    names = [name for name in now.dtype.names if name != "post"]
    found += [(name, np.asarray(getattr(now, name)).tolist()) for name in names]
    found += [s.empty.tolist(), s.held.tolist(), s.lie.tolist()]
    for cell in range(t.cells):
        if s.lie[cell] < 0:
            found.append((cell, int(s.wants[cell])))
            continue
        for node in range(cell * PORTS, cell * PORTS + int(t.segments[s.lie[cell] >> 2])):
            root = find(s, node)
            held = [np.asarray(one).tolist() for one in s.feature[root]]
            found.append((node, root, int(s.kind[root]), held))
    return found


def follow(position: Position, move: Move) -> Position:
    """Return the position after a legal move, without asking once more whether it is legal."""
    conduct = book_of(position.game).conduct
    if move.tile is None or move.cell is None:
        return conduct.pass_turn(position, move).position
    kind = position.game.tile_set.kind(move.tile)
    tile = PlacedTile(cell=move.cell, kind=kind, rotation=move.rotation)
    placement = lay(position, tile, position_features(position), move.discards)
    return conduct.resolve(placement, move).position


def turns_of(s: Any, position: Position, tile: str, *, last: bool, alike: bool = True) -> list[int]:
    """Return every legal turn that lays a tile, in the reference's order."""
    out, hints = room(LISTED), room(LISTED)
    kind = numbers_of(position.game)[tile]
    end = kernel.turns(s, tables_of(position.game), kind, last, alike, out, hints, 0)
    return [int(turn) for turn in out[:end]]


def compare(position: Position, rng: random.Random, plays: int = 2) -> Position:
    """Compare the kernel with the reference on a position; return one that follows.

    Args:
        position: with a tile to come.
        rng: where chance comes from.
        plays: how many of its moves are played and taken back.

    """
    game, opened = position.game, Opened(position)
    s, t = opened.state, opened.tables
    for kind in game.tile_set.kinds:
        assert kernel.placeable(s, t, numbers_of(position.game)[kind.id]) == placeable(
            position, kind.id
        )
    draw = rng.choice(list(draws(position)))
    left = len(position.order) + len(position.bag) - len(draw.discards)
    last = left <= 1
    expected = list(legal_moves(position, draw.tile))
    if draw.tile is None:
        numbers = [PASS]
        found = [Move(discards=draw.discards)]
    else:
        numbers = turns_of(s, position, draw.tile, last=last)
        found = [opened.move(s, turn, draw.discards) for turn in numbers]
    assert found == expected
    before = registers(s, t)
    if draw.tile is not None:
        fewer = turns_of(s, position, draw.tile, last=last, alike=False)
        assert set(fewer) <= set(numbers)
    busy = [i for i, move in enumerate(expected) if move.scoring or move.extra_turns]
    chosen = {rng.randrange(len(expected)) for _ in range(plays)}
    chosen |= {rng.choice(busy)} if busy else set()
    after = position
    for index in sorted(chosen):
        after = follow(position, expected[index])
        kernel.play(s, t, numbers[index], last)
        assert registers(s, t) == registers(state_of(after), t)
        # With a wall tile in hand that nobody has seen, nobody can tell the end.
        seen = all(0 not in (*one.wall_tiles, *one.fresh_wall_tiles) for one in after.players)
        if after.over and seen:
            out = np.zeros(2, np.int64)
            kernel.totals(s, t, out)
            assert tuple(out) == final_scoring(after).scores
            assert registers(s, t) == registers(state_of(after), t)
        kernel.undo(s, t)
        assert registers(s, t) == before
    assert not s.overflow
    return after


def walk(position: Position, rng: random.Random, plays: int = 2) -> Iterator[Position]:
    """Yield the positions of a random game, each compared."""
    while not position.over:
        assert refusal(position) is None
        yield position
        position = compare(position, rng, plays)


def main() -> None:
    """Compare as many positions as the command line says."""
    wanted, seed = (int(text) for text in sys.argv[1:3])
    count = games = 0
    while count < wanted:
        rng = random.Random(seed)
        falcon, hall = seed % 2 == 1, seed % 16 > 1
        sys.stderr.write(f"{count} positions of {games} games; seed {seed}\n")
        for _ in walk(random_opening(rng, falcon=falcon, hall=hall), rng):
            count += 1
        seed += 1
        games += 1
    sys.stdout.write(f"{count} positions of {games} games: no difference\n")


if __name__ == "__main__":
    main()
