"""Themes are detected in solutions, and the page that defines them says what the code does."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from puzzles.difficulty import Features, level
from puzzles.themes import THEMES

PAGE = (Path(__file__).parents[2] / "docs" / "themes.md").read_text(encoding="utf-8")


def test_the_page_defines_every_theme() -> None:
    """Each theme has its line, with the words of its detector; there are 20 at least."""
    rows = re.findall(r"^\| `([a-z-]+)`( \(elementary\))? \| .* \| (.*) \|$", PAGE, re.MULTILINE)
    told = {name: (text, bool(mark)) for name, mark, text in rows}
    assert told == {n: (one.definition, one.elementary) for n, one in THEMES.items()}
    assert len(THEMES) >= 20


def test_a_level_never_falls_when_anything_grows() -> None:
    """From easy to hard in each measure, all others being as they are."""
    for plies, depth, rest in ((1, 0, 1), (2, 1, 3), (3, 2, 6)):
        base = Features(plies=plies, plausible=rest, depth=depth, greedy_loss=rest, rules=rest)
        for name in ("plies", "plausible", "depth", "greedy_loss", "rules"):
            start = getattr(base, name)
            series = [level(replace(base, **{name: start + more})) for more in range(20)]
            assert series == sorted(series)
    easy = Features(plies=1, plausible=1, depth=0, greedy_loss=0, rules=1)
    hard = Features(plies=4, plausible=8, depth=3, greedy_loss=9, rules=9)
    assert (level(easy), level(hard)) == (1, 5)
