"""The last turn and the last two turns of a search, without playing most of them.

What an option on a cell adds to White's lead does not depend on what is done on cells that do
not touch each other's features (``Look.zone``), if both do not move one marker near towers with
wall tiles, and if both do not change the features of one slot that wall tiles score at the end
(``Offer.minds``); the bonus for the larger keep is worked out for both cells together. So
of two turns the second one's best answer on one cell refutes all options of the first on many
others, and only what is left is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter

from model.rules.wall_tiles import EXTRA_TURN
from solver.game_state import NUMBERS, GameState, Turn
from solver.scoring_plans import Plan
from solver.search.looks import Effect, Look, Looks, Option
from solver.search.standing import FAR, Answer, Deal, Ledger, Offer, Standing


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
        state = self.state
        mover, empty = state.turn[0], state.board.empty
        here = Standing(self.ledger)
        scale, need = here.scale, _need(here, bound, mover)
        sign, area = 1 - 2 * mover, self.ledger.area
        claims = state.supply[mover] > 0
        found = False
        # The cell that was good enough in another position may be so here.
        for look in self.looks.places(kind, mover, first=self._answered.get(kind, 0)):
            found = True
            offer = scale.offer(look, claims=claims)
            rest = empty & ~(1 << look.cell)
            good = offer.worth is not None and (
                offer.worth + (sign * scale.larger * area(rest) if scale.larger else 0) >= need
            )
            if (
                good
                or any(d.worth + sign * d.larger * area(rest) >= need for d in offer.growing)
                or any(
                    any(worth + sign * larger * area(rest) >= need for worth, larger in one.ends)
                    if one.ends is not None
                    else self._lands_well(look, kind, one.effect, here, bound)
                    for one in offer.landing
                )
            ):
                self._answered[kind] = look.cell
                return mover == 0
        return mover == 1 if found else None

    def _lands_well(
        self, look: Look, kind: int, effect: Effect, here: Standing, bound: int
    ) -> bool:
        """Tell whether an effect is good enough for the player to move, as the last turn."""
        state, final, mover = self.state, self.ledger.final, look.mover
        option = next(look.with_effect(effect, claims=state.supply[mover] > 0))
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
        effect = option.effect
        if one or scale.doubles(effect, mover) or scale.plain(effect, mover) is None:
            turns = state.turns_on(look.cell, kind, option.rotation, last=last, alike=False)
            return [turn for turn in turns if turn.segment == option.segment]
        scores = [state.score[0], state.score[1]]
        for gain in effect.gains:
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
        state = self.state
        mover = state.turn[0]
        here = Standing(self.ledger)
        offers = self._offers(first, mover, here)
        if not offers:
            return None
        need = _need(here, bound, mover)
        answers = self._answers(second, 1 - mover, here)
        for look, deal in self._open(offers, need, answers, here):
            for option in look.with_effect(deal.effect, claims=state.supply[mover] > 0):
                if self._answered_near(look, first, option, deal, second, here, need):
                    continue
                reached = self._tried(look, first, option, second, here, bound)
                if reached is None or reached is (mover == 0):
                    return reached
        for look, offer in offers:
            for landing in offer.landing:
                for option in look.with_effect(landing.effect, claims=state.supply[mover] > 0):
                    reached = self._tried(look, first, option, second, here, bound)
                    if reached is None or reached is (mover == 0):
                        return reached
        return mover == 1

    def _offers(self, kind: int, mover: int, here: Standing) -> list[tuple[Look, Offer]]:
        """Return what cells offer a player with a tile, the best first."""
        claims = self.state.supply[mover] > 0
        found = [
            (look, here.scale.offer(look, claims=claims)) for look in self.looks.places(kind, mover)
        ]
        found.sort(key=lambda pair: -FAR if pair[1].worth is None else pair[1].worth, reverse=True)
        return found

    def _answers(self, kind: int, mover: int, here: Standing) -> list[Answer]:
        """Return what the opponent can do with his tile where it stays possible, best first."""
        claims, scale = self.state.supply[mover] > 0, here.scale
        found: list[Answer] = []
        for look in self.looks.places(kind, mover):
            found += scale.offer(look, claims=claims).answers
        found.sort(key=itemgetter(0), reverse=True)
        return found

    def _open(
        self,
        offers: list[tuple[Look, Offer]],
        need: int,
        answers: list[Answer],
        here: Standing,
    ) -> Iterator[tuple[Look, Deal]]:
        """Yield the deals to which the opponent has no good enough answer elsewhere."""
        larger = here.scale.larger
        for look, offer in offers:
            deals = offer.growing
            if offer.worth is not None:
                all_of_them = offer.worth, offer.moves, larger
                if not self._refuted(look, all_of_them, need, answers):
                    deals = offer.deals
            for deal in deals:
                alone = deal.worth, deal.moves, deal.larger
                if not self._refuted(look, alone, need, answers):
                    yield look, deal

    def _refuted(
        self, look: Look, deal: tuple[int, int, int], need: int, answers: list[Answer]
    ) -> bool:
        """Tell whether the opponent has an answer elsewhere to deals on a cell.

        Args:
            look: what is seen there.
            deal: worth, what they change, and the larger keep after them.
            need: what the deals have to bring.
            answers: of the opponent.

        """
        worth, moves, larger = deal
        zone, area = look.zone, self.ledger.area
        sign = 1 - 2 * look.mover
        rest = self.state.board.empty & ~(1 << look.cell)
        need -= worth
        for answer, minds, cell, then in answers:
            if zone >> cell & 1 or moves & minds:
                continue
            whose = larger if then is None else then
            bonus = sign * whose * area(rest & ~(1 << cell)) if whose else 0
            if bonus - answer < need:
                return True
        return False

    def _answered_near(  # noqa: PLR0913, PLR0917 -- a deal and how it is judged
        self,
        look: Look,
        kind: int,
        option: Option,
        deal: Deal,
        second: int,
        here: Standing,
        need: int,
    ) -> bool:
        """Tell whether the opponent is known to have an answer to a deal next to it."""
        mover, area = look.mover, self.ledger.area
        scale = here.scale.after(deal, mover)
        claims = self.state.supply[1 - mover] > 0
        sign, rest = 1 - 2 * mover, self.state.board.empty & ~(1 << look.cell)
        need -= deal.worth
        for other in self.looks.then(look, kind, option, second):
            offer = scale.offer(other, claims=claims)
            after = rest & ~(1 << other.cell)
            if offer.worth is not None and (
                (sign * scale.larger * area(after) if scale.larger else 0) - offer.worth < need
            ):
                return True
            if any(sign * d.larger * area(after) - d.worth < need for d in offer.growing):
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
