"""Self-play gives legal games that depend on nothing but the seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from burgrave.model.engine import judge, play
from burgrave.model.files.games import shipped_game
from burgrave.model.position import Position
from burgrave.model.problems import problems
from burgrave.puzzles.selfplay.games import new_position, play_game
from burgrave.puzzles.selfplay.players import SPENT, Player, Sensible, anew
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from tests.players import random_player

SENSIBLE = anew(Sensible(looseness=0.3))


def short(seed: int, tiles: int) -> Position:
    """Return the start of a game with the first tiles of a shuffled set."""
    position = new_position(shipped_game("castle"), Random(seed))
    return replace(position, order=position.order[:tiles])


def test_a_new_position_is_a_legal_set_up() -> None:
    """All 60 tiles in an order, a wall tile on 13 towers, at most two of a number."""
    position = new_position(shipped_game("castle"), Random(1))
    assert Counter(position.order) == Counter(position.game.tile_set.all_tiles())
    assert len(position.towers) == 13
    assert max(Counter(number for _, number in position.towers).values()) <= 2
    assert [player.supply for player in position.players] == [6, 6]
    assert not problems(position)


def test_set_ups_differ_by_seed() -> None:
    """Another seed shuffles tiles and wall tiles in another way."""
    one, other = (new_position(shipped_game("castle"), Random(seed)) for seed in (1, 2))
    assert one.order != other.order
    assert one.towers != other.towers


@pytest.mark.parametrize("player", [random_player, anew(Sensible()), SENSIBLE])
def test_the_same_seed_gives_the_same_game(player: Player) -> None:
    """Nothing but the seed decides what is played."""
    games = [play_game(short(3, 6), (player, player), Random(3)) for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize("player", [random_player, SENSIBLE])
def test_every_move_of_a_game_is_legal(player: Player) -> None:
    """Moves follow each other, break no rule, and lead to positions that can arise."""
    line = play_game(short(4, 12), (player, player), Random(4))
    for position, move in line:
        assert judge(position, move).legal
        assert not problems(position)
    for (position, move), (following, _) in pairwise(line):
        assert play(position, move).position == following
    assert play(*line[-1]).position.over


@pytest.mark.parametrize(
    "switches",
    [
        {"start_space_paths_bind": "off"},
        {"wall_1_declare": "before_draw", "wall_double_declare": "before_draw"},
        {"wall_tiles_optional": "off", "wall_1_chain": "off"},
        {"extra_turn_is_next_turn": "off", "enclosed_hole_blocks": "on"},
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("player", [random_player, SENSIBLE])
def test_games_are_legal_under_other_switches(player: Player, switches: dict[str, str]) -> None:
    """Players with wall tiles 1 to 3 in hand find legal moves whatever the switches say."""
    start = short(5, 10)
    hands = tuple(replace(state, wall_tiles=(1, 2, 3)) for state in start.players)
    towers = tuple((name, 9) for name, _ in start.towers[:2])
    start = replace(start, game=start.game.with_switches(switches), players=hands, towers=towers)
    line = play_game(start, (player, player), Random(5))
    assert play(*line[-1]).position.over


def test_a_sensible_player_beats_a_random_one() -> None:
    """Over a third of a game the sensible player has more points, whoever begins."""
    for seats in (0, 1):
        players = (SENSIBLE, random_player) if seats == 0 else (random_player, SENSIBLE)
        line = play_game(short(6, 20), players, Random(6))
        end = play(*line[-1]).position
        assert end.players[seats].score > end.players[1 - seats].score


def test_a_reserve_keeps_followers_back() -> None:
    """Of two followers each, more wait in the supply with a reserve than without one."""
    start = short(7, 26)
    start = replace(start, players=tuple(replace(state, supply=2) for state in start.players))
    waiting = []
    for reserve in (0, 2):
        player = anew(Sensible(reserve=reserve))
        line = play_game(start, (player, player), Random(7))
        waiting.append(sum(s.supply for position, _ in line[:18] for s in position.players))
    assert waiting[1] > waiting[0]


def test_tower_pieces_are_kept_back_or_built_in_time() -> None:
    """At the end he has the pieces that he keeps back, and few others with 24 tiles to come."""
    start = new_position(shipped_game("carcassonne+tower"), Random(9))
    for kept in (0, 3):
        walk, player = Rehearsal(replace(start, order=start.order[:40])), Sensible(pieces=kept)
        while (chosen := player(walk, Random(9))) is not None:
            walk.play(chosen)
            if walk.left == SPENT:
                assert all(walk.game.pieces(one) - kept < 3 for one in (0, 1))
        assert [walk.game.pieces(one) for one in (0, 1)] == [kept, kept]


def test_turns_at_random_come_after_the_best() -> None:
    """None is told twice, and the first are those that the player ranks first."""
    walk, player = Rehearsal(new_position(shipped_game("castle"), Random(2))), Sensible()
    several = player.several(walk, 2, 30, Random(2))
    assert several[:2] == player.ranked(walk)[:2]
    assert len({one.turn for one in several}) == len(several) == 32
