"""Games move by move: replay, import, and a game stopped at any turn."""

from __future__ import annotations

import json
from pathlib import Path

from burgrave.model.files.positions import Record, read_record, write_record
from tests.cli.conftest import Burgrave


def test_replay_reaches_the_result(burgrave: Burgrave, data: Path) -> None:
    """Every move with its events, final scoring, the comparison; exit 0."""
    answer = burgrave("replay", str(data / "record.toml"), "--json")
    found = answer.data
    assert answer.code == 0
    assert found["passed"] is True
    assert found["result"] == found["expected"] == [20, 74]
    assert [move["player"] for move in found["moves"]] == ["white", "black", "white"]
    assert found["final"]["winner"] == "black"
    assert burgrave("replay", str(data / "record.toml")).out.endswith(
        "The result is that of the record.\n"
    )


def test_replay_finds_another_result(burgrave: Burgrave, data: Path) -> None:
    """Exit 1 if the record names another result."""
    text = (data / "record.toml").read_text()
    record = read_record("record", text)
    for result in ((20, 73), (20,)):
        other = Record(position=record.position, moves=record.moves, result=result)
        answer = burgrave("replay", "-", text=write_record(other))
        assert answer.code == 1
        assert "The result differs" in answer.out


def test_replay_names_an_illegal_move(burgrave: Burgrave, data: Path) -> None:
    """Exit 1, with the number of the move and the rules it breaks."""
    text = (data / "record.toml").read_text().replace("T33@1,2r3", "T33@1,2r0")
    answer = burgrave("replay", "-", "--json", text=text)
    assert (answer.code, answer.data["passed"]) == (1, False)
    assert answer.data["illegal"]["number"] == 2
    assert " 2. Black: T33@1,2r0 herald.N is illegal" in burgrave("replay", "-", text=text).out


def test_replay_judges_the_wall_tiles_of_final_scoring(burgrave: Burgrave, data: Path) -> None:
    """A tile that the player does not hold cannot be used; exit 1."""
    text = (data / "record.toml").read_text().replace("moves = [", 'final = "white 9"\nmoves = [')
    answer = burgrave("replay", "-", "--json", text=text)
    assert (answer.code, answer.data["final"]) == (1, None)
    assert [v["rule"] for v in answer.data["violations"]] == ["castle.wall.when"]
    assert "may not be used so" in burgrave("replay", "-", text=text).out


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SAVE = Path(__file__).parents[1] / "data" / "jcz" / "field-scoring.jcz"


def test_import_writes_a_record_that_can_be_replayed(burgrave: Burgrave, tmp_path: Path) -> None:
    """A saved game of JCloisterZone becomes a record; its end is scored."""
    target = tmp_path / "game.toml"
    assert burgrave("import", str(SAVE), "-o", str(target)).code == 0
    assert burgrave("replay", str(target), "--json").data["result"] == [9, 0]
    again = burgrave("import", "-", "--json", text=SAVE.read_text(encoding="utf-8"))
    assert again.data["moves"] == ["E@0,1r2 farmer.N", "H@0,2r1", "E@1,2r3 farmer.N"]


def test_import_tells_what_becomes_of_assertions(burgrave: Burgrave) -> None:
    """The exit code is 1 if one does not hold; the record is written all the same."""
    text = SAVE.read_text(encoding="utf-8")
    told = burgrave("import", "-", text=text)
    assert (told.code, told.err) == (0, "4 of the 4 assertions of the game hold.\n")
    data = json.loads(text)
    data["test"]["assertions"][:2] = ["Oscar has 3 points", "Undo is allowed"]
    told = burgrave("import", "-", "--json", text=json.dumps(data))
    assert told.err.splitlines() == [
        "2 of the 4 assertions of the game hold.",
        "does not hold: Oscar has 3 points",
        "not compared: Undo is allowed",
    ]
    assert (told.code, len(told.data["moves"])) == (1, 3)


def test_a_save_given_to_another_command_is_recognised(burgrave: Burgrave) -> None:
    """The message names the command that reads it."""
    assert "burgrave import" in burgrave("check", str(SAVE)).err


