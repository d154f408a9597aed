"""What the options of a cell are weighed by, and what they are worth then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from model.rules.castle.final_tiles import TILE_9
from model.rules.castle.wall_tiles import DOUBLERS
from solver.final_value import (
    KEEP_TILE,
    NUMBER_FOR,
    POINTS_TILE,
    larger_keep,
)
from solver.flags import Flags
from solver.game_state import NUMBERS, GameState
from solver.scoring_plans import Claim, plans
from solver.search.looks import Change, Effect, Look
from solver.tables import KINDS, NOTHING

FINAL = {number: kind for kind, number in NUMBER_FOR.items()}
"""By wall tile 4 to 7 the kind of segment that it scores at the end."""
DOUBLERS_OF = tuple(
    next((number for number, what in DOUBLERS.items() if what is kind), 0) for kind in KINDS
)
"""By kind of segment the wall tile that doubles it; 0 for none."""
SLOTS = 2 * len(NUMBER_FOR)
NO_COUNTS = (0,) * SLOTS
NO_HOLDINGS: tuple[tuple[int, ...], ...] = ((),) * SLOTS
ALL_SLOTS = (1 << SLOTS) - 1
"""The bits of the slots, ``kind * 2 + player``. Those of the markers come next."""
AREA = 1 << SLOTS + 2
"""The bit of what decides who scores the empty area: keeps, and aerie tokens."""
MARKERS = 3 << SLOTS
"""The bits of the markers."""
STILL = (0, 0), ((0,) * len(KINDS),) * 2
"""Markers and doubling wall tiles where they make no difference."""
FAR = 1 << 20
"""More spaces than any marker moves."""
Key = tuple[
    tuple[int, ...],
    tuple[tuple[int, ...], ...],
    tuple[int, int],
    tuple[int, ...],
    tuple[tuple[int, ...], ...],
    tuple[int, int],
    tuple[int, int],
    int,
]
"""By slot (``kind * 2 + player``) the wall tiles 4 to 7 and what they score, by player the space
of the marker, by tower its wall tile, by player and kind the wall tiles that double it, keeps, wall
tiles 8, White's lead in aerie tokens without those that wall tiles bring.
Without wall tiles on towers spaces and towers are left out."""


class Deal(NamedTuple):
    """An effect weighed: one that can take no wall tile."""

    worth: int
    """What it brings the mover, the empty area left out."""
    moves: int
    """What it changes, as bits: slots, markers near towers, who scores the empty area."""
    minds: int
    """What its worth depends on, as bits."""
    larger: int
    """What a cell of the largest empty area adds to White's lead after it: 1 or -1 for the larger
    keep, and likewise for more aerie tokens."""
    effect: Effect


class Landing(NamedTuple):
    """An effect by which a marker may come to a tower with a wall tile."""

    effect: Effect
    ends: tuple[tuple[int, int], ...] | None
    """As the last turn, the most that it brings the mover, the empty area left out, with what a
    cell of that adds to White's lead after it. None if it has to be played to know."""
    minds: int
    """What that depends on, as bits."""


class Answer(NamedTuple):
    """What a look offers a player whose turn is the last."""

    worth: int
    """What it brings him, the empty area left out."""
    minds: int
    """What that depends on, as bits."""
    cell: int
    larger: int | None
    """What a cell of the empty area adds to White's lead after it; None if it does not change
    that."""


class Completed(NamedTuple):
    """Completed features, numbered, for ``plans``."""

    kind: list[int]
    anchor: range


@dataclass(slots=True, kw_only=True)
class Track:
    """Markers and wall tiles, for ``plans``."""

    board: Completed
    flags: Flags
    landing: tuple[int, ...]
    score: list[int]
    hand: list[int]
    towers: list[int]
    turn: list[int]
    at_gate: list[int]
    gates: tuple[int, ...] = ()
    stops_on_gate: bool = False


class Offer(NamedTuple):
    """What a look offers a player."""

    worth: int | None
    """The most that a deal brings him that leaves it as it is who scores the empty area; None if
    none does."""
    moves: int
    """What such deals change, all of them."""
    minds: int
    """What their worth depends on, of all of them."""
    deals: tuple[Deal, ...]
    """All deals, the best first."""
    growing: tuple[Deal, ...]
    """Those that change who scores the empty area."""
    landing: tuple[Landing, ...]
    """The effects by which a marker may come to a tower with a wall tile."""
    answers: tuple[Answer, ...]
    """What of all that can count in the last turn."""
    whole: bool
    """Whether the answers are all there is: nothing has to be played to be known."""


