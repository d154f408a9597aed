"""Check marks of mistakes by twenty times the playouts, on games with weak turns among them.

    python -m benchmarks.marks --keep marks.jsonl --write

A game is played by the policy, which sometimes makes a move by lot of its better half. Some turns
of it are reviewed as by default. Where a move is marked as a mistake by playouts, the two moves are
compared anew with other tiles and twenty times the playouts. The mark is confirmed if the move is
surely worse again. Results are kept in a file, and a command that was stopped goes on. ``--write``
replaces ``benchmarks/marks.md``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np  # noqa: TID253 -- playouts come as arrays

from benchmarks.estimates import NAMES, wilson
from benchmarks.work import GAMES
from burgrave.model.draws import as_seen, stuck
from burgrave.model.engine import play
from burgrave.model.position import Move, Position
from burgrave.puzzles.games.review import PLAYOUTS, ReviewedTurn, review
from burgrave.puzzles.selfplay.games import new_position
from burgrave.solver.limits import Limits
from burgrave.solver.questions.evaluation import WIDE
from burgrave.solver.questions.means import mean
from burgrave.solver.questions.samples import MOST_EACH
from burgrave.solver.search.playouts import CHUNK, Field, run

TABLE = Path(__file__).parent / "marks.md"
MORE = 20
"""By how much more playouts a mark is checked."""
BY_LOT = 0.4
"""The chance that a move is one of the better half and not the best, by the policy."""
SEEN = 24
"""Moves among which the better half is taken, at most."""
EVERY = 5
"""Of so many turns one is reviewed."""


class Mark(NamedTuple):
    """A turn that was reviewed by playouts."""

    game: str
    number: int
    """Of the game played."""
    turn: int
    mark: str
    """Empty if the move was not marked as a mistake."""
    loss: float = 0.0
    """By the review, in points."""
    again: float = 0.0
    """By twenty times the playouts."""
    error: float = 0.0
    """The standard error of that."""

    @property
    def confirmed(self) -> bool:
        """Whether the move is surely worse again."""
        return self.again > 2 * self.error


def game(name: str, seed: int) -> Iterator[tuple[Position, Move]]:
    """Yield the positions and moves of a game with weak turns among them."""
    rng = random.Random(seed)
    position = new_position(GAMES[name](), rng)
    while not position.over:
        drawn = stuck(position) + 1
        if drawn > len(position.order):
            return
        _, moves, _ = Field(position, drawn, 1).first_turns(position.order[:drawn], SEEN, None)
        weak = rng.random() < BY_LOT
        move = rng.choice(moves[: (len(moves) + 1) // 2]) if weak else moves[0]
        yield position, move
        position = play(position, move).position


def checked(turns: Sequence[tuple[Position, Move]], name: str, number: int, at: int) -> Mark | None:
    """Return a turn of a game that is reviewed, with the check of its mark; None if it is proved.

    Args:
        turns: of the game.
        name: of the game.
        number: of the game played.
        at: the index of the turn.

    """
    [found] = review(turns[at : at + 1], seed=number % 1000 + 1)
    if found.proved:
        return None
    if not found.mark.startswith("?"):
        return Mark(name, number, at + 1, "")
    again, error = _again(turns[at][0], found, number % 1000 + 501)
    return Mark(name, number, at + 1, found.mark, found.loss, again, error)


def _again(position: Position, turn: ReviewedTurn, seed: int) -> tuple[float, float]:
    """Return by how much the move played is worse, with its standard error."""
    seen = as_seen(position)
    drawn = stuck(seen) + 1
    field = Field(seen, drawn, seed)
    turns, moves, _ = field.first_turns(seen.order[:drawn], WIDE, turn.played)
    count = int(MORE * MOST_EACH * PLAYOUTS) // CHUNK * CHUNK
    both = [turns[moves.index(move)] for move in (turn.best, turn.played)]
    best, played = (field.leads(one) for one, _ in run(field, both, 0, count, Limits().start()))
    found = mean(best - played, np.zeros((count, 0)), field.together)
    return found.value, found.error


def table(marks: Sequence[Mark]) -> Iterator[str]:
    """Yield a table of the marks that are confirmed."""
    yield "| marks | turns | marked | confirmed |"
    yield "| --- | ---: | ---: | ---: |"
    for label, name in [*((title, name) for name, title in NAMES.items()), ("all", None)]:
        mine = [one for one in marks if name in {None, one.game}]
        marked = [one for one in mine if one.mark]
        if not marked:
            continue
        share = sum(one.confirmed for one in marked) / len(marked)
        low, high = wilson(share, len(marked))
        held = f"{share:.1%} ({low:.1%} to {high:.1%})"
        yield f"| {label} | {len(mine)} | {len(marked)} | {held} |"


def main() -> None:
    """Check marks, and print the table."""
    parser = argparse.ArgumentParser(description="Check marks of mistakes.")
    parser.add_argument("--games", choices=GAMES, nargs="+", default=[*GAMES])
    parser.add_argument("--number", type=int, default=10, help="games of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("marks.jsonl"), metavar="FILE")
    parser.add_argument("--write", action="store_true", help="keep the table")
    options = parser.parse_args()
    file = options.keep
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    done = {tuple(unit): found for *unit, found in map(json.loads, lines)}
    for number in range(options.seed * 1000, options.seed * 1000 + options.number):
        for name in options.games:
            turns = list(game(name, number))
            for at in range(number % EVERY, len(turns), EVERY):
                if (name, number, at) not in done:
                    done[name, number, at] = checked(turns, name, number, at)
                    with file.open("a", encoding="utf-8") as out:
                        out.write(json.dumps([name, number, at, done[name, number, at]]) + "\n")
                    print(f"{name} {number}: {len(done)} turns", end="\r", file=sys.stderr)
    marks = [Mark(*one) for one in done.values() if one is not None]
    text = "\n".join((*table(marks), ""))
    print(text)
    if options.write:
        TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
