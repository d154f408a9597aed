"""Scenes: positions of games played by the rules, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from model.engine import judge, play
from model.problems import problems
from puzzles.scenes import Stage, game_named, scenes
from puzzles.themes import THEMES

CASES = {
    "castle": "merge-to-tie",
    "castle+falcon": "court-majority",
    "carcassonne": "patience",
    "carcassonne+tower": "farm-takeover",
}


@pytest.mark.parametrize("name", CASES)
def test_a_scene_is_reached_by_legal_play(name: str) -> None:
    """Its turns and its guess are legal, and what lies and is held is that of the game."""
    stage = Stage(game=name, tiles_left=2, turns=20)
    found = list(islice(scenes(stage, [THEMES[CASES[name]], THEMES["patience"]], Random(5)), 3))
    assert found
    for scene in found:
        at = scene.start
        for move in (*scene.turns, *scene.line):
            assert judge(at, move).legal
            at = play(at, move).position
        assert at.over
        position = scene.position
        assert len(position.order) == stage.tiles_left
        assert not problems(position)
        tiles = Counter(tile.kind.id for tile in position.tiles) + Counter(position.order)
        assert tiles <= Counter(game_named(name).tile_set.all_tiles())
        held = [number for state in position.players for number in state.wall_tiles]
        shown = Counter([*held, *position.spent, *(number for _, number in position.towers)])
        assert all(times <= 2 for times in shown.values())


def test_the_same_seed_gives_the_same_scenes() -> None:
    """Nothing but the seed decides what is found."""
    stage = Stage(game="castle", tiles_left=1, turns=14)
    themes = [THEMES["complete-for-most"], THEMES["overshoot"]]
    both = [
        [scene.line for scene in islice(scenes(stage, themes, Random(seed)), 4)]
        for seed in (3, 3, 4)
    ]
    assert both[0]
    assert both[0] == both[1] != both[2]
