"""The limits of what each player can have, against what can be had and what is forced."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from burgrave.model.components import Follower, Rank, Role
from burgrave.model.features import position_features
from burgrave.model.files.lines import read_line
from burgrave.model.files.positions import load_position, read_position
from burgrave.model.geometry import PORTS, Cell
from burgrave.model.position import Position
from burgrave.model.registry import CASTLE, GAMES, split
from burgrave.model.switches import END_TILE_ONCE_PER_FEATURE
from burgrave.model.tiles import Kind, Mark, Segment, TileKind
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import partial_answer
from burgrave.solver.reach import castle, gains, ground, plane
from burgrave.solver.search.engine import SearchEngine
from tests.planes import OTHERS
from tests.solver import plane_endings
from tests.solver.endings import ending, late
from tests.solver.gatherings import gathering

POSITIONS = Path(__file__).parents[2] / "benchmarks" / "positions"
FOUND = Path(__file__).parents[1] / "data" / "found"
FALCON, INNS, TOWER = "castle+falcon", "carcassonne+inns", "carcassonne+tower"
LINES = 400
"""Lines to the end of an ending."""
ASKED = (
    (Play.HELPED, Goal.POINTS),
    (Play.HELPED, Goal.LEAD),
    (Play.SOLITAIRE, Goal.LEAD),
    (Play.AGAINST, Goal.LEAD),
)


def positions(game: str, seed: int) -> Iterator[Position]:
    """Yield random endings of a game, with random switches."""
    if split(game)[0] == CASTLE:
        yield ending(seed, LINES, falcon=game == FALCON)
        yield from gathering(seed, falcon=game == FALCON)
        return
    rng = random.Random(seed)
    tiles, players = rng.choice((1, 1, 2)), rng.randint(2, 4)
    expansions = split(game)[1]
    others = tuple(name for name in OTHERS if name in expansions)
    if others:
        tower = "tower" in expansions
        yield plane_endings.marked(seed, tiles, LINES, players=players, tower=tower, others=others)
        return
    if game == TOWER and rng.random() < 0.6:
        yield plane_endings.besieged(seed, tiles, LINES, players=players)
    else:
        tower = game == TOWER
        yield plane_endings.ending(seed, tiles, LINES, players=players, tower=tower, turns=(2, 30))


def problems(at: Position, rng: random.Random) -> Iterator[Problem]:
    """Yield problems of a position, for each player as the asker."""
    for asker, (play, goal) in product(range(len(at.players)), ASKED):
        if play is Play.AGAINST and asker != at.to_move:
            continue
        yield Problem(
            position=at,
            asker=asker,
            goal=goal,
            play=play,
            order=TileOrder.GIVEN,
            horizon=rng.choice((None, None, None, 1, 2)),
        )


@cache
def solved(game: str, seed: int) -> tuple[tuple[Problem, Fraction | None], ...]:
    """Return problems of endings with their values, of which no limit is a part."""
    rng = random.Random(seed)
    asked = [problem for at in positions(game, seed) for problem in problems(at, rng)]
    return tuple((problem, SearchEngine().solve(problem).value) for problem in asked)


def broken(game: str, seed: int) -> int:
    """Return the number of problems whose value is not between the limits."""
    return sum(not _within(problem, value) for problem, value in solved(game, seed))


def _within(problem: Problem, value: Fraction | None) -> bool:
    """Tell whether a value lies between the limits of a problem."""
    least, most = partial_answer.bounds(problem)
    assert least is not None
    assert most is not None
    assert value is not None
    return least <= value <= most


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(200, 212))
def test_nobody_reaches_more_or_less(game: str, seed: int) -> None:
    """Whoever plays for whom, with all switches, kings, wall tiles, captures and ransoms."""
    assert not broken(game, seed)


def _nothing(*_: object, **__: object) -> int:
    """Return 0 for the points of a part."""
    return 0


def _none(*_: object, **__: object) -> None:
    """Return no column, or add nothing."""


def _no_tiles(of: castle.Castle, *_: object, **__: object) -> dict[Kind, dict[int, int]]:
    """Return no points of tiles to come, by kind and place."""
    return {kind: {} for kind in of._rate}


def _unmarked(of: plane.Plane, kind: Kind, *_: object) -> plane.Rate:
    """Return what a unit of a feature brings if no mark changes it."""
    worth = of._table[kind]
    return plane.Rate(worth.end, worth.end, worth.done)


def _far(*_: object) -> float:
    """Return more tiles than there are for those that join two features."""
    return inf


PARTS: dict[str, tuple[object, str, object]] = {
    "features that are joined": (gains.Gains, "touched", _none),
    "features that are completed": (gains.Gains, "filled", _none),
    "tiles by themselves": (gains.Gains, "own", _none),
    "tiles of features on the board": (castle.Castle, "_tiles", _no_tiles),
    "followers to come": (ground.Ground, "claims", _nothing),
    "followers near by": (ground.Ground, "apart", _far),
    "farms": (plane.Plane, "_farms", _none),
    "marks to come": (plane.Plane, "_rate", _unmarked),
    "ransoms": (partial_answer, "PRICE_OF_A_FOLLOWER", 0),
    "captures": (gains, "_captured", _nothing),
    "courts": (castle, "_courts", _none),
    "segments in a castle": (castle.Castle, "_shows", _nothing),
    "large features": (castle.Castle, "_size", _nothing),
    "corner towers on the way": (castle.Castle, "_comes_to", _nothing),
    "the empty area": (castle, "largest_empty_area", _nothing),
    "wall tiles 2 to 7": (castle.Castle, "_worth", _nothing),
    "wall tile 9": (castle, "TILE_9", _nothing),
    "the king in play": (castle.Castle, "_king_in_play", 0),
    "the king at the end": (castle.Castle, "_king_at_the_end", _nothing),
}
"""Parts of the limits: where each stands, and what stands there without it."""


@pytest.mark.parametrize(
    ("part", "game", "seed"),
    [
        ("features that are joined", "castle", 203),
        ("features that are joined", TOWER, 201),
        ("features that are completed", "castle", 201),
        ("features that are completed", TOWER, 201),
        ("tiles by themselves", "castle", 201),
        ("tiles by themselves", "carcassonne", 200),
        ("tiles of features on the board", "castle", 207),
        ("followers to come", "castle", 200),
        ("followers near by", "castle", 201),
        ("farms", TOWER, 201),
        ("marks to come", INNS, 235),
        ("ransoms", TOWER, 209),
        ("captures", TOWER, 204),
        ("courts", "castle", 201),
        ("segments in a castle", "castle", 200),
        ("large features", FALCON, 202),
        ("corner towers on the way", "castle", 222),
        ("the empty area", "castle", 203),
        ("wall tiles 2 to 7", "castle", 202),
        ("wall tile 9", "castle", 215),
        ("the king in play", FALCON, 226),
        ("the king at the end", FALCON, 208),
    ],
)
def test_each_part_is_needed(
    part: str, game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it there are endings whose value is outside the limits."""
    owner, name, without = PARTS[part]
    assert not broken(game, seed)
    monkeypatch.setattr(owner, name, without)
    assert broken(game, seed)


