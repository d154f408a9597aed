"""Wall tiles in hand: what can be used in a turn, what was used, what is left at the end."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from model.rules.castle.setup import WALL_TILE_NUMBERS
from model.rules.castle.wall_tiles import HIDDEN, unseen
from model.switches import LAST_TURN_WALL_TILES
from solver.cpsat.logic import Lit, Logic, weighted
from solver.cpsat.timeline.ground import Ground
from solver.cpsat.timeline.turns import Turns
from solver.cpsat.timeline.worth import Term

Takes = Mapping[tuple[int, str, int], Lit]
"""By player, tower and tile: he takes the wall tile there in the tile's turn."""
Numbers = Mapping[str, Mapping[int, Lit]]
"""By tower: whether the wall tile there has this number, for each that it may have."""


def numbered(logic: Logic, ground: Ground, within_reach: Collection[str]) -> Numbers:
    """Return what the wall tiles on the towers are: those face down may be what is not seen yet.

    hidden → for each number: Σ_w a[w,n] ≤ the wall tiles n that have not been seen

    Args:
        logic: the model.
        ground: the position.
        within_reach: the towers on which a marker may land; what lies on others is left out.

    """
    found: dict[str, dict[int, Lit]] = {}
    for tower, number in ground.position.towers:
        if number:
            found[tower] = {number: True}
        elif tower in within_reach:
            found[tower] = {n: logic.decision(f"{tower} is {n}") for n in WALL_TILE_NUMBERS}
            logic.model.add_exactly_one(found[tower].values())
    pool = unseen(ground.position)
    hidden = [numbers for numbers in found.values() if len(numbers) > 1]
    for number in WALL_TILE_NUMBERS if hidden else ():
        turned_up = weighted((1, numbers[number]) for numbers in hidden)
        logic.within_if(logic.law(HIDDEN), turned_up, 0, max(0, pool[number]))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Hands:
    """The wall tiles that players have, used ones included, as sums of literals."""

    logic: Logic
    ground: Ground
    turns: Turns
    takes: Takes
    numbers: Numbers
    """What the wall tiles on the towers are."""

    def usable(self, player: int, number: int, tile: int) -> list[Term]:
        """Return the tiles of a number that a player could have used up to a turn."""
        state = self.ground.position.players[player]
        late = self.turns.released(self.logic, player, 0, tile)
        terms: list[Term] = [
            (state.wall_tiles.count(number), True),
            (state.fresh_wall_tiles.count(number), late),
        ]
        for tower, numbers in self.numbers.items():
            if number in numbers:
                ways = (
                    self.logic.all_of(
                        (
                            numbers[number],
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
        for tower, numbers in self.numbers.items():
            if number in numbers:
                ways = (
                    self.logic.all_of(
                        (numbers[number], self.takes.get((player, tower, tile), False))
                    )
                    for tile in range(len(self.ground.kinds))
                    if count_last or tile < len(position.order) - 1
                )
                terms.append((1, self.logic.any_of(ways)))
        return [term for term in terms if term[0] and term[1] is not False]
