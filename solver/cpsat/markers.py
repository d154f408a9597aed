"""The order of scoring, the markers on the track and the wall tiles they take.

pick[t,u]: unit u is scored as the t-th. The mover's units come first. After each step the
scorer's marker stands somewhere, and on a corner tower with a wall tile it takes it. By the
variant of The Falcon a marker that would go past a gate stops there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.switches import WALL_TAKE_MOMENT
from solver.cpsat.board import Ground
from solver.cpsat.gates import Place, marched, stopping
from solver.cpsat.logic import Lit, Logic, no, weighted
from solver.cpsat.run import Expression, IntVar, Literal
from solver.cpsat.scoring import Unit
from solver.cpsat.wall_tiles import Gain


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """The scoring of the turn, as variables."""

    totals: tuple[IntVar, IntVar]
    """Points that each player wins in the turn."""
    picks: Mapping[tuple[int, int], Literal]
    """pick[t,u]; empty if no order of scoring can matter."""
    takes: Mapping[tuple[str, int], Lit]
    """For a tower and a player: the player takes its wall tile."""
    at_gate: tuple[Lit, Lit] = (False, False)
    """Whether a player's marker has been stopped on a gate and stands there."""
    stops: bool = False
    """Whether gates may stop markers, so that the order of scoring decides about points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One step of scoring."""

    scored: tuple[Lit, Lit]
    """Whose marker moves, by player."""
    places: tuple[Place, Place]
    """Where the markers stand after it, by player."""


def tracking(logic: Logic, ground: Ground, found: Sequence[Unit], gains: Sequence[Gain]) -> Track:
    """Make the variables of the order of scoring and of the wall tiles taken."""
    most = sum(gain.most for gain in gains)
    landings, gates = _landings(ground, most), _gates(ground, most)
    players = _turn_order(ground)
    late = ground.position.game.value(WALL_TAKE_MOMENT) == "end_of_turn"
    if not gates and (late or not landings):
        totals = _plain_totals(logic, gains)
        ends = [
            (p, _moved(logic, found, p), Place(score=_score(ground, p) + totals[p], at_gate=False))
            for p in players
        ]
        return Track(totals=totals, picks={}, takes=_takes(logic, landings, ends))
    picks = _permutation(logic, ground, found)
    steps = _steps(logic, ground, found, gains, picks, most)
    last = steps[-1].places if steps else _starts(ground)
    arrivals = [(p, step.scored[p], step.places[p]) for step in steps for p in players]
    if late:
        arrivals = [(p, _moved(logic, found, p), last[p]) for p in players]
    first, second = (_total(logic, last[p].score - _score(ground, p), most, p) for p in (0, 1))
    return Track(
        totals=(first, second),
        picks=picks,
        takes=_takes(logic, landings, arrivals),
        at_gate=(last[0].at_gate, last[1].at_gate),
        stops=bool(gates),
    )


def _turn_order(ground: Ground) -> tuple[int, int]:
    """Return the players, the mover first."""
    return ground.position.to_move, 1 - ground.position.to_move


def _score(ground: Ground, player: int) -> int:
    """Return a player's score before the turn."""
    return ground.position.players[player].score


def _moved(logic: Logic, found: Sequence[Unit], player: int) -> Lit:
    """Return whether a player's marker moves in the turn."""
    return logic.any_of(unit.wins[player] for unit in found)


def _plain_totals(logic: Logic, gains: Sequence[Gain]) -> tuple[IntVar, IntVar]:
    """Return the points that each player wins in the turn if no gate stops him: Σ points."""
    most = sum(gain.most for gain in gains)
    first, second = (
        _total(logic, sum(gain.points[player] for gain in gains), most, player) for player in (0, 1)
    )
    return first, second


def _total(logic: Logic, won: Expression, most: int, player: int) -> IntVar:
    """Return a variable for the points that a player wins in the turn."""
    total = logic.integer(0, most, f"total{player}")
    logic.model.add(total == won)
    return total


def _starts(ground: Ground) -> tuple[Place, Place]:
    """Return where the markers stand before the turn."""
    first, second = (
        Place(score=state.score, at_gate=state.at_gate) for state in ground.position.players
    )
    return first, second


