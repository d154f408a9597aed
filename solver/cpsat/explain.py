"""A smallest set of rules that together leave models without a solution.

Every rule is a literal that is assumed to hold. CP-SAT names assumptions that cannot hold
together. A rule is dropped for good if the others still forbid every solution, so each rule
that remains is needed. A last solve with presolve off confirms the set.

The orders of a bag are *cases*, with a model each. Rules forbid a wish if they forbid it in
every case. The search tries the rules of the first case on the next, and adds more where they
are too few. If several cases added rules, each rule is tested for removal again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from burgrave.model.draws import Draw
from burgrave.model.features import Feature
from burgrave.model.final import final_scoring
from burgrave.model.position import Position
from burgrave.model.tiles import Kind
from burgrave.solver.cpsat.base.connectivity import BY_TURN, finished, holes
from burgrave.solver.cpsat.base.cp import Law, Lit, Logic, core, holding
from burgrave.solver.cpsat.base.features import Turns
from burgrave.solver.cpsat.base.instance import needed, survey
from burgrave.solver.cpsat.base.placement import PlacementVars, closed_sides, contacts, place_tiles
from burgrave.solver.cpsat.castle.ending import BEYOND_SCORES
from burgrave.solver.cpsat.castle.markers import CastlePlay
from burgrave.solver.cpsat.engine import in_order, orders, play_model, turn_model
from burgrave.solver.limits import SILENT, Clock, Reporter
from burgrave.solver.problem import Problem, Wish
from burgrave.solver.result import CertificateError

Case = Callable[[], Logic]
"""Builds a model with rules as literals, in which the wish is demanded."""
Cases = Callable[[], Iterable[Case]]
"""Yields the cases, at least one; called several times, and each model is built at its use."""
MODELS_KEPT = 32
"""Models that are kept; those of further cases are rebuilt at each use."""


def smallest(cases: Cases, watch: Clock, reporter: Reporter = SILENT) -> tuple[Law, ...] | None:
    """Return rules that together forbid the wish in every case, or None.

    The reporter hears in how many cases it is impossible.

    Returns:
        The rules by id, each of them needed; empty if no model has a solution even without
        rules. None if some case allows the wish.

    Raises:
        OutOfTimeError: the time or the conflicts are used up.
        CertificateError: with presolve off the rules do not forbid it: a bug.

    """
    built: dict[int, Logic] = {}

    def models() -> Iterator[Logic]:
        """Yield the models of the cases; the first ones are kept."""
        for number, case in enumerate(cases()):
            logic = built.get(number) or case()
            if number < MODELS_KEPT:
                built[number] = logic
            yield logic

    kept: frozenset[str] = frozenset()
    gave = 0
    for number, logic in enumerate(models()):
        reporter.ruled_out(number)
        if not _forbid(logic, kept, watch):
            more = _enough(logic, kept, watch)
            if more is None:
                return None
            kept, gave = more, gave + 1
    for name in sorted(kept) if gave > 1 else ():
        if all(_forbid(logic, kept - {name}, watch) for logic in models()):
            kept -= {name}
    return _confirmed(models(), kept, watch)


def _forbid(logic: Logic, names: Collection[str], watch: Clock) -> bool:
    """Tell whether rules forbid a case."""
    literals = [logic.laws[name][1] for name in sorted(names) if name in logic.laws]
    return core(logic.model, literals, watch) is not None


def _enough(logic: Logic, kept: frozenset[str], watch: Clock) -> frozenset[str] | None:
    """Return the rules kept with as few more as forbid a case; None if it is possible."""
    names = sorted(logic.laws)
    named = core(logic.model, [logic.laws[name][1] for name in names], watch)
    if named is None:
        return None
    found = kept.union(names[i] for i in named)
    # A core may name literals that were never assumed; without them it may be too small.
    if not _forbid(logic, found, watch):
        found = kept.union(names)
    for name in sorted(found - kept):
        if _forbid(logic, found - {name}, watch):
            found -= {name}
    return found


def _confirmed(models: Iterable[Logic], names: Collection[str], watch: Clock) -> tuple[Law, ...]:
    """Return rules by id, after a solve with presolve off confirms them in every case."""
    laws: dict[str, Law] = {}
    for logic in models:
        own = {name: logic.laws[name] for name in names if name in logic.laws}
        laws.update((name, law) for name, (law, _) in own.items())
        held = holding(logic.model, [literal for _, literal in own.values()])
        if core(held, (), watch, presolve=False) is None:
            raise CertificateError("the rules named forbid nothing with presolve off")
    return tuple(laws[name] for name in sorted(names))


def conflict(position: Position, draw: Draw, wish: Wish, watch: Clock) -> tuple[Law, ...] | None:
    """Return rules that together forbid a wish, or None if some turn fulfils it.

    Args:
        position: the position before the turn.
        draw: the tile to be laid and those that had no place before it.
        wish: the demands on the turn.
        watch: the time and the conflicts allowed.

    Returns:
        The rules by id; empty if the wish is impossible without any rule, because no
        feature is there to claim or to double.

    Raises:
        OutOfTimeError: the time is used up.

    """
    turn = turn_model(position, draw, explain=True)
    table: Turns = turn.play.table
    logic, instance = turn.logic, table.instance
    # The model has no variables for other cells.
    walled = position.game.board.cells
    cells = instance.cells if walled else instance.held | position.by_cell().keys()
    if wish.cell is not None and wish.cell not in cells:
        return (instance.laws.elsewhere,)
    kind = instance.kinds[0]
    for (cell, rotation), literal in table.placement.x[0].items():
        elsewhere = wish.cell is not None and wish.cell != cell
        turned = wish.rotation is not None and kind.shape(rotation) != kind.shape(wish.rotation)
        if elsewhere or turned:
            logic.clause(~literal)
    if wish.follower is not None:
        logic.clause(*(table.on[p.number] for p in instance.new if p.kind is wish.follower))
    if isinstance(turn.play, CastlePlay):
        uses = ((one.one.kind, use) for one in turn.play.earned.values() for use in one.uses[:1])
        if wish.doubled is not None:
            logic.clause(*(use for kind_used, use in uses if kind_used is wish.doubled))
        if wish.extra_turns:
            logic.clause(*turn.play.table.extra[0][wish.extra_turns - 1 :][:1])
    return smallest(lambda: [lambda: logic], watch)


def unfinished(position: Position, feature: Feature, watch: Clock) -> tuple[Law, ...] | None:
    """Return rules that together keep a feature from being completed, or None.

    Args:
        position: a position; tiles of its bag come in the best order.
        feature: an uncompleted feature of it of a kind that can be completed.
        watch: the time.

    Returns:
        The rules by id, each of them needed; None if the feature can be completed. An empty
        tuple blames the number and the kinds of the tiles alone.

    Raises:
        OutOfTimeError: the time is used up.

    """
    needs = needed(position, feature)
    if not needs:
        return ()
    logic = Logic(explain=True, watch=watch)
    instance = survey(position, watch=watch, farthest=len(position.order + position.bag))
    placement = place_tiles(logic, instance.of_kind(feature.kind))
    if feature.kind is Kind.CLOISTER:
        for cell in sorted(needs):
            logic.clause(placement.full(cell, len(instance.kinds) - 1))
    else:
        logic.clause(*_closed(placement, feature))
    return smallest(lambda: [lambda: logic], watch)


def _closed(placement: PlacementVars, feature: Feature) -> Iterator[Lit]:
    """Yield for every possible leader whether it leads the feature, and that is complete.

    Followers and towers change neither the tiles nor their places.
    """
    instance, touch, shut = placement.instance, contacts(placement), closed_sides(placement)
    number = next(part.number for part in instance.old if part.feature == feature)
    walls = holes(instance)
    for leader, members in BY_TURN.join(placement, touch, {}, {}).items():
        if number in members:
            done = finished(placement, shut, walls, leader, members)
            if done:
                yield placement.logic.all_of((members[number], done[max(done)]))


def out_of_reach(
    problem: Problem, value: int, watch: Clock, reporter: Reporter
) -> tuple[Law, ...] | None:
    """Return rules that together keep the asker from a value, or None.

    Args:
        problem: all players serve the asker; unknown tiles come in his best order.
        value: the value to be reached.
        watch: the time and the conflicts allowed.
        reporter: hears in how many orders of the bag it is impossible.

    Returns:
        The rules by id, each of them needed; None if some play reaches the value. An empty
        tuple blames the given position alone.

    Raises:
        OutOfTimeError: the time is used up.

    """
    if problem.position.over:
        return () if problem.worth(*final_scoring(problem.position).scores) < value else None
    least = max(-BEYOND_SCORES, min(value, BEYOND_SCORES))

    def case(order: tuple[str, ...]) -> Logic:
        """Return the model of an order of the bag, which demands the value."""
        model = play_model(in_order(problem, order), BY_TURN, watch, explain=True)
        model.logic.model.add(model.value >= least)
        return model.logic

    bag = problem.position.bag
    return smallest(lambda: (partial(case, order) for order in orders(bag)), watch, reporter)
