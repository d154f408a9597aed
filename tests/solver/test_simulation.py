"""A simulation agrees with the rules and the graph of features."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from burgrave.model.book import book_of
from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.features import Feature, position_features
from burgrave.model.files.games import shipped_game
from burgrave.model.final import final_scoring
from burgrave.model.laying import lay
from burgrave.model.places import places
from burgrave.model.position import Position
from burgrave.model.rules.castle.keeps import largest_empty_area
from burgrave.model.tiles import Kind, PlacedTile
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.simulation import Outcome, simulation
from burgrave.solver.simulation.games import CastleSimulation, Simulation

GAMES = ("castle", "castle+falcon", "carcassonne", "carcassonne+inns", "carcassonne+inns+tower")
LARGEST = "told and (falcon or tower)"
"""The games that run all code of their families."""
TURNS = 24
SOME = 3
"""Kinds of tiles to come whose places are counted."""
CLAIMED = 0.7
"""Probability with which a turn claims something if it may."""


def outcomes(game: Simulation, tile: str, there: Sequence[tuple[int, int]]) -> list[Outcome]:
    """Return every turn with a tile on some places, after which others come."""
    found = []
    for cell, rotation in there:
        mark, laid = game.mark(), (tile, cell, rotation)
        done = game.lay(*laid)
        found += list(game.outcomes(laid, done, last=False))
        game.undo(mark)
    return found


def facing(claimed: list[Feature]) -> Counter[tuple[object, object]]:
    """Count by kind and empty cell the claimed features that face it."""
    return Counter((one.kind, cell) for one in claimed for cell in one.empty_cells())


def compare(game: Simulation, at: Position) -> None:
    """Compare all that holds of a position, whatever tile comes."""
    claimed = [feature for feature in position_features(at) if feature.followers]
    assert game.mover == at.to_move
    for player, state in enumerate(at.players):
        assert (game.reader.score[player], game.reader.supply[player]) == (
            state.score,
            state.supply,
        )
        assert game.pieces(player) == state.part(TowerHoldings).pieces
    for tile in sorted({*at.order})[:SOME]:
        assert len(game.places(tile)) == len(list(places(at, tile)))
    assert len({game.reader.find(one) for one, _ in game.reader.followers()}) == len(claimed)
    assert Counter(player for _, player in game.reader.followers()) == Counter(
        follower.player for follower in at.followers
    )
    several = {cell for (_, cell), number in facing(claimed).items() if number > 1}
    assert len(game.contested()) == len(several)
    held = {name for name, _ in at.towers}
    for score in range(at.game.board.track if held else 0):
        tower = at.game.board.tower_at(score)
        assert game.holds_tile(score) == (tower is not None and tower.name in held)
    if isinstance(game, CastleSimulation):
        assert game.empty_area() == largest_empty_area(at)
        for player in (0, 1):
            his = (one for one in claimed if any(man.player == player for man in one.followers))
            gaps = [one.empty_cells() for one in his if one.kind is not Kind.COURT]
            assert len(game.closing(player)) == len({gap for gap in gaps if len(gap) == 1})


def compare_judged(game: Simulation, at: Position, tile: str) -> None:
    """Compare what the policy lists, and its judgement of last turns, with the rules."""
    moves = {*legal_moves(replace(at, order=(tile, tile)))}
    found = game.judged(tile, 1)
    assert {game.move(one.turn, ()) for one in found} <= moves
    assert len({one.turn for one in found}) == len(found)
    for one in found:
        move = game.move(one.turn, ())
        assert one.claims == bool(move.followers)
        assert one.acts == bool(move.pieces or move.guards or move.ransoms)
        assert one.builds == bool(move.pieces)
    last = replace(at, order=(tile,))
    leads = {lead_of(play(last, move).position, at.to_move) for move in legal_moves(last)}
    assert {one.lead for one in game.judged(tile, 0)} == leads


def compare_outcome(chosen: Outcome, before: Position, after: Position) -> None:
    """Compare the outcome of a turn with the positions before and after it."""
    me, rival = before.to_move, 1 - before.to_move
    won = [now.score - then.score for then, now in zip(before.players, after.players, strict=True)]
    assert (chosen.points, chosen.gain) == (won[me], won[me] - won[rival])
    assert chosen.lead == lead_of(after, me)
    captured = {tower for tower, _ in before.towers} - {tower for tower, _ in after.towers}
    assert len(chosen.taken) == len(captured)
    raised = sum(one.height for one in after.part(Towers).built) - sum(
        one.height for one in before.part(Towers).built
    )
    assert chosen.builds == (raised > 0)


def compare_completed(game: Simulation, at: Position, laid: tuple[str, int, int]) -> None:
    """Compare how many features that a tile completes each player scores, or may by claiming."""
    tile, place, _ = laid
    move = game.move(outcomes(game, tile, [laid[1:]])[0].turn, ())
    assert move.cell is not None
    mark, done = game.mark(), game.lay(*laid)
    found = [sum(game.may_score(one, place, player) for one in done) for player in (0, 1)]
    game.undo(mark)
    new = PlacedTile(cell=move.cell, kind=at.game.tile_set.kind(tile), rotation=move.rotation)
    expected = [0, 0]
    for one in lay(at, new, position_features(at)).completed:
        men = [0, 0]
        for man in one.followers:
            men[man.player] += book_of(at.game).weight(at.game, man.rank)
        for player in (0, 1):
            ahead = men[player] > men[1 - player]
            level = men[0] == men[1] > 0 and at.game.board.endless
            expected[player] += ahead or level or (men == [0, 0] and move.cell in one.cells)
    assert found == expected


def lead_of(position: Position, player: int) -> int:
    """Return the lead of a player if the game ended at a position."""
    ended = replace(position, order=(), extra_turns=0, in_extra_turn=False)
    totals = final_scoring(ended).scores
    return totals[player] - totals[1 - player]


def test_wall_tiles_may_lie_face_down() -> None:
    """A position whose wall tiles have no numbers is opened, played on and told again."""
    rng = Random("face down")
    start = new_position(shipped_game("castle"), rng)
    start = replace(start, towers=tuple((name, 0) for name, _ in start.towers))
    game = simulation(start)
    assert game.reader.position(start) == start
    taken = 0
    for tile in start.order:
        if there := game.places(tile):
            chosen = max(outcomes(game, tile, there), key=lambda one: (one.takes, one.points))
            mover, taken = game.mover, taken + chosen.takes
            game.play(chosen.turn, last=False)
            assert not chosen.takes or 0 in game.reader.position(start).players[mover].wall_tiles
    assert taken


@pytest.mark.parametrize(
    ("switch", "value"),
    [
        ("gate_width", "2"),
        ("chapel_completion", "like_cloister"),
    ],
)
def test_an_unknown_switch_is_refused_by_name(switch: str, value: str) -> None:
    """Nothing is played by a rule that the kernel does not know."""
    position = new_position(shipped_game("castle+falcon").with_switches({switch: value}), Random(1))
    with pytest.raises(QuestionError, match=switch):
        simulation(position)


@pytest.mark.long
@pytest.mark.skipif(bool(os.environ.get("NUMBA_DISABLE_JIT")), reason="this is the uncompiled run")
def test_a_game_is_told_uncompiled() -> None:
    """The functions of the kernel say the same as plain Python."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k", LARGEST],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_told_as_the_rules_have_it(name: str) -> None:
    """Turn by turn, and once more when all is taken back."""
    rng = Random(f"simulation {name}")
    start = new_position(shipped_game(name), rng)
    game, at = simulation(start), start
    begun = game.mark()
    for number in range(TURNS):
        compare(game, at)
        tile = at.order[0]
        there = game.places(tile)
        if not there:
            break
        whole = number == TURNS // 2
        found = outcomes(game, tile, there if whole else rng.sample(there, min(2, len(there))))
        if whole:
            assert [game.move(one.turn, ()) for one in found] == list(legal_moves(at))
        claiming = [one for one in found if one.segment >= 0] if rng.random() < CLAIMED else found
        chosen = rng.choice(claiming or found)
        compare_completed(game, at, (tile, *rng.choice(there)))
        assert game.tile(chosen.turn) == tile
        if whole:
            compare_judged(game, at, tile)
        before, at = at, play(at, game.move(chosen.turn, ())).position
        compare_outcome(chosen, before, at)
        game.play(chosen.turn, last=False)
        assert replace(game.reader.position(start), order=at.order) == at
    assert len(at.tiles) > TURNS // 2
    game.undo(begun)
    compare(game, start)
    assert game.reader.position(start) == start
