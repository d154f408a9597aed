"""Compare the difficulty of shipped puzzles with what real solvers made of them.

    python -m benchmarks.solvers burgrave-training.json ...

Each file is the training of one solver, as the page exports it. Only first tries count. A puzzle
gets the rating that makes its first tries most likely, beside its difficulty: the maximum a
posteriori of the model of Elo, in which each rating of the page stands for a solver. The difficulty
sets the prior, a normal distribution with the page's mean and deviation. So a few tries move a
puzzle little. Prints by difficulty how many first tries were right, then each puzzle whose rating
is nearer to another difficulty than to its own.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from pathlib import Path
from typing import NamedTuple

from burgrave.puzzles.files.library import puzzle_entries
from burgrave.puzzles.study.difficulty import HARDEST

EASIEST, STEP, DEVIATION = 1000, 250, 150
"""Rating of a puzzle of difficulty 1, the way to the next difficulty, and how far both may miss: as
``cli/serve/client/training.js`` has them."""
SCALE = log(10) / 400
"""Of a rating in the exponent of Elo's formula."""
ROUNDS = 30
"""Of Newton's method, which needs fewer than ten here."""
SHIPPED = "library/"
"""Before the id of a shipped puzzle in an exported training."""


class Try(NamedTuple):
    """The first try of a solver."""

    solver: float
    """The rating of the solver."""
    right: bool


def tries(texts: Mapping[str, str]) -> dict[str, list[Try]]:
    """Return the first tries of shipped puzzles, by id of the puzzle.

    Args:
        texts: exported trainings, by name of their file.

    Raises:
        SystemExit: a text is no training; it tells which.

    """
    found: defaultdict[str, list[Try]] = defaultdict(list)
    for name, text in texts.items():
        try:
            data = json.loads(text)
            rating = float(data["player"]["rating"])
            known = [(key, one["first"]) for key, one in data["puzzles"].items() if "first" in one]
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            message = f"{name}: is no training that the page exported; export it there again"
            raise SystemExit(message) from error
        for key, right in known:
            if key.startswith(SHIPPED):
                found[key.removeprefix(SHIPPED)].append(Try(rating, bool(right)))
    return dict(found)


def usual(difficulty: int) -> int:
    """Return the rating that a difficulty stands for."""
    return EASIEST + STEP * (difficulty - 1)


def fitted(difficulty: int, firsts: Sequence[Try]) -> float:
    """Return the most likely rating of a puzzle after its first tries."""
    prior = at = float(usual(difficulty))
    for _ in range(ROUNDS):
        slope, bend = (prior - at) / DEVIATION**2, -1 / DEVIATION**2
        for one in firsts:
            solved = 1 / (1 + exp(-SCALE * (one.solver - at)))
            slope += SCALE * (solved - one.right)
            bend -= SCALE**2 * solved * (1 - solved)
        at -= slope / bend
    return at


def lines(levels: Mapping[str, int], found: Mapping[str, Sequence[Try]]) -> Iterator[str]:
    """Yield the lines of both tables.

    Args:
        levels: the difficulty of each shipped puzzle, by id.
        found: first tries by id.

    """
    yield "difficulty  tries  right"
    for level in range(1, HARDEST + 1):
        firsts = [one for name, some in found.items() if levels.get(name) == level for one in some]
        share = f"{sum(one.right for one in firsts) / len(firsts):.0%}" if firsts else "-"
        yield f"{level:>10}{len(firsts):>7}{share:>7}"
    yield ""
    yield "puzzle                            difficulty  tries  rating  nearer to"
    for name, some in sorted(found.items()):
        if name not in levels:
            continue
        rating = fitted(levels[name], some)
        nearer = min(range(1, HARDEST + 1), key=lambda level: abs(usual(level) - rating))
        if nearer != levels[name]:
            yield f"{name:34}{levels[name]:>10}{len(some):>7}{rating:>8.0f}{nearer:>11}"


def main(arguments: Sequence[str]) -> None:
    """Read the trainings and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="exported trainings")
    files = parser.parse_args(arguments).files
    try:
        texts = {str(file): file.read_text(encoding="utf-8") for file in files}
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"an exported training cannot be read: {error}") from error
    levels = {one.id: one.difficulty for one in puzzle_entries() if one.difficulty is not None}
    print("\n".join(lines(levels, tries(texts))))


if __name__ == "__main__":
    main(sys.argv[1:])
