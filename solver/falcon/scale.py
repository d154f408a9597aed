"""What options are weighed by in a game with The Falcon: tokens decide who scores an area too."""

from __future__ import annotations

from collections.abc import Sequence

from solver.falcon.looks import STEP, FalconLooks
from solver.search.looks import Effect
from solver.search.scale import SLOTS, Scale
from solver.search.standing import Ledger


class FalconScale(Scale):
    """What options are weighed by, where a wall tile brings points and tokens.

    Of the features of a slot a wall tile scores those that bring most points. That is best as
    long as no other one brings more tokens; where one does, options have to be played.
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

    def plain(self, effect: Effect, mover: int) -> int | None:
        """Return what an effect adds to White's lead, the empty area left out.

        None where that has to be played to be known, as where gates stop markers.
        """
        if effect.gains and self._ledger.state.gates:
            return None
        return super().plain(effect, mover) if self._is_clear(effect) else None

    def _landed(self, effect: Effect, mover: int) -> tuple[tuple[int, int], ...] | None:
        """Return what an effect brings as the last turn, in every way to score it."""
        return super()._landed(effect, mover) if self._is_clear(effect) else None

    def _is_clear(self, effect: Effect) -> bool:
        """Tell whether it is clear after an effect what wall tiles score at the end."""
        return all(self._is_easy(values) for values in self._held_after(effect))

    def _is_easy(self, values: Sequence[int]) -> bool:
        """Tell whether features that bring more points bring no fewer tokens."""
        tokens = [value % STEP for value in values]
        return tokens == sorted(tokens, reverse=True) and (self._once or not any(tokens))


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
