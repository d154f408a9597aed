"""The worked examples of the rulebook, rebuilt with tiles of their own."""

from __future__ import annotations

from model.engine import legal_moves, play
from model.features import position_features
from model.files.games import castle_game
from model.files.positions import read_position
from model.final import final_scoring
from model.geometry import Cell
from model.notation import read_move, write_move
from model.position import Position
from model.results import Played
from model.tiles import Kind

HEAD = """
burgrave = 1
type = "position"
kinds = [
    { id = "Court", count = 76, segments = ["court N E S W"] },
    { id = "Plaza", count = 9, segments = ["court N E S W market"] },
    { id = "Close", count = 9, segments = ["court N market", "tower E S W"] },
    { id = "Way", count = 9, segments = ["path N S", "court NL SR W", "court NR E SL"] },
    { id = "Square", segments = ["path S", "court N E W SL SR"], squares = [[0]] },
    { id = "Bend", count = 9, segments = ["tower N E", "court S W"] },
    { id = "Straight", count = 9, segments = ["tower E W", "court N", "court S"] },
    { id = "Spire", count = 9, segments = ["tower W", "court N E S"] },
    { id = "Hut", segments = ["house", "court N E S W"] },
    { id = "Turret", segments = ["tower", "court N E S W"] },
    { id = "Gable", count = 9, segments = ["house N", "tower E", "court S W"] },
    { id = "Corner", count = 9, segments = ["house S", "tower N", "court E W"] },
]
"""

ROAD = """
board = ["Way@2,0r0 black:herald.N", "Way@2,1r0"]
order = ["Square"]
to_move = "black"
start_spaces = { "94/95" = "path-fountain" }
"""

GATEHOUSE = '"Court@2,6", "Court@2,5", "Court@3,5", "Court@4,5"'


def read(text: str) -> Position:
    """Read a position with the tiles of this file."""
    return read_position("example", HEAD + text)


def turn(text: str, move: str) -> Played:
    """Play a move."""
    position = read(text)
    return play(position, read_move(position, move))


def gains(played: Played) -> list[tuple[int | None, int]]:
    """Return who won how many points, feature by feature."""
    return [(event.player, event.points) for event in played.events if event.points]


def test_a_path_of_three_tiles_with_a_fountain_on_its_start_space_scores_8() -> None:
    """'Black scores 8 points': 3 tiles and the start space, 2 each by the fountain."""
    assert gains(turn(ROAD, "Square@2,2")) == [(1, 8)]


def test_the_same_path_without_a_fountain_scores_4() -> None:
    """1 point for each castle tile and for the start space."""
    text = ROAD.replace("path-fountain", "path")
    assert gains(turn(text, "Square@2,2")) == [(1, 4)]


def test_a_tower_of_four_tiles_scores_8() -> None:
    """'White scores 8 points': 4 tiles with connected tower segments."""
    text = """
    board = ["Court@2,6", "Bend@2,5r1", "Bend@3,5r2", "Bend@2,4r0 white:knight.N"]
    order = ["Bend"]
    """
    assert gains(turn(text, "Bend@3,4r3")) == [(0, 8)]


def test_a_house_of_one_tile_scores_1_and_gets_the_keep() -> None:
    """'White scores 1 point (1 castle tile with a house segment)'; it is his first house."""
    played = turn('order = ["Hut"]\n', "Hut@2,6 squire.#0")
    assert gains(played) == [(0, 1)]
    assert [player.keep for player in played.position.players] == [1, 0]


def test_house_segments_are_not_connected_corner_to_corner() -> None:
    """Two houses on tiles that touch at a corner, or in a corner of four tiles, are two."""
    position = read('board = ["Gable@2,6r1", "Court@3,6", "Gable@3,5r0"]\n')
    houses = [f for f in position_features(position) if f.kind is Kind.HOUSE and f.inside]
    assert sorted(house.size for house in houses) == [1, 1]


def test_a_tower_joined_from_two_with_a_knight_each_scores_nobody() -> None:
    """'It is now complete, but as both players have the same number, neither scores.'"""
    text = f"""
    board = [{GATEHOUSE}, "Spire@4,6 black:knight.W"]
    order = ["Spire"]
    """
    single = turn(text, "Spire@3,6r2")
    assert gains(single) == [(1, 4)]
    text = f"""
    board = ["Spire@2,6r2 white:knight.E", {GATEHOUSE[12:]}, "Spire@4,6 black:knight.W"]
    order = ["Straight"]
    """
    joined = turn(text, "Straight@3,6")
    assert gains(joined) == []
    assert joined.position.followers == ()
    assert [player.supply for player in joined.position.players] == [6, 6]


def test_a_follower_may_score_in_the_turn_in_which_he_is_placed() -> None:
    """'Black scores 4 points for the completed tower': placed, scored and taken back."""
    text = f"""
    board = [{GATEHOUSE}, "Spire@4,6"]
    order = ["Spire"]
    to_move = "black"
    black = {{ supply = 1 }}
    """
    played = turn(text, "Spire@3,6r2 knight.E")
    assert gains(played) == [(1, 4)]
    assert played.position.followers == ()
    assert played.position.players[1].supply == 1


