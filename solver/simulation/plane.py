"""A game of Carcassonne or The Tower that is played on and taken back, on the compiled kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

from model.position import Move, Position
from model.rules.tower.prisoners import PRICE_OF_A_FOLLOWER
from solver.kernel import plane_facts as facts
from solver.kernel.carcassonne import KIND_BITS, KIND_SHIFT
from solver.kernel.plane_board import MAN, MAN_BITS, POSTS, STEPS
from solver.kernel.plane_codec import move_of, state_of
from solver.kernel.plane_tables import FIELD, PLANE_FEATURES, PLANE_TILES, tables_of
from solver.kernel.records import PLAYERS, alone, field, numbers_of, room
from solver.simulation.positions import PlaneReader
from solver.simulation.simulation import LISTED_ON_PLACE, Completed, Outcome, Simulation, Threat

MOST_EMPTY = 2 * PLANE_TILES + 2
"""The most empty cells beside tiles."""


class PlaneSimulation(Simulation):
    """A game of Carcassonne, with or without The Tower."""

    _kernel = facts

    def __init__(self, position: Position) -> None:
        """Stand at a position that the kernel covers."""
        self._game = position.game
        self._state, self._facts = state_of(position), tables_of(position.game)
        self._states, self._tables = alone(self._state), alone(self._facts)
        self._kinds = numbers_of(position.game)
        self._ids = tuple(self._kinds)
        self._shares = bool(self._facts.shared)
        self._reader: PlaneReader = PlaneReader(self._states, position.game)
        self._depth, self._done = field(self._states, "depth"), field(self._states, "done")
        self._shows, self._men = field(self._states, "shows"), field(self._states, "men")
        self._slots, self._near = field(self._states, "slots"), field(self._states, "near")
        self._walls, self._walled = field(self._states, "walls"), field(self._states, "walled")
        self._held = field(self._states, "held")
        self._room = room(max(4 * MOST_EMPTY, POSTS * PLANE_TILES * facts.THREAT, facts.SCORED))
        self._make_room(LISTED_ON_PLACE)

    def _make_room(self, listed: int) -> None:
        """Make room for the turns on one place."""
        self._turns = room(listed)
        self._outcomes = room(facts.PLANE_OUTCOME, listed)

    def pieces(self, player: int) -> int:
        """Return the number of tower pieces that a player may build."""
        return self._reader.pieces[player]

    def near(self, cell: int) -> frozenset[int]:
        """Return a cell with those that share a side with it."""
        return frozenset((cell, *(cell + step for step in STEPS.tolist())))

    def contested(self) -> list[int]:
        """Return the empty cells that two or more claimed features of one kind face."""
        count = facts.contested(self._states, self._tables, self._room)
        return list(self._room[:count].tolist())

    def closing(self, player: int) -> list[int]:  # noqa: ARG002 -- no cell is ruled out
        """Return all empty cells beside a tile."""
        return list(self._room[: facts.empty_cells(self._states, self._room)].tolist())

    def pays(self, feature: int) -> bool:
        """Tell whether a feature brings its leader points without growth."""
        if self._shows[feature] != FIELD:
            return True
        near, walled = self._near, self._walled
        low, high = near[feature, 0], near[feature, 1]
        return any(
            walled[city, 0] & low or walled[city, 1] & high for city in range(self._walls[0])
        )

    def completed(self, feature: int, player: int) -> Completed:  # noqa: ARG002 -- alike for all
        """Return the facts of a complete feature for a player."""
        return Completed(PLANE_FEATURES[self._shows[feature]])

    def lay(self, tile: str, cell: int, rotation: int) -> list[int]:
        """Lay a tile alone, on one of its places; return the features that it completes.

        A cloister that another tile completes is reported if it has a follower.
        """
        begun = facts.begun(cell, self._kinds[tile], rotation)
        count = facts.lay(self._states, self._tables, begun)
        return self._done[:count].tolist() if count else []

    def may_score(self, feature: int, cell: int, player: int) -> bool:
        """Tell whether a player scores a completed feature, or may by a follower on a tile."""
        men = self._men[feature]
        if men:
            mine, theirs = (men >> MAN * one & MAN_BITS for one in (player, 1 - player))
            return mine > theirs or (mine == theirs and self._shares)
        slot = self._reader.tile[cell] >> 8
        word, bit = divmod(slot, PLANE_TILES // 2)
        return self._slots[feature, word] >> bit & 1 > 0

    def towers(self) -> bool:
        """Return that turns with actions on towers are reported."""
        return True

    def leads(self, laid: tuple[str, int, int]) -> tuple[int, int | None]:
        """Return the leads of the player to move if the game ended after a tile alone.

        Args:
            laid: the tile, its cell and its rotation; it lies not there yet.

        Returns:
            His lead without a follower, and the largest with one; None if he may place none.

        """
        tile, cell, rotation = laid
        begun = facts.begun(cell, self._kinds[tile], rotation)
        able = facts.leads(self._states, self._tables, begun, self._room)
        lead, claimed = self._room[:2].tolist()
        return lead, claimed if able else None

    def outcomes(
        self,
        laid: tuple[str, int, int],
        done: Sequence[int],  # noqa: ARG002 -- the kernel lays the tile anew
        *,
        last: bool,  # noqa: ARG002 -- no turn depends on it
        alike: bool,
        towers: Any,
    ) -> Iterator[Outcome]:
        """Yield every turn that lays a tile on a place; in the rules engine's order."""
        tile, cell, rotation = laid
        begun = facts.begun(cell, self._kinds[tile], rotation)
        count = self._listed(
            lambda: facts.outcomes(
                self._states,
                self._tables,
                begun,
                alike,
                towers is not None,
                self._turns,
                self._outcomes,
                self._room,
            )
        )
        numbers = [column.tolist() for column in self._outcomes[: facts.BUILDS, :count]]
        deeds = [
            column.tolist() for column in self._outcomes[facts.BUILDS : facts.RAISED, :count] > 0
        ]
        tower, height = (
            column.tolist() for column in self._outcomes[facts.RAISED : facts.APART, :count]
        )
        apart = (self._outcomes[facts.APART, :count] > 0).tolist()
        # By position and without a call for each, for there are thousands.
        no, none = repeat(False), repeat(())
        return map(
            Outcome._make,
            zip(*numbers, no, none, none, no, no, *deeds, tower, height, apart, strict=False),
        )

    def threats(self, captor: int) -> list[Threat]:
        """Return the captures open to a player with a tower piece, most gain first."""
        count = facts.threats(self._states, self._tables, captor, self._room)
        found = self._room[: count * facts.THREAT].reshape(count, facts.THREAT).tolist()
        threats = [Threat(tower, height, gain, ousts > 0) for tower, height, gain, ousts in found]
        return sorted(threats, key=lambda threat: -threat.gain)

    def buys_back(self, player: int) -> bool:
        """Tell whether a player may buy a follower back at once."""
        held = any(self._held[captor * PLAYERS + player] for captor in range(PLAYERS))
        return held and self.score(player) >= PRICE_OF_A_FOLLOWER

    def tile(self, turn: int) -> str:
        """Return the tile that a turn lays."""
        return self._ids[turn >> KIND_SHIFT & KIND_BITS]

    def play(self, turn: int, *, last: bool) -> None:  # noqa: ARG002 -- no turn depends on it
        """Play a turn."""
        facts.play(self._states, self._tables, turn)

    def move(self, turn: int, discards: tuple[str, ...]) -> Move:
        """Return a turn that is not played yet as a move."""
        return move_of(self._state, self._facts, self._game, turn, discards)