@pytest.mark.parametrize(
    ("name", "width"),
    [("k9-1", 302), ("k3-1", 63), ("falcon-k4-2", 176), ("plane-01", 68), ("plane-09", 77)],
)
def test_limits_are_no_wider_than_they_were(name: str, width: int) -> None:
    """The lead of measured positions lies in an interval of so many points."""
    at = load_position(POSITIONS / f"{name}.toml")
    problem = Problem(
        position=at, asker=at.to_move, goal=Goal.LEAD, play=Play.AGAINST, order=TileOrder.GIVEN
    )
    least, most = partial_answer.bounds(problem)
    assert least is not None
    assert most is not None
    assert most - least <= width


class Toy:
    """A game of tiles on a row of cells, small enough to be played in every way."""

    def __init__(self, seed: int) -> None:
        """Draw tiles, the cells on which they fit, and what brings points."""
        rng = random.Random(seed)
        self.cells, self.far = [Cell(x, 0) for x in range(5)], Cell(9, 9)
        kinds = {
            kind: rng.sample(self.cells, rng.randint(1, 4)) for kind in "abc"[: rng.randint(1, 3)]
        }
        self.bag = tuple(rng.choice([*kinds]) for _ in range(rng.randint(1, 4)))
        self.places = [(kind, cell) for kind, some in kinds.items() for cell in (*some, self.far)]
        # A tile beside a cell changes what fits there, or not.
        self.spoilt = {
            (one, cell) for one in self.places for cell in self.cells if rng.random() < 0.5
        }
        self.own = [rng.randint(0, 4) for _ in self.places]
        self.his = [rng.choice((0, 0, 3)) for _ in self.places]
        every = range(len(self.places))
        self.joined = [
            ({*rng.sample(every, rng.randint(1, len(every)))}, rng.randint(1, 9)) for _ in range(3)
        ]
        self.whole = [
            (
                frozenset(rng.sample(self.cells, rng.randint(1, 3))),
                rng.randint(1, 9),
                rng.random() < 0.5,
            )
            for _ in range(2)
        ]
        self.first, self.known, self.reach = (
            rng.randint(0, 1),
            rng.choice((0, 1, len(self.bag))),
            rng.random() < 0.3,
        )

    def limit(self, *, mean: bool, away: bool = True) -> Fraction:
        """Return the limit of the points."""
        on: dict[Cell, list[int]] = {}
        for at, (_, cell) in enumerate(self.places):
            if cell != self.far:
                on.setdefault(cell, []).append(at)
        fits = {}
        for kind in {*self.bag}:
            cells = {
                cell: [at]
                for at, (one, cell) in enumerate(self.places)
                if one == kind and cell != self.far
            }
            every = [at for at, (one, _) in enumerate(self.places) if one == kind]
            fits[kind] = ground.Fit(cells, every, frozenset())
        tiles = len(self.bag)
        coming = gains.Schedule(
            fits=fits,
            stock=self.bag,
            known=self.known,
            tiles=tiles,
            his=(tiles + 1 - self.first) // 2 if away else tiles,
            others=(tiles + self.first) // 2 if away else 0,
            every=2 if away and (mean or self.known == tiles) else None,
            first=self.first,
        )
        board: Any = SimpleNamespace(
            placed=self.places,
            on=on,
            tiles=tiles,
            barred=frozenset(),
            captures=False,
            filling=lambda cell: on.get(cell, []),
        )
        found = gains.Gains(board, coming)
        for at, points in enumerate(self.own):
            found.own(at, points * gains.PORTIONS)
            found.own(at, self.his[at] * gains.PORTIONS, his=True)
        columns = [found.touched(some, points) for some, points in self.joined]
        for every_one, points, after in self.whole:
            found.filled(every_one, points, columns[0] if after else None)
        return found.most

    def points(self, laid: tuple[tuple[int, bool], ...]) -> int:
        """Return the points of places with who laid tiles there."""
        at = {one for one, _ in laid}
        filled = {self.places[one][1] for one in at}
        total = sum(self.own[one] + (self.his[one] if mine else 0) for one, mine in laid)
        total += sum(points for some, points in self.joined if some & at)
        return total + sum(
            points
            for cells, points, after in self.whole
            if cells <= filled and (not after or self.joined[0][0] & at)
        )

    def legal(self, kind: str, laid: tuple[tuple[int, bool], ...]) -> Iterator[int]:
        """Yield the places on which a kind still fits."""
        filled = {self.places[one][1] for one, _ in laid}
        for at, (one, cell) in enumerate(self.places):
            near = (self.places[one] for one, _ in laid if abs(self.places[one][1].x - cell.x) == 1)
            changed = any((by, cell) in self.spoilt for by in near)
            # Where no tile is near now one fits only later, and not always.
            late = cell == self.far and not (self.reach and laid)
            if one == kind and cell not in filled and not changed and not late:
                yield at

    def value(self, best: Any, left: Any = None, mine: Any = None, laid: Any = ()) -> Fraction:
        """Return what an order of tiles, or their mean, makes of the points with best play.

        Args:
            best: makes one value of those of all tiles that may come; None if all are his friends.
            left: the tiles to come.
            mine: whether he lays the next one.
            laid: places with who laid tiles there.

        """
        if left is None:
            left, mine = self.bag, self.first == 0
        if not left:
            return Fraction(self.points(laid))
        known = len(self.bag) - len(left) < self.known
        ends = []
        for at, kind in enumerate(left[:1] if known else left):
            after = (*left[:at], *left[at + 1 :])
            some = [
                self.value(best, after, not mine, (*laid, (one, mine or best is None)))
                for one in self.legal(kind, laid)
            ]
            choose = max if mine or best is None else min
            ends.append(choose(some) if some else self.value(best, after, mine, laid))
        return (best or max)(ends)


