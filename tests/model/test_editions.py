"""The editions of Carcassonne's rules as values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burgrave.model.errors import FileError
from burgrave.model.expansions.tower.switches import TOWER_SWITCHES
from burgrave.model.files.games import editions, shipped_game
from burgrave.model.files.positions import read_position, write_position
from burgrave.model.formats.saves import read_save
from burgrave.model.games import DEFAULT_EDITION
from burgrave.model.switches import CARCASSONNE_SWITCHES, FARMS, SMALL_CITY, TIE

BARE = 'burgrave = 1\ntype = "position"\ngame = "carcassonne"\nboard = ["D@0,0r0"]\n'
JCZ = Path(__file__).parents[1] / "data" / "jcz"


def test_the_edition_of_today_has_every_switch_at_its_default() -> None:
    """So that what names neither edition nor switch is of today; it stands first."""
    names = list(editions())
    assert names == ["today", "rgg2006", "hig2006", "car", "c2_2016"]
    assert names[0] == DEFAULT_EDITION
    assert editions()[DEFAULT_EDITION].switches == {}
    assert (FARMS.default, SMALL_CITY.default) == ("field3", "4")


@pytest.mark.parametrize("name", editions())
def test_an_edition_sets_values_that_there_are(name: str) -> None:
    """Each is another value than the default of a switch of the game, and holds in it."""
    known = {switch.name: switch for switch in CARCASSONNE_SWITCHES + TOWER_SWITCHES}
    game = shipped_game("carcassonne+tower", edition=name)
    for switch, value in editions()[name].switches.items():
        assert value in known[switch].values[1:]
        assert game.value(known[switch]) == value
    assert game.changed_switches() == {}


def test_a_game_is_named_with_its_edition_and_what_differs_from_it() -> None:
    """The name stands in the label of every board; a castle has no edition."""
    game = shipped_game("carcassonne", edition="rgg2006")
    assert game.named == "Carcassonne, edition rgg2006"
    own = game.with_switches({TIE.name: "none", FARMS.name: "field3"})
    assert own.named == "Carcassonne, edition rgg2006 with farms = field3, tie = none"
    assert own.label == f"{own.named}. Burgrave is unofficial."
    castle = shipped_game("castle")
    assert castle.edition is None
    assert castle.named == castle.title
    assert castle.named not in castle.label


def test_games_of_two_editions_differ() -> None:
    """Though all their switches may have the same values: they are told by another name."""
    one, other = (shipped_game("carcassonne", edition=name) for name in ("hig2006", "car"))
    assert one.switches == other.switches
    assert one != other
    assert one == replace(one)


def test_a_file_that_names_no_edition_means_today() -> None:
    """It is written with the name, and read back as the same."""
    position = read_position("bare", BARE)
    assert position.game == shipped_game("carcassonne")
    written = write_position(position)
    assert 'edition = "today"' in written
    assert read_position("written", written) == position


def test_the_old_word_is_no_key() -> None:
    """A file with ``profile`` is refused: nothing in it is passed over in silence."""
    with pytest.raises(FileError, match="profile: no such key; it is called edition"):
        read_position("old", BARE + 'profile = "car"\n')


def test_a_save_is_of_the_edition_by_which_its_program_plays() -> None:
    """Whatever the default is."""
    name = "city-and-road-scoring.jcz"
    record = read_save(name, (JCZ / name).read_text(encoding="utf-8")).record
    game = record.position.game
    assert game.edition == editions()["c2_2016"]
    assert "ransom_window" not in game.changed_switches() or game.id.endswith("tower")
    assert game.value(FARMS) == "field3"
