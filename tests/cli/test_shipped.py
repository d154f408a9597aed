"""Commands about what is shipped: tile sets, rules, cards, positions, puzzles."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from burgrave.model.expansions.falcon.switches import FALCON_SWITCHES
from burgrave.model.expansions.tower.switches import RANKED_SWITCHES, TOWER_SWITCHES
from burgrave.model.registry import BASES, EXPANSIONS
from burgrave.model.rule import Switch
from burgrave.model.rules.index import RULES, SWITCHES
from burgrave.model.switches import CARCASSONNE_SWITCHES, CASTLE_SWITCHES
from burgrave.puzzles.files.library import entries, find, puzzle
from burgrave.puzzles.words.hints import hints
from tests.cli.conftest import Burgrave

FINDING = {"rule", "message", "cells", "source", "at"}
EVENT = {"text", "rules", "player", "points", "cells"}


def test_tiles_check_accepts_a_set(burgrave: Burgrave, data: Path) -> None:
    """Exit 0 and what is in the set."""
    found = burgrave("tiles", "check", str(data / "tiles.toml"), "--json").data
    assert found == {
        "valid": True,
        "id": "doors",
        "title": "Two kinds for the tests",
        "kinds": 2,
        "tiles": 3,
        "segments": {
            "courts": 4,
            "fountains": 2,
            "houses": 1,
            "markets": 2,
            "paths": 3,
            "squares": 0,
        },
    }
    assert "can be used" in burgrave("tiles", "check", str(data / "tiles.toml")).out


def test_tiles_show_draws_a_set(burgrave: Burgrave, data: Path) -> None:
    """The set of a file or a shipped one, each kind once."""
    words = burgrave("tiles", "show", str(data / "tiles.toml"), "--ascii").out
    assert "Way x2      Door" in words
    assert "...I..." in words
    assert ".$.O..." in words
    shipped = burgrave("tiles", "show", "--json").data
    assert shipped["id"] == "castle"
    assert shipped["tiles"] == 60
    assert max(map(len, shipped["lines"])) <= 100
    assert "printed" in shipped["title"]


def test_tiles_list_names_the_shipped_sets(burgrave: Burgrave) -> None:
    """The tiles of each game and expansion."""
    listed = [one["id"] for one in burgrave("tiles", "list", "--json").data]
    assert listed == sorted((*BASES, *EXPANSIONS))
    assert "castle: 60 tiles" in burgrave("tiles", "list").out


def test_rules_lists_all_in_the_order_of_the_game(burgrave: Burgrave) -> None:
    """One line a rule, and all of it as JSON."""
    found = burgrave("rules", "--json").data
    assert [rule["id"] for rule in found] == [rule.id for rule in RULES]
    lines = burgrave("rules").out.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == [r.id for r in RULES]
    switches = [line.split(":")[1].split(", ") for line in lines if line.startswith(" ")]
    assert {name.strip() for names in switches for name in names} == {s.name for s in SWITCHES}


def test_rules_tells_everything_about_a_rule(burgrave: Burgrave) -> None:
    """Text, source, switches with their values, file and line, cards."""
    (rule,) = burgrave("rules", "Castle.Place.Start-Path", "--json").data
    assert set(rule) == {"id", "sentence", "text", "source", "switches", "file", "line", "cards"}
    assert rule["file"] == "model/rules/castle/placement.py"
    assert rule["switches"][0]["name"] == "start_space_paths_bind"
    assert rule["switches"][0]["values"] == ["from_start", "off", "both"]
    assert "CA-12a" in rule["cards"]
    words = burgrave("rules", "castle.place.start-path").out
    assert f"Enforced in {rule['file']}, line {rule['line']}" in words
    assert "start_space_paths_bind  from_start (default), off," in words
    assert "Card CA-12a" in words


def test_rules_takes_a_family(burgrave: Burgrave) -> None:
    """A prefix names all rules below it, and whole words only."""
    found = [rule["id"] for rule in burgrave("rules", "castle.end", "--json").data]
    assert found == [r.id for r in RULES if f"{r.id}.".startswith("castle.end.")]
    assert len(found) > 3


def test_verify_filters_by_card_and_by_rule(burgrave: Burgrave) -> None:
    """Objects with id, passed, expected and got; each engine that can answer did."""
    answer = burgrave("verify", "ca-01", "castle.wall.9", "--json")
    assert answer.code == 0
    ids = [card["id"] for card in answer.data]
    assert "CA-01" in ids
    assert len(ids) == len(set(ids)) > 1
    for card in answer.data:
        assert {"id", "passed", "expected", "got"} <= set(card)
        assert card["passed"] is True
        assert card["expected"] == card["got"]
    assert answer.data[0]["engines"] == ["reference", "cpsat", "state"]


def test_verify_takes_one_engine(burgrave: Burgrave) -> None:
    """The table shows the engine, and cards that it cannot answer are left out."""
    answer = burgrave("verify", "CA-01", "CA-69", "--engine", "state")
    assert answer.code == 0
    assert answer.out.splitlines()[-1] == "1 card, 0 failed"


def test_verify_fails_on_a_difference(burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 1, and what was expected and what came out."""
    from burgrave.puzzles.cards import deck  # noqa: PLC0415
    from burgrave.puzzles.cards.verdict import Verdict  # noqa: PLC0415

    def wrong(card: Any, engine: str) -> Verdict:
        return Verdict(
            id=card.id,
            title=card.title,
            rules=card.rules,
            engine=engine,
            expected={"legal": True},
            got={"legal": engine != "state"},
        )

    monkeypatch.setattr(deck, "run", wrong)
    answer = burgrave("verify", "CA-01", "--json")
    (card,) = answer.data
    assert (answer.code, card["passed"], card["engine"]) == (1, False, "state")
    words = burgrave("verify", "CA-01")
    assert words.code == 1
    assert "state, legal: expected True, got False" in words.out


