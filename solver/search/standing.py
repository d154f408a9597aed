"""How the game stands if it ends now, and what options add to that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from model.rules.final_tiles import TILE_9
from model.rules.wall_tiles import DOUBLERS
from solver.final_value import A_MARKET, NUMBER_FOR, POINTS_TILE, is_complete, larger_keep
from solver.game_state import NUMBERS, GameState
from solver.search.looks import Look, Option
from solver.tables import COURT, KINDS, NOTHING

DOUBLERS_OF = tuple(
    next((number for number, what in DOUBLERS.items() if what is kind), 0) for kind in KINDS
)
"""By kind of segment the wall tile that doubles it; 0 for none."""
SLOTS = 2 * len(NUMBER_FOR)
NO_COUNTS = (0,) * SLOTS
NO_HOLDINGS: tuple[tuple[int, ...], ...] = ((),) * SLOTS
SCORING = SLOTS
"""The bit from which on options say for whom they score; below it they tell the slots."""
FAR = 1 << 20
"""More spaces than any marker moves."""
Key = tuple[
    tuple[int, ...],
    tuple[tuple[int, ...], ...],
    tuple[int, int],
    tuple[int, ...],
    tuple[tuple[int, ...], ...],
    tuple[int, int],
]
"""By slot (``kind * 2 + player``) the wall tiles 4 to 7 and what they score, by player the space
of the marker, by tower its wall tile, by player and kind the wall tiles that double it, keeps.
Without wall tiles on towers spaces and towers are left out."""
MOST = 200_000
"""Entries that each table keeps; with more, all are forgotten."""


class Weighed(NamedTuple):
    """What a look offers a player."""

    worth: int | None
    """The most that a plain option brings him: one that may take no wall tile and brings no larger
    keep. None if there is none."""
    touched: int
    """What plain options touch, as bits: slots, and the markers that they move near towers."""
    plain: tuple[tuple[int, int, Option], ...]
    """The plain options with worth and what they touch, the best first."""
    special: tuple[Option, ...]
    """The others."""


class Scale:
    """What options are weighed by: wall tiles, what they score at the end, markers, keeps.

    Attributes:
        lead: White's lead by wall tiles 4 to 7.

    """

    def __init__(self, ledger: Ledger, key: Key) -> None:
        """Take over what ``Standing`` found.

        Args:
            ledger: of the search.
            key: what it found.

        """
        self._ledger = ledger
        self._counts, self._held, self._scores, self._towers, self._doublers, self._keeps = key
        self._once = ledger.state.flags.once_per_feature
        self._active = sum(1 << slot for slot in range(SLOTS) if self._counts[slot])
        self._now = [self._by_tiles(slot, self._held[slot]) for slot in range(SLOTS)]
        self.lead = sum(self._now[0::2]) - sum(self._now[1::2])
        self._weighed: dict[tuple[Look, bool], Weighed] = {}
        self._ways = [self._way(score) for score in self._scores]

    def _by_tiles(self, slot: int, values: Sequence[int]) -> int:
        """Return what wall tiles bring on features worth ``values``, the largest first."""
        if self._once:
            return sum(values[: self._counts[slot]])
        return values[0] * self._counts[slot] if values else 0

    def _way(self, score: int) -> int:
        """Return how far a marker is before the next tower with a wall tile."""
        track = len(self._ledger.state.landing)
        steps = range(1, track + 1)
        return next((step for step in steps if self._is_tower(score + step)), FAR)

    def _is_tower(self, score: int) -> bool:
        """Tell whether a tower with a wall tile stands on a space."""
        landing = self._ledger.state.landing
        tower = landing[score % len(landing)]
        return tower >= 0 and bool(self._towers) and self._towers[tower] != NOTHING

    def look(self, look: Look, *, claims: bool) -> Weighed:
        """Return what a look offers.

        Args:
            look: the look.
            claims: whether the mover has a follower to place.

        """
        key = look, claims
        found = self._weighed.get(key)
        if found is None:
            self._ledger.count()
            found = self._weighed[key] = self._weigh(look, claims=claims)
        return found

    def _weigh(self, look: Look, *, claims: bool) -> Weighed:
        """Weigh the options of a look."""
        plain: list[tuple[int, int, Option]] = []
        special = []
        touched = 0
        for option in look.options:
            if option.segment >= 0 and not claims:
                continue
            worth = self.plain(option, look.mover)
            if worth is None or self.keeps(option):
                special.append(option)
                continue
            touches = self._touches(option)
            touched |= touches
            plain.append((-worth if look.mover else worth, touches, option))
        plain.sort(key=lambda one: -one[0])
        best = plain[0][0] if plain else None
        return Weighed(best, touched, tuple(plain), tuple(special))

    def _touches(self, option: Option) -> int:
        """Return what an option touches, as bits."""
        slots = sum(1 << change.slot for change in option.changes) & self._active
        if min(self._ways) == FAR:
            return slots
        markers = {gain.winner for gain in option.gains}
        return slots | sum(1 << SCORING + player for player in markers)

    def plain(self, option: Option, mover: int) -> int | None:
        """Return what an option adds to White's lead, the bonus for the keep left out.

        Wall tiles 2 and 3 are used for the most points. None if a marker may come to a tower
        with a wall tile: points are not all that counts then.
        """
        found = self._adds(option)
        if not option.gains:
            return found
        doubled = self.doubles(option, mover)
        points = self._doubled(option, mover) if doubled else [gain[1] for gain in option.gains]
        gains = [0, 0]
        for gain, brought in zip(option.gains, points, strict=True):
            gains[gain.winner] += brought
        for player in (0, 1):
            # A single feature is scored at one go, and may pass the towers.
            if gains[player] >= self._ways[player] and (
                len(option.gains) > 1
                or doubled
                or self._is_tower(self._scores[player] + gains[player])
            ):
                return None
        return found + gains[0] - gains[1]

    def rough(self, option: Option) -> int:
        """Return about what an option adds to White's lead, for the order of turns alone."""
        gains = sum(-gain.points if gain.winner else gain.points for gain in option.gains)
        return gains + self._adds(option)

    def _adds(self, option: Option) -> int:
        """Return what an option adds to White's lead by courts and by what is uncompleted."""
        if not self._ledger.final:
            return 0
        found = option.court
        for slot, gone, made in option.changes:
            if self._counts[slot]:
                values = [*self._held[slot], *made]
                for worth in gone:
                    values.remove(worth)
                values.sort(reverse=True)
                more = self._by_tiles(slot, values) - self._now[slot]
                found += -more if slot % 2 else more
        return found

    def doubles(self, option: Option, mover: int) -> bool:
        """Tell whether the player to move may double something that an option scores."""
        return any(
            gain.winner == mover and self._doublers[mover][gain.kind] for gain in option.gains
        )

    def _doubled(self, option: Option, mover: int) -> list[int]:
        """Return the points of each gain with wall tiles 2 and 3 used for the most points."""
        points = [gain.points for gain in option.gains]
        for kind, held in enumerate(self._doublers[mover]):
            fits = [
                index
                for index, gain in enumerate(option.gains)
                if held and gain.kind == kind and gain.winner == mover
            ]
            fits.sort(key=lambda index: -points[index])
            if self._ledger.state.flags.double_once:
                for index in fits[:held]:
                    points[index] *= 2
            elif fits:
                points[fits[0]] <<= held
        return points

    def keeps(self, option: Option) -> tuple[int, int] | None:
        """Return the keeps after an option's houses are scored; None if they stay as they are."""
        if not option.gains or not self._ledger.final:
            return None
        keeps = list(self._keeps)
        for winner, _, _, size in option.gains:
            keeps[winner] = max(keeps[winner], size)
        after = keeps[0], keeps[1]
        return None if after == self._keeps else after


