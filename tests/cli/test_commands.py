"""Every command: what it prints, its JSON keys, what it writes, and its exit codes."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from burgrave import load
from burgrave.cli.commands.best import ObjectiveName
from burgrave.cli.options import EngineName
from burgrave.model.files.positions import load_position, read_position, read_record
from burgrave.model.final import final_scoring
from burgrave.solver.engines import ENGINES
from burgrave.solver.problem import Goal, Play, TileOrder
from burgrave.solver.result import Answer, Status
from tests.cli.conftest import Burgrave

FINDING = {"rule", "message", "cells", "source", "at"}
EVENT = {"text", "rules", "player", "points", "cells"}


def test_new_shuffles_by_the_seed(burgrave: Burgrave) -> None:
    """The same seed gives the same position, another one another; the title names it."""
    first, again, other = (burgrave("new", "castle", "--seed", seed) for seed in ("1", "1", "2"))
    assert first.code == 0
    assert first.out == again.out != other.out
    position = read_position("new", first.out)
    assert len(position.order) == 60
    assert len(position.towers) == 13
    assert all(number for _, number in position.towers)
    assert "shuffled by 1" in tomllib.loads(first.out)["title"]


@pytest.mark.parametrize("game", ["castle", "castle+falcon", "carcassonne", "carcassonne+tower"])
@pytest.mark.parametrize("how", ["--unknown", "--seed=1"])
def test_new_says_what_is_unofficial_or_a_reconstruction(
    burgrave: Burgrave, game: str, how: str
) -> None:
    """On standard error, so that the file holds the position alone."""
    answer = burgrave("new", game, how)
    assert "unofficial" in answer.err
    assert ("reconstruction" in answer.err) is (game == "castle+falcon")
    assert read_position("new", answer.out).game.id == game


@pytest.mark.parametrize(
    ("game", "rule"),
    [("carcassonne", "carcassonne.setup.players"), ("carcassonne+tower", "tower.setup.pieces")],
)
def test_six_players_bring_a_remark(burgrave: Burgrave, game: str, rule: str) -> None:
    """They can play; ``new`` and ``check`` say that they need another expansion."""
    begun = burgrave("new", game, "--players", "6", "--seed", "1")
    assert begun.code == 0
    assert "Inns & Cathedrals" in begun.err
    found = burgrave("check", "-", "--json", text=begun.out)
    assert (found.code, [note["rule"] for note in found.data["notes"]]) == (0, [rule])
    five = burgrave("new", game, "--players", "5", "--seed", "1")
    assert "Inns" not in five.err
    assert burgrave("check", "-", "--json", text=five.out).data["notes"] == []


@pytest.mark.parametrize("place", ["2.5,3", "2,3.5r1", "2.5,3.5"])
def test_a_tile_half_on_two_cells_breaks_a_rule(burgrave: Burgrave, place: str) -> None:
    """The answer is no, with the rule; in a file the line is refused with the rule."""
    found = burgrave("check", "castle-01", f"K56@{place}", "--json")
    assert (found.code, [one["rule"] for one in found.data["violations"]]) == (
        1,
        ["castle.place.adjacent"],
    )
    assert "[castle.place.adjacent]" in burgrave("play", "castle-01", f"K56@{place}").out
    text = 'burgrave = 1\ntype = "position"\nboard = ["K16@PLACE"]\n'.replace("PLACE", place)
    refused = burgrave("check", "-", text=text)
    assert (refused.code, "[castle.place.adjacent]" in refused.err) == (2, True)


def test_new_names_the_seed_that_chance_picked(burgrave: Burgrave) -> None:
    """Without a seed the title names the one that gives the position again."""
    out = burgrave("new", "castle").out
    seed = tomllib.loads(out)["title"].rsplit(" ", 1)[1]
    assert burgrave("new", "castle", "--seed", seed).out == out


def test_new_leaves_everything_unknown(burgrave: Burgrave) -> None:
    """A bag of 60 tiles, wall tiles face down, and the player who begins."""
    position = read_position("new", burgrave("new", "castle", "--unknown", "--first", "black").out)
    assert position.order == ()
    assert len(position.bag) == 60
    assert {number for _, number in position.towers} == {0}
    assert position.to_move == 1


def test_new_writes_toml_or_json_by_the_name(burgrave: Burgrave, tmp_path: Path) -> None:
    """Both files hold the same position, and an existing file is replaced only by --force."""
    for name in ("a.toml", "a.json"):
        assert burgrave("new", "castle", "--seed", "4", "-o", str(tmp_path / name)).code == 0
    toml, json = tmp_path / "a.toml", tmp_path / "a.json"
    assert json.read_text().startswith("{")
    assert load_position(toml) == load_position(json)
    again = burgrave("new", "castle", "--seed", "5", "-o", str(toml))
    assert (again.code, load_position(toml)) == (2, load_position(json))
    assert "--force" in again.err
    assert burgrave("new", "castle", "--seed", "5", "-o", str(toml), "--force").code == 0
    assert load_position(toml) != load_position(json)
    assert burgrave("new", "castle", "--seed", "4", "--json").out == json.read_text()


@pytest.mark.parametrize("name", ["full.toml", "small.toml", "puzzle.toml"])
def test_check_finds_a_position_possible(burgrave: Burgrave, data: Path, name: str) -> None:
    """A possible position is answered with exit 0 and no violation."""
    answer = burgrave("check", str(data / name), "--json")
    assert answer.code == 0
    assert answer.data == {"legal": True, "move": None, "violations": [], "notes": []}
    assert burgrave("check", str(data / name)).out == "Possible.\n"


def test_check_lists_all_that_is_impossible_by_place(burgrave: Burgrave, data: Path) -> None:
    """Every fault of a position is in the answer, with its place in the file; exit 1."""
    text = (data / "puzzle.toml").read_text()
    text = text.replace(
        'board = ["Way@0,2r1 white:herald.E"]',
        'board = ["Door@3,5r1 white:knight.W", "Way@0,2r0", "Way@0,2r1", "Door@9,9r0"]',
    ).replace("score = 29\nsupply = 0", "score = -1\nsupply = 6")
    answer = burgrave("check", "-", "--json", text=text)
    found = {(v["rule"], v["at"]) for v in answer.data["violations"]}
    assert answer.code == 1
    assert answer.data["legal"] is False
    assert all(set(violation) == FINDING for violation in answer.data["violations"])
    assert found >= {
        ("castle.place.inside", "board[2]"),
        ("castle.place.inside", "board[3]"),
        ("castle.place.adjacent", "board[0]"),
        ("castle.follower.role", "board[0]"),
        ("castle.setup.followers", "white.supply"),
        ("castle.setup.tiles", "board"),
        ("castle.setup.track", "white.score"),
    }
    words = burgrave("check", "-", text=text)
    assert (words.code, words.out.splitlines()[0][:10]) == (1, "Impossible")


def test_check_of_a_move_lists_every_broken_rule(burgrave: Burgrave, data: Path) -> None:
    """Rule, sentence, source and cells of each; exit 1."""
    answer = burgrave("check", str(data / "puzzle.toml"), "Door@1,2r0 knight.E", "--json")
    assert answer.code == 1
    found = {v["rule"]: v for v in answer.data["violations"]}
    assert set(found) == {
        "castle.place.path",
        "castle.follower.supply",
        "castle.return",
        "castle.follower.role",
    }
    assert found["castle.place.path"]["cells"] == [[1, 2], [0, 2]]
    assert found["castle.place.path"]["source"].startswith("Carcassonne: The Castle")
    assert set(answer.data) == {"legal", "move", "violations", "notes"}
    assert answer.data["move"] == "Door@1,2r0 knight.E"
    words = burgrave("check", str(data / "puzzle.toml"), "Door@1,2r0 knight.E").out
    assert all(rule in words for rule in found)


def test_check_of_a_legal_move_says_what_allows_it(burgrave: Burgrave, data: Path) -> None:
    """Notes name the rules by which it may be; exit 0."""
    answer = burgrave("check", str(data / "puzzle.toml"), "Door@5,11r0", "--json")
    assert (answer.code, answer.data["legal"], answer.data["violations"]) == (0, True, [])
    assert "castle.feature.start" in {note["rule"] for note in answer.data["notes"]}
    words = burgrave("check", str(data / "puzzle.toml"), "door@5,11  R0")
    assert (words.code, words.out.splitlines()[0]) == (0, "Legal: Door@5,11r0")


def test_check_of_a_move_in_an_impossible_position(burgrave: Burgrave, data: Path) -> None:
    """The answer is what is wrong with the position."""
    text = (data / "puzzle.toml").read_text().replace("supply = 0", "supply = 6")
    answer = burgrave("check", "-", "Door@1,2r3", text=text)
    assert answer.code == 1
    assert "The move is not judged." in answer.out


def test_a_move_may_begin_with_a_tile_that_had_no_place(burgrave: Burgrave, data: Path) -> None:
    """A minus at the beginning of a move is no option of the program."""
    answer = burgrave("check", str(data / "puzzle.toml"), "-Way Door@1,2r3", "--json")
    assert answer.code == 1
    assert {v["rule"] for v in answer.data["violations"]} >= {"castle.turn.order"}


def test_moves_are_those_of_every_engine(burgrave: Burgrave, data: Path) -> None:
    """The list, its length and the filter by tile agree."""
    path = str(data / "puzzle.toml")
    listed = burgrave("moves", path)
    counted = burgrave("moves", path, "--count")
    assert listed.code == counted.code == 0
    assert "Door@1,2r3" in listed.out.splitlines()
    assert int(counted.out) == len(listed.out.splitlines())
    for engine in EngineName:
        found = burgrave("moves", path, "--tile", "door", "--engine", engine, "--json").data
        assert found == {"count": int(counted.out), "moves": listed.out.splitlines()}
    assert burgrave("moves", path, "--count", "--json").data == {"count": int(counted.out)}


def test_play_tells_the_events_and_writes_the_position(
    burgrave: Burgrave, data: Path, tmp_path: Path
) -> None:
    """The resulting position is that after the moves."""
    target = tmp_path / "after.toml"
    answer = burgrave("play", str(data / "puzzle.toml"), "Door@1,2r3", "-o", str(target))
    assert answer.code == 0
    assert "White scores the path of 3 tiles: 3, now 32" in answer.out
    after = load_position(target)
    assert after.players[0].score == 32
    assert after.over
    assert [tile.kind.id for tile in after.tiles] == ["Way", "Door"]


def test_play_writes_a_record_that_can_be_replayed(
    burgrave: Burgrave, data: Path, tmp_path: Path
) -> None:
    """A record holds the position before and the moves."""
    target = tmp_path / "line.json"
    moves = ["T27@4,7r2 merchant.E", "T33@1,2r3 herald.N"]
    start = str(data / "small.toml")
    assert burgrave("play", start, *moves, "--record", "-o", str(target)).code == 0
    record = read_record("line", target.read_text())
    assert record.moves == tuple(moves)
    assert record.position == load_position(data / "small.toml")
    assert burgrave("replay", str(target)).code == 0


def test_play_stops_at_an_illegal_move_and_writes_nothing(
    burgrave: Burgrave, data: Path, tmp_path: Path
) -> None:
    """Exit 1, the move is named, and no file is written."""
    target = tmp_path / "after.toml"
    moves = ["T27@4,7r2 merchant.E", "T33@1,2r0"]
    args = ("play", str(data / "small.toml"), *moves)
    answer = burgrave(*args, "-o", str(target), "--json")
    assert (answer.code, target.exists()) == (1, False)
    assert answer.data["legal"] is False
    assert len(answer.data["moves"]) == 1
    assert set(answer.data["moves"][0]["events"][0]) == EVENT
    assert answer.data["illegal"] == {"number": 2, "notation": "T33@1,2r0"}
    assert {v["rule"] for v in answer.data["violations"]} == {"castle.place.path"}
    assert "T33@1,2r0 is illegal" in burgrave(*args).out


def test_play_json_holds_the_position(burgrave: Burgrave, data: Path) -> None:
    """Scores, end and the keys of a position's file."""
    found = burgrave("play", str(data / "puzzle.toml"), "Door@1,2r3", "--json").data
    assert found["scores"] == {"white": 32, "black": 12}
    assert found["over"] is True
    assert found["position"]["board"] == ["Way@0,2r1", "Door@1,2r3"]


