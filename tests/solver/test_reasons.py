"""Why something is out of reach: reasons exactly where no line of play gets there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations

import pytest

from burgrave.cli.render.given import of_feature, of_score, of_turn
from burgrave.model.components import Node
from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.expansions.falcon.switches import GATE_STOP
from burgrave.model.features import position_features
from burgrave.model.files.positions import read_position
from burgrave.model.geometry import Cell
from burgrave.model.position import Position
from burgrave.model.rules.castle.placement import ADJACENT, INSIDE, PATH
from burgrave.model.tiles import Kind
from burgrave.puzzles.files.library import find, position
from burgrave.solver.cpsat.base.cp import Logic, no
from burgrave.solver.cpsat.explain import Case, smallest
from burgrave.solver.limits import Limits, OutOfTimeError
from burgrave.solver.problem import TileOrder, Wish
from burgrave.solver.questions import maximum, why_not, why_out_of_reach, why_unfinished
from tests.solver import endings
from tests.solver.test_forced import ending

pytestmark = pytest.mark.slow

LAWS = {rule.id: rule for rule in (ADJACENT, INSIDE, PATH)}


def ends(at: Position) -> Iterator[Position]:
    """Yield the ends of all lines that differ in the places of the tiles."""
    if at.over:
        yield at
        return
    seen: set[tuple[Cell | None, int]] = set()
    for move in legal_moves(at):
        place = move.cell, move.rotation
        if place not in seen and not move.followers:
            seen.add(place)
            yield from ends(play(at, move).position)


def completed(at: Position, node: Node) -> bool:
    """Tell whether the feature of a segment has no open side any more."""
    return next(not f.open_sides for f in position_features(at) if node in f.nodes)


def compare_features(at: Position) -> None:
    """Assert that exactly the open features have reasons that no line completes."""
    at = replace(at, game=at.game.with_switches({"enclosed_hole_blocks": "off"}))
    last = list(ends(at))
    for feature in position_features(at):
        if feature.kind is Kind.COURT or not feature.open_sides or not feature.inside:
            continue
        reasons = why_unfinished(at, feature.anchor)
        assert (reasons is None) == any(completed(end, feature.anchor) for end in last), feature


@pytest.mark.parametrize("seed", range(5))
def test_a_feature_has_reasons_exactly_where_no_line_completes_it(seed: int) -> None:
    """Every open feature of a hall with two tiles to come, against all ways to lay them."""
    at = ending(seed, 2)
    compare_features(at)


def test_a_path_that_nothing_continues_names_the_rule_of_paths() -> None:
    """The rule, the missing cells and the tiles that fit."""
    at, node = position(find("castle-01")), Node(Cell(2, 4), 0)
    reasons = why_unfinished(at, node)
    assert reasons is not None
    assert reasons.rules == (PATH,)
    assert tuple(of_feature(at, node, reasons.cells))[1:] == (
        "2 tiles are left: K56, K33",
        "on 4,4 none fits now",
    )
    assert len(reasons.confirmed) == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_score_has_reasons_exactly_above_the_maximum(seed: int) -> None:
    """The most that all help can reach is possible, one point more is not."""
    at = ending(seed, 1)
    best = maximum(at, engine="exhaustive").value
    assert best is not None
    assert why_out_of_reach(at, int(best)) is None
    assert why_out_of_reach(at, int(best) + 1) is not None


def test_a_game_that_is_over_has_its_score() -> None:
    """With no tile left the score reached is the final score, and no rule is to blame."""
    over = replace(position(find("castle-01")), order=())
    best = maximum(over).value
    assert best is not None
    assert why_out_of_reach(over, int(best)) is None
    reasons = why_out_of_reach(over, int(best) + 1)
    assert reasons is not None
    assert reasons.rules == ()


def test_what_has_no_reasons_is_refused() -> None:
    """Segments that are not there, courts, complete features, wall tiles without a number."""
    at = position(find("castle-01"))
    with pytest.raises(QuestionError, match="no segment 7 lies on 0,8"):
        why_unfinished(at, Node(Cell(0, 8), 7))
    for feature in position_features(at):
        if not feature.inside:
            continue
        if feature.kind is Kind.COURT:
            with pytest.raises(QuestionError, match="never completed"):
                why_unfinished(at, feature.anchor)
        elif not feature.open_sides:
            with pytest.raises(QuestionError, match="nothing is missing"):
                why_unfinished(at, feature.anchor)
    white, black = at.players
    masked = replace(at, players=(replace(white, wall_tiles=(0,)), black))
    with pytest.raises(QuestionError, match="a wall tile in hand has no number"):
        why_out_of_reach(masked, 100)


def shuffled(at: Position, known: int = 0) -> Position:
    """Return a position with a number of its tiles to come in known order."""
    return replace(at, order=at.order[:known], bag=tuple(sorted(at.order[known:])))


@pytest.mark.parametrize("seed", [10, 11, 12, 14])
def test_with_a_bag_a_feature_has_reasons_exactly_where_no_order_completes_it(seed: int) -> None:
    """Against the ends of all lines of the reference, whatever is drawn when."""
    at = shuffled(ending(seed, 2 + seed % 2), seed % 2)
    compare_features(at)


@pytest.mark.parametrize("seed", [21, 7, 5, 101, 107, 108, 109])
def test_with_the_best_order_and_wall_tiles_a_score_has_reasons_above_the_maximum(
    seed: int,
) -> None:
    """Halls with wall tiles face down, and The Falcon too."""
    falcon = seed > 100
    at = endings.ending(seed - 100, 2_000, falcon=True) if falcon else ending(seed, 2)
    at = shuffled(at, 1 if seed == 5 else 0)
    if seed % 2:
        at = replace(at, towers=tuple((name, 0) for name, _ in at.towers))
    best = maximum(at, order=TileOrder.CHOOSE).value
    assert best is not None
    assert why_out_of_reach(at, int(best)) is None
    reasons = why_out_of_reach(at, int(best) + 1)
    assert reasons is not None
    assert ("face down" in [*of_score(at, at.to_move)][-1]) == (bool(seed % 2) and bool(at.towers))
    assert ("in each order" in reasons.confirmed[0]) == (len(set(at.bag)) > 1)


@pytest.mark.long
def test_three_tiles_of_a_bag_may_come_in_any_order() -> None:
    """Their points in the best order are in reach; one point more is not."""
    at = shuffled(ending(2, 3))
    best = maximum(at, order=TileOrder.CHOOSE, engine="search").value
    assert best is not None
    assert why_out_of_reach(at, int(best)) is None
    reasons = why_out_of_reach(at, int(best) + 1)
    assert reasons is not None
    assert "in any order" in [*of_score(at, at.to_move)][2]
    orders = {(a, b, c) for a, b, c in permutations(at.bag)}
    told = [why_out_of_reach(replace(at, order=one, bag=()), int(best) + 1) for one in orders]
    assert None not in told


def cases(*clauses: Sequence[str]) -> tuple[Case, ...]:
    """Return models in which not all rules of one of some groups can hold, a group each."""

    def built(ids: Sequence[str]) -> Logic:
        logic = Logic(explain=True)
        laws = [no(logic.law(LAWS[one])) for one in LAWS]
        logic.clause(*(law for one, law in zip(LAWS, laws, strict=True) if one in ids))
        return logic

    return tuple(partial(built, ids) for ids in clauses)


def test_rules_that_forbid_every_case_are_a_smallest_choice() -> None:
    """A rule that the first case needs is left out if those of later ones do without it."""
    watch = Limits().start()

    def named(*clauses: Sequence[str]) -> set[str] | None:
        laws = smallest(lambda: cases(*clauses), watch)
        return None if laws is None else {law.id for law in laws}

    first, second, third = LAWS
    assert named((first, second)) == {first, second}
    assert named((first,), (second, third)) == {first, second, third}
    assert named((first, second), (second,), (first,)) == {first, second}
    assert smallest(lambda: (*cases((first,)), Logic), watch) is None
    with pytest.raises(OutOfTimeError):
        smallest(lambda: cases((first,)), Limits(seconds=0).start())


@pytest.mark.parametrize("seed", [1, 4, 7, 8, 9, 11])
def test_kings_and_chapels_count_in_what_can_be_reached(seed: int) -> None:
    """In The Falcon too, by any switches, what is out of reach begins above the maximum."""
    at = endings.ending(seed, 20, falcon=True)
    best = maximum(at, engine="exhaustive").value
    assert best is not None
    assert why_out_of_reach(at, int(best)) is None
    assert why_out_of_reach(at, int(best) + 1) is not None


def test_a_chapel_can_be_completed_or_has_reasons() -> None:
    """The one of the worked example can."""
    assert why_unfinished(position(find("falcon-01")), Node(Cell(-1, 8), 0)) is None


def test_gates_that_stop_markers_keep_scores_out_of_reach() -> None:
    """By the variant less can be reached than without it, and the model says so."""
    stopped = endings.ending(13, 20, falcon=True)
    free = replace(stopped, game=stopped.game.with_switches({GATE_STOP.name: "off"}))
    best = maximum(free, engine="exhaustive").value
    assert best is not None
    assert why_out_of_reach(free, int(best)) is None
    assert why_out_of_reach(stopped, int(best)) is not None


def test_a_tile_without_a_place_is_told_of_cells_and_what_lies_beside_them() -> None:
    """How many cells there are, and on one of them what a tile would meet, start spaces too."""
    laid = ["K27@2,6r3", "K27@6,4r1", "K32@2,0r0", "K32@1,0r0", "K37@1,1r0"]
    laid += ["K21@0,2r0", "K42@7,9r0", "K58@2,11r0", "K58@5,11r0"]
    at = read_position(
        "few tiles", f'burgrave = 1\ntype = "position"\nboard = {laid}\norder = ["K21"]\n'
    )
    assert why_not(at, Wish(), tile="K18")
    assert tuple(of_turn(at, Wish(), "K18")) == ("of 67 empty cells, K18 fits on none",)
    told = {
        fact
        for cell in at.game.board.cells
        if at.tile_at(cell) is None
        if why_not(at, Wish(cell=cell), tile="K18") is not None
        for fact in of_turn(at, Wish(cell=cell), "K18")
    }
    assert "beside 0,8: nothing" in told
    assert any(f"with{out} a path" in fact for out in ("", "out") for fact in told)
    assert any("in the south" in fact and ";" in fact for fact in told)
