"""Measure the time for a generated puzzle, by theme and game.

    python -m benchmarks.generating --count 3 --seconds 60

For each theme and game it makes puzzles like `burgrave generate`, in this process. It stops when
there are enough or the processor time is used up. Prints a line
for each: accepted puzzles, games of self-play, seconds of the processor for each puzzle.
"""

from __future__ import annotations

import argparse
import sys
from time import process_time

from puzzles.generator import ASKED, Wish
from puzzles.harvest import gather
from puzzles.themes import THEMES

GAMES = ("castle", "castle+falcon", "carcassonne", "carcassonne+tower")


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
    args = parser.parse_args()
    print("| game | theme | puzzles | games | CPU seconds | a puzzle |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for game in args.game:
        for theme in args.theme:
            one = THEMES[theme]
            if game in (one.games if args.question == "force" else one.games & one.once):
                wish = Wish(
                    game=game,
                    theme=theme,
                    seed=args.seed,
                    question=args.question,
                    tiles_left=args.tiles_left,
                )
                print(row(wish, args.count, args.seconds))
                sys.stdout.flush()


def row(wish: Wish, count: int, seconds: float) -> str:
    """Return a line of the table.

    Args:
        wish: what puzzles are made.
        count: how many of them.
        seconds: the time of the processor after which no further game is begun.

    """
    start = process_time()
    made = games = 0
    for found in gather(wish, []):
        games += 1
        made += found.puzzle is not None
        spent = process_time() - start
        if made == count or spent > seconds:
            break
    each = f"{spent / made:.1f}" if made else f"> {spent:.0f}"
    return f"| {wish.game} | `{wish.theme}` | {made} | {games} | {spent:.0f} | {each} |"


if __name__ == "__main__":
    main()
