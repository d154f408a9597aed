"""The measures of quality: each on positions where it can be counted by other means."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from burgrave.model.engine import legal_moves, play
from burgrave.model.files.games import shipped_game
from burgrave.model.final import final_scoring
from burgrave.model.geometry import Cell
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.problems import problems, remarks
from burgrave.model.tiles import PlacedTile
from burgrave.puzzles.candidates.changes import changed
from burgrave.puzzles.candidates.composing import (
    ALONE,
    Aim,
    appraised,
    composed,
    depth,
    improved,
    sole,
    start,
)
from burgrave.puzzles.files.library import find, puzzle, puzzle_entries
from burgrave.puzzles.judging.canonical import form
from burgrave.puzzles.judging.quality import level, measured, needs_no_more, own_turns
from burgrave.puzzles.questions import Best, Reply
from burgrave.puzzles.study.difficulty import HARDEST
from burgrave.puzzles.study.fooled import ahead, at_a_glance, share, solved
from burgrave.puzzles.study.puzzle import Measures, Puzzle, Solved
from burgrave.puzzles.study.simplify import pieces
from burgrave.puzzles.words.last_tile import fair_orders
from burgrave.solver.limits import NO_LIMIT, Limits
from burgrave.solver.questions import forced

PLAYOUTS = Solved._fields.index("playouts")
MEASURED = [e.id for e in puzzle_entries() if e.question in {"best", "force", "win", "max"}]


@cache
def shown(puzzle_id: str) -> Puzzle:
    """Return a shipped puzzle."""
    return puzzle(find(puzzle_id))


def lead(position: Position, player: int) -> int:
    """Return the lead of a player if the game ended now, by the rules engine."""
    totals = final_scoring(replace(position, order=(), bag=())).scores
    return totals[player] - totals[1 - player]


def measures(*shares: int, turns: int = 1, idle: int = 0, natural: int = 1) -> Measures:
    """Return measures with some shares."""
    return Measures(
        solved=Solved(*map(Fraction, shares)),
        margin=Fraction(1),
        natural=Fraction(natural),
        near=0,
        depth=turns,
        idle=idle,
        purity=Fraction(0),
    )


@pytest.mark.parametrize("puzzle_id", ["a-road-and-a-field", "an-empty-city-for-red"])
def test_players_of_limited_sight_see_what_the_rules_say(puzzle_id: str) -> None:
    """The rules engine plays every move, counts its points and scores the end after it."""
    at = shown(puzzle_id).position
    me, had = at.to_move, at.players[at.to_move].score
    ends = {move: play(at, move).position for move in legal_moves(at)}
    points = {move: end.players[me].score - had for move, end in ends.items()}
    leads = {move: lead(end, me) for move, end in ends.items()}
    assert at_a_glance(at) == (best(points) if any(points.values()) else set(), best(leads))


def best(values: dict[Move, int]) -> set[Move]:
    """Return the moves with the largest value."""
    return {move for move, value in values.items() if value == max(values.values())}


@pytest.mark.long
def test_the_third_player_sees_the_reply() -> None:
    """He maximises the lead after the reply that leaves him least."""
    at = shown("a-road-and-a-field").position
    me, values = at.to_move, {}
    for move in legal_moves(at):
        after = play(at, move).position
        values[move] = min(lead(play(after, reply).position, me) for reply in legal_moves(after))
    assert ahead(at) == best(values)


def test_a_tie_solves_in_part() -> None:
    """Of four favourites one is right; without a favourite nothing is solved."""
    four = [Move(discards=(name,)) for name in "ABCD"]
    assert share(four, four[:1]) == Fraction(1, 4)
    assert share([], four) == 0


def test_a_level_falls_with_no_player_who_is_fooled() -> None:
    """From one who is fooled by nothing to one who is fooled by everything."""
    easy = shown("a-road-and-a-field")
    rows = [(1, 1, 1, 1), (0, 1, 1, 1), (0, 0, 1, 1), (0, 0, 0, 1)]
    levels = [level(measures(*row), easy) for row in rows]
    levels.append(level(measures(0, 0, 0, 0, turns=2), easy))
    assert levels == list(range(1, HARDEST + 1))
    assert level(measures(0, 1, 0, 0, turns=2), easy) < 3
    assert level(measures(0, 0, 1, 0, turns=2), easy) == 4


@pytest.mark.parametrize("puzzle_id", ["two-edges-and-a-field", "the-rival-lends-a-tile"])
def test_who_sees_two_turns_solves_two_that_serve_one_player(puzzle_id: str) -> None:
    """In a series and with a partner the next turn is no reply of an opponent."""
    good = shown(puzzle_id)
    assert good.measures is not None
    assert good.measures.solved == Solved(Fraction(0), Fraction(0), Fraction(1), Fraction(0))
    assert measured(good) == good.measures
    assert good.difficulty == 3
    assert level(measures(0, 0, 0, 0, turns=2), good) == HARDEST


def test_who_counts_now_counts_what_is_asked() -> None:
    """Of a series for points, who takes the most points at the end finds the key at once."""
    good = shown("two-edges-and-a-field")
    first = replace(good.position, game=shipped_game("carcassonne", edition="rgg2006"))
    right = {read_move(first, text) for text in good.answer.moves}
    assert at_a_glance(first, good.question)[1] == right
    assert solved(first, right, good.question).now == 1


@pytest.mark.parametrize(
    ("puzzle_id", "number"),
    [
        ("three-colours-on-five-tiles", 2),
        ("eight-points-for-red-four-for", 3),
        ("two-storeys", 4),
        ("who-closed-the-road", 2),
        ("a-piece-and-a-guard", 3),
    ],
)
def test_the_past_is_as_hard_as_followers_leave_it_open(puzzle_id: str, number: int) -> None:
    """However many turns were played, one order that fits all followers is easy to find."""
    good = shown(puzzle_id)
    orders = fair_orders(good.position)
    whole = good.question.name == "history"
    assert number == 1 + len({order if whole else order[-1:] for order in orders})
    assert level(None, good) == good.difficulty == number


def test_quality_rises_with_each_measure() -> None:
    """Whoever is fooled, each own turn to be found, the natural move's loss, no idle piece."""
    plain = measures(1, 1, 1, 1, idle=4)
    better = [
        measures(0, 1, 1, 1, idle=4),
        measures(1, 0, 1, 1, idle=4),
        measures(1, 1, 0, 1, idle=4),
        measures(1, 1, 1, 0, idle=4),
        measures(1, 1, 1, 1, idle=4, turns=2),
        measures(1, 1, 1, 1, idle=3),
        measures(1, 1, 1, 1, idle=4, natural=3),
        replace(plain, near=1),
        replace(plain, purity=Fraction(1)),
        replace(plain, surprises=("gift",)),
    ]
    assert all(one.score > plain.score for one in better)
    most = replace(measures(0, 0, 0, 0, turns=3, natural=9), near=9, purity=Fraction(1))
    assert replace(most, surprises=("sacrifice", "quiet", "refusal")).score == 100


