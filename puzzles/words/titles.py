"""Titles of puzzles: the idea of the solution, where it decides, and what is special about it.

A title names no tile, no cell and no follower of the key.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from burgrave.puzzles.questions.wording import noun
from burgrave.puzzles.study.puzzle import Puzzle
from burgrave.puzzles.study.study import Study, study
from burgrave.puzzles.words import explanations
from burgrave.puzzles.words.differences import changes

TWISTS = {
    "gift": ("a present first", "give and take"),
    "sacrifice": ("at a price", "pay first"),
    "quiet": ("not a sound", "quietly done"),
    "refusal": ("not yet", "points can wait"),
}
"""Second halves of titles by a surprise of the key."""
STEPS = {2: ("in two steps", "first one, then the other"), 3: ("a long way", "in three steps")}
"""The same by the own turns to be found."""
DRAWN = ("half a loaf", "a draw saved")
"""The same where the key saves a draw."""
WON = ("by a hair", "a single point")
"""The same where the key wins by one point."""
NOUNS = {
    "level": ("All square", "Nobody ahead", "An even account"),
    "home": ("Everybody home", "The board is cleared", "All called home"),
    "both": ("Something for everyone", "Shared joy", "Each his part"),
    "blocked": ("A door is shut", "No room left", "Out in the cold"),
    "history": ("The way back", "How it began", "From the first tile"),
    "last": ("Which came last?", "The latest tile", "Ink not yet dry"),
}
"""First halves of titles for puzzles that no move answers, by aim or question."""
PLACES = {
    "field": "in the fields",
    "road": "on the road",
    "city": "in the city",
    "cloister": "at the cloister",
    "court": "in the court",
    "empty area": "round the keep",
    "house": "in the house",
    "tower": "at the tower",
    "path": "on the path",
    "chapel": "in the chapel",
}
"""The place of each kind of thing that brings points."""


def titles(puzzle: Puzzle) -> Iterator[str]:
    """Yield titles for a puzzle, the plainest ones first; none for one about a given move."""
    played = study(puzzle)
    nouns: tuple[str, ...]
    if played is None:
        nouns = NOUNS.get(str(getattr(puzzle.question, "aim", puzzle.question.name)), ())
        rules = " ".join(puzzle.rules)
        yield from nouns
        for place in (place for word, place in PLACES.items() if word in rules):
            yield from (f"{noun} {place}" for noun in nouns if not noun.endswith("?"))
        return
    nouns, place = explanations.idea(played).nouns, _place(played)
    twists = list(_twists(puzzle, played))
    yield from nouns
    yield from (f"{noun} {place}" for noun in nouns if place and place.split()[-1] not in noun)
    yield from (f"{noun}: {twist}" for twist in twists for noun in nouns)


def title(puzzle: Puzzle, rng: Random) -> str:
    """Return a title of a puzzle that is not about a given move.

    The same puzzle and the same state of ``rng`` make the same title.
    """
    return rng.choice(list(titles(puzzle)))


def _place(played: Study) -> str:
    """Return where the points that decide are scored; empty if it is unknown."""
    tempting = explanations.natural(played)
    found = [] if tempting is None else changes(played, tempting)
    return PLACES.get(noun(found[0].event), "") if found else ""


def _twists(puzzle: Puzzle, played: Study) -> Iterator[str]:
    """Yield what is special about a puzzle."""
    measures = puzzle.measures
    if measures is not None:
        for surprise in measures.surprises:
            yield from TWISTS[surprise]
        yield from STEPS.get(measures.depth, ())
    if played.to_the_end and played.values == "lead":
        yield from {0: DRAWN, 1: WON}.get(int(played.value), ())