def test_score_says_of_every_feature_who_would_score_what(burgrave: Burgrave, data: Path) -> None:
    """Kind, tiles, followers, worth, scorer, and what is missing."""
    found = burgrave("score", str(data / "puzzle.toml"), "--json").data
    assert set(found) == {"players", "empty_area", "features", "final", "undecided"}
    assert found["players"]["white"] == {
        "score": 29,
        "supply": 0,
        "on_board": 1,
        "keep": 0,
        "wall_tiles": [],
        "fresh_wall_tiles": [],
    }
    assert found["empty_area"] == 75
    assert found["final"] is None
    assert found["features"][0] == {
        "kind": "path",
        "at": "0,2.E",
        "tiles": 2,
        "cells": [[0, 2]],
        "start_spaces": ["6/7"],
        "fountains": 0,
        "markets": 0,
        "followers": [{"player": "white", "role": "herald", "at": "0,2.E"}],
        "complete": False,
        "worth": 2,
        "scorer": "white",
        "open": [[0, 2, "E"]],
        "missing": [[1, 2]],
    }
    assert {feature["kind"] for feature in found["features"]} == {"path", "court"}
    words = burgrave("score", str(data / "puzzle.toml")).out
    assert "White's herald on 0,2: White would score 2 on completion, open towards 1,2" in words


