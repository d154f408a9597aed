"""Playouts of a position, shared among threads and first moves, by a policy whose weights are data.

A playout is fixed by the position, the seed and its number. So the same seed gives the same
results with any number of threads.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np

from burgrave.model.errors import QuestionError
from burgrave.model.position import Move, Position
from burgrave.model.rules.castle.wall_tiles import unseen
from burgrave.solver.kernel.chance import SEED_BITS
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.game import play
from burgrave.solver.kernel.job import ROOM
from burgrave.solver.kernel.playouts import DESK, WHOLE, playouts, ranked
from burgrave.solver.kernel.records import PLAYERS, record
from burgrave.solver.limits import Clock
from burgrave.solver.problem import face_down, with_numbers
from burgrave.solver.simulation.policy import weights
from burgrave.solver.simulation.values import values

POLICY = "greedy by outlook, 1 turn"
"""The name of the policy."""
CHUNK = 10
"""Playouts between two looks at the clock; those of a chunk see the same hidden wall tiles."""
LOOKS = 24
"""Number of turns that the policy evaluates; those without immediate points are random ones."""

LOOKED_AT: tuple[tuple[int, tuple[int, int]], ...] = ((3, (6, 4)), (11, (8, 0)))
"""Tiles left, and up to so many how many turns the policy compares by the play to the end: with 1
tile left after the turn, and with 2. With more tiles left this costs too much for what it gains."""
CUT = 8
"""Tiles after which a playout is cut, where playouts are cut."""
NEAR_END = 14
"""Tiles left up to which no playout is cut: the policy plays the end better than it is judged."""


class Field:
    """A position from which playouts start, before or after a first turn.

    The kernel accepts it but for hidden wall tiles. ``drawn`` tiles of its known order are out:
    those without a place and the one laid. With ``foresight`` the policy looks near the end at the
    turns after its own. With ``cut`` the playouts are cut, and the learned value judges them.
    """

    def __init__(
        self,
        position: Position,
        drawn: int,
        seed: int,
        *,
        foresight: bool = True,
        cut: bool = False,
    ) -> None:
        """Open the position."""
        self.seed = seed
        self._hidden = face_down(position) > 0
        self.position = position
        self._weights = np.stack([weights(position.game.id)] * PLAYERS)
        self._opened: dict[int, Opened] = {}
        self.opened = self._open(0)
        order, bag = position.order[drawn:], position.bag
        self.tiles = np.array([self.opened.kind(tile) for tile in (*order, *bag)], np.int64)
        some = (looks for most, looks in LOOKED_AT if self.tiles.size <= most and foresight)
        self._looks = np.array(next(some, (0, 0)), np.int64)
        self._cut = CUT if cut and self.tiles.size > NEAR_END else WHOLE
        self._values = values(position.game.id, len(position.players))
        self.known = len(order)
        self.together = CHUNK if self._hidden else 1
        """Playouts in a row that see the same hidden wall tiles."""

    def first_turns(
        self, drawn: Sequence[str], most: int, wanted: Move | None, *, greedy: bool = False
    ) -> tuple[list[int | None], list[Move], int]:
        """Return as many first turns as ``most`` that the policy thinks best.

        ``drawn`` are the ids of the tiles without a place, then of the tile to be laid. ``wanted``
        is a legal canonical move that is among them in any case. The ``greedy`` policy takes the
        turns that lead by most if the game ended after them.

        Returns:
            The turns, the same as moves, and how many turns are legal.

        Raises:
            QuestionError: there are too many.

        """
        position, state, tables = self.position, self.opened.state, self.opened.tables
        left, kind, desk = self.tiles.size, self.opened.kind(drawn[-1]), record(DESK)
        judged_by = weights(position.game.id) * (not greedy)
        end = ranked(state, tables, kind, left, judged_by, desk, 0)
        if end > ROOM:
            raise QuestionError(f"{end} turns are too many to be compared")
        best = [int(turn) for turn in desk.out[np.argsort(-desk.hints[:end], kind="stable")[:most]]]
        moves = [self.opened.move(state, turn, tuple(drawn[:-1])) for turn in best]
        if wanted is not None and wanted not in moves:
            best.append(self.opened.turn(wanted))
            moves.append(wanted)
        return [*best], moves, int(end)

    def results(self, turn: int | None, begin: int, end: int) -> tuple[Any, Any]:
        """Return the results of some playouts of a chunk, by the numbers of the first and the next.

        They are final points by playout and player, and the kinds of the tiles drawn, by playout,
        in order. If ``turn`` is None, the policy plays from the start.
        """
        opened = self._open(begin // CHUNK)
        state, tables = opened.state.copy(), opened.tables
        if turn is not None:
            play(state, tables, turn, self.tiles.size == 0)
        count = end - begin
        points = np.zeros((count, PLAYERS))
        drawn = np.zeros((count, self.tiles.size), np.int64)
        seeds = np.array([_lot(self.seed, number) for number in range(begin, end)], np.int64)
        playouts(
            state,
            tables,
            self.tiles,
            self.known,
            drawn,
            seeds,
            np.full(PLAYERS, LOOKS, np.int64),
            self._looks,
            self._weights,
            self._cut,
            self._values,
            record(DESK),
            points,
        )
        return points, drawn

    def nothing(self) -> tuple[Any, Any]:
        """Return the results of no playout."""
        return np.zeros((0, PLAYERS)), np.zeros((0, self.tiles.size), np.int64)

    def leads(self, points: Any) -> Any:
        """Return by playout the player's lead over his best opponent by points of ``results``."""
        players, mine = len(self.position.players), self.position.to_move
        others = [player for player in range(players) if player != mine]
        best = points[:, others].max(axis=1) if others else 0.0
        return points[:, mine] - best

    def _open(self, chunk: int) -> Opened:
        """Return the position as a chunk sees it: hidden wall tiles have numbers by lot."""
        chunk = chunk if self._hidden else 0
        if chunk not in self._opened:
            self._opened[chunk] = Opened(revealed(self.position, _lot(self.seed, -1 - chunk)))
        return self._opened[chunk]


