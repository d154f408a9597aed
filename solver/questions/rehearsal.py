"""A game rehearsed at speed: what each turn wins, and the lead if the game ended after it.

Nothing here is proved about best play; it is a look at a position, by which self-play and the
generator of puzzles decide what to look at closely. Turns are those of the rules, listed by the
incremental states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from model.features import Feature
from model.position import Move, Position
from solver.game_state import GameState
from solver.plane.state import PlaneState
from solver.positions import castle_claimed, castle_position
from solver.questions.joining import (
    NOTHING,
    contested_cells,
    joined_features,
    standing_on,
)
from solver.questions.look import ZONE, Chosen, Completed, Look, Place, Threat, Where
from solver.questions.on_plane import OnPlane
from solver.states import game_state, totals
from solver.tables import COURT, HOUSE, KINDS, PATH


class _Game(Protocol):
    """An incremental state with what a walk asks of it."""

    @property
    def state(self) -> GameState | PlaneState:
        """The state."""

    @property
    def mover(self) -> int:
        """The player to move."""

    @property
    def pieces(self) -> int:
        """Tower pieces that the player to move may build."""

    def glance(
        self, kind: str, coming: Sequence[str], player: int, where: Where
    ) -> Iterator[Place]:
        """Yield the places of a tile for a player on some cells, with those that come after it."""

    def contested(self) -> list[int]:
        """Return the empty cells that several claimed features of a kind face."""

    def joins(self, kind: str, player: int, cells: Iterable[int]) -> Iterator[Place]:
        """Yield the places of a tile on some cells on which a player joins claimed features."""

    def looks(self, at: int, kind: str, coming: Sequence[str], *, towers: bool) -> Iterator[Look]:
        """Yield every turn with a tile, with those that come after it; ``towers`` as in a walk."""

    def places(self, kind: str) -> int:
        """Return on how many places a tile may lie."""

    def threats(self, captor: int) -> list[Threat]:
        """Return what a player may take prisoner with a tower piece, most gain first."""

    def play(self, turn: Any, *, last: bool) -> None:
        """Play a turn."""

    def move(self, turn: Any, discards: tuple[str, ...]) -> Move:
        """Return a turn that is not played yet as a move."""

    def position(self, start: Position) -> Position:
        """Return the position now, with the tiles to come of the start."""

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features of the position now on which followers stand."""

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""


