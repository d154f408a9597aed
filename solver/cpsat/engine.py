"""The engines that ask CP-SAT: about one turn, and about several turns as one model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, Protocol

from model.draws import Draw, draws
from model.final import final_scoring
from model.position import Move, Position
from solver.answers import Objective, Status
from solver.budget import OutOfTimeError
from solver.certify import CertificateError
from solver.cpsat.base.cp import (
    Expression,
    Limits,
    Listed,
    Proof,
    Reading,
    between,
    climb,
    every,
    maximise,
    possible,
)
from solver.cpsat.base.instance import before_turn
from solver.cpsat.base.logic import Logic, Model
from solver.cpsat.castle.instance import survey as castle_survey
from solver.cpsat.castle.model import castle_model
from solver.cpsat.castle.reading import read_plan as castle_plan
from solver.cpsat.castle.reading import replay as castle_replay
from solver.cpsat.castle.turn import castle_turn
from solver.cpsat.connectivity.by_rank import ByRank
from solver.cpsat.connectivity.by_turn import ByTurn
from solver.cpsat.connectivity.protocol import Encoding
from solver.cpsat.plane.instance import survey as plane_survey
from solver.cpsat.plane.model import plane_model
from solver.cpsat.plane.reading import read_plan as plane_plan
from solver.cpsat.plane.reading import replay as plane_replay
from solver.cpsat.plane.turn import plane_turn
from solver.cpsat.shared.placement import place_tiles
from solver.engines import UNKNOWN, Found, Result, Search, passing, ranked
from solver.outlook import NOTHING, Finding, First, Goal, Order, Play, Task


class Turn(Protocol):
    """A turn as a model, in any family of games; a solution is what ``read`` makes of one."""

    @property
    def logic(self) -> Logic:
        """The model."""

    @property
    def entangled(self) -> bool:
        """Whether how a move is named depends on moves of other values."""

    @property
    def totals(self) -> Sequence[Expression]:
        """The points that each player wins."""

    def read(self, reading: Reading) -> Any:
        """Read a solution off the variables."""

    def found(self, solutions: Iterable[Any]) -> list[Found]:
        """Return the moves that solutions stand for, in the order of the reference engine."""

    def shown(self, solution: Any) -> Found:
        """Return one solution as a move, whatever the others are."""


def _turn(search: Search) -> Turn | None:
    """Return the model of a turn; None if there is nothing to decide in it."""
    if search.position.game.board.endless:
        return plane_turn(search.position, search.draw)
    return None if search.draw.tile is None else castle_turn(search.position, search.draw)


def _value(search: Search, turn: Turn) -> Expression:
    """Return the turn's value in points for the mover."""
    mine = turn.totals[search.position.to_move]
    return mine if search.objective is Objective.POINTS else 2 * mine - sum(turn.totals)


class CpsatEngine:
    """Finds moves with CP-SAT."""

    name = "cpsat"

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        yield from draws(position, _placeable)

    def moves(self, search: Search) -> tuple[Found, ...] | None:
        """Return every legal move with the draw; None if time is out."""
        turn = _turn(search)
        if turn is None:
            return (passing(search),)
        listed = _listed(search, turn, None, None)
        return None if listed.proof is Proof.STOPPED else tuple(turn.found(listed.rows))

    def best(self, search: Search) -> Result:
        """Return the best moves with the draw.

        The optimum is a maximisation that CP-SAT closes; that nothing is better is proved
        once more with presolve off; then all solutions of that value are listed.
        """
        turn = _turn(search)
        if turn is None:
            proof = "no tile left has a place, by two solves, one with presolve off"
            return Result(
                status=Status.OPTIMAL,
                value=0,
                bound=0,
                found=(passing(search),),
                confirmed=(proof,),
            )
        search.reporter.stage(f"laying {search.draw.tile or 'nothing'}")
        value = _value(search, turn)
        top = maximise(turn.logic.model, value, turn.read, search.watch.left())
        if top.proof is Proof.NONE:
            raise CertificateError(f"there is no turn with tile {search.draw.tile}")
        if top.value is None or top.row is None:
            return UNKNOWN
        search.reporter.found(top.value)
        one = (turn.shown(top.row),)
        unproved = Result(status=Status.BOUND, value=top.value, bound=top.bound, found=one)
        try:
            if top.proof is not Proof.DONE or not _confirmed(search, turn, top.value):
                return unproved
            found, complete = _all_best(search, turn, top.value)
        except KeyboardInterrupt:  # Ctrl-C: what is known so far is the answer
            return unproved
        proof = f"no move is worth more than {top.value}: two solves, one with presolve off"
        return Result(
            status=Status.OPTIMAL if complete else Status.BOUND,
            value=top.value,
            bound=top.value,
            found=ranked(search, found) if found else one,
            confirmed=(proof,),
        )