def _lot(seed: int, number: int) -> int:
    """Return the lot of a playout, 1 to 2^32 - 1: splitmix64 of seed and number."""
    mixed = (seed * 0x9E3779B97F4A7C15 + (number + 1) * 0xBF58476D1CE4E5B9) % (1 << 64)
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % (1 << 64)
    return ((mixed ^ mixed >> 31) & SEED_BITS) or 1


def revealed(position: Position, lot: int) -> Position:
    """Return a position whose hidden wall tiles have unseen numbers by lot."""
    left = sorted(unseen(position).elements())
    lots = random.Random(lot)  # noqa: S311 -- chance, no secret
    return with_numbers(position, lots.sample(left, face_down(position)))


def run(
    field: Field, turns: Sequence[int | None], begin: int, end: int, clock: Clock
) -> list[tuple[Any, Any]]:
    """Return the results, as in ``Field.results``, of each of some first turns with the same tiles.

    The clock gives the number of threads, and the time. Once it is out no chunk is begun, and those
    that are finished are returned: a turn then has fewer results than asked for, the first ones.

    Raises:
        KeyboardInterrupt: Ctrl-C came; the threads have ended.

    """
    # One chunk of every turn comes before the second of any, so that all have about as many.
    parts = [(turn, at, min(at + CHUNK, end)) for at in range(begin, end, CHUNK) for turn in turns]
    stopped = Event()

    def work(part: tuple[int | None, int, int]) -> tuple[Any, Any] | None:
        return None if clock.out or stopped.is_set() else field.results(*part)

    with ThreadPoolExecutor(max(1, clock.limits.jobs)) as pool:
        try:
            done = list(pool.map(work, parts))
        except KeyboardInterrupt:
            stopped.set()
            raise
    nothing = field.nothing()
    found = []
    for first in range(len(turns)):
        # Chunks begin in order, so those that are there are the first ones.
        chunks = [nothing, *(one for one in done[first :: len(turns)] if one is not None)]
        points, drawn = zip(*chunks, strict=True)
        found.append((np.concatenate(points), np.concatenate(drawn)))
    return found
