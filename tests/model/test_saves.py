"""Saved games of JCloisterZone: what they say of themselves holds after import."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from burgrave.model.engine import legal_moves, play
from burgrave.model.errors import FileError
from burgrave.model.files.positions import read_record, write_record
from burgrave.model.formats.imported import Imported
from burgrave.model.formats.saved_draws import ENOUGH
from burgrave.model.formats.saves import read_save
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.problems import problems
from tests.corpus import games, opening

DATA = Path(__file__).parents[1] / "data"
SAVES = {path.stem: path.read_text(encoding="utf-8") for path in (DATA / "jcz").glob("*.jcz")}
PLAYED = sorted(name for name in SAVES if "ransom" not in name)
"""The saves that can be imported; in the others there are phantoms."""
NOT_OF_THE_GAME = "Undo is allowed"
"""An assertion about the buttons of the application."""
ASSERTIONS = [
    (name, text)
    for name in PLAYED
    for text in json.loads(SAVES[name])["test"]["assertions"]
    if text != NOT_OF_THE_GAME
]


def claimed(name: str, assertion: str) -> bool | None:
    """Return whether an assertion of a save holds by our rules."""
    save = read_save("test.jcz", changed(name, test__assertions=[assertion]))
    [claim] = save.claims
    assert claim.text == assertion
    return claim.holds


@pytest.mark.parametrize(("name", "assertion"), ASSERTIONS)
def test_an_assertion_of_a_save_holds(name: str, assertion: str) -> None:
    """Points, scoring events, phases and options are those that the save demands."""
    assert claimed(name, assertion) is True


@pytest.mark.parametrize(
    ("name", "assertion"),
    [
        ("field-scoring", "Oscar has 8 points"),
        ("field-scoring", "Oscar has -9 points"),
        ("field-scoring", "Oscar scored field for 4 points"),
        ("field-scoring", "Oscar scored road for 3 points"),
        ("field-scoring", "Phase is TilePhase"),
        ("farmers-no-farmers", "Player can't pass"),
        ("farmers-no-farmers", "Phase is TilePhase"),
        ("farmers-no-farmers", "Available action CaptureFollower"),
        ("farmers-no-farmers", "Meeple SmallFollower options: {City,S,[0,-1]}"),
        ("farmers-no-farmers", "Meeple SmallFollower options: "),
        ("tower-capture-options", "Phase is ActionPhase"),
        ("tower-capture-options", "CaptureFollower options: {1.small.1,Monastery,I,[-1,1]}"),
        ("tower-capture-options", "CaptureFollower options: {0.small.3,Monastery,I,[-1,0]}"),
    ],
)
def test_an_assertion_that_is_changed_does_not_hold(name: str, assertion: str) -> None:
    """Each is an assertion of the save with another value."""
    assert claimed(name, assertion) is False


@pytest.mark.parametrize(
    "assertion",
    [
        NOT_OF_THE_GAME,
        "Nobody has 3 points",
        "Oscar scored watchtower for 3 points",
        "Phase is CocCountPhase",
        "Meeple SmallFollower options: {City,S,[0,-1]}",
        "",
    ],
)
def test_an_assertion_that_our_rules_cannot_tell_is_not_compared(assertion: str) -> None:
    """Buttons, strangers, other expansions, and options when the game is over."""
    assert claimed("field-scoring", assertion) is None


def test_options_are_those_of_the_tile_as_it_was_turned() -> None:
    """A cloister tile looks the same in all rotations; the engine lists but one."""
    lying = changed("farmers-no-farmers", test__assertions=["Player can pass"])
    data = json.loads(lying)
    data["replay"][0]["payload"] |= {"tileId": "BA/L", "rotation": "R90"}
    data["gameAnnotations"] = {"drawOrder": ["BA/L"]}
    data["setup"]["start"][0]["rotation"] = 180
    data["setup"]["start"][0] |= {"x": 0, "y": 0}
    data["test"]["assertions"].append("Meeple SmallFollower options: {Monastery,I,[0,-1]}")
    claims = read_save("test.jcz", json.dumps(data)).claims
    assert [claim.holds for claim in claims] == [True, True]


def as_save(game: dict[str, Any], *, numbers: bool = True) -> dict[str, Any]:
    """Return a recorded game of the corpus as the application saves one.

    Args:
        game: the recorded game.
        numbers: whether it has the numbers by which tiles were drawn; the record lacks that
            of the first tile.

    """
    names = ["Zoe", "zoe", "Bj\u00f6rn", "\u674e", "5th", "Zoe"]
    replay = [deepcopy(step["message"]) for step in game["steps"]]
    for message in replay:
        if message["type"] == "COMMIT" and not numbers:
            message["payload"] = {}
    return {
        "appVersion": "5.12.1",
        "setup": {key: game[key] for key in ("sets", "elements", "start")} | {"rules": {}},
        "players": [{"name": name, "slot": 0} for name in names[: game["players"]]],
        "replay": replay,
    }


RECORDED = {
    game["game"]: game
    for path in sorted((DATA / "corpus").glob("*.jsonl.gz"))
    for game in games(path)
}


def ended(save: Imported) -> Position:
    """Return the position at the end of what was imported, read from the file of its record."""
    record = read_record("test.toml", write_record(save.record))
    assert record == save.record
    position = record.position
    for notation in record.moves:
        position = play(position, read_move(position, notation)).position
    return position


def test_numbers_that_name_other_tiles_are_not_believed() -> None:
    """One number that does not fit what was laid, and none of them counts."""
    whole = as_save(RECORDED["base-40000"])
    commits = [message for message in whole["replay"] if message["type"] == "COMMIT"]
    commits[30]["payload"]["random"] = (commits[30]["payload"]["random"] + 0.5) % 1
    plain = as_save(RECORDED["base-40000"], numbers=False)
    doubted, told = (read_save("test.jcz", json.dumps(save)) for save in (whole, plain))
    assert doubted.record.position == told.record.position
    assert doubted.remarks == told.remarks != ()


def test_the_tile_in_hand_is_known_by_its_number() -> None:
    """After enough turns; before, it is said that the save does not name it."""
    whole = as_save(RECORDED["base-40001"])
    order = opening(RECORDED["base-40001"]).order
    commits = [i for i, m in enumerate(whole["replay"]) if m["type"] == "COMMIT"]
    for turns, known in ((ENOUGH, False), (ENOUGH + 1, True), (20, True)):
        cut = whole | {"replay": whole["replay"][: commits[turns - 1] + 1]}
        save = read_save("test.jcz", json.dumps(cut))
        assert save.record.position.order == order[: turns + known]
        assert ("name it with --tile" in "".join(save.remarks)) is not known


def test_names_of_players_become_names_of_ours() -> None:
    """Capitals, accents, other scripts, figures in front and equal names."""
    save = read_save("test.jcz", json.dumps(as_save(RECORDED["base_tower-100004"])))
    assert save.record.position.game.players == ("zoe", "zoe2", "bjorn", "player4", "p5th", "zoe6")
    assert "\u674e" in save.record.title


def test_a_game_that_was_saved_within_a_turn() -> None:
    """The record ends with the last whole turn, and the tile that was laid is the next."""
    whole = as_save(RECORDED["base-40001"], numbers=False)
    laid = [i for i, m in enumerate(whole["replay"]) if m["type"] == "PLACE_TILE"]
    save = read_save("test.jcz", json.dumps(whole | {"replay": whole["replay"][: laid[7] + 1]}))
    assert len(save.record.moves) == 7
    assert save.record.position.order == opening(RECORDED["base-40001"]).order[:8]
    assert save.remarks[0] == (
        "The save stops within turn 8, after PLACE_TILE:"
        " the record ends with the position before that turn."
    )
    assert ended(save).to_move == 7 % len(whole["players"])


def changed(name: str, **keys: Any) -> str:
    """Return a save with other values at some places, ``setup__rules`` the rules."""
    data = json.loads(SAVES[name])
    for key, value in keys.items():
        *path, last = key.split("__")
        where = data
        for part in path:
            where = where[int(part) if part.isdigit() else part]
        where[int(last) if last.isdigit() else last] = value
    return json.dumps(data)


SETS = "basic:1, basic:2, inns-and-cathedrals:1, inns-and-cathedrals:2, tower:1, tower:2"
STATED = "inn-and-cathedral-final-scoring, tiny-city-scoring"

FIELD = "field-scoring"
REFUSED = {
    "an older version": (changed(FIELD, appVersion="4.6.1"), "appVersion: found '4.6.1'"),
    "no version": (changed(FIELD, appVersion=None), "appVersion: is missing"),
    "a newer version": (changed(FIELD, appVersion="60.1"), "appVersion: found '60.1'"),
    "an expansion": (
        changed(FIELD, setup__sets={"basic:1": 1, "inns-and-cathedrals:3": 1}),
        f"setup.sets: not supported: inns-and-cathedrals:3; supported: {SETS}",
    ),
    "two base games": (changed(FIELD, setup__sets={"basic:1": 2}), "found 2 copies"),
    "no base game": (changed(FIELD, setup__sets={"tower:1": 1}), "basic:1 is missing"),
    "phantoms": (
        SAVES["tower-ransom-pay-during-tilephase"],
        "setup.elements: not supported: phantom;",
    ),
    "an abbot": (
        changed(FIELD, setup__elements={"abbot": 1}),
        "setup.elements: not supported: abbot;",
    ),
    "nine followers": (
        changed(FIELD, setup__elements={"small-follower": 9}),
        "setup.elements.small-follower: found 9",
    ),
    "a rule": (
        changed(FIELD, setup__rules={"big-farms": True}),
        f"setup.rules: not supported: big-farms; supported: {STATED}",
    ),
    "a small city of 3": (
        changed(FIELD, setup__rules={"tiny-city-scoring": "3"}),
        "setup.rules.tiny-city-scoring: found '3'",
    ),
    "an unknown start tile": (changed(FIELD, setup__start__0__tile="RI/s"), "setup.start"),
    "a tile of no set": (changed(FIELD, replay__0__payload__tileId="IC/x"), "IC/x"),
    "a tile with no neighbour": (
        changed(FIELD, replay__3__payload__position=[5, 5]),
        "replay: turn 2 breaks the rules",
    ),
    "another tile than drawn": (
        changed(FIELD, replay__3__payload__tileId="BA/L"),
        "replay: turn 2: BA/L is laid, and gameAnnotations.drawOrder says BA/CFC.2",
    ),
    "a turn after the end": (changed(FIELD, gameAnnotations__endTurn=2), "turn 3: a tile is laid"),
    "a number that is none": (changed(FIELD, initialRandom=1.5), "initialRandom"),
    "somebody else's follower": (
        changed(FIELD, replay__1__payload__meepleId="1.small.1"),
        "Oscar has no such follower",
    ),
    "a segment that is not there": (
        changed(FIELD, replay__1__payload__pointer__location="N"),
        "shows no Field there",
    ),
    "half a place": (changed(FIELD, replay__0__payload__position=[5]), "replay[0]"),
    "a decision of another game": (
        changed(FIELD, replay__1__type="MOVE_DRAGON"),
        "replay[1]: the decision MOVE_DRAGON is not supported",
    ),
    "a token of another game": (
        changed(FIELD, replay__1={"type": "PLACE_TOKEN", "payload": {"token": "CASTLE"}}),
        "replay[1]: the decision PLACE_TOKEN CASTLE is not supported",
    ),
    "nothing to take back": (
        changed(FIELD, replay__0={"type": "UNDO", "payload": {}}),
        "replay[0]: UNDO finds no decision to take back",
    ),
    "nobody": (changed(FIELD, players=[]), "players"),
    "an end that is not reached": (
        changed(FIELD, gameAnnotations__endTurn=5),
        "gameAnnotations.endTurn: the game ends after 5 draws",
    ),
    "more tiles than there are": (
        changed(FIELD, gameAnnotations={"drawOrder": ["BA/C", "BA/CFC.2", *["BA/C"] * 5]}),
        "more tiles of a kind are drawn than the sets have",
    ),
    "a list with a tile of no set": (
        changed(FIELD, gameAnnotations__drawOrder=["IC/x"]),
        "gameAnnotations.drawOrder: the sets have no tile IC/x",
    ),
    "no save": ("{}", "appVersion"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_played_is_refused_by_name(name: str) -> None:
    """The message names the file and the place."""
    text, words = REFUSED[name]
    with pytest.raises(FileError) as error:
        read_save("game.jcz", text)
    assert words in str(error.value)
    assert str(error.value).startswith("game.jcz: ")


DRAGON = {
    "sets": {"basic:1": 1, "princess-and-dragon:1": 1, "river:1": 0},
    "elements": {"small-follower": 7, "farmers": True, "dragon": True, "fairy": 1},
    "rules": {"dragon-move": "before-scoring", "big-farms": True},
    "start": [{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}],
}
"""A setup with The Princess & The Dragon."""


def problems_of(text: str) -> tuple[str, ...]:
    """Return what is wrong with a save."""
    with pytest.raises(FileError) as error:
        read_save("game.jcz", text)
    return error.value.problems


def test_what_is_not_supported_is_told_once_and_first() -> None:
    """Not the form of decisions that only an expansion has."""
    moved = {"type": "MOVE_NEUTRAL_FIGURE", "payload": {"figureId": "dragon.1", "to": [1, 0]}}
    save = {
        "appVersion": "5.12.1",
        "setup": DRAGON,
        "players": [{"name": "Ann"}],
        "replay": [moved, moved],
    }
    assert problems_of(json.dumps(save)) == (
        f"setup.sets: not supported: princess-and-dragon:1; supported: {SETS}",
        "setup.elements: not supported: dragon, fairy; supported: farmers, small-follower",
        f"setup.rules: not supported: big-farms; supported: {STATED}",
    )
    plain = save | {"setup": json.loads(SAVES[FIELD])["setup"]}
    [problem] = problems_of(json.dumps(plain))
    assert problem.startswith("replay[0]: the decision MOVE_NEUTRAL_FIGURE is not supported")


def test_a_saved_setup_is_recognised() -> None:
    """Its expansions come first here too."""
    setup = {"appVersion": "5.12.1", "created": "", "setup": json.loads(SAVES[FIELD])["setup"]}
    [problem] = problems_of(json.dumps(setup))
    assert problem.startswith("is a game setup ('Save Game Setup' in JCloisterZone)")
    problem, *_ = problems_of(json.dumps(setup | {"setup": DRAGON}))
    assert problem.startswith("setup.sets: not supported: princess-and-dragon:1")


def test_what_was_taken_back_was_not_played() -> None:
    """``UNDO`` takes back one decision, and a second one the decision before that."""
    whole = as_save(RECORDED["base_tower-100000"])
    undone, undo = deepcopy(whole), {"type": "UNDO", "payload": {}}
    commits = [i for i, m in enumerate(whole["replay"]) if m["type"] == "COMMIT"]
    after = commits[7] + 1
    laid = deepcopy(whole["replay"][after])
    laid["payload"]["position"] = [50, 50]
    undone["replay"][after:after] = [laid, {"type": "PASS", "payload": {}}, undo, undo]
    undone["replay"].append(undo)
    undone["replay"].append(whole["replay"][-1])
    assert read_save("a", json.dumps(undone)) == read_save("a", json.dumps(whole))


def test_an_error_of_the_replay_is_told_once() -> None:
    """A save is tried with its numbers and without; the first error alone is told."""
    whole = as_save(RECORDED["base-40000"])
    laid = [m for m in whole["replay"] if m["type"] == "PLACE_TILE"]
    laid[20]["payload"]["position"] = [50, 50]
    with pytest.raises(FileError) as error:
        read_save("game.jcz", json.dumps(whole))
    [problem] = error.value.problems
    assert problem.startswith("replay: turn 21 breaks the rules")
    assert error.value.__suppress_context__


def test_rules_of_expansions_that_are_not_in_the_game_change_nothing() -> None:
    """The application saves whatever was chosen in its menu."""
    text = changed(FIELD, setup__rules={"princess-action": "must"})
    assert read_save("a", text).record == read_save("a", SAVES[FIELD]).record


def test_fewer_followers_and_no_farmers() -> None:
    """What the setup says of followers is what the position says."""
    text = changed(FIELD, setup__elements={"small-follower": 5}, replay=[])
    position = read_save("a", text).record.position
    assert [player.supply for player in position.players] == [5, 5]
    assert not problems(position)
    roles = {d.role.value for move in legal_moves(position) for d in move.followers}
    assert roles == {"knight"}


def before_5_7(save: dict[str, Any]) -> dict[str, Any]:
    """Return a save as versions before 5.7 wrote it: no pointer names its feature."""
    places = {"Monastery": "CLOISTER", "Tower": "TOWER"}

    def older(data: Any) -> Any:
        if isinstance(data, list):
            return [older(one) for one in data]
        if not isinstance(data, dict):
            return data
        plain = {key: older(value) for key, value in data.items() if key != "feature"}
        if data.get("feature") in places:
            plain["location"] = places[data["feature"]]
        return plain

    return {**save, "appVersion": "5.0.15", "replay": older(save["replay"])}


@pytest.mark.parametrize("name", ["base_tower-100000", *sorted(RECORDED)[:8]])
def test_a_save_whose_pointers_name_no_feature_is_the_same_game(name: str) -> None:
    """The feature follows from the tile and its place."""
    save = as_save(RECORDED[name])
    older = read_save("a", json.dumps(before_5_7(save)))
    assert older.record.moves == read_save("a", json.dumps(save)).record.moves
    assert len(older.record.moves) > 20


def short(*more: dict[str, Any], **keys: Any) -> str:
    """Return a save of a turn that closes the only city, and of what follows."""
    replay = [
        {
            "type": "PLACE_TILE",
            "payload": {"tileId": "BA/C", "rotation": "R180", "position": [0, -1]},
        },
        {
            "type": "DEPLOY_MEEPLE",
            "payload": {"pointer": {"position": [0, -1], "location": "S"}, "meepleId": "0.small.1"},
        },
        {"type": "COMMIT", "payload": {}},
    ]
    return changed(
        FIELD,
        appVersion="5.0.15",
        replay=[*replay, *more],
        players=[{"name": "Ann"}, {"name": "Ben"}],
        test={},
        setup__start=[{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}],
        **{"gameAnnotations": {}, **keys},
    )


def test_a_location_at_which_the_tile_shows_nothing_is_told() -> None:
    """With the turn in which it stands."""
    text = short().replace('"location": "S"', '"location": "EW"')
    assert problems_of(text) == ("replay: turn 1: tile E shows no feature there: EW",)


def test_a_tile_without_a_place_ends_a_whole_game_alone() -> None:
    """The last turn of a game whose last tile fits nowhere is its discard, if no turn is begun."""
    ends = {"drawOrder": ["BA/C", "BA/Cccc+", "#END"]}
    whole = read_save("a", short(gameAnnotations=ends))
    assert whole.record.moves[1:] == ("-C pass",)
    begun = read_save("a", short({"type": "PASS", "payload": {}}, gameAnnotations=ends))
    assert len(begun.record.moves) == 1


def test_a_ransom_is_late_only_after_an_action_of_its_turn() -> None:
    """One at the beginning of a turn, though actions of other turns came before, is early."""
    save = as_save(RECORDED["base_tower-100000"])
    early = read_save("a", json.dumps(save)).record.position.game
    assert early.changed_switches()["ransom_window"] == "before_action"
    paid = next(
        i
        for i, one in enumerate(save["replay"])
        if one["type"] == "PAY_RANSOM" and save["replay"][i + 1]["type"] == "PASS"
    )
    replay = save["replay"]
    replay[paid], replay[paid + 1] = replay[paid + 1], replay[paid]
    late = read_save("a", json.dumps(save)).record.position.game
    assert "ransom_window" not in late.changed_switches()  # the default is any


def test_what_saves_cannot_hold_is_refused_in_true_words() -> None:
    """No message of a validator, no claim about expansions, no remedy that does not hold."""
    over = {"type": "GAME_OVER", "payload": {}}
    [problem] = problems_of(short(over))
    assert problem.startswith("replay[3]: the decision GAME_OVER is not supported; supported: CAP")
    many = changed(FIELD, players=[{"name": f"p{number}"} for number in range(7)])
    assert problems_of(many) == ("players: found 7; 1 to 6 can play",)
    [problem] = problems_of(changed(FIELD, appVersion="4.4.0"))
    assert problem.endswith(
        "JCloisterZone does not convert the others: set the board up with burgrave serve"
    )
    [problem] = problems_of(changed(FIELD, setup__sets={"basic:3": 1}))
    assert problem == f"setup.sets: not supported: basic:3; supported: {SETS}"
    both = changed(FIELD, setup__sets={"basic:1": 1, "basic:2": 1})
    assert problems_of(both) == ("setup.sets: basic is there in 2 editions; 1 can be played",)