def _placeable(position: Position, tile: str) -> bool:
    """Tell whether a tile can lie anywhere; that it cannot is proved twice."""
    logic, at = Logic(), before_turn(position, Draw((), tile))
    if position.game.board.endless:
        instance, _ = plane_survey(replace(at, order=(tile,)), None)
    else:
        instance = castle_survey(at, 1)
    logic.clause(place_tiles(logic, instance).laid[0])
    if possible(logic.model, None):
        return True
    if possible(logic.model, None, presolve=False):
        raise CertificateError(f"tile {tile} has a place with presolve off and none with it")
    return False


def _confirmed(search: Search, turn: Turn, value: int) -> bool:
    """Tell whether a second solve, with presolve off, proves that nothing is better."""
    search.reporter.stage(f"proving {value} again")
    better = between(turn.logic.model, _value(search, turn), value + 1, None)
    answer = possible(better, search.watch.left(), presolve=False)
    if answer:
        raise CertificateError(f"{value} was proved best, but with presolve off there is better")
    return answer is not None


def _all_best(search: Search, turn: Turn, best: int) -> tuple[list[Found], bool]:
    """Return all moves of the best value, and of lower ones until there are enough.

    Also whether these are all: they are not if time ran out.
    """
    if turn.entangled:
        search.reporter.stage("listing moves")
        listed = _listed(search, turn, None, None)
        return ([], False) if listed.proof is Proof.STOPPED else (turn.found(listed.rows), True)
    value = _value(search, turn)
    found: list[Found] = []
    level: int | None = best
    while level is not None and len(found) < search.top:
        search.reporter.stage(f"listing moves worth {level}")
        listed = _listed(search, turn, level, level)
        if listed.proof is Proof.STOPPED:
            return found, False
        found += turn.found(listed.rows)
        search.reporter.listed(len(found))
        if len(found) < search.top:
            lower = between(turn.logic.model, value, None, level - 1)
            below = maximise(lower, value, turn.read, search.watch.left())
            if below.proof is Proof.STOPPED:
                return found, False
            level = below.value
    return found, True


def _listed(search: Search, turn: Turn, least: int | None, most: int | None) -> Listed[Any]:
    """Return the solutions with a value between two limits."""
    model = between(turn.logic.model, _value(search, turn), least, most)
    return every(model, turn.read, search.watch.left())


@dataclass(frozen=True, slots=True)
class PlayEngine:
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
            partial(family.read, model.play),
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
        line, value = family.replay(task, model.play, best.row)
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

    build: Callable[[Task, Encoding], Model[Any]]
    """Makes the model."""
    read: Callable[[Any, Reading], Any]
    """Reads a plan off a solution, given the play."""
    replay: Callable[[Task, Any, Any], tuple[tuple[Move, ...], int]]
    """Makes moves of a plan and says what their end is worth."""


CASTLE = Family(castle_model, castle_plan, castle_replay)
PLANE = Family(plane_model, plane_plan, plane_replay)


def _on_plane(task: Task) -> bool:
    """Tell whether a task on a plane can be answered: to the end of the game."""
    left = len(task.position.order) + len(task.position.bag)
    return bool(task.position.tiles) and (task.horizon is None or task.horizon >= left)


def _now(task: Task) -> int:
    """Return what a position is worth in which no further turn begins."""
    position = task.position
    if position.over:
        return task.worth(*final_scoring(position).scores)
    return task.worth(*(player.score for player in position.players))


def time_engine() -> PlayEngine:
    """Return the engine with the classes of connected parts after every turn."""
    return PlayEngine(ByTurn())


def rank_engine() -> PlayEngine:
    """Return the engine with labels and ranks on the board as it is in the end."""
    return PlayEngine(ByRank())
