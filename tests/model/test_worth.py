"""The points of features as data, against the rules in code."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from burgrave.model.book import book_of
from burgrave.model.engine import legal_moves, play
from burgrave.model.features import position_features
from burgrave.model.files.games import editions, shipped_game
from burgrave.model.games import Game
from burgrave.model.laying import complete
from burgrave.model.registry import BASES, CARCASSONNE, GAMES
from burgrave.model.switches import COUNT_BY
from burgrave.model.tiles import Mark
from burgrave.puzzles.selfplay.games import new_position

BY_EDITION = [shipped_game(CARCASSONNE, edition=name) for name in editions()]
BY_SEGMENT = shipped_game(CARCASSONNE).with_switches({"count_by": "segment"})
PLAYED = [*map(shipped_game, GAMES), *BY_EDITION, BY_SEGMENT]
TURNS = 45


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.named)
def test_the_table_says_what_the_rules_say(game: Game) -> None:
    """Every feature of a game at random is worth the same by both, complete or not."""
    book, table, rng = book_of(game), book_of(game).table(game), Random(5)
    position = new_position(game, rng)
    counted: Counter[str] = Counter()
    segments = BASES[game.base].edited and game.value(COUNT_BY) == "segment"
    for turn in range(TURNS):
        moves = list(islice(legal_moves(position), 60))
        position = play(position, rng.choice(moves)).position
        if turn % 9 != 8:
            continue
        laid = position.laid()
        for feature in position_features(position):
            if feature.kind not in table:
                continue
            marks = {mark: feature.count(mark) for mark in Mark}
            size = len(feature.nodes) if segments else feature.size
            told = table[feature.kind].points(size, feature.size, marks, complete=True)
            assert told == book.worth[feature.kind](game, feature), feature
            left = table[feature.kind].points(size, feature.size, marks, complete=False)
            assert left == book.incomplete[feature.kind](game, feature, laid), feature
            counted[f"{feature.kind} {complete(position, feature, laid)}"] += 1
    assert {*table} <= {*book.worth}
    assert len(counted) >= len(table) + 1


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
