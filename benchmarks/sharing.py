"""How much more one and two local workers of Dask review, one after the other in the same run.

    python -m benchmarks.sharing GAME... --playouts 200 --rounds 2

Prints for each run the seconds on the clock until the workers are there, those of the work, and the
processor seconds of the busiest worker and of this process. On a machine that does other work the
clock tells about that too: the busiest worker does not.
"""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from importlib import import_module

from burgrave.cli.many_reviews import LeftOut, review_all
from burgrave.solver.workers.pools import workers


def spent() -> tuple[float, float]:
    """Return the processor seconds of the busiest process that this one started, and of this."""
    this = import_module("psutil").Process()  # comes with distributed
    times = [sum(one.cpu_times()[:2]) for one in this.children(recursive=True)]
    return max(times), sum(this.cpu_times()[:2])


def run(games: list[str], width: int, playouts: int) -> str:
    """Review games with some workers, and return a row of the table."""
    begun, mine = time.perf_counter(), time.process_time()
    with workers(cluster=f"local:{width}") as pool:
        ready, turns = time.perf_counter(), 0
        reviews = review_all(games, playouts=playouts, seed=1, keep=lambda _: None, pool=pool)
        with closing(reviews):
            for one in reviews:
                turns += 0 if isinstance(one, LeftOut) else len(one[1])
        done = time.perf_counter()
        busiest, whole = spent()
    seconds = f"{ready - begun:.1f} | {done - ready:.1f} | {busiest:.1f} | {whole - mine:.1f}"
    return f"| {width} | {turns} | {seconds} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure how workers share reviews.")
    parser.add_argument("games", nargs="+", help="records of games")
    parser.add_argument("--playouts", type=int, default=200)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    print("| workers | turns | start, s | work, s | busiest worker, CPU s | this process, CPU s |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for _ in range(options.rounds):
        for width in options.workers:
            print(run(options.games, width, options.playouts), flush=True)


if __name__ == "__main__":
    main()