def test_two_points_from_31_land_on_33_and_take_its_wall_tile() -> None:
    """'Black scores 2 points, moves to space 33, and takes the wall tile lying there.'"""
    text = """
    board = ["Court@2,6"]
    order = ["Turret"]
    to_move = "black"
    towers = { "32/33" = 6, "38/39" = 7 }
    black = { score = %d }
    """
    played = turn(text % 31, "Turret@3,6 knight.#0")
    assert played.position.players[1].score == 33
    assert played.position.players[1].wall_tiles == (6,)
    assert played.position.towers == (("38/39", 7),)
    assert turn(text % 32, "Turret@3,6 knight.#0").position.players[1].wall_tiles == ()


def enlarged_house(standing: str) -> set[str]:
    """Return the followers that may be placed beside a tile on which someone stands.

    The new tile is laid with its house against the house of the tile that lies there.
    """
    position = read(f'board = ["Court@2,6", "Gable@2,5r0", "Court@2,4", "Gable@3,4r0{standing}"]\n'
                    'order = ["Corner"]\n')  # fmt: skip
    moves = legal_moves(position)
    words = [write_move(position, move).split() for move in moves]
    return {word for here in words if here[0] == "Corner@3,5r0" for word in here[1:]}


def test_no_squire_on_an_enlarged_house_that_holds_a_squire() -> None:
    """'The player may not place a squire … may place a knight or a merchant, however.'"""
    taken = enlarged_house(" white:squire.N")
    free = enlarged_house("")
    assert {word.partition(".")[0] for word in taken} == {"knight", "merchant"}
    assert {word.partition(".")[0] for word in free} == {"knight", "merchant", "squire"}


def test_no_merchant_on_an_enlarged_court_that_holds_a_merchant() -> None:
    """'The player may not place a merchant … However, he may place a squire on the house.'"""
    text = 'board = ["Court@2,6 white:merchant.N"]\norder = ["Hut"]\n'
    position = read(text)
    words = [write_move(position, move).split() for move in legal_moves(position)]
    beside = {tuple(here[1:]) for here in words if here[0] == "Hut@3,6r0"}
    assert beside == {(), ("squire.#0",)}


def test_the_larger_keep_scores_the_largest_empty_area() -> None:
    """'The largest connected area has 11 spaces. The largest keep scores 11 points.'"""
    area = {Cell(x, y) for x in range(2, 8) for y in (10, 11)} - {Cell(7, 10)}
    others = {Cell(x, 0) for x in range(4)} | {Cell(6, 1)}
    cells = sorted(set(castle_game().board.cells) - area - others)
    lines = ", ".join(f'"Court@{cell}"' for cell in cells)
    shown = ", ".join(f'"{start.name}" = "court"' for start in castle_game().board.starts)
    text = f"start_spaces = {{ {shown} }}\nboard = [{lines}]\n"
    assert len(area) == 11
    assert len(cells) == 60
    larger = read(text + "white = { keep = 5 }\nblack = { keep = 4 }\n")
    assert final_scoring(larger).scores == (11, 0)
    tied = read(text + "white = { keep = 5 }\nblack = { keep = 5 }\n")
    assert final_scoring(tied).scores == (0, 0)


def test_a_keep_of_5_with_wall_tile_8_counts_7() -> None:
    """'A keep of 5 tiles is counted as a keep of 7 tiles': it beats 6 and ties with 7."""
    text = (
        'board = ["Court@2,6"]\nwhite = {{ keep = 5, wall_tiles = [8] }}\nblack = {{ keep = {} }}\n'
    )
    results = [final_scoring(read(text.format(keep))).scores for keep in (6, 7, 8)]
    assert results == [(75, 0), (0, 0), (0, 75)]


def test_a_court_with_one_market_scores_3() -> None:
    """'White scores 3 points': a small court apart from the larger one."""
    position = read('board = ["Court@2,6", "Close@3,6r3 white:merchant.W"]\n')
    assert final_scoring(position).scores == (3, 0)


MARKETS = 'board = ["Plaza@6,4", "Plaza@5,4", "Plaza@4,4 black:merchant.N", "Plaza@5,5"]\n'


def test_a_court_with_five_markets_scores_15() -> None:
    """'There are 5 markets (including the one on the start space). He scores 15 points.'"""
    assert final_scoring(read(MARKETS)).scores == (0, 15)


def test_wall_tile_7_makes_it_20() -> None:
    """'4 points for each market on the court for a total of 20 points.'"""
    position = read(MARKETS + "black = { wall_tiles = [7] }\n")
    assert final_scoring(position).scores == (0, 20)


def test_courts_are_separated_by_paths_towers_and_houses() -> None:
    """'3 separate courts': a path and a tower divide what they cross."""
    position = read('board = ["Way@0,2r1", "Straight@0,1r0", "Court@0,0"]\n')
    courts = [f for f in position_features(position) if f.kind is Kind.COURT and f.inside]
    assert sorted(court.size for court in courts) == [1, 2, 2]