def test_own_turns_are_unique_after_every_best_defence() -> None:
    """Each best reply of the opponent is followed, and the own turns after it are counted."""
    at = shown("farmer-thief-or-knight").position
    (key,) = forced(at).first
    assert depth(at, key.move) == after_every_defence(play(at, key.move).position, at.to_move) + 1
    assert own_turns(shown("farmer-thief-or-knight")) == depth(at, key.move)


def after_every_defence(position: Position, player: int) -> int:
    """Return the unique own turns after a position, by following all best play."""
    if position.over:
        return 0
    moves = [one.move for one in forced(position).first]
    rest = [after_every_defence(play(position, move).position, player) for move in moves]
    if position.to_move != player:
        return min(rest)
    return 1 + rest[0] if len(moves) == 1 and len(list(legal_moves(position))) > 1 else 0


def test_a_composition_misleads_and_has_nothing_to_spare() -> None:
    """One best move, which nobody finds by counting now; each piece is needed; scores are small."""
    at = composed(shipped_game("carcassonne"), 2, 4, Random(3))
    assert at is not None
    assert not problems(at)
    good = appraised(at)
    assert good.misled
    assert good.key is not None
    assert sole(at, 60_000) is not None
    assert good.key not in at_a_glance(at)[1]
    assert good.value == 1
    for take in pieces(at):
        less = take(at)
        assert (
            less == at
            or problems(less)
            or appraised(less, good.key).worth(ALONE) < good.worth(ALONE)
        )
    assert composed(shipped_game("carcassonne"), 2, 4, Random(3)) == at


def test_small_changes_make_a_position_mislead() -> None:
    """From one with several best moves the composer comes to one that nobody finds at a glance."""
    at = start(shipped_game("carcassonne"), 2, 4, Random(11))
    assert at is not None
    assert len(forced(at).first) > 1
    near = improved(at, Random(1), lambda _: True)
    (key,) = forced(near).first
    assert all(key.move not in moves for moves in at_a_glance(near))


@pytest.mark.parametrize("puzzle_id", ["the-farmer-and-the-tower", "market-day"])
def test_a_change_puts_no_second_follower_on_a_tile(puzzle_id: str) -> None:
    """A turn places at most one, on its own tile, though other segments are free."""
    at, rng = shown(puzzle_id).position, Random(5)
    others = [changed(at, rng) for _ in range(300)]
    assert any(len(other.followers) > len(at.followers) for other in others)
    assert not [other for other in others if remarks(other)]


def test_a_composition_has_the_own_turns_that_are_wished() -> None:
    """Each of two turns is the only best one after every best defence."""
    at = composed(shipped_game("carcassonne"), 3, None, Random(2), Aim(turns=2))
    assert at is not None
    (key,) = forced(at).first
    assert after_every_defence(play(at, key.move).position, at.to_move) == 1