def test_score_of_a_finished_game_is_final_scoring(
    burgrave: Burgrave, data: Path, tmp_path: Path
) -> None:
    """Totals and winner are those of the rules engine."""
    target = tmp_path / "end.toml"
    burgrave("play", str(data / "puzzle.toml"), "Door@1,2r3", "-o", str(target))
    expected = final_scoring(load_position(target))
    found = burgrave("score", str(target), "--json").data["final"]
    assert found["scores"] == dict(zip(("white", "black"), expected.scores, strict=True))
    assert found["winner"] == "white"
    assert set(found) == {"scores", "winner", "leaders", "events", "uses"}
    assert "Result: White 32, Black 12: White wins" in burgrave("score", str(target)).out


def test_score_says_who_ties_and_what_encloses_a_hole(burgrave: Burgrave, data: Path) -> None:
    """A tied feature scores for nobody; a building round an empty cell may be open by a switch."""
    text = (data / "puzzle.toml").read_text()
    tied = text.replace('.E"]', '.E", "Way@1,2r1 black:herald.E"]').replace(
        'id = "Way"', 'id = "Way"\ncount = 2'
    )
    out = burgrave("score", "-", text=tied).out
    assert "Black's herald on 1,2: tied, nobody would score its 3 on completion" in out
    ring = """
burgrave = 1
type = "position"
board = ["A@0,1r1", "B@0,2r1", "A@1,2r0", "B@2,2r2", "A@2,1r1", "B@2,0r3", "A@1,0r0", "B@0,0r0"]
order = ["K01"]
start_spaces = {"6/7" = "bare", "94/95" = "bare"}
kinds = [
    {id = "A", count = 8, segments = ["tower E W", "court N S"]},
    {id = "B", count = 8, segments = ["tower N E", "court S W"]},
]
switches = {enclosed_hole_blocks = "on"}
"""
    assert "tower of 8 tiles" in burgrave("score", "-", text=ring).out
    assert "closed, but it encloses a hole" in burgrave("score", "-", text=ring).out


