"""The engines on CP-SAT: one for a turn, and one for all turns to come as one model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from burgrave.model import registry
from burgrave.model.draws import Draw, draws
from burgrave.model.final import final_scoring
from burgrave.model.position import Position
from burgrave.solver.cpsat.base.connectivity import BY_RANK, BY_TURN, Encoding
from burgrave.solver.cpsat.base.cp import Logic, Proof, between, every, maximise, no, possible
from burgrave.solver.cpsat.base.features import Family, Model
from burgrave.solver.cpsat.base.instance import before_turn, survey
from burgrave.solver.cpsat.base.placement import place_tiles
from burgrave.solver.cpsat.castle.model import CASTLE
from burgrave.solver.cpsat.plane.model import PLANE
from burgrave.solver.limits import NO_LIMIT, SILENT, Clock, Limits, OutOfTimeError, Reporter
from burgrave.solver.problem import Goal, Play, Problem, TileOrder, face_down, the_draw
from burgrave.solver.result import (
    NOTHING,
    CertificateError,
    Result,
    RootMove,
    ScoredMove,
    Status,
    best_listed,
    passing,
    ranked,
)

NEAR = 2
"""Distance from a tile of a plane up to which the explanation of a turn tries all cells."""


_FAMILIES = {registry.CASTLE: CASTLE, registry.CARCASSONNE: PLANE}
"""The family of each base."""


def _family(position: Position) -> Family:
    """Return the family of the game that is played."""
    return _FAMILIES[position.game.base]


def turn_model(
    position: Position, draw: Draw, goal: Goal = Goal.POINTS, *, explain: bool = False
) -> Model:
    """Build the model of a turn; each of its solutions is a turn.

    Args:
        position: the position before the turn.
        draw: the tile to be laid and those that had no place before it; on a plane a turn
            without a tile may have a decision too.
        goal: whether points or the lead are the value of the turn.
        explain: whether rules become literals that can be assumed.

    """
    logic, family = Logic(explain=explain), _family(position)
    instance = survey(before_turn(position, draw), 1, farthest=NEAR if explain else 0)
    play = family.play(logic, instance, BY_TURN, None)
    (laid,) = play.table.placement.laid
    logic.clause(no(laid) if draw.tile is None else laid)
    totals = family.totals(play)
    mine = totals[position.to_move]
    return Model(
        logic=logic,
        family=family,
        play=play,
        value=mine if goal is Goal.POINTS else 2 * mine - sum(totals),
        totals=totals,
    )


def play_model(
    problem: Problem, encoding: Encoding, clock: Clock | None = None, *, explain: bool = False
) -> Model:
    """Build the model of a problem in which all players serve the asker.

    Args:
        problem: the question, to the end of the game and with a known order of the tiles. Its
            position is as the asker meets it.
        encoding: the encoding of connectivity.
        clock: the time to build it; None for no limit.
        explain: whether rules become literals that can be assumed.

    Raises:
        OutOfTimeError: the time is used up.

    """
    position = problem.position
    logic, family = Logic(explain=explain, watch=clock), _family(position)
    farthest = len(position.order) if explain else 0
    instance = survey(position, watch=clock, farthest=farthest)
    play = family.play(logic, instance, encoding, problem)
    value = family.value(play, problem)
    return Model(logic=logic, family=family, play=play, value=value)


def _turn(problem: Problem) -> Model | None:
    """Return the model of a turn; None if the turn has no decision."""
    draw = the_draw(problem)
    if draw.tile is None and not _family(problem.position).acts_without_tile:
        return None
    return turn_model(problem.position, draw, problem.goal)


class CpsatEngine:
    """Finds moves with CP-SAT."""

    name = "cpsat"

    def answers(self, problem: Problem) -> bool:
        """Tell whether a problem is about one turn."""
        return problem.gains

    def draws(self, position: Position) -> Iterator[Draw]:
        """Yield what the player may draw this turn."""
        yield from draws(position, _placeable)

    def moves(
        self,
        problem: Problem,
        limits: Limits = NO_LIMIT,
        reporter: Reporter = SILENT,  # noqa: ARG002 -- all moves come at once
    ) -> tuple[ScoredMove, ...] | None:
        """Return every legal move of a turn; None if time is out."""
        turn = _turn(problem)
        if turn is None:
            return (passing(problem),)
        listed = every(turn.logic.model, turn.scored, limits.seconds)
        return None if listed is None else tuple(turn.moves(problem, listed))

    def solve(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> Result:
        """Return the best moves of a turn.

        CP-SAT maximises the value. A second solve with presolve off proves that nothing is
        better. An enumeration then lists all solutions of that value.
        """
        clock = limits.start()
        turn = _turn(problem)
        if turn is None:
            proof = "no tile left has a place, by two solves, one with presolve off"
            return best_listed(problem, (passing(problem),), proof)
        reporter.stage(f"laying {the_draw(problem).tile or 'nothing'}")
        top = maximise(turn.logic.model, turn.value, turn.scored, clock)
        if top.proof is Proof.NONE:
            raise CertificateError(f"there is no turn with tile {the_draw(problem).tile}")
        if top.value is None or top.row is None:
            return NOTHING
        reporter.found(top.value)
        one = ranked(problem, turn.moves(problem, (top.row,)))
        worth = Fraction(top.value)
        most = None if top.bound is None else Fraction(top.bound)
        unproved = Result(status=Status.BOUND, value=worth, most=most, first=one, complete=False)
        try:
            if top.proof is not Proof.DONE or not _confirmed(turn, top.value, clock, reporter):
                return unproved
            found, complete = _all_best(problem, turn, top.value, clock, reporter)
        except KeyboardInterrupt:  # Ctrl-C: the answer is the best so far
            return unproved
        proof = f"no move is worth more than {top.value}: two solves, one with presolve off"
        return Result(
            status=Status.OPTIMAL if complete else Status.BOUND,
            value=worth,
            most=worth,
            first=ranked(problem, found) if found else one,
            complete=complete,
            confirmed=(proof,),
        )


def _placeable(position: Position, tile: str) -> bool:
    """Tell whether a tile has a place; the answer no is proved twice."""
    logic = Logic()
    instance = survey(before_turn(position, Draw((), tile)), 1)
    logic.clause(place_tiles(logic, instance).laid[0])
    if possible(logic.model, None):
        return True
    if possible(logic.model, None, presolve=False):
        raise CertificateError(f"tile {tile} has a place with presolve off and none with it")
    return False


def _confirmed(turn: Model, value: int, clock: Clock, reporter: Reporter) -> bool:
    """Tell whether a second solve, with presolve off, proves that nothing is better."""
    reporter.stage(f"proving {value} again")
    better = between(turn.logic.model, turn.value, value + 1, None)
    answer = possible(better, clock.left(), presolve=False)
    if answer:
        raise CertificateError(f"{value} was proved best, but with presolve off there is better")
    return answer is not None


def _all_best(
    problem: Problem, turn: Model, best: int, clock: Clock, reporter: Reporter
) -> tuple[list[ScoredMove], bool]:
    """Return the moves of the best value, and all others too if these are fewer than ``top``.

    Returns:
        The moves, and whether the list is complete: it is not if time ran out.

    """
    found: list[ScoredMove] = []
    for name, least, most in ((f"moves worth {best}", best, None), ("others", None, best - 1)):
        if len(found) < problem.top:
            reporter.stage(f"listing {name}")
            level = between(turn.logic.model, turn.value, least, most)
            listed = every(level, turn.scored, clock.left())
            if listed is None:
                return found, False
            found += turn.moves(problem, listed)
            reporter.listed(len(found))
    return found, True


@dataclass(frozen=True, slots=True)
class PlayEngine:
    """Finds the best value that any line of play reaches, with one CP-SAT model of all turns."""

    encoding: Encoding

    @property
    def name(self) -> str:
        """The name of the encoding of connectivity."""
        return self.encoding.name

    def answers(self, problem: Problem) -> bool:
        """Tell whether a problem has no opponent, and its unknowns are known or chosen."""
        chosen = problem.order is TileOrder.CHOOSE and not face_down(problem.position)
        return (
            problem.play in {Play.HELPED, Play.SOLITAIRE}
            and (problem.order is TileOrder.GIVEN or chosen)
            and problem.goal is not Goal.WIN
            and not problem.every
            and _to_the_end(problem)
        )

    def solve(
        self, problem: Problem, limits: Limits = NO_LIMIT, reporter: Reporter = SILENT
    ) -> Result:
        """Return the best value, and one best first move with its line.

        If the order of the bag may be chosen, each order has its own model. That model demands
        a better value than the orders before it reached.
        """
        clock = limits.start()
        problem = replace(problem, position=problem.begin(problem.position))
        if problem.position.over:
            value = problem.worth(*final_scoring(problem.position).scores)
            return Result(status=Status.OPTIMAL, value=Fraction(value))
        best, proved = NOTHING, True
        try:
            for order in orders(problem.position.bag):
                clock.look()
                at = in_order(problem, order)
                found = self._best_line(at, best.value, clock, reporter)
                best = best if found.value is None else found
                proved = found.status is Status.OPTIMAL
                if not proved:
                    break
        except (OutOfTimeError, KeyboardInterrupt):
            proved = False
        if best.value is None:
            return replace(NOTHING, nodes=clock.nodes)
        status = Status.OPTIMAL if proved else Status.BOUND
        # With a bag, the bound holds for the last order alone.
        most = None if problem.position.bag else best.most
        return replace(best, status=status, nodes=clock.nodes, most=most)

    def _best_line(
        self, problem: Problem, known: Fraction | None, clock: Clock, reporter: Reporter
    ) -> Result:
        """Return the best line of play with the tiles in known order.

        If nothing is better than ``known``, the result is ``optimal`` without a value.
        """
        reporter.stage("building the model")
        model = play_model(problem, self.encoding, clock)
        reporter.stage("solving")
        better = model.logic.model
        if known is not None:
            better = between(better, model.value, int(known) + 1, None)
        best = maximise(better, model.value, model.read, clock, reporter.found)
        if best.proof is Proof.NONE:
            if known is None:
                raise CertificateError("the tiles can be laid, but the model has no solution")
            return replace(NOTHING, status=Status.OPTIMAL)
        if best.row is None or best.value is None:
            return NOTHING
        line, value = model.replay(problem, best.row)
        proved = best.proof is Proof.DONE
        if value < best.value or (proved and value > best.value):
            raise CertificateError(f"a line is said to be worth {best.value}; it is worth {value}")
        worth = Fraction(value)
        return Result(
            status=Status.OPTIMAL if proved else Status.BOUND,
            value=worth,
            first=(RootMove(move=line[0], value=worth, line=line),),
            complete=False,
            most=None if best.bound is None else Fraction(best.bound),
        )


def orders(bag: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every order of the tiles of a bag once, sorted by ids."""
    if not bag:
        yield ()
    for tile in sorted(set(bag)):
        rest = list(bag)
        rest.remove(tile)
        for order in orders(rest):
            yield tile, *order


def in_order(problem: Problem, order: tuple[str, ...]) -> Problem:
    """Return a problem with the tiles of its bag in an order."""
    position = problem.position
    return replace(problem, position=replace(position, order=position.order + order, bag=()))


def _to_the_end(problem: Problem) -> bool:
    """Tell whether a problem runs to the end of a game that has begun, if it is on a plane."""
    position = problem.position
    left = len(position.order) + len(position.bag)
    begun = bool(position.tiles or position.game.board.starts)
    return begun and (problem.horizon is None or problem.horizon >= left)


time_engine = partial(PlayEngine, BY_TURN)
rank_engine = partial(PlayEngine, BY_RANK)
