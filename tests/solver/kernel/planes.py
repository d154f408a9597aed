"""What a compiled state of Carcassonne holds, told in terms of the board."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from burgrave.model.draws import Draw
from burgrave.model.engine import legal_moves, play
from burgrave.model.position import Move, Position
from burgrave.solver.kernel import carcassonne, codec
from burgrave.solver.kernel.boards import find
from burgrave.solver.kernel.codec import Opened, cell_of
from burgrave.solver.kernel.plane_board import BITS_A_WORD, rank_at
from burgrave.solver.kernel.plane_tables import CITY, FOLLOWERS, WIDTH
from burgrave.solver.kernel.records import numbers_of
from burgrave.solver.kernel.tower import TOWER_SHIFT

ROOM = np.zeros(1 << 16, np.int64)
HINTS = np.zeros(1 << 16, np.int64)


def contents(s: Any, t: Any) -> dict[str, object]:
    """Return everything of a state that does not depend on how it was reached."""
    cells = [cell_of(s, s.cell[slot]) for slot in range(s.tiles)]
    lies = [int(s.tile[s.cell[slot]]) & 255 for slot in range(s.tiles)]

    nodes = [
        (cell, segment, slot * WIDTH + segment)
        for slot, cell in enumerate(cells)
        for segment in range(t.segments[lies[slot] >> 2])
    ]
    roots = {node: int(find(s, node)) for _, _, node in nodes}
    bits = {root: _set(s.feature[root].near) for root in set(roots.values())}
    cities = [(c, i, bits[roots[node]]) for c, i, node in nodes if s.shows[node] == CITY]
    known = {}
    for root, near in bits.items():
        known[root] = (
            int(s.shows[root]),
            int(s.feature[root].open) if s.shows[root] <= CITY else 0,
            (int(s.feature[root].units), int(s.feature[root].nodes), int(s.feature[root].men)),
            sorted(c for slot, c in enumerate(cells) if _set(s.feature[root].slots) >> slot & 1),
            near.bit_count(),
            # The cities that it is or borders, each by its segments on the board.
            sorted((c, segment) for c, segment, city in cities if city & near),
        )
    features = {(cell, segment): known[roots[node]] for cell, segment, node in nodes}
    free, cell = [], int(s.after[0])
    while cell:
        free.append((cell_of(s, cell), int(s.wants[cell])))
        cell = int(s.after[cell])
    back, cell = [], int(s.before[0])
    while cell:
        back.append((cell_of(s, cell), int(s.wants[cell])))
        cell = int(s.before[cell])
    assert back[::-1] == free == sorted(free)
    posts = [
        (post // FOLLOWERS, rank_at(post), cells[(node - 1) // WIDTH], (node - 1) % WIDTH)
        for post, node in enumerate(s.posts.tolist())
        if node
    ]
    towers = zip(s.height.tolist(), s.guard.tolist(), s.shut.tolist(), strict=True)
    built = dict(zip(cells, towers, strict=False))
    return {
        "lies": dict(zip(cells, lies, strict=True)),
        "features": features,
        "free": free,
        "posts": sorted(posts),
        "towers": built,
        "players": (s.score.tolist(), s.supply.tolist(), s.pieces.tolist(), s.held.tolist()),
        "turn": int(s.turn),
        "walls": int(s.walls),
    }


def _set(words: Any) -> int:
    """Return the two words of a set as one number."""
    return int(words[0]) | int(words[1]) << BITS_A_WORD


def listed(
    s: Any, position: Position, tile: str | None, *, last: bool = False, alike: bool = True
) -> list[int]:
    """Return the turns with a tile, or without one."""
    kind = -1 if tile is None else numbers_of(position.game)[tile]
    t = codec.tables_of(position.game)
    end = carcassonne.turns(s, t, kind, last, alike, ROOM, HINTS, 0)
    assert end <= ROOM.size
    return [int(turn) for turn in ROOM[:end]]


def expected(position: Position, draw: Draw) -> list[Move]:
    """Return the moves that the reference lists with a draw."""
    return [m for m in legal_moves(position, draw.tile) if m.discards == draw.discards]


def check(position: Position, draw: Draw, rng: random.Random, plays: int) -> None:
    """Compare listed turns, some plays and their undoing with the reference."""
    opened = Opened(position)
    s, t = opened.state, opened.tables
    turns = listed(s, position, draw.tile)
    moves = [opened.move(s, turn, draw.discards) for turn in turns]
    assert moves == expected(position, draw)
    before = contents(s, t)
    rare = [turn for turn in turns if turn >> TOWER_SHIFT]
    for turn in rng.sample(turns, min(plays, len(turns))) + rng.sample(rare, min(2, len(rare))):
        move = opened.move(s, turn, draw.discards)
        carcassonne.play(s, t, turn, False)
        reached = codec.state_of(play(position, move).position)
        assert contents(s, t) == contents(reached, t)
        carcassonne.undo(s, t)
        assert contents(s, t) == before
        assert s.depth == s.joins == s.logged == 0
