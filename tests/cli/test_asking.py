"""The stored answer of a puzzle in words, for each kind of answer."""

from __future__ import annotations

from typing import Any

import pytest

from burgrave.cli.asking import answer_text
from burgrave.puzzles.cards.verdict import Verdict

TOLD: list[tuple[dict[str, Any], list[str]]] = [
    ({"points": ["White 4", "Black 2"]}, ["  Answer: White 4, Black 2"]),
    ({"scores": []}, ["  Answer: nobody scores"]),
    ({"scores": [], "points": ["White 4"]}, ["  Answer: White 4"]),
    ({"legal": True, "scores": [], "points": ["White 4"]}, ["  Answer: legal"]),
    ({"legal": False, "breaks": ["a.b", "c.d"]}, ["  Answer: illegal: a.b, c.d"]),
    ({"cell": "3,2"}, ["  Answer: the tile on 3,2"]),
    ({"turns": ["K16@3,2", "K07@3,3"]}, ["  Answer: K16@3,2; K07@3,3"]),
    (
        {"value": 3, "status": "optimal", "moves": ["K16@3,2"], "turns": ["K16@3,2"]},
        ["  Answer: 3 (optimal)", "    K16@3,2"],
    ),
    (
        {"value": 3, "status": "bound", "moves": ["K16@3,2"]},
        ["  Answer: no proof, since the search was stopped"],
    ),
]


@pytest.mark.parametrize(("got", "lines"), TOLD)
def test_an_answer_is_told_by_what_it_holds(got: dict[str, Any], lines: list[str]) -> None:
    """Points stand alone, or beside the features that score."""
    verdict = Verdict(id="x", title="", rules=(), engine="search", expected=got, got=got)
    assert list(answer_text(verdict)) == lines
