"""What no turn may create or lose: followers, tiles, wall tiles, points."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from burgrave.model.position import Position
from burgrave.model.problems import problems
from tests.strategies import Step, castle_games, hall_games

FOLLOWERS = 6


def followers(position: Position) -> list[int]:
    """Count each player's followers: supply, on the way home, on the board."""
    return [
        state.supply
        + state.fresh_followers
        + sum(follower.player == player for follower in position.followers)
        for player, state in enumerate(position.players)
    ]


def tiles(position: Position) -> Counter[str]:
    """Count the tiles of a position by kind, wherever they are."""
    placed = [tile.kind.id for tile in position.tiles]
    return Counter([*placed, *position.order, *position.bag, *position.discarded])


def wall_tiles(position: Position) -> int:
    """Count the wall tiles on the towers and in the hands."""
    hands = [(*state.wall_tiles, *state.fresh_wall_tiles) for state in position.players]
    return len(position.towers) + sum(map(len, hands))


def used(step: Step) -> int:
    """Count the wall tiles that a move uses up."""
    doubling = sum(len(scored.wall_tiles) for scored in step.move.scoring)
    return doubling + step.move.extra_turns


def assert_conserved(game: list[Step]) -> None:
    """Assert every law of this file for every turn of a game."""
    begun = game[0].before
    for step in game:
        position = step.played.position
        assert followers(position) == [FOLLOWERS, FOLLOWERS]
        assert tiles(position) == tiles(begun)
        assert len(position.tiles) == len(step.before.tiles) + (step.move.tile is not None)
        assert wall_tiles(position) == wall_tiles(step.before) - used(step)
        assert len(position.spent) == len(step.before.spent) + used(step)
        for player, (old, new) in enumerate(
            zip(step.before.players, position.players, strict=True)
        ):
            won = sum(e.points for e in step.played.events if e.player == player)
            assert new.score == old.score + won
            assert new.keep >= old.keep
        assert problems(position) == ()


@given(hall_games())
def test_a_game_in_a_small_hall_creates_and_loses_nothing(game: list[Step]) -> None:
    """Followers, tiles, wall tiles and points are conserved, whatever the tiles and switches.

    A player's marker, supply and followers on the board are always 7. The score is the sum of the
    points in the events. No turn leads to an impossible position.
    """
    assert_conserved(game)


@pytest.mark.slow
@given(castle_games())
@settings(max_examples=2)
def test_a_whole_game_in_the_castle_creates_and_loses_nothing(game: list[Step]) -> None:
    """The same over games of full length; the 60 tiles end on the board or discarded."""
    assert_conserved(game)
    end = game[-1].played.position
    assert end.over
    assert len(end.tiles) + len(end.discarded) == 60
    assert len(end.game.board.cells) - len(end.tiles) >= 16
