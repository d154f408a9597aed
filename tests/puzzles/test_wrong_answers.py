"""A wrong answer is told why it is wrong, and the right one is not given away."""

from __future__ import annotations

import pytest

from burgrave.puzzles.files.library import find, puzzle, puzzle_entries
from burgrave.puzzles.questions import Last
from burgrave.puzzles.words.tutor import attempt

TOLD = [
    ("one-tile-and-all-is-square", "D@1,-1r2", "It is legal. That would make Red 4, Blue 7."),
    ("between-two-falconers", "K24@4,0r0", "It is legal. Then White and Black score nothing."),
    ("fifteen-points-behind", "white 86", "No: each player has one total."),
    ("fifteen-points-behind", "white 86, black 1", "No: count again for Black."),
    ("the-last-side-of-the-court", "white 3", "No: nobody scores."),
    ("one-against-two-in-a-great-city", "nobody", "No: there are more scores than that."),
    (
        "one-against-two-in-a-great-city",
        "blue 15, red 15",
        "No: these are the scores, but in another order.",
    ),
    ("nothing-but-curves", "2", "No: it takes more."),
    ("nothing-but-curves", "4", "No: fewer are enough."),
    (
        "a-busy-turn",
        "yes",
        "No, it is illegal: 2 actions are taken in one turn [tower.action.one].",
    ),
    (
        "the-last-tile-for-the-falconer",
        "no",
        "different kinds stay different features [castle.place.free].",
    ),
    ("one-point-and-a-squire", "9,9", "No. No tile lies on 9,9."),
    (
        "three-squires-and-a-point",
        "7,9",
        "If the tile on 7,9 came last, Black had one turn before it. But his followers stand on",
    ),
    ("whose-city-was-it", "{0}; O@1,1r3", "The tile lies turned otherwise on 1,1."),
    ("eight-points-for-red-four-for", "{0}; H@0,-1r1", "No tile lies on 0,-1."),
    ("four-points-and-nobody-there", "E@0,1r2", "No turns after it lead to this position."),
    ("whose-city-was-it", "{0}; O@9,9r3", "That is not legal"),
]


@pytest.mark.parametrize(("puzzle_id", "answer", "told"), TOLD)
def test_a_wrong_answer_is_told_why(puzzle_id: str, answer: str, told: str) -> None:
    """``{0}`` stands for the first turn of the solution."""
    good = puzzle(find(puzzle_id))
    tried = attempt(good, answer.format(*good.answer.line))
    assert not tried.right
    assert told in tried.told


def test_no_tile_but_the_last_is_left_without_a_reason() -> None:
    """Every other tile of every such puzzle is ruled out by a sentence that does not name it."""
    for entry in puzzle_entries():
        if entry.question != "last":
            continue
        good = puzzle(find(entry.id))
        assert isinstance(good.question, Last)
        others = {str(tile.cell) for tile in good.position.tiles} - {good.answer.cell}
        for cell in others:
            told = attempt(good, cell).told
            assert "lies on" in told or "had the last turn" in told
            assert f"Only {good.answer.cell} is left" not in told
