"""A game of Carcassonne or The Tower as it is rehearsed, on the incremental state of the plane.

Turns are not played to be looked at: what the game would come to after each is told by what it
changes of the end with its tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from model.features import Feature
from model.position import Position
from model.rules.tower.prisoners import PRICE_OF_A_FOLLOWER
from solver.plane.ending import Gains, Reckoning
from solver.plane.state import Turn as PlaneTurn
from solver.plane.tables import FIELD, MAN, MEN
from solver.plane.tables import KINDS as PLANE_KINDS
from solver.plane.towers import TowerState
from solver.positions import plane_claimed, plane_position
from solver.questions.joining import (
    contested_places,
    joined_features,
    standing_on,
)
from solver.questions.look import ZONE, Completed, Look, Place, Threat, Where, gap
from solver.states import plane_state

BASE = 1 << 16
"""A point of the player to move, where a sum holds what both win: more than his opponent wins."""


class OnPlane:
    """A game of Carcassonne, with or without The Tower; see ``rehearsal``."""

    def __init__(self, position: Position) -> None:
        """Take over a position."""
        self.state = plane_state(position)
        self.mark, self.undo, self.move = self.state.mark, self.state.undo, self.state.move
        tables = self.state.board.tables
        self._gains = Gains(tables, (BASE, 1)), Gains(tables, (1, BASE))

    @property
    def mover(self) -> int:
        """The player to move."""
        return self.state.turn[0]

    @property
    def pieces(self) -> int:
        """Tower pieces that the player to move may build."""
        return self.state.pieces[self.mover] if isinstance(self.state, TowerState) else 0

    def glance(
        self, kind: str, coming: Sequence[str], player: int, where: Where
    ) -> Iterator[Place]:
        """Yield the places of a tile for a player on some cells, with those that come after it."""
        state, board = self.state, self.state.board
        index, scarce = board.kind_index[kind], self._scarce(coming)
        glimpse = self._glimpse(scarce, player)
        places = islice(board.places(index), 1 if where is Where.FIRST else None)
        for cell, rotation in list(places):
            if where is Where.STRANDING and not self._lost(scarce, cell):
                continue
            mark = state.mark()
            place = glimpse(cell, rotation, state.lay(cell, index, rotation))
            state.undo(mark)
            yield place

    def joins(self, kind: str, player: int, cells: Iterable[int]) -> Iterator[Place]:
        """Yield the places on some cells on which a tile of a player joins claimed features."""
        board, standing = self.state.board, self._standing(player)
        index = board.kind_index[kind]
        for cell in cells:
            for rotation in board.tables.fitting(index, board.wants[cell]):
                mark = self.mark()
                self.state.lay(cell, index, rotation)
                joined = joined_features(board, standing, self._pays)
                self.undo(mark)
                if any(joined):
                    yield Place(cell, rotation, *joined)

    def contested(self) -> list[int]:
        """Return the empty cells that several claimed features face."""
        return contested_places(self.state.board, self._standing(self.mover))

    def _standing(self, player: int) -> list[tuple[int, int, int]]:
        """Return the features on which followers stand, with them."""
        posts = enumerate(self.state.posts)
        both = [(node, 1 if i // self.state.each == player else -1) for i, node in posts]
        return standing_on(self.state.board, both)

    def _pays(self, root: int) -> bool:
        """Tell whether a feature brings points, as it is."""
        board = self.state.board
        field = board.what[root] == FIELD
        return not field or any(city & board.near[root] for city in board.walled)

    def _scored(self, root: int, player: int) -> bool:
        """Tell whether a player scores a feature, or may by a follower on a tile just laid."""
        board = self.state.board
        men, last = board.men[root], len(board.cell) - 1
        if men:
            return player in board.tables.leaders(men)
        return board.tiles[root] >> last & 1 > 0

    def _glimpse(
        self, scarce: Mapping[str, set[int]], player: int
    ) -> Callable[[int, int, list[int]], Place]:
        """Return what tells of a place, where the tile lies, with the roots that it completes."""
        board, standing = self.state.board, self._standing(player)
        can = self._deeds(player)

        def glimpse(cell: int, rotation: int, done: list[int]) -> Place:
            return Place(
                cell,
                rotation,
                *joined_features(board, standing, self._pays),
                tuple(tile for tile in self._lost(scarce, cell) if not self.places(tile)),
                0,
                tuple(
                    Completed(PLANE_KINDS[board.what[root]])
                    for root in done
                    if self._scored(root, player)
                ),
                *can,
            )

        return glimpse

    def _scarce(self, coming: Sequence[str]) -> dict[str, set[int]]:
        """Return of the tiles to come that have a place the cells on which they may lie.

        Those are left out that have more than one turn may take from them.
        """
        found, board = {}, self.state.board
        for tile in sorted({*coming}):
            cells = {cell for cell, _ in board.places(board.kind_index[tile])}
            if 0 < len(cells) <= ZONE:
                found[tile] = cells
        return found

    def _lost(self, scarce: Mapping[str, set[int]], cell: int) -> list[str]:
        """Return those of some tiles that may lie nowhere but on a cell and those beside it."""
        if not scarce:
            return []
        near = {cell, *(cell + step for step in self.state.board.steps)}
        return [tile for tile, cells in scarce.items() if cells <= near]

    def looks(self, at: int, kind: str, coming: Sequence[str], *, towers: bool) -> Iterator[Look]:
        """Yield every turn with a tile, with those that come after it."""
        state, board, me = self.state, self.state.board, self.mover
        index = board.kind_index[kind]
        opened = state.towers() if towers else None
        heights = state.height if isinstance(state, TowerState) else ()
        dangers = self._dangers()
        most = dangers[0].gain if dangers else 0
        glimpse = self._glimpse(self._scarce(coming), me)
        for cell, rotation in list(board.places(index)):
            mark = state.mark()
            done = state.lay(cell, index, rotation)
            place = glimpse(cell, rotation, done)
            reckoning = Reckoning(state, self._gains[me], done)
            known: dict[tuple[int, ...], tuple[int, int, int]] = {}
            laid = PlaneTurn(cell, index, rotation)
            freed = sum(board.men[root] >> MAN * me & MEN for root in done)
            base = board.slot[cell] * board.tables.width
            for turn in state.on_place(laid, done, alike=True, towers=opened):
                _, _, _, segment, piece, taken, _, guard, captor, _ = turn
                scoring = segment, taken, captor
                if scoring not in known:
                    known[scoring] = self._ends(turn, reckoning, done)
                points, gain, lead = known[scoring]
                danger, height = most, 0
                if guard >= 0:
                    danger = next((one.gain for one in dangers if one.tower != guard), 0)
                if piece >= 0 or guard >= 0:
                    height = heights[max(piece, guard)]
                at_once = segment >= 0 and board.find(base + segment) in done
                # By position, for there are thousands.
                yield Look(
                    at,
                    turn,
                    place,
                    points,
                    gain,
                    False,
                    segment >= 0,
                    piece >= 0,
                    taken >= 0,
                    lead,
                    (),
                    False,
                    False,
                    guard >= 0,
                    captor >= 0,
                    height,
                    freed + at_once + (captor >= 0),
                    danger,
                )
            state.undo(mark)

    def _ends(
        self, turn: PlaneTurn, reckoning: Reckoning, done: Sequence[int]
    ) -> tuple[int, int, int]:
        """Return what the player to move wins in a turn, what on his opponent, and his lead."""
        state, board, me = self.state, self.state.board, self.mover
        node, more, change, scored = turn.taken, 0, 0, reckoning.scored
        if turn.segment >= 0:
            node, more = board.slot[turn.cell] * board.tables.width + turn.segment, 1 << MAN * me
        elif turn.taken >= 0:
            more = -1 << MAN * (state.posts.index(turn.taken) // state.each)
        if more:
            root = board.find(node)
            change = reckoning.changed(root, more)
            scored += change * (root in done)
        paid = PRICE_OF_A_FOLLOWER * (turn.captor >= 0)
        lead = state.score[me] - state.score[1 - me]
        lead += _lead(reckoning.total + change) - 2 * paid
        return scored // BASE - paid, _lead(scored) - 2 * paid, lead

    def threats(self, captor: int) -> list[Threat]:
        """Return what a player may take prisoner with a tower piece, most gain first."""
        state = self.state
        if not isinstance(state, TowerState):
            return []
        owner, found = 1 - captor, []
        reckoning = Reckoning(state, self._gains[captor], ())
        for node in state.owned(owner):
            towers = state.reaching(node) if node >= 0 else []
            if towers:
                root, fewer = state.board.find(node), -1 << MAN * owner
                men, leaders = state.board.men[root], state.board.tables.leaders
                ousts = leaders(men) == (owner,) != leaders(men + fewer)
                change = reckoning.changed(root, fewer)
                gain = _lead(reckoning.total + change) - _lead(reckoning.total)
                found += [Threat(tower, state.height[tower], gain, ousts) for tower in towers]
        return sorted(found, key=lambda threat: -threat.gain)

    def _deeds(self, player: int) -> tuple[int, int, bool]:
        """Return what captures, guards and ransoms of a player may come to; see ``Place``.

        What the tile of his turn adds is left out: its own tower place, and what it scores.
        """
        state, rival = self.state, 1 - player
        if not isinstance(state, TowerState):
            return 0, 0, False
        captures = gap(self.threats(player)) if state.pieces[player] else 0
        able = state.pieces[rival] and state.supply[player]
        return captures, gap(self.threats(rival), by_tower=True) if able else 0, state.buys(player)

    def _dangers(self) -> list[Threat]:
        """Return the threats of the opponent of the player to move, if he has a tower piece."""
        state, rival = self.state, 1 - self.mover
        able = isinstance(state, TowerState) and state.pieces[rival]
        return self.threats(rival) if able else []

    def places(self, kind: str) -> int:
        """Return on how many places a tile may lie."""
        board = self.state.board
        return sum(1 for _ in board.places(board.kind_index[kind]))

    def play(self, turn: PlaneTurn, *, last: bool) -> None:  # noqa: ARG002 -- no turn depends on it
        """Play a turn."""
        self.state.play(turn)

    def position(self, start: Position) -> Position:
        """Return the position now, with the tiles to come of the start."""
        return plane_position(self.state, start)

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features of the position now on which followers stand."""
        return plane_claimed(self.state, position)


def _lead(both: int) -> int:
    """Return the lead of the player to move by a sum that holds what both win."""
    mine, his = divmod(both, BASE)
    return mine - his