class Ledger:
    """What standings have in common during a search, worked out once.

    Attributes:
        state: the state that is searched.
        final: whether final scoring counts, or the scores on the track alone.

    """

    def __init__(self, state: GameState, *, final: bool) -> None:
        """Begin with nothing."""
        self.state = state
        self.final = final
        self._areas: dict[int, int] = {}
        self._scales: dict[Key, Scale] = {}
        self._entries = 0

    def area(self, empty: int) -> int:
        """Return the size of the largest area of empty cells, given as bits."""
        found = self._areas.get(empty)
        if found is None:
            if len(self._areas) >= MOST:
                self._areas.clear()
            found = self._areas[empty] = self.state.board.largest_area(empty)
        return found

    def scale(self, key: Key) -> Scale:
        """Return what options are weighed by."""
        found = self._scales.get(key)
        if found is None:
            self.count()
            found = self._scales[key] = Scale(self, key)
        return found

    def count(self) -> None:
        """Count an entry of a scale; with too many, forget all scales but those in use."""
        self._entries += 1
        if self._entries > MOST:
            self._entries = 0
            self._scales.clear()


class Standing:
    """The value of a state if the game, or the search, ends there.

    Attributes:
        lead: White's lead, the bonus for the larger keep left out.
        scale: what options are weighed by.

    """

    def __init__(self, ledger: Ledger) -> None:
        """Look at the state of a ledger."""
        state = self._state = ledger.state
        self._ledger = ledger
        hand, scores = state.hand, state.score
        self.lead = scores[0] - scores[1]
        counts, held = NO_COUNTS, NO_HOLDINGS
        keeps = state.keep[0], state.keep[1]
        self._larger = 0
        if ledger.final:
            self._larger = self._ahead(keeps)
            counts = tuple(self._tiles(slot % 2, NUMBER_FOR[slot // 2]) for slot in range(SLOTS))
            held = self._hold(counts)
            self.lead += TILE_9() * (self._tiles(0, POINTS_TILE) - self._tiles(1, POINTS_TILE))
        track, towers = len(state.landing), tuple(state.towers)
        spaces = scores[0] % track, scores[1] % track
        if max(towers, default=NOTHING) == NOTHING:
            towers, spaces = (), (0, 0)
        doublers = tuple(
            tuple(hand[start + number] if number else 0 for number in DOUBLERS_OF)
            for start in (0, NUMBERS)
        )
        self.scale = ledger.scale((counts, held, spaces, towers, doublers, keeps))
        self.lead += self.scale.lead

    def _hold(self, counts: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """Count courts; return by slot what wall tiles score, the largest first."""
        state = self._state
        board, men = state.board, state.board.men
        held: list[list[int]] = [[] for _ in counts]
        for root in {board.find(node) for node in state.posts if node >= 0}:
            balance = men[2 * root] - men[2 * root + 1]
            if not balance:
                continue
            kind, player = board.kind[root], int(balance < 0)
            slot = 2 * kind + player
            if kind == COURT:
                markets = board.markets[root]
                self.lead += A_MARKET * (-markets if player else markets)
                if counts[slot] and markets:
                    held[slot].append(markets)
            elif counts[slot] and not is_complete(state, root):
                held[slot].append(state.worth(root))
        return tuple(tuple(sorted(values, reverse=True)) for values in held)

    def _tiles(self, player: int, number: int) -> int:
        """Return how many wall tiles of a number a player may use at the end.

        Those that he got too late for his next turn are usable after one more turn at the latest.
        """
        state, index = self._state, player * NUMBERS + number
        return state.hand[index] + state.fresh_hand[index]

    def bonus(self, empty: int, keeps: tuple[int, int] | None = None) -> int:
        """Return White's lead by the larger keep.

        Args:
            empty: the empty cells.
            keeps: the keeps; None for those of now.

        """
        larger = self._larger if keeps is None else self._ahead(keeps)
        return larger * self._ledger.area(empty) if larger else 0

    def _ahead(self, keeps: tuple[int, int]) -> int:
        """Return 1 if White's keep is the larger one, -1 if Black's is."""
        state = self._state
        tiles = [now + late for now, late in zip(state.hand, state.fresh_hand, strict=True)]
        larger = larger_keep(state.flags, keeps, tiles)
        return 0 if larger is None else 1 - 2 * larger
