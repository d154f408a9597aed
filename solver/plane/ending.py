"""Final scoring of Carcassonne on the incremental state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import add
from typing import TYPE_CHECKING, TypeVar

from solver.memo import Memo
from solver.plane.tables import FIELD, MAN, MEN, PlaneTables

if TYPE_CHECKING:
    from solver.plane.board import PlaneBoard
    from solver.plane.state import PlaneState, Turn

T = TypeVar("T")
EACH_CITY_FIRST = 4
"""Points of a city by the first way of scoring farms."""
EACH_CITY = 3
"""Points of a city by the later ways."""
Share = tuple[int, int]
"""Followers, four bits a player, and the points that their leaders take."""


def final_scores(state: PlaneState) -> tuple[int, ...]:
    """Return the totals after final scoring.

    Args:
        state: a state with no tile left to draw.

    """
    totals = list(state.score)
    leaders = state.board.tables.leaders
    others, fields = _occupied(state)
    for men, points in others:
        for player in leaders(men):
            totals[player] += points
    if not fields:
        return tuple(totals)
    key = tuple(fields), tuple(state.board.walled)
    farmed = state.farmed.get(key)
    if farmed is None:
        points_of = [0] * len(totals)
        for men, points in harvest(state.board, fields):
            for player in leaders(men):
                points_of[player] += points
        farmed = state.farmed[key] = tuple(points_of)
    return tuple(map(add, totals, farmed))


def last_turns(
    state: PlaneState, turns: Iterable[Turn], done: list[int], end: Callable[[], T]
) -> Iterator[tuple[Turn, T]]:
    """Yield turns after which the game is over, each with what the end is.

    Tower pieces and guards bring nothing at the end, so turns that differ in them alone come to
    the same.

    Args:
        state: a state, the tile of the turns lying on its place; as it was once all are yielded.
        turns: turns with that tile, or all without one.
        done: the roots of the features that the tile completes.
        end: tells what the end is, the turn being played.

    """
    known: dict[tuple[int, ...], T] = {}
    for turn in turns:
        scoring = (turn.segment, turn.taken, turn.captor)
        if scoring not in known:
            mark = state.mark()
            state.finish(turn, done)
            known[scoring] = end()
            state.undo(mark)
        yield turn, known[scoring]


def shares(state: PlaneState) -> Iterator[Share]:
    """Yield what final scoring brings to whom."""
    others, fields = _occupied(state)
    yield from others
    yield from harvest(state.board, fields)


def _occupied(state: PlaneState) -> tuple[list[Share], list[Share]]:
    """Return what roads, cities and cloisters bring to whom, and the fields as for ``harvest``."""
    board = state.board
    others, fields = [], []
    for root in {board.find(node) for node in state.posts if node >= 0}:
        if board.what[root] == FIELD:
            fields.append((board.men[root], board.near[root]))
        else:
            others.append((board.men[root], board.unfinished(root)))
    return others, fields


def harvest(board: PlaneBoard, fields: Iterable[Share]) -> Iterator[Share]:
    """Yield what farms bring.

    Args:
        board: its completed cities pay.
        fields: the followers on each field on which somebody stands, and the nodes of the
            cities that it borders, as bits.

    """
    t = board.tables
    if t.farms == "field3":
        for men, near in fields:
            yield men, EACH_CITY * sum(1 for city in board.walled if city & near)
        return
    for city in board.walled:
        round_it = [men for men, near in fields if city & near]
        if t.farms == "city4":
            yield sum(round_it), EACH_CITY_FIRST
            continue
        most = [0] * len(t.game.players)
        for men in round_it:
            for player in t.leaders(men):
                most[player] = max(most[player], men >> MAN * player & MEN)
        if t.once_each:
            yield from ((1 << MAN * player, EACH_CITY) for player, n in enumerate(most) if n)
        else:
            yield sum(n << MAN * player for player, n in enumerate(most)), EACH_CITY


class Gains(dict[int, int]):
    """By the followers on a feature, four bits a player: what a point on it adds to a sum.

    The sum is over the players' points, those of each times his weight; so it is a lead, or holds
    all scores side by side.
    """

    def __init__(self, tables: PlaneTables, weights: Sequence[int]) -> None:
        """Know nothing yet.

        Args:
            tables: the game's tables.
            weights: by player.

        """
        super().__init__()
        self._tables = tables
        self._weights = tuple(weights)
        self._farms = Memo[tuple[tuple[Share, ...], tuple[int, ...]], int]()

    def farms(self, board: PlaneBoard, fields: Iterable[Share]) -> int:
        """Return what farms add: few turns change them, so it is looked up.

        Args:
            board: its completed cities pay.
            fields: as for ``harvest``.

        """
        key = tuple(fields), tuple(board.walled)
        found = self._farms.get(key)
        if found is None:
            shares = harvest(board, key[0])
            found = self._farms[key] = sum(self[men] * points for men, points in shares)
        return found

    def __missing__(self, men: int) -> int:
        """Weigh those who score a feature."""
        found = self[men] = sum(self._weights[player] for player in self._tables.leaders(men))
        return found


class Reckoning:
    """What features bring if the game ends with a tile that lies, and what the turn changes of it.

    No follower is moved for it: a turn with the tile changes the followers on one feature at most.

    Attributes:
        total: what all features bring, those that the tile completes among them, as a sum by
            weights.
        scored: what those bring that the tile completes.

    """

    def __init__(self, state: PlaneState, gains: Gains, done: Collection[int]) -> None:
        """Add up what features bring without a follower placed or taken.

        Args:
            state: the tile lies on its place; nothing that it completes is scored.
            gains: the weights.
            done: the roots of the features that it completes.

        """
        board = self._board = state.board
        self._gains = gains
        self._done = done
        self._fields: dict[int, Share] = {}
        total = self.scored = 0
        for root in {board.find(node) for node in state.posts if node >= 0}:
            men = board.men[root]
            if board.what[root] == FIELD:
                self._fields[root] = men, board.near[root]
            else:
                brings = gains[men] * self._points(root)
                total += brings
                if root in done:
                    self.scored += brings
        self._farmed = gains.farms(board, self._fields.values())
        self.total = total + self._farmed

    def changed(self, root: int, more: int) -> int:
        """Return by how much the total changes with other followers on a feature.

        Args:
            root: the feature.
            more: who comes, four bits a player; less than 0 for one who goes.

        """
        board, gains = self._board, self._gains
        men = board.men[root]
        if board.what[root] == FIELD:
            fields = {**self._fields, root: (men + more, board.near[root])}
            return gains.farms(board, fields.values()) - self._farmed
        change = gains[men + more] - gains[men]
        return change and change * self._points(root)

    def _points(self, root: int) -> int:
        """Return the points of a road, city or cloister, complete or not."""
        return self._board.worth(root) if root in self._done else self._board.unfinished(root)
