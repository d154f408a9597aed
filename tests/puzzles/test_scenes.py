"""Scenes: positions of games played by the rules, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import islice
from random import Random

import pytest

from burgrave.model.engine import judge, play
from burgrave.model.expansions.tower.prisoners import EXCHANGE
from burgrave.model.features import Feature, position_features
from burgrave.model.files.games import shipped_game
from burgrave.model.places import placeable
from burgrave.model.position import Position
from burgrave.model.problems import problems
from burgrave.model.rules.carcassonne.farms import ADJACENT
from burgrave.model.rules.castle.keeps import largest_empty_area
from burgrave.model.tiles import Kind, Mark
from burgrave.puzzles.candidates.dealing import SUPPLIES, before_a_tower
from burgrave.puzzles.candidates.scenes import Stage, scenes
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.selfplay.look import Where
from burgrave.puzzles.selfplay.players import Sensible
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.study import Step, leader
from burgrave.puzzles.themes import THEMES
from burgrave.puzzles.themes.signs import Outlook

CASES = {
    "castle": "merge-to-tie",
    "castle+falcon": "court-majority",
    "carcassonne": "patience",
    "carcassonne+tower": "farm-takeover",
}


@pytest.mark.parametrize("name", CASES)
def test_a_scene_is_reached_by_legal_play(name: str) -> None:
    """Its turns and its guess are legal, and what lies and is held is that of the game."""
    stage = Stage(game=shipped_game(name), tiles_left=2, turns=20)
    found = list(islice(scenes(stage, [THEMES[CASES[name]], THEMES["patience"]], Random(5)), 3))
    assert found
    for scene in found:
        at = scene.start
        assert all(state.supply <= max(SUPPLIES) for state in at.players)
        for move in (*scene.turns, *scene.line):
            assert judge(at, move).legal
            at = play(at, move).position
        assert at.over
        # Nothing that loses to another turn is shown, but where that is not looked at.
        assert scene.margin > 0 or name == "carcassonne+tower"
        position = scene.position
        assert len(position.order) == stage.tiles_left
        assert not problems(position)
        tiles = Counter(tile.kind.id for tile in position.tiles) + Counter(position.order)
        assert tiles <= Counter(shipped_game(name).tile_set.all_tiles())
        held = [number for state in position.players for number in state.wall_tiles]
        shown = Counter([*held, *position.spent, *(number for _, number in position.towers)])
        assert all(times <= 2 for times in shown.values())


def test_the_same_seed_gives_the_same_scenes() -> None:
    """Nothing but the seed decides what is found."""
    stage = Stage(game=shipped_game("castle"), tiles_left=1, turns=14)
    themes = [THEMES["complete-for-most"], THEMES["overshoot"]]
    both = [
        [scene.line for scene in islice(scenes(stage, themes, Random(seed)), 4)]
        for seed in (3, 3, 4)
    ]
    assert both[0]
    assert both[0] == both[1] != both[2]


@pytest.mark.parametrize("name", CASES)
def test_what_turns_do_at_a_glance_is_what_the_rules_say(name: str) -> None:
    """What is stolen, stranded, cut off and played in a turn is read off the played turn."""
    scene = next(
        scenes(
            Stage(game=shipped_game(name), tiles_left=2, turns=20), [THEMES["patience"]], Random(6)
        )
    )
    position, rng = scene.position, Random(1)
    me, then = position.to_move, position.order[1]
    walk = Rehearsal(position)
    looks = sorted(walk.looks(), key=lambda one: (one.homes, rng.random()))[-6:]
    looks += sorted(walk.looks(), key=lambda one: (one.place.joins, rng.random()))[-12:]
    for look in looks:
        step = Step.of(position, walk.move(look))
        exchanged = sum(EXCHANGE.id in event.rules for event in step.events)
        placed = len(step.move.followers) + len(step.move.guards)
        back = _at_hand(step.after, me) - _at_hand(position, me) + placed
        assert look.homes == back - exchanged
        had = placeable(position, then)
        assert (then in look.place.strands) == (had and not placeable(step.after, then))
        assert look.again == (step.move.extra_turns > 0)
        if not position.game.board.endless:
            scored = [feature for feature, event in step.scored() if event.player == me]
            assert Counter(one.kind for one in look.scores) == Counter(f.kind for f in scored)
            fountains = sum(f.kind is Kind.PATH and f.count(Mark.FOUNTAIN) > 0 for f in scored)
            assert sum(one.fountain for one in look.scores) == fountains
            keeps = [state.keep for state in position.players]
            assert any(one.keep for one in look.scores) == (
                step.after.players[me].keep > max(keeps)
            )
            used = any(one.wall_tiles for one in step.move.scoring)
            assert look.doubles == used
            shrunk = largest_empty_area(position) - largest_empty_area(step.after)
            assert look.place.cuts == shrunk
        assert step.placement is not None
        mine = Counter(f.kind for f in step.placement.completed if _may_score(step, f))
        assert Counter(one.kind for one in look.place.closes) == mine
        led = partial(leader, position.game)
        joined = [
            (led(feature), {led(part) for part in parts} - {None, me}, _pays(step, feature))
            for feature in step.touched
            if len(parts := [part for part in step.parts(feature) if part.followers]) > 1
        ]
        assert look.place.joins == bool(joined)
        assert look.place.leads == any(now == me and pays for now, _, pays in joined)
        assert look.place.ties == any(now is None and theirs for now, theirs, _ in joined)
        assert look.place.steals == any(
            now == me and theirs and pays for now, theirs, pays in joined
        )


def _at_hand(position: Position, player: int) -> int:
    """Return how many followers of all ranks a player has on no tile, or will have soon."""
    state = position.players[player]
    return state.supply + state.fresh_followers + len(state.specials) + len(state.fresh_specials)


def _may_score(step: Step, feature: Feature) -> bool:
    """Tell whether the mover scores a completed feature, or may by a follower on his tile."""
    mine, theirs = (feature.number_of(player) for player in (step.mover, 1 - step.mover))
    if not mine and not theirs:
        return step.move.cell in feature.cells
    return mine > theirs or (mine == theirs and step.before.game.board.endless)


def _pays(step: Step, feature: Feature) -> bool:
    """Tell whether who leads a feature of a turn's tile scores it, as it is, now or at the end."""
    if feature.kind is Kind.FIELD:
        after, laid = position_features(step.after), step.after.laid()
        cities = [
            after.at(city)
            for node in feature.nodes
            for city in ADJACENT(laid[node.cell], node.segment)
        ]
        return not all(city.open_sides for city in cities)
    if step.before.game.board.endless:
        return True
    if feature.kind is Kind.COURT:
        return feature.count(Mark.MARKET) > 0
    closed = step.placement.completed if step.placement is not None else ()
    return any(feature.nodes == one.nodes for one in closed)


