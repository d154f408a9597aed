"""Games of both families that self-play plays and takes back on the compiled kernel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any

from burgrave.model.position import Move, Position
from burgrave.solver.kernel import castle_facts, plane_facts
from burgrave.solver.kernel.bits import SPAN
from burgrave.solver.kernel.carcassonne import KIND_BITS, KIND_SHIFT, SEGMENT_BITS
from burgrave.solver.kernel.castle_state import CLAIMS
from burgrave.solver.kernel.castle_tables import CASTLE_CELLS, CASTLE_FEATURES, COURT, HOUSE, PATH
from burgrave.solver.kernel.castle_turns import KIND, KIND_MASK, SEGMENT
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.job import ROOM
from burgrave.solver.kernel.plane_board import (
    BITS_A_WORD,
    MAN,
    MAN_BITS,
    OWNERS,
    PLACES,
    PLANE_CELLS,
    POSTS,
    STEPS,
)
from burgrave.solver.kernel.plane_tables import FIELD, PLANE_FEATURES, PLANE_TILES
from burgrave.solver.kernel.playouts import DESK, FINE, ranked
from burgrave.solver.kernel.records import PLAYERS, Views, alone, record, room
from burgrave.solver.kernel.tower import GUARD, TOWER_BITS, TOWER_SHIFT
from burgrave.solver.simulation.policy import weights
from burgrave.solver.simulation.simulation import Completed, Judged, Outcome, Threat
from burgrave.solver.simulation.walk import CastleReader, PlaneReader, bits, check_room

STEPS_OF_A_POINT = 64
"""The policy's judgement is rounded to such steps, so that no last bit of a machine decides."""
LISTED_ON_PLACE = 1 << 12
"""Turns on one place for which there is room at first."""


