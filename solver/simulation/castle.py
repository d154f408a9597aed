"""A game in a castle that plays and undoes turns on the compiled kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from model.components import Rank
from model.position import Move, Position
from solver.kernel import castle_facts as facts
from solver.kernel.bits import SPAN
from solver.kernel.castle_codec import NAMED_RANKS, move_of, state_of
from solver.kernel.castle_state import CLAIMS
from solver.kernel.castle_tables import CASTLE_CELLS, CASTLE_FEATURES, COURT, HOUSE, PATH, tables_of
from solver.kernel.castle_turns import KIND, KIND_MASK
from solver.kernel.records import alone, field, numbers_of, room
from solver.simulation.positions import CastleReader, bits
from solver.simulation.simulation import (
    LISTED_ON_PLACE,
    Completed,
    Outcome,
    Scoring,
    Simulation,
    Stake,
)


class CastleSimulation(Simulation):
    """A game of The Castle, with or without The Falcon."""

    _kernel = facts

    def __init__(self, position: Position) -> None:
        """Stand at a position of a game that the kernel covers; wall tiles may lie face down."""
        self._game = position.game
        self._state, self._facts = state_of(position), tables_of(position.game)
        self._states, self._tables = alone(self._state), alone(self._facts)
        self._kinds = numbers_of(position.game)
        self._ids = tuple(self._kinds)
        self._inside, self._track = int(self._facts.inside), int(self._facts.track)
        self._neighbour = field(self._tables, "neighbour")
        self._landing = field(self._tables, "landing")
        self._reader: CastleReader = CastleReader(self._states, position.game)
        self._depth, self._overflow = field(self._states, "depth"), field(self._states, "overflow")
        self._done = field(self._states, "done")
        self._kind, self._men = field(self._states, "kind"), field(self._states, "men")
        self._empty, self._faces = field(self._states, "empty"), field(self._states, "faces")
        self._fountains = field(self._states, "fountains")
        self._markets = field(self._states, "markets")
        self._room = room(4 * CASTLE_CELLS)
        self._make_room(LISTED_ON_PLACE)

    def _make_room(self, listed: int) -> None:
        """Make room for the turns on one place."""
        self._turns = room(listed)
        self._outcomes = room(facts.CASTLE_OUTCOME, listed)
        self._numbers = self._outcomes.reshape(-1)
        self._scored = room(listed * CLAIMS)

    def near(self, cell: int) -> frozenset[int]:
        """Return a cell with those that share a side with it."""
        beyond = [self._neighbour[cell, side] for side in range(4)]
        return frozenset((cell, *(other for other in beyond if 0 <= other < self._inside)))

    def gaps(self, feature: int) -> frozenset[int]:
        """Return the empty cells that a feature faces."""
        return frozenset(bits(self._needs(feature)))

    def _needs(self, feature: int) -> int:
        """Return the empty cells that a feature faces, as bits."""
        faces, empty = self._faces, self._empty
        return faces[feature, 0] & empty[0] | (faces[feature, 1] & empty[1]) << SPAN

    def contested(self) -> list[int]:
        """Return the empty cells that two or more claimed features of one kind face."""
        faced, several = Counter[int](), 0
        for root in self._reader.occupied():
            needs, kind = self._needs(root), self._kind[root]
            several |= faced[kind] & needs
            faced[kind] |= needs
        return list(bits(several))

    def closing(self, player: int) -> list[int]:
        """Return the cells that alone keep a feature open on which a player has a follower."""
        cells, find = 0, self._reader.find
        for root in {find(node) for node in self._reader.stands(player)}:
            needs = self._needs(root)
            if needs.bit_count() == 1 and self._kind[root] != COURT:
                cells |= needs
        return list(bits(cells))

    def empty_area(self) -> int:
        """Return the cells of the largest empty area."""
        return facts.area(self._states, self._tables)

    def holds_tile(self, score: int) -> bool:
        """Tell whether a marker with a score stands at a corner tower with a wall tile."""
        tower = self._landing[score % self._track]
        return tower >= 0 and self._reader.towers[tower] >= 0

    def occupied(self) -> list[int]:
        """Return the features with followers."""
        return list(self._reader.occupied())

    def pays(self, feature: int) -> bool:
        """Tell whether a feature brings its leader points without growth."""
        court = self._kind[feature] == COURT
        return self._markets[feature] > 0 if court else not self._needs(feature)

    def completed(self, feature: int, player: int) -> Completed:
        """Return the facts of a complete feature for a player."""
        kind = self._kind[feature]
        size = self._reader.cells_of(feature).bit_count()
        return Completed(
            CASTLE_FEATURES[kind],
            facts.points(self._states, self._tables, feature, player),
            fountain=kind == PATH and self._fountains[feature] > 0,
            keep=kind == HOUSE and size > max(self._reader.keep[0], self._reader.keep[1]),
        )

    def lay(self, tile: str, cell: int, rotation: int) -> list[int]:
        """Lay a tile alone, on one of its places; return the features that it completes."""
        lie = self._kinds[tile] * 4 + rotation
        count = facts.lay(self._states, self._tables, cell, lie)
        return self._done[:count].tolist() if count else []

    def may_score(self, feature: int, cell: int, player: int) -> bool:
        """Tell whether a player scores a completed feature, or may by a follower on a tile."""
        men = self._men[feature]
        mine, theirs = men >> 8 * player & 255, men >> 8 * (1 - player) & 255
        return mine > theirs or (
            mine == theirs == 0 and self._reader.cells_of(feature) >> cell & 1 > 0
        )

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
        tile, cell, rotation = laid
        begun = facts.begun(cell, self._kinds[tile], rotation)
        count = self._listed(
            lambda: facts.outcomes(
                self._states,
                self._tables,
                begun,
                last,
                alike,
                self._turns,
                self._outcomes,
                self._scored,
                self._room,
            )
        )
        me, at = self.mover, 0
        completed = {root: self.completed(root, me) for root in done}
        columns = [column.tolist() for column in self._outcomes[:, :count]]
        scored = self._scored[: columns[facts.SCORES_TO][-1]].tolist()
        for one in zip(*columns, strict=True):
            turn, segment, points, gain, lead, homes, white, black, doubles, extra, to = one
            taken = _taken(white, black) if white | black else ()
            scores, at = tuple([completed[root] for root in scored[at:to]]), to
            yield Outcome(
                turn=turn,
                segment=segment,
                points=points,
                gain=gain,
                lead=lead,
                homes=homes,
                takes=(black if me else white) > 0,
                taken=taken,
                scores=scores,
                doubles=doubles > 0,
                again=extra > 0,
            )

    def _listed(self, listing: Callable[[], int]) -> int:
        """List turns, in more room if need be; return how many there are."""
        count = super()._listed(listing)
        self._check()
        return count

    def _check(self) -> None:
        """Refuse to tell of turns for which the kernel had no room.

        Raises:
            OverflowError: there were too many ways to score one placement.

        """
        if self._overflow[0]:
            raise OverflowError("there are too many ways to score a turn")

    def stake(self, feature: int) -> Stake:
        """Return a feature with its followers."""
        facts.stake(self._states, self._tables, feature, self._room)
        return _stake(self._room[: facts.STAKE].tolist())

    def claims(self, laid: tuple[str, int, int], *, last: bool) -> list[tuple[int, Rank, Stake]]:
        """Return the followers that may be placed with a tile, each with the feature then.

        On a feature of several segments of the tile a follower is placed once.

        Args:
            laid: the tile, which has just been laid there, its cell and its rotation.
            last: whether no tile is left after it.

        Returns:
            The segment, the rank of the follower, and the feature with him on it.

        """
        count = facts.claims(self._states, self._tables, laid[1], last, self._room)
        found = self._room[: count * facts.CLAIM].reshape(count, facts.CLAIM).tolist()
        return [(segment, NAMED_RANKS[rank], _stake(stake)) for segment, rank, *stake in found]

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
        placed = (follower[0], NAMED_RANKS.index(follower[1])) if follower else (-1, 0)
        begun = facts.begun(cell, self._kinds[tile], rotation, *placed)
        count = self._listed(
            lambda: facts.scorings(
                self._states, self._tables, begun, last, self._turns, self._numbers
            )
        )
        found = self._numbers[: count * facts.SCORING].reshape(count, facts.SCORING).tolist()
        return [
            Scoring(turn=turn, takes=(mine, theirs), bonus=bonus, doublers=doublers, extra=extra)
            for turn, mine, theirs, bonus, doublers, extra in found
        ]

    def tile(self, turn: int) -> str:
        """Return the tile that a turn lays."""
        return self._ids[turn >> KIND & KIND_MASK]

    def play(self, turn: int, *, last: bool) -> None:
        """Play a turn."""
        facts.play(self._states, self._tables, turn, last)
        self._check()

    def move(self, turn: int, discards: tuple[str, ...]) -> Move:
        """Return a turn that is not played yet as a move."""
        return move_of(self._state, self._facts, self._game, turn, discards)


def _taken(white: int, black: int) -> tuple[tuple[int, int], ...]:
    """Return the corner towers of two sets, each with the player whose set it is in."""
    return tuple((tower, black >> tower & 1) for tower in bits(white | black))


def _stake(numbers: Sequence[int]) -> Stake:
    """Return the facts of a feature from the numbers of ``facts.STAKE``."""
    kind, white, black, leader, size, gaps, points, tokens, times = numbers
    return Stake(CASTLE_FEATURES[kind], (white, black), leader, size, gaps, points, tokens, times)