def _mean(values: list[Fraction]) -> Fraction:
    """Return the mean of values."""
    return sum(values, Fraction(0)) / len(values)


def broken_toys() -> int:
    """Return how often toy games bring more than the limit: by the mean and in the best order."""
    found = 0
    for seed in range(80, 140):
        toy = Toy(seed)
        for mean, best in ((True, _mean), (False, max)):
            found += toy.limit(mean=mean) < toy.value(best)
        found += toy.limit(mean=False, away=False) < toy.value(None)
    return found


def test_no_play_brings_more() -> None:
    """Against all play of toy games: by the mean, in the best order, and with his help."""
    assert not broken_toys()


def test_a_tile_without_a_place_changes_whose_turns_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first tile takes the only cell of the second, so that the fourth is his."""
    toy = Toy(0)
    cells = {"a": 0, "b": 2, "c": 4}
    toy.places = [(kind, toy.cells[x]) for kind, x in cells.items()]
    toy.bag, toy.known, toy.first, toy.reach = ("a", "a", "b", "c"), 4, 0, False
    toy.own, toy.his, toy.joined, toy.whole, toy.spoilt = [0] * 3, [0, 0, 9], [], [], set()
    assert toy.value(max) == 9
    assert toy.limit(mean=False) >= 9
    monkeypatch.setattr(ground.Fit, "is_left", lambda *_: True)
    assert toy.limit(mean=False) < 9


@pytest.mark.parametrize(
    ("owner", "name", "without"),
    [
        (ground.Fit, "_some_left", lambda _, cells, __: cells[:1]),
        (gains, "_mean_of_best", _nothing),
        (gains.Gains, "_worth", lambda gains, _: gains._own),
    ],
)
def test_each_part_of_the_sum_is_needed(
    owner: object, name: str, without: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cells that are spoilt, the better of two drawn tiles, and what tiles join or fill."""
    monkeypatch.setattr(owner, name, without)
    assert broken_toys()


