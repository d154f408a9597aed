"""Compare the engines that look several turns ahead, question by question, on random endings.

    python -m benchmarks.differential --positions 500 --seed 1
    python -m benchmarks.differential --positions 200 --seed 1 --plane

Endings have 1 to 4 tiles left. Eleven of twelve lie in small halls with random tiles, one in the
castle. Most have wall tiles, markers near towers and changed switches. Of each, four questions are
asked: what can be reached with a known and with an
unknown order, what can be forced, what is expected. Every engine that answers a question
answers it, and is then stopped early once. Compared are values and first moves; every line is
replayed by the rules engine, and what is said after an early stop must be true. With ``--plane``
endings are of Carcassonne and mostly The Tower, for 2 to 6 players, full of guards and prisoners.
Each gets three questions. Prints tables, also when it is stopped by Ctrl-C, by ``timeout`` or after
``--time`` seconds; exit code 1 if anything differs.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

from benchmarks.measuring import add_workers, chosen_workers, require_means, until_stopped
from burgrave.model.book import book_of
from burgrave.model.expansions.tower.parts import TowerHoldings, Towers
from burgrave.model.places import placeable
from burgrave.model.position import Position
from burgrave.solver.engines import Engine
from burgrave.solver.limits import Limits
from burgrave.solver.workers.tasks import Done, ordered
from tests.solver.endings import BY_ORDER
from tests.solver.questioning import (
    QUESTIONS,
    Answered,
    Asked,
    able,
    ask,
    broken_bound,
    broken_lines,
    compare,
    engines,
    plane_questions,
    questions,
)

CHECKS = ("value", "moves", "every")
"""The compared parts of two answers."""
NEAR = 4
"""Spaces before a tower within which a marker is near it."""


Key = tuple[str, ...]
"""The key of a count: question, engines, compared part."""


@dataclass(slots=True)
class Tally:
    """The counts of one position or of many."""

    compared: Counter[Key] = field(default_factory=Counter)
    """Comparisons by question, two engines and what was compared."""
    wrong: Counter[Key] = field(default_factory=Counter)
    """Mismatches by question and two engines; of one with itself for its lines and bounds."""
    asked: Counter[Key] = field(default_factory=Counter)
    """Answers by question and engine."""
    unproved: Counter[Key] = field(default_factory=Counter)
    """Answers without a proof by question and engine."""
    stopped: Counter[Key] = field(default_factory=Counter)
    """Answers after an early stop by question and engine."""
    traits: Counter[str] = field(default_factory=Counter)
    """Positions by their special contents."""
    seconds: defaultdict[Key, float] = field(default_factory=lambda: defaultdict(float))
    """Processor time by question and engine."""
    told: list[str] = field(default_factory=list)
    """Each mismatch in words, with the command that repeats it."""

    def add(self, other: Tally) -> None:
        """Add other counts."""
        self.compared.update(other.compared)
        self.wrong.update(other.wrong)
        self.asked.update(other.asked)
        self.unproved.update(other.unproved)
        self.stopped.update(other.stopped)
        self.traits.update(other.traits)
        for key, spent in other.seconds.items():
            self.seconds[key] += spent
        self.told += other.told


def examine(  # noqa: PLR0913 -- an ending with all that it needs
    seed: int,
    most: int,
    seconds: float,
    only: Sequence[str],
    without: Sequence[str] = (),
    *,
    falcon: bool = False,
    plane: bool = False,
) -> Tally:
    """Put the questions about one ending to every engine.

    Args:
        seed: of the ending.
        most: lines to the end that it may have.
        seconds: time for each answer.
        only: names of the questions to be asked.
        without: names of the engines to be left out.
        falcon: whether the ending is one of The Castle with The Falcon.
        plane: whether it is a game of Carcassonne or The Tower.

    """
    tally = Tally()
    rng = random.Random(f"stops in {seed}")
    again = f"--position {seed} --lines {most}" + " --falcon" * falcon + " --plane" * plane
    asking = plane_questions(seed, most) if plane else questions(seed, most, falcon=falcon)
    for number, asked in enumerate(asking):
        if plane and number == 0:
            tally.traits.update(plane_traits(asked.problem.position))
        elif not plane and asked.name == "force":
            tally.traits.update(traits(asked.problem.position))
        if asked.name in only:
            answering = {n: one for n, one in able(asked.problem).items() if n not in without}
            _put(asked, answering, f"{again} --only {asked.name}", seconds, rng, tally)
    return tally


def _put(  # noqa: PLR0913, PLR0917 -- a question with all that it needs
    asked: Asked,
    answering: Mapping[str, Engine],
    again: str,
    seconds: float,
    rng: random.Random,
    tally: Tally,
) -> None:
    """Put a question to every engine that answers it, and count the outcomes."""
    answers: dict[str, Answered] = {}
    for name, engine in answering.items():
        answer = answers[name] = ask(engine, asked.problem, Limits(seconds=seconds))
        key = asked.name, name
        tally.asked[key] += 1
        tally.seconds[key] += answer.seconds
        tally.unproved[key] += not answer.proved
        wrong = list(broken_lines(asked.problem, answer.result))
        # The exhaustive engine would take as long again.
        if answer.proved and name != "exhaustive":
            tally.stopped[key] += 1
            wrong += broken_bound(engine, asked.problem, answer, rng)
        for words in wrong:
            _tell(tally, asked, (name, name), words, again)
    for result in compare(asked.problem, answers):
        tally.compared[asked.name, *result.engines, result.what] += 1
        if result.wrong:
            _tell(tally, asked, result.engines, result.wrong, again)


def _tell(tally: Tally, asked: Asked, pair: tuple[str, str], words: str, again: str) -> None:
    """Count a mismatch and put it into words."""
    tally.wrong[asked.name, *pair] += 1
    names = " and ".join(dict.fromkeys(pair))
    tally.told.append(f"{asked}\n  {names}: {words}\n  python -m benchmarks.differential {again}")


def traits(at: Position) -> Iterator[str]:
    """Yield the special properties of a position."""
    game = at.game
    hands = [n for p in at.players for n in (*p.wall_tiles, *p.fresh_wall_tiles)]
    ways = {
        (tower.spaces[0] - player.score) % game.board.track
        for tower in game.board.towers
        if tower.name in dict(at.towers)
        for player in at.players
    }
    found = {
        f"{len(at.order)} tiles left": True,
        "the castle": game.board.id == "castle",
        "wall tiles in hand": bool(hands),
        "wall tiles on towers": bool(at.towers),
        f"a marker 1 to {NEAR} spaces before one": any(1 <= way <= NEAR for way in ways),
        "switches changed": bool(game.changed_switches()),
        "a tile without a place": not all(placeable(at, tile) for tile in at.order),
        "extra turns": at.extra_turns > 0 or 1 in hands,
        "a player without followers": any(player.supply == 0 for player in at.players),
        "wall tiles 4 to 6 and tokens": bool(game.specials) and not {4, 5, 6}.isdisjoint(hands),
    }
    for switch in BY_ORDER if game.specials else ():
        found[f"{switch.name} = {game.value(switch)}"] = game.value(switch) != switch.default
    return (name for name, holds in found.items() if holds)


def plane_traits(at: Position) -> Iterator[str]:
    """Yield the special properties of a position of Carcassonne or The Tower."""
    guards = [tower.guard for tower in at.part(Towers).guarded]
    found = {
        f"{len(at.order)} tiles left": True,
        f"{len(at.players)} players": True,
        "The Tower": bool(book_of(at.game).actions),
        "guards": bool(guards),
        "prisoners": any(state.part(TowerHoldings).prisoners for state in at.players),
        "a player with less than a ransom": any(
            state.score < book_of(at.game).ransom for state in at.players
        ),
        "switches changed": bool(at.game.changed_switches()),
        "a tile without a place": not all(placeable(at, tile) for tile in at.order),
        "a player without followers": any(state.supply == 0 for state in at.players),
    }
    return (name for name, holds in found.items() if holds)


def show(total: Tally, compared: int, asked: int) -> None:
    """Print the tables.

    Args:
        total: the counts of all positions.
        compared: how many positions were compared.
        asked: how many were to be compared.

    """
    number = f"{compared}" if compared == asked else f"{compared} of {asked}"
    print(f"{number} positions: " + ", ".join(_shares(total.traits)))
    print(
        f"\n| question | engines | {' | '.join(CHECKS)} | mismatches |\n|---|---|---|---|---|---|"
    )
    pairs = sorted({(q, a, b) for q, a, b, _ in total.compared} | set(total.wrong))
    for question, one, other in pairs:
        counts = [str(total.compared[question, one, other, check]) for check in CHECKS]
        pair = f"{one}, {other}" if one != other else f"{one} by itself"
        wrong = total.wrong[question, one, other]
        print(f"| {question} | {pair} | {' | '.join(counts)} | {wrong} |")
    print("\n| question | engine | answers | no proof | stopped early | CPU s |")
    print("|---|---|---|---|---|---|")
    for key in sorted(total.asked):
        columns = *key, total.asked[key], total.unproved[key], total.stopped[key]
        print(f"| {' | '.join(map(str, columns))} | {total.seconds[key]:.1f} |")
    print(f"\n{total.compared.total()} comparisons, {total.wrong.total()} mismatches")


def _shares(traits_found: Counter[str]) -> Iterator[str]:
    """Yield each special thing with the number of positions that have it."""
    for name in sorted(traits_found):
        yield f"{name} {traits_found[name]}"


def _outcome(done: Done[int, Tally]) -> Tally:
    """Return the counts of a position; a crash of an engine is a mismatch too."""
    tally = done.value
    if tally is None:
        tally = Tally(wrong=Counter({("any", "broke down", "broke down"): 1}))
        again = f"  python -m benchmarks.differential --position {done.item}"
        tally.told = ["".join(traceback.format_exception(done.error)) + again]
    for words in tally.told:
        print(words, file=sys.stderr)
    return tally


def main() -> int:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description="Compare the engines that look turns ahead.")
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--position", type=int, help="one position alone, by its own seed")
    parser.add_argument("--only", choices=QUESTIONS, nargs="+", default=QUESTIONS)
    parser.add_argument("--without", choices=list(engines()), nargs="+", default=())
    parser.add_argument("--lines", type=int, default=1000, help="to the end, of a position")
    parser.add_argument("--seconds", type=float, default=60, help="for each answer")
    parser.add_argument("--falcon", action="store_true", help="endings with The Falcon")
    parser.add_argument("--plane", action="store_true", help="Carcassonne and The Tower")
    add_workers(parser, jobs=1)  # a crash ends a process of its own
    parser.add_argument("--time", type=float, help="stop after so many seconds")
    options = parser.parse_args()
    require_means()
    first = options.seed * 1_000_000
    seeds = range(first, first + options.positions)
    if options.position is not None:
        seeds = range(options.position, options.position + 1)
    work = partial(
        examine,
        most=options.lines,
        seconds=options.seconds,
        only=tuple(options.only),
        without=tuple(options.without),
        falcon=options.falcon,
        plane=options.plane,
    )
    total, compared = Tally(), 0
    with (
        until_stopped(options.time),
        chosen_workers(options) as pool,
        closing(ordered(work, seeds, pool)) as results,
    ):
        for done in results:
            total.add(_outcome(done))
            compared += 1
            print(f"{compared} of {len(seeds)}", end="\r", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    show(total, compared, len(seeds))
    return int(total.wrong.total() > 0)


if __name__ == "__main__":
    # Workers of a cluster know the functions by the name of this module.
    from benchmarks.differential import main as run

    sys.exit(run())