class Scales(Protocol):
    """Where the scales of a search come from.

    Attributes:
        state: the state that is searched.
        final: whether final scoring counts, or the scores on the track alone.

    """

    state: GameState
    final: bool

    def scale(self, key: Key) -> Scale:
        """Return what options are weighed by."""

    def count(self) -> None:
        """Count an entry of a scale."""


class Scale:
    """What options are weighed by: wall tiles, what they score at the end, markers, keeps.

    Attributes:
        lead: White's lead by wall tiles 4 to 7.
        larger: what a cell of the largest empty area adds to White's lead.
        with_tokens: whether features bring aerie tokens.

    """

    with_tokens = False

    def __init__(self, scales: Scales, key: Key) -> None:
        """Take over what ``Standing`` found.

        Args:
            scales: of the search.
            key: what it found.

        """
        self._scales = scales
        self._key = key
        self._still = key[2:5:2] == STILL
        self._quiet: Scale | None = None
        self._counts, self._held, self._spaces, self._towers, self._doublers = key[:5]
        self._keeps, self._eights, self._tokens = key[5:]
        slots = watched(self._counts, self._towers) if scales.final else []
        self._watched = sum(1 << slot for slot in slots)
        self._once = scales.state.flags.once_per_feature
        self._active = sum(1 << slot for slot in range(SLOTS) if self._counts[slot])
        self._now = self._scored(self._counts, self._held)
        self.lead = sum(self._now[0::2]) - sum(self._now[1::2])
        self._offers: dict[tuple[Look, int], Offer] = {}
        self._all_tokens = self._counted(self._tokens, self._counts, self._held)
        self.larger = self._larger(self._keeps, self._eights, self._all_tokens)
        self._ways = [self._way(score) for score in self._spaces]

    def _scored(self, counts: Sequence[int], held: Sequence[Sequence[int]]) -> list[int]:
        """Return by slot what wall tiles bring on features worth ``held``."""
        return [self._by_tiles(counts[slot], held[slot]) for slot in range(SLOTS)]

    def _by_tiles(self, count: int, values: Sequence[int]) -> int:
        """Return what wall tiles bring on features, those that are worth most first."""
        if not count or not values:
            return 0
        return sum(values[:count]) if self._once else values[0] * count

    def _way(self, score: int) -> int:
        """Return how far a marker is before the next tower with a wall tile."""
        track = len(self._scales.state.landing)
        steps = range(1, track + 1)
        return next((step for step in steps if self._is_tower(score + step)), FAR)

    def _is_tower(self, score: int) -> bool:
        """Tell whether a tower with a wall tile stands on a space."""
        landing = self._scales.state.landing
        tower = landing[score % len(landing)]
        return tower >= 0 and bool(self._towers) and self._towers[tower] != NOTHING

    def _larger(self, keeps: Sequence[int], eights: Sequence[int], tokens: int) -> int:
        """Return what a cell of the largest empty area adds to White's lead."""
        if not self._scales.final:
            return 0
        tiles = [0] * (2 * NUMBERS)
        tiles[KEEP_TILE], tiles[NUMBERS + KEEP_TILE] = eights
        larger = larger_keep(self._scales.state.flags, keeps, tiles)
        more = (tokens > 0) - (tokens < 0)
        return more if larger is None else more + 1 - 2 * larger

    def _counted(
        self,
        tokens: int,
        counts: Sequence[int],  # noqa: ARG002 -- without The Falcon wall tiles bring no tokens
        held: Sequence[Sequence[int]],  # noqa: ARG002 -- likewise
    ) -> int:
        """Return White's lead in aerie tokens with those that wall tiles bring."""
        return tokens

    def offer(self, look: Look, *, claims: int) -> Offer:
        """Return what a look offers.

        Args:
            look: the look.
            claims: the ranks that the mover may place, as bits.

        """
        if not look.scores and not self._still:
            return self.quiet.offer(look, claims=claims)
        key = look, claims
        found = self._offers.get(key)
        if found is None:
            self._scales.count()
            found = self._offers[key] = self._weigh(look, claims=claims)
        return found

    @property
    def quiet(self) -> Scale:
        """The scale for what scores nothing: markers and wall tiles 2 and 3 are all the same."""
        if self._quiet is None:
            counts, held, _, towers, _, keeps, eights, tokens = self._key
            spaces, doublers = STILL
            key = counts, held, spaces, towers, doublers, keeps, eights, tokens
            self._quiet = self._scales.scale(key)
        return self._quiet

    def _weigh(self, look: Look, *, claims: int) -> Offer:
        """Weigh what the options of a look do."""
        deals, landing = [], []
        for effect in look.effects(claims):
            if (deal := self._deal(effect, look.mover)) is not None:
                deals.append(deal)
            else:
                ends = self._landed(effect, look.mover)
                landing.append(Landing(effect, ends, self._watched | MARKERS | AREA))
        deals.sort(key=lambda deal: -deal.worth)
        growing = tuple(deal for deal in deals if deal.moves & AREA)
        still = [deal for deal in deals if not deal.moves & AREA]
        moves = minds = 0
        for deal in still:
            moves |= deal.moves
            minds |= deal.minds
        best = still[0].worth if still else None
        cell = look.cell
        answers = [Answer(deal.worth, deal.minds, cell, deal.larger) for deal in growing]
        if best is not None:
            answers.append(Answer(best, minds, cell, None))
        for one in landing:
            answers += [Answer(worth, one.minds, cell, keep) for worth, keep in one.ends or ()]
        whole = all(one.ends is not None for one in landing)
        return Offer(
            best, moves, minds, tuple(deals), growing, tuple(landing), tuple(answers), whole
        )

    def _deal(self, effect: Effect, mover: int) -> Deal | None:
        """Weigh an effect; None if a marker may come to a tower with a wall tile."""
        lead = self.plain(effect, mover)
        if lead is None:
            return None
        moves, larger = effect.slots, self.larger
        minds = moves & self._active
        if self._scales.final and (effect.gains or self.with_tokens):
            keeps, tokens = self._grown(effect), self._collected(effect)
            if self.with_tokens:
                tokens = self._counted(tokens, self._counts, self._held_after(effect))
            if (keeps, tokens) != (self._keeps, self._all_tokens):
                moves |= AREA
                minds |= AREA
                larger = self._larger(keeps, self._eights, tokens)
        if self._towers and effect.gains:
            markers = {gain.winner for gain in effect.gains}
            bits = sum(1 << SLOTS + player for player in markers)
            moves |= bits
            minds |= bits
        return Deal(-lead if mover else lead, moves, minds, larger, effect)

    def _grown(self, effect: Effect) -> tuple[int, int]:
        """Return the keeps after an effect's houses are scored."""
        keeps = list(self._keeps)
        for gain in effect.gains:
            keeps[gain.winner] = max(keeps[gain.winner], gain.keep)
        return keeps[0], keeps[1]

    def _collected(self, effect: Effect) -> int:
        """Return White's lead in aerie tokens after an effect, without what wall tiles bring."""
        gained = sum(-gain.tokens if gain.winner else gain.tokens for gain in effect.gains)
        return self._tokens + effect.tokens + gained

    def plain(self, effect: Effect, mover: int) -> int | None:
        """Return what an effect adds to White's lead, the empty area left out.

        Wall tiles 2 and 3 are used for the most points. None if a marker may come to a tower
        with a wall tile: points are not all that counts then.
        """
        found = self._adds(effect)
        if not effect.gains:
            return found
        doubled = self.doubles(effect, mover)
        points = self._doubled(effect, mover) if doubled else [gain[1] for gain in effect.gains]
        gains = [0, 0]
        for gain, brought in zip(effect.gains, points, strict=True):
            gains[gain.winner] += brought
        for player in (0, 1):
            # A single feature is scored at one go, and may pass the towers.
            if gains[player] >= self._ways[player] and (
                len(effect.gains) > 1
                or doubled
                or self._is_tower(self._spaces[player] + gains[player])
            ):
                return None
        return found + gains[0] - gains[1]

    def after(self, deal: Deal, mover: int) -> Scale:
        """Return what options are weighed by after a deal was taken."""
        if not deal.moves & (self._watched | ~ALL_SLOTS):
            return self
        effect = deal.effect
        held = self._held_after(effect)
        white, black = self._spaces
        if self._towers:
            spaces = [white, black]
            for gain, points in zip(effect.gains, self._doubled(effect, mover), strict=True):
                spaces[gain.winner] += points
            track = len(self._scales.state.landing)
            white, black = spaces[0] % track, spaces[1] % track
        keeps = self._grown(effect) if deal.moves & AREA else self._keeps
        key = self._counts, tuple(held), (white, black), self._towers, self._doublers, keeps
        return self._scales.scale((*key, self._eights, self._collected(effect)))

    def rough(self, effect: Effect) -> int:
        """Return about what an effect adds to White's lead, for the order of turns alone."""
        gains = sum(-gain.points if gain.winner else gain.points for gain in effect.gains)
        return gains + self._adds(effect)

    def _adds(self, effect: Effect) -> int:
        """Return what an effect adds to White's lead by courts and by what is uncompleted."""
        if not self._scales.final:
            return 0
        found = effect.court
        for change in effect.changes if effect.slots & self._active else ():
            slot = change.slot
            if count := self._counts[slot]:
                more = self._by_tiles(count, self._values(change)) - self._now[slot]
                found += -more if slot % 2 else more
        return found

    def _values(self, change: Change) -> tuple[int, ...]:
        """Return what the features of a slot are worth after a change, the largest first."""
        values = [*self._held[change.slot], *change.made]
        for worth in change.gone:
            values.remove(worth)
        values.sort(reverse=True)
        return tuple(values)

    def _held_after(self, effect: Effect) -> list[tuple[int, ...]]:
        """Return by slot what features are worth after an effect, the largest first."""
        held = list(self._held)
        for change in effect.changes:
            if self._watched >> change.slot & 1:
                held[change.slot] = self._values(change)
        return held

    def _landed(self, effect: Effect, mover: int) -> tuple[tuple[int, int], ...] | None:
        """Return what an effect brings as the last turn, in every way to score it."""
        flags = self._scales.state.flags
        if not (self._scales.final and flags.optional):
            return None
        track = self._track(effect, mover)
        claims = [
            Claim(n, gain.winner, gain.points, gain.doublable)
            for n, gain in enumerate(effect.gains)
        ]
        held, keeps, tokens = self._held_after(effect), self._grown(effect), self._collected(effect)
        before = self.lead + self._spaces[0] - self._spaces[1]
        best: dict[int, int] = {}
        for plan in plans(track, claims):
            counts, eights = list(self._counts), list(self._eights)
            lead = plan.scores[0] - plan.scores[1] + effect.court - before
            for tower, player in plan.takes if flags.last_turn_tiles else ():
                number = self._towers[tower]
                if number in FINAL:
                    counts[2 * FINAL[number] + player] += 1
                elif number == KEEP_TILE:
                    eights[player] += 1
                elif number == POINTS_TILE:
                    lead += TILE_9() * (1 - 2 * player)
            now = self._scored(counts, held)
            lead += sum(now[0::2]) - sum(now[1::2])
            larger = self._larger(keeps, eights, self._counted(tokens, counts, held))
            worth = -lead if mover else lead
            best[larger] = max(worth, best.get(larger, worth))
        return tuple((worth, larger) for larger, worth in best.items())

    def _track(self, effect: Effect, mover: int) -> Track:
        """Return markers and wall tiles as they are before an effect is scored."""
        state = self._scales.state
        hand = [0] * (2 * NUMBERS)
        for player, held in enumerate(self._doublers):
            for kind, count in enumerate(held):
                hand[player * NUMBERS + DOUBLERS_OF[kind]] += count
        return Track(
            board=Completed([gain.kind for gain in effect.gains], range(len(effect.gains))),
            flags=state.flags,
            landing=state.landing,
            score=list(self._spaces),
            hand=hand,
            towers=list(self._towers),
            turn=[mover, 0, 0],
            at_gate=[0, 0],
        )

    def doubles(self, effect: Effect, mover: int) -> bool:
        """Tell whether the player to move may double something that an effect scores."""
        return any(
            gain.winner == mover and gain.doublable and self._doublers[mover][gain.kind]
            for gain in effect.gains
        )

    def _doubled(self, effect: Effect, mover: int) -> list[int]:
        """Return the points of each gain with wall tiles 2 and 3 used for the most points."""
        points = [gain.points for gain in effect.gains]
        for kind, held in enumerate(self._doublers[mover]):
            fits = [
                index
                for index, gain in enumerate(effect.gains)
                if held and gain.kind == kind and gain.winner == mover and gain.doublable
            ]
            fits.sort(key=lambda index: -points[index])
            if self._scales.state.flags.double_once:
                for index in fits[:held]:
                    points[index] *= 2
            elif fits:
                points[fits[0]] <<= held
        return points


def watched(counts: Sequence[int], towers: Sequence[int]) -> list[int]:
    """Return the slots that a wall tile in hand or on a tower may score at the end.

    Args:
        counts: by slot the wall tiles in hand.
        towers: the wall tiles on towers.

    """
    return [slot for slot in range(SLOTS) if counts[slot] or NUMBER_FOR[slot // 2] in towers]
