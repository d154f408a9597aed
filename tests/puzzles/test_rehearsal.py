"""A walk lists the turns of the rules and says of each what playing it by the rules says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from burgrave.model.components import Follower
from burgrave.model.engine import legal_moves, play
from burgrave.model.features import position_features
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import read_position
from burgrave.model.final import final_scoring
from burgrave.model.position import Move, Position
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.selfplay.look import Where
from burgrave.puzzles.selfplay.players import Sensible
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.study import leader
from tests.players import Passable, random_player

CLAIMED = 0.5
"""Probability with which a turn places a follower."""
SOME = 0.1
"""Part of the turns that is looked at."""
JOINED = 6
"""What a place tells first: its cell, its rotation, and what is joined there."""
ROADS = """burgrave = 1
type = "position"
game = "carcassonne"
board = [
    "D@0,0r0 red:knight.N blue:thief.E", "U@2,0r0 blue:thief.E", "B@0,-1r0", "B@1,-1r0", "B@2,-1r0",
]
order = ["U", "U"]
"""
"""Between two roads of Blue's a tile is missing."""
GAMES = ("castle", "castle+falcon", "carcassonne", "carcassonne+tower")


@cache
def middle(name: str) -> Position:
    """Return a position some turns into a game played at random, with a wall tile 1 in hand."""
    rng = Random(f"walk {name}")
    game = shipped_game(name)
    player = Passable(looseness=1.0) if game.board.endless else random_player
    position = new_position(game, rng)
    for _ in range(14):
        position = play(position, player(position, rng)).position
    if not game.board.endless:
        states = list(position.players)
        states[position.to_move] = replace(states[position.to_move], wall_tiles=(1, 2, 3))
        position = replace(position, players=tuple(states))
    return replace(position, order=position.order[:3])


def joined(position: Position, move: Move) -> bool:
    """Tell by the graph of features whether a move joins features on which followers stand."""
    before = [feature for feature in position_features(position) if feature.followers]
    bare = replace(move, followers=(), pieces=(), captures=(), guards=(), ransoms=())
    tile = bare.laid(position.game.tile_set.kind(bare.tile or ""))
    laid = replace(position, tiles=tuple(sorted((*position.tiles, tile), key=lambda t: t.cell)))
    after = position_features(laid)
    return len({after.at(feature.nodes[0]).nodes[0] for feature in before}) < len(before)


@pytest.mark.parametrize("name", GAMES)
def test_looks_are_what_the_rules_say(name: str) -> None:
    """The same turns; points, wall tiles taken, features joined, and the lead if it ended there."""
    position = middle(name)
    me = position.to_move
    walk = Rehearsal(position)
    looks = walk.looks()
    assert [walk.move(look) for look in looks] == list(legal_moves(position))
    had = len(position.towers)
    for look in Random(name).sample(looks, min(40, len(looks))):
        move = walk.move(look)
        played = play(position, move).position
        gains = [
            now.score - old.score for now, old in zip(played.players, position.players, strict=True)
        ]
        assert (look.points, look.gain) == (gains[me], gains[me] - gains[1 - me])
        taken = had - len(played.towers)
        assert look.takes <= (taken > 0)
        totals = final_scoring(replace(played, order=(), bag=())).scores
        assert look.lead == totals[me] - totals[1 - me]
        assert look.place.joins is joined(position, move)


@pytest.mark.parametrize("name", GAMES)
def test_a_walk_goes_on_like_the_game_and_back(name: str) -> None:
    """Turn by turn to the end the walk lists what the rules list; undone, it is as before."""
    position = middle(name)
    walk = Rehearsal(position)
    start, begun = walk.mark(), walk.looks()
    at, rng = position, Random(name)
    while looks := walk.looks():
        assert walk.mover == at.to_move
        look = rng.choice(looks)
        move = walk.move(look)
        walk.play(look)
        at = play(at, move).position
        assert walk.position == at
        assert walk.claimed == tuple(f for f in position_features(at) if f.followers)
        if at.order:
            listed = {move for move in legal_moves(at) if move.tile is not None}
            assert {walk.move(look) for look in walk.looks()} == listed
    walk.undo(start)
    assert walk.looks() == begun


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_stands_where_the_rules_say(name: str) -> None:
    """From the first tile on the position and the claimed features are those of the engine."""
    rng = Random(f"whole {name}")
    at = new_position(shipped_game(name), rng)
    walk = Rehearsal(at)
    while looks := walk.looks():
        claims = rng.random() < CLAIMED
        look = rng.choice([one for one in looks if one.claims is claims] or looks)
        move = walk.move(look)
        walk.play(look)
        at = play(at, move).position
        assert walk.position == at
        assert walk.claimed == tuple(f for f in position_features(at) if f.followers)
    assert at.over or not walk.looks()