def test_a_mirrored_board_is_the_same_puzzle() -> None:
    """City caps north and east are those north and west, and not two that face east."""
    whole = shown("a-road-and-a-field").position
    cap = whole.game.tile_set.kind("E")

    def board(x: int, rotation: int) -> Position:
        tiles = (
            PlacedTile(cell=Cell(0, 0), kind=cap, rotation=0),
            PlacedTile(cell=Cell(x, 0), kind=cap, rotation=rotation),
        )
        return replace(whole, tiles=tiles, followers=(), parts=())

    assert form(board(1, 1)) == form(board(-1, 3))
    assert form(board(1, 1)) != form(board(-1, 1))


def test_stored_measures_are_found_anew() -> None:
    """A sample in the quick run; those of all puzzles are found when they are solved."""
    good = shown("a-road-and-a-field")
    assert measured(good) == good.measures
    assert good.difficulty == level(good.measures, good)


def test_what_is_needed_is_kept() -> None:
    """A position without its key's tile, or with two best moves, is not the same puzzle."""
    good = shown("a-road-and-a-field")
    keeps = needs_no_more(good)
    assert keeps(good.position)
    assert not keeps(replace(good.position, order=good.position.order[1:]))
    moved = read_move(good.position, good.answer.moves[0])
    assert write_move(good.position, moved) == good.answer.moves[0]


def test_what_misleads_is_needed() -> None:
    """Without the other road of Blue's the same move is best, but whoever counts now finds it."""
    good = shown("two-roads-of-blue")
    road, other = good.position.followers
    assert other.node.cell == Cell(0, 0)
    less = replace(good.position, followers=(road,))
    (key,) = forced(less).first
    assert write_move(less, key.move) == good.answer.moves[0]
    assert key.move in at_a_glance(less)[1]
    assert key.move not in at_a_glance(good.position)[1]
    assert not needs_no_more(good)(less)


def test_a_question_about_one_turn_needs_what_brings_its_points() -> None:
    """Without the owner of the path the same move is best, but it wins fewer points."""
    good = shown("path-house-and-tower")
    less = replace(good.position, followers=good.position.followers[:1])
    found = good.question.reply(less).facts
    assert found["moves"] == list(good.answer.moves)
    assert found["value"] != good.answer.value
    assert not needs_no_more(good)(less)


@pytest.mark.long
def test_shares_fall_from_level_to_level() -> None:
    """No player solves more of the harder puzzles than of the easier ones, but for one in 20.

    Playouts are asked about leads over an opponent alone.
    """
    kinds = {"help", "series", "inflict"}
    played = [e.id for e in puzzle_entries() if e.question in kinds]
    rows = [shown(puzzle_id) for puzzle_id in (*MEASURED, *played)]
    for player in range(4):
        means = []
        for number in range(1, HARDEST + 1):
            at = [
                one.measures.solved[player]
                for one in rows
                if one.difficulty == number and one.measures is not None
                if player < PLAYOUTS or not one.question.leadless
            ]
            means.append(sum(at, Fraction(0)) / len(at))
        for easier, harder in pairwise(means):
            assert harder <= easier + Fraction(1, 20), player


def test_hard_puzzles_fool_who_counts_now() -> None:
    """Nobody solves a puzzle of difficulty 3 by counting now, nor most of 4 with the reply."""
    for puzzle_id in MEASURED:
        good = shown(puzzle_id)
        assert good.difficulty is not None
        if len(good.position.players) > 2:
            assert good.measures is None
            continue
        assert good.measures is not None
        if good.difficulty > 2:
            assert good.measures.solved.now == 0
        if good.difficulty > 3:
            assert not (good.measures.solved.ahead and good.measures.solved.playouts)
        if good.difficulty > 4:
            assert good.measures.solved.ahead == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Partly(Best):
    """A question whose answer tells one of several ways, or only a bound."""

    told: dict[str, object] = field(default_factory=dict)

    def reply(
        self, position: Position, engine: str | None = None, budget: Limits = NO_LIMIT
    ) -> Reply:
        """Return the answer with something changed."""
        found = Best.reply(self, position, engine, budget)
        status = {"status": str(self.told.get("status", found.facts["status"]))}
        return replace(found, facts={**found.facts, **status}, whole="whole" not in self.told)


@pytest.mark.parametrize(
    ("told", "kept"), [({}, 1), ({"whole": False}, 0), ({"status": "feasible"}, 0)]
)
def test_a_piece_is_idle_by_proof_alone(told: dict[str, object], kept: int) -> None:
    """An answer that may have left out best moves, or is a bound, lets no piece go."""
    asked = replace(shown("path-house-and-tower"), question=Partly(told=told))
    assert needs_no_more(asked)(asked.position) == kept
