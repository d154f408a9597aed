"""A game of Carcassonne or The Tower that is played on and taken back, on the incremental state.

Turns are not played to be looked at: what the game would come to after each is told by what it
changes of the end with its tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from model.features import Feature
from model.position import Move, Position
from model.rules.tower.prisoners import PRICE_OF_A_FOLLOWER
from solver.plane.ending import Gains, Reckoning
from solver.plane.state import PlaneState, Turn
from solver.plane.tables import FIELD, KINDS, MAN, MEN
from solver.plane.towers import TowerState
from solver.simulation.positions import plane_claimed, plane_position
from solver.simulation.simulation import Completed, Outcome, Simulation, Threat
from solver.states import plane_state

BASE = 1 << 16
"""A point of the player to move, where a sum holds what both win: more than his opponent wins."""


class PlaneSimulation(Simulation):
    """A game of Carcassonne, with or without The Tower."""

    def __init__(self, position: Position) -> None:
        """Stand at a position."""
        self._state: PlaneState = plane_state(position)
        self._board = self._state.board
        tables = self._board.tables
        self._both = Gains(tables, (BASE, 1)), Gains(tables, (1, BASE))
        self._leads = Gains(tables, (1, -1)), Gains(tables, (-1, 1))

    @property
    def mover(self) -> int:
        """The player to move."""
        return self._state.turn[0]

    def score(self, player: int) -> int:
        """Return the points of a player now."""
        return self._state.score[player]

    def supply(self, player: int) -> int:
        """Return how many followers a player may place."""
        return self._state.supply[player]

    def pieces(self, player: int) -> int:
        """Return how many tower pieces a player may build."""
        return self._state.pieces[player] if isinstance(self._state, TowerState) else 0

    def places(self, tile: str) -> list[tuple[int, int]]:
        """Return the places of a tile: each a cell and a rotation."""
        return list(self._board.places(self._board.kind_index[tile]))

    def rotations(self, tile: str, cell: int) -> Sequence[int]:
        """Return the rotations in which a tile may lie on an empty cell."""
        board = self._board
        return board.tables.fitting(board.kind_index[tile], board.wants[cell])

    def near(self, cell: int) -> frozenset[int]:
        """Return a cell with those that share a side with it."""
        return frozenset((cell, *(cell + step for step in self._board.steps)))

    def contested(self) -> list[int]:
        """Return the empty cells that several claimed features of a kind face."""
        board, t = self._board, self._board.tables
        claimed = {board.find(node) for node in self._state.posts if node >= 0}
        found = []
        for cell in sorted(board.rim):
            facing: dict[int, set[int]] = {}
            for side, step in enumerate(board.steps if board.lie[cell] < 0 else ()):
                if (lie := board.lie[cell + step]) >= 0:
                    ports = t.owner[lie][3 * (side ^ 2) : 3 * (side ^ 2) + 3]
                    base = board.slot[cell + step] * t.width
                    for root in claimed.intersection(board.find(base + one) for one in {*ports}):
                        facing.setdefault(board.what[root], set()).add(root)
            if any(len(roots) > 1 for roots in facing.values()):
                found.append(cell)
        return found

    def closing(self, player: int) -> list[int]:  # noqa: ARG002 -- no cell is ruled out
        """Return all empty cells beside a tile."""
        return [cell for cell in sorted(self._board.rim) if self._board.lie[cell] < 0]

    def empty_area(self) -> int:
        """Return 0: a plane has no largest empty area."""
        return 0

    def holds_tile(self, score: int) -> bool:  # noqa: ARG002 -- at no score
        """Tell whether a marker stands at a corner tower with a wall tile: there are none."""
        return False

    def followers(self) -> list[tuple[int, int]]:
        """Return the followers on features, each with his player."""
        each = self._state.each
        return [(node, post // each) for post, node in enumerate(self._state.posts) if node >= 0]

    def feature_of(self, part: int) -> int:
        """Return the feature on which a follower stands, or to which one has grown."""
        return self._board.find(part)

    def pays(self, feature: int) -> bool:
        """Tell whether a feature brings its leader points, as it is."""
        board = self._board
        field = board.what[feature] == FIELD
        return not field or any(city & board.near[feature] for city in board.walled)

    def completed(self, feature: int, player: int) -> Completed:  # noqa: ARG002 -- alike for all
        """Return what a feature that is complete is for a player."""
        return Completed(KINDS[self._board.what[feature]])

    def lay(self, tile: str, cell: int, rotation: int) -> list[int]:
        """Lay a tile alone, on one of its places; return the features that it completes."""
        return self._state.lay(cell, self._board.kind_index[tile], rotation)

    def may_score(self, feature: int, cell: int, player: int) -> bool:
        """Tell whether a player scores a completed feature, or may by a follower on a tile."""
        board, men = self._board, self._board.men[feature]
        if men:
            return player in board.tables.leaders(men)
        return board.tiles[feature] >> board.slot[cell] & 1 > 0

    def towers(self) -> Any:
        """Return what may be done on towers before a tile lies, to be handed to ``outcomes``."""
        return self._state.towers()

    def leads(self, laid: tuple[str, int, int]) -> tuple[int, int | None]:
        """Return the leads of the player to move if the game ended after a tile alone.

        Args:
            laid: the tile, its cell and its rotation; it lies not there yet.

        Returns:
            His lead without a follower, and the largest with one; None if he may place none.

        """
        state, board, me, mark = self._state, self._board, self.mover, self._state.mark()
        tile, cell, rotation = laid
        kind = board.kind_index[tile]
        reckoning = Reckoning(state, self._leads[me], state.lay(cell, kind, rotation))
        lead = state.score[me] - state.score[1 - me] + reckoning.total
        base = board.slot[cell] * board.tables.width
        claims = [
            lead + reckoning.changed(board.find(base + segment), 1 << MAN * me)
            for segment in state.claimable(kind, alike=False)
        ]
        state.undo(mark)
        return lead, max(claims, default=None)

    def outcomes(
        self,
        laid: tuple[str, int, int],
        done: Sequence[int],
        *,
        last: bool,  # noqa: ARG002 -- no turn depends on it
        alike: bool,
        towers: Any,
    ) -> Iterator[Outcome]:
        """Yield every turn that lays a tile on a place; in the rules engine's order."""
        state, board, me = self._state, self._board, self.mover
        tile, cell, rotation = laid
        roots = list(done)
        heights = state.height if isinstance(state, TowerState) else ()
        reckoning = Reckoning(state, self._both[me], roots)
        known: dict[tuple[int, ...], tuple[int, int, int]] = {}
        freed = sum(board.men[root] >> MAN * me & MEN for root in roots)
        base = board.slot[cell] * board.tables.width
        begun = Turn(cell, board.kind_index[tile], rotation)
        for turn in state.on_place(begun, roots, alike=alike, towers=towers):
            _, _, _, segment, piece, taken, _, guard, captor, _ = turn
            scoring = segment, taken, captor
            ends = known.get(scoring)
            apart = ends is None or guard >= 0
            if ends is None:
                ends = known[scoring] = self._ends(turn, reckoning, roots)
            tower = guard if piece < 0 else piece
            at_once = segment >= 0 and board.find(base + segment) in roots
            # By position and without a call for each, for there are thousands.
            yield Outcome._make(
                (
                    turn,
                    segment,
                    *ends,
                    freed + at_once + (captor >= 0),
                    False,
                    (),
                    (),
                    False,
                    False,
                    piece >= 0,
                    taken >= 0,
                    guard >= 0,
                    captor >= 0,
                    tower,
                    heights[tower] if tower >= 0 else 0,
                    apart,
                )
            )

    def _ends(self, turn: Turn, reckoning: Reckoning, done: Sequence[int]) -> tuple[int, int, int]:
        """Return what the player to move wins in a turn, what on his opponent, and his lead."""
        state, board, me = self._state, self._board, self.mover
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
        """Return whom a player may take prisoner with a tower piece, most gain first."""
        state = self._state
        if not isinstance(state, TowerState):
            return []
        owner, found = 1 - captor, []
        reckoning = Reckoning(state, self._both[captor], ())
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

    def buys_back(self, player: int) -> bool:
        """Tell whether a player may buy a follower back at once."""
        return isinstance(self._state, TowerState) and self._state.buys(player)

    def tile(self, turn: Turn) -> str:
        """Return the tile that a turn lays."""
        return self._board.tables.kinds[turn.kind].id

    def play(self, turn: Turn, *, last: bool) -> None:  # noqa: ARG002 -- no turn depends on it
        """Play a turn."""
        self._state.play(turn)

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""
        return self._state.mark()

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""
        self._state.undo(mark)

    def move(self, turn: Turn, discards: tuple[str, ...]) -> Move:
        """Return a turn that is not played yet as a move."""
        return self._state.move(turn, discards)

    def position(self, start: Position) -> Position:
        """Return the position now, with the tiles to come and the discarded ones of the start."""
        return plane_position(self._state, start)

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features of the position now on which followers stand, by first segment."""
        return plane_claimed(self._state, position)


def _lead(both: int) -> int:
    """Return the lead of the player to move by a sum that holds what both win."""
    mine, his = divmod(both, BASE)
    return mine - his
