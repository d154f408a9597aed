"""Saved games of JCloisterZone: what they say of themselves holds after import."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.engine import legal_moves, play
from model.errors import FileError
from model.files.jcloisterzone import Reader
from model.files.positions import read_record, write_record
from model.files.saved_draws import ENOUGH
from model.files.saves import Save, read_save
from model.final import final_scoring
from model.notation import read_move
from model.position import Capture, Move, Position
from model.problems import problems
from model.rules.rule import Event
from tests.corpus import EVENTS, games, opening

DATA = Path(__file__).parents[1] / "data"
SAVES = {path.stem: path.read_text(encoding="utf-8") for path in (DATA / "jcz").glob("*.jcz")}
PLAYED = sorted(name for name in SAVES if "ransom" not in name)
"""The saves that can be imported; in the others there are phantoms."""
NOT_OF_THE_GAME = "Undo is allowed"
"""An assertion about the buttons of the application."""


class Outcome:
    """A save, imported and played to where it ends."""

    def __init__(self, text: str) -> None:
        self.save: Save = read_save("test.jcz", text)
        self.names = [player["name"] for player in json.loads(text)["players"]]
        self.position = self.save.record.position
        self.events: list[Event] = []
        for notation in self.save.record.moves:
            played = play(self.position, read_move(self.position, notation))
            self.events += played.events
            self.position = played.position
        self.scores = tuple(player.score for player in self.position.players)
        if self.position.over:
            end = final_scoring(self.position)
            self.events += end.events
            self.scores = end.scores

    @property
    def begun(self) -> Move:
        """The turn in which the game was saved, as far as it was decided."""
        return Reader(self.position.game).move(self.position, self.save.unfinished)

    @property
    def rest(self) -> list[Move]:
        """The legal turns that begin so."""
        begun = self.begun
        return [
            move
            for move in legal_moves(self.position)
            if (move.tile, move.cell, move.rotation) == (begun.tile, begun.cell, begun.rotation)
            and (not begun.pieces or move.pieces == begun.pieces)
        ]

    def place(self, feature: str, location: str, cell: str) -> tuple[Any, int]:
        """Return the cell and segment that an assertion names."""
        pointer = {"position": json.loads(cell), "feature": feature, "location": location}
        found, segment = Reader(self.position.game).place(self.position, self.begun, pointer)
        assert segment is not None
        return found, segment


def points(outcome: Outcome, name: str, number: str) -> bool:
    """Tell whether a player has so many points."""
    return outcome.scores[outcome.names.index(name)] == int(number)


def scored(outcome: Outcome, name: str, feature: str, number: str) -> bool:
    """Tell whether a player scored a feature for so many points."""
    player = outcome.names.index(name)
    return any(
        (event.player, event.points) == (player, int(number)) and event.rules[0] == EVENTS[feature]
        for event in outcome.events
    )


def phase(outcome: Outcome, name: str) -> bool:
    """Tell whether what is to be decided is an action, or a capture."""
    to_capture = outcome.begun.pieces and any(move.captures for move in outcome.rest)
    return name == ("TowerCapturePhase" if to_capture else "ActionPhase")


def may_pass(outcome: Outcome) -> bool:
    """Tell whether the turn may end with what was decided."""
    return outcome.begun in outcome.rest


def available(outcome: Outcome, action: str) -> bool:
    """Tell whether a follower can be placed or captured."""
    wanted: dict[str, Callable[[Move], object]] = {
        "Meeple for SmallFollower": lambda move: move.followers,
        "CaptureFollower": lambda move: move.captures,
    }
    return any(wanted[action](move) for move in outcome.rest)


def followers(outcome: Outcome, options: str) -> bool:
    """Tell whether followers can be placed on these features and no others."""
    named = {outcome.place(*each) for each in re.findall(r"\{(\w+),([\w.]+),(\[.*?\])\}", options)}
    return named == {(d.cell, d.segment) for move in outcome.rest for d in move.followers}


def captures(outcome: Outcome, options: str) -> bool:
    """Tell whether these followers can be captured and no others."""
    named = re.findall(r"\{([\w.]+),(\w+),([\w.]+),(\[.*?\])\}", options)
    owners = {f.node: f.player for f in outcome.position.followers}
    ours = {capture for move in outcome.rest for capture in move.captures}
    assert all(owners[outcome.place(*where)] == int(who[0]) for who, *where in named)  # type: ignore[index]
    return {Capture(*outcome.place(*where)) for _, *where in named} == ours


CHECKS: dict[str, Callable[..., bool]] = {
    r"(\w+) has (\d+) points?\.?": points,
    r"(\w+) scored (\w+) for (\d+) points?\.?": scored,
    r"Phase is (\w+)": phase,
    r"Player can pass": may_pass,
    r"Available action (.*)": available,
    r"Meeple SmallFollower options: (.*)": followers,
    r"CaptureFollower options: (.*)": captures,
}
"""How an assertion of a save is put to the test, by its wording."""
ASSERTIONS = [
    (name, text)
    for name in PLAYED
    for text in json.loads(SAVES[name])["test"]["assertions"]
    if text != NOT_OF_THE_GAME
]


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    """All saves, imported."""
    return {name: Outcome(SAVES[name]) for name in PLAYED}


@pytest.mark.parametrize(("name", "assertion"), ASSERTIONS)
def test_an_assertion_of_a_save_holds(
    outcomes: dict[str, Outcome], name: str, assertion: str
) -> None:
    """Points, scoring events, phases and options are those that the save demands."""
    found = [(re.fullmatch(words, assertion), check) for words, check in CHECKS.items()]
    [(match, check)] = [(match, check) for match, check in found if match]
    assert check(outcomes[name], *match.groups())


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
WHOLE = ("base-40000", "base-40003", "base_tower-100000", "base_tower-100004")
"""Games of 2, 5, 2 and 6 players; in the first a tile had no place."""


def ended(save: Save) -> Position:
    """Return the position at the end of what was imported, read from the file of its record."""
    record = read_record("test.toml", write_record(save.record))
    assert record == save.record
    position = record.position
    for notation in record.moves:
        position = play(position, read_move(position, notation)).position
    return position


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_game_ends_as_it_did_there(name: str) -> None:
    """Final points and discarded tiles are equal: its numbers say which tiles were drawn."""
    game = RECORDED[name]
    save = read_save("test.jcz", json.dumps(as_save(game)))
    assert (save.unfinished, save.remarks) == ((), ())
    position = ended(save)
    assert save.record.position.order == opening(game).order
    assert list(final_scoring(position).scores) == game["final"]["points"]
    assert [position.game.tile_set.kind(tile).code for tile in position.discarded] == (
        game["discarded"]
    )


def test_without_numbers_a_tile_that_left_unseen_is_named() -> None:
    """The game may be over, but a save cannot tell; a remark says why."""
    game = RECORDED["base-40000"]
    save = read_save("test.jcz", json.dumps(as_save(game, numbers=False)))
    position = ended(save)
    assert (position.order, position.bag) == ((), ("B",))
    assert any("of B there may be fewer" in said for said in save.remarks)
    scores = final_scoring(replace(position, bag=())).scores
    assert list(scores) == game["final"]["points"]


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
    assert save.remarks[0].startswith("The game was saved within a turn")


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


FIELD = "field-scoring"
REFUSED = {
    "an older version": (changed(FIELD, appVersion="4.6.1"), "appVersion: found '4.6.1'"),
    "no version": (changed(FIELD, appVersion=None), "appVersion: is missing"),
    "a newer version": (changed(FIELD, appVersion="60.1"), "appVersion: found '60.1'"),
    "an expansion": (
        changed(FIELD, setup__sets={"basic:1": 1, "inns-and-cathedrals:1": 1}),
        "setup.sets.inns-and-cathedrals:1: this set cannot be played",
    ),
    "two base games": (changed(FIELD, setup__sets={"basic:1": 2}), "found 2 copies"),
    "no base game": (changed(FIELD, setup__sets={"tower:1": 1}), "basic:1 is missing"),
    "phantoms": (
        SAVES["tower-ransom-pay-during-tilephase"],
        "setup.elements.phantom: this element cannot be played",
    ),
    "an abbot": (changed(FIELD, setup__elements={"abbot": 1}), "setup.elements.abbot"),
    "nine followers": (
        changed(FIELD, setup__elements={"small-follower": 9}),
        "setup.elements.small-follower: found 9",
    ),
    "a rule": (changed(FIELD, setup__rules={"big-farms": True}), "setup.rules.big-farms"),
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
    "a decision of another game": (changed(FIELD, replay__1__type="MOVE_DRAGON"), "MOVE_DRAGON"),
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
