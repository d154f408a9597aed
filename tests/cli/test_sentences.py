"""Moves in sentences."""

from __future__ import annotations

import pytest

from burgrave.cli.render.sentences import move_sentence
from burgrave.model.notation import read_move
from burgrave.puzzles.files.library import find, position, puzzle

SAID = {
    "a-chapel-and-a-short-path": (
        "White lays a tile with half tower and two quarter courts, completes a path and stands"
        " as a herald."
    ),
    "a-court-that-two-of-them-share": (
        "White lays a tile with quarter court and three-quarter court and extends the court that"
        " he shares with Black."
    ),
    "a-room-more-for-the-squire": (
        "White lays a tile with three-quarter court and quarter house, completes his house and"
        " scores the house on 4,11 doubled by wall tile 3."
    ),
    "tower-and-path-in-one-move": (
        "Black lays a tile with half tower and two quarter courts, completes his path, extends his"
        " court, stands as a knight and scores the tower on 0,0, then the path on 0,0."
    ),
    "two-paths-and-an-extra-turn": (
        "White lays a tile with half tower and two quarter courts, completes his path and plays"
        " wall tile 1 for another turn."
    ),
    "a-man-in-red-s-hand": (
        "Blue lays a city from side to side with a shield, buys a follower back from Red and"
        " stands as a knight."
    ),
    "seen-from-the-tower": (
        "Blue lays a city on one side, completes a city, puts a tower piece on 1,-1 and takes Red's"
        " farmer on 0,-1 prisoner."
    ),
    "the-richest-man-on-the-board": (
        "Red lays a city on one side and a road past it, completes a city and closes the tower on"
        " 0,1 with a follower."
    ),
}
"""The key of each of some puzzles in words."""


@pytest.mark.parametrize("name", SAID)
def test_a_move_is_a_sentence(name: str) -> None:
    """It names the tile, what it joins, and what is done besides."""
    at_hand = position(find(name))
    key = read_move(at_hand, puzzle(find(name)).answer.moves[0])
    assert move_sentence(at_hand, key) == SAID[name]