def test_schema_accepts_the_files_of_these_tests(burgrave: Burgrave, data: Path) -> None:
    """The printed schema is valid and describes position, record, puzzle and tile set."""
    import jsonschema  # noqa: PLC0415

    schema = burgrave("schema").data
    assert schema == burgrave("schema", "--json").data
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    for path in sorted(data.glob("*.toml")):
        validator.validate(tomllib.loads(path.read_text()))
    weights = files("burgrave.solver.simulation").joinpath("values.json")
    validator.validate(json.loads(weights.read_text(encoding="utf-8")))
    assert not validator.is_valid({"burgrave": 1, "type": "position", "colour": 3})


def test_positions_lists_what_is_shipped(burgrave: Burgrave) -> None:
    """Id, kind and title of each."""
    found = burgrave("positions", "--json").data
    assert [one["id"] for one in found] == [entry.id for entry in entries()]
    assert all(set(one) == {"id", "kind", "title"} for one in found)
    assert burgrave("positions").code == 0


def test_solve_names_puzzles_that_cannot_be_answered(burgrave: Burgrave, data: Path) -> None:
    """They count as failed; where none can be answered the command line is wrong."""
    one, other = str(data / "puzzle.toml"), "market-day"
    told = burgrave("solve", one, other, "--engine", "state", "--json")
    assert (told.code, [found["passed"] for found in told.data]) == (1, [True, False])
    assert told.err.startswith("market-day: no engine 'state'.")
    wrong = burgrave("solve", one, one, "--engine", "time")
    assert (wrong.code, wrong.out) == (2, "")
    assert "none of the 2 puzzles can be answered" in wrong.err


def test_solve_answers_a_puzzle_of_ones_own(burgrave: Burgrave, data: Path) -> None:
    """Question, answer, explanation; the stored answer is the one that was found."""
    answer = burgrave("solve", str(data / "puzzle.toml"), "--json")
    (found,) = answer.data
    assert answer.code == 0
    assert (found["id"], found["passed"]) == ("to-the-door", True)
    assert found["expected"] == found["got"]
    words = burgrave("solve", str(data / "puzzle.toml"), "--engine", "state")
    assert words.code == 0
    assert "Question: White to lay Door" in words.out
    assert "Door@1,2r3" in words.out
    assert "The path ends at the door" in words.out


@pytest.mark.usefixtures("out_of_time")
def test_solve_without_enough_time_proves_nothing(burgrave: Burgrave) -> None:
    """Exit 3, and the puzzle is named."""
    answer = burgrave("solve", "market-day", "--time", "60")
    assert (answer.code, "no proof  market-day" in answer.out) == (3, True)