def test_a_game_is_stopped_at_any_turn(burgrave: Burgrave, data: Path, tmp_path: Path) -> None:
    """What ``--at`` writes is the position in which that turn is made."""
    record = str(data / "record.toml")
    whole = burgrave("replay", record, "--json").data
    for turn, move in enumerate(whole["moves"], start=1):
        target = tmp_path / f"{turn}.toml"
        assert burgrave("replay", record, "--at", str(turn), "-o", str(target)).code == 0
        rest = [each["notation"] for each in whole["moves"][turn - 1 :]]
        assert burgrave("play", str(target), *rest, "--json").data["position"] == whole["position"]
        assert (
            move["player"]
            == burgrave("replay", record, "--at", str(turn), "--json").data["to_move"]
        )
    end = burgrave("replay", record, "--at", "4", "--json").data
    assert end["white"] == whole["position"]["white"]


def test_a_game_is_stopped_as_its_players_saw_it(burgrave: Burgrave, tmp_path: Path) -> None:
    """With ``--unknown`` one tile is known, and the others are in the bag."""
    hindsight = burgrave("import", str(SAVE), "--at", "2", "--json").data
    assert hindsight["order"] == ["H", "E"]
    seen = burgrave("import", str(SAVE), "--at", "2", "--unknown", "--json").data
    assert (seen["order"], seen["bag"]) == (["H"], {"E": 1})
    target = tmp_path / "position.json"
    assert burgrave("import", str(SAVE), "--at", "2", "--unknown", "-o", str(target)).code == 0
    assert burgrave("best", str(target), "--json").data["status"] == "optimal"


def test_final_scoring_is_not_told_while_a_wall_tile_has_no_number(burgrave: Burgrave) -> None:
    """Two tiles 9 would turn the game: no winner, but the reason, in words and in JSON."""
    at = str(Path(__file__).parents[1] / "data" / "found" / "unnamed-wall-tiles.toml")
    words, data = burgrave("score", at), burgrave("score", at, "--json").data
    reason = "depends on a wall tile of White without a number; name it under 'wall_tiles'"
    assert f"Final scoring {reason}" in words.out
    assert "wins" not in words.out
    assert (data["final"], data["undecided"]) == (None, f"final scoring {reason}")


LINK = "https://www.carcassonnelab.com/#/0/0/wti/12b213a023c2?players=Oscar,Carol"
"""The first game of the tutorials."""


def test_a_link_stands_for_its_game_in_every_command(burgrave: Burgrave) -> None:
    """Imported, replayed, and at a turn; exported it is the same link."""
    moves = ["E@0,1r2 farmer.N", "H@0,2r1", "E@1,2r3 farmer.N"]
    assert burgrave("import", LINK, "--json").data["moves"] == moves
    assert [one["notation"] for one in burgrave("replay", LINK, "--json").data["moves"]] == moves
    assert burgrave("check", LINK, "--at", "3").code == 0
    told = burgrave("check", LINK)
    assert (told.code, "of CarcassonneLab of 3 turns" in told.err) == (2, True)
    again = burgrave("export", LINK, "--to", "carcassonnelab").out
    assert again.startswith(LINK.partition("?")[0])
    bare = burgrave("import", LINK.removeprefix("https://"), "--json")
    assert bare.data["moves"] == moves
    other = burgrave("review", "https://boardgamearena.com/gamereview?table=1")
    assert (other.code, "those of CarcassonneLab alone are read" in other.err) == (2, True)


def test_export_writes_its_file_with_json_too(burgrave: Burgrave, tmp_path: Path) -> None:
    target = tmp_path / "link.txt"
    told = burgrave("export", LINK, "--to", "carcassonnelab", "-o", str(target), "--json")
    assert target.read_text() == told.data["text"]


def test_points_of_a_log_that_differ_are_told(burgrave: Burgrave) -> None:
    """Exit 1 and a line for each; the record is written all the same."""
    log = json.loads((EXAMPLES / "arena.json").read_text(encoding="utf-8"))
    paid = {"type": "winPoints", "args": {"player_id": "100", "points": "99"}}
    log["data"]["logs"].append({"data": [paid]})
    told = burgrave("import", "-", "--json", text=json.dumps(log))
    assert told.code == 1
    assert "does not hold: ada has 99 points; by our rules" in told.err.lower()
    assert len(told.data["moves"]) == 13
