"""How the game stands if it ends now."""

from __future__ import annotations

from typing import NamedTuple

from model.rules.castle.final_tiles import TILE_9
from solver.final_value import KEEP_TILE, NUMBER_FOR, POINTS_TILE, is_complete
from solver.game_state import NUMBERS
from solver.search.looks import Looks
from solver.search.scale import (
    DOUBLERS_OF,
    NO_COUNTS,
    NO_HOLDINGS,
    SLOTS,
    Key,
    Scale,
    watched,
)
from solver.tables import COURT, NOTHING

MOST = 200_000
"""Entries that each table keeps; with more, all are forgotten."""


class Hands(NamedTuple):
    """What the wall tiles of both players are good for."""

    counts: tuple[int, ...]
    """By slot the wall tiles 4 to 7. Those that a player got too late for his next turn count: they
    are usable after one more turn at the latest."""
    doublers: tuple[tuple[int, ...], ...]
    """By player and kind the wall tiles that double it."""
    eights: tuple[int, int]
    nines: int
    """White's lead by wall tiles 9."""
    slots: list[int]
    """The slots that a wall tile may score."""
    towers: tuple[int, ...]
    """By tower its wall tile; nothing if no tower has one."""


class Ledger:
    """What standings have in common during a search, worked out once.

    Attributes:
        looks: the looks of the search.
        state: the state that is searched.
        final: whether final scoring counts, or the scores on the track alone.
        scales: what its scales are.

    """

    scales: type[Scale] = Scale

    def __init__(self, looks: Looks, *, final: bool) -> None:
        """Begin with nothing."""
        self.looks = looks
        self.state = looks.state
        self.final = final
        self._scales: dict[Key, Scale] = {}
        self._hands: dict[tuple[int, ...], Hands] = {}
        self._entries = 0

    def hands(self) -> Hands:
        """Return what the wall tiles of both players are good for."""
        state = self.state
        key = (*state.hand, *state.fresh_hand, *state.towers)
        found = self._hands.get(key)
        if found is None:
            if len(self._hands) >= MOST:
                self._hands.clear()
            found = self._hands[key] = self._counted()
        return found

    def _counted(self) -> Hands:
        """Count the wall tiles."""
        state, hand = self.state, self.state.hand
        tiles = [now + late for now, late in zip(hand, state.fresh_hand, strict=True)]
        starts = (0, NUMBERS)
        counts = tuple(tiles[starts[slot % 2] + NUMBER_FOR[slot // 2]] for slot in range(SLOTS))
        eights = [tiles[start + KEEP_TILE] for start in starts]
        nines = [tiles[start + POINTS_TILE] for start in starts]
        return Hands(
            counts=counts if self.final else NO_COUNTS,
            doublers=tuple(
                tuple(hand[start + number] if number else 0 for number in DOUBLERS_OF)
                for start in starts
            ),
            eights=(eights[0], eights[1]),
            nines=TILE_9() * (nines[0] - nines[1]),
            slots=watched(counts, state.towers),
            towers=tuple(state.towers) if max(state.towers, default=NOTHING) >= 0 else (),
        )

    def scale(self, key: Key) -> Scale:
        """Return what options are weighed by."""
        found = self._scales.get(key)
        if found is None:
            self.count()
            found = self._scales[key] = self.scales(self, key)
        return found

    def standing(self) -> Standing:
        """Return how the game stands now."""
        return Standing(self)

    @property
    def adds_up(self) -> bool:
        """Whether what two turns far from each other bring is the sum of what each brings."""
        return not self.state.board.holes_block

    def tokens(self) -> int:
        """Return White's lead in aerie tokens, of which The Castle has none."""
        return 0

    def count(self) -> None:
        """Count an entry of a scale; with too many, forget all scales but those in use."""
        self._entries += 1
        if self._entries > MOST:
            self._entries = 0
            self._scales.clear()


class Standing:
    """The value of a state if the game, or the search, ends there.

    Attributes:
        lead: White's lead, the empty area left out.
        tokens: his lead in aerie tokens, without those that wall tiles bring.
        scale: what options are weighed by.

    """

    def __init__(self, ledger: Ledger) -> None:
        """Look at the state of a ledger."""
        self._ledger = ledger
        state = ledger.state
        white, black = state.score
        self.lead = white - black
        counts, doublers, eights, nines, slots, towers = ledger.hands()
        self.tokens = ledger.tokens()
        held = NO_HOLDINGS
        if ledger.final:
            held = self._hold(slots)
            self.lead += nines
        track = len(state.landing)
        spaces = (white % track, black % track) if towers else (0, 0)
        keeps = state.keep[0], state.keep[1]
        now = counts, held, spaces, towers, doublers, keeps, eights, self.tokens
        self.scale = ledger.scale(now)
        self.lead += self.scale.lead

    def _hold(self, slots: list[int]) -> tuple[tuple[int, ...], ...]:
        """Count courts; return by slot what wall tiles score, the largest first."""
        state, entry_of = self._ledger.state, self._ledger.looks.entry
        kinds, men = state.board.kind, state.board.men
        held: list[list[int]] = [[] for _ in range(SLOTS)]
        for root in state.occupied():
            balance = men[2 * root] - men[2 * root + 1]
            slot = 2 * kinds[root] + (balance < 0)
            counts = kinds[root] == COURT or (slot in slots and not is_complete(state, root))
            entry = entry_of(root, int(balance < 0)) if balance and counts else None
            if entry is not None:
                self.lead += entry.points
                self.tokens += entry.tokens
                if slot in slots and entry.worth:
                    held[slot].append(entry.worth)
        return tuple(tuple(sorted(values, reverse=True)) for values in held)
