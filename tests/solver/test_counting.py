"""How many lines there are: legal ones as the rules engine lists them, best ones by trying all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import pytest

from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.tower.switches import ACTION_WITHOUT_TILE
from burgrave.model.final import final_scoring
from burgrave.model.position import Position
from burgrave.puzzles.files.library import find, position
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import best_lines, continuations
from burgrave.solver.simulation import ByRules
from tests.perft import Frozen, frozen
from tests.solver.plane_endings import besieged
from tests.solver.plane_endings import ending as plane_ending
from tests.solver.test_forced import ending


def lines(at: Position, depth: int) -> int:
    """Return the number of legal lines by trying them on the rules engine."""
    if depth == 0 or at.over:
        return 1
    return sum(lines(play(at, move).position, depth - 1) for move in legal_moves(at))


def best(at: Position) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return White's value and the number of best lines, by force and with help.

    Both are found at once, for playing the lines takes longest.
    """
    if at.over:
        white, black = final_scoring(at).scores
        return (white - black, 1), (white, 1)
    forced, helped = zip(*(best(play(at, move).position) for move in legal_moves(at)), strict=True)
    choose = max if at.to_move == 0 else min
    return _best(forced, choose), _best(helped, max)


def _best(
    found: Sequence[tuple[int, int]], choose: Callable[[Iterable[int]], int]
) -> tuple[int, int]:
    """Return the value that is chosen, and how many lines have it."""
    value = choose(worth for worth, _ in found)
    return value, sum(number for worth, number in found if worth == value)


def best_on_the_plane(at: Position, problem: Problem) -> tuple[tuple[int, ...], int]:
    """Return the value of a problem and its number of best lines, by trying all."""
    if at.over:
        return problem.worths(*final_scoring(at).scores), 1
    found: Counter[tuple[int, ...]] = Counter()
    for move in legal_moves(at):
        worths, number = best_on_the_plane(play(at, move).position, problem)
        found[worths] += number
    best_of = max(found, key=lambda worths: problem.liking(at.to_move, worths))
    return best_of, found[best_of]


@pytest.mark.parametrize("entry", frozen(), ids=lambda entry: entry.id)
def test_legal_lines_are_the_frozen_counts(entry: Frozen) -> None:
    """One and two moves deep, the state counts what the rules engine listed."""
    for depth, number in enumerate(entry.moves, 1):
        assert continuations(entry.position, depth).lines == number


@pytest.mark.parametrize("seed", range(3))
def test_legal_lines_end_where_the_game_ends(seed: int) -> None:
    """Lines longer than the game are those of the game, tiles without a place included."""
    at = ending(seed, 2)
    assert continuations(at, 9).lines == lines(at, 9) == continuations(at, 2).lines


def test_an_unknown_order_counts_the_moves_of_every_tile() -> None:
    """With a bag every tile that may be drawn has its moves."""
    at = ending(5, 3)
    at = replace(at, order=(), bag=tuple(sorted(at.order)))
    assert continuations(at, 1).lines == lines(at, 1)


@pytest.mark.parametrize("seed", range(3))
def test_best_lines_are_those_of_trying_all(seed: int) -> None:
    """Value and number of best lines, with two tiles left, by force and with help."""
    at = ending(seed, 2)
    forced = best_lines(at, asker=0)
    helped = best_lines(at, asker=0, goal=Goal.POINTS, play=Play.HELPED)
    assert ((forced.value, forced.lines), (helped.value, helped.lines)) == best(at)


@pytest.mark.parametrize("seed", range(8))
def test_legal_lines_on_the_plane_are_those_of_the_rules_engine(seed: int) -> None:
    """Of two to four players, with and without The Tower, the order known, in part or not."""
    players = 2 + seed % 3
    if seed % 2:
        at = besieged(seed, 2, 150, players=players)
    else:
        at = plane_ending(seed, 2, 150, players=players)
    assert continuations(at, 2).lines == continuations(at, 9).lines == lines(at, 2)
    at = replace(at, order=at.order[: seed % 2], bag=tuple(sorted(at.order[seed % 2 :])))
    assert continuations(at, 2).lines == lines(at, 2)


def test_lines_that_end_without_a_tile_are_those_of_the_rules_engine() -> None:
    """A last tile that has no place leaves; each way to end the game without it is a line."""
    at = plane_ending(8, 1, 200, tower=True)
    game = at.game.with_switches({ACTION_WITHOUT_TILE.name: "on"})
    at = replace(at, game=game, order=("C", "C"))
    assert continuations(at, 1).lines == lines(at, 1) > 1
    found = best_lines(at, asker=0)
    assert (found.value, found.lines) == best(at)[0]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("helped", [False, True])
def test_best_lines_on_the_plane_are_those_of_trying_all(seed: int, *, helped: bool) -> None:
    """Value and number, by force, each for himself and with help, for whoever asks."""
    players = 2 + seed // 2 % 2
    at = plane_ending(50 + seed, 2, 150, players=players, tower=seed % 2 == 1)
    asker = seed % players
    goal, who = (Goal.POINTS, Play.HELPED) if helped else (Goal.LEAD, Play.AGAINST)
    problem = Problem(
        position=at,
        asker=asker,
        goal=goal,
        play=Play.EACH if players > 2 and not helped else who,
        order=TileOrder.GIVEN,
    )
    worths, number = best_on_the_plane(at, problem)
    found = best_lines(at, asker=asker, goal=goal, play=who)
    assert (found.value, found.lines) == (worths[0], number)


@pytest.mark.parametrize("known", [True, False])
def test_the_rules_count_what_the_kernel_counts(
    monkeypatch: pytest.MonkeyPatch, *, known: bool
) -> None:
    """Positions that the kernel refuses are counted by the rules engine, in the same way."""
    endings = [plane_ending(8, 1, 200, tower=True), plane_ending(52, 2, 60, tower=True)]
    gone = endings[0].game.with_switches({ACTION_WITHOUT_TILE.name: "on"})
    endings[0] = replace(endings[0], game=gone, order=("C", "C"))
    if not known:
        endings = [replace(at, order=(), bag=tuple(sorted(at.order))) for at in endings]

    def counted() -> list[tuple[object, ...]]:
        found = [continuations(at, 2) for at in endings]
        found += [best_lines(at, asker=0) for at in endings if known]
        return [(one.lines, one.least, one.value) for one in found]

    compiled = counted()
    monkeypatch.setattr("burgrave.solver.questions.count.quick_table", ByRules)
    assert counted() == compiled
    assert all(lines for lines, *_ in compiled)


def test_a_count_without_time_has_no_number() -> None:
    """A count that is broken off tells how many there are at least."""
    at = position(find("castle-04"))
    whole = continuations(at, 2)
    some = [continuations(at, 2, budget=Limits(nodes=nodes)) for nodes in (1, 5, whole.nodes - 1)]
    assert [count.lines for count in some] == [None] * 3
    assert whole.lines == whole.least > some[2].least > some[1].least > some[0].least > 0
    best = best_lines(at, budget=Limits(nodes=5))
    assert (best.lines, best.least) == (None, 1)


def test_impossible_counts_are_refused() -> None:
    """Negative depths, and best lines of a solitaire or of an unknown order."""
    with pytest.raises(QuestionError, match="give 0 or more"):
        continuations(position(find("castle-01")), -1)
    with pytest.raises(QuestionError, match="with help"):
        best_lines(position(find("castle-01")), play=Play.SOLITAIRE)
    with pytest.raises(QuestionError, match="order of 6 tiles is not known"):
        best_lines(position(find("castle-10")))
