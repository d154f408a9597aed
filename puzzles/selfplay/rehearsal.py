"""A game simulated at speed: the gain of each turn, and the lead if the game ended after it.

Nothing here is proved. Self-play and the generator use it to choose positions for a closer search.
Turns are those of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from burgrave.model.features import Feature
from burgrave.model.position import Move, Position
from burgrave.puzzles.selfplay.look import ZONE, Chosen, Joined, Look, Place, Where, gap
from burgrave.solver.simulation import Completed, Judged, simulation

if TYPE_CHECKING:
    from burgrave.solver.simulation import Simulation

NOTHING = Joined()
"""The effect of a tile that joins no claimed features."""
Standing = list[tuple[int, int, int]]
"""Each follower with his feature, and 1 for the player's or -1 for another's."""


class Rehearsal:
    """A game of two players that is played on and taken back, at speed.

    Attributes:
        start: where it began.
        order: ids of the tiles that come; those before ``at`` are laid or had no place.
        at: index of the next of them.
        game: the game without the tiles to come, to be read.

    """

    def __init__(self, position: Position) -> None:
        """Stand at a position whose tiles to come are known."""
        self.start = position
        self.order: Sequence[str] = position.order
        self.at = 0
        self.game: Simulation = simulation(position)
        self.places, self.threats = self.game.places, self.game.threats
        self._without_place: tuple[str, ...] = ()
        self._here: Position | None = None

    @property
    def mover(self) -> int:
        """The player to move."""
        return self.game.mover

    @property
    def left(self) -> int:
        """The number of tiles to come."""
        return len(self.order) - self.at

    @property
    def supply(self) -> int:
        """Followers without a rank that the player to move may place."""
        return self.game.reader.supply[self.mover]

    @property
    def pieces(self) -> int:
        """Tower pieces that the player to move may build."""
        return self.game.pieces(self.mover)

    @property
    def position(self) -> Position:
        """The position now, the same that the rules engine comes to."""
        return replace(
            self._board,
            order=tuple(self.order[self.at :]),
            discarded=(*self.start.discarded, *self._without_place),
        )

    @property
    def claimed(self) -> tuple[Feature, ...]:
        """The features on which followers stand, in the order of their first segments."""
        return self.game.reader.claimed(self._board)

    @property
    def _board(self) -> Position:
        """The position now but for the tiles to come."""
        if self._here is None:
            self._here = self.game.reader.position(self.start)
        return self._here

    def deal(self, order: Sequence[str]) -> None:
        """Change the order of the unseen tiles to come."""
        self.order = [*self.order[: self.at], *order]

    def drawn(self, chosen: Chosen) -> int:
        """Return the index of the tile of a turn, one of those listed last, among those to come."""
        return self.order.index(self.game.tile(chosen.turn), self.at)

    def move(self, chosen: Chosen) -> Move:
        """Return a turn, one of those listed last, as the move that the rules engine lists."""
        return self.game.move(chosen.turn, tuple(self.order[self.at : self.drawn(chosen)]))

    def play(self, chosen: Chosen) -> None:
        """Play a turn, one of those listed last."""
        drawn = self.drawn(chosen)
        self.game.play(chosen.turn, last=drawn == len(self.order) - 1)
        self._without_place += tuple(self.order[self.at : drawn])
        self.at, self._here = drawn + 1, None

    def mark(self) -> tuple[int, int, tuple[str, ...]]:
        """Return the point to which ``undo`` takes back."""
        return self.game.mark(), self.at, self._without_place

    def undo(self, mark: tuple[int, int, tuple[str, ...]]) -> None:
        """Take back every turn since ``mark``."""
        point, self.at, self._without_place = mark
        self._here = None
        self.game.undo(point)

    def next_places(self) -> tuple[int, list[tuple[int, int]]]:
        """Return the index of the next tile that has a place, and its places; none if none has."""
        for at in range(self.at, len(self.order)):
            if found := self.places(self.order[at]):
                return at, found
        return len(self.order), []

    def judged(self, reserve: int = 0) -> list[Judged]:
        """Return the turns with the next tile that has a place as the policy judges them.

        Args:
            reserve: as for ``Simulation.judged``.

        """
        for at in range(self.at, len(self.order)):
            if found := self.game.judged(self.order[at], len(self.order) - 1 - at, reserve):
                return found
        return []

    def looks(self) -> list[Look]:
        """Return every turn with the next tile that has a place; none if no tile has one."""
        game, me = self.game, self.mover
        at, places = self.next_places()
        if not places:
            return []
        tile, coming, found = self.order[at], self.order[at + 1 :], []
        glimpse = _Glimpse(game, coming, me)
        dangers = game.threats(1 - me) if game.pieces(1 - me) else []
        most = dangers[0].gain if dangers else 0
        for cell, rotation in places:
            mark = game.mark()
            done = game.lay(tile, cell, rotation)
            place = glimpse(cell, rotation, done)
            for one in game.outcomes((tile, cell, rotation), done, last=not coming):
                danger = most
                if one.guards:
                    danger = next((t.gain for t in dangers if t.tower != one.tower), 0)
                found.append(Look._make((at, place, danger, *one)))
            game.undo(mark)
        return found

    def glance(
        self, tile: str, coming: Sequence[str], player: int, where: Where = Where.ANYWHERE
    ) -> list[Place]:
        """Return the places of a tile, at a fraction of the cost of ``looks``.

        Args:
            tile: the tile, as if it were the next.
            coming: the tiles that come after it.
            player: who lays it, as if it were his turn.
            where: the cells; on others nothing of the kind can happen.

        """
        if where is Where.JOINING:
            return list(self._joining(tile, player, self.game.contested()))
        if where is Where.CLOSING:
            return list(self._closing(tile, player))
        game, found = self.game, []
        glimpse = _Glimpse(game, coming, player)
        if where is Where.STRANDING and not glimpse.scarce:
            return []
        for cell, rotation in islice(self.places(tile), 1 if where is Where.FIRST else None):
            if where is not Where.STRANDING or glimpse.last_of(cell):
                mark = game.mark()
                found.append(glimpse(cell, rotation, game.lay(tile, cell, rotation)))
                game.undo(mark)
        return found

    def joins(self, player: int) -> Iterator[Iterator[Place]]:
        """Yield of each kind of tile to come the places where a player joins claimed features.

        Nothing else about them is known.
        """
        cells = self.game.contested()
        for tile in sorted({*self.order[self.at :]}) if cells else ():
            yield self._joining(tile, player, cells)

    def _joining(self, tile: str, player: int, cells: Container[int]) -> Iterator[Place]:
        """Yield the places of a tile on some cells on which a player joins claimed features."""
        game, stood = self.game, _standing(self.game, player)
        for cell, rotation in game.places(tile):
            if cell in cells:
                mark = game.mark()
                game.lay(tile, cell, rotation)
                joined = _joined(game, stood)
                game.undo(mark)
                if joined.joins:
                    yield Place(cell, rotation, *joined)

    def _closing(self, tile: str, player: int) -> Iterator[Place]:
        """Yield the places of a tile at which a feature is completed that a player leads."""
        game = self.game
        cells = game.closing(player)
        for cell, rotation in game.places(tile):
            if cell in cells:
                mark = game.mark()
                closes = _closes(game, game.lay(tile, cell, rotation), cell, player)
                game.undo(mark)
                if closes:
                    lands, orders = _lands(game, closes, player)
                    yield Place(cell, rotation, closes=closes, lands=lands, orders=orders)


class _Glimpse:
    """Views of the places of a tile, one after another, each with the tile on it.

    Attributes:
        scarce: of those of the tiles to come that have a place the cells on which they may lie,
            but for those that have more than one turn may take from them.

    """

    def __init__(self, game: Simulation, coming: Sequence[str], player: int) -> None:
        """Look round before the tile lies.

        Args:
            game: the game.
            coming: the tiles that come after it.
            player: who lays it, as if it were his turn.

        """
        self._game = game
        self._player = player
        self._stood = _standing(game, player)
        self._area = game.empty_area()
        cells = {tile: {cell for cell, _ in game.places(tile)} for tile in sorted({*coming})}
        self.scarce = {tile: found for tile, found in cells.items() if 0 < len(found) <= ZONE}
        rival = 1 - player
        captures = gap(game.threats(player)) if game.pieces(player) else 0
        able = game.pieces(rival) and game.reader.supply[player]
        guards = gap(game.threats(rival), by_tower=True) if able else 0
        # The tile's own tower place and points are left out.
        self._deeds = captures, guards, game.buys_back(player)

    def last_of(self, cell: int) -> list[str]:
        """Return the tiles to come that may lie nowhere but on a cell and those beside it."""
        if not self.scarce:
            return []
        near = self._game.near(cell)
        return [tile for tile, cells in self.scarce.items() if cells <= near]

    def __call__(self, cell: int, rotation: int, done: Sequence[int]) -> Place:
        """Return the facts of a place; the tile lies there and completes some features."""
        game, player = self._game, self._player
        closes = _closes(game, done, cell, player)
        return Place(
            cell,
            rotation,
            *_joined(game, self._stood),
            tuple(tile for tile in self.last_of(cell) if not game.places(tile)),
            self._area - game.empty_area(),
            closes,
            *self._deeds,
            *_lands(game, closes, player),
        )


def _standing(game: Simulation, player: int) -> Standing:
    """Return the features on which followers stand, with them, from the side of a player."""
    find = game.reader.find
    return [
        (find(one), one, 1 if owner == player else -1) for one, owner in game.reader.followers()
    ]


def _joined(game: Simulation, stood: Standing) -> Joined:
    """Tell whether claimed features are joined, and whether a player leads, ties or steals one.

    Args:
        game: the game, a tile having been laid.
        stood: the followers where they stood before.

    """
    find, apart = game.reader.find, {feature for feature, _, _ in stood}
    if len({find(feature) for feature in apart}) == len(apart):
        return NOTHING
    found: dict[int, Counter[int]] = {}
    for feature, follower, side in stood:
        found.setdefault(find(follower), Counter())[feature] += side
    joined = {feature: parts for feature, parts in found.items() if len(parts) > 1}
    ends = [(sum(parts.values()), min(parts.values())) for parts in joined.values()]
    won = [
        min(parts.values())
        for feature, parts in joined.items()
        if sum(parts.values()) > 0 and game.pays(feature)
    ]
    return Joined(
        joins=True,
        leads=bool(won),
        ties=any(lead == 0 > least for lead, least in ends),
        steals=any(least < 0 for least in won),
    )


def _closes(game: Simulation, done: Sequence[int], cell: int, player: int) -> tuple[Completed, ...]:
    """Return the features that a tile just laid completes for a player; see ``Place``."""
    if not done:
        return ()
    return tuple(game.completed(one, player) for one in done if game.may_score(one, cell, player))


def _lands(game: Simulation, closes: Sequence[Completed], player: int) -> tuple[bool, bool]:
    """Tell whether a marker can land on a corner tower, and whether it can then move further.

    The player may claim one of the features that nobody holds, with a follower in his supply.
    """
    start, lands, orders = game.reader.score[player], False, False
    held = [one.points for one in closes if not one.free]
    free = [one.points for one in closes if one.free] if game.reader.supply[player] else []
    for scored in (held, *([*held, points] for points in free)):
        reached = {start}
        for points in scored:
            reached |= {score + points for score in reached}
        on_towers = {score for score in reached - {start} if game.holds_tile(score)}
        lands = lands or bool(on_towers)
        orders = orders or not on_towers <= {start + sum(scored)}
    return lands, orders
