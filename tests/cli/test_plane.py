"""The commands on positions of Carcassonne with and without The Tower."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Burgrave

POSITION = """
burgrave = 1
type = "position"
game = "carcassonne+tower"
players = ["red", "blue", "green"]
board = ["D@0,0r0 red:knight.N", "TW02@0,-1r0 blue:farmer.N", "U@1,0r0"]
built = ["0,-1:2"]
order = ["E", "V"]
player.red = { score = 5, pieces = 3 }
player.green = { prisoners = ["red"] }
"""

FARMS = """
burgrave = 1
type = "position"
game = "carcassonne"
edition = "rgg2006"
board = ["D@0,0r0 red:farmer.EL", "E@0,1r2 blue:farmer.N", "B@0,2r0 blue:farmer.S"]
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Return a position of three players, two tiles before the end."""
    path = tmp_path / "tower.toml"
    path.write_text(POSITION, encoding="utf-8")
    return str(path)


def test_a_move_is_judged(burgrave: Burgrave, file: str) -> None:
    """A legal turn with ransom, piece and capture; an illegal one with its rules."""
    assert burgrave("check", file).code == 0
    assert burgrave("check", file, "ransom:green E@0,1r2 ^0,-1 x0,-1.N").code == 0
    answer = burgrave("check", file, "E@0,1r2 ^0,-1 x0,0.N guard@0,-1", "--json")
    assert answer.code == 1
    assert [v["rule"] for v in answer.data["violations"]] == [
        "tower.action.one",
        "tower.capture.opponent",
    ]


def test_a_game_is_played_recorded_and_replayed(
    burgrave: Burgrave, file: str, tmp_path: Path
) -> None:
    """What ``play`` records ``replay`` accepts, final scoring included."""
    record = str(tmp_path / "record.toml")
    moves = ["ransom:green E@0,1r2 guard@0,-1", "V@1,-1r3 thief.E"]
    assert "Red closes the tower on 0,-1 with a follower" in burgrave("play", file, moves[0]).out
    played = burgrave("play", file, *moves, "-o", record, "--record", "--json")
    assert played.data["scores"] == {"red": 6, "blue": 0, "green": 3}
    assert played.data["over"] is True
    replayed = burgrave("replay", record, "--json")
    assert replayed.data["passed"] is True
    assert replayed.data["final"]["leaders"] == ["red"]


def test_a_position_is_scored_and_drawn(burgrave: Burgrave, file: str) -> None:
    """Features tell who would score them; the picture shows players and the tower."""
    data = burgrave("score", file, "--json").data
    city = next(f for f in data["features"] if f["kind"] == "city")
    assert (city["worth"], city["worth_at_the_end"], city["scorers"]) == (2, 1, ["red"])
    assert data["players"]["green"]["prisoners"] == ["red"]
    assert "Red's knight on 0,0: Red would score 2" in burgrave("score", file).out
    lines = burgrave("draw", file, "--ascii").out
    assert "Rk" in lines
    assert "3 tower pieces" in lines


def test_a_feature_is_not_said_to_score_what_it_does_not(
    burgrave: Burgrave, tmp_path: Path
) -> None:
    """A completed city scores nothing at the end, and most farmers on a field may get nothing.

    Red has most farmers on one field of the city, Blue on all its fields together.
    """
    path = tmp_path / "farms.toml"
    path.write_text(FARMS, encoding="utf-8")
    answer = burgrave("score", str(path))
    assert "city of 2 tiles at 0,0.N, nobody stands on it (2), complete" in answer.out
    assert "would score its cities" not in answer.out
    data = burgrave("score", str(path), "--json").data
    city = next(f for f in data["features"] if f["complete"])
    assert (city["worth"], city["worth_at_the_end"]) == (2, 0)
    assert {(farm["player"], farm["points"]) for farm in data["farms_now"]} == {("blue", 4)}


def test_moves_are_listed(burgrave: Burgrave, file: str) -> None:
    """Every listed move is one that can be read and is legal."""
    moves = burgrave("moves", file, "--json").data["moves"]
    assert len(moves) == len(set(moves))
    assert {"E@0,1r2 ^0,-1", "ransom:green E@0,1r2 guard@0,-1"} <= set(moves)
    for move in moves[::20]:
        assert burgrave("check", file, move).code == 0


def test_lines_are_counted(burgrave: Burgrave, file: str) -> None:
    """Legal lines as many as there are moves; best lines of three players, each for himself."""
    listed = burgrave("moves", file, "--count", "--json").data["count"]
    assert burgrave("count", file, "--json").data["lines"] == listed
    found = burgrave("count", file, "--best", "force", "--json").data
    forced = burgrave("force", file, "--json").data
    assert found["value"] == forced["value"]
    assert found["lines"] >= len(forced["moves"]) >= 1
    assert "best lines worth" in burgrave("count", file, "--best", "max").out
    assert burgrave("count", file, "--depth", "2", "--nodes", "3").code == 3


def test_what_cannot_be_reached_has_reasons(burgrave: Burgrave, file: str) -> None:
    """A score and a feature, in words and as JSON; what can be had has none."""
    best = burgrave("max", file, "--json").data["value"]
    assert burgrave("why", file, "--score", str(best)).code == 1
    answer = burgrave("why", file, "--score", str(best + 1), "--json")
    assert (answer.code, answer.data["possible"]) == (0, False)
    assert answer.data["facts"][0].startswith("Red has 5 points, ")
    assert "2 tiles are left: E, V" in burgrave("why", file, "--feature", "0,0.E").out
    refused = burgrave("why", file, "--feature", "1,0.N")
    assert (refused.code, "such a feature is never completed" in refused.err) == (2, True)


@pytest.mark.usefixtures("out_of_time")
def test_what_time_does_not_settle_is_open(burgrave: Burgrave, file: str) -> None:
    """Whether it can be is not told, and the exit code says so."""
    answer = burgrave("why", file, "--score", "1000", "--time", "60", "--json")
    assert (answer.code, answer.data["possible"]) == (3, None)


@pytest.mark.parametrize("game", ["carcassonne", "carcassonne+tower"])
def test_a_new_game_can_be_used(burgrave: Burgrave, tmp_path: Path, game: str) -> None:
    """Players, edition and first player are those asked for."""
    path = str(tmp_path / "new.toml")
    options = ["--players", "4", "--edition", "car", "--first", "green", "--seed", "1"]
    assert burgrave("new", game, *options, "-o", path).code == 0
    assert burgrave("check", path).code == 0
    text = Path(path).read_text(encoding="utf-8")
    assert 'edition = "car"' in text
    assert 'to_move = "green"' in text
    assert burgrave("new", "castle", "--players", "3").code == 2
    assert burgrave("new", game, "--edition", "none").code == 2
    assert burgrave("new", game, "--first", "white").code == 2


def test_wrong_keys_are_named_with_their_place(burgrave: Burgrave, tmp_path: Path) -> None:
    """Players, towers, prisoners and editions that are not there are told at once."""
    path = tmp_path / "wrong.toml"
    wrong = POSITION.replace('"0,-1:2"', '"0,-1:2 pink", "high"').replace('["red"]', '["pink"]')
    path.write_text(wrong, encoding="utf-8")
    told = burgrave("check", str(path)).err
    assert "built[0]: no player pink" in told
    assert "built[1]: 'high' is no tower" in told
    assert "prisoners: no player pink" in told
    path.write_text(POSITION.replace("players =", 'edition = "x"\nplayers ='), encoding="utf-8")
    assert "edition: no edition 'x'" in burgrave("check", str(path)).err
