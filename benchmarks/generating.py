"""Measure the time for a generated puzzle, by theme and game, and count the pairs that have one.

    python -m benchmarks.generating --count 3 --seconds 60

For each theme and game it makes puzzles like `burgrave generate`, in this process. It stops when
there are enough or the processor time is used up. Prints a line for each pair: accepted puzzles,
their difficulties, candidates, seconds of the processor for each puzzle. Two lines at the end
summarise all pairs, easy puzzles and hard ones. `--slice 2/5` measures the second fifth of the
pairs, for machines that are shared.
"""

from __future__ import annotations

import argparse
import sys
from time import process_time
from typing import NamedTuple

from burgrave.model.files.games import shipped_game
from burgrave.puzzles.making.gathering import gather
from burgrave.puzzles.making.generator import ASKED, HARD, Wish
from burgrave.puzzles.study.difficulty import HARDEST
from burgrave.puzzles.themes import THEMES

GAMES = ("castle", "castle+falcon", "carcassonne", "carcassonne+tower")


class Made(NamedTuple):
    """An accepted puzzle."""

    difficulty: int
    seconds: float
    """Processor time since the one before it, or since the beginning."""


class Run(NamedTuple):
    """The measures of a theme in a game."""

    made: list[Made]
    candidates: int
    spent: float
    """Seconds of the processor, those after the last accepted puzzle included."""


def main() -> None:
    """Make puzzles and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", nargs="*", default=GAMES, choices=GAMES)
    parser.add_argument("--theme", nargs="*", default=list(THEMES), choices=list(THEMES))
    parser.add_argument("--count", type=int, default=3, help="puzzles of each theme")
    parser.add_argument("--seconds", type=float, default=60, help="of the processor, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiles-left", type=int, default=3)
    parser.add_argument("--question", default="force", choices=ASKED)
    parser.add_argument(
        "--easiest", type=int, default=1, help="difficulty of the puzzles, at least"
    )
    parser.add_argument("--hardest", type=int, default=HARDEST, help="likewise, at most")
    parser.add_argument("--slice", default="1/1", help="part of the pairs: 2/5")
    args = parser.parse_args()
    part, parts = map(int, args.slice.split("/"))
    pairs = [
        (game, theme)
        for game in args.game
        for theme in args.theme
        if game in THEMES[theme].games
        and (args.question == "force" or game in THEMES[theme].once)
        and (args.easiest < HARD or not THEMES[theme].elementary)
    ]
    pairs = pairs[part - 1 :: parts]
    print("| game | theme | puzzles | difficulties | candidates | CPU seconds | a puzzle |")
    print("| --- | --- | ---: | --- | ---: | ---: | ---: |")
    runs = []
    for game, theme in pairs:
        wish = Wish(
            game=shipped_game(game),
            theme=theme,
            seed=args.seed,
            question=args.question,
            tiles_left=args.tiles_left,
            easiest=args.easiest,
            hardest=args.hardest,
        )
        runs.append(run(wish, args.count, args.seconds))
        print(row(wish, runs[-1]))
        sys.stdout.flush()
    print()
    for line in summary(runs):
        print(line)


def run(wish: Wish, count: int, seconds: float) -> Run:
    """Make puzzles of a theme in a game.

    Args:
        wish: what puzzles are made.
        count: how many of them.
        seconds: the time of the processor after which no further candidate is begun.

    """
    start = last = process_time()
    made, candidates = list[Made](), 0
    for found in gather(wish, []):
        candidates += 1
        now = process_time()
        if found.puzzle is not None:
            made.append(Made(found.puzzle.difficulty or 1, now - last))
            last = now
        if len(made) == count or now - start > seconds:
            break
    return Run(made, candidates, process_time() - start)


def row(wish: Wish, found: Run) -> str:
    """Return a line of the table."""
    number, spent = len(found.made), found.spent
    levels = ", ".join(str(one.difficulty) for one in found.made)
    each = f"{spent / number:.1f}" if number else f"> {spent:.0f}"
    return (
        f"| {wish.game.id} | `{wish.theme}` | {number} | {levels} | {found.candidates}"
        f" | {spent:.0f} | {each} |"
    )


def summary(runs: list[Run]) -> list[str]:
    """Return how many pairs have a puzzle, and what puzzles took, by difficulty.

    The time in vain of pairs without a puzzle is told by itself.
    """
    pairs = sum(bool(one.made) for one in runs)
    vain = sum(one.spent - sum(made.seconds for made in one.made) for one in runs)
    lines = [f"{pairs} of {len(runs)} pairs have a puzzle; {vain:.0f} s were spent in vain."]
    for name, levels in (("1 to 3", range(1, HARD + 1)), ("4 and 5", range(HARD + 1, HARDEST + 1))):
        times = sorted(m.seconds for one in runs for m in one.made if m.difficulty in levels)
        if times:
            lines.append(
                f"Difficulty {name}: {len(times)} puzzles, mean {sum(times) / len(times):.1f} s,"
                f" median {times[len(times) // 2]:.1f} s, most {times[-1]:.1f} s."
            )
    return lines


if __name__ == "__main__":
    main()
