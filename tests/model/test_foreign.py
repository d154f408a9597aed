"""Games of Board Game Arena and CarcassonneLab, and records exported for other programs.

The games are those of the corpus, which another engine played: their final points are known.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from burgrave.model.engine import play
from burgrave.model.errors import BurgraveError, FileError, QuestionError
from burgrave.model.files.positions import Record, read_record, write_record
from burgrave.model.final import final_scoring
from burgrave.model.formats.arena_tiles import arena_kinds, arena_tiles
from burgrave.model.formats.foreign import program, read_foreign
from burgrave.model.formats.imported import Imported
from burgrave.model.formats.lab import write_link
from burgrave.model.formats.save_writing import write_save
from burgrave.model.formats.saves import read_save
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from tests.corpus import opening
from tests.model.test_saves import RECORDED, as_save

BASE = sorted(name for name in RECORDED if name.startswith("base-"))
"""Games of the corpus without The Tower; in the first a tile had no place."""


def recorded(name: str) -> Record:
    """Return a game of the corpus as a record."""
    return read_save("corpus", json.dumps(as_save(RECORDED[name]))).record


def two_to_five() -> list[str]:
    """Return the games that as many play as there can be elsewhere."""
    return [name for name in BASE if RECORDED[name]["players"] <= 5]


def played(record: Record) -> list[tuple[Position, str]]:
    """Return each turn of a record with the position before it."""
    at, found = record.position, []
    for text in record.moves:
        found.append((at, text))
        at = play(at, read_move(at, text)).position
    return [*found, (at, "")]


def as_log(  # noqa: PLR0913 -- the ways in which logs differ
    record: Record,
    *,
    figures: type[str | int] = str,
    key: str = "logs",
    told: bool = True,
    early: bool = False,
    points: Mapping[int, int] | None = None,
) -> dict[str, Any]:
    """Return a record as a log of Board Game Arena.

    Args:
        record: the game.
        figures: how numbers are written.
        key: where the packets lie in ``data``.
        told: whether a tile without a place is told of by ``cantPlay``.
        early: whether draws are told of, each next one before the turn.
        points: of each player, in ``winPoints``.

    """
    packets: list[dict[str, Any]] = []

    def put(*events: tuple[str, Any]) -> None:
        data = [{"type": kind, "args": args, "log": ""} for kind, args in events]
        packets.append({"move_id": str(len(packets)), "data": data, "time": "1"})

    put(("gameStateChange", {"id": 2}), ("simpleNode", []))
    spare = {number: list(tile.ids) for number, tile in arena_tiles().items()}
    draws = []
    for at, text in played(record)[:-1]:
        move = read_move(at, text)
        draws += [arena_kinds()[kind] for kind in (*move.discards, *filter(None, [move.tile]))]
    if early:
        put(*(("pickTile", {"id": figures(spare[one.number].pop())}) for one in draws))
    for at, text in played(record)[:-1]:
        move = read_move(at, text)
        events: list[tuple[str, Any]] = []
        if told:
            ids = [arena_kinds()[kind].ids[0] for kind in move.discards]
            events += [("cantPlay", {"tile_id": figures(one)}) for one in ids]
        if move.tile is not None and move.cell is not None:
            tile = arena_kinds()[move.tile]
            who = {"player_id": figures(100 + at.to_move), "player_name": f"N{at.to_move}"}
            where = {"x": figures(move.cell.x), "y": figures(-move.cell.y)}
            turned = (move.rotation - tile.turned) % 4 + 1
            laid = {**who, **where, "type": figures(tile.number), "ori": figures(turned)}
            events.append(("playTile", laid))
            for follower in move.followers:
                place = tile.places.index(follower.segment) + 1
                events.append(("playPartisan", [{"pos": figures(place)}]))
        put(*events)
    for player, number in (points or {}).items():
        put(("winPoints", {"player_id": figures(100 + player), "points": figures(number)}))
    return {"status": 1, "data": {key: packets}}


def imported(data: Mapping[str, Any]) -> Imported:
    """Return the game of a log, read back from the file of its record."""
    found = read_foreign("log.json", json.dumps(data))
    assert read_record("record", write_record(found.record)) == found.record
    return found


@pytest.mark.parametrize("name", two_to_five())
@pytest.mark.parametrize(
    "form",
    [{}, {"figures": int, "key": "data"}, {"told": False, "early": True}],
    ids=["strings", "numbers", "draws without cantPlay"],
)
def test_a_log_ends_with_the_points_of_the_other_engine(name: str, form: dict[str, Any]) -> None:
    """In every form, with the tiles in their order and those that had no place."""
    whole = recorded(name)
    found = imported(as_log(whole, **form))
    end = played(found.record)[-1][0]
    assert end.over
    assert list(final_scoring(end).scores) == RECORDED[name]["final"]["points"]
    assert found.record.position.order == opening(RECORDED[name]).order
    assert (found.remarks, found.claims) == ((), ())


@pytest.mark.parametrize("name", two_to_five())
def test_a_link_is_the_same_game(name: str) -> None:
    """Written and read again, with discards and up to five players."""
    whole = recorded(name)
    link = write_link(whole)
    again = read_foreign("the link", link).record
    assert again.moves == whole.moves
    assert again.position.order == whole.position.order
    assert write_link(again) == link


def test_a_link_of_a_game_that_was_left_knows_the_tiles_to_come() -> None:
    """Three turns of the end are cut off; their tiles were drawn and are still to be laid."""
    whole = recorded("base-40000")
    game, _, players = write_link(whole).partition("?")
    left = read_foreign("the link", f"{game[:-12]}?{players}").record
    assert left.moves == whole.moves[:-3]
    assert left.position.order == whole.position.order
    assert not left.position.bag


def test_the_documented_beginning_of_a_link() -> None:
    """Start and 17 are two characters, and the figures know no 0, I, O and l."""
    record = read_foreign("link", "https://www.carcassonnelab.com/#/0/0/Fg/21L0?players=A,B").record
    assert record.moves == ("V@-1,0r3",)
    assert write_link(record).split("/")[-2:] == ["Fg", "21L0?players=a,b&colors=red,blue"][-2:]


def test_a_game_that_was_left_keeps_the_rest_in_the_bag() -> None:
    """A remark counts the tiles; the next one, if it was drawn, is known."""
    whole = recorded("base-40000")
    log = as_log(whole)
    del log["data"]["logs"][20:]
    log["data"]["logs"][-1]["data"].append({"type": "pickTile", "args": {"type": 24}})
    found = imported(log)
    end, _ = played(found.record)[-1]
    assert not end.over
    assert end.order == ("Q",)
    (remark,) = found.remarks
    assert remark.startswith(f"{len(found.record.position.bag)} tiles of the set are not told of")


def test_points_that_the_log_tells_are_compared() -> None:
    """With ours, at the end of the game."""
    right = dict(enumerate(RECORDED["base-40000"]["final"]["points"]))
    assert [one.holds for one in imported(as_log(recorded("base-40000"), points=right)).claims] == [
        True,
        True,
    ]
    wrong = imported(as_log(recorded("base-40000"), points=right | {1: 1})).claims
    assert [one.text for one in wrong] == ["N0 has 55 points", "N1 has 1 point; by our rules 43"]


def test_what_is_told_twice_counts_once_and_the_start_is_no_turn() -> None:
    """To the table and to the player; and the tile that lies there at first."""
    whole = recorded("base-40000")
    log = as_log(whole)
    packets = log["data"]["logs"]
    packets[1:1] = [{"data": {"type": "playTile", "args": {"type": 15, "x": 0, "y": 0, "ori": 1}}}]
    packets.insert(3, packets[2])
    assert imported(log).record == imported(as_log(whole)).record


def broken(change: Any) -> str:
    """Return the message about a log in which an event is changed."""
    log = as_log(recorded("base-40000"), figures=int)
    change(log["data"]["logs"])
    with pytest.raises(FileError) as error:
        imported(log)
    return str(error.value)


FIRST = "log.json: data.logs[1].data[0]"


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("type", 31, f"{FIRST}.args.type: tile type 31 is not of the base game"),
        ("type", None, f"{FIRST}.args.type: is missing"),
        ("type", [], f"{FIRST}.args.type: is [], no number"),
        ("ori", 5, f"{FIRST}.args.ori: found 5, allowed are 1 to 4"),
        ("x", "east", f"{FIRST}.args.x: is 'east', no number"),
        ("x", 9, f"{FIRST}: "),
        ("player_id", None, f"{FIRST}.args.player_id: is missing"),
        ("player_id", 101, "data.logs[2].data[0]: N0 lays a tile; it is the turn of"),
    ],
)
def test_a_damaged_event_is_named(key: str, value: object, words: str) -> None:
    """By its place in the file, with what is wrong and what is allowed."""
    assert words in broken(lambda packets: packets[1]["data"][0]["args"].__setitem__(key, value))


def test_other_damage_is_named() -> None:
    """A place that a tile does not have, followers without a tile, too many tiles, none at all."""
    follower = {"type": "playPartisan", "args": {"pos": 9}}
    assert "has no place 9 for a follower; there are" in broken(
        lambda packets: packets[1]["data"].__setitem__(1, follower)
    )
    assert "a follower before the first tile" in broken(
        lambda packets: packets[0]["data"].append(follower)
    )
    assert "a second follower" in broken(lambda packets: packets[1]["data"].append(follower))
    elsewhere = {"type": "playPartisan", "args": {"pos": 1, "x": 7, "y": 7}}
    assert "a follower on 7,-7; the last tile lies on" in broken(
        lambda packets: packets[2]["data"].append(elsewhere)
    )
    assert "no tile is laid" in broken(lambda packets: packets.clear())

    def all_alike(packets: list[Any]) -> None:
        for packet in packets[1:]:
            packet["data"][0]["args"]["type"] = 24

    assert "tile Q (type 24) is drawn" in broken(all_alike)
    assert "names no tile of the base game" in broken(
        lambda packets: packets[2]["data"].insert(0, {"type": "cantPlay", "args": {"tile_id": 99}})
    )
    assert "1 player lay" in broken(lambda packets: packets.__delitem__(slice(2, None)))


LINK = "https://www.carcassonnelab.com/#/0/"


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("", "holds no game"),
        ("0/C$/21L0", "'$', character 2, is none of"),
        ("0/E/21L0", "the first is of type 5"),
        ("0//21L0", "tiles: the link names none"),
        ("0/Fg/21L", "so the last is cut off"),
        ("0/Fg/2OL0", "'2OL0' is no turn"),
        ("0/Fg/21L021L0", "tiles: 1 tile for turn 2; each turn lays one"),
        ("0/Fg/31L0", "moves: turn 1: "),
        ("0/Fg/21L9", "has no place 9 for a follower"),
        ("0/Fg/2190", "'9' is no number of quarter turns"),
        ("1.x/Fg/21L0", "discards: found '1.x'"),
        ("0/Fg/21L0?players=A", "players: found 1 player, expected 2 to 5"),
        ("0/Fg/21L0?players=A,B,C,D,E,F", "players: found 6 players, expected 2 to 5"),
    ],
)
def test_a_damaged_link_is_named(link: str, words: str) -> None:
    """The part of the link, and the turn."""
    with pytest.raises(FileError, match=r"^the link: ") as error:
        read_foreign("the link", LINK + link)
    assert words in str(error.value)


def changed(text: str, rng: random.Random) -> str:
    """Return a text with a few characters changed, left out or doubled."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text))
        put = rng.choice(["", text[at] * 2, rng.choice('0123456789-{}[]",:aZ./?')])
        text = text[:at] + put + text[at + 1 :]
    return text


