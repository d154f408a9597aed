"""A game in a castle that is played on and taken back, on the incremental state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from model.components import Rank
from model.features import Feature
from model.geometry import PORTS
from model.position import Move, Position
from solver.falcon.ending import worth_of
from solver.falcon.state import FalconState
from solver.final_value import A_MARKET
from solver.game_state import RANKS, GameState, Turn
from solver.simulation.positions import bits, castle_claimed, castle_position
from solver.simulation.simulation import (
    NOBODY,
    Completed,
    Outcome,
    Scoring,
    Simulation,
    Stake,
    Threat,
)
from solver.states import game_state, totals
from solver.tables import COURT, HOUSE, KINDS, PATH


class CastleSimulation(Simulation):
    """A game of The Castle, with or without The Falcon."""

    def __init__(self, position: Position) -> None:
        """Stand at a position."""
        self._state: GameState = game_state(position)
        self._board = self._state.board

    @property
    def mover(self) -> int:
        """The player to move."""
        return self._state.turn[0]

    def score(self, player: int) -> int:
        """Return the points of a player now."""
        return self._state.score[player]

    def supply(self, player: int) -> int:
        """Return how many followers without a rank a player may place."""
        return self._state.supply[player]

    def pieces(self, player: int) -> int:  # noqa: ARG002 -- there are none
        """Return how many tower pieces a player may build: none."""
        return 0

    def places(self, tile: str) -> list[tuple[int, int]]:
        """Return the places of a tile: each a cell and a rotation."""
        return list(self._board.places(self._board.kind_index[tile]))

    def rotations(self, tile: str, cell: int) -> Sequence[int]:
        """Return the rotations in which a tile may lie on an empty cell."""
        return self._board.rotations(cell, self._board.kind_index[tile])

    def near(self, cell: int) -> frozenset[int]:
        """Return a cell with those that share a side with it."""
        return frozenset((cell, *bits(self._board.tables.near[cell])))

    def gaps(self, feature: int) -> frozenset[int]:
        """Return the empty cells that a feature faces."""
        return frozenset(bits(self._board.needs(feature)))

    def contested(self) -> list[int]:
        """Return the empty cells that several claimed features of a kind face."""
        board, faced, several = self._board, Counter[int](), 0
        for root in self._state.occupied():
            needs, kind = board.needs(root), board.kind[root]
            several |= faced[kind] & needs
            faced[kind] |= needs
        return list(bits(several))

    def closing(self, player: int) -> list[int]:
        """Return the cells that alone keep a feature open on which a player has a follower."""
        board, cells = self._board, 0
        for root in {board.find(node) for node in self._state.stands(player)}:
            needs = board.needs(root)
            if needs.bit_count() == 1 and board.kind[root] != COURT:
                cells |= needs
        return list(bits(cells))

    def empty_area(self) -> int:
        """Return the cells of the largest empty area."""
        return self._board.largest_empty_area()

    def holds_tile(self, score: int) -> bool:
        """Tell whether a marker with a score stands at a corner tower with a wall tile."""
        state = self._state
        tower = state.landing[score % len(state.landing)]
        return tower >= 0 and state.towers[tower] >= 0

    def followers(self) -> list[tuple[int, int]]:
        """Return the followers on features, each with his player."""
        return [(node, player) for player in (0, 1) for node in self._state.stands(player)]

    def feature_of(self, part: int) -> int:
        """Return the feature on which a follower stands, or to which one has grown."""
        return self._board.find(part)

    def occupied(self) -> list[int]:
        """Return the features on which somebody stands."""
        return list(self._state.occupied())

    def pays(self, feature: int) -> bool:
        """Tell whether a feature brings its leader points, as it is."""
        board = self._board
        court = board.kind[feature] == COURT
        return board.markets[feature] > 0 if court else not board.needs(feature)

    def completed(self, feature: int, player: int) -> Completed:
        """Return what a feature that is complete is for a player."""
        board, state = self._board, self._state
        kind = board.kind[feature]
        return Completed(
            KINDS[kind],
            state.claim(feature, player).points,
            fountain=kind == PATH and board.fountains[feature] > 0,
            keep=kind == HOUSE and board.mask[feature].bit_count() > max(state.keep),
        )

    def lay(self, tile: str, cell: int, rotation: int) -> list[int]:
        """Lay a tile alone, on one of its places; return the features that it completes."""
        return self._board.lay(cell, self._board.kind_index[tile], rotation)

    def may_score(self, feature: int, cell: int, player: int) -> bool:
        """Tell whether a player scores a completed feature, or may by a follower on a tile."""
        board = self._board
        mine, theirs = board.men[2 * feature + player], board.men[2 * feature + 1 - player]
        return mine > theirs or (mine == theirs == 0 and board.mask[feature] >> cell & 1 > 0)

    def towers(self) -> None:
        """Return what may be done on towers: there are none."""

    def outcomes(
        self,
        laid: tuple[str, int, int],
        done: Sequence[int],
        *,
        last: bool,
        alike: bool,
        towers: Any,  # noqa: ARG002 -- there are none on which something is done
    ) -> Iterator[Outcome]:
        """Yield every turn that lays a tile on a place; in the rules engine's order."""
        state, me = self._state, self.mover
        tile, cell, rotation = laid
        kind = self._board.kind_index[tile]
        before = state.score[me], state.score[1 - me]
        stood = len(state.stands(me))
        asked = state.claimable(cell, kind, done, last=last, alike=alike)
        for turn in state.scored((cell, kind, rotation), done, asked, last=last):
            mark, plan = state.mark(), turn.plan
            state.go_on(turn, done, last=last)
            ends = totals(state)
            homes = stood + (turn.segment >= 0) - len(state.stands(me))
            state.undo(mark)
            scored = [one.root for one in plan.claims if one.winner == me]
            points = plan.scores[me] - before[0]
            yield Outcome(
                turn=turn,
                segment=turn.segment,
                points=points,
                gain=points - plan.scores[1 - me] + before[1],
                lead=ends[me] - ends[1 - me],
                homes=homes,
                takes=any(taker == me for _, taker in plan.takes),
                taken=plan.takes,
                scores=tuple(self.completed(root, me) for root in scored),
                doubles=any(root in scored for root, _ in plan.doubled),
                again=turn.extra > 0,
            )

    def stake(self, feature: int) -> Stake:
        """Return a feature with its followers."""
        board = self._board
        men = board.men[2 * feature], board.men[2 * feature + 1]
        leader = NOBODY if men[0] == men[1] else int(men[0] < men[1])
        points, tokens, times = (0, 0, 1) if leader == NOBODY else self._won(feature, leader)
        return Stake(
            kind=KINDS[board.kind[feature]],
            men=men,
            leader=leader,
            size=board.mask[feature].bit_count(),
            gaps=board.needs(feature).bit_count(),
            points=points,
            tokens=tokens,
            times=times,
        )

    def _won(self, root: int, leader: int) -> tuple[int, int, int]:
        """Return points and tokens that a feature brings its leader, and how a king multiplies."""
        state, court = self._state, self._board.kind[root] == COURT
        if not isinstance(state, FalconState):
            return A_MARKET * state.board.markets[root] if court else state.worth(root), 0, 1
        found = worth_of(state, root, leader) if court else state.claim(root, leader)
        tokens = (found.aeries & ~state.gone[0]).bit_count() + found.more
        return found.points, tokens, state.factor(root, leader)

    def claims(
        self, laid: tuple[str, int, int], done: Sequence[int], *, last: bool
    ) -> list[tuple[int, Rank, Stake]]:
        """Return the followers that may be placed with a tile, each with the feature then.

        On a feature of several segments of the tile a follower is placed once.

        Args:
            laid: the tile, which lies there already, its cell and its rotation.
            done: the features that it completes.
            last: whether no tile is left after it.

        Returns:
            The segment, the rank of the follower, and the feature with him on it.

        """
        state, (tile, cell, _) = self._state, laid
        kind, found = self._board.kind_index[tile], []
        for segment, _, rank in state.claimable(cell, kind, done, last=last, alike=False):
            if segment >= 0:
                mark, node = state.mark(), cell * PORTS + segment
                state.place(rank, node)
                found.append((segment, RANKS[rank], self.stake(self._board.find(node))))
                state.undo(mark)
        return found

    def scorings(
        self, laid: tuple[str, int, int], follower: tuple[int, Rank] | None, *, last: bool
    ) -> list[Scoring]:
        """Return every way to score a place and a follower.

        Args:
            laid: the tile, its cell and its rotation; it lies not there yet.
            follower: the segment on which he is placed and his rank; None for no follower.
            last: whether no tile is left after it.

        """
        tile, cell, rotation = laid
        segment, rank = follower or (NOBODY, Rank.FOLLOWER)
        found = self._state.turns_on(
            cell,
            self._board.kind_index[tile],
            rotation,
            last=last,
            alike=False,
            segment=segment,
        )
        number = RANKS.index(rank)
        return [self._scoring(turn) for turn in found if turn.rank == number]

    def _scoring(self, turn: Turn) -> Scoring:
        """Return a turn with what sets it apart from others on the same place."""
        me, plan = self.mover, turn.plan
        mine = sum(taker == me for _, taker in plan.takes)
        plain = sum(claim.points for claim in plan.claims if claim.winner == me)
        return Scoring(
            turn=turn,
            takes=(mine, len(plan.takes) - mine),
            bonus=plan.scores[me] - self._state.score[me] - plain,
            doublers=sum(len(numbers) for _, numbers in plan.doubled),
            extra=turn.extra,
        )

    def threats(self, captor: int) -> list[Threat]:  # noqa: ARG002 -- there are no towers
        """Return whom a player may take prisoner: nobody."""
        return []

    def buys_back(self, player: int) -> bool:  # noqa: ARG002 -- there are no prisoners
        """Tell whether a player may buy a follower back: he may not."""
        return False

    def tile(self, turn: Turn) -> str:
        """Return the tile that a turn lays."""
        return self._board.tables.kinds[turn.kind].id

    def play(self, turn: Turn, *, last: bool) -> None:
        """Play a turn."""
        self._state.play(turn, last=last)

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
        return castle_position(self._state, start)

    def claimed(self, position: Position) -> tuple[Feature, ...]:
        """Return the features of the position now on which followers stand, by first segment."""
        return castle_claimed(self._state, position)