class _Simulation(ABC):
    """A game of two players that plays and undoes turns with any tile."""

    _kernel: Any
    """The module with the functions of the kernel for a family of games."""
    _reads: type[CastleReader | PlaneReader]
    reader: CastleReader | PlaneReader
    """The content of the game now: scores, supplies, followers, features, the position."""
    _kind_at: tuple[int, int]
    """By how many bits a turn is shifted, and the mask, that leave the number of its tile."""
    _columns: int
    """Numbers that the kernel gives of each turn on a place."""
    _width: int
    """Most other numbers that the kernel gives at once."""

    def __init__(self, position: Position) -> None:
        """Stand at a position that the kernel covers; wall tiles may lie face down."""
        self._opened = Opened(position)
        self._both = alone(self._opened.state), alone(self._opened.tables)
        """What every function of the kernel takes first."""
        self._state, self._map = self._opened.views, Views(self._both[1])
        self._room = room(self._width)
        self.reader = self._reads(self._state, position.game)
        self._make_room(LISTED_ON_PLACE)

    def _make_room(self, listed: int) -> None:
        """Make room for the turns on one place."""
        self._turns, self._outcomes = room(listed), room(self._columns, listed)

    def _listed(self, laid: tuple[str, int, int], listing: Callable[[int], int]) -> Any:
        """Return the kernel's numbers of the turns that lay a tile on a place: by column and turn.

        ``listing`` takes the turn that only lays the tile, and returns how many turns there are. If
        there was no room for all, it lists them again.
        """
        tile, cell, rotation = laid
        begun = self._kernel.begun(cell, self._opened.kind(tile), rotation)
        while (count := listing(begun)) > len(self._turns):
            self._make_room(2 * count)
        return self._outcomes[:, :count]

    @property
    def mover(self) -> int:
        """The player to move."""
        return self.reader.mover[0]

    def pieces(self, player: int) -> int:  # noqa: ARG002 -- none by default
        """Return the number of tower pieces that a player may build; 0 in a castle."""
        return 0

    def places(self, tile: str) -> list[tuple[int, int]]:
        """Return the places of a tile by cell: each a cell and a rotation."""
        count = self._kernel.places(*self._both, self._opened.kind(tile), self._room)
        return [(place >> 2, place & 3) for place in self._room[:count].tolist()]

    def empty_area(self) -> int:
        """Return the cells of the largest empty area of a castle; 0 on a plane."""
        return 0

    def holds_tile(self, score: int) -> bool:  # noqa: ARG002 -- none by default
        """Tell whether a marker with a score stands at a wall tile; never on a plane."""
        return False

    def judged(self, tile: str, left: int, reserve: int = 0) -> list[Judged]:
        """Return the turns with a tile as the policy judges them; none if it has no place.

        The policy is the one of the playouts. Of several turns with the same effect one is listed.
        ``left`` tiles are left after it; with none of them the judgement is exact. Each player
        seems to hold dear a ``reserve`` of followers in his supply.
        """
        opened = self._opened
        w = weights(opened.position.game.id, reserve)
        end = ranked(opened.state, opened.tables, opened.kind(tile), left, w, self._desk, 0)
        found = slice(min(end, ROOM))
        step = int(FINE) // STEPS_OF_A_POINT
        leads = (self._desk.hints[found] + step // 2) // step
        turns = zip(self._desk.out[found].tolist(), leads.tolist(), strict=True)
        return [Judged(turn, lead / STEPS_OF_A_POINT, *self._deeds(turn)) for turn, lead in turns]

    @abstractmethod
    def _deeds(self, turn: int) -> tuple[bool, bool, bool]:
        """Tell of a turn whether it claims, acts and builds, as in ``Judged``."""

    @cached_property
    def _desk(self) -> Any:
        """The work space of the policy."""
        return record(DESK)

    def threats(self, captor: int) -> list[Threat]:  # noqa: ARG002 -- none by default
        """Return the captures open to a player with a tower piece, best first; none in a castle."""
        return []

    def buys_back(self, player: int) -> bool:  # noqa: ARG002 -- none by default
        """Tell whether a player may buy a follower back at once; never in a castle."""
        return False

    def tile(self, turn: Any) -> str:
        """Return the tile that a turn lays."""
        shift, mask = self._kind_at
        return str(self._opened.ids[turn >> shift & mask])

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""
        return int(self._state.depth[0])

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""
        self._kernel.undo(*self._both, mark)

    def move(self, turn: Any, discards: tuple[str, ...]) -> Move:
        """Return a turn that was listed now as a move, after tiles without a place."""
        return self._opened.move(self._opened.state, turn, discards)


SEGMENTS = 15
"""Mask of a castle turn's segment plus 1."""


class CastleSimulation(_Simulation):
    """A game of The Castle, with or without The Falcon."""

    _kernel, _reads, _kind_at = castle_facts, CastleReader, (KIND, KIND_MASK)
    _columns, _width = castle_facts.CASTLE_OUTCOME, 4 * CASTLE_CELLS
    reader: CastleReader

    def _make_room(self, listed: int) -> None:
        """Make room for the turns on one place."""
        super()._make_room(listed)
        self._scored = room(listed * CLAIMS)

    def near(self, cell: int) -> frozenset[int]:
        """Return a cell with those that share a side with it."""
        beyond = [self._map.neighbour[cell, side] for side in range(4)]
        return frozenset((cell, *(other for other in beyond if 0 <= other < self._map.inside[0])))

    def _needs(self, feature: int) -> int:
        """Return the empty cells that a feature faces, as bits."""
        faces, empty = self._state.feature.faces, self._state.empty
        return int(faces[feature, 0] & empty[0] | (faces[feature, 1] & empty[1]) << SPAN)

    def contested(self) -> list[int]:
        """Return the empty cells that two or more claimed features of one kind face."""
        faced, several = Counter[int](), 0
        for root in self.reader.occupied():
            needs, kind = self._needs(root), self._state.kind[root]
            several |= faced[kind] & needs
            faced[kind] |= needs
        return list(bits(several))

    def closing(self, player: int) -> list[int]:
        """Return the empty cells on one of which every feature is completed that a player leads.

        They alone keep open a feature on which he has a follower; one that he places in the same
        turn does not count.
        """
        cells = 0
        for root in self.reader.occupied((player,)):
            needs = self._needs(root)
            if needs.bit_count() == 1 and self._state.kind[root] != COURT:
                cells |= needs
        return list(bits(cells))

    def empty_area(self) -> int:
        """Return the cells of the largest empty area."""
        return castle_facts.area(*self._both)

    def holds_tile(self, score: int) -> bool:
        """Tell whether a marker with a score stands at a corner tower with a wall tile."""
        tower = self._map.landing[score % self._map.track[0]]
        return bool(tower >= 0 and self._state.now.tower[tower] >= 0)

    def pays(self, feature: int) -> bool:
        """Tell whether a feature brings its leader points without growth."""
        court = self._state.kind[feature] == COURT
        return self._state.feature.markets[feature] > 0 if court else not self._needs(feature)

    def completed(self, feature: int, player: int) -> Completed:
        """Return the facts of a complete feature for a player."""
        kind = self._state.kind[feature]
        size, keep = self.reader.cells_of(feature).bit_count(), self._state.now.keep
        return Completed(
            CASTLE_FEATURES[kind],
            castle_facts.points(*self._both, feature, player),
            fountain=kind == PATH and self._state.feature.fountains[feature] > 0,
            keep=kind == HOUSE and size > max(keep),
            free=not self._state.feature.men[feature],
        )

    def lay(self, tile: str, cell: int, rotation: int) -> list[int]:
        """Lay a tile alone, on one of its places; return the features that it completes."""
        lie = self._opened.kind(tile) * 4 + rotation
        count = castle_facts.lay(*self._both, cell, lie)
        return self._state.done[:count].tolist() if count else []

    def may_score(self, feature: int, cell: int, player: int) -> bool:
        """Tell whether a player scores a completed feature, or may by a follower on a tile."""
        men = self._state.feature.men[feature]
        mine, theirs = men >> 8 * player & 255, men >> 8 * (1 - player) & 255
        return mine > theirs or (
            mine == theirs == 0 and self.reader.cells_of(feature) >> cell & 1 > 0
        )

    def outcomes(
        self, laid: tuple[str, int, int], done: Sequence[int], *, last: bool
    ) -> Iterator[Outcome]:
        """Yield every turn that lays a tile on a place; in the rules engine's order.

        ``laid`` is the tile, which lies there already, its cell and its rotation; ``done`` are the
        features that it completes.
        """
        rows = self._listed(
            laid,
            lambda begun: castle_facts.outcomes(
                *self._both, begun, last, self._turns, self._outcomes, self._scored, self._room
            ),
        )
        check_room(self._opened.state)
        me, at = self.mover, 0
        completed = {root: self.completed(root, me) for root in done}
        columns = rows.tolist()
        scored = self._scored[: columns[castle_facts.SCORES_TO][-1]].tolist()
        for one in zip(*columns, strict=True):
            turn, segment, points, gain, lead, homes, white, black, doubles, again, to = one
            both = white | black
            taken = tuple([(tower, black >> tower & 1) for tower in bits(both)]) if both else ()
            scores, at = tuple([completed[root] for root in scored[at:to]]), to
            takes = (black if me else white) > 0
            won = points, gain, lead, homes, takes, taken, scores
            yield Outcome(turn, segment, *won, doubles > 0, again > 0)

    def _deeds(self, turn: int) -> tuple[bool, bool, bool]:
        """Tell of a turn whether it claims, acts and builds."""
        return turn >> SEGMENT & SEGMENTS > 0, False, False

    def play(self, turn: int, *, last: bool) -> None:
        """Play a turn."""
        castle_facts.play(*self._both, turn, last)
        check_room(self._opened.state)


class PlaneSimulation(_Simulation):
    """A game of Carcassonne, whatever its expansions."""

    _kernel, _reads, _kind_at = plane_facts, PlaneReader, (KIND_SHIFT, KIND_BITS)
    _columns = plane_facts.PLANE_OUTCOME
    _width = max(PLACES, POSTS * PLANE_TILES * plane_facts.THREAT, plane_facts.SCORED)
    reader: PlaneReader

    def pieces(self, player: int) -> int:
        """Return the number of tower pieces that a player may build."""
        return int(self._state.pieces[player])

    def near(self, cell: int) -> frozenset[int]:
        """Return a cell with those that share a side with it."""
        return frozenset((cell, *(cell + step for step in STEPS.tolist())))

    def contested(self) -> list[int]:
        """Return the empty cells that two or more claimed features of one kind face."""
        count = plane_facts.contested(*self._both, self._room)
        return list(self._room[:count].tolist())

    def closing(self, player: int) -> range:  # noqa: ARG002 -- no cell is ruled out
        """Return all cells."""
        return range(PLANE_CELLS)

    def pays(self, feature: int) -> bool:
        """Tell whether a feature brings its leader points without growth."""
        if self._state.shows[feature] != FIELD:
            return True
        near, walled = self._state.feature.near, self._state.walled
        low, high = near[feature, 0], near[feature, 1]
        return any(
            walled[city, 0] & low or walled[city, 1] & high for city in range(self._state.walls[0])
        )

    def completed(self, feature: int, player: int) -> Completed:  # noqa: ARG002 -- alike for all
        """Return the facts of a complete feature for a player."""
        return Completed(PLANE_FEATURES[self._state.shows[feature]])

    def lay(self, tile: str, cell: int, rotation: int) -> list[int]:
        """Lay a tile alone, on one of its places; return the features that it completes.

        A cloister that another tile completes is reported if it has a follower.
        """
        begun = plane_facts.begun(cell, self._opened.kind(tile), rotation)
        count = plane_facts.lay(*self._both, begun)
        return self._state.done[:count].tolist() if count else []

    def may_score(self, feature: int, cell: int, player: int) -> bool:
        """Tell whether a player scores a completed feature, or may by a follower on a tile."""
        if men := self._state.feature.men[feature]:
            mine, theirs = (men >> MAN * one & MAN_BITS for one in (player, 1 - player))
            return bool(mine > theirs or (mine == theirs and self._map.shared[0]))
        word, bit = divmod(self._state.tile[cell] >> 8, BITS_A_WORD)
        return bool(self._state.feature.slots[feature, word] >> bit & 1)

    def outcomes(
        self,
        laid: tuple[str, int, int],
        done: Sequence[int],  # noqa: ARG002 -- the kernel lays the tile anew
        *,
        last: bool,  # noqa: ARG002 -- no turn depends on it
    ) -> Iterator[Outcome]:
        """Yield every turn that lays a tile on a place; in the rules engine's order."""
        rows = self._listed(
            laid,
            lambda begun: plane_facts.outcomes(
                *self._both, begun, self._turns, self._outcomes, self._room
            ),
        )
        numbers = rows[: plane_facts.BUILDS].tolist()
        deeds = (rows[plane_facts.BUILDS : plane_facts.RAISED] > 0).tolist()
        tower, height = rows[plane_facts.RAISED :].tolist()
        # By position and without a call for each, for there are thousands.
        no, none = repeat(False), repeat(())
        return map(
            Outcome._make,
            zip(*numbers, no, none, none, no, no, *deeds, tower, height, strict=False),
        )

    def _deeds(self, turn: int) -> tuple[bool, bool, bool]:
        """Tell of a turn whether it claims, acts and builds."""
        acts = turn >> TOWER_SHIFT
        builds = acts & TOWER_BITS > 0 and not acts & GUARD
        return turn & SEGMENT_BITS > 0, acts > 0, builds

    def threats(self, captor: int) -> list[Threat]:
        """Return the captures open to a player with a tower piece, most gain first."""
        count = plane_facts.threats(*self._both, captor, self._room)
        found = self._room[: count * plane_facts.THREAT].reshape(count, plane_facts.THREAT).tolist()
        threats = [Threat(tower, height, gain, ousts > 0) for tower, height, gain, ousts in found]
        return sorted(threats, key=lambda threat: -threat.gain)

    def buys_back(self, player: int) -> bool:
        """Tell whether a player may buy a follower back at once."""
        held = any(self._state.held[n * PLAYERS + player] for n in range(OWNERS))
        return held and self.reader.score[player] >= self._map.ransom[0]

    def play(self, turn: int, *, last: bool) -> None:  # noqa: ARG002 -- no turn depends on it
        """Play a turn."""
        plane_facts.play(*self._both, turn)


Simulation = CastleSimulation | PlaneSimulation
"""A game of either family."""
