"""Making a tile of one's own in a real browser: by quarters and arms, by pieces, by its code."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from burgrave.model.files.positions import read_position
from burgrave.model.quarters import quarters_of
from tests.cli.serve.browsing import Opened, begin, needs_browser, saved

pytestmark = [pytest.mark.slow, needs_browser]


OWN = """
burgrave = 1
type = "position"
game = "castle+falcon"

[[kinds]]
id = "Own1"
segments = ["path N", "path S", "path", "court NR E SL market", "chapel NL W SR"]
squares = [[0, 2], [1, 2]]
aeries = [[0, 4]]
"""
"""Two squares with a short path between them, and an aerie: no quarters tell that."""


def test_a_kind_made_by_taps_is_that_of_a_file(opened: Opened) -> None:
    """What the quarters do not tell is told piece by piece."""
    tab = opened("edit", 360, 740, has_touch=True, is_mobile=True)
    begin(tab, "castle+falcon")
    tab.tap("#part-kind")
    for side in ("north", "south"):
        tab.tap(f".own-kind .chip:has-text('path {side}')")
    tab.tap(".own-kind .chip:has-text('square')")
    for corner in ("north-west", "south-west"):
        tab.tap(f".own-kind button[aria-label='{corner}: chapel']")
    tab.tap("button:has-text('Piece by piece')")
    tab.tap("[aria-label='Square 1 joins'] .chip:has-text('path S')")
    tab.tap("[aria-label='Pieces'] .chip:has-text('court')")
    tab.tap(".chip:has-text('market')")
    tab.tap(".chip:has-text('+ path')")
    tab.tap("[aria-label='Square 1 joins'] .chip:has-text('within')")
    tab.tap(".chip:has-text('+ square')")
    tab.tap("[aria-label='Square 2 joins'] .chip:has-text('path S')")
    tab.tap("[aria-label='Pieces'] .chip:has-text('chapel')")
    tab.tap(".chip:has-text('+ aerie')")
    tab.tap("[aria-label='Aerie 1 adjoins'] .chip:has-text('path N')")
    tab.tap("button:has-text('Add to the tiles')")
    tab.wait_for_selector(".own-kind li:has-text('Own1')")
    made = read_position("saved", saved(tab), check=False).game.tile_set.kind("Own1")
    wanted = read_position("wanted", OWN, check=False).game.tile_set.kind("Own1")
    assert made.shape(0) == wanted.shape(0)


TAPS = {
    "htht-neswf": ["NW house", "NE tower", "SE house", "SW tower", "n", "e", "s", "w"],
    "hccc-newom": ["NW house", "n", "e", "w", "square", "market"],
    "cccc-neswxm": ["n", "e", "s", "w", "two curves, N-W", "market"],
    "ccct-n": ["SW tower", "n"],
    "cccc-no": ["n"],
}
"""By quarter code the taps that make it, at most eight."""


def test_a_castle_tile_takes_eight_taps_at_most(opened: Opened) -> None:
    """Four quarters, four arms and what they show make tiles as they are printed."""
    words = {"N": "north", "E": "east", "S": "south", "W": "west"}
    tab = opened("edit", 360, 740, has_touch=True, is_mobile=True)
    begin(tab, "castle")
    tab.tap("#part-kind")
    for number, (code, taps) in enumerate(TAPS.items(), start=1):
        assert len(taps) <= 8
        for tap in taps:
            if " " in tap and tap[:2].isupper():
                corner = f"{words[tap[0]]}-{words[tap[1]]}"
                tab.tap(f".own-kind button[aria-label='{corner}: {tap[3:]}']")
            else:
                side = words.get(tap.upper())
                tab.tap(f".own-kind .chip:has-text('{f'path {side}' if side else tap}')")
        expect(tab.locator(".own-kind label:has-text('Quarter code') input")).to_have_value(code)
        tab.tap("button:has-text('Add to the tiles')")
        tab.wait_for_selector(f".own-kind li:has-text('Own{number}')")
    kinds = read_position("saved", saved(tab), check=False).game.tile_set
    made = [quarters_of(kinds.kind(f"Own{number}")) for number in range(1, len(TAPS) + 1)]
    assert made == list(TAPS)


def test_a_typed_quarter_code_is_drawn_or_refused(opened: Opened) -> None:
    """What is wrong with a code is said beside it."""
    tab = opened("edit")
    begin(tab, "castle")
    tab.click("#part-kind")
    tab.fill(".own-kind label:has-text('Quarter code') input", "tthx")
    tab.keyboard.press("Tab")
    expect(tab.locator(".own-kind .refused")).to_contain_text("'x' is no quarter")
    tab.fill(".own-kind label:has-text('Quarter code') input", "tthh-ew")
    tab.keyboard.press("Tab")
    tab.click(".own-kind button:has-text('Add to the tiles'):enabled")
    tab.wait_for_selector(".own-kind li:has-text('Own1')")
    made = read_position("saved", saved(tab), check=False).game.tile_set.kind("Own1")
    assert quarters_of(made) == "tthh-ew"


def test_a_tile_with_an_inn_and_a_cathedral_is_tapped(opened: Opened) -> None:
    """By its sides, and once more piece by piece, where an inn was taken for a place."""
    tab = opened("edit", 360, 740, has_touch=True, is_mobile=True)
    begin(tab, "carcassonne+inns")
    tab.tap("#part-kind")
    for side, taps in (("N", 2), ("E", 1), ("W", 1)):
        for _ in range(taps):
            tab.tap(f".own-kind .side.{side}")
    for mark in ("inn E W", "cathedral N", "shield N"):
        tab.tap(f".own-kind .chip:has-text('{mark}')")
    tab.tap("button:has-text('Piece by piece')")
    assert not tab.locator(".own-kind .chip:has-text('aerie')").count()
    tab.tap("[aria-label='Pieces'] .chip:has-text('city N')")
    tab.tap(".own-kind .chip:has-text('shield')")
    tab.tap(".own-kind button:has-text('Add to the tiles'):enabled")
    tab.wait_for_selector(".own-kind li:has-text('Own1')")
    made = read_position("saved", saved(tab), check=False).game.tile_set.kind("Own1")
    marks = {str(one.kind): [*map(str, one.marks)] for one in made.segments if one.marks}
    assert marks == {"city": ["cathedral"], "road": ["inn"]}
