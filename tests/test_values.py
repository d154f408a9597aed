"""Answers as dictionaries, pictures and short text; games begun, read and played at speed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import burgrave
from burgrave import CallError, QuestionError
from burgrave.model.engine import legal_moves
from tests.cli.conftest import Burgrave
from tests.cli.conftest import burgrave as command  # noqa: F401 -- a fixture

GAME = str(Path(__file__).parents[1] / "docs" / "examples" / "three-turns.toml")
CLOCK = {"seconds", "nodes"}


def castle() -> burgrave.Position:
    """Return a castle with three tiles to come."""
    return burgrave.load("castle-04")


ANSWERS: dict[str, Callable[[], Any]] = {
    "best": lambda: burgrave.best(castle()),
    "force": lambda: burgrave.force(castle()),
    "win": lambda: burgrave.win(castle()),
    "expect": lambda: burgrave.expect(castle()),
    "max": lambda: burgrave.max(castle()),
    "evaluate": lambda: burgrave.evaluate(castle(), playouts=50),
    "score": lambda: burgrave.score(castle()),
    "count": lambda: burgrave.count(castle()),
    "check": lambda: burgrave.check(castle(), "K35@3,3r0"),
    "play": lambda: burgrave.play(castle(), "K35@3,4r0"),
    "verify": lambda: burgrave.verify(["CA-36"])[0],
    "review": lambda: next(iter(burgrave.review(burgrave.replay(GAME), playouts=20))),
    "move": lambda: burgrave.best(castle()).first[0],
    "odds": lambda: burgrave.win(castle()).odds,
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_becomes_json(name: str) -> None:
    """Fractions, moves and positions included; the text is one short line."""
    answer = ANSWERS[name]()
    data = burgrave.to_dict(answer)
    assert json.loads(json.dumps(data)) == data
    if not isinstance(answer, dict):
        assert len(str(answer).splitlines()) == 1
    if name in {"best", "force", "win", "evaluate", "play", "check", "review"}:
        assert len(str(answer)) < 160


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("force", ()),
        ("best", ()),
        ("win", ("--every",)),
        ("expect", ()),
        ("max", ()),
        ("score", ()),
        ("evaluate", ()),
    ],
)
def test_a_dictionary_is_what_the_command_prints(
    command: Burgrave,  # noqa: F811 -- the fixture
    name: str,
    args: tuple[str, ...],
) -> None:
    """One form of answer, wherever it is asked for."""
    answer = burgrave.evaluate(castle()) if name == "evaluate" else ANSWERS[name]()
    data = burgrave.to_dict(answer)
    printed = command(name, "castle-04", *args, "--json").data
    assert {k: v for k, v in data.items() if k not in CLOCK} == {
        k: v for k, v in printed.items() if k not in CLOCK
    }


def test_fractions_are_exact_in_a_dictionary() -> None:
    """The number is rounded, the text is not."""
    answer = burgrave.expect(burgrave.load("castle-09"))
    data = burgrave.to_dict(answer)
    odds = burgrave.to_dict(burgrave.win(castle()).odds)
    assert odds["win"] == {"value": 1, "exact": "1"}
    assert data["exact"] == str(answer.value)
    with pytest.raises(CallError, match="expected an answer of Burgrave"):
        burgrave.to_dict(object())


@pytest.mark.parametrize("source", ["castle-04", "the-city-that-lacks-one-tile"])
def test_notebooks_show_positions_and_answers(source: str) -> None:
    """The picture of an answer holds its best move."""
    at = burgrave.load(source)
    plain, force = at._repr_svg_(), burgrave.force(at)
    assert plain == burgrave.board_svg(at)
    best = burgrave.View(move=force.first[0].move)
    assert force._repr_svg_() == burgrave.board_svg(at, best) != plain
    assert burgrave.evaluate(at)._repr_svg_() != plain
    played = burgrave.play(at, force.first[0].move)
    assert played._repr_svg_() == played.position._repr_svg_()
    assert burgrave.force(at, budget=burgrave.Limits(seconds=0))._repr_svg_() == plain


def test_judgements_and_answers_are_told_in_a_line() -> None:
    """What a script prints first."""
    at = castle()
    assert str(burgrave.check(at, "K35@3,4r0")) == "legal"
    assert str(burgrave.check(at, "K35@3,3r0")) == "illegal: castle.place.inside"
    assert str(burgrave.force(at)) == "White: lead 10, optimal: K35@3,4r0 =3,2.NL*3"
    assert repr(burgrave.force(at)) == "<Answer White: lead 10, optimal: K35@3,4r0 =3,2.NL*3>"
    assert str(burgrave.evaluate(at)) == "White: lead +10 (proved): K35@3,4r0 =3,2.NL*3"
    stopped = burgrave.force(at, budget=burgrave.Limits(nodes=1))
    assert str(stopped) == "White: lead none, unknown"
    assert str(burgrave.count(at)) == "32"


def test_a_game_is_begun_as_the_command_begins_it() -> None:
    """The same number gives the same game; faults are told."""
    assert burgrave.new("castle", seed=7) == burgrave.new("castle", seed=7)
    assert burgrave.new("castle", seed=7) != burgrave.new("castle", seed=8)
    three = burgrave.new("carcassonne+tower", unknown=True, players=3, first="blue")
    assert (len(three.players), three.to_move, three.order) == (3, 1, ())
    for wrong in ({"game": "castel"}, {"game": "castle", "players": 3}, {"game": "x" * 9}):
        with pytest.raises(QuestionError):
            burgrave.new(**wrong)
    for wrong in ({"players": 1}, {"players": 7}, {"edition": "nonsense"}, {"first": "pink"}):
        with pytest.raises(QuestionError):
            burgrave.new("carcassonne", **wrong)
    with pytest.raises(QuestionError, match="exclude each other"):
        burgrave.new("castle", seed=1, unknown=True)


def test_what_is_shipped_is_listed_and_loads() -> None:
    """Ids of positions and puzzles."""
    assert "castle-04" in burgrave.positions()
    assert set(burgrave.puzzles()) < set(burgrave.positions())
    easy = burgrave.puzzles(["castle", "1-2"])
    assert easy
    assert burgrave.load(easy[0]).game.id == "castle"
    with pytest.raises(QuestionError):
        burgrave.puzzles(["nonsense"])


def test_a_record_is_read_with_its_moves() -> None:
    """Each move is legal where it stands; ``load`` takes the position before a turn."""
    turns = burgrave.replay(GAME)
    assert [burgrave.play(at, move).position for at, move in turns[:-1]] == [
        at for at, _ in turns[1:]
    ]
    assert burgrave.load(GAME, 2) == turns[1][0]


def test_cards_are_verified_and_levels_play() -> None:
    """As ``verify`` and ``practise --json`` do."""
    assert all(verdict.passed for verdict in burgrave.verify(["CA-36"], engine="reference"))
    with pytest.raises(QuestionError, match="can answer none"):
        burgrave.verify(["CA-36"], engine="nonsense")
    at = castle()
    for level in (1, 2):
        assert burgrave.check(at, burgrave.practise(at, level=level)).legal
    with pytest.raises(QuestionError, match="level = 6"):
        burgrave.practise(at, level=6)


@pytest.mark.parametrize("game", ["castle", "castle+falcon", "carcassonne", "carcassonne+tower"])
def test_a_table_plays_as_the_rules_do(game: str) -> None:
    """Turns, scores and positions are those of the rules engine, also after turns taken back."""
    at = burgrave.new(game, seed=3)
    table, rng = burgrave.table(at), random.Random(game)
    for _ in range(4):
        tile = at.order[0]
        turns = table.turns(tile)
        assert {table.move(turn) for turn in turns} == set(legal_moves(at))
        turn = rng.choice(turns)
        move = table.move(turn)
        table.play(turn)
        table.undo()
        again = next(one for one in table.turns(tile) if table.move(one) == move)
        table.play(again)
        at = burgrave.play(at, move).position
        assert table.scores() == tuple(player.score for player in at.players)
        assert (table.mover, table.left) == (at.to_move, len(at.order))
        assert table.position().tiles == at.tiles
    assert len(table.totals()) == len(at.players)


def test_a_table_refuses_what_would_break_it() -> None:
    """Turns of another moment, an undo too many, a tile too many."""
    at = burgrave.load("eight-points-or-six")
    table = burgrave.table(at)
    with pytest.raises(CallError, match="no turn was played"):
        table.undo()
    turns = table.turns(at.order[0].lower())
    for wrong in (-1, "K19", None, [], object()):
        with pytest.raises(CallError, match="no turn that was listed now"):
            table.play(wrong)
    with pytest.raises(QuestionError, match="has no tile"):
        table.turns("K99")
    with pytest.raises(CallError, match="expected text"):
        table.turns(3)  # type: ignore[arg-type]
    table.play(turns[0])
    with pytest.raises(CallError, match="no turn that was listed now"):
        table.play(turns[0])
    with pytest.raises(QuestionError, match="no tile is left"):
        table.turns(at.order[0])