FOUR = (
    "burgrave:1:carcassonne:green:0-0-0-0:2:eNp1kDFvg0AMhf8K8kzRAWkq3cRQtjRDqjZDVVUXM"
    "HAqcMhHWqEo_702JN2YbH3P9-x3F6hNh6ChMFQY713fI4SApR2t65lTXSdKbZkNrZmQPOgPICwZnNqzz"
    "NaE2HOdsG3dL3yGMLqvzv2I6107OUOlvHzJVPgQU8rsmVtFirv3LOYuDthWV4Y6pGi_Y55nycxlkf7ub"
    "d2MUc58l6ViouYHY2Oxio6MXxkrSoN56d0oF6NjtmElCZYT_3cc5FhHJZKcJoNvQpagoC9zTi6-cMRpV"
    "Aj-PAztxO31Fn9VXZKvyrfPWtF5wDd2GGQ9PMYbTJ6qLVz_AEPQhCE"
)
"""Carcassonne of four players with two tiles to come."""


def test_opponents_help_each_other() -> None:
    """Of several who play against the asker one gets points that the others bring him."""
    problem = Problem(
        position=read_line(FOUR),
        asker=0,
        goal=Goal.LEAD,
        play=Play.AGAINST,
        order=TileOrder.GIVEN,
    )
    assert _within(problem, SearchEngine().solve(problem).value)


