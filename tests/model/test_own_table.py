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
        ('board = ["tcct@3,0 black:knight.NW"]', "'NW' is no segment; a segment is a side (N),"),
        ('board = ["tcct@3,0 black.knight.N"]', "is no follower, like white:knight.N"),
        ('order = ["ccctm"]', "no tile ccctm. With these quarters there are ccct-swm, ccct-eswom,"),
        ('order = ["kkkk"]', "the set castle has no tile kkkk. None has these quarters."),
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


def test_a_tile_that_is_there_too_often_is_named_as_it_was_written() -> None:
    """An owner who writes quarter codes knows no numbers of tiles."""
    board = ["tthh-ew@2,0", "tthh-ew@3,0"]
    with pytest.raises(FileError, match=r"tile K04 \(tthh-ew\) is there 2 times"):
        read_position("table", f"{HEAD}board = {board}\n")
