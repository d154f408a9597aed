"""Opponents for practice: they play by the rules, know what a player sees, and are repeatable."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.work import GAMES
from burgrave.model.draws import as_seen
from burgrave.model.engine import judge, play
from burgrave.model.errors import QuestionError
from burgrave.model.problems import problems
from burgrave.puzzles.games.levels import LEVELS, answer, dealt
from tests.late import near_end


@pytest.mark.parametrize("name", GAMES)
def test_levels_play_games_to_their_end(name: str) -> None:
    position = near_end(name, 5, 5)
    turn = 0
    while not position.over:
        level = LEVELS[1 + turn % 4]
        move = answer(position, level, turn).move
        assert judge(position, move).legal
        assert answer(position, level, turn).move == move
        # Tiles that a player cannot see make no difference.
        hidden = replace(position, order=(position.order[0], *position.order[:0:-1]))
        assert as_seen(hidden) != as_seen(position) or answer(hidden, level, turn).move == move
        position = play(position, move).position
        turn += 1


def test_an_unknown_tile_is_refused_and_can_be_dealt() -> None:
    position = near_end("castle", 6, 5)
    seen = as_seen(position)
    unknown = replace(seen, order=(), bag=(*seen.order, *seen.bag))
    with pytest.raises(QuestionError, match="not known which tile"):
        answer(unknown, LEVELS[1])
    known = dealt(unknown, 3)
    assert sorted(known.order) == sorted(position.order)
    assert not known.bag
    assert all(number for _, number in known.towers)
    assert not problems(known)
    assert dealt(unknown, 3) == known
    assert dealt(position, 3) == position


def test_levels_think_as_their_words_say() -> None:
    """The first two play at sight; the others play games out, or prove their move at the end."""
    position = near_end("carcassonne", 8, 5)
    for level in LEVELS.values():
        weaker = replace(level, playouts=min(level.playouts, 100))
        found = answer(position, weaker)
        assert ("at sight" in level.words or "most points" in level.words) == (not found.playouts)
        assert not found.proved
    assert answer(near_end("carcassonne", 1, 5), LEVELS[4]).proved
