"""The door to the solver: answers, their proof, and questions that cannot be asked."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from burgrave.model.engine import legal_moves
from burgrave.model.errors import QuestionError
from burgrave.model.notation import write_move
from burgrave.model.position import Move
from burgrave.puzzles.files.library import find
from burgrave.puzzles.files.library import position as shipped
from burgrave.solver.engines import ENGINES
from burgrave.solver.limits import Limits, Reporter
from burgrave.solver.problem import Goal
from burgrave.solver.questions import best, drawn_first, legal
from burgrave.solver.result import Answer, CertificateError, Status
from tests.solver.positions import position

TOWER = ("TT@2,0r0 white:knight.N",)
MIXED = ("TT@2,0r0", "T2@2,1r0 black:knight.N", "TT@3,2r3 white:knight.W")
FULL = tuple(f"PP@{cell}r0" for cell in position((), "CC").game.board.cells if cell != (3, 9))
PLENTY = "[white]\nsupply = 3\n[black]\nsupply = 3\n"


def shown(answer: Answer, board: tuple[str, ...], tile: str) -> dict[str, Fraction]:
    """Return value by move in notation."""
    before = position(board, tile)
    return {write_move(before, choice.move): choice.value for choice in answer.first}


def test_another_tile_is_not_drawn_before_the_next() -> None:
    """The one after it is known too, and comes after it; of a bag any may be drawn."""
    at = shipped(find("castle-04"))
    first, second = at.order[:2]
    assert drawn_first(at, first) == at
    with pytest.raises(QuestionError, match=f"tile {second} cannot be drawn: the next is {first}"):
        drawn_first(at, second)
    hidden = replace(at, order=(), bag=tuple(sorted(at.order)))
    drawn = drawn_first(hidden, second)
    assert (drawn.order, len(drawn.bag)) == ((second,), len(at.order) - 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_best_lists_all_equally_best_moves(engine: str) -> None:
    """Every engine proves 4 points and names all moves that bring them."""
    before = position(TOWER, "TT")
    answer = best(before, engine=engine)
    assert (answer.status, answer.value, answer.most) == (Status.OPTIMAL, 4, 4)
    assert (answer.engine, answer.asker, answer.goal) == (engine, 0, Goal.POINTS)
    assert shown(answer, TOWER, "TT") == {
        "TT@2,1r2": 4,
        "TT@2,1r2 merchant.N": 4,
        "TT@2,6r3 knight.W": 4,
    }
    assert [event.points for event in answer.first[0].events] == [4]
    assert len(answer.confirmed) == 2


@pytest.mark.parametrize(("goal", "value"), [(Goal.POINTS, 2), (Goal.LEAD, 0)])
def test_objectives_differ(goal: Goal, value: int) -> None:
    """Closing both towers brings 2 points, and 4 to the opponent: worse for the lead."""
    before = position(MIXED, "CC", "[white]\nsupply = 0\n")
    moves = {write_move(before, c.move) for c in best(before, goal=goal).first}
    assert best(before, goal=goal).value == value
    assert ("CC@2,2r0" in moves) == (goal is Goal.POINTS)


@pytest.mark.parametrize("engine", ENGINES)
def test_top_brings_ties_of_the_last(engine: str) -> None:
    """With four wanted the three best come first, then all that equal the fourth."""
    before = position(TOWER, "TT", PLENTY)
    answer = best(before, top=4, engine=engine)
    values = [choice.value for choice in answer.first]
    assert answer.status is Status.OPTIMAL
    assert values[:3] == [4, 4, 4]
    assert set(values[3:]) == {2}
    assert len(values) == sum(
        choice.value >= 2 for choice in best(before, top=10_000, engine=engine).first
    )


def test_top_of_all_is_every_legal_move() -> None:
    """With more wanted than there are, every legal move comes."""
    before = position(TOWER, "TT", PLENTY)
    answer = best(before, top=10_000)
    assert sorted(write_move(before, choice.move) for choice in answer.first) == sorted(
        write_move(before, move) for move in legal_moves(before)
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_turn_without_a_place_is_a_pass(engine: str) -> None:
    """If no tile left has a place, the answer is the pass, worth 0."""
    answer = best(position(FULL, "CC TT"), engine=engine)
    assert (answer.status, answer.value, answer.most) == (Status.OPTIMAL, 0, 0)
    assert [choice.move for choice in answer.first] == [Move(discards=("CC", "TT"))]


@pytest.mark.parametrize("engine", ENGINES)
def test_no_time_no_answer(engine: str) -> None:
    """With no time nothing is claimed."""
    answer = best(position(TOWER, "TT"), budget=Limits(0), engine=engine)
    assert (answer.status, answer.value, answer.most) == (Status.UNKNOWN, None, None)
    assert (answer.first, answer.confirmed) == ((), ())


HALF_AN_HOUR = Limits(1800)


class Spender(Reporter):
    """Spends the time when it hears a certain thing."""

    def __init__(self, at: str, spend: Callable[[], None]) -> None:
        """Remember when to spend it."""
        self.at, self.spend = at, spend

    def hear(self, what: str) -> None:
        """Spend the budget if it is time."""
        if what == self.at:
            self.spend()

    def stage(self, name: str) -> None:
        """Hear the first word of a stage."""
        self.hear(name.split(maxsplit=1)[0])

    def found(self, value: int) -> None:
        """Hear that something was found."""
        self.hear("found")

    def listed(self, moves: int) -> None:
        """Hear that something was listed."""
        self.hear("listed")


@pytest.mark.parametrize(
    ("at", "moves", "confirmed"), [("found", 1, 1), ("listing", 1, 2), ("listed", 3, 2)]
)
def test_when_time_runs_out_it_is_a_bound(
    at: str, moves: int, confirmed: int, an_hour_passes: Callable[[], None]
) -> None:
    """Without a second proof, or without all moves asked for, an answer is a bound."""
    spender = Spender(at, an_hour_passes)
    answer = best(position(TOWER, "TT"), top=9, budget=HALF_AN_HOUR, reporter=spender)
    assert (answer.status, answer.value, answer.most) == (Status.BOUND, 4, 4)
    assert [choice.value for choice in answer.first] == [4] * moves
    assert len(answer.confirmed) == confirmed


@pytest.mark.parametrize("engine", ["reference"])
def test_half_a_list_is_no_answer(engine: str, an_hour_passes: Callable[[], None]) -> None:
    """An engine that lists moves claims nothing before it has listed all."""
    spender = Spender("listed", an_hour_passes)
    answer = best(position(TOWER, "TT"), budget=HALF_AN_HOUR, reporter=spender, engine=engine)
    assert (answer.status, answer.value, answer.first) == (Status.UNKNOWN, None, ())


@pytest.mark.parametrize(
    ("with_presolve", "message"),
    [
        (True, "with presolve off there is better"),
        (False, "has a place with presolve off and none with it"),
    ],
)
def test_proofs_that_disagree_get_out(
    monkeypatch: pytest.MonkeyPatch,
    with_presolve: bool,  # noqa: FBT001
    message: str,
) -> None:
    """If a solve with presolve off contradicts a proof, that is an error, not an answer."""

    def wrong(model: object, seconds: float | None, *, presolve: bool = True) -> bool:
        return with_presolve if presolve else True

    monkeypatch.setattr("burgrave.solver.cpsat.engine.possible", wrong)
    with pytest.raises(CertificateError, match=message):
        best(position(TOWER, "TT"))


def test_progress_is_told() -> None:
    """A listener hears the stages, the value and the number of moves."""
    heard: list[object] = []

    class Listener(Reporter):
        """Remembers what it hears."""

        def stage(self, name: str) -> None:
            """Remember."""
            heard.append(name)

        def found(self, value: int) -> None:
            """Remember."""
            heard.append(value)

        def listed(self, moves: int) -> None:
            """Remember."""
            heard.append(-moves)

    best(position(TOWER, "TT"), reporter=Listener())
    assert heard == ["laying TT", 4, "proving 4 again", "listing moves worth 4", -3]


UNKNOWN_NEXT = "[bag]\nCC = 1\nTT = 1\n"


@pytest.mark.parametrize("engine", ENGINES)
def test_an_unknown_tile_is_named(engine: str) -> None:
    """Of an unknown order the tile that was drawn is named, in any case of letters."""
    before = position(TOWER, "", UNKNOWN_NEXT)
    with pytest.raises(QuestionError, match="name it: possible are CC, TT"):
        best(before, engine=engine)
    assert best(before, tile="tt", engine=engine).value == 4
    assert best(before, tile="CC", engine=engine).value == 2


def test_the_only_tile_left_is_known() -> None:
    """A bag of one kind says which tile is next."""
    assert best(position(TOWER, "", "[bag]\nTT = 2\n")).value == 4


@pytest.mark.parametrize(
    ("tiles", "more", "tile", "engine", "message"),
    [
        ("", "", None, "cpsat", "the game is over"),
        ("TT CC", "", "CC", "cpsat", "tile 'CC' cannot be laid next: possible are TT"),
        ("TT", "", "Z9", "cpsat", "tile 'Z9' cannot be laid next"),
        ("", UNKNOWN_NEXT, "PP", "reference", "possible are CC, TT"),
        ("TT", "", None, "oracle", "no engine 'oracle'. There are cpsat, reference, state"),
    ],
)
def test_questions_that_cannot_be_asked(
    tiles: str, more: str, tile: str | None, engine: str, message: str
) -> None:
    """The error names the fault and a correct form."""
    with pytest.raises(QuestionError, match=message):
        best(position(TOWER, tiles, more), tile=tile, engine=engine)


def test_at_least_one_move_is_wanted() -> None:
    """Asking for no move is a mistake of the caller."""
    with pytest.raises(QuestionError, match="top = 0"):
        best(position(TOWER, "TT"), top=0)


@pytest.mark.parametrize("engine", ENGINES)
def test_legal_lists_what_the_rules_list(engine: str) -> None:
    """The list of legal moves is the reference's, whatever the engine and the draw."""
    before = position(TOWER, "", UNKNOWN_NEXT)
    assert legal(before, engine=engine) == tuple(legal_moves(before))
    assert legal(before, tile="CC", engine=engine) == tuple(legal_moves(before, "CC"))


