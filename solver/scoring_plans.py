"""The ways to score what a turn completed, on the incremental state.

As in the reference, a plan names an order only where orders differ in the wall tiles that
they take; of the orders with one outcome it names the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple, Protocol

from model.rules.castle.wall_tiles import DOUBLERS
from solver.flags import Flags
from solver.tables import KINDS, NOTHING

Landing = tuple[int, ...]
"""By space of the track the corner tower on it, or -1."""
Numbers = tuple[int, ...]
"""Wall tiles used on a feature."""
Doubled = tuple[tuple[int, Numbers], ...]
"""Root or lowest node of features, with the wall tiles used on them."""
Takes = tuple[tuple[int, int], ...]
"""Corner tower and player for every wall tile taken, ascending."""


class Features(Protocol):
    """What scoring needs to know of features; its attributes are those of ``BoardState``."""

    @property
    def kind(self) -> Sequence[int]:
        """By root."""

    @property
    def anchor(self) -> Sequence[int]:
        """By root."""


class Scoreboard(Protocol):
    """What scoring needs to know of a state; its attributes are those of ``GameState``."""

    @property
    def board(self) -> Features:
        """The features."""

    flags: Flags
    landing: Landing
    score: list[int]
    hand: list[int]
    towers: list[int]
    turn: list[int]
    at_gate: list[int]
    gates: tuple[int, ...]
    """Spaces of the track after which a gate stops markers; none but by the variant."""
    stops_on_gate: bool
    """Whether they stop on the gate itself, not on the space before it."""


class Claim(NamedTuple):
    """A completed feature that somebody scores."""

    root: int
    winner: int
    points: int
    doublable: bool = True
    """Whether wall tiles may double it."""
    aeries: int = 0
    """Aeries that adjoin it, as bits, if they bring tokens."""
    more: int = 0
    """Tokens that it brings besides."""


class Plan(NamedTuple):
    """One way to score the features of a turn."""

    scores: tuple[int, int]
    """Where the markers stand afterwards."""
    takes: Takes = ()
    steps: Doubled = ()
    """Lowest node and wall tiles of the features that the move names, in order."""
    doubled: Doubled = ()
    """Root and wall tiles of the features that wall tiles double."""
    claims: tuple[Claim, ...] = ()
    """Everything that is scored, in the order of scoring."""
    at_gate: tuple[int, int] = (0, 0)
    """Whether a marker has been stopped on a gate and stands there, by player."""


Outcome = tuple[tuple[int, int], Takes, tuple[int, int]]
"""Scores, wall tiles taken, markers at gates."""


def plans(state: Scoreboard, claims: Sequence[Claim]) -> Iterator[Plan]:
    """Yield one plan for every use of wall tiles 2 and 3 and every outcome.

    Args:
        state: the state with the tile laid and nothing scored.
        claims: the completed features that somebody scores, by their lowest node.

    """
    if not claims:
        yield Plan((state.score[0], state.score[1]), at_gate=(state.at_gate[0], state.at_gate[1]))
        return
    anchor = state.board.anchor
    for used in _doublings(state, claims):
        named = _doubled(state, claims, used)
        worth = _worth(claims, used)
        ends = _outcomes(state, claims, worth)
        for (scores, takes, at_gate), order in sorted(ends.items(), key=lambda end: end[1]):
            steps = named
            if len(ends) > 1:
                steps = tuple((claims[i].root, used[i]) for i in order)
            yield Plan(
                scores=scores,
                takes=takes,
                steps=tuple((anchor[root], numbers) for root, numbers in steps),
                doubled=named,
                claims=tuple(claims[i] for i in order),
                at_gate=at_gate,
            )


def spelled_out(state: Scoreboard, claims: Sequence[Claim]) -> Iterator[tuple[Plan, list[Takes]]]:
    """Yield a plan for every use of wall tiles 2 and 3 and every order, all features named.

    Args:
        state: the state with the tile laid and nothing scored.
        claims: the completed features that somebody scores, by their lowest node.

    Yields:
        The plan, and what is taken by the end of each of its steps.

    """
    anchor = state.board.anchor
    for used in _doublings(state, claims):
        worth = _worth(claims, used)
        for order in _orders(state, claims):
            takes = [_score(state, claims, worth, order[: i + 1])[1] for i in range(len(order))]
            if not state.flags.each_feature:
                takes[:-1] = [()] * (len(order) - 1)
            scores, _, at_gate = _score(state, claims, worth, order)
            yield (
                Plan(
                    scores=scores,
                    takes=takes[-1],
                    steps=tuple((anchor[claims[i].root], used[i]) for i in order),
                    doubled=_doubled(state, claims, used),
                    claims=tuple(claims[i] for i in order),
                    at_gate=at_gate,
                ),
                takes,
            )


def _doubled(state: Scoreboard, claims: Sequence[Claim], used: Sequence[Numbers]) -> Doubled:
    """Return the features that are doubled, the mover's first, since they are scored first."""
    using = [pair for pair in zip(claims, used, strict=True) if pair[1]]
    using.sort(key=lambda pair: pair[0].winner != state.turn[0])
    return tuple((claim.root, numbers) for claim, numbers in using)