def test_a_king_who_cannot_come_home_doubles_one_feature_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """His feature faces few cells, and on one of them no tile fits."""
    at = load_position(FOUND / "a-king-stays.toml")
    problem = Problem(
        position=at, asker=at.to_move, goal=Goal.LEAD, play=Play.AGAINST, order=TileOrder.GIVEN
    )
    least, most = partial_answer.bounds(problem)
    assert least is not None
    assert most is not None
    monkeypatch.setattr(ground.Ground, "completed", lambda _, one: len(one.empty_cells()))
    lower, upper = partial_answer.bounds(problem)
    assert lower is not None
    assert upper is not None
    assert most - least + 50 <= upper - lower


WALLED_IN = """
burgrave = 1
type = "position"
game = "carcassonne"
to_move = "blue"
board = ["D@0,0r0 red:farmer.EL", "S@1,0r1", "T@-1,0r3"]
order = ["E"]
"""
"""No tile joins the field of the only follower, and one completes the city beside it."""


def test_a_field_that_cannot_grow_scores_cities_to_come() -> None:
    """Though its owner has no turn left in which he could place a follower."""
    problem = Problem(
        position=read_position("by hand", WALLED_IN),
        asker=0,
        goal=Goal.POINTS,
        play=Play.HELPED,
        order=TileOrder.GIVEN,
    )
    assert SearchEngine().solve(problem).value == 3
    assert _within(problem, Fraction(3))


def test_a_king_doubles_two_wall_tiles_7_on_one_court() -> None:
    """By a switch each of them scores the court again."""
    markets = tuple(
        Segment(kind=Kind.COURT, ports=tuple(range(PORTS)), marks=(Mark.MARKET,) * count)
        for count in range(2)
    )
    kinds = [TileKind(id=f"M{i}", count=6, segments=(markets[i % 2],)) for i in range(4)]
    found = (late(random.Random(seed), 1, kinds, falcon=True) for seed in range(20))
    at = next(one for one in found if one is not None)
    courts = (one for one in position_features(at) if one.kind is Kind.COURT and one.inside)
    court = max(courts, key=lambda one: one.count(Mark.MARKET))
    king = Follower(court.anchor, at.to_move, Role.MERCHANT, Rank.KING)
    players = [replace(one, wall_tiles=(), supply=0, keep=9) for one in at.players]
    players[at.to_move] = replace(players[at.to_move], wall_tiles=(7, 7), keep=0)
    game = at.game.with_switches({END_TILE_ONCE_PER_FEATURE.name: "off"})
    at = replace(at, game=game, players=tuple(players), followers=(king,), towers=())
    problem = Problem(
        position=at, asker=at.to_move, goal=Goal.POINTS, play=Play.HELPED, order=TileOrder.GIVEN
    )
    assert _within(problem, SearchEngine().solve(problem).value)


def test_the_mean_of_the_best_is_that_of_all_draws() -> None:
    """Of three values the best of two that are drawn is 2, 3 or 3; of one draw it is any."""
    assert gains._mean_of_best(2, [3, 1, 2], 0) == Fraction(8, 3)
    assert gains._mean_of_best(1, [3, 1, 2], 0) == 2
    assert gains._mean_of_best(0, [3, 1, 2], 5) == 5
