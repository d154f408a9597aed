"""What options are weighed by in a game with The Falcon: tokens decide who scores an area too."""

from __future__ import annotations

from collections.abc import Sequence

from solver.falcon.looks import STEP, FalconLooks
from solver.final_value import NUMBER_FOR
from solver.search.looks import Effect
from solver.search.scale import AREA, SLOTS, Deal, Scale
from solver.search.standing import Ledger


class FalconScale(Scale):
    """What options are weighed by, where a wall tile brings points and tokens.

    Of the features of a slot a wall tile scores those that bring most points. That is best as
    long as no other one brings more tokens, or tokens decide nothing: ``docs/dominance.md``.
    """

    with_tokens = True

    def _by_tiles(self, count: int, values: Sequence[int]) -> int:
        """Return the points of wall tiles on features, those that are worth most first."""
        return super()._by_tiles(count, [value // STEP for value in values])

    def _counted(self, tokens: int, counts: Sequence[int], held: Sequence[Sequence[int]]) -> int:
        """Return White's lead in aerie tokens with those that wall tiles bring."""
        for slot in range(SLOTS):
            if counts[slot]:
                more = sum(value % STEP for value in held[slot][: counts[slot]])
                tokens += -more if slot % 2 else more
        return tokens

    def _deal(self, effect: Effect, mover: int) -> Deal | None:
        """Weigh an effect; None where it has to be played to be known."""
        deal = super()._deal(effect, mover)
        if deal is None or self._is_easy(self._held_after(effect), taken=False):
            return deal
        # That tokens decide nothing after the effect depends on all that brings some.
        bits = self._active | AREA
        return deal._replace(moves=deal.moves | bits, minds=bits) if deal.moves & bits else deal

    def plain(self, effect: Effect, mover: int) -> int | None:
        """Return what an effect adds to White's lead, the empty area left out.

        None where that has to be played to be known, as where gates stop markers.
        """
        if effect.gains and self._scales.state.gates:
            return None
        return super().plain(effect, mover) if self._is_clear(effect, taken=False) else None

    def _landed(self, effect: Effect, mover: int) -> tuple[tuple[int, int], ...] | None:
        """Return what an effect brings as the last turn, in every way to score it."""
        return super()._landed(effect, mover) if self._is_clear(effect, taken=True) else None

    def _is_clear(self, effect: Effect, *, taken: bool) -> bool:
        """Tell whether it is clear after an effect what wall tiles score at the end.

        Args:
            effect: the effect.
            taken: whether wall tiles may be taken by it.

        """
        held = self._held_after(effect)
        return self._is_easy(held, taken=taken) or self._is_idle(self._collected(effect), held)

    def _is_easy(self, held: Sequence[Sequence[int]], *, taken: bool) -> bool:
        """Tell whether with the most points always go the most tokens.

        Args:
            held: by slot what features are worth, the largest first.
            taken: whether wall tiles on towers may be taken before.

        """
        for slot, values in enumerate(held):
            tokens = [value % STEP for value in values]
            tiles = self._towers.count(NUMBER_FOR[slot // 2]) if taken else 0
            least, most = self._counts[slot], self._counts[slot] + tiles
            if most and any(tokens):
                falling = tokens == sorted(tokens, reverse=True)
                if most > 1 and not self._once:
                    return False
                if not falling and least < len(tokens):
                    return False
        return True

    @staticmethod
    def _is_idle(tokens: int, held: Sequence[Sequence[int]]) -> bool:
        """Tell whether no tokens that wall tiles bring change who has more."""
        white, black = (
            sum(value % STEP for values in held[p::2] for value in values) for p in (0, 1)
        )
        return tokens > black or -tokens > white or not (tokens or white or black)


class FalconLedger(Ledger):
    """What standings have in common during a search of a game with The Falcon."""

    scales = FalconScale

    def __init__(self, looks: FalconLooks, *, final: bool) -> None:
        """Begin with nothing."""
        super().__init__(looks, final=final)
        self._falcon = looks.falcon

    @property
    def adds_up(self) -> bool:
        """Whether what two turns far from each other bring is the sum of what each brings.

        Not where gates stop markers, nor where tokens are no sum: an aerie brings them once, or
        nobody holds more than there are.
        """
        flags = self._falcon.falcon
        return super().adds_up and not (flags.stops or flags.first_only or flags.capped)

    def tokens(self) -> int:
        """Return White's lead in aerie tokens now."""
        white, black = self._falcon.tokens
        return white - black
