"""What the last turn but two can bring at most, in a game of The Castle, without playing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from model.geometry import PORTS
from solver.final_value import holdings
from solver.game_state import Turn
from solver.search.last_turn import LastTurns, Situations
from solver.search.looks import Effect, Option
from solver.search.situation import changed

Shape = tuple[int, int, int]
"""Cell, rotation and claimed segment of a turn."""
FAR = 1 << 20
"""More than any lead."""


def calm_options(turns: LastTurns, kind: int) -> dict[Shape, Option]:
    """Return the turns with a tile by which no follower goes home and no marker moves.

    Args:
        turns: the position.
        kind: index of the kind of the tile.

    """
    mover = turns.state.turn[0]
    claims = turns.claims(mover)
    return {
        (look.cell, option.rotation, option.segment): option
        for look in turns.looks.places(kind, mover)
        for option in look.options
        if option.calm and option.able(claims)
    }


class Replied:
    """Ends of the game after a turn left out so far, a reply to it and the best last turn.

    If neither the turn nor the reply disturbs the cell of the other, each does what it does
    alone, and their order makes no difference. So the reply is played once for many turns, and
    of each of them only the tile is laid and the follower placed.

    Args:
        turns: the position after the reply, in which the player who left a turn out moves.
        then: index of the kind of the last tile.

    """

    def __init__(self, turns: LastTurns, then: int) -> None:
        """Look at the position."""
        state = turns.state
        self.turns = turns
        self.then = then
        self.mover = state.turn[0]
        self.hands = tuple(state.hand), tuple(state.fresh_hand)
        self.held = holdings(state)
        # With the follower of the turn in the supply, and without him.
        self.claims = [turns.claims(self.mover, placed=placed) for placed in (0, 1)]
        self.after: dict[Effect, Situations] = {}

    def ends(self, options: Mapping[Turn, Option]) -> Iterator[tuple[Turn, int]]:
        """Yield turns with White's lead at the end, if the last tile has a place then.

        Args:
            options: calm turns that do not disturb the cell of the reply, nor it theirs.

        Raises:
            FaceDownError: a wall tile may be taken that nobody has seen; a tile may be left
                on the board.

        """
        turns, mover = self.turns, self.mover
        state, board, looks = turns.state, turns.state.board, turns.looks
        lead = state.score[0] - state.score[1]
        for place, alike in groupby(options, key=itemgetter(0, 1, 2)):
            mark = state.mark()
            board.lay(*place)
            disturbed = board.disturbed
            for turn in alike:
                before = state.mark()
                placed = turn.segment >= 0
                if placed:
                    man = 2 * board.find(turn.cell * PORTS + turn.segment) + mover
                    board.put(board.men, man, board.men[man] + 1)
                looks.step(turn, mover, disturbed)
                situations = self._after(options[turn].effect)
                last = looks.places(self.then, mover)
                more = turns.best_of(last, self.claims[placed], situations, -FAR, FAR)
                if more is not None:
                    yield turn, lead + more
                state.undo(before)
            state.undo(mark)

    def _after(self, effect: Effect) -> Situations:
        """Return the situation after turns with an effect."""
        found = self.after.get(effect)
        if found is None:
            held = changed(self.held, effect)
            found = self.after[effect] = self.turns.situation(self.mover, self.hands, held)
        return found
