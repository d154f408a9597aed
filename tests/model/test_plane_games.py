"""What no turn of Carcassonne may create or lose, and that moves are listed, judged and written."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings

from burgrave.model.book import book_of
from burgrave.model.components import Rank
from burgrave.model.engine import canonical, judge, legal_moves, play, violations
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.files.positions import read_position, write_position
from burgrave.model.final import final_scoring
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move, write_move
from burgrave.model.placement import Placement
from burgrave.model.position import Capture, Deployment, Guard, Move, Position, Ransom
from burgrave.model.problems import problems
from burgrave.model.rules.carcassonne.placement import EMPTY
from tests.planes import plane_games, some_placement
from tests.strategies import SEEDS, Step


def followers(position: Position) -> list[int]:
    """Count each player's followers: supply, on the board, on towers, held prisoner."""
    return [
        state.supply
        + len(state.specials)
        + sum(follower.player == player for follower in position.followers)
        + sum(tower.guard == player for tower in position.part(Towers).built)
        + sum(len(other.part(TowerHoldings).held(player)) for other in position.players)
        for player, state in enumerate(position.players)
    ]


def pieces(position: Position) -> int:
    """Count the tower pieces, built and left."""
    left = sum(state.part(TowerHoldings).pieces for state in position.players)
    return left + sum(tower.height for tower in position.part(Towers).built)


def tiles(position: Position) -> Counter[str]:
    """Count the tiles of a position by kind, wherever they are."""
    placed = [tile.kind.id for tile in position.tiles]
    return Counter([*placed, *position.order, *position.bag, *position.discarded])


@given(plane_games(every=True))
@settings(max_examples=6)
def test_a_game_creates_and_loses_nothing(game: list[Step]) -> None:
    """All followers of each player, all tower pieces, all tiles; scores are sums of the events.

    No two players hold prisoners of each other at rest, no turn leads to an impossible
    position, and a score is never below 0.
    """
    begun = game[0].before
    for step in game:
        position = step.played.position
        all_there = 7 + len(position.game.specials)
        assert followers(position) == [all_there] * len(position.players)
        assert pieces(position) == pieces(begun)
        assert tiles(position) == tiles(begun)
        for player, (old, new) in enumerate(
            zip(step.before.players, position.players, strict=True)
        ):
            won = sum(e.points for e in step.played.events if e.player == player)
            assert new.score == old.score + won >= 0
            for other in new.part(TowerHoldings).prisoners:
                assert not position.players[other.owner].part(TowerHoldings).held(player)
        for move in step.move.captures:
            (raised,) = step.move.pieces
            tower = position.part(Towers).on(raised)
            assert tower is not None
            assert tower.reaches(move.cell)
        assert problems(position) == ()


@pytest.mark.slow
@given(plane_games(tower=True, every=True))
@settings(max_examples=5)
def test_moves_and_positions_are_written_as_they_are_read(game: list[Step]) -> None:
    """Notation gives every move back, files every position; listed moves are canonical."""
    for step in game:
        assert read_move(step.before, write_move(step.before, step.move)) == step.move
        assert violations(step.before, step.move) == ()
        assert canonical(step.before, step.move) == step.move
    end = game[-1].played.position
    for as_json in (False, True):
        assert read_position("end", write_position(end, as_json=as_json)) == end


@pytest.mark.slow
@given(plane_games(turns=100, tower=True, every=True))
@settings(max_examples=1)
def test_a_whole_game_comes_to_its_end(game: list[Step]) -> None:
    """89 tiles are laid or leave the game, and final scoring adds points only."""
    end = game[-1].played.position
    assert end.over
    assert len(end.tiles) + len(end.discarded) == 90
    final = final_scoring(end)
    assert all(event.points >= 0 for event in final.events)
    assert set(final.leaders) == {p for p, s in enumerate(final.scores) if s == max(final.scores)}


def everything(placement: Placement, begun: Move) -> Iterator[Move]:
    """Yield every action with every ransom on a placement, legal or not."""
    position = placement.position
    towers = [cell for cell, tile in sorted(placement.board.items()) if tile.kind.tower_place]
    taken = [Capture(*follower.node) for follower in position.followers]
    taken += [Capture(tower.cell, None) for tower in position.part(Towers).built]
    acts = [begun]
    ranks = (Rank.FOLLOWER, *position.game.specials)
    roles = book_of(position.game).roles
    for index, segment in enumerate(placement.tile.kind.segments):
        for rank in ranks:
            deployment = Deployment(placement.tile.cell, index, roles[segment.kind], rank)
            acts.append(replace(begun, followers=(deployment,)))
    for cell in towers:
        acts += [replace(begun, guards=(Guard(cell, rank),)) for rank in ranks]
        acts.append(replace(begun, pieces=(cell,)))
        backs = (None, *ranks) if position.game.specials else (None,)
        acts += [
            replace(begun, pieces=(cell,), captures=(each._replace(back=back),))
            for each in taken
            for back in backs
        ]
    captors = range(len(position.players))
    ransoms = [
        Ransom(captor, late=late, rank=rank)
        for captor in captors
        for late in (False, True)
        for rank in ranks
    ]
    for act in acts:
        yield act
        yield from (replace(act, ransoms=(ransom,)) for ransom in ransoms)


@pytest.mark.slow
@given(plane_games(turns=16, tower=True, every=True), SEEDS)
@settings(max_examples=5)
def test_the_list_of_moves_is_complete(game: list[Step], seed: int) -> None:
    """Of all actions and ransoms on one place, those that break no rule are listed.

    Where a late ransom leads to the position of an early one, the early one is listed.
    """
    position = game[-1].played.position
    placement, begun = some_placement(position, random.Random(seed))
    if placement is None:
        return
    listed = set(book_of(position.game).conduct.turns(placement, begun.discards))
    legal = {move for move in everything(placement, begun) if judge(position, move).legal}
    assert listed <= legal
    assert {canonical(position, move) for move in legal} == listed
    # Followers on two features that are completed with the same points are two moves all the same.
    outcomes = [(move.followers, play(position, move).position) for move in listed]
    assert all(a != b for i, a in enumerate(outcomes) for b in outcomes[:i])


WITHOUT_A_PLACE = """
burgrave = 1
type = "position"
game = "carcassonne+tower"
players = ["red", "blue"]
board = ["D@0,0r2", "E@0,-1r0", "U@1,0r0 blue:thief.E"]
order = ["C"]
player.red = { score = 5, supply = 0, pieces = 3 }
player.blue = { prisoners = ["red"] }
"""
"""No side of a city is open, so the last tile has no place."""


def test_a_ransom_without_a_tile_has_one_canonical_form() -> None:
    """No scoring comes between, so an early ransom and a late one are one turn."""
    position = read_position("test", WITHOUT_A_PLACE)
    early, late = (Move(discards=("C",), ransoms=(Ransom(1, late=late),)) for late in (False, True))
    assert violations(position, late) == ()
    assert canonical(position, late) == early
    assert early in legal_moves(position)


@pytest.mark.parametrize("action", [{"pieces": (Cell(0, -1),)}, {"guards": (Cell(0, -1),)}])
def test_a_tile_on_a_full_cell_is_the_only_fault(action: dict[str, tuple[Cell]]) -> None:
    """The turn has a tile, so no rule about turns without one speaks of its action."""
    position = read_position("test", WITHOUT_A_PLACE)
    broken = violations(position, Move(tile="C", cell=Cell(0, 0), **action))
    assert {finding.rule for finding in broken} == {EMPTY.id}
