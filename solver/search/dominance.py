"""Options that are never better than another one on the same cell: see ``docs/dominance.md``."""

from __future__ import annotations

from collections.abc import Iterator

from model.rules.castle.wall_tiles import EXTRA_TURN
from solver.final_value import NUMBER_FOR
from solver.game_state import NUMBERS, GameState
from solver.search.looks import Look, Option
from solver.tables import COURT


class Dominance:
    """What is known of a position that makes options needless.

    Attributes:
        left: turns that may follow this one.
        counting: by kind of segment whether an uncompleted feature may bring points; one that
            is not named, a chapel, never does.
        free: whether points are never unwanted: no wall tile lies on a tower, and none has to be
            used.
        claims: the ranks that the mover may place, as bits.
        comes_back: whether a follower who comes home in this turn can be placed in the next.
        plenty: whether the mover never runs out of followers.

    """

    def __init__(self, state: GameState, left: int, *, last: bool) -> None:
        """Look at a position.

        Args:
            state: the position.
            left: turns that may follow this one. Final scoring may count after them even where
                the search has a horizon, since tiles without a place may end the game before.
            last: whether no tile is left after this one.

        """
        mover = state.turn[0]
        towers = {number for number in state.towers if number >= 0}
        self.left = left
        self.counting = {
            kind: number in towers or any(_has(state, player, number) for player in (0, 1))
            for kind, number in NUMBER_FOR.items()
        }
        self.free = not towers and state.flags.optional
        self.claims = state.ranks(mover, last=last)
        # In an extra turn followers that have just come home may have to rest.
        extra = state.hand[mover * NUMBERS + EXTRA_TURN] or state.turn[1]
        self.comes_back = state.flags.extra_is_next or not extra
        self.plenty = state.supply[mover] > left

    def best_of(self, look: Look) -> Iterator[Option]:
        """Yield the options of a look but those that another one is at least as good as."""
        for option in look.options:
            if option.segment < 0:
                if not (self.free and self._outdone(look, option.rotation)):
                    yield option
            elif option.able(self.claims) and not self._idle(option):
                yield option

    def _idle(self, option: Option) -> bool:
        """Tell whether the follower of an option can never bring or cost anybody a point."""
        if option.kind == COURT:
            return option.barren and not option.needs
        return option.needs > self.left and not self.counting.get(option.kind, False)

    def _outdone(self, look: Look, rotation: int) -> bool:
        """Tell whether a follower costs nothing on a tile that is laid in some rotation."""
        claims = [
            one
            for one in look.options
            if one.rotation == rotation and one.segment >= 0 and not (one.rank or self._idle(one))
        ]
        if not self.claims & 1 or not claims:
            return False
        returns = any(one.kind != COURT and not one.needs for one in claims)
        return self.plenty or (returns and self.comes_back)


def _has(state: GameState, player: int, number: int) -> bool:
    """Tell whether a player has a wall tile of a number."""
    index = player * NUMBERS + number
    return state.hand[index] + state.fresh_hand[index] > 0
