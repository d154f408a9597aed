"""What the last turn but two can bring at most, in a game of The Castle, without playing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from model.geometry import PORTS
from solver.final_value import holdings
from solver.game_state import Turn
from solver.search.last_turn import LastTurns, Offer, bits, worth_of
from solver.search.situation import Effect, Situation, Worth, changed

Shape = tuple[int, int, int]
"""Cell, rotation and claimed segment of a turn."""
FAR = 1 << 20
"""More than any lead."""


def calm_offers(turns: LastTurns, kind: int) -> dict[Shape, Offer]:
    """Return the turns with a tile by which no follower goes home and no marker moves.

    Args:
        turns: the position.
        kind: index of the kind of the tile.

    """
    return {
        (cell, offer.rotation, offer.segment): offer
        for cell, menu in turns.menus_of(kind, turns.state.turn[0])
        for offer in menu.offers
        if offer.calm
    }


class After(NamedTuple):
    """What is known of the last turn after turns with one effect."""

    quiet: Situation
    loud: Situation
    ends: tuple[dict[int, Worth], dict[int, Worth]]
    """By cell that no turn has disturbed what the last tile brings there: if the turn placed no
    follower, and if it placed one."""


class Replied:
    """Ends of the game after a turn left out so far, a reply to it and the best last turn.

    If neither the turn nor the reply disturbs the cell of the other, each does what it does
    alone, and their order makes no difference. So the reply is played once for many turns, and
    of each of them only the cells that it disturbs are looked at anew.

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
        self.menus = [list(turns.menus_of(then, self.mover, placed=n)) for n in (0, 1)]
        self.after: dict[Effect, After] = {}

    def ends(self, offers: Mapping[Turn, Offer]) -> Iterator[tuple[Turn, int]]:
        """Yield turns with White's lead at the end, if the last tile has a place then.

        Args:
            offers: calm turns that do not disturb the cell of the reply, nor it theirs.

        Raises:
            FaceDownError: a wall tile may be taken that nobody has seen; a tile may be left
                on the board.

        """
        state = self.turns.state
        board = state.board
        lead = state.score[0] - state.score[1]
        for place, alike in groupby(offers, key=itemgetter(0, 1, 2)):
            mark = state.mark()
            board.lay(*place)
            disturbed = board.disturbed
            for turn in alike:
                before = state.mark()
                if turn.segment >= 0:
                    man = 2 * board.find(turn.cell * PORTS + turn.segment) + self.mover
                    board.put(board.men, man, board.men[man] + 1)
                more = self._last(offers[turn].effect, disturbed, placed=turn.segment >= 0)
                if more is not None:
                    yield turn, lead + more
                state.undo(before)
            state.undo(mark)

    def _last(self, effect: Effect, disturbed: int, *, placed: bool) -> int | None:
        """Return what the best last turn adds to White's lead; None if its tile has no place.

        Args:
            effect: of the turn before the reply, whose tile and follower are on the board.
            disturbed: the cells that it disturbs.
            placed: whether it placed a follower, who is in the supply still.

        """
        turns, mover = self.turns, self.mover
        state = turns.state
        quiet, loud, ends = self._after(effect)
        known = ends[placed]
        found: list[tuple[int, Worth]] = []
        for cell, menu in self.menus[placed]:
            if state.board.empty & ~disturbed & 1 << cell:
                worth = known.get(cell)
                if worth is None:
                    worth = known[cell] = worth_of(menu, quiet, loud)
                found.append((cell, worth))
        free = state.supply[mover] > placed
        for cell in bits(disturbed & state.board.tables.usable):
            menu = turns.menu(cell, self.then, mover, free=free)
            found.append((cell, worth_of(menu, quiet, loud)))
        return turns.best_of(found, mover, -FAR, FAR)

    def _after(self, effect: Effect) -> After:
        """Return what is known of the last turn after turns with an effect."""
        found = self.after.get(effect)
        if found is None:
            held = changed(self.held, effect)
            quiet, loud = self.turns.situation(self.mover, self.hands, held)
            found = self.after[effect] = After(quiet, loud, ({}, {}))
        return found