class _InCastle:
    """A game in a castle."""

    pieces = 0

    def __init__(self, position: Position) -> None:
        self.state = game_state(position)
        self.mark, self.undo, self.move = self.state.mark, self.state.undo, self.state.move

    @property
    def mover(self) -> int:
        return self.state.turn[0]

    def glance(
        self, kind: str, coming: Sequence[str], player: int, where: Where
    ) -> Iterator[Place]:
        if where is Where.CLOSING:
            return self._closings(kind, player)
        return (place for place, _ in self._laid(kind, coming, player, where))

    def _closings(self, kind: str, player: int) -> Iterator[Place]:
        """Yield the places of a tile at which a feature is completed that a player leads."""
        board, standing = self.state.board, self._standing(player)
        index, cells = board.kind_index[kind], 0
        for root in {root for root, _, side in standing if side > 0}:
            needs = board.needs(root)
            if needs.bit_count() == 1 and board.kind[root] != COURT:
                cells |= needs
        for cell in range(board.tables.inside) if cells else ():
            for rotation in board.rotations(cell, index) if cells >> cell & 1 else ():
                mark = self.mark()
                closes = self._closes(board.lay(cell, index, rotation), cell, player)
                self.undo(mark)
                if closes:
                    lands, orders = self._lands(closes, player)
                    yield Place(cell, rotation, closes=closes, lands=lands, orders=orders)

    def _laid(
        self, kind: str, coming: Sequence[str], player: int, where: Where
    ) -> Iterator[tuple[Place, list[int]]]:
        """Yield places, as ``glance`` does, with what is completed; the tile lies there then."""
        state, board = self.state, self.state.board
        standing = self._standing(player)
        scarce, contested = self._scarce(coming), contested_cells(board, standing)
        if where is Where.STRANDING and not scarce:
            return
        index, area = board.kind_index[kind], board.largest_empty_area()
        for cell, rotation in list(board.places(index)):
            near = board.tables.near[cell] | 1 << cell
            lost = [tile for tile, cells in scarce.items() if not cells & ~near]
            if where is Where.STRANDING and not lost:
                continue
            mark = state.mark()
            done = board.lay(cell, index, rotation)
            joins = contested >> cell & 1
            joined = joined_features(board, standing, self._pays) if joins else NOTHING
            closes = self._closes(done, cell, player)
            lands, orders = self._lands(closes, player) if closes else (False, False)
            place = Place(
                cell,
                rotation,
                *joined,
                strands=tuple(tile for tile in lost if not self.places(tile)),
                cuts=area - board.largest_empty_area(),
                closes=closes,
                lands=lands,
                orders=orders,
            )
            yield place, done
            state.undo(mark)

    def joins(self, kind: str, player: int, cells: Iterable[int]) -> Iterator[Place]:
        board, standing = self.state.board, self._standing(player)
        index = board.kind_index[kind]
        for cell in cells:
            for rotation in board.rotations(cell, index):
                mark = self.mark()
                board.lay(cell, index, rotation)
                joined = joined_features(board, standing, self._pays)
                self.undo(mark)
                if any(joined):
                    yield Place(cell, rotation, *joined)

    def contested(self) -> list[int]:
        board = self.state.board
        several = contested_cells(board, self._standing(self.mover))
        return [cell for cell in range(board.tables.inside) if several >> cell & 1]

    def looks(
        self,
        at: int,
        kind: str,
        coming: Sequence[str],
        *,
        towers: bool,  # noqa: ARG002 -- there are none on which something is done
    ) -> Iterator[Look]:
        state, me, last = self.state, self.mover, not coming
        before = state.score[me], state.score[1 - me]
        stood = len(state.stands(me))
        index = state.board.kind_index[kind]
        for place, done in self._laid(kind, coming, me, Where.ANYWHERE):
            there = place.cell, index, place.rotation
            asked = state.claimable(place.cell, index, done, last=last, alike=True)
            for turn in state.scored(there, done, asked, last=last):
                mark = state.mark()
                state.go_on(turn, done, last=last)
                ends = totals(state)
                homes = stood + (turn.segment >= 0) - len(state.stands(me))
                state.undo(mark)
                scored = [one.root for one in turn.plan.claims if one.winner == me]
                points = turn.plan.scores[me] - before[0]
                yield Look(
                    at=at,
                    turn=turn,
                    place=place,
                    points=points,
                    gain=points - turn.plan.scores[1 - me] + before[1],
                    takes=any(taker == me for _, taker in turn.plan.takes),
                    claims=turn.segment >= 0,
                    builds=False,
                    captures=False,
                    lead=ends[me] - ends[1 - me],
                    scores=self._completed(scored, me),
                    doubles=any(root in scored for root, _ in turn.plan.doubled),
                    again=turn.extra > 0,
                    homes=homes,
                )

    def places(self, kind: str) -> int:
        board = self.state.board
        return sum(1 for _ in board.places(board.kind_index[kind]))

    def threats(self, captor: int) -> list[Threat]:  # noqa: ARG002 -- there are no towers
        return []

    def play(self, turn: Any, *, last: bool) -> None:
        self.state.play(turn, last=last)

    def position(self, start: Position) -> Position:
        return castle_position(self.state, start)

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        return castle_claimed(self.state, position)

    def _scarce(self, coming: Sequence[str]) -> dict[str, int]:
        """Return of the tiles to come that have a place the cells on which they may lie, as bits.

        Those are left out that have more than one turn may take from them.
        """
        found, board = {}, self.state.board
        for tile in sorted({*coming}):
            cells = {cell for cell, _ in board.places(board.kind_index[tile])}
            if 0 < len(cells) <= ZONE:
                found[tile] = sum(1 << cell for cell in cells)
        return found

    def _standing(self, player: int) -> list[tuple[int, int, int]]:
        """Return the features on which followers stand, with them."""
        state = self.state
        both = [(node, 1 if p == player else -1) for p in (0, 1) for node in state.stands(p)]
        return standing_on(state.board, both)

    def _closes(self, done: Sequence[int], cell: int, player: int) -> tuple[Completed, ...]:
        """Return what a tile just laid completes for a player; see ``Place``."""
        return self._completed([r for r in done if self._scored(r, cell, player)], player)

    def _completed(self, roots: Sequence[int], player: int) -> tuple[Completed, ...]:
        """Return features that are completed for a player."""
        board, keep = self.state.board, max(self.state.keep)
        return tuple(
            Completed(
                KINDS[board.kind[root]],
                self.state.claim(root, player).points,
                fountain=board.kind[root] == PATH and board.fountains[root] > 0,
                keep=board.kind[root] == HOUSE and board.mask[root].bit_count() > keep,
            )
            for root in roots
        )

    def _lands(self, closes: Sequence[Completed], player: int) -> tuple[bool, bool]:
        """Tell whether a marker may land on a corner tower, and whether it may go on from there."""
        state, start = self.state, self.state.score[player]
        reached = {start}
        for one in closes:
            reached |= {score + one.points for score in reached}
        towers = ((score, state.landing[score % len(state.landing)]) for score in reached - {start})
        lands = {score for score, at in towers if at >= 0 and state.towers[at] >= 0}
        return bool(lands), not lands <= {max(reached)}

    def _scored(self, root: int, cell: int, player: int) -> bool:
        """Tell whether a player scores a feature, or may by a follower on a tile just laid."""
        board = self.state.board
        mine, theirs = board.men[2 * root + player], board.men[2 * root + 1 - player]
        return mine > theirs or (mine == theirs == 0 and board.mask[root] >> cell & 1 > 0)

    def _pays(self, root: int) -> bool:
        """Tell whether a feature brings points, as it is."""
        board = self.state.board
        return board.markets[root] > 0 if board.kind[root] == COURT else not board.needs(root)