def test_solve_finds_a_wrong_stored_answer(burgrave: Burgrave, data: Path) -> None:
    """Exit 1 on a difference."""
    text = (data / "puzzle.toml").read_text().replace("value = 3", "value = 4")
    answer = burgrave("solve", "-", text=text)
    assert answer.code == 1
    assert "value: expected 4, got 3" in answer.out


def test_solve_ask_lets_the_user_try(burgrave: Burgrave, data: Path) -> None:
    """A wrong answer and nonsense are told, hints help, the right answer ends it."""
    text = "nonsense\nhint\nhint\nhint\nDoor@0,3r0\nDoor@1,2r3\n"
    answer = burgrave("solve", "--ask", str(data / "puzzle.toml"), text=text)
    assert answer.code == 0
    assert "The key places no follower. It wins points at once." in answer.out
    assert "It is worth 0: there is better." in answer.out
    assert "Right: it is worth 3." in answer.out
    assert "The path ends at the door" in answer.out
    for gives_up in ("solution\n", ""):
        answer = burgrave("solve", "--ask", str(data / "puzzle.toml"), text=gives_up)
        assert answer.code == 1
        assert "Answer: 3" in answer.out


def test_solve_ask_shows_the_board_and_takes_words(burgrave: Burgrave) -> None:
    """The board and the tiles to come stand first; every word that ? lists does what it says."""
    board = burgrave("draw", "market-day").out.partition("2 tiles to come")[0]
    answer = burgrave("solve", "--ask", "market-day", text="?\nboard\nhint\nquit\n")
    assert answer.code == 1
    assert answer.out.count(board.rstrip()) == 2
    assert "then K53" in answer.out
    for word in ("hint", "board", "solution", "quit"):
        assert f"\n  {word} " in answer.out
    assert hints(puzzle(find("market-day")))[0] in answer.out
    assert "Answer:" not in answer.out
    assert "You solved 0 of 1 puzzle." in answer.err
    loose = burgrave("solve", "--ask", "market-day", text="k56 1,0 r2 merchant n\n")
    assert loose.code == 0
    assert "Right: it is worth" in loose.out


def test_solve_ask_quits_all_puzzles(burgrave: Burgrave) -> None:
    """The puzzles behind it are not asked."""
    answer = burgrave("solve", "--ask", "market-day", "three-points-but-where", text="quit\n")
    assert (answer.code, "three-points-but-where" in answer.out) == (1, False)


def test_solve_certifies_by_two_engines(burgrave: Burgrave, data: Path) -> None:
    """Both engines are named; options that exclude each other are refused."""
    path = str(data / "puzzle.toml")
    (found,) = burgrave("solve", path, "--certify", "--json").data
    assert (found["passed"], found["engines"]) == (True, ["cpsat", "reference"])
    assert "cpsat reference" in burgrave("solve", path, "--certify").out
    assert burgrave("solve", path, "--certify", "--ask").code == 2
    assert burgrave("solve").code == 2
    assert burgrave("solve", path, "--engine", "nosuch").code == 2


def test_puzzles_lists_and_filters(burgrave: Burgrave) -> None:
    """Id, game, themes, difficulty and file of each; filters of two sorts both hold."""
    found = burgrave("puzzles", "--json").data
    assert all({"id", "game", "themes", "difficulty", "file"} <= set(one) for one in found)
    assert all(Path(one["file"]).exists() for one in found)
    best = burgrave("puzzles", "castle", "best", "--json").data
    assert {one["id"] for one in best} >= {"eight-points-or-six", "path-house-and-tower"}
    assert burgrave("puzzles", "nosuch").code == 2
    assert "tower-and-path-in-one-move" in burgrave("puzzles").out


def test_the_program_tells_its_version(burgrave: Burgrave) -> None:
    """``--version`` names the program."""
    answer = burgrave("--version")
    assert (answer.code, answer.out.startswith("burgrave")) == (0, True)


def test_switches_lists_all_with_the_rules_they_touch(burgrave: Burgrave) -> None:
    """Values with the default first, the reason, and rules that name the switch."""
    found = burgrave("switches", "--json").data
    assert [one["name"] for one in found] == [switch.name for switch in SWITCHES]
    for one, switch in zip(found, SWITCHES, strict=True):
        assert set(one) == {"name", "values", "default", "why", "rules", "only_by", "cards"}
        assert (one["values"], one["default"]) == (list(switch.values), switch.values[0])
        assert one["rules"]
        assert one["cards"], "no card shows another value"
        assert {rule.id for rule in RULES if switch in rule.switches} == set(one["rules"])
    lines = burgrave("switches").out.splitlines()
    assert max(map(len, lines)) <= 100
    assert [line.split()[0] for line in lines if line[0] != " "] == [s.name for s in SWITCHES]