def test_a_game_is_gone_on_with_where_a_tile_to_come_joins_as_is_wanted() -> None:
    """It is told of a position as it is told of every place of every tile."""
    told = Counter[bool]()
    for theme in ("patience", "merge-to-win"):
        stage = Stage(game=shipped_game("castle"), tiles_left=3, turns=24)
        for scene in islice(scenes(stage, [THEMES[theme]], Random(6)), 2):
            walk = Rehearsal(scene.position)
            places = [
                place
                for tile in walk.order
                for place in walk.glance(tile, (), walk.mover, Where.ANYWHERE)
            ]
            ready = THEMES["merge-to-win"].ready(Outlook(walk, walk.mover))
            assert ready == any(place.leads for place in places)
            told[ready] += 1
    assert len(told) == 2


@pytest.mark.parametrize("name", ["castle", "castle+falcon"])
def test_markers_are_put_where_a_completion_leads_onto_a_corner_tower(name: str) -> None:
    """The player to move can land then, both markers moved alike, and nothing else changed."""
    rng, moved = Random(7), 0
    walk, player = Rehearsal(new_position(shipped_game(name), rng)), Sensible(looseness=0.3)
    for _ in range(24):
        chosen = player(walk, rng)
        assert chosen is not None
        walk.play(chosen)
        at = walk.position
        found = before_a_tower(at, rng)
        shifts = {now.score - old.score for now, old in zip(found.players, at.players, strict=True)}
        assert len(shifts) == 1
        there = Rehearsal(found)
        if shifts != {0} and at.players[at.to_move].supply:
            moved += 1
            assert any(
                place.lands
                for tile in {*at.order}
                for place in there.glance(tile, (), at.to_move, Where.CLOSING)
            )
    assert moved