def _worth(claims: Sequence[Claim], used: Sequence[Numbers]) -> list[int]:
    """Return what each feature brings its scorer with the wall tiles used on it."""
    return [claim.points << len(numbers) for claim, numbers in zip(claims, used, strict=True)]


def _doublings(state: Scoreboard, claims: Sequence[Claim]) -> Iterator[tuple[Numbers, ...]]:
    """Yield every use of doubling wall tiles, for each claim the tiles used on it."""
    choices = [list(_uses(state, claim)) for claim in claims]
    if sum(map(len, choices)) == len(claims):
        yield ((),) * len(claims)
        return
    for used in product(*choices):
        if all(_enough(state, claims, used, player) for player in (0, 1)):
            yield used


def _enough(
    state: Scoreboard, claims: Sequence[Claim], used: Sequence[Numbers], player: int
) -> bool:
    """Tell whether a player holds the wall tiles of a use."""
    numbers = [
        n for claim, ns in zip(claims, used, strict=True) if claim.winner == player for n in ns
    ]
    return all(numbers.count(n) <= state.hand[player * 10 + n] for n in set(numbers))


def _uses(state: Scoreboard, claim: Claim) -> Iterator[Numbers]:
    """Yield the wall tiles that its scorer may use on a feature."""
    yield ()
    if not claim.doublable:
        return
    if claim.winner != state.turn[0] and state.flags.own_turn_only:
        return
    kind = KINDS[state.board.kind[claim.root]]
    for number, doubles in DOUBLERS.items():
        held = state.hand[claim.winner * 10 + number]
        if doubles is kind and held:
            most = 1 if state.flags.double_once else held
            for times in range(1, most + 1):
                yield (number,) * times


def _outcomes(
    state: Scoreboard, claims: Sequence[Claim], worth: Sequence[int]
) -> dict[Outcome, tuple[int, ...]]:
    """Return for each outcome the first order of scoring that leads there."""
    ends: dict[Outcome, tuple[int, ...]] = {}
    for order in _orders(state, claims):
        ends.setdefault(_score(state, claims, worth, order), order)
    return ends


def _orders(state: Scoreboard, claims: Sequence[Claim]) -> Iterator[tuple[int, ...]]:
    """Yield every order of scoring: the mover's features first, then the opponent's."""
    mover = state.turn[0]
    mine = [i for i, claim in enumerate(claims) if claim.winner == mover]
    theirs = [i for i, claim in enumerate(claims) if claim.winner != mover]
    for own in permutations(mine):
        for other in permutations(theirs):
            yield own + other


def _score(
    state: Scoreboard, claims: Sequence[Claim], worth: Sequence[int], order: Sequence[int]
) -> Outcome:
    """Move the markers in an order of scoring; return where they stand and what they took."""
    scores = [state.score[0], state.score[1]]
    at_gate = [state.at_gate[0], state.at_gate[1]]
    takes: list[tuple[int, int]] = []
    for index in order:
        player = claims[index].winner
        here = scores[player]
        scores[player] += worth[index]
        if state.gates:
            scores[player], at_gate[player] = _march(
                state, here, scores[player], at_gate=at_gate[player]
            )
        if state.flags.each_feature and not at_gate[player]:
            _land(state, scores[player], player, takes)
    if not state.flags.each_feature:
        mover = state.turn[0]
        for player in (mover, 1 - mover):
            if scores[player] != state.score[player] and not at_gate[player]:
                _land(state, scores[player], player, takes)
    return (scores[0], scores[1]), tuple(sorted(takes)), (at_gate[0], at_gate[1])


def _march(state: Scoreboard, here: int, reach: int, *, at_gate: int) -> tuple[int, int]:
    """Return where a marker on its way stands, and whether a gate has stopped it there."""
    track = len(state.landing)
    least = here + at_gate if state.stops_on_gate else here + 1
    for lap in range(here // track, reach // track + 1):
        for gate in state.gates:
            if least <= lap * track + gate < reach:
                return lap * track + gate, int(state.stops_on_gate)
    return reach, 0


def _land(state: Scoreboard, score: int, player: int, takes: list[tuple[int, int]]) -> None:
    """Take the wall tile of the corner tower on which a marker stands, if it is there."""
    tower = state.landing[score % len(state.landing)]
    if tower >= 0 and state.towers[tower] != NOTHING and all(t != tower for t, _ in takes):
        takes.append((tower, player))