def test_score_says_what_lies_empty_around_a_chapel(burgrave: Burgrave) -> None:
    """By a switch a chapel without an open side waits for the cells around it."""
    alone = """
burgrave = 1
type = "position"
game = "castle+falcon"
board = ["A@2,6 white:preacher.#0"]
order = ["K01"]
kinds = [{id = "A", segments = ["chapel", "court N E S W"]}]
switches = {chapel_completion = "like_cloister"}
start_spaces = {"18/19" = "bare"}
"""
    told = burgrave("score", "-", text=alone).out
    assert "closed, but empty around it: 2,5 2,7 3,5 3,6 3,7" in told


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("objective", ObjectiveName)
def test_best_proves_its_answer(
    burgrave: Burgrave, data: Path, engine: str, objective: str
) -> None:
    """Value, bound, status, moves with what they score; exit 0."""
    args = ("best", str(data / "puzzle.toml"), "--engine", engine, "--objective", objective)
    answer = burgrave(*args, "--json")
    found = answer.data
    assert answer.code == 0
    assert (found["value"], found["bound"], found["status"]) == (3, 3, "optimal")
    assert (found["engine"], found["objective"], found["player"]) == (engine, objective, "white")
    assert set(found) == {
        "value",
        "bound",
        "status",
        "moves",
        "engine",
        "seconds",
        "confirmed",
        "objective",
        "player",
    }
    (move,) = found["moves"]
    assert (move["notation"], move["value"]) == ("Door@1,2r3", 3)
    (event,) = move["scores"]
    assert set(event) == EVENT
    assert (event["player"], event["points"]) == ("white", 3)
    words = burgrave(*args).out
    assert "3 points" in words
    assert "castle.path.score" in words


IDLE = """burgrave = 1
type = "position"
board = ["cttc@7,9"]
order = ["cttt"]
"""
"""A board on which no move scores."""