@pytest.mark.parametrize("kind", ["log", "link"])
def test_whatever_is_damaged_is_read_or_refused(kind: str) -> None:
    """No error but ours comes out."""
    rng, whole = random.Random(5), recorded("base-40001")
    text = json.dumps(as_log(whole)) if kind == "log" else write_link(whole)
    refused = 0
    for _ in range(60):
        try:
            read_foreign("x", changed(text, rng))
        except BurgraveError:
            refused += 1
    assert refused > 20


@pytest.mark.parametrize("name", BASE)
def test_a_save_holds_the_decisions_that_the_application_had(name: str) -> None:
    """Each tile, follower and pass in its words, and numbers that draw the same tiles."""
    whole = recorded(name)
    data = json.loads(write_save(whole))
    again = read_save("again", json.dumps(data)).record
    assert again.moves == whole.moves
    assert again.position.order == whole.position.order

    def decisions(messages: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
        keys = ("tileId", "rotation", "position", "pointer")
        return [(one["type"], *(one["payload"].get(key) for key in keys)) for one in messages]

    steps = [step["message"] for step in RECORDED[name]["steps"]]
    assert decisions(data["replay"]) == decisions(steps)
    assert len({m["payload"]["meepleId"] for m in data["replay"] if "DEPLOY" in m["type"]}) > 7


def test_what_another_program_does_not_play_is_not_exported() -> None:
    """The Tower, farms of another edition, a game that has begun, an illegal move, own tiles."""
    whole = recorded("base-40000")
    start = whole.position
    tower = recorded("base_tower-100000")
    begun = Record(position=played(whole)[3][0], moves=())
    wrong = Record(position=start, moves=("V@9,9r0",))
    farms = Record(
        position=Position(
            game=start.game.with_switches({"farms": "city4"}),
            tiles=start.tiles,
            players=start.players,
            order=start.order,
        ),
        moves=(),
    )
    own = replace(start.game.tile_set.kind("V"), tower_place=False, title="a curve of mine")
    kinds = tuple(own if kind.id == "V" else kind for kind in start.game.tile_set.kinds)
    mine = replace(
        start, game=replace(start.game, tile_set=replace(start.game.tile_set, kinds=kinds))
    )
    poorer = replace(start, players=(replace(start.players[0], supply=3), *start.players[1:]))
    others = (Record(position=at, moves=()) for at in (mine, poorer))
    for write, record in product((write_link, write_save), (tower, begun, wrong, *others)):
        with pytest.raises(QuestionError):
            write(record)
    with pytest.raises(QuestionError, match="does not play by farms = city4"):
        write_save(farms)


def test_the_packets_of_a_log_alone_are_read() -> None:
    """Also as a list at the top of the file, with a space before it."""
    log = as_log(recorded(two_to_five()[0]))
    alone = "\n [ " + json.dumps(log["data"]["logs"])[1:]
    assert read_foreign("log.json", alone).record == imported(log).record
    with pytest.raises(FileError, match="is not JSON"):
        read_foreign("log.json", alone[:-3])


def test_a_file_of_burgrave_is_no_game_of_another_program() -> None:
    """Whatever it holds."""
    text = write_record(recorded("base-40000"))
    assert program("x", text) is None
    with pytest.raises(FileError, match="no game of JCloisterZone, Board Game Arena or"):
        read_foreign("x", text)
