"""Options that are never better than another one with The Falcon: see ``docs/dominance.md``."""

from __future__ import annotations

from collections.abc import Iterator

from model.rules.castle.wall_tiles import EXTRA_TURN
from solver.falcon.state import ABSENT, EACH, FALCONER, KING, FalconState
from solver.game_state import NUMBERS
from solver.search.dominance import Dominance
from solver.search.looks import Look, Option
from solver.tables import COURT


class FalconDominance(Dominance):
    """What is known of a position with kings and falconers that makes options needless.

    Attributes:
        parting: whether the mover has no other turn after this one.

    """

    def __init__(self, state: FalconState, left: int, *, last: bool) -> None:
        """Look at a position.

        Args:
            state: the position.
            left: turns that may follow this one.
            last: whether no tile is left after this one.

        """
        super().__init__(state, left, last=last)
        mover, extra, _ = state.turn
        again = extra or state.hand[mover * NUMBERS + EXTRA_TURN]
        self.parting = not left or (left == 1 and not again)
        # A king or falconer may be wanted later where a follower stands then.
        specials = state.specials[mover * EACH : (mover + 1) * EACH]
        self.plenty = self.plenty and (self.parting or set(specials) == {ABSENT})
        flags = state.falcon
        # Cut off at the most there are, and taken once from an aerie, tokens may come too soon.
        self.free = self.free and not (flags.capped and flags.first_only)
        self._doubles_courts = flags.king_with_seven or not flags.king_on_courts

    def best_of(self, look: Look) -> Iterator[Option]:
        """Yield the options of a look but those that another one is at least as good as."""
        for option in super().best_of(look):
            if not (self.parting and self._outranked(option)):
                yield option

    def _outranked(self, option: Option) -> bool:
        """Tell whether a king or falconer is as good as the follower of an option."""
        court = option.kind == COURT
        if option.rank or option.segment < 0 or not (court or option.needs):
            return False
        king = self.claims >> KING & 1 and self.free and (self._doubles_courts or not court)
        return bool(self.claims >> FALCONER & 1 or king)
