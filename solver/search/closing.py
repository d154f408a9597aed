"""The last turn and the last two turns of a search, without playing most of them.

What an option on a cell adds to White's lead does not depend on what is done on cells that do
not touch each other's features (``Look.zone``), if both do not move one marker near towers with
wall tiles, and if both do not change the features of one slot that wall tiles score at the end
(``Weighed.touched``); the bonus for the larger keep is worked out for both cells together. So
of two turns the second one's best answer on one cell refutes all options of the first on many
others, and only what is left is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from model.rules.wall_tiles import EXTRA_TURN
from solver.game_state import NUMBERS, GameState, Turn
from solver.scoring_plans import Plan
from solver.search.looks import Look, Looks, Option
from solver.search.standing import Ledger, Standing

Spot = tuple[int, int, Look]
"""The most that plain options of a look bring the mover, what they touch, and the look."""


class Closing:
    """Answers whether White reaches a lead when one tile is left, or two.

    Attributes:
        state: the state that is searched.
        looks: the looks of the search.
        ledger: what its standings have in common.

    """

    def __init__(
        self, state: GameState, looks: Looks, *, final: bool, tick: Callable[[], None]
    ) -> None:
        """Take over a search.

        Args:
            state: the state.
            looks: its looks.
            final: whether the game ends after these turns, or the search alone.
            tick: counts a turn.

        """
        self.state = state
        self.looks = looks
        self.ledger = Ledger(state, final=final)
        self.tick = tick
        self._answered: dict[int, int] = {}

    def one(self, kind: int, bound: int) -> bool | None:
        """Tell whether White's lead is at least ``bound`` after the best turn with a tile.

        Returns:
            None if the tile has no place.

        """
        mover = self.state.turn[0]
        here = Standing(self.ledger)
        need = _need(here, bound, mover)
        empty = self.state.board.empty
        claims = self.state.supply[mover] > 0
        found = False
        # The cell that was good enough in another position may be so here.
        for look in self.looks.places(kind, mover, first=self._answered.get(kind, 0)):
            found = True
            offer = here.scale.look(look, claims=claims)
            good = False
            if offer.worth is not None:
                bonus = here.bonus(empty & ~(1 << look.cell))
                good = offer.worth + (-bonus if mover else bonus) >= need
            if good or any(
                self._ends_well(look, kind, option, here, bound) for option in offer.special
            ):
                self._answered[kind] = look.cell
                return mover == 0
        return mover == 1 if found else None

    def _ends_well(self, look: Look, kind: int, option: Option, here: Standing, bound: int) -> bool:
        """Tell whether an option is good enough for the player to move, as the last turn."""
        state, final, mover = self.state, self.ledger.final, look.mover
        plain = here.scale.plain(option, mover)
        if plain is not None:
            empty = state.board.empty & ~(1 << look.cell)
            bonus = here.bonus(empty, here.scale.keeps(option))
            return (here.lead + plain + bonus >= bound) is (mover == 0)
        for turn in self.turns(look, kind, option, here, last=final):
            self.tick()
            mark = state.mark()
            state.play(turn, last=final)
            lead = self.lead()
            state.undo(mark)
            if (lead >= bound) is (mover == 0):
                return True
        return False

    def lead(self) -> int:
        """Return White's lead at the end."""
        white, black = self.state.totals() if self.ledger.final else self.state.score
        return white - black

    def turns(
        self, look: Look, kind: int, option: Option, here: Standing, *, last: bool
    ) -> list[Turn]:
        """Return every turn that takes an option."""
        state, scale, mover = self.state, here.scale, look.mover
        one = state.hand[mover * NUMBERS + EXTRA_TURN]
        if one or scale.doubles(option, mover) or scale.plain(option, mover) is None:
            turns = state.turns_on(look.cell, kind, option.rotation, last=last, alike=False)
            return [turn for turn in turns if turn.segment == option.segment]
        scores = [state.score[0], state.score[1]]
        for gain in option.gains:
            scores[gain.winner] += gain.points
        plan = Plan((scores[0], scores[1]))
        return [Turn(look.cell, kind, option.rotation, option.segment, plan, 0)]

    def two(self, first: int, second: int, bound: int) -> bool | None:
        """Tell whether White's lead is at least ``bound`` after the best of two turns.

        The player to move has no extra turn and no wall tile for one.

        Args:
            first: index of the kind of the tile for the player to move.
            second: that of the tile for his opponent.
            bound: the lead.

        Returns:
            None if it is not known, since a tile has no place.

        """
        mover = self.state.turn[0]
        here = Standing(self.ledger)
        spots, special = self._survey(first, mover, here)
        if not spots and not special:
            return None
        need = _need(here, bound, mover)
        answers = self._survey(second, 1 - mover, here)[0]
        for look, option in chain(self._open(spots, need, answers, here), special):
            reached = self._tried(look, first, option, second, here, bound)
            if reached is None or reached is (mover == 0):
                return reached
        return mover == 1

    def _survey(
        self, kind: int, mover: int, here: Standing
    ) -> tuple[list[Spot], list[tuple[Look, Option]]]:
        """Return what a player can do with a tile: spots, the best first, and special options."""
        claims = self.state.supply[mover] > 0
        spots: list[Spot] = []
        special: list[tuple[Look, Option]] = []
        for look in self.looks.places(kind, mover):
            offer = here.scale.look(look, claims=claims)
            if offer.worth is not None:
                spots.append((offer.worth, offer.touched, look))
            special += [(look, option) for option in offer.special]
        spots.sort(key=lambda spot: -spot[0])
        return spots, special

    def _open(
        self, spots: list[Spot], need: int, answers: list[Spot], here: Standing
    ) -> Iterator[tuple[Look, Option]]:
        """Yield the options to which the opponent has no good enough answer elsewhere."""
        for spot in spots:
            if self._refuted(spot, need, answers, here):
                continue
            look = spot[2]
            claims = self.state.supply[look.mover] > 0
            for worth, touched, option in here.scale.look(look, claims=claims).plain:
                if not self._refuted((worth, touched, look), need, answers, here):
                    yield look, option

    def _refuted(self, spot: Spot, need: int, answers: list[Spot], here: Standing) -> bool:
        """Tell whether the opponent has an answer elsewhere to all that a look offers."""
        worth, touched, look = spot
        black, zone = look.mover == 1, look.zone
        rest = self.state.board.empty & ~(1 << look.cell)
        need -= worth
        for answer, touching, other in answers:
            if zone >> other.cell & 1 or touched & touching:
                continue
            bonus = here.bonus(rest & ~(1 << other.cell))
            if (-bonus if black else bonus) - answer < need:
                return True
        return False

    def _tried(  # noqa: PLR0913, PLR0917 -- an option and how it is judged
        self, look: Look, kind: int, option: Option, second: int, here: Standing, bound: int
    ) -> bool | None:
        """Tell whether White reaches the bound if an option is taken, by playing it."""
        state, looks, mover = self.state, self.looks, look.mover
        for turn in self.turns(look, kind, option, here, last=False):
            self.tick()
            mark = state.mark()
            state.play(turn, last=False)
            old = looks.step(turn, mover)
            reached = self.one(second, bound)
            if reached is None and self.ledger.final:
                state.pass_turn()
                reached = self.lead() >= bound
            looks.back(old)
            state.undo(mark)
            if reached is None or reached is (mover == 0):
                return reached
        return mover == 1


def _need(here: Standing, bound: int, mover: int) -> int:
    """Return what the mover needs beyond how the game stands."""
    return here.lead - bound + 1 if mover else bound - here.lead
