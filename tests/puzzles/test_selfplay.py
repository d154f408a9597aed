"""Self-play gives legal games that depend on nothing but the seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from model.castle.rewards import claims_of
from model.engine import judge, play
from model.features import Feature, position_features
from model.files.games import castle_game, falcon_game
from model.laying import lay
from model.position import Position
from model.problems import problems
from model.tiles import Kind
from puzzles.selfplay.games import new_position, play_game
from puzzles.selfplay.players import Player, anew
from puzzles.selfplay.prospects import prospects, ways
from puzzles.selfplay.rehearsal import Rehearsal
from puzzles.selfplay.sensible import Sensible
from solver.simulation import Stake
from tests.players import random_player

SENSIBLE = anew(Sensible(looseness=0.3))


def short(seed: int, tiles: int) -> Position:
    """Return the start of a game with the first tiles of a shuffled set."""
    position = new_position(castle_game(), Random(seed))
    return replace(position, order=position.order[:tiles])


def test_a_new_position_is_a_legal_set_up() -> None:
    """All 60 tiles in an order, a wall tile on 13 towers, at most two of a number."""
    position = new_position(castle_game(), Random(1))
    assert Counter(position.order) == Counter(position.game.tile_set.all_tiles())
    assert len(position.towers) == 13
    assert max(Counter(number for _, number in position.towers).values()) <= 2
    assert [player.supply for player in position.players] == [6, 6]
    assert not problems(position)


def test_set_ups_differ_by_seed() -> None:
    """Another seed shuffles tiles and wall tiles in another way."""
    one, other = (new_position(castle_game(), Random(seed)) for seed in (1, 2))
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
        {"squares_split_paths": "off"},
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


@pytest.mark.parametrize("name", ["castle", "castle split off", "castle+falcon"])
def test_prospects_agree_with_the_rules(name: str) -> None:
    """What becomes of claimed features, and what scores, is what graph and engine say."""
    game = falcon_game() if "falcon" in name else castle_game()
    game = game.with_switches({"squares_split_paths": "off"} if "off" in name else {})
    start = new_position(game, Random(8))
    line = play_game(replace(start, order=start.order[:16]), (SENSIBLE, SENSIBLE), Random(8))
    seen = Counter[str]()
    for position, _ in line[6:]:
        walk, before = Rehearsal(position), position_features(position)
        for prospect in prospects(walk)[:12]:
            claim = prospect.claims[-1] if prospect.claims else None
            for way in ways(walk, prospect, claim):
                move = walk.move(way)
                assert judge(position, move).legal
            tile = move.laid(game.tile_set.kind(move.tile or ""))
            placement = lay(position, tile, before)
            faced = [f for f in before if f.followers and tile.cell in f.empty_cells()]
            grown = {placement.after.at(f.nodes[0]).nodes[0] for f in faced}
            stakes = [*prospect.after, *([claim.stake] if claim else [])]
            assert Counter(map(_kept, prospect.before)) == Counter(map(_told, faced))
            new = [f for f in placement.after if f.nodes[0] in grown]
            assert Counter(map(_kept, prospect.after)) == Counter(map(_told, new))
            scored = [c for c in claims_of(placement, move.followers) if c.winner is not None]
            assert sorted((c.winner or 0, c.points) for c in scored) == sorted(
                (one.leader, one.points) for one in stakes if one.finished and one.leader >= 0
            )
            seen["claims"] += claim is not None
            seen["scored"] += bool(scored)
            seen["faced"] += bool(faced)
    assert min(seen["claims"], seen["scored"], seen["faced"]) > 0


def _kept(stake: Stake) -> tuple[Kind, tuple[int, int], int, int]:
    """Return what a stake tells of its feature."""
    return stake.kind, stake.men, stake.size, stake.gaps


def _told(feature: Feature) -> tuple[Kind, tuple[int, int], int, int]:
    """Return the same of a feature of the graph."""
    men = feature.strength(0), feature.strength(1)
    return feature.kind, men, feature.size, len(feature.empty_cells())