def test_threats_are_captures_of_the_rules_with_what_they_gain() -> None:
    """Towers that may take somebody by the rules, and the lead without him if the game ended."""
    position = middle("carcassonne+tower")
    walk, me = Rehearsal(position), position.to_move

    def lead(at: Position) -> int:
        totals = final_scoring(replace(at, order=(), bag=())).scores
        return totals[me] - totals[1 - me]

    def ousts(at: Position, follower: Follower) -> bool:
        both = [
            leader(one.game, position_features(one).at(follower.node)) for one in (position, at)
        ]
        return both[0] == follower.player != both[1]

    def without(follower: Follower) -> tuple[int, bool]:
        left = tuple(one for one in position.followers if one != follower)
        at = replace(position, followers=left)
        return lead(at) - lead(position), ousts(at, follower)

    found = {
        (move.pieces[0], follower.node): without(follower)
        for move in legal_moves(position)
        for follower in position.followers
        if follower.node in {(c.cell, c.segment) for c in move.captures} and move.pieces
        if move.cell != move.pieces[0]
    }
    threats = walk.threats(me)
    assert found
    assert sorted((threat.gain for threat in threats), reverse=True) == [t.gain for t in threats]
    assert sorted(found.values()) == sorted((threat.gain, threat.ousts) for threat in threats)


def test_looking_at_places_changes_nothing() -> None:
    """Whoever looks at places, for whatever and for whom, finds the game as it was."""
    for name in GAMES:
        walk = Rehearsal(middle(name))
        before = walk.looks()
        for where in Where:
            for player in (0, 1):
                seen = walk.glance(walk.order[0], walk.order[1:], player, where)
                assert where is not Where.FIRST or seen
        assert walk.looks() == before


def test_who_leads_another_feature_does_not_lead_the_joined_one() -> None:
    """Blue's roads become one; Red's city lies apart."""
    walk = Rehearsal(read_position("roads", ROADS))
    for player, leads in ((0, False), (1, True)):
        places = walk.glance("U", ("U",), player)
        assert {place.leads for place in places if place.joins} == {leads}
        assert {place.leads for place in places if not place.joins} == {False}


@pytest.mark.parametrize("name", GAMES)
def test_joins_are_those_of_the_looks(name: str) -> None:
    """Of the next tile, the places on which looks tell that claimed features are joined."""
    rng = Random(f"{name} 3")
    walk = Rehearsal(new_position(shipped_game(name), rng))
    player = Sensible(looseness=1.0 if "castle" in name else 0.2, few=20)
    seen = Counter[bool]()
    while walk.left > 1 and (chosen := player(walk, rng)):
        told = [{place[:JOINED] for place in places} for places in walk.joins(walk.mover)]
        if told or rng.random() < SOME:
            looks = walk.looks()
            tile = sorted({*walk.order[walk.at :]}).index(walk.order[looks[0].at])
            found = {look.place[:JOINED] for look in looks if look.place.joins}
            assert found == (told[tile] if told else set())
            seen[bool(found)] += 1
        walk.play(chosen)
    assert seen[True] > 0 < seen[False]


@pytest.mark.parametrize("name", GAMES)
def test_a_glance_at_some_cells_leaves_nothing_out(name: str) -> None:
    """Places are those of the looks; where a tile strands another is told alone too."""
    for position in (middle(name), replace(middle(name), order=middle(name).order[:1] * 3)):
        walk = Rehearsal(position)
        tile, coming = walk.order[0], walk.order[1:]
        for player in (0, 1):
            every = walk.glance(tile, coming, player)
            looks = walk.looks() if player == walk.mover else []
            assert not looks or list(dict.fromkeys(look.place for look in looks)) == every
            assert [place for place in every if place.strands] == [
                place
                for place in walk.glance(tile, coming, player, Where.STRANDING)
                if place.strands
            ]


@pytest.mark.parametrize("name", ["castle", "castle+falcon"])
def test_features_that_a_player_leads_are_completed_on_the_last_cell_they_face(name: str) -> None:
    """Looking there alone shows every turn that scores without a follower, and what it scores."""
    rng = Random(f"{name} 4")
    walk = Rehearsal(new_position(shipped_game(name), rng))
    player = Sensible(looseness=1.0)
    seen = Counter[bool]()
    while walk.left > 1 and (chosen := player(walk, rng)):
        if rng.random() < SOME:
            looks = walk.looks()
            at = looks[0].at
            tile, coming = walk.order[at], walk.order[at + 1 :]
            told = walk.glance(tile, coming, walk.mover, Where.CLOSING)
            every = {(one.cell, one.rotation): one for one in walk.glance(tile, coming, walk.mover)}
            for place in told:
                there = every[place.cell, place.rotation]
                assert (place.closes, place.lands) == (there.closes, there.lands)
                assert place.orders == there.orders
            places = {(place.cell, place.rotation) for place in told}
            scored = [look for look in looks if look.scores and not look.claims]
            assert {(look.place.cell, look.place.rotation) for look in scored} <= places
            # Where wall tiles double nothing, a wall tile is taken on a place that tells of it.
            assert all(look.place.lands for look in looks if look.takes and not look.doubles)
            seen[bool(scored)] += 1
        walk.play(chosen)
    assert seen[True] > 0 < seen[False]
