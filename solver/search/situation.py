"""What final scoring looks at, and what the last turn changes in it.

What the last tile does to a feature or a holding is an *effect*; what an effect is worth
depends on the situation alone: scores, keeps, wall tiles, and what the players hold. The
largest empty area depends on the cell of the tile too, and so only the sign is told with
which it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from solver.final_value import Held, larger_keep, settled
from solver.flags import Flags
from solver.game_state import NUMBERS
from solver.scoring_plans import Claim, Landing, Takes, plans
from solver.search.looks import Effect, Gain

FACE_DOWN = 0
"""Number of a wall tile that nobody has seen."""


class FaceDownError(Exception):
    """What a turn is worth depends on a wall tile that nobody has seen."""


Worth = tuple[tuple[int, int], ...]
"""What effects bring at best: the value beyond that on the track before, and what the largest
empty area adds to it for each of its cells."""
Measure = tuple[int, int]
"""What a point of each player adds to the value that is asked for."""
LEAD: Measure = (1, -1)
"""White's lead."""


def measured(scores: Sequence[int], measure: Measure) -> int:
    """Return the value of scores by a measure."""
    return measure[0] * scores[0] + measure[1] * scores[1]


Scored = tuple[tuple[tuple[int, int], Takes], ...]
"""Where the markers may stand, and the wall tiles taken on the way."""


class _Features:
    """Stands for a board on which completed features are numbered."""

    def __init__(self, gains: Sequence[Gain]) -> None:
        """Number the features."""
        self.kind = [gain.kind for gain in gains]
        self.anchor = range(len(gains))


@dataclass(slots=True)
class Situation:
    """All that final scoring looks at but the empty area; attributes as in ``GameState``."""

    flags: Flags
    landing: Landing
    score: list[int]
    keep: list[int]
    hand: list[int]
    fresh_hand: list[int]
    towers: list[int]
    turn: list[int]
    held: Held
    up: bool
    """Whether the player to move wants the value to be large."""
    measure: Measure
    scored: dict[tuple[Gain, ...], Scored]
    """By completed features the ways to score them; situations with the same markers, towers and
    wall tiles share it."""
    ends: dict[Effect, Worth] = field(default_factory=dict)
    menus: dict[frozenset[Effect], Worth] = field(default_factory=dict)
    idle: tuple[int, int] | None = None
    """What it brings to change nothing."""
    board: _Features = field(default_factory=lambda: _Features(()))
    at_gate: list[int] = field(default_factory=lambda: [0, 0])
    gates: tuple[int, ...] = ()
    stops_on_gate: bool = False

    def worth(self, effects: frozenset[Effect]) -> Worth:
        """Return what the best of some effects bring."""
        found = self.menus.get(effects)
        if found is None:
            ends = (end for effect in effects for end in self.end(effect))
            found = self.menus[effects] = self._best(ends)
        return found

    def end(self, effect: Effect) -> Worth:
        """Return what an effect brings."""
        found = self.ends.get(effect)
        if found is None:
            found = self.ends[effect] = self._best(self._ends(effect))
        return found

    def _best(self, ends: Iterable[tuple[int, int]]) -> Worth:
        """Return the best values, one for each way in which the empty area counts."""
        best: dict[int, int] = {}
        for more, sign in ends:
            if sign not in best or (more > best[sign]) is self.up:
                best[sign] = more
        return tuple((more, sign) for sign, more in best.items())

    def _ends(self, effect: Effect) -> Iterator[tuple[int, int]]:
        """Yield what an effect brings for each way to score what it completes."""
        tiles = [now + late for now, late in zip(self.hand, self.fresh_hand, strict=True)]
        if self.idle is None:
            self.idle = self._end(self.score, self.keep, tiles, self.held)
        more, sign = self.idle
        touched = {(change.slot % 2, change.slot // 2) for change in effect.changes}
        if touched:
            before = {key: self.held[key] for key in touched if key in self.held}
            was = settled(self.flags, (0, 0), tiles, before)
            now = settled(self.flags, (0, 0), tiles, changed(before, effect))
            more += measured(now, self.measure) - measured(was, self.measure)
        if not effect.gains:
            yield more, sign
            return
        keep = list(self.keep)
        for gain in effect.gains:
            keep[gain.winner] = max(keep[gain.winner], gain.keep)
        more -= measured(self.score, self.measure)
        for scores, takes in self._scored(effect.gains):
            if takes and self.flags.last_turn_tiles:
                with_takes = list(tiles)
                for tower, player in takes:
                    with_takes[player * NUMBERS + self.towers[tower]] += 1
                yield self._end(scores, keep, with_takes, changed(self.held, effect))
            else:
                yield more + measured(scores, self.measure), self._sign(keep, tiles)

    def _scored(self, gains: tuple[Gain, ...]) -> Scored:
        """Return where the markers may stand, and what they take, once features are scored.

        Raises:
            FaceDownError: a wall tile would be taken that nobody has seen.

        """
        found = self.scored.get(gains)
        if found is None:
            self.board = _Features(gains)
            claims = [Claim(root, gain.winner, gain.points) for root, gain in enumerate(gains)]
            ends = {(plan.scores, plan.takes): None for plan in plans(self, claims)}
            if any(self.towers[tower] == FACE_DOWN for _, takes in ends for tower, _ in takes):
                raise FaceDownError
            found = self.scored[gains] = tuple(ends)
        return found

    def _end(
        self, scores: Sequence[int], keep: Sequence[int], tiles: Sequence[int], held: Held
    ) -> tuple[int, int]:
        """Return the value beyond that before, and what a cell of the empty area adds to it."""
        totals = settled(self.flags, scores, tiles, held)
        more = measured(totals, self.measure) - measured(self.score, self.measure)
        return more, self._sign(keep, tiles)

    def _sign(self, keep: Sequence[int], tiles: Sequence[int]) -> int:
        """Return what a cell of the empty area adds to the value."""
        larger = larger_keep(self.flags, keep, tiles)
        return 0 if larger is None else self.measure[larger]


def changed(held: Held, effect: Effect) -> Held:
    """Return what is held after an effect."""
    found = {key: list(values) for key, values in held.items()}
    for slot, gone, made in effect.changes:
        values = found.setdefault((slot % 2, slot // 2), [])
        for worth in gone:
            values.remove(worth)
        values += made
    return found
