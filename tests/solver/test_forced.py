"""What can be forced: alpha-beta against plain minimax on the rules engine."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import QuestionError
from burgrave.model.final import final_scoring
from burgrave.model.position import Move, Position
from burgrave.model.switches import CASTLE_SWITCHES, WALL_OWN_TURN_ONLY
from burgrave.puzzles.files.library import find, position
from burgrave.solver.limits import Limits
from burgrave.solver.problem import Goal, Play, Problem, TileOrder
from burgrave.solver.questions import forced, winning
from burgrave.solver.result import CertificateError, Status, certify_first
from tests.strategies import after, hall_game, opening


def ending(seed: int, tiles: int) -> Position:
    """Return a random position in a small hall, with its tiles to come in known order."""
    rng = random.Random(seed)
    switches = {switch.name: rng.choice(switch.values) for switch in CASTLE_SWITCHES}
    switches[WALL_OWN_TURN_ONLY.name] = WALL_OWN_TURN_ONLY.default
    while True:
        start = opening(hall_game(rng, switches), rng)
        found = after(start, rng, rng.randrange(3, 9))
        left = (*found.order, *found.bag)[:tiles]
        if len(left) == tiles:
            return known(replace(found, order=left, bag=()), rng)


def known(at: Position, rng: random.Random) -> Position:
    """Return the position with a number for every wall tile."""
    numbers = iter(rng.choices(range(1, 10), k=99))
    players = tuple(
        replace(p, wall_tiles=tuple(sorted(n or next(numbers) for n in p.wall_tiles)))
        for p in at.players
    )
    towers = tuple((name, number or next(numbers)) for name, number in at.towers)
    return replace(at, players=players, towers=towers)


def minimax(at: Position) -> int:
    """Return White's lead with best play of both, by trying every line."""
    if at.over:
        white, black = final_scoring(at).scores
        return white - black
    values = [minimax(play(at, move).position) for move in legal_moves(at)]
    return max(values) if at.to_move == 0 else min(values)


def best_moves(at: Position) -> tuple[int, tuple[Move, ...]]:
    """Return White's lead and every move that leads to it."""
    values = {move: minimax(play(at, move).position) for move in legal_moves(at)}
    best = max(values.values()) if at.to_move == 0 else min(values.values())
    return best, tuple(move for move, value in values.items() if value == best)


@pytest.mark.parametrize(
    ("seed", "tiles"), [*((seed, 1) for seed in range(16)), *((seed, 2) for seed in range(3))]
)
def test_alpha_beta_is_plain_minimax(seed: int, tiles: int) -> None:
    """Lead and all best first moves are those of minimax, switches and wall tiles included."""
    at = ending(seed, tiles)
    lead, first = best_moves(at)
    answer = forced(at)
    assert answer.status is Status.OPTIMAL
    assert answer.value == (lead if at.to_move == 0 else -lead)
    assert tuple(one.move for one in answer.first) == first
    assert answer.complete
    assert answer.scores is not None
    assert answer.scores[0] - answer.scores[1] == lead


def test_a_shipped_endgame_ends_as_it_did() -> None:
    """The line of a shipped endgame of three tiles is legal to its end and keeps its lead."""
    at = position(find("castle-04"))
    answer = forced(at)
    assert (answer.value, answer.scores, len(answer.line)) == (10, (107, 97), 3)


def test_colours_swapped_change_the_side_and_nothing_else() -> None:
    """The lead is counted for the player to move, whoever he is."""
    at = position(find("castle-01"))
    swapped = replace(
        at,
        players=at.players[::-1],
        to_move=1 - at.to_move,
        followers=tuple(sorted(f._replace(player=1 - f.player) for f in at.followers)),
    )
    assert forced(swapped).value == forced(at).value


def test_without_time_nothing_is_claimed() -> None:
    """With no time there is no lead and no move; with some there may be a bound."""
    at = position(find("castle-09"))
    answer = forced(at, budget=Limits(0))
    assert (answer.status, answer.value, answer.first) == (Status.UNKNOWN, None, ())
    some = forced(at, budget=Limits(nodes=20))
    assert some.status is not Status.OPTIMAL


def test_impossible_questions_are_refused() -> None:
    """A game that is over and an unknown order each have a message of their own."""
    with pytest.raises(QuestionError, match="order of 6 tiles is not known"):
        forced(position(find("castle-10")))
    face_down = replace(position(find("castle-01")), towers=(("12/13", 0),))
    with pytest.raises(QuestionError, match="12/13 are face down"):
        forced(face_down)
    game = face_down.game.with_switches({WALL_OWN_TURN_ONLY.name: "off"})
    with pytest.raises(QuestionError, match="the opponent decides"):
        forced(replace(face_down, game=game, towers=(("12/13", 2),)))


def test_a_game_that_is_over_is_worth_its_final_scoring() -> None:
    """With no tile left the lead is that of final scoring, and there is no move."""
    over = replace(position(find("castle-01")), order=())
    white, black = final_scoring(over).scores
    answer = forced(over)
    assert (answer.value, answer.first, answer.scores) == (white - black, (), (white, black))
    assert answer.status is Status.OPTIMAL


def test_a_false_line_is_a_bug() -> None:
    """A line that ends with another lead, or breaks a rule, raises the certificate's error."""
    at = position(find("castle-01"))
    problem = Problem(
        position=at,
        asker=at.to_move,
        goal=Goal.LEAD,
        play=Play.AGAINST,
        order=TileOrder.GIVEN,
    )
    best = forced(at).first[0]
    with pytest.raises(CertificateError, match="is said to be worth"):
        certify_first(problem, replace(best, value=best.value + 1))
    with pytest.raises(CertificateError, match="is said to be legal"):
        certify_first(problem, replace(best, line=best.line[::-1]))
    with pytest.raises(CertificateError, match="is said to end the game"):
        certify_first(problem, replace(best, line=best.line[:1]))


@pytest.mark.parametrize("seed", range(12))
def test_the_lead_decides_who_wins(seed: int) -> None:
    """One move is wanted: the answer is that of a search for the win, at the cost of the lead."""
    at = ending(seed, 3)
    wins, lead = winning(at), forced(at, told=1)
    one = winning(at, told=1)
    assert (one.value, one.odds, one.status) == (wins.value, wins.odds, Status.OPTIMAL)
    assert (one.goal, one.nodes, len(one.first)) == (Goal.WIN, lead.nodes, 1)
    assert one.first[0].move in {root.move for root in wins.first}
    for nodes in (1, 10, 40):
        cut = winning(at, told=1, budget=Limits(nodes=nodes))
        if cut.status is Status.OPTIMAL:
            assert cut.value == wins.value
        assert cut.least is None or cut.least <= wins.value
        assert cut.most is None or cut.most >= wins.value