def test_answers_that_differ_in_a_field_differ() -> None:
    """Two answers are equal only if every field is."""
    answer = best(position(TOWER, "TT"))
    assert replace(answer, value=3) != answer
    assert replace(answer, value=4) == answer


def test_checking_does_not_load_cp_sat() -> None:
    """Who only checks a move does not wait for CP-SAT."""
    code = "import sys, solver.questions; sys.exit('ortools' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_ctrl_c_after_the_optimum_leaves_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped while the optimum is being confirmed, the answer is the best so far, not proved."""

    def interrupted(*_: object, **__: object) -> bool:
        raise KeyboardInterrupt

    at = position(["TT@5,5r2"], "TT CC")
    proved = best(at)
    monkeypatch.setattr("burgrave.solver.cpsat.engine._confirmed", interrupted)
    stopped = best(at)
    assert (proved.status, stopped.status) == (Status.OPTIMAL, Status.BOUND)
    assert (stopped.value, len(stopped.first)) == (proved.value, 1)


def test_a_lead_that_the_opponent_decides_about_is_refused() -> None:
    """With wall_own_turn_only off the lead of a turn is not the mover's alone: no answer."""
    more = 'switches = { wall_own_turn_only = "off" }\nblack = { wall_tiles = [2] }\n'
    at = position(["TT@5,5r2"], "TT CC", more)
    with pytest.raises(QuestionError, match="the opponent decides"):
        best(at, goal=Goal.LEAD)
    assert best(at, goal=Goal.POINTS).status is Status.OPTIMAL
