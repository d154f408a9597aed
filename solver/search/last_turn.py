"""The best last turn of a game of The Castle, from facts about single cells.

What the last tile does on a cell depends on what it meets there alone: which features it
completes, and what the players hold afterwards instead of what they held before: that is seen
by ``Looks``. What it is worth is looked up by the situation.
"""

from __future__ import annotations

from collections.abc import Iterable

from model.games import CASTLE
from solver.final_value import Held, holdings
from solver.game_state import GameState, Turn
from solver.scoring_plans import Plan
from solver.search.looks import Gain, Look, Looks, Option
from solver.search.situation import LEAD, Measure, Scored, Situation, measured

MOST = 1 << 15
"""Entries that a table may have before it is begun anew."""
Situations = tuple[Situation, Situation]
"""A situation, as effects see it that move no marker, and as others see it."""


class LastTurns:
    """Finds the best last turn in the positions of one search.

    Attributes:
        state: the position.
        looks: what tiles can do on its cells.

    """

    def __init__(self, state: GameState, ups: tuple[bool, bool], measure: Measure = LEAD) -> None:
        """Know nothing of a position yet.

        Args:
            state: the position.
            ups: by player whether he wants the value to be large.
            measure: what the value is.

        """
        self.state = state
        self.ups = ups
        self.measure = measure
        self.looks = Looks(state)
        self._hot = 0
        """The cell that was best most recently; it is looked at first."""
        self.situations: dict[object, Situation] = {}
        self.scored: dict[object, dict[tuple[Gain, ...], Scored]] = {}

    @property
    def able(self) -> bool:
        """Whether the best last turn can be found here.

        Not with The Falcon, where a feature looks further than it reaches, or where wall tiles
        must be played.
        """
        state = self.state
        if state.game.id != CASTLE:
            return False
        return not state.board.holes_block and state.flags.optional

    def best(self, kind: int, low: int, high: int) -> int | None:
        """Return the value of the end after the best last turn.

        Args:
            kind: index of the kind of the last tile.
            low: values at or below it need not be told apart.
            high: values at or above it need not be told apart.

        Returns:
            The value, or a bound beyond an end of the window; None if the tile has no place.

        Raises:
            FaceDownError: a wall tile may be taken that nobody has seen.

        """
        state = self.state
        mover = state.turn[0]
        before = measured(state.score, self.measure)
        claims, now = self.claims(mover), self.now()
        looks = self.looks.places(kind, mover, first=self._hot)
        more = self.best_of(looks, claims, now, low - before, high - before)
        return None if more is None else before + more

    def best_of(
        self, looks: Iterable[Look], claims: int, situations: Situations, low: int, high: int
    ) -> int | None:
        """Return what the best last turn of a player adds to the value; None if there is none.

        Args:
            looks: what the last tile can do for him.
            claims: the ranks that he may place, as bits.
            situations: the situation, as ``now`` tells it.
            low: as for ``best``, of what is added.
            high: likewise.

        """
        quiet, loud = situations
        board = self.state.board
        up, area, empty = quiet.up, board.largest_area, board.empty
        best: int | None = None
        for look in looks:
            still, moving = look.parts(claims)
            ends = quiet.worth(still) + loud.worth(moving) if moving else quiet.worth(still)
            for more, sign in ends:
                value = more + sign * area(empty & ~(1 << look.cell)) if sign else more
                if best is None or (value > best if up else value < best):
                    best = value
                    self._hot = look.cell
            if best is not None and (best >= high if up else best <= low):
                break
        return best

    def claims(self, mover: int, *, placed: int = 0) -> int:
        """Return the ranks that a player may place in his next turn, as bits.

        Args:
            mover: the player.
            placed: how many of the followers in his supply he has placed before.

        """
        state = self.state
        # Those who came home late are usable before either player's next turn.
        late = (mover != state.turn[0]) * state.fresh_men[mover]
        return int(state.supply[mover] + late > placed)

    def turns(self, look: Look, kind: int, option: Option) -> list[Turn]:
        """Return the turns that take an option, for a player who can have no extra turn.

        Args:
            look: what the tile can do on a cell.
            kind: index of its kind.
            option: one of the look.

        """
        state, segment = self.state, option.segment
        there = look.cell, kind, option.rotation
        if option.calm:
            return [Turn(*there, segment, Plan((state.score[0], state.score[1])), 0)]
        return state.turns_on(*there, last=False, alike=False, segment=segment)

    def option(self, turn: Turn) -> Option | None:
        """Return what a turn names, if the player to move can do it now.

        Args:
            turn: a turn that was possible elsewhere; its cell is empty.

        """
        mover = self.state.turn[0]
        look = self.looks.at(turn.cell, turn.kind, mover)
        claims = self.claims(mover)
        for option in look.options if look else ():
            if option[:2] == (turn.rotation, turn.segment):
                return option if option.able(claims) else None
        return None

    def now(self) -> Situations:
        """Return the situation."""
        state = self.state
        return self.situation(
            state.turn[0], (tuple(state.hand), tuple(state.fresh_hand)), holdings(state)
        )

    def situation(
        self, mover: int, hands: tuple[tuple[int, ...], tuple[int, ...]], held: Held
    ) -> Situations:
        """Return a situation with the scores, keeps and towers of the state.

        Args:
            mover: the player to move.
            hands: the wall tiles that may be used, and those that may not be used yet.
            held: what the players hold.

        """
        state = self.state
        what = tuple(sorted((key, tuple(sorted(values))) for key, values in held.items()))
        quiet = (mover, tuple(state.keep), hands, what)
        track = (mover, hands[0], tuple(state.score), tuple(state.towers))
        loud = (quiet, track)
        found = []
        for key in (quiet, loud):
            situation = self.situations.get(key)
            if situation is None:
                if len(self.situations) >= MOST:
                    self.situations.clear()
                situation = self.situations[key] = Situation(
                    flags=state.flags,
                    landing=state.landing,
                    score=list(state.score),
                    keep=list(state.keep),
                    hand=list(hands[0]),
                    fresh_hand=list(hands[1]),
                    towers=list(state.towers),
                    turn=[mover, 0, 0],
                    held=held,
                    up=self.ups[mover],
                    measure=self.measure,
                    scored=self._scored(track),
                )
            found.append(situation)
        return found[0], found[1]

    def _scored(self, track: object) -> dict[tuple[Gain, ...], Scored]:
        """Return the ways to score that situations with one track share."""
        if len(self.scored) >= MOST:
            self.scored.clear()
        return self.scored.setdefault(track, {})
