"""The points of features as data, against the rules in code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest

from burgrave.model.book import book_of
from burgrave.model.components import Node
from burgrave.model.features import Feature
from burgrave.model.files.games import editions, shipped_game
from burgrave.model.games import Game
from burgrave.model.geometry import Cell
from burgrave.model.registry import BASES, CARCASSONNE, GAMES, ids
from burgrave.model.switches import COUNT_BY
from burgrave.model.tiles import Kind, Mark

BY_EDITION = [shipped_game(CARCASSONNE, edition=name) for name in editions()]
LARGEST = [shipped_game(ids(base=base)[-1]) for base in BASES]
SWITCHED = [
    game.with_switches({switch.name: value})
    for game in LARGEST
    for switch in dict(game.switches)
    for value in switch.values[1:]
]
PLAYED = [*map(shipped_game, GAMES), *BY_EDITION, *SWITCHED]
SIZES = range(1, 6)
"""Tiles of a feature."""
MANY = 3
"""Marks on a feature at most."""


def small_features(game: Game, kind: Kind) -> Iterator[Feature]:
    """Yield a feature of every small size with all marks that its kind can bear in the game.

    Its last tile meets it with two segments, so that tiles and segments are told apart.
    """
    able = sorted(
        {m for t in game.tile_set.kinds for s in t.segments for m in s.marks if s.kind is kind}
    )
    for size in SIZES:
        nodes = tuple(Node(Cell(x, 0), 0) for x in range(size))
        for number in range(MANY + 1):
            for marks in combinations_with_replacement(able, number):
                yield Feature(
                    kind=kind,
                    nodes=(*nodes, Node(Cell(size - 1, 0), 1)),
                    cells=frozenset(node.cell for node in nodes),
                    start_cells=frozenset(),
                    open_sides=(),
                    marks=marks,
                    followers=(),
                )


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.named)
def test_the_table_says_what_the_rules_say(game: Game) -> None:
    """Every small feature, with all marks, is worth the same by both, complete or not."""
    book, table = book_of(game), book_of(game).table(game)
    segments = BASES[game.base].edited and game.value(COUNT_BY) == "segment"
    assert {*table} <= {*book.worth}
    for kind, worth in table.items():
        for feature in small_features(game, kind):
            marks = Counter(feature.marks)
            size = len(feature.nodes) if segments else feature.size
            done = worth.points(size, feature.size, marks, complete=True)
            left = worth.points(size, feature.size, marks, complete=False)
            for told, (rule, said) in (
                (done, book.completed(game, feature)),
                (left, book.uncompleted(game, feature, {})),
            ):
                assert told == said, (
                    f"{game.id}: {rule} says {said} for a {kind} of {size} with {feature.marks},"
                    f" the table of points {told}, which kernel and CP-SAT read: correct the rule,"
                    " or the rows that the book's patch gives to table"
                )


@pytest.mark.parametrize(
    ("game_id", "rising"), [(CARCASSONNE, False), (f"{CARCASSONNE}+inns", True)]
)
def test_a_road_rises_where_it_can_bear_an_inn(game_id: str, *, rising: bool) -> None:
    """Completion makes a road worth more with an inn alone, a city always."""
    game = shipped_game(game_id)
    table = book_of(game).table(game)
    assert table[Kind.ROAD].rises() is rising
    assert table[Kind.CITY].rises()


def test_a_pair_and_marks_count() -> None:
    """A city of two tiles by the first rules, a shield, and fountains that double once."""
    city = book_of(shipped_game(CARCASSONNE)).table
    first = city(shipped_game(CARCASSONNE, edition="rgg2006"))
    of_today = city(shipped_game(CARCASSONNE))
    (kind,) = (kind for kind in first if first[kind].marks)
    assert first[kind].points(2, 2, {}, complete=True) == 2
    assert of_today[kind].points(2, 2, {}, complete=True) == 4
    assert first[kind].points(3, 3, {Mark.SHIELD: 1}, complete=True) == 8
    assert first[kind].points(3, 3, {Mark.SHIELD: 1}, complete=False) == 4
    castle = book_of(shipped_game("castle")).table(shipped_game("castle"))
    (path,) = (worth for worth in castle.values() if worth.by)
    assert path.points(3, 3, {Mark.FOUNTAIN: 2}, complete=True) == 6
