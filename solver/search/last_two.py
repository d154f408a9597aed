"""The best turn with the last tile but one, in a game of The Castle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter

from solver.final_value import holdings
from solver.game_state import Turn
from solver.search.last_turn import LastTurns, Offer
from solver.search.situation import Effect, Situation, changed


def best_of_two(
    turns: LastTurns,
    kind: int,
    then: int,
    window: tuple[int, int],
    follow: Callable[[Turn, int, int], int],
) -> tuple[int, Turn | None]:
    """Return White's lead at the end after the best of the last two turns but one.

    A turn by which no follower goes home and no marker moves is not played if some answer to
    it that it does not disturb shows that it is no better than another: what the answer
    does is what it would do without the turn.

    Args:
        turns: the position.
        kind: index of the kind of the last tile but one, which has a place.
        then: index of the kind of the last tile.
        window: leads at or below its begin, or at or above its end, need not be told apart.
        follow: gives the lead after a turn and the best last turn, in a window.

    Returns:
        The lead, or the end of the window beyond which it lies; and the best turn, if one is
        better than the worse end of the window.

    Raises:
        FaceDownError: a wall tile may be taken that nobody has seen; turns may be left on the
            board.

    """
    up = turns.ups[turns.state.turn[0]]
    low, high = window
    chosen: Turn | None = None
    answers = Answers(turns, then)
    for _, cell, offer in sorted(_estimated(turns, kind), key=itemgetter(0), reverse=up):
        if offer.calm and answers.refute(cell, offer, low if up else high):
            continue
        for turn in turns.turns(cell, kind, offer):
            value = follow(turn, low, high)
            if low < value < high:
                chosen = turn
                low, high = (value, high) if up else (low, value)
            elif value >= high if up else value <= low:
                return value, turn
    return low if up else high, chosen


def _estimated(turns: LastTurns, kind: int) -> Iterator[tuple[int, int, Offer]]:
    """Yield each way to lay a tile with White's lead if the game ended with it."""
    up = turns.ups[turns.state.turn[0]]
    quiet, loud = turns.now()
    empty = turns.state.board.empty
    best = max if up else min
    for cell, menu in turns.menus_of(kind, turns.state.turn[0]):
        area = turns.area(empty & ~(1 << cell))
        for offer in menu.offers:
            ends = (loud if offer.effect.gains else quiet).end(offer.effect)
            yield best(lead + sign * area for lead, sign in ends), cell, offer


class Answers:
    """Answers to turns with the last tile but one, as they are without the turn."""

    def __init__(self, turns: LastTurns, kind: int) -> None:
        """Know nothing of the answers yet.

        Args:
            turns: the position before the turn.
            kind: index of the kind of the last tile.

        """
        self.turns = turns
        state = turns.state
        self.player = 1 - state.turn[0]
        self.up = turns.ups[self.player]
        # A player who plays for the same end refutes nothing.
        against = self.up is not turns.ups[state.turn[0]]
        self.menus = list(turns.menus_of(kind, self.player)) if against else []
        self.lead = state.score[0] - state.score[1]
        self.held = holdings(state)
        late = [now + late for now, late in zip(state.hand, state.fresh_hand, strict=True)]
        self.hands = tuple(late), (0,) * len(late)
        self.after: dict[Effect, tuple[Situation, Situation]] = {}

    def refute(self, cell: int, offer: Offer, bar: int) -> bool:
        """Tell whether an answer makes a turn no better than a lead.

        Args:
            cell: where the tile of the turn is laid.
            offer: the turn, by which no follower goes home and no marker moves.
            bar: the lead.

        """
        turns, effect = self.turns, offer.effect
        found = self.after.get(effect)
        if found is None:
            held = changed(self.held, effect)
            found = self.after[effect] = turns.situation(self.player, self.hands, held)
        quiet, loud = found
        off = offer.disturbed | 1 << cell
        empty = turns.state.board.empty & ~(1 << cell)
        for index, (other, menu) in enumerate(self.menus):
            if off >> other & 1:
                continue
            for effects, situation in ((menu.quiet, quiet), (menu.loud, loud)):
                for lead, sign in situation.worth(effects) if effects else ():
                    value = self.lead + lead
                    if sign:
                        value += sign * turns.area(empty & ~(1 << other))
                    if value >= bar if self.up else value <= bar:
                        # What refutes one turn often refutes the next.
                        self.menus.insert(0, self.menus.pop(index))
                        return True
        return False
