"""The best turn with the last tile but one, in a game of The Castle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter

from solver.final_value import holdings
from solver.game_state import Turn
from solver.search.last_turn import LastTurns, Situations
from solver.search.looks import Effect, Look, Option
from solver.search.situation import changed


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
    for _, look, option in sorted(_estimated(turns, kind), key=itemgetter(0), reverse=up):
        if option.calm and answers.refute(look, option, low if up else high):
            continue
        for turn in turns.turns(look, kind, option):
            value = follow(turn, low, high)
            if low < value < high:
                chosen = turn
                low, high = (value, high) if up else (low, value)
            elif value >= high if up else value <= low:
                return value, turn
    return low if up else high, chosen


def _estimated(turns: LastTurns, kind: int) -> Iterator[tuple[int, Look, Option]]:
    """Yield each way to lay a tile with White's lead if the game ended with it."""
    mover = turns.state.turn[0]
    best = max if turns.ups[mover] else min
    quiet, loud = turns.now()
    claims, empty = turns.claims(mover), turns.state.board.empty
    for look in turns.looks.places(kind, mover):
        area = turns.state.board.largest_area(empty & ~(1 << look.cell))
        leads = {
            effect: best(
                lead + sign * area for lead, sign in (loud if effect.gains else quiet).end(effect)
            )
            for effect in look.effects(claims)
        }
        for option in look.options:
            if option.able(claims):
                yield leads[option.effect], look, option


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
        self.claims = turns.claims(self.player)
        self.looks = list(turns.looks.places(kind, self.player)) if against else []
        self.lead = state.score[0] - state.score[1]
        self.held = holdings(state)
        late = [now + late for now, late in zip(state.hand, state.fresh_hand, strict=True)]
        self.hands = tuple(late), (0,) * len(late)
        self.after: dict[Effect, Situations] = {}

    def refute(self, look: Look, option: Option, bar: int) -> bool:
        """Tell whether an answer makes a turn no better than a lead.

        Args:
            look: where the tile of the turn is laid.
            option: the turn, by which no follower goes home and no marker moves.
            bar: the lead.

        """
        turns, effect = self.turns, option.effect
        found = self.after.get(effect)
        if found is None:
            held = changed(self.held, effect)
            found = self.after[effect] = turns.situation(self.player, self.hands, held)
        quiet, loud = found
        off = option.zone | 1 << look.cell
        empty = turns.state.board.empty & ~(1 << look.cell)
        for index, other in enumerate(self.looks):
            if off >> other.cell & 1:
                continue
            still, moving = other.parts(self.claims)
            for effects, situation in ((still, quiet), (moving, loud)):
                for lead, sign in situation.worth(effects) if effects else ():
                    value = self.lead + lead
                    if sign:
                        value += sign * turns.state.board.largest_area(empty & ~(1 << other.cell))
                    if value >= bar if self.up else value <= bar:
                        # What refutes one turn often refutes the next.
                        self.looks.insert(0, self.looks.pop(index))
                        return True
        return False