class Rehearsal:
    """A game of two players that is played on and taken back, at speed.

    Attributes:
        start: where it began.
        order: ids of the tiles that come; those before ``at`` are laid or had no place.
        at: index of the next of them.

    """

    def __init__(self, position: Position) -> None:
        """Stand at a position whose tiles to come are known."""
        self.start = position
        self.order: Sequence[str] = position.order
        self.at = 0
        self._without_place: tuple[str, ...] = ()
        self._here: Position | None = None
        endless = position.game.board.endless
        self._game: _Game = OnPlane(position) if endless else _InCastle(position)

    @property
    def mover(self) -> int:
        """The player to move."""
        return self._game.mover

    @property
    def state(self) -> GameState | PlaneState:
        """The incremental state of the game, to be read."""
        return self._game.state

    @property
    def left(self) -> int:
        """How many tiles are to come."""
        return len(self.order) - self.at

    @property
    def supply(self) -> int:
        """Followers without a rank that the player to move may place."""
        return self._game.state.supply[self.mover]

    @property
    def pieces(self) -> int:
        """Tower pieces that the player to move may build."""
        return self._game.pieces

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
        return self._game.claimed(self._board)

    @property
    def _board(self) -> Position:
        """The position now but for the tiles to come."""
        if self._here is None:
            self._here = self._game.position(self.start)
        return self._here

    def looks(self, *, towers: bool = True) -> list[Look]:
        """Return every turn with the next tile that has a place; none if no tile has one.

        Args:
            towers: whether turns of The Tower that do something on towers are listed.

        """
        for at in range(self.at, len(self.order)):
            coming = self.order[at + 1 :]
            if found := list(self._game.looks(at, self.order[at], coming, towers=towers)):
                return found
        return []

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
            return list(self._game.joins(tile, player, self._game.contested()))
        return list(self._game.glance(tile, coming, player, where))

    def joins(self, player: int) -> Iterator[Iterator[Place]]:
        """Yield of each kind of tile to come the places where a player joins claimed features.

        Nothing else is told of them.
        """
        cells = self._game.contested()
        for tile in sorted({*self.order[self.at :]}) if cells else ():
            yield self._game.joins(tile, player, cells)

    def deal(self, order: Sequence[str]) -> None:
        """Let the tiles to come, which nobody has looked at, come in another order."""
        self.order = [*self.order[: self.at], *order]

    def places(self, kind: str) -> int:
        """Return on how many places a tile of a kind may lie now."""
        return self._game.places(kind)

    def threats(self, captor: int) -> list[Threat]:
        """Return whom a player may take prisoner with a tower piece, most gain first."""
        return self._game.threats(captor)

    def move(self, chosen: Chosen) -> Move:
        """Return a turn, one of those listed last, as the move that the rules engine lists."""
        return self._game.move(chosen.turn, tuple(self.order[self.at : chosen.at]))

    def play(self, chosen: Chosen) -> None:
        """Play a turn, one of those listed last."""
        self._game.play(chosen.turn, last=chosen.at == len(self.order) - 1)
        self._without_place += tuple(self.order[self.at : chosen.at])
        self.at, self._here = chosen.at + 1, None

    def mark(self) -> tuple[int, int, tuple[str, ...]]:
        """Return the point to which ``undo`` takes back."""
        return self._game.mark(), self.at, self._without_place

    def undo(self, mark: tuple[int, int, tuple[str, ...]]) -> None:
        """Take back every turn since ``mark``."""
        point, self.at, self._without_place = mark
        self._here = None
        self._game.undo(point)
