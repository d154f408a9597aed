"""Answers to questions about several turns from the timeline model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from model.final import final_scoring
from solver.answers import Status
from solver.certify import CertificateError
from solver.cpsat.run import Limits, Proof, between, climb, possible
from solver.cpsat.timeline.joining import Encoding
from solver.cpsat.timeline.model import timeline
from solver.cpsat.timeline.ranks import Ranks
from solver.cpsat.timeline.reading import read_plan, replayed
from solver.cpsat.timeline.specials import is_relaxed, strange
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
        """Tell whether the engine can answer a task: known order, nobody against the asker."""
        return (
            task.play is not Play.AGAINST
            and task.order is Order.GIVEN
            and task.goal is not Goal.WIN
            and not task.every
            and not strange(task.position.game)
        )

    def solve(self, task: Task) -> Finding:
        """Answer a task; one of the best first moves comes with its line."""
        task = replace(task, position=task.begin(task.position))
        if task.position.over or task.horizon == 0:
            return Finding(status=Status.OPTIMAL, value=Fraction(_now(task)))
        if task.watch.out:
            return NOTHING
        task.reporter.stage("building the model")
        model = timeline(task, self.encoding)
        task.reporter.stage("solving")
        limits = Limits(seconds=task.watch.left(), conflicts=task.watch.most)
        found = climb(
            model.logic.model,
            model.value,
            partial(read_plan, model),
            limits,
            task.reporter.found,
        )
        best = found.best
        if best.proof is Proof.NONE:
            raise CertificateError("the tiles can be laid, but the model has no solution")
        if best.row is None or best.value is None:
            return replace(NOTHING, nodes=found.conflicts)
        line, value = replayed(task, model, best.row)
        proved = best.proof is Proof.DONE
        short = value < best.value and not is_relaxed(task.position)
        if short or (proved and value > best.value):
            raise CertificateError(f"a line is said to be worth {best.value}; it is worth {value}")
        worth = Fraction(value)
        return Finding(
            status=Status.OPTIMAL if proved and value == best.value else Status.BOUND,
            value=worth,
            first=(First(move=line[0], value=worth, line=line),),
            complete=False,
            nodes=found.conflicts,
        )

    def confirm(self, task: Task, value: Fraction) -> bool | None:
        """Tell whether a second solve, with presolve off, proves that nothing is better.

        Args:
            task: a task that was answered.
            value: the value that is said to be best.

        Returns:
            True if it is proved, None if the time was not enough.

        Raises:
            CertificateError: there is something better after all.

        """
        task = replace(task, position=task.begin(task.position))
        if task.position.over or task.horizon == 0:
            return value == _now(task)
        model = timeline(task, self.encoding)
        better = between(model.logic.model, model.value, int(value) + 1, None)
        answer = possible(better, task.watch.left(), presolve=False)
        if answer:
            raise CertificateError(f"{value} was proved best, but with presolve off there is more")
        return None if answer is None else True


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
