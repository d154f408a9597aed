"""Compile everything beforehand: ``python -m burgrave.puzzles.warming castle`` does one family."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

from burgrave.model.errors import BurgraveError
from burgrave.model.files.paths import HOME
from burgrave.model.position import Position
from burgrave.puzzles.files.library import find, position, puzzle
from burgrave.puzzles.judging.quality import measured
from burgrave.solver.engines import SEARCH
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Play
from burgrave.solver.questions import expected, maximum
from burgrave.solver.simulation import COMPILED, simulation, table

FAMILIES = {
    "castle": ("tower-and-path-in-one-move",),
    "plane": ("prisoner-of-the-tower", "three-at-one-table"),
}
"""By family of games: a puzzle whose measures take searches, facts and playouts, and a position of
more players than two, where more may play."""
DUEL = 2
"""The number of players of a simulation."""


def warm() -> None:
    """Compile everything that is not compiled yet, which takes about a minute.

    Two processes do it side by side. Code on the disk is loaded, so that damage is mended.

    Raises:
        BurgraveError: a process failed; the message holds its last words.

    """
    runs = {
        family: subprocess.Popen(  # noqa: S603 -- this program
            [sys.executable, "-P", "-m", "burgrave.puzzles.warming", family],
            env={**os.environ, "PYTHONPATH": str(HOME)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        for family in FAMILIES
    }
    try:
        for family, run in runs.items():
            words = run.communicate()[1].strip().splitlines()
            if run.returncode:
                why = words[-1] if words else f"its process ended with {run.returncode}"
                raise BurgraveError(f"the code for {family} cannot be compiled: {why}")
    finally:
        for run in runs.values():
            run.kill()
            run.wait()


def compile_family(family: str) -> None:
    """Ask what runs every compiled function of a family of games."""
    name, *more = FAMILIES[family]
    measured(puzzle(find(name)))
    for at in map(position, map(find, (name, *more))):
        bag = replace(at, order=(), bag=tuple(sorted(at.order)))
        for asked in (at, bag):
            expected(asked, budget=Limits(nodes=1))
        maximum(replace(at, order=at.order[:2]), play=Play.SOLITAIRE, engine=SEARCH)
        _play(at)


def _play(at: Position) -> None:
    """Play a turn and take it back in both ways in which games are simulated."""
    tile = at.order[0]
    walk = table(at, COMPILED)
    walk.totals()
    walk.standing()
    walk.play(next(iter(walk.turns(tile, last=False))), last=False)
    walk.undo()
    if len(at.players) == DUEL:
        game = simulation(at)
        game.contested()
        mark = game.mark()
        game.play(game.judged(tile, 1)[0].turn, last=False)
        game.undo(mark)


if __name__ == "__main__":
    compile_family(sys.argv[1])
