"""Estimates by playouts: repeatable, without bias where the truth is known, by a good policy."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np  # noqa: TID253 -- playouts come as arrays
import pytest

from benchmarks.estimates import Row, allowance, spread
from benchmarks.tune_policy import match
from benchmarks.work import GAMES, POSITIONS
from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.files.lines import read_line
from burgrave.model.files.positions import load_position
from burgrave.model.notation import write_move
from burgrave.solver.limits import Limits, Reporter, Sketch
from burgrave.solver.questions import at_sight, choose, evaluate, expected, winning
from burgrave.solver.questions.means import controls, mean
from burgrave.solver.search.playouts import Field, run
from burgrave.solver.simulation.policy import parameters, rows, weights
from tests.late import late, near_end

FEW = 300
MISSED = Path(__file__).parents[1] / "data" / "estimates" / "four-tiles.toml"
"""The Castle with four tiles to come, after which moves that look alike lead far apart."""


@pytest.mark.parametrize("name", GAMES)
def test_any_number_of_threads_gives_the_same_estimate(name: str) -> None:
    position = late(name, 6, 1)
    one, two = (
        evaluate(position, playouts=FEW, prove=False, seed=5, budget=Limits(jobs=jobs))
        for jobs in (1, 2)
    )
    assert replace(one, seconds=0) == replace(two, seconds=0)
    other = evaluate(position, playouts=FEW, prove=False, seed=6)
    assert {move.move for move in other.moves} == {move.move for move in one.moves}
    assert other != one
    assert not one.proved
    assert FEW / 2 < one.playouts < 1.2 * FEW
    assert one.low <= one.value <= one.high
    assert 0 <= one.win <= 1


@pytest.mark.parametrize("name", ["carcassonne", "tower"])
def test_with_one_tile_left_the_estimate_is_exact(name: str) -> None:
    position = late(name, 1, 3)
    exact = expected(position)
    found = evaluate(position, playouts=FEW, prove=False)
    values = {one.move: one.value for one in exact.first}
    assert found.value == max(values.values())
    assert all(values[one.move] == one.value for one in found.moves)


@pytest.mark.parametrize("name", ["carcassonne", "castle"])
def test_a_move_is_chosen_with_the_next_tile(name: str) -> None:
    """Whether the others are known or not. The worse moves leave early, so that about as many games
    are played as were asked for."""
    for position in (late(name, 6, 1), near_end(name, 6, 1)):
        found = choose(position, playouts=FEW, prove=False)
        assert found.move in set(legal_moves(position))
        assert not found.proved
        assert FEW / 2 < found.playouts < 1.2 * FEW


def test_few_tiles_are_proved() -> None:
    position = late("carcassonne", 2, 4)
    found = evaluate(position)
    assert found.proved
    assert found.moves[0].playouts == 0
    exact = expected(position)
    assert exact.value is not None
    assert Fraction(found.value).limit_denominator(10**6) == exact.value


def test_a_proof_within_reach_is_taken() -> None:
    """An estimate of +1.3, 95 % from +0.2 to +2.4, was told where -0.42 is proved in less time."""
    position = load_position(MISSED)
    exact = expected(position, every=False)
    found = evaluate(position)
    assert found.proved
    assert found.value == float(exact.value or 0) == pytest.approx(-0.42, abs=0.001)
    guessed = evaluate(position, prove=False)
    assert guessed.low <= found.value <= guessed.high
    assert not evaluate(position, playouts=200).proved
    assert evaluate(position, playouts=200, patient=True, budget=Limits(seconds=60)).proved


def test_a_proof_tells_the_value_of_the_move_at_sight() -> None:
    """It is less than the best in some ending, where a best move is worth a mark."""
    worse = 0
    for seed in range(2, 5):
        position = late("castle", 2, seed)
        found = evaluate(position)
        values = {one.move: one.value for one in found.moves}
        assert found.natural is not None
        assert found.natural.value == values[at_sight(position)]
        worse += found.natural.value < found.value
    assert worse


def test_a_proof_tells_the_chance_to_win() -> None:
    """With draws unknown it is that of ``win``; with all known who leads for sure wins."""
    close = None
    for seed in range(4, 40):
        position = late("carcassonne", 3, seed)
        found = evaluate(position)
        odds = winning(position).odds
        assert found.proved
        assert odds is not None
        chances = {one.win for one in found.moves}
        assert max(chance for chance in chances if chance is not None) == pytest.approx(
            float(odds.win + odds.draw / 2)
        )
        if len(chances) > 2:
            close = found
            break
    assert close is not None
    last = evaluate(late("carcassonne", 1, 4))
    assert {one.win for one in last.moves} <= {0.0, 0.5, 1.0}
    assert all((one.win == 1) == (one.value > 0) for one in last.moves)


def test_the_move_played_is_compared_with_the_best_on_fresh_playouts() -> None:
    position = late("carcassonne", 12, 8)
    worst = min(evaluate(position, playouts=FEW, prove=False).moves, key=lambda one: one.value)
    found = evaluate(position, playouts=FEW, prove=False, played=worst.move)
    assert found.played is not None
    assert found.played in found.moves
    assert found.played.move == worst.move
    assert found.played.behind.apart
    assert found.played.playouts > worst.playouts


def test_the_value_comes_from_playouts_that_did_not_choose_the_move() -> None:
    """The largest of many means is too large: 12.5 was told of a position worth 1.4."""
    position = late("carcassonne", 20, 3)
    told, again = [], []
    for seed in range(1, 11):
        found = evaluate(position, playouts=120, prove=False, seed=seed)
        told.append(found.value)
        sure = evaluate(
            position, playouts=300, prove=False, seed=seed + 900, played=found.moves[0].move
        )
        assert sure.played is not None
        again.append(sure.played.value)
    difference = np.array(told) - np.array(again)
    assert abs(difference.mean()) < 2 * difference.std(ddof=1) / np.sqrt(len(told))


def test_moves_that_cannot_be_told_from_the_best_come_first() -> None:
    found = evaluate(late("carcassonne", 12, 8), playouts=400, prove=False)
    apart = [one.behind.apart for one in found.moves]
    assert apart == [False] * found.equal + [True] * (len(apart) - found.equal)
    best = found.moves[0]
    assert (best.behind.points, best.value) == (0, found.value)
    for one in found.moves[1:]:
        assert one.value == pytest.approx(best.value - one.behind.points)
    exact = evaluate(late("carcassonne", 2, 4))
    assert exact.equal == sum(one.value == exact.value for one in exact.moves)


def test_finished_playouts_are_kept_when_time_runs_out() -> None:
    """They were thrown away, and ten games a move stood for the answer."""
    position = late("castle", 40, 1)
    found = evaluate(position, playouts=100_000, prove=False, budget=Limits(seconds=0.5))
    assert found.seconds < 10
    counts = [one.playouts for one in found.moves]
    assert sum(counts) == found.playouts < 100_000
    field = Field(position, 1, 1)

    class Short:
        """A clock that runs out in the third chunk."""

        limits, looks = Limits(), 0

        @property
        def out(self) -> bool:
            self.looks += 1
            return self.looks > 3

    turns, _, _ = field.first_turns(position.order[:1], 2, None)
    left = run(field, turns, 0, 100, Short())  # type: ignore[arg-type]
    assert [len(leads) for leads, _ in left] == [20, 10]
    whole = field.results(turns[0], 10, 20)[0]
    assert (left[0][0][10:] == whole).all()


def test_where_the_best_move_stands_apart_playouts_are_saved() -> None:
    positions = (late("tower", 12, seed) for seed in range(1, 7))
    counts = {evaluate(one, playouts=600, prove=False).playouts for one in positions}
    assert min(counts) < 600


def test_a_first_answer_is_told_soon() -> None:
    position = late("carcassonne", 40, 3)
    evaluate(position, playouts=10)  # loads the code
    heard: list[tuple[float, Sketch]] = []
    begun = time.process_time()

    class Listener(Reporter):
        """Remembers what it hears, and when."""

        def sketched(self, answer: Sketch) -> None:
            heard.append((time.process_time() - begun, answer))

    found = evaluate(position, reporter=Listener())
    assert heard[0][0] < 2
    last = heard[-1][1]
    assert last.move == write_move(position, found.moves[0].move)
    assert "±" in str(last)
    counts = [one.playouts for _, one in heard]
    assert counts == sorted(counts)
    assert sum(one.value is not None for _, one in heard) >= 4


def test_the_next_tile_may_be_unknown() -> None:
    position = late("carcassonne", 12, 2)
    unseen = replace(position, order=(), bag=(*position.order, *position.bag))
    found = evaluate(unseen, playouts=FEW)
    assert found.moves == ()
    assert found.playouts == FEW


def test_nothing_is_told_of_a_game_that_is_over() -> None:
    position = late("carcassonne", 1, 2)
    over = play(position, next(iter(legal_moves(position)))).position
    with pytest.raises(QuestionError, match="over"):
        evaluate(over)


def test_controls_have_the_mean_nought_and_make_estimates_more_precise() -> None:
    rng = np.random.default_rng(1)
    bag = np.repeat(np.arange(4), 5)
    drawn = np.array([rng.permutation(bag) for _ in range(4000)])
    by = controls(drawn, 0, 1, 2)
    assert np.abs(by.mean(axis=0)).max() < 4 * by.std() / np.sqrt(len(by))
    luck = by @ np.array([3.0, -1.0, 2.0])
    values = 10 + luck + rng.normal(size=len(by))
    plain, better = mean(values, by[:, :0]), mean(values, by)
    assert better.error < 0.5 * plain.error
    assert abs(better.value - 10) < 4 * better.error


def test_hidden_wall_tiles_are_drawn_by_lot_from_those_not_seen() -> None:
    position = late("castle", 20, 2)
    hidden = [name for name, number in position.towers if not number]
    assert hidden
    field = Field(position, 1, 1)
    states = [field._open(chunk).state for chunk in range(6)]
    numbers = {tuple(int(one) for one in state.now.tower) for state in states}
    assert len(numbers) > 1
    assert all(number != 0 for numbers_ in numbers for number in numbers_)


def test_playouts_that_share_a_lot_count_as_one() -> None:
    """Ten playouts that see the same hidden wall tiles tell as much as one."""
    rng = np.random.default_rng(1)
    lots = np.repeat(rng.normal(size=100), 10)
    by = rng.normal(size=(1000, 2))
    assert mean(lots, by, 10).error == pytest.approx(0.1, rel=0.2)
    assert mean(lots, by).error < 0.04
    alone = rng.normal(size=1000)
    assert mean(alone, by, 10).error == pytest.approx(mean(alone, by).error, rel=0.2)
    field = Field(late("castle", 20, 2), 1, 1)
    assert field.together == 10


@pytest.mark.parametrize(("name", "seed"), [("carcassonne", 15), ("tower", 16)])
def test_the_policy_looks_at_the_best_last_turn(name: str, seed: int) -> None:
    """With two tiles to come it comes closer to the best lead than at sight, never beyond it."""
    position = late(name, 2, seed)
    at_once, looking = (
        float(field.leads(field.results(None, 0, 1)[0])[0])
        for field in (Field(position, 0, 1, foresight=looks) for looks in (False, True))
    )
    best = expected(position).value
    assert best is not None
    assert at_once < looking <= best


def test_the_allowance_is_what_makes_the_intervals_hold() -> None:
    """With it 95 % of intervals hold the exact value; what the playouts explain needs none."""
    rng = random.Random(1)
    errors = [2 * rng.gauss(0, 1) for _ in range(4000)]
    rows = [Row("castle", 1, 4, error, 0.0, error) for error in errors]
    found = allowance(rows)
    assert found == pytest.approx(2.0, rel=0.05)
    assert np.mean([row.held(found) for row in rows]) == pytest.approx(0.95, abs=0.01)
    assert spread(rows) == pytest.approx(2.0, rel=0.05)
    assert allowance([Row("castle", 1, 3, 1.0, 1.0)] * 9) == 0


@pytest.mark.parametrize("name", ["k2-2", "falcon-k4-2"])
def test_the_policy_takes_an_extra_turn_while_it_can(name: str) -> None:
    """Before the last tile a wall tile 1 gives the player that tile too; without one nothing."""
    at = load_position(POSITIONS / f"{name}.toml")
    at = replace(at, order=at.order[-2:])
    for held in ((1,), ()):
        players = list(at.players)
        players[at.to_move] = replace(players[at.to_move], wall_tiles=held, fresh_wall_tiles=())
        assert bool(at_sight(replace(at, players=tuple(players))).extra_turns) is bool(held)


@pytest.mark.parametrize("name", GAMES)
def test_the_policy_beats_the_greedy_one(name: str) -> None:
    mine = weights(GAMES[name]().id)
    found = match(name, mine, 0 * mine, 40, 3)
    assert found.share > 0.55
    assert found.mean > 5


@pytest.mark.long
def test_in_the_tower_the_policy_counts_what_a_capture_would_cost() -> None:
    """Against an opponent who captures whom he can, it wins more than a policy that does not."""
    numbers = dict(parameters()["carcassonne+tower"])
    careful = rows("carcassonne+tower", numbers)
    brave = rows("carcassonne+tower", numbers | {"stake": 0.0})
    wary, other = (match("tower", one, 0 * careful, 25, 4) for one in (careful, brave))
    assert wary.share > other.share
    assert wary.mean > other.mean + 5


HIDDEN = (Path(__file__).parents[1] / "data" / "face-down.txt").read_text("ascii").splitlines()
"""Castles in which a turn takes a wall tile that lies face down, alone or before another turn."""


@pytest.mark.every_case
@pytest.mark.parametrize("line", HIDDEN)
def test_the_move_at_sight_is_among_those_of_a_proof(line: str) -> None:
    """Reviews of such castles died, as proofs named an order of scoring that did not matter."""
    at = read_line(line)
    found = evaluate(replace(at, bag=at.bag[:1]), playouts=50, seed=1)
    assert found.proved
    assert found.natural is not None