def test_a_switch_is_found_by_its_name_or_a_word(burgrave: Burgrave) -> None:
    """One alone is told with its cards; several as a table; none is an error."""
    one = burgrave("switches", "Return_On_Tie").out
    assert "Values: on (default), off" in one
    assert "Rules: castle.return" in one
    assert "Card CA-41b" in one
    new = burgrave("switches", "special_counts")
    assert (
        "Engines: two is known to alphabeta, exhaustive, full, reference, search, state alone"
        in new.out
    )
    several = burgrave("switches", "king", "--json").data
    assert len(several) > 1
    assert all("king" in one["name"] + one["why"] for one in several)
    nothing = burgrave("switches", "nosuch")
    assert (nothing.code, "nosuch" in nothing.err) == (2, True)


@pytest.mark.parametrize(
    ("word", "listed"),
    [
        ("carcassonne", CARCASSONNE_SWITCHES),
        ("Tower", (*TOWER_SWITCHES, *RANKED_SWITCHES)),
        ("carcassonne+tower", (*CARCASSONNE_SWITCHES, *TOWER_SWITCHES, *RANKED_SWITCHES)),
        ("castle+falcon", CASTLE_SWITCHES + FALCON_SWITCHES),
    ],
)
def test_a_game_lists_its_switches_as_it_lists_its_rules(
    burgrave: Burgrave, word: str, listed: tuple[Switch, ...]
) -> None:
    """Of a game without its expansion its own; of the id of a game with one those of both."""
    found = [one["name"] for one in burgrave("switches", word, "--json").data]
    assert found == [switch.name for switch in listed]
    rules = burgrave("rules", word, "--json").data
    assert {one["id"].partition(".")[0] for one in rules} == {*word.lower().split("+")}
    assert {switch["name"] for one in rules for switch in one["switches"]} == {*found}
    family = burgrave("switches", "carcassonne.farm", "--json").data
    assert {one["name"] for one in family} == {"farms", "field3_once_scope"}


def test_rules_are_found_by_words_of_their_texts_and_cards(burgrave: Burgrave) -> None:
    """All words must stand in one text, from their beginnings, in any case."""
    found = [rule["id"] for rule in burgrave("rules", "Fountain", "--json").data]
    assert {"castle.path.score", "falcon.king"} <= set(found)
    # Those whose own words have it stand first.
    assert found.index("castle.path.score") < found.index("castle.follower.free")
    assert "castle.house.score" not in found
    both = [rule["id"] for rule in burgrave("rules", "fountain king", "--json").data]
    assert set(both) < set(found)
    assert "castle.path.score" in burgrave("rules", "fountain").out
    # A family of rules comes before words.
    assert all(
        r["id"].startswith("castle.wall") for r in burgrave("rules", "castle.wall", "--json").data
    )


def test_a_rule_shows_a_picture_of_a_card_and_a_table_of_switches(burgrave: Burgrave) -> None:
    """The picture holds the card's followers; the table every switch of the rule on its row."""
    words = burgrave("rules", "castle.return", "--ascii").out
    assert "Position of card " in words
    assert "Wk" in words.partition("Position of card ")[2]
    assert words.isascii()
    rows = [line.split()[0] for line in words.splitlines() if "(default)" in line]
    assert rows == ["extra_turn_is_next_turn", "return_on_tie"]
    for rule in RULES[::7]:
        assert (
            max(
                map(len, burgrave("rules", rule.id).out.partition("Position")[2].splitlines()),
                default=0,
            )
            <= 100
        )


def test_a_rule_card_can_be_asked_about_like_a_position(burgrave: Burgrave) -> None:
    """By its id in any case; a card with several cases names them; an impossible one is drawn."""
    assert "Wk" in burgrave("draw", "ca-41A").out
    assert burgrave("moves", "CA-39", "--json").code == 0
    assert burgrave("check", "CX-58").code == 1
    several = burgrave("draw", "CA-41")
    assert (several.code, "CA-41a, CA-41b" in several.err) == (2, True)
    assert burgrave("moves", "CX-58").code == 2
    assert burgrave("draw", "ZZ-99").code == 2
