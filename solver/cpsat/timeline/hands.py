"""Wall tiles in hand: what can be used in a turn, what was used, what is left at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.switches import LAST_TURN_WALL_TILES
from solver.cpsat.logic import Lit, Logic
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.turns import Turns
from solver.cpsat.timeline.worth import Term

Takes = Mapping[tuple[int, str, int], Lit]
"""By player, tower and tile: he takes the wall tile there in the tile's turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """The wall tiles that players have, used ones included, as sums of literals."""

    logic: Logic
    ground: Ground
    turns: Turns
    takes: Takes

    def usable(self, player: int, number: int, tile: int) -> list[Term]:
        """Return the tiles of a number that a player could have used up to a turn."""
        state = self.ground.position.players[player]
        late = self.turns.released(self.logic, player, 0, tile)
        terms: list[Term] = [
            (state.wall_tiles.count(number), True),
            (state.fresh_wall_tiles.count(number), late),
        ]
        for tower, what in self.ground.position.towers:
            if what == number:
                ways = (
                    self.logic.all_of(
                        (
                            self.takes.get((player, tower, when), False),
                            self.turns.released(self.logic, player, when, tile),
                        )
                    )
                    for when in range(tile)
                )
                terms.append((1, self.logic.any_of(ways)))
        return [term for term in terms if term[0] and term[1] is not False]

    def final(self, player: int, number: int) -> list[Term]:
        """Return the tiles of a number that a player has in final scoring.

        What he had too late to use is his by then; tiles taken in the last turn count by a
        switch.
        """
        position = self.ground.position
        state = position.players[player]
        held = state.wall_tiles.count(number) + state.fresh_wall_tiles.count(number)
        count_last = position.game.value(LAST_TURN_WALL_TILES) == "on"
        terms: list[Term] = [(held, True)]
        for tower, what in position.towers:
            if what == number:
                ways = (
                    self.takes.get((player, tower, tile), False)
                    for tile in range(len(self.ground.kinds))
                    if count_last or tile < len(position.order) - 1
                )
                terms.append((1, self.logic.any_of(ways)))
        return [term for term in terms if term[0] and term[1] is not False]
