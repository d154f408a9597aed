"""What a verdict says is allowed about a move of The Castle: no more than is true."""

from __future__ import annotations

import pytest

from burgrave.model.engine import judge
from burgrave.model.files.positions import read_position
from burgrave.model.notation import read_move

GROUND = """
burgrave = 1
type = "position"
game = "castle+falcon"
board = ["Court@2,6", "Court@3,6"]
start_spaces = { "18/19" = "tower" }
kinds = [
    { id = "Court", count = 9, segments = ["court N E S W"] },
    { id = "End", count = 9, segments = ["chapel S", "court N E W"] },
    { id = "Inner", count = 9, segments = ["chapel", "court N E S W"] },
    { id = "Yard", count = 9, segments = ["house N E S W", "court market"] },
    { id = "Arms", count = 9, squares = [[0, 1]], segments = [
        "path N", "path", "court NR E S W NL",
    ] },
]
"""
BUILDING = "falcon.chapel.place"
SINGLE = "castle.feature.single"


@pytest.mark.parametrize(
    ("switches", "move", "about", "noted"),
    [
        ("", "End@3,7r0", BUILDING, True),
        ("", "End@3,7r0", "castle.place.free", False),
        ('chapel_is_building = "off"', "End@3,7r0", BUILDING, False),
        ('chapel_is_building = "off"', "End@3,7r0", "castle.place.free", False),
        ("", "Inner@3,7r0", SINGLE, True),
        ('chapel_completion = "like_cloister"', "Inner@3,7r0", SINGLE, False),
        ("", "Yard@3,7r0 merchant.#1", SINGLE, False),
        ("", "Arms@3,7r0", SINGLE, True),
        ("", "End@3,7r0 preacher.S", "castle.follower.completed", True),
        ("", "End@3,7r0 king.S", "castle.follower.completed", False),
    ],
)
def test_a_note_is_true(switches: str, move: str, about: str, noted: bool) -> None:  # noqa: FBT001
    """A chapel meets other kinds by its own rule; only what is complete is called complete."""
    order = move.partition("@")[0]
    text = f'{GROUND}order = ["{order}", "Court"]\nswitches = {{ {switches} }}\n'
    position = read_position("ground", text)
    notes = judge(position, read_move(position, move)).notes
    assert (about in {note.rule for note in notes}) is noted
