"""The calls of CP-SAT: proofs, listing, cores, the end of the time and Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
from itertools import product
from operator import mul
from typing import Any

import pytest
from ortools.sat.python import cp_model  # noqa: TID253 -- its calls are tested

from burgrave.solver.cpsat.base.cp import (
    Best,
    CpModel,
    Logic,
    Proof,
    at_least,
    between,
    core,
    every,
    holding,
    maximise,
    possible,
    weighted,
)
from burgrave.solver.limits import Limits, OutOfTimeError

PRODUCT = 268435459 * 4294967311
"""Two primes, the smaller one a little above 2^28."""


def pigeons(holes: int) -> CpModel:
    """Return a model with one pigeon more than holes: impossible."""
    model = CpModel()
    sits = [[model.new_bool_var("") for _ in range(holes)] for _ in range(holes + 1)]
    for pigeon in sits:
        model.add_bool_or(pigeon)
    for hole in range(holes):
        for first in range(holes + 1):
            for second in range(first):
                model.add_bool_or([~sits[first][hole], ~sits[second][hole]])
    return model


def factors() -> CpModel:
    """Return a model that looks for a factor of a number that has none so small: very slow."""
    model = CpModel()
    small, large = model.new_int_var(2, 2**28, ""), model.new_int_var(2, 2**33, "")
    model.add_multiplication_equality(PRODUCT, [small, large])
    return model


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("weight", [-1, 1, 2])
def test_a_kept_sum_does_not_change(count: int, weight: int) -> None:
    """A term added to the opposite of a sum's opposite does not change the sum."""
    model = CpModel()
    opposite = -weighted((weight, model.new_bool_var(f"x{index}")) for index in range(count))
    text = str(opposite)
    further = -opposite + model.new_bool_var("y")
    assert str(opposite) == text
    assert "y" in str(further)


@pytest.mark.parametrize("weights", [(1, 1), (2, -1), (1, 2, 3)])
def test_a_lower_bound_is_exact(weights: tuple[int, ...]) -> None:
    """The literal holds for the values of its terms whose sum is large enough, and for no others.

    One more term is known from the beginning.
    """
    for least in range(-1, sum(weights) + 3):
        logic = Logic()
        literals = [logic.decision(str(index)) for index in range(len(weights))]
        holds = at_least(logic, [*zip(weights, literals, strict=True), (1, True)], least)
        logic.clause(holds)
        assignments = product((0, 1), repeat=len(weights))
        large = {one for one in assignments if 1 + sum(map(mul, weights, one)) >= least}
        found = every(logic.model, lambda value, of=literals: tuple(map(value, of)), None)
        assert {*(found or ())} == large


def test_maximum_is_proved() -> None:
    """The largest value comes with its proof and the reading of its solution."""
    model = CpModel()
    x = model.new_int_var(0, 10, "x")
    model.add(3 * x <= 22)
    assert maximise(model, x, lambda value: value(2 * x), Limits().start()) == Best(
        proof=Proof.DONE, value=7, bound=7, row=14
    )
    higher = between(model, x, 8, None)
    assert maximise(higher, x, lambda value: value(x), Limits().start()).proof is Proof.NONE
    lower = between(model, x, None, 6)
    assert maximise(lower, x, lambda value: value(x), Limits().start()).value == 6


def test_every_solution_comes_once() -> None:
    """A listing has each solution once, in the same order on every run."""
    model = CpModel()
    x = [model.new_bool_var("") for _ in range(4)]
    model.add(sum(x) == 2)
    runs = [every(model, lambda value: tuple(map(value, x)), None) for _ in range(2)]
    assert runs[0] is not None
    assert runs[0] == runs[1]
    assert len(runs[0]) == len(set(runs[0])) == 6


def test_listing_nothing_is_a_proof() -> None:
    """Of an impossible model nothing is listed, and that is proved."""
    model = CpModel()
    model.add_bool_or([])
    assert every(model, lambda value: value(1), None) == ()


@pytest.mark.parametrize("presolve", [True, False])
def test_possible(presolve: bool) -> None:  # noqa: FBT001
    """With and without presolve a solution is found, and its lack is proved."""
    assert possible(pigeons(3), None, presolve=presolve) is False
    assert possible(CpModel(), None, presolve=presolve) is True


def test_time_ends_without_a_claim() -> None:
    """When the time is up nothing is claimed."""
    assert possible(factors(), 0.2, presolve=False) is None
    model, now = factors(), Limits(seconds=0).start()
    assert maximise(model, model.new_int_var(0, 1, ""), lambda value: value(1), now) == Best(
        proof=Proof.STOPPED, value=None, bound=None, row=None
    )
    assert every(factors(), lambda value: value(1), 0.0) is None


def test_core_names_assumptions_that_clash() -> None:
    """A core names only assumptions that clash; assumptions that agree have no core."""
    model = CpModel()
    first, second, third = (model.new_bool_var("") for _ in range(3))
    model.add_bool_or([~first, ~third])
    named = core(model, [first, second, third], Limits().start())
    assert named is not None
    assert {0, 2} <= set(named)
    assert core(model, [first, second], Limits().start()) is None
    assert core(model, [first, third], Limits().start(), presolve=False) is not None
    assert possible(holding(model, [first, third]), None) is False
    assert possible(holding(model, [first, second]), None) is True


def test_core_counts_conflicts_and_stops_at_the_most() -> None:
    """The conflicts met count against the limit; at the limit there is no answer."""
    watch = Limits(nodes=3).start()
    with pytest.raises(OutOfTimeError):
        core(pigeons(9), (), watch)
    assert watch.nodes == 3
    with pytest.raises(OutOfTimeError):
        core(pigeons(3), (), Limits(seconds=0).start())


def press() -> None:
    """Press Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


class Pressed(cp_model.CpSolver):
    """A solver at which Ctrl-C is pressed as soon as it searches."""

    def solve(self, model: CpModel, solution_callback: Any = None) -> Any:
        self.parameters.log_search_progress = True
        self.parameters.log_to_stdout = False
        first = iter([press])
        self.log_callback = lambda _: [one() for one in first]
        return super().solve(model, solution_callback)


class PressedBefore(cp_model.CpSolver):
    """A solver at which Ctrl-C is pressed, and that is told to stop, before it searches."""

    told = threading.Event()

    def solve(self, model: CpModel, solution_callback: Any = None) -> Any:
        press()
        self.told.wait()
        return super().solve(model, solution_callback)

    def stop_search(self) -> None:
        super().stop_search()
        self.told.set()


@pytest.mark.parametrize("solver", [Pressed, PressedBefore])
def test_control_c_comes_out(solver: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is not taken for the end of the time, and ends a search that would never end."""
    monkeypatch.setattr(cp_model, "CpSolver", solver)
    with pytest.raises(KeyboardInterrupt):
        possible(factors(), None, presolve=False)
