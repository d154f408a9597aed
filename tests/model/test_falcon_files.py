"""What belongs to The Falcon is an error in The Castle alone, and the error says so."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from burgrave.model.components import Rank, Role
from burgrave.model.errors import FileError, NotationError
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.files.games import shipped_game
from burgrave.model.files.positions import read_position
from burgrave.model.files.toml import to_toml
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Deployment, Position
from burgrave.model.registry import GAMES
from burgrave.puzzles.selfplay.games import new_position

BELONGS = 'it belongs to The Falcon expansion, game = "castle+falcon"'


def read(game: str, **keys: Any) -> Position:
    """Return the position of a file with some keys."""
    data = {"burgrave": 1, "type": "position", "game": game, **keys}
    return read_position("file", to_toml(data))


FALCON_ONLY: dict[str, tuple[str, dict[str, Any]]] = {
    "a tile on the board": ("board[0]", {"board": ["F03@2,0r1"]}),
    "a tile to come": ("order[0]", {"order": ["f03"]}),
    "a tile in the bag": ("bag.F03", {"bag": {"F03": 1}}),
    "a king on the board": ("board[0]", {"board": ["K02@0,2 white:king.N"]}),
    "a preacher": ("board[0]", {"board": ["K02@0,2 white:preacher.N"]}),
    "a switch": ("switches.gate_stop", {"switches": {"gate_stop": "on"}}),
    "a gate": ("start_spaces.27/28", {"start_spaces": {"27/28": "tower"}}),
    "a picture": ("start_spaces.6/7", {"start_spaces": {"6/7": "chapel"}}),
    "tokens": ("white.tokens", {"white": {"tokens": 3}}),
    "specials": ("black.specials", {"black": {"specials": ["king"]}}),
    "a marker on a gate": ("white.at_gate", {"white": {"at_gate": True}}),
    "taken aeries": ("taken_aeries", {"taken_aeries": ["2,0.0"]}),
    "a chapel of one's own": (
        "kind Own shows chapel", {"kinds": [{"id": "Own", "segments": ["chapel N E S W"]}]},
    ),
    "an aerie of one's own": (
        "kind Own shows aeries",
        {"kinds": [{"id": "Own", "segments": ["court N E S W"], "aeries": [[0]]}]},
    ),
    "its set of tiles": ("kind F01 shows chapel", {"tiles": "falcon"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FALCON_ONLY)
def test_what_the_castle_does_not_have_is_an_error_that_names_the_expansion(name: str) -> None:
    """The error has the place and the expansion."""
    place, keys = FALCON_ONLY[name]
    with pytest.raises(FileError) as error:
        read("castle", **keys)
    assert place in str(error.value)
    assert BELONGS in str(error.value)


def test_a_move_with_a_foreign_piece_names_the_expansion() -> None:
    """King, preacher and tile in notation."""
    position = read("castle", order=["K02"])
    for text in ("K02@0,2 king.N", "K02@0,2 preacher.N", "K02@0,2 p.N", "F03@0,2"):
        with pytest.raises(NotationError) as error:
            read_move(position, text)
        assert BELONGS in str(error.value)


def test_the_same_keys_are_read_in_the_game_that_has_them() -> None:
    """Board, tokens, gate and aeries of a game with the expansion."""
    position = read(
        "castle+falcon",
        board=["F04@2,12r1 white:king.NL", "F17@2,11r0 black:falconer.S"],
        switches={"gate_stop": "on", "aerie_shared": "first", "gate_start_spaces": "47/48+69/70"},
        start_spaces={"47/48": "chapel", "40/41": "bare"},
        taken_aeries=["2,12.0"],
        white={"score": 147, "at_gate": True, "tokens": 5},
        black={"tokens": 1, "fresh_specials": ["king"]},
    )
    white, black = position.players
    assert (white.supply, white.specials, white.part(FalconHoldings).tokens, white.at_gate) == (
        6, (Rank.FALCONER,), 5, True,
    )  # fmt: skip
    assert (black.supply, black.specials, black.fresh_specials) == (6, (), (Rank.KING,))
    assert [f.rank for f in position.followers] == [Rank.FALCONER, Rank.KING]
    assert [f.role for f in position.followers] == [Role.MERCHANT, Role.MERCHANT]
    names = [start.name for start in position.game.board.starts]
    assert names[3:6] == ["47/48", "50/51", "62/63"]
    assert dict(zip(names, position.game.shows, strict=True))["47/48"] == "chapel"


def test_a_king_in_notation_has_the_role_of_his_segment() -> None:
    """``king.N`` on a court is a merchant with a rank, and is written so again."""
    position = read("castle+falcon", order=["F03"])
    move = read_move(position, "F03@0,2r0 KING.e")
    assert move.followers == (Deployment(move.cell, 1, Role.MERCHANT, Rank.KING),)
    assert write_move(position, move) == "F03@0,2r0 king.E"


def test_games_are_told_apart_by_their_id() -> None:
    """Each id gives its game; 78 tiles, 97 cells and 8 followers with the expansion."""
    assert [shipped_game(game_id).id for game_id in GAMES] == [*GAMES]
    falcon = shipped_game("castle+falcon")
    assert len(falcon.tile_set.all_tiles()) == 78
    assert len(falcon.board.cells) == 97
    assert falcon.followers + len(falcon.specials) == 8
    assert set(shipped_game("castle").tile_set.kinds) < set(falcon.tile_set.kinds)
    begun = new_position(falcon, Random(1))
    assert all(state.specials == (Rank.FALCONER, Rank.KING) for state in begun.players)


def test_a_file_with_all_kinds_of_faults_names_each() -> None:
    """A wrong switch value, picture and aerie of the expansion are reported as such."""
    with pytest.raises(FileError, match="allowed are on_gate, space_before"):
        read("castle+falcon", switches={"gate_stop_place": "there"})
    with pytest.raises(FileError, match="no such start space; there are"):
        read("castle+falcon", start_spaces={"47/48": "tower"})
    with pytest.raises(FileError, match="taken_aeries"):
        read("castle+falcon", taken_aeries=["here"])


ON_GATES = {"gate_stop": "on"}
BEFORE_GATES = {**ON_GATES, "gate_stop_place": "space_before"}


@pytest.mark.parametrize(
    ("switches", "score"), [(ON_GATES, 28), ({}, 27), (BEFORE_GATES, 27), (BEFORE_GATES, 28)]
)
def test_a_marker_stands_on_a_gate_only_where_it_can_stop(
    switches: dict[str, str], score: int
) -> None:
    """Where markers stop on gates, and after the number before one."""
    white = {"score": score, "at_gate": True}
    with pytest.raises(FileError, match=r"white\.at_gate"):
        read("castle+falcon", switches=switches, white=white)
    assert read("castle+falcon", switches=ON_GATES, white={**white, "score": 27}).players[0].at_gate