def _gates(ground: Ground, most: int) -> list[int]:
    """Return the numbers within reach after which a gate stops markers, laps included."""
    starts = [player.score for player in ground.position.players]
    return stopping(ground.position.game, range(min(starts), max(starts) + most))


def _landings(ground: Ground, most: int) -> dict[str, list[int]]:
    """Return for each tower with a wall tile the scores within reach that stand on it."""
    board = ground.position.game.board
    held = dict(ground.position.towers)
    found: dict[str, list[int]] = defaultdict(list)
    starts = [player.score for player in ground.position.players]
    for tower in board.towers:
        for score in range(min(starts) + 1, max(starts) + most + 1):
            if tower.name in held and score % board.track in tower.spaces:
                found[tower.name].append(score)
    return found


def _permutation(
    logic: Logic, ground: Ground, found: Sequence[Unit]
) -> dict[tuple[int, int], Literal]:
    """Return pick[t,u]: an order of the units that are scored, without gaps.

    Σ_t pick[t,u] = 1 iff u is scored; Σ_u pick[t,u] ≤ 1; a step is taken only if the one
    before is; no mover's unit after an opponent's.
    """
    count = len(found)
    picks: dict[tuple[int, int], Literal] = {}
    for u, unit in enumerate(found):
        scored = logic.any_of(unit.wins)
        for t in range(count):
            picks[t, u] = logic.decision(f"pick{t},{u}")
        logic.model.add(weighted((1, picks[t, u]) for t in range(count)) == scored)
    for t in range(count):
        logic.model.add_at_most_one(picks[t, u] for u in range(count))
    mover, other = _turn_order(ground)
    for t in range(1, count):
        before = logic.any_of(picks[t - 1, u] for u in range(count))
        for u, unit in enumerate(found):
            logic.clause(~picks[t, u], before)
            for v, earlier in enumerate(found):
                # pick[t-1,v] and theirs(v) → ¬(pick[t,u] and mine(u))
                logic.clause(
                    no(picks[t - 1, v]),
                    no(earlier.wins[other]),
                    no(picks[t, u]),
                    no(unit.wins[mover]),
                )
    return picks


def _steps(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    ground: Ground,
    found: Sequence[Unit],
    gains: Sequence[Gain],
    picks: Mapping[tuple[int, int], Literal],
    most: int,
) -> list[_Step]:
    """Return the steps of scoring: score after t = score after t-1 + Σ_u pick[t,u] · points(u)."""
    places = list(_starts(ground))
    gates = _gates(ground, most)
    farthest = max(player.score for player in ground.position.players) + most
    steps = []
    for t in range(len(found)):
        taken = logic.any_of(picks[t, u] for u in range(len(found)))
        scored = [
            logic.any_of(logic.all_of((picks[t, u], unit.wins[p])) for u, unit in enumerate(found))
            for p in (0, 1)
        ]
        for player in (0, 1):
            gained = logic.integer(0, most, f"gained{t},{player}")
            logic.equal_if([no(taken)], gained, 0)
            for u, gain in enumerate(gains):
                logic.equal_if([picks[t, u]], gained, gain.points[player])
            places[player] = marched(
                logic,
                ground.position.game,
                places[player],
                places[player].score + gained,
                moved=scored[player],
                gates=gates,
                farthest=farthest,
            )
        steps.append(_Step(scored=(scored[0], scored[1]), places=(places[0], places[1])))
    return steps


def _takes(
    logic: Logic,
    landings: Mapping[str, list[int]],
    arrivals: Sequence[tuple[int, Lit, Place]],
) -> dict[tuple[str, int], Lit]:
    """Return who takes which wall tile: the first whose marker arrives on the tower.

    Args:
        logic: the model.
        landings: the scores that stand on each tower.
        arrivals: in order of time: a player, whether the marker has just moved, its place.

    """
    takes: dict[tuple[str, int], Lit] = {}
    for tower, values in landings.items():
        gone: Lit = False
        taken: tuple[list[Lit], list[Lit]] = ([], [])
        for player, moved, place in arrivals:
            if moved is False:
                continue
            there = logic.all_of((moved, no(place.at_gate), logic.one_of(place.score, values)))
            taken[player].append(logic.all_of((there, no(gone))))
            gone = logic.any_of((gone, there))
        for player in (0, 1):
            takes[tower, player] = logic.any_of(taken[player])
    return takes
