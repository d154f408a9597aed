"""Positions as an owner writes them down from a table: what is read, and what each mistake is told.

They were tried on the command line; each stumble of these trials is a case here.
"""

from __future__ import annotations

import pytest

from burgrave.model.errors import FileError
from burgrave.model.files.positions import read_position
from burgrave.model.notation import write_board_line
from burgrave.model.quarters import quarters_of
from burgrave.puzzles.files.library import find, puzzle

HEAD = 'burgrave = 1\ntype = "position"\n'


def test_a_whole_castle_is_written_down_in_quarter_codes() -> None:
    """Each tile as it lies, by its code and without a rotation; the tiles of The Falcon too."""
    at = puzzle(find("two-chapels-and-one-cell")).position
    board = []
    for tile in at.tiles:
        words = write_board_line(at.game, tile, at.followers).split()
        code = quarters_of(tile.kind, tile.rotation)
        if code:
            words[0] = f"{code}@{tile.cell}"
        board.append(" ".join(words))
    assert sum("@" in line and line[0] in "thck" for line in board) > len(board) // 2
    read = read_position("table", f'{HEAD}game = "castle+falcon"\nboard = {board}\n')
    assert (read.tiles, read.followers) == (at.tiles, at.followers)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('[start_spaces]\n"6/7" = "hous"', "6/7: no picture 'hous'. Did you mean house,"),
        ('[start_spaces]\n"6/7" = "zzz"', "no picture 'zzz'. There are bare, court,"),
        ("[White]\nscore = 3", "White: no such key. Did you mean white?"),
        ("[black]\nfollowers = 3", "black.followers: no such key; it is called supply"),
        ("[black]\nwall_tile = [3]", "Did you mean wall_tiles or fresh_wall_tiles?"),
        ('board = ["tcct@3,0 black:knight.NW"]', "'NW' is no segment; write NL or WR, the halves"),
        ('board = ["tcct@3,0 black:knight.Q"]', "'Q' is no segment; a segment is a side (N),"),
        (
            'board = ["tcct@3,0 black:knight"]',
            "lacks the segment on which he stands, like black:kn",
        ),
        ('order = ["cccc-neswm"]', "With these quarters there are cccc-neswxm,"),
        ('order = ["htth-neswf"]', "Quarters go clockwise: did you mean htht-neswf?"),
        ('order = ["hthth-neswf"]', "4 quarters come first, here are 5. With these quarters"),
        ('order = ["chht"]', "None has these quarters; a tile of your own stands under kinds."),
        ('bag = "all"', "bag: found 'all', expected 'rest'"),
        ('board = ["tcct@3,0 black.knight.N"]', "is no follower, like white:knight.N"),
        ('order = ["ccctm"]', "no tile ccctm. With these quarters there are ccct-swm, ccct-eswom,"),
        ('order = ["kkkk"]', "the set castle has no tile kkkk. None has these quarters;"),
        ('order = ["tthx"]', "tthx: 'x' is no quarter; a quarter is h (house), t (tower),"),
        ('order = ["k5"]', "the set castle has no tile k5. Did you mean K05?"),
        ('board = ["K61@2,0"]', "or K10? At character 1 of 'K61@2,0'."),
        ('bag = ["K01"]', "bag: found ['K01'], expected a table like { K01 = 2 }"),
        ('kinds = ["cctt"]', 'expected a table like { id = "Way", quarters = "cccc-ns" }'),
        ('[towers]\n"33/34" = 6', "towers.33/34: no such tower; there are 0/1, 12/13,"),
        ("[white]\nwall_tiles = [10]", "white.wall_tiles[0]: found 10, expected 9 or less"),
        ("[white]\ntokens = 3", 'belongs to The Falcon expansion, game = "castle+falcon"'),
    ],
)
def test_a_mistake_is_told_with_what_would_be_right(lines: str, message: str) -> None:
    """Its place, what was found, and what is meant or allowed."""
    with pytest.raises(FileError) as caught:
        read_position("table", HEAD + lines)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('board = ["thhh@0,0" "hcch@1,0"]', 'A comma is missing before "hcch@1,0"'),
        ("board = [thhh-nw@-1,8]", 'Write "thhh-nw@-1,8" in quotes'),
        ("order = [tthh-ew, cchh]", 'Write "tthh-ew" in quotes'),
        ("[towers]\n20/21 = 6", 'Write "20/21" in quotes'),
        ('towers = { "26/27" = 3, 20/21 = 6 }', 'Write "20/21" in quotes'),
        ("[white]\nscore: 5", "A key is followed by = and its value"),
        ("white = { score = 4, }", "No comma stands before }"),
        ("white = { score = 4,\nsupply = 3 }", "A table in braces stands on one line"),
        ('board = ["thhh@0,0",\norder = ["tthh"]', "The list before order lacks its closing ]"),
        ('board = ["thhh@0,0]\norder = []', "The closing quote is missing"),
        ("board = [\u201cthhh@0,0\u201d]", 'Quotes are straight: "tthh"'),
        ("order = [?]", "(at line 3, column 10)"),
        ("order = [", "(at end of document)"),
    ],
)
def test_a_slip_in_toml_is_told_with_what_would_be_right(lines: str, message: str) -> None:
    """Who writes a table down need not know TOML; the place alone says little."""
    with pytest.raises(FileError) as caught:
        read_position("table", HEAD + lines)
    assert str(caught.value).endswith(message)


def test_the_rest_of_the_set_is_a_word() -> None:
    """Nobody counts the tiles that are still in the box."""
    at = read_position("table", f'{HEAD}board = ["tthh@2,11"]\norder = ["ccht"]\nbag = "rest"\n')
    assert len(at.bag) == 58
    assert (at.bag.count("K02"), at.bag.count("K13"), at.bag.count("K19")) == (1, 0, 2)


def test_a_follower_of_the_wrong_kind_is_told_where_he_can_stand() -> None:
    """Left and right of a side are easily mistaken."""
    with pytest.raises(FileError, match="squire, and a knight stands on SR"):
        read_position("table", f'{HEAD}board = ["ccht@2,11 white:knight.SL"]\n')


def test_a_tile_that_is_there_too_often_is_named_as_it_was_written() -> None:
    """An owner who writes quarter codes knows no numbers of tiles."""
    text = f'{HEAD}board = ["tthh-ew@2,0", "tthh-ew@3,0"]\norder = ["tthh-ew"]\n'
    told = r"tile K04 \(tthh-ew\) is there 3 times \(on 2,0, on 3,0, order\)"
    with pytest.raises(FileError, match=told):
        read_position("table", text)
