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

from model.rules.castle.wall_tiles import EXTRA_TURN
from solver.game_state import NUMBERS, GameState, Turn
from solver.scoring_plans import Plan
from solver.search.looks import Effect, Look, Looks, Option
from solver.search.scale import FAR, Answer, Deal, Offer, Scale
from solver.search.standing import Ledger, Standing
from solver.states import totals


class Closing:
    """Answers whether White reaches a lead when one tile is left, or two.

    Attributes:
        state: the state that is searched.
        looks: the looks of the search.
        ledger: what its standings have in common.

    """

    def __init__(
        self, state: GameState, looks: Looks, ledger: Ledger, *, tick: Callable[[], None]
    ) -> None:
        """Take over a search.

        Args:
            state: the state.
            looks: its looks.
            ledger: what its standings have in common.
            tick: counts a turn.

        """
        self.state = state
        self.looks = looks
        self.ledger = ledger
        self.tick = tick
        self._answered: dict[int, int] = {}

    def one(self, kind: int, bound: int) -> bool | None:
        """Tell whether White's lead is at least ``bound`` after the best turn with a tile.

        Returns:
            None if the tile has no place.

        """
        state = self.state
        mover, empty = state.turn[0], state.board.empty
        here = self.ledger.standing()
        scale, need = here.scale, _need(here, bound, mover)
        sign, area = 1 - 2 * mover, state.board.largest_area
        claims = state.ranks(mover, last=self.ledger.final)
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
        option = next(look.with_effect(effect, claims=state.ranks(mover, last=final)))
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
        white, black = totals(self.state) if self.ledger.final else self.state.score
        return white - black

    def turns(
        self, look: Look, kind: int, option: Option, here: Standing, *, last: bool
    ) -> list[Turn]:
        """Return every turn that takes an option."""
        state, scale, mover = self.state, here.scale, look.mover
        one = state.hand[mover * NUMBERS + EXTRA_TURN]
        effect = option.effect
        choice = scale.doubles(effect, mover) or any(gain.tokens for gain in effect.gains)
        if one or choice or scale.plain(effect, mover) is None:
            there = look.cell, kind, option.rotation
            turns = state.turns_on(*there, last=last, alike=False, segment=option.segment)
            return [turn for turn in turns if turn.rank == option.rank]
        scores = [state.score[0], state.score[1]]
        for gain in effect.gains:
            scores[gain.winner] += gain.points
        plan = Plan((scores[0], scores[1]), at_gate=(state.at_gate[0], state.at_gate[1]))
        return [Turn(look.cell, kind, option.rotation, option.segment, plan, 0, option.rank)]

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
        here = self.ledger.standing()
        offers = self._offers(first, mover, here)
        if not offers:
            return None
        need = _need(here, bound, mover)
        answers, whole = self._answers(second, 1 - mover, here)
        for look, option, deal in self._ways(offers, need, answers, here):
            good = None
            if deal is not None:
                good = self._stands(look, first, option, deal, second, here, need, answers)
            if good is None or (good and not whole):
                good = self._tried(look, first, option, second, here, bound)
            if good is not False:
                return None if good is None else mover == 0
        return mover == 1

    def _ways(
        self,
        offers: list[tuple[Look, Offer]],
        need: int,
        answers: list[Answer],
        here: Standing,
    ) -> Iterator[tuple[Look, Option, Deal | None]]:
        """Yield the options that may be good enough, with what they are worth if it is known."""
        claims = self.state.ranks(self.state.turn[0], last=False)
        for look, deal in self._open(offers, need, answers, here):
            for option in look.with_effect(deal.effect, claims=claims):
                yield look, option, deal
        for look, offer in offers:
            for landing in offer.landing:
                for option in look.with_effect(landing.effect, claims=claims):
                    yield look, option, None

    def _offers(self, kind: int, mover: int, here: Standing) -> list[tuple[Look, Offer]]:
        """Return what cells offer a player with a tile, the best first."""
        claims = self.state.ranks(mover, last=False)
        found = [
            (look, here.scale.offer(look, claims=claims)) for look in self.looks.places(kind, mover)
        ]
        found.sort(key=lambda pair: -FAR if pair[1].worth is None else pair[1].worth, reverse=True)
        return found

    def _answers(self, kind: int, mover: int, here: Standing) -> tuple[list[Answer], bool]:
        """Return what the opponent can do with his tile where it stays possible, best first.

        Returns:
            The answers, and whether they are all that there are.

        """
        claims, scale = self.state.ranks(mover, last=self.ledger.final), here.scale
        found: list[Answer] = []
        whole = True
        for look in self.looks.places(kind, mover):
            offer = scale.offer(look, claims=claims)
            found += offer.answers
            whole = whole and offer.whole
        found.sort(key=itemgetter(0), reverse=True)
        return found, whole

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
        zone, area = look.zone, self.state.board.largest_area
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

    def _stands(  # noqa: PLR0913, PLR0917 -- a deal and how it is judged
        self,
        look: Look,
        kind: int,
        option: Option,
        deal: Deal,
        second: int,
        here: Standing,
        need: int,
        answers: list[Answer],
    ) -> bool | None:
        """Tell whether the opponent has no good enough answer to an option that stands so far.

        Returns:
            None if that is not known without playing it.

        """
        other = 1 - look.mover
        scale = here.scale.after(deal, look.mover)
        claims = self.state.ranks(other, last=self.ledger.final)
        # With followers that come home only now he may have more answers.
        known = self.ledger.final and self.state.flags.optional
        known = known and not self.state.returning(other, look.cell)
        need -= deal.worth
        placed = False
        for near in self.looks.then(look, kind, option, second):
            if near is None:
                known = False
            elif near[1] is not None:
                placed = True
                beaten = self._beaten(look, near[1], scale, need, claims=claims)
                if beaten:
                    return False
                known = known and beaten is not None
        if not known:
            return None
        # Others have been weighed already, and are not good enough.
        doubtful = [
            answer.cell
            for answer in answers
            if look.zone >> answer.cell & 1 or answer.minds & deal.moves
        ]
        for cell in doubtful:
            if not (option.zone | 1 << look.cell) >> cell & 1:
                then = self.looks.known(cell, second, other)
                if then is None:
                    return None
                beaten = self._beaten(look, then, scale, need, claims=claims)
                if beaten is not False:
                    return False if beaten else None
        return True if placed or any(not look.zone >> one.cell & 1 for one in answers) else None

    def _beaten(
        self, look: Look, answer: Look, scale: Scale, need: int, *, claims: int
    ) -> bool | None:
        """Tell whether what a look offers the opponent leaves the mover with too little.

        Args:
            look: where the mover has laid his tile.
            answer: what the opponent can do on a cell then.
            scale: what his options are weighed by.
            need: what the mover needs beyond what he has got.
            claims: the ranks that the opponent may place, as bits.

        Returns:
            None if nothing that is known does, but not all is known.

        """
        offer = scale.offer(answer, claims=claims)
        sign = 1 - 2 * look.mover
        rest = self.state.board.empty & ~(1 << look.cell | 1 << answer.cell)
        for worth, _, _, then in offer.answers:
            larger = scale.larger if then is None else then
            bonus = sign * larger * self.state.board.largest_area(rest) if larger else 0
            if bonus - worth < need:
                return True
        return False if offer.whole else None

    def _tried(  # noqa: PLR0913, PLR0917 -- an option and how it is judged
        self, look: Look, kind: int, option: Option, second: int, here: Standing, bound: int
    ) -> bool | None:
        """Tell whether an option is good enough for the player to move, by playing it.

        Returns:
            None if that is not known, since the opponent's tile has no place.

        """
        state, looks, mover = self.state, self.looks, look.mover
        for turn in self.turns(look, kind, option, here, last=False):
            self.tick()
            mark = state.mark()
            state.play(turn, last=False)
            looks.step(turn, mover, state.board.disturbed)
            reached = self.one(second, bound)
            if reached is None and self.ledger.final:
                state.pass_turn()
                reached = self.lead() >= bound
            state.undo(mark)
            if reached is None or reached is (mover == 0):
                return None if reached is None else True
        return False


def _need(here: Standing, bound: int, mover: int) -> int:
    """Return what the mover needs beyond how the game stands."""
    return here.lead - bound + 1 if mover else bound - here.lead