def test_an_answer_names_the_tile_as_it_lies(burgrave: Burgrave) -> None:
    """Who wrote a table down by codes knows no ids; where a tile has no code, there is none."""
    best = burgrave("best", "path-house-and-tower").out
    assert "  13  K04@1,0r0 knight.N =1,0.N*2  (tthh-ew)\n" in best
    idle = burgrave("best", "-", text=IDLE).out.splitlines()
    assert idle[1] == "  no move scores in this turn; burgrave evaluate weighs what comes later"
    assert [line for line in idle if line.startswith("  and ")] == [
        "  and 62 more moves (--json tells all)"
    ]
    plane = burgrave("best", "the-city-that-lacks-one-tile").out
    assert not re.search(r"^ +[0-9]+  .*\)$", plane, re.MULTILINE)


def test_best_shows_as_many_moves_as_wanted(burgrave: Burgrave, data: Path) -> None:
    """At least N moves, best first."""
    args = ("best", str(data / "puzzle.toml"), "--top", "5", "--tile", "DOOR")
    values = [move["value"] for move in burgrave(*args, "--json").data["moves"]]
    assert len(values) >= 5
    assert values == sorted(values, reverse=True)


def _stopped(status: Status) -> Answer:
    """Return the answer of a search that did not come to its end."""
    return Answer(
        asker=0,
        goal=Goal.POINTS,
        play=Play.HELPED,
        order=TileOrder.GIVEN,
        position=load("castle-01"),
        gains=True,
        tiles=1,
        value=None,
        odds=None,
        status=status,
        first=(),
        complete=False,
        line=(),
        scores=None,
        engine="cpsat",
        nodes=0,
        seconds=0.1,
        most=Fraction(9) if status is Status.BOUND else None,
        confirmed=(),
    )


@pytest.mark.parametrize(("status", "code"), [(Status.BOUND, 3), (Status.UNKNOWN, 3)])
def test_best_exits_by_the_status(
    burgrave: Burgrave, data: Path, monkeypatch: pytest.MonkeyPatch, status: Status, code: int
) -> None:
    """3 where the best move is not proved."""

    def ask(*_: Any, **__: Any) -> Answer:
        return _stopped(status)

    monkeypatch.setattr("burgrave.solver.questions.best", ask)
    answer = burgrave("best", str(data / "puzzle.toml"), "--json")
    assert (answer.code, answer.data["status"]) == (code, str(status))
    words = burgrave("best", str(data / "puzzle.toml"))
    assert (words.code, "No best move" in words.out) == (code, True)


@pytest.mark.usefixtures("out_of_time")
def test_best_stops_when_time_is_out(burgrave: Burgrave, data: Path) -> None:
    """Without an answer it ends with exit 3."""
    answer = burgrave("best", str(data / "full.toml"), "--time", "60", "--json")
    assert (answer.code, answer.data["status"]) == (3, "unknown")


def test_play_takes_a_move_without_quotation_marks(burgrave: Burgrave) -> None:
    """Several moves are told apart by their quotation marks; a turn that passes is a move."""
    quoted = burgrave("play", "castle-04", "K35@3,4r0")
    assert quoted.code == 0
    assert burgrave("play", "castle-04", "K35", "3,4", "r0").out == quoted.out
    assert burgrave("play", "castle-04", "K35 3,4 r0", "pass").code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no pipe has a name there")
def test_no_file_takes_the_place_of_a_pipe(burgrave: Burgrave, tmp_path: Path) -> None:
    """An administrator lost /dev/null to ``-o /dev/null --force``."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    answer = burgrave("new", "castle", "-o", str(pipe), "--force")
    assert (answer.code, answer.out) == (2, "")
    assert "a device or a pipe" in answer.err
    assert pipe.is_fifo()


def test_a_list_of_tile_sets_has_english_plurals(burgrave: Burgrave) -> None:
    """In words and as JSON."""
    first = burgrave("tiles", "list", "--json").data[0]
    assert first["segments"] == {
        "cities": 49,
        "cloisters": 6,
        "fields": 126,
        "roads": 62,
        "shields": 10,
    }
    assert "49 cities, 6 cloisters" in burgrave("tiles", "list").out


@pytest.mark.parametrize(
    ("puzzle", "example"),
    [
        ("eight-points-or-six", "K01@3,4r0 herald.N"),
        ("the-city-that-lacks-one-tile", "A@3,4r0 farmer.N"),
    ],
)
def test_an_example_of_a_move_is_of_the_game(burgrave: Burgrave, puzzle: str, example: str) -> None:
    """A castle's tile helps nobody in Carcassonne."""
    asked = burgrave("solve", puzzle, "--ask", text="nonsense\nquit\n")
    assert f"like {example}" in asked.err
    assert ("K01" in asked.err) is ("K01" in example)
    assert burgrave("check", puzzle, "knight.N").err.count("K01") == 0
