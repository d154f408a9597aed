"""Quarter codes: reading, writing, faults, and what they name."""

from __future__ import annotations

import re
from itertools import combinations, product

import pytest

from burgrave.model.errors import FileError, NotationError
from burgrave.model.files.positions import read_position, write_position
from burgrave.model.files.tilesets import kind_problems, read_tile_set, shipped_tile_set
from burgrave.model.notation import read_move, write_move
from burgrave.model.quarters import ARMS, named, quarters_of, read_quarters, shown_by

CASTLE = shipped_tile_set("castle")


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("tthx", "'x' is no quarter; a quarter is h (house), t (tower), c (court) or k (chapel)"),
        ("tth", "4 quarters come first, here are 3"),
        ("", "4 quarters come first, here are 0"),
        ("tthh-", "arms follow the hyphen: n, e, s, w"),
        ("tthhew", "arms follow a hyphen, as in tthh-ew"),
        ("tthh-ez", "'z' is no sign"),
        ("tthh-eoe", "arms stand together"),
        ("tthh-nn", "'n' stands twice"),
        ("tthh-n-", "'-' is no sign"),
        ("cccc-n", "the path ends nowhere"),
        ("cccc-ewm", "2 are equally large"),
        ("hhhhm", "here is no court"),
        ("tthh-neswxo", "x and o exclude each other"),
        ("tthh-newx", "x needs four arms"),
        ("tthho", "o needs arms"),
        ("tthhf", "f needs one path"),
        ("ccht-eswof", "f needs one path"),
    ],
)
def test_a_wrong_code_is_refused_with_its_fault(code: str, fault: str) -> None:
    """The message names the code, what is wrong and where."""
    with pytest.raises(ValueError, match=f"^{re.escape(code)}: .*{re.escape(fault)}"):
        read_quarters(code)


def codes() -> list[str]:
    """Return every code without marks that can be read."""
    arms = ["", *("-" + "".join(some) for n in range(1, 5) for some in combinations(ARMS, n))]
    found = []
    for quarters, shown, sign in product(product("htck", repeat=4), arms, ("", "o", "x", "y")):
        code = "".join(quarters) + shown + sign
        try:
            read_quarters(code)
        except ValueError:
            continue
        found.append(code)
    return found


def test_every_code_is_a_sound_tile_and_is_written_again() -> None:
    """Each of them gives a tile without a fault, and the tile gives the code."""
    every = codes()
    assert len(every) > 4000
    for code in every:
        kind = shown_by(code)
        assert kind_problems(kind) == [], code
        assert shown_by(quarters_of(kind)).shape(0) == kind.shape(0), code


@pytest.mark.parametrize("kind", CASTLE.kinds, ids=lambda kind: kind.id)
def test_a_code_names_a_tile_as_it_lies(kind: object) -> None:
    """Turned by each rotation a kind has a code, by which it is found in that rotation."""
    for rotation in kind.rotations():  # type: ignore[attr-defined]
        code = quarters_of(kind, rotation)  # type: ignore[arg-type]
        assert named(CASTLE, code) == (kind, rotation)
        assert named(CASTLE, code.upper()) == (kind, rotation)


def test_a_tile_that_no_code_says_has_none() -> None:
    """A house within a court, two markets on one court, and the tiles of Carcassonne."""
    text = """
    burgrave = 1
    type = "tiles"
    id = "mine"
    title = "mine"
    tile = [
        { id = "A", segments = ["house", "court N E S W"] },
        { id = "B", segments = ["court N E S W market market"] },
        { id = "C", segments = ["tower N", "court E S W"] },
    ]
    """
    for kind in (*read_tile_set("mine", text).kinds, *shipped_tile_set("carcassonne").kinds):
        assert not quarters_of(kind)


def test_moves_and_boards_take_codes() -> None:
    """A code stands for id and rotation; a further rotation turns on from there."""
    text = 'burgrave = 1\ntype = "position"\nboard = ["cctt-ewm@2,0"]\norder = ["tthh", "ccccm"]\n'
    position = read_position("codes", text)
    assert position.order == ("K02", "K14")
    (tile,) = position.tiles
    assert (tile.kind.id, tile.rotation) == ("K47", 0)
    for words in ("hhtt@2,1 knight.S", "tthh@2,1r2 knight.S", "tthh@2,1 r2 knight.S"):
        assert write_move(position, read_move(position, words)) == "K02@2,1r2 knight.S"
    assert read_position("again", write_position(position)) == position


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("ttxh", "order.0.: ttxh: 'x' is no quarter"),
        ("tthh-ez", "order.0.: tthh-ez: 'z' is no sign"),
        ("kkkk", "the set castle has no tile kkkk"),
    ],
)
def test_a_code_that_no_tile_shows_is_refused(word: str, fault: str) -> None:
    """What is no code, and what no tile of the set shows."""
    text = f'burgrave = 1\ntype = "position"\norder = ["{word}"]\n'
    with pytest.raises(FileError, match=fault):
        read_position("codes", text)


def test_a_code_with_a_fault_tells_it_in_a_move() -> None:
    """A word of four quarters with wrong arms is refused as a code, with its place."""
    position = read_position("x", 'burgrave = 1\ntype = "position"\norder = ["tthh"]\n')
    with pytest.raises(NotationError, match="x and o exclude each other"):
        read_move(position, "tthh-neswxo@2,0")


def test_the_middle_of_two_halves_names_no_segment() -> None:
    """The message names both halves with what they show."""
    position = read_position("x", 'burgrave = 1\ntype = "position"\norder = ["tthh"]\n')
    with pytest.raises(NotationError, match=r"side E .* two halves: name EL \(tower\) or ER"):
        read_move(position, "tthh@2,0 knight.E")


def test_a_set_is_a_list_of_codes_with_numbers() -> None:
    """The codes are the ids; a code that shows a tile once more, turned, is refused."""
    head = 'burgrave = 1\ntype = "tiles"\nid = "mine"\ntitle = "mine"\n[quarters]\n'
    tiles = read_tile_set("mine", head + '"tthh-ew" = 1\n"ccccm" = 2\n')
    assert tiles.all_tiles() == ("ccccm", "ccccm", "tthh-ew")
    assert tiles.kind("tthh-ew").title == "half tower, half house; a straight path"
    with pytest.raises(FileError, match="hhtt-ew: tthh-ew shows the same, turned"):
        read_tile_set("mine", head + '"tthh-ew" = 1\n"hhtt-ew" = 2\n')
    with pytest.raises(FileError, match=r"quarters\.tthq: 'q' is no quarter"):
        read_tile_set("mine", head + '"tthq" = 1\n')
