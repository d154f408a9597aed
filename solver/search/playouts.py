"""Playouts of a position, shared among threads and first moves, and the means that they give.

A playout is fixed by the position, the seed and its number. So the same seed gives the same
results with any number of threads. Two first moves meet the same tiles, so their difference is
more precise than either value. The known draws make means more precise.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import hypot, sqrt
from typing import Any

import numpy as np

from model.errors import QuestionError
from model.position import Move, Position
from model.rules.castle.wall_tiles import unseen
from solver.kernel.chance import SEED_BITS
from solver.kernel.codec import Opened, turn_of
from solver.kernel.game import play
from solver.kernel.job import ROOM
from solver.kernel.playouts import DESK, playouts, ranked
from solver.kernel.records import PLAYERS, record
from solver.limits import NO_LIMIT, Clock
from solver.result import Estimated, Evaluation, Loss
from solver.simulation import policy

CONFIDENT = 1.96
"""Standard errors on either side of a mean that hold 95 % of a normal distribution."""
PER_CONTROL = 8
"""Playouts that each control needs at least."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its interval.

    Attributes:
        value: the mean.
        error: its standard error.

    """

    value: float
    error: float

    def interval(self, besides: float = 0.0) -> tuple[float, float]:
        """Return the bounds of the interval of 95 %.

        Args:
            besides: standard error from mistakes of the policy, which playouts cannot show.

        """
        half = CONFIDENT * hypot(self.error, besides)
        return self.value - half, self.value + half


def controls(drawn: Any, known: int, first: int, players: int) -> Any:
    """Return by playout and kind of tile how many more the player to move draws than expected.

    The turn at each tile is fixed as if every tile had a place. The expected number follows from
    the bag alone. So each control has the mean 0, even if the true turns differ.

    Args:
        drawn: kinds by playout, in the order of drawing.
        known: how many of them, the first, come in known order.
        first: the place of the next tile in the round: 0 if the player to move draws it.
        players: the number of players.

    """
    loose = drawn[:, known:]
    count, tiles = loose.shape
    if tiles <= 1:
        return np.zeros((count, 0))
    places = (np.arange(tiles) + known + first) % players
    signs = np.where(places == 0, 1.0, -1.0 / max(1, players - 1))
    kinds, inside = np.unique(loose[0], return_counts=True)
    found = np.stack([(loose == kind) @ signs for kind in kinds], axis=1)
    found = found - inside / tiles * signs.sum()
    # The last kind follows from the others.
    return found[:, :-1]


def mean(values: Any, by: Any, together: int = 1) -> Mean:
    """Return the mean of values, with controls of mean 0 taken out by least squares.

    Control variates by regression: Glasserman, Monte Carlo Methods in Financial Engineering, 4.1.

    Args:
        values: one number a playout.
        by: the controls of the same playouts; unused if the playouts are few.
        together: how many playouts in a row share a lot, so that their values hang together. Only
            such groups are independent; errors within a group add up.

    """
    count = values.size
    center = float(values.mean())
    plain = Mean(center, _error(values - center, 1, together))
    if by.shape[1] == 0 or count < PER_CONTROL * by.shape[1]:
        return plain
    design = np.column_stack((np.ones(count), by))
    fit, _, rank, _ = np.linalg.lstsq(design, values, rcond=None)
    error = _error(values - design @ fit, int(rank), together)
    return Mean(float(fit[0]), error) if error < plain.error else plain


def _error(left: Any, fitted: int, together: int) -> float:
    """Return the standard error of a mean.

    Args:
        left: by playout what the fit leaves.
        fitted: numbers that were fitted.
        together: as for ``mean``; ignored with one group alone.

    """
    count = left.size
    if count <= fitted:
        return 0.0
    groups = count // together
    if together > 1 and groups > 1:
        sums = left[: groups * together].reshape(groups, together).sum(axis=1)
        square = float(sums @ sums) * groups / (groups - 1)
    else:
        square = float(left @ left)
    return sqrt(square / count / (count - fitted))


CHUNK = 10
"""Playouts between two looks at the clock; those of a chunk see the same hidden wall tiles."""
LOOKS = 24
"""Number of turns that the policy evaluates; those without immediate points are random ones."""

LOOKED_AT: tuple[tuple[int, tuple[int, int]], ...] = ((3, (6, 4)), (11, (8, 0)))
"""Tiles left, and up to so many how many turns the policy compares by the play to the end: with 1
tile left after the turn, and with 2. With more tiles left this costs too much for what it gains."""


def _looks(tiles: int) -> tuple[int, int]:
    """Return how many turns the policy compares by the play to the end, as in ``LOOKED_AT``."""
    return next((looks for most, looks in LOOKED_AT if tiles <= most), (0, 0))


class Field:
    """A position from which playouts start, before or after a first turn.

    Args:
        position: a position that the kernel accepts but for hidden wall tiles.
        drawn: tiles of its known order that are out: those without a place and the one laid.
        seed: of all chance.
        foresight: whether the policy looks at the turns after its own near the end.

    """

    def __init__(
        self, position: Position, drawn: int, seed: int, *, foresight: bool = True
    ) -> None:
        """Open the position."""
        self.seed = seed
        self._foresight = foresight
        self._hidden = [name for name, number in position.towers if not number]
        self._position = position
        self._weights = np.stack([policy.weights(position.game.id)] * PLAYERS)
        self._opened: dict[int, Opened] = {}
        self.opened = self._open(0)
        order, bag = position.order[drawn:], position.bag
        self.tiles = np.array([self.opened.kind(tile) for tile in (*order, *bag)], np.int64)
        self.known = len(order)
        self.together = CHUNK if self._hidden else 1
        """Playouts in a row that see the same hidden wall tiles."""

    def first_turns(
        self, drawn: Sequence[str], most: int, wanted: Move | None
    ) -> tuple[list[int | None], list[Move], int]:
        """Return the first turns that the policy thinks best.

        Args:
            drawn: ids of the tiles without a place, then of the tile to be laid.
            most: how many turns at most.
            wanted: a legal canonical move that is among them in any case.

        Returns:
            The turns, the same as moves, and how many turns are legal.

        Raises:
            QuestionError: there are too many.

        """
        position, state, tables = self._position, self.opened.state, self.opened.tables
        left, kind, desk = self.tiles.size, self.opened.kind(drawn[-1]), record(DESK)
        end = ranked(state, tables, kind, left, policy.weights(position.game.id), desk, 0)
        if end > ROOM:
            raise QuestionError(f"{end} turns are too many to be compared")
        best = [int(turn) for turn in desk.out[np.argsort(-desk.hints[:end], kind="stable")[:most]]]
        moves = [self.opened.move(state, turn, tuple(drawn[:-1])) for turn in best]
        if wanted is not None and wanted not in moves:
            best.append(turn_of(state, position, wanted))
            moves.append(wanted)
        return [*best], moves, int(end)

    def results(self, turn: int | None, begin: int, end: int) -> tuple[Any, Any]:
        """Return the results of some playouts.

        Args:
            turn: the first turn; None if the policy plays from the start.
            begin: number of the first playout.
            end: number after the last.

        Returns:
            Totals by playout and player, and the kinds of the tiles drawn, by playout, in order.

        """
        opened = self._open(begin // CHUNK)
        state, tables = opened.state.copy(), opened.tables
        if turn is not None:
            play(state, tables, turn, self.tiles.size == 0)
        count = end - begin
        totals = np.zeros((count, PLAYERS), np.int64)
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
            np.array(_looks(self.tiles.size) if self._foresight else (0, 0), np.int64),
            self._weights,
            record(DESK),
            totals,
        )
        return totals, drawn

    def leads(self, totals: Any) -> Any:
        """Return by playout the lead of the player to move over his best opponent, in points.

        Args:
            totals: by playout and player, as ``results`` gives them.

        """
        players, mine = len(self._position.players), self._position.to_move
        others = [player for player in range(players) if player != mine]
        best = totals[:, others].max(axis=1) if others else 0
        return (totals[:, mine] - best).astype(np.float64)

    def _open(self, chunk: int) -> Opened:
        """Return the position as a chunk sees it: hidden wall tiles have numbers by lot."""
        chunk = chunk if self._hidden else 0
        if chunk not in self._opened:
            self._opened[chunk] = Opened(revealed(self._position, _lot(self.seed, -1 - chunk)))
        return self._opened[chunk]


def _lot(seed: int, number: int) -> int:
    """Return the lot of a playout, 1 to 2^32 - 1: splitmix64 of seed and number."""
    mixed = (seed * 0x9E3779B97F4A7C15 + (number + 1) * 0xBF58476D1CE4E5B9) % (1 << 64)
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % (1 << 64)
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % (1 << 64)
    return ((mixed ^ mixed >> 31) & SEED_BITS) or 1


def revealed(position: Position, lot: int) -> Position:
    """Return a position whose hidden wall tiles have unseen numbers by lot."""
    hidden = [name for name, number in position.towers if not number]
    if not hidden:
        return position
    left = sorted(unseen(position).elements())
    lots = random.Random(lot)  # noqa: S311 -- chance, no secret
    numbers = dict(zip(hidden, lots.sample(left, len(hidden)), strict=True))
    towers = tuple((name, number or numbers[name]) for name, number in position.towers)
    return replace(position, towers=towers)


def run(
    field: Field, turns: Sequence[int | None], begin: int, end: int, clock: Clock
) -> list[tuple[Any, Any]] | None:
    """Play the same numbers of playouts after each of some first turns.

    Args:
        field: where they start.
        turns: the first turns.
        begin: number of the first playout.
        end: number after the last.
        clock: gives the number of threads, and the time.

    Returns:
        The results of each turn, as in ``Field.results``; None if time ran out.

    """
    parts = [(turn, at, min(at + CHUNK, end)) for turn in turns for at in range(begin, end, CHUNK)]

    def work(part: tuple[int | None, int, int]) -> tuple[Any, Any] | None:
        return None if clock.out else field.results(*part)

    with ThreadPoolExecutor(max(1, clock.jobs)) as pool:
        done = list(pool.map(work, parts))
    found: list[tuple[Any, Any]] = []
    each = len(parts) // len(turns)
    for at in range(0, len(parts), each):
        whole = [one for one in done[at : at + each] if one is not None]
        if len(whole) < each:
            return None
        totals, drawn = zip(*whole, strict=True)
        found.append((np.concatenate(totals), np.concatenate(drawn)))
    return found


POLICY = "greedy by outlook, 1 turn"
"""The name of the policy."""


class Samples:
    """Playouts of first turns, as far as they were played.

    Args:
        position: the position.
        field: where they start.
        laid: tiles laid before the playouts: 1 after a first turn, 0 before it.
        listed: the first turns, or None alone.
        kept: index of a turn that is compared to the end; None for no such turn.

    """

    def __init__(
        self,
        position: Position,
        field: Field,
        laid: int,
        listed: Sequence[int | None],
        kept: int | None = None,
    ) -> None:
        """Begin without any playout."""
        self.alive = list(range(len(listed)))
        """Indices of the turns that are still compared, the best first."""
        self._position, self._field, self._listed, self._laid = position, field, listed, laid
        self._played: list[list[tuple[Any, Any]]] = [[] for _ in listed]
        self._kept = kept
        self._each = 0

    @property
    def total(self) -> int:
        """How many playouts there are."""
        return sum(len(totals) for parts in self._played for totals, _ in parts)

    def play(self, each: int, clock: Clock) -> bool:
        """Play ``each`` playouts after each turn still compared; tell whether time sufficed."""
        begin = self._each
        # Whole chunks, so that a chunk's hidden wall tiles are the same for all.
        end = begin + math.ceil(each / CHUNK) * CHUNK
        found = run(self._field, [self._listed[i] for i in self.alive], begin, end, clock)
        if found is None:
            if self._each:
                return False
            found = run(
                self._field, [self._listed[i] for i in self.alive], 0, CHUNK, NO_LIMIT.start()
            )
            assert found is not None
            end = CHUNK
        for index, part in zip(self.alive, found, strict=True):
            self._played[index].append(part)
        self._each = end
        return True

    def halve(self) -> None:
        """Compare on only the better half of the turns."""
        self.alive.sort(key=lambda index: -self.lead(index).value)
        half = max(1, (len(self.alive) + 1) // 2)
        lost = self.alive[half:]
        self.alive = self.alive[:half] + [index for index in lost if index == self._kept]

    def _values(self, index: int) -> tuple[Any, Any]:
        """Return the leads of the player to move by playout, and the tiles drawn."""
        totals, drawn = (
            np.concatenate(column) for column in zip(*self._played[index], strict=True)
        )
        return self._field.leads(totals), drawn

    def lead(self, index: int) -> Mean:
        """Return the lead after a turn, with its error."""
        leads, drawn = self._values(index)
        players = len(self._position.players)
        by = controls(drawn, self._field.known, self._laid, players)
        return mean(leads, by, self._field.together)

    def estimated(self, index: int, move: Move, besides: float) -> Estimated:
        """Return a first turn with its value and interval."""
        leads, _ = self._values(index)
        found = self.lead(index)
        low, high = found.interval(besides)
        win = float(((leads > 0) + 0.5 * (leads == 0)).mean())
        return Estimated(
            move=move, value=found.value, low=low, high=high, win=win, playouts=len(leads)
        )

    def _loss(self, best: int) -> Loss | None:
        """Return by how much the turn that is kept is worse than the best."""
        if self._kept is None:
            return None
        leads, _ = self._values(best)
        others, _ = self._values(self._kept)
        both = min(len(leads), len(others))
        lost = leads[:both] - others[:both]
        wins = np.sign(leads[:both]) - np.sign(others[:both])
        found = mean(lost, np.zeros((both, 0)), self._field.together)
        low, high = found.interval()
        return Loss(points=found.value, low=low, high=high, win=float(wins.mean()) / 2)

    def evaluation(
        self, clock: Clock, besides: float, moves: Sequence[Move], legal: int
    ) -> Evaluation:
        """Return the evaluation by the playouts.

        Args:
            clock: the time.
            besides: standard error from mistakes of the policy.
            moves: the first turns as moves; empty if there is no first turn.
            legal: the number of legal moves.

        """
        found = [
            self.estimated(index, move, besides)
            for index, move in enumerate(moves or (Move(),))
            if self._played[index]
        ]
        rank = {index: place for place, index in enumerate(self.alive)}
        order = sorted(range(len(found)), key=lambda i: (rank.get(i, len(rank)), -found[i].value))
        best = found[order[0]]
        return Evaluation(
            player=self._position.to_move,
            tiles=len(self._position.order) + len(self._position.bag),
            proved=False,
            value=best.value,
            low=best.low,
            high=best.high,
            win=best.win,
            moves=tuple(found[i] for i in order) if moves else (),
            natural=found[0].value,
            loss=self._loss(order[0]),
            legal=legal,
            playouts=self.total,
            seed=self._field.seed,
            policy=POLICY,
            seconds=clock.spent(),
        )
