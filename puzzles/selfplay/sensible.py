"""A player for self-play in a castle who plays sensibly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from model.components import Rank
from puzzles.selfplay.appraisal import ENDING, LOCKED, WALL_TILE, Table
from puzzles.selfplay.prospects import Claim, Prospect, prospects, ways
from puzzles.selfplay.rehearsal import Rehearsal
from solver.simulation import Scoring, Stake


class Choice(NamedTuple):
    """A place and a follower, with what the player thinks of it."""

    value: float
    """Everything but corner towers and wall tiles, in points."""
    landing: float
    """Heuristic value of corner towers if all own points score at once."""
    prospect: Prospect
    claim: Claim | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensible:
    """A greedy player who weighs points now and chances later, his own and the opponent's.

    He claims the feature with the best points for a follower's time. He also prefers a house for
    the keep, corner towers, and wall tiles. He looks one turn ahead and
    neither at the tiles to come nor under the wall tiles.
    """

    reserve: int = 1
    """Followers he keeps back, unless one comes home at once or the game is ending."""
    looseness: float = 0.0
    """Probability with which he picks any of his best ``few`` moves."""
    few: int = 5
    """Number of moves that he examines closely."""
    spite: float = 0.8
    """Points of his own that a point of the opponent weighs."""

    def __call__(self, walk: Rehearsal, rng: Random) -> Scoring | None:
        """Pick a legal turn; None if no tile to come has a place."""
        table = Table(walk.position, self.spite)
        judged = [
            self._best(table, walk, choice) for choice in self._choices(table, walk)[: self.few]
        ]
        if not judged:
            return None
        if rng.random() < self.looseness:
            return rng.choice(judged)[1]
        return max(judged, key=lambda entry: entry[0])[1]

    def several(self, walk: Rehearsal, good: int, others: int, rng: Random) -> list[Scoring]:
        """Return the turns that seem best, then some others at random."""
        table = Table(walk.position, self.spite)
        choices = self._choices(table, walk)
        rest = choices[good:]
        chosen = [*choices[:good], *rng.sample(rest, min(others, len(rest)))]
        return [self._best(table, walk, choice)[1] for choice in chosen]

    def _choices(self, table: Table, walk: Rehearsal) -> list[Choice]:
        """Return every place and follower with a first judgement, the best first."""
        found = [one for prospect in prospects(walk) for one in self._on_place(table, prospect)]
        return sorted(found, key=lambda choice: -choice.value - choice.landing)

    def _on_place(self, table: Table, prospect: Prospect) -> Iterator[Choice]:
        """Yield no follower, then those that may be placed with a tile."""
        base = sum(map(table.view, prospect.after)) - sum(map(table.view, prospect.before))
        now = sum(_own_points(table, stake) for stake in prospect.after)
        yield Choice(value=base, landing=table.landing(now), prospect=prospect)
        for claim in prospect.claims:
            yield Choice(
                value=base + table.view(claim.stake) - self._cost(table, claim),
                landing=table.landing(now + _own_points(table, claim.stake)),
                prospect=prospect,
                claim=claim,
            )

    def _cost(self, table: Table, claim: Claim) -> float:
        """Return the cost of one follower less for the rest of the game."""
        if claim.rank is not Rank.FOLLOWER:
            # There is one of each: he waits for a feature that is worth him.
            return 2 * table.locked
        last = table.position.players[table.me].supply <= self.reserve
        held = last and not claim.stake.finished and table.left > ENDING
        return table.locked + (LOCKED if held else 0.0)

    def _best(self, table: Table, walk: Rehearsal, choice: Choice) -> tuple[float, Scoring]:
        """Return the best way to score a choice, with the value of the turn."""
        found = ways(walk, choice.prospect, choice.claim)
        last = choice.prospect.at == len(walk.order) - 1
        judged = [(choice.value + self._scored(table, way, last=last), way) for way in found]
        return max(judged, key=lambda entry: entry[0])

    def _scored(self, table: Table, way: Scoring, *, last: bool) -> float:
        """Return the heuristic points of the wall tiles taken and used in a turn."""
        mine, theirs = way.takes
        return (
            WALL_TILE * (mine - self.spite * theirs)
            + way.bonus
            - way.doublers * WALL_TILE * table.time
            + way.extra * (-1.0 if last else 1.0)
        )


def _own_points(table: Table, stake: Stake) -> int:
    """Return the points that a finished feature brings the player."""
    return stake.points if stake.finished and stake.leader == table.me else 0
