"""Answers to questions about several turns from the timeline model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from model.final import final_scoring
from model.position import Move
from solver.answers import Status
from solver.budget import OutOfTimeError
from solver.certify import CertificateError
from solver.cpsat.plane.timeline import reading as plane
from solver.cpsat.plane.timeline.model import plane_timeline
from solver.cpsat.run import Limits, Proof, Reading, between, climb
from solver.cpsat.timeline.joining import Encoding
from solver.cpsat.timeline.model import timeline
from solver.cpsat.timeline.ranks import Ranks
from solver.cpsat.timeline.reading import read_plan, replayed
from solver.cpsat.timeline.times import Times
from solver.outlook import NOTHING, Finding, First, Goal, Order, Play, Task


@dataclass(frozen=True, slots=True)
class TimelineEngine:
    """Finds the most that any play can reach, with one CP-SAT model of all turns."""

    encoding: Encoding

    @property
    def name(self) -> str:
        """The name of the encoding of connectivity."""
        return self.encoding.name

    def covers(self, task: Task) -> bool:
        """Tell whether the engine can answer a task: nobody against the asker, all known."""
        chosen = task.order is Order.CHOOSE and all(number for _, number in task.position.towers)
        return (
            task.play in {Play.HELPED, Play.SOLITAIRE}
            and (task.order is Order.GIVEN or chosen)
            and task.goal is not Goal.WIN
            and not task.every
            and (not task.position.game.board.endless or _on_plane(task))
        )

    def solve(self, task: Task) -> Finding:
        """Answer a task; one of the best first moves comes with its line.

        Where the order may be chosen every order is a model of its own, in which all but what is
        better than the orders before is forbidden.
        """
        task = replace(task, position=task.begin(task.position))
        if task.position.over or task.horizon == 0:
            return Finding(status=Status.OPTIMAL, value=Fraction(_now(task)))
        best, conflicts, proved = NOTHING, 0, True
        try:
            for order in orders(task.position.bag):
                proved = not task.watch.out
                if not proved:
                    break
                position = replace(task.position, order=task.position.order + order, bag=())
                found = self._in_order(replace(task, position=position), best.value, conflicts)
                conflicts += found.nodes
                best = best if found.value is None else found
                proved = found.status is Status.OPTIMAL
                if not proved:
                    break
        except (OutOfTimeError, KeyboardInterrupt):
            proved = False
        if best.value is None:
            return replace(NOTHING, nodes=conflicts)
        status = Status.OPTIMAL if proved else Status.BOUND
        # With a bag the bound is that of one order of several.
        most = None if task.position.bag else best.most
        return replace(best, status=status, nodes=conflicts, most=most)

    def _in_order(self, task: Task, known: Fraction | None, conflicts: int) -> Finding:
        """Return the best play with the tiles in known order.

        Args:
            task: the question.
            known: a value that can be had otherwise; None if none is known.
            conflicts: conflicts met before.

        Returns:
            What was found; ``optimal`` without a value if nothing is better than ``known``.

        """
        task.reporter.stage("building the model")
        family = PLANE if task.position.game.board.endless else CASTLE
        model = family.build(task, self.encoding)
        task.reporter.stage("solving")
        allowed = None if task.watch.most is None else max(0, task.watch.most - conflicts)
        better = model.logic.model
        if known is not None:
            better = between(better, model.value, int(known) + 1, None)
        found = climb(
            better,
            model.value,
            partial(family.read, model),
            Limits(seconds=task.watch.left(), conflicts=allowed),
            task.reporter.found,
        )
        best = found.best
        if best.proof is Proof.NONE:
            if known is None:
                raise CertificateError("the tiles can be laid, but the model has no solution")
            return Finding(status=Status.OPTIMAL, value=None, nodes=found.conflicts)
        if best.row is None or best.value is None:
            return replace(NOTHING, nodes=found.conflicts)
        line, value = family.replay(task, model, best.row)
        proved = best.proof is Proof.DONE
        if value < best.value or (proved and value > best.value):
            raise CertificateError(f"a line is said to be worth {best.value}; it is worth {value}")
        worth = Fraction(value)
        return Finding(
            status=Status.OPTIMAL if proved else Status.BOUND,
            value=worth,
            first=(First(move=line[0], value=worth, line=line),),
            complete=False,
            nodes=found.conflicts,
            most=None if best.bound is None else Fraction(best.bound),
        )


def orders(bag: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every order of the tiles of a bag once, those that begin with low ids first."""
    if not bag:
        yield ()
    for tile in sorted(set(bag)):
        rest = list(bag)
        rest.remove(tile)
        for order in orders(rest):
            yield tile, *order


class Family(NamedTuple):
    """How several turns of the games of a family become a model."""

    build: Callable[[Task, Encoding], Any]
    """Makes the model, which has a ``logic`` and a ``value``."""
    read: Callable[[Any, Reading], Any]
    """Reads a plan off a solution."""
    replay: Callable[[Task, Any, Any], tuple[tuple[Move, ...], int]]
    """Makes moves of a plan and says what their end is worth."""


CASTLE = Family(timeline, read_plan, replayed)
PLANE = Family(plane_timeline, plane.read_plan, plane.replayed)


def _on_plane(task: Task) -> bool:
    """Tell whether a task on a plane can be answered: to the end of the game."""
    left = len(task.position.order) + len(task.position.bag)
    return bool(task.position.tiles) and (task.horizon is None or task.horizon >= left)


def _now(task: Task) -> int:
    """Return what a position is worth in which no further turn is looked at."""
    position = task.position
    if position.over:
        return task.worth(*final_scoring(position).scores)
    return task.worth(*(player.score for player in position.players))


def time_engine() -> TimelineEngine:
    """Return the engine with the classes of connected parts after every turn."""
    return TimelineEngine(Times())


def rank_engine() -> TimelineEngine:
    """Return the engine with labels and ranks on the board as it is in the end."""
    return TimelineEngine(Ranks())
