"""Playing, asking and setting up in a real browser, as a person does it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import Position, expect

from model.files.positions import read_position
from model.files.tilesets import write_segment
from model.notation import write_board_line
from model.pictures import follower_spots
from model.tiles import PlacedTile
from puzzles.library import find, position
from solver.questions import forced
from tests.cli.serve.browsing import Opened, cell, load, needs_browser
from tests.cli.serve.conftest import Page

FIRST_VIEW = 300_000
"""Bytes that the first view may have."""

pytestmark = [pytest.mark.slow, needs_browser]


def test_the_first_view_is_small(opened: Opened, page: Page) -> None:
    """What crosses the wire before the board is there, none of it from outside."""
    tab = opened()
    urls = tab.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert all(url.startswith(page.url) for url in urls)
    size = tab.evaluate(
        "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
        ".reduce((sum, one) => sum + one.transferSize, 0)"
    )
    assert 0 < size < FIRST_VIEW


def test_a_place_tells_what_it_scores_and_a_turn_is_played(opened: Opened) -> None:
    """Resting on a lit cell tells, choosing it lists, playing goes on; undo goes back."""
    tab = opened()
    tab.hover(cell(6, 7))
    tab.wait_for_selector("#status:has-text('C22@6,7r')")
    tab.click(cell(6, 7))
    tab.wait_for_selector(".turn")
    tab.click(".action button:has-text('Play')")
    tab.wait_for_selector("text=Black lays C35")
    expect(tab.locator(cell(6, 7))).to_have_class(re.compile("last"))
    tab.keyboard.press("Control+z")
    tab.wait_for_selector("text=White lays C22")


def test_keys_are_enough(opened: Opened) -> None:
    """A cell is reached by arrows, chosen by Enter, and the tile turned by R."""
    tab = opened()
    tab.focus(cell(6, 7))
    tab.keyboard.press("ArrowUp")
    assert tab.evaluate("document.activeElement.dataset.cell") == "6,8"
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("h3:has-text('C22@6,7r1')")
    tab.keyboard.press("r")
    tab.wait_for_selector("h3:has-text('C22@6,7r2')")
    tab.keyboard.press("Escape")
    tab.wait_for_selector(".place:has-text('Choose a lit cell')")


def test_an_illegal_place_tells_every_rule(opened: Opened, page: Page) -> None:
    """The rules and their sources are those of the API."""
    tab = opened()
    tab.click(cell(0, 9))
    tab.wait_for_selector(".place .findings li")
    shown = tab.locator(".place .findings li").all_inner_texts()
    move = tab.inner_text(".place h3").split()[0]
    told = page.post("/api/judge", {"position": page.start(), "move": move}).data["violations"]
    assert told
    for one, text in zip(told, shown, strict=True):
        assert one["message"] in text
        assert one["rule"] in text
        assert one["source"] in text


def test_a_question_gets_the_answer_of_the_solver(opened: Opened) -> None:
    """The value, the first moves and a line that can be stepped through."""
    tab = opened()
    at_hand = position(find("castle-04"))
    answer = forced(at_hand, every=True)
    tab.click("#part-ask")
    tab.select_option("label:has-text('Question') select", "force")
    tab.check("label:has-text('value of each') input")
    tab.click("button.ask")
    tab.wait_for_selector(".answer h3.good")
    assert f"wins by {answer.value} points" in tab.inner_text(".answer h3")
    assert tab.locator(".answer .moves > li").count() == len(answer.first)
    worths = {str(one.move.cell): 0 for one in answer.first}
    expect(tab.locator(".worth")).to_have_count(len(worths))
    expect(tab.locator(f"{cell(6, 7)} .worth")).to_have_text(str(answer.value))
    assert tab.locator(".answer .line > li").count() == len(answer.line)
    laid = tab.locator(".sheet .cell[data-tile]")
    before = laid.count()
    for _ in answer.line:
        tab.click("[aria-label='One turn on']")
    expect(laid).to_have_count(before + len(answer.line))


def test_unseen_tiles_are_counted_and_taken(opened: Opened, page: Page) -> None:
    """Those in the bag are pictured with their number; a button tells what fits where."""
    tab = opened()
    keys = page.new("carcassonne", unknown=True)
    keys["bag"] = {"D": 2, "V": 1}
    load(tab, page.post("/api/write", {"position": keys}).data["text"])
    tab.click("#part-tiles")
    numbers = [f"{kind} \N{MULTIPLICATION SIGN}{number}" for kind, number in keys["bag"].items()]
    expect(tab.locator(".tocome .kind > span")).to_have_text(numbers)
    tab.click(".tocome .kind >> nth=1")
    tab.wait_for_selector("text=Red, if V is drawn")
    tab.click(".tocome .bar button")
    cells = page.post("/api/fits", {"position": keys}).data["cells"]
    expect(tab.locator(".worth")).to_have_count(len(cells))
    none = sum(not one["tiles"] for one in cells)
    expect(tab.locator(".spot.hole")).to_have_count(none)


def test_a_cancelled_question_ends_its_process(opened: Opened, page: Page) -> None:
    """Cancel stops the work at once, and another question is answered."""
    tab = opened()
    load(tab, page.post("/api/write", {"position": page.new("castle", seed=4)}).data["text"])
    tab.click("#part-ask")
    tab.select_option("label:has-text('Question') select", "max")
    tab.select_option("label:has-text('Time limit') select", "300")
    tab.click("button.ask")
    page.solving(wanted=True)
    tab.click("button:has-text('Cancel')")
    tab.wait_for_selector(".answer:has-text('cancelled')")
    assert not page.solves()


def begin(tab: Tab, game: str, players: int | None = None) -> None:
    """Begin an empty board of a game in the editor."""
    tab.click("#part-file")
    tab.select_option(".fresh label:has-text('Game') select", game)
    tab.select_option(".fresh label:has-text('Tiles') select", "empty")
    if players:
        tab.select_option(".fresh label:has-text('Players') select", str(players))
    tab.click(".fresh button:has-text('Begin')")
    tab.wait_for_selector(f".kind[data-kind='{'C01' if game.startswith('castle') else 'X'}']")
    tab.click("#part-more")
    expect(tab.locator("label:has-text('Next tiles') input")).to_have_value("")
    tab.click("#part-tiles")


def typed(tab: Tab, kind: str, x: int, y: int) -> None:
    """Lay a tile by its letters."""
    tab.focus(cell(x, y))
    tab.keyboard.type(kind)
    tab.wait_for_selector(f".cell[data-cell='{x},{y}'][data-tile='{kind}']", state="attached")


def saved(tab: Tab) -> str:
    """Return the file that saving brings."""
    tab.click("#part-file")
    with tab.expect_download() as download:
        tab.click("button:has-text('Save as TOML')")
    return download.value.path().read_text(encoding="utf-8")


TABLE = (
    "N@-4,1r0",
    "P@-3,0r1",
    "F@-3,1r1",
    "S@-2,-1r3 blue:farmer.EL",
    "E@-2,1r2",
    "U@-1,-2r0 green:farmer.N",
    "K@-1,-1r1",
    "J@-1,0r0",
    "Q@-1,1r1 green:farmer.W",
    "S@-1,2r2",
    "W@-1,3r0 red:thief.W",
    "E@-1,4r0 green:farmer.E",
    "R@-1,5r1 blue:knight.N",
    "D@0,0r0",
    "U@1,-2r1",
    "L@1,-1r0 red:farmer.EL",
    "L@1,0r2 red:farmer.NR",
    "W@1,1r0 green:thief.W",
    "B@1,2r0",
    "U@1,3r0 blue:farmer.S",
    "W@2,-1r2",
    "V@2,2r3",
    "D@3,-1r2 blue:farmer.ER",
    "E@3,0r0 green:farmer.E",
    "U@4,0r1",
)
"""The board of a random game: 25 tiles of 15 kinds, 12 followers of three players."""


class Fingers:
    """Taps on a phone, counted."""

    def __init__(self, tab: Tab) -> None:
        """Begin with none."""
        self.tab = tab
        self.taps = 0

    def tap(self, selector: str, at: Position | None = None) -> None:
        """Tap something that is seen, without any scrolling."""
        spot = self.tab.locator(selector).first
        expect(spot).to_be_in_viewport(ratio=0.9)
        spot.tap(position=at)
        self.taps += 1

    def lay(self, tile: PlacedTile, laid: int) -> None:
        """Lay a tile on its cell, which is the next by itself or has to be tapped."""
        x, y = tile.cell
        if "chosen" not in (self.tab.get_attribute(cell(x, y), "class") or ""):
            self.tap(cell(x, y))
        self.tap(
            f".palette[data-place='{x},{y} {laid}']"
            f" .kind[data-kind='{tile.kind.id}'][data-rotation='{tile.rotation}']"
        )
        self.tab.wait_for_selector(f".palette[data-place$=' {laid + 1}']")

    def put(self, tile: PlacedTile, segment: int) -> None:
        """Put a follower on a segment."""
        x, y = tile.cell
        left, top = follower_spots(tile.kind)[segment]
        for _ in range(tile.rotation):
            left, top = 100 - top, left
        box = self.tab.locator(cell(x, y)).bounding_box()
        assert box is not None
        standing = self.tab.locator("[data-follower]")
        before = standing.count()
        self.tap(cell(x, y), {"x": left * box["width"] / 100, "y": top * box["height"] / 100})
        expect(standing).to_have_count(before + 1)


def test_a_table_is_entered_on_a_phone_with_sixty_taps(opened: Opened) -> None:
    """25 tiles and 12 followers, no scroll, and the file is the one that it should be."""
    tab = opened("edit", 360, 740, has_touch=True, is_mobile=True)
    begin(tab, "carcassonne", players=3)
    head = "burgrave = 1\ntype = 'position'\ngame = 'carcassonne'\n"
    text = f"{head}players = ['red', 'blue', 'green']\nboard = {list(TABLE)}\n"
    wanted = read_position("wanted", text)
    tiles, fingers = wanted.by_cell(), Fingers(tab)
    left = [place for place in tiles if place != (0, 0)]  # the start tile lies there
    tab.wait_for_selector(f"{cell(1, 0)}.chosen")
    while left:
        chosen = tab.locator(".spot.chosen").get_attribute("data-cell")
        beside = [
            one
            for one in left
            if any(near not in left for _, near in one.neighbours() if near in tiles)
        ]
        place = next((one for one in left if str(one) == chosen), beside[0])
        left.remove(place)
        fingers.lay(tiles[place], len(tiles) - len(left) - 1)
    fingers.tap("#part-figures")
    for player, name in enumerate(wanted.game.players):
        if player:
            fingers.tap(f".people .chip:has-text('{name.capitalize()}')")
        for who in wanted.followers:
            if who.player == player:
                fingers.put(tiles[who.node.cell], who.node.segment)
    assert (len(tiles), len(wanted.followers)) == (25, 12)
    assert fingers.taps <= 60
    expect(tab.locator(".problems .good")).to_be_visible()
    assert read_position("saved", saved(tab)) == wanted


def tile(x: int, y: int, kind: str) -> str:
    """Return the selector of a tile on the board."""
    return f".cell[data-cell='{x},{y}'][data-tile='{kind}']"


def drawn_over(tab: Tab, *cells: tuple[int, int]) -> None:
    """Draw a finger over cells."""
    finger = tab.context.new_cdp_session(tab)
    for number, (x, y) in enumerate(cells):
        box = tab.locator(cell(x, y)).bounding_box()
        assert box is not None
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        kind = "touchMove" if number else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_draws_a_row_turns_and_moves_tiles(opened: Opened) -> None:
    """A row of cells takes one tile after another; taps and keys turn and move a tile."""
    tab = opened("edit", 360, 740, has_touch=True, is_mobile=True)
    begin(tab, "castle")
    drawn_over(tab, (3, 3), (4, 3), (4, 4))
    expect(tab.locator(".spot.coming")).to_have_count(2)
    tab.wait_for_selector(".palette[data-place='3,3 0']")
    # Turned tiles show their symbols upright, as the board does: a roof is above its house.
    house = ".palette .r2 .upright:has(.roof):has(.stone)"
    roof, wall = (tab.locator(f"{house} {one}").first.bounding_box() for one in (".roof", ".stone"))
    assert roof is not None
    assert wall is not None
    assert roof["y"] < wall["y"]
    for number, (x, y) in enumerate([(3, 3), (4, 3), (4, 4)]):
        expect(tab.locator(cell(x, y))).to_have_class(re.compile("chosen"))
        tab.tap(f".palette[data-place='{x},{y} {number}'] .kind[data-kind='C0{number + 1}']")
        tab.wait_for_selector(tile(x, y, f"C0{number + 1}"), state="attached")
    turns = tab.locator(".rotations .kind")
    wanted = turns.first.get_attribute("data-turn")
    turns.first.tap()
    tab.wait_for_selector(f"{tile(4, 4, 'C03')}[data-rotation='{wanted}']", state="attached")
    tab.tap(cell(3, 3))
    tab.tap("button[aria-label='Move it (M)']")
    tab.tap(cell(3, 4))
    tab.wait_for_selector(tile(3, 4, "C01"), state="attached")
    tab.focus(cell(3, 4))
    for key in ("m", "ArrowDown", "Enter"):
        tab.keyboard.press(key)
    tab.wait_for_selector(tile(3, 3, "C01"), state="attached")
    expect(tab.locator(".sheet .cell[data-tile]")).to_have_count(3)


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
"""Two squares with a short path between them, and an aerie: no sides tell that."""


def test_a_kind_made_by_taps_is_that_of_a_file(opened: Opened) -> None:
    """What the sides do not tell is told piece by piece."""
    tab = opened("edit", 360, 740, has_touch=True, is_mobile=True)
    begin(tab, "castle+falcon")
    tab.tap("#part-kind")
    for side in "NS":
        tab.tap(f".own-kind .side.{side}")
    tab.tap(".chip:has-text('path N + S')")
    tab.tap("button:has-text('Piece by piece')")
    tab.tap(".chip:has-text('+ chapel')")
    for place in ("W", "NL", "SR"):
        tab.tap(f".rim button:text-is('{place}')")
    tab.tap("[aria-label='Pieces'] .chip:has-text('court')")
    tab.tap(".chip:has-text('market')")
    tab.tap(".chip:has-text('+ path')")
    tab.tap("[aria-label='Square 1 joins'] .chip:has-text('path S')")
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


def fill_table(tab: Tab) -> None:
    """Fill in fields of what lies beside the board."""
    tab.click("#part-more")
    tab.fill(".players fieldset >> nth=1 >> label:has-text('Score') input", "27")
    tab.keyboard.press("Tab")
    tab.fill("label:has-text('Next tiles') input", "C07 C06")
    tab.keyboard.press("Tab")
    tab.click("summary:has-text('Wall tiles')")
    tab.select_option("label:has-text('Tower 32/33') select", "5")
    tab.click("summary:has-text('start spaces')")
    tab.select_option("label:has-text('Space 18/19') select", "bare")
    tab.fill("label:has-text('Title') input", "By keys")
    tab.keyboard.press("Tab")
    expect(tab.locator(".problems .good")).to_be_visible()


def test_a_position_is_set_up_by_keys_and_saved(opened: Opened, tmp_path: Path) -> None:
    """Letters lay tiles, figures put followers; opening the saved file brings the same back."""
    tab = opened("edit")
    begin(tab, "castle")
    typed(tab, "C42", 0, 2)
    tab.focus(cell(0, 2))
    before = tab.get_attribute(".cell[data-cell='0,2']", "data-rotation")
    tab.keyboard.press("r")
    turned = (int(before or "") + 1) % 4
    tab.wait_for_selector(f".cell[data-cell='0,2'][data-rotation='{turned}']", state="attached")
    tab.click("#part-figures")
    tab.focus(cell(0, 2))
    tab.keyboard.press("1")
    tab.wait_for_selector("[data-follower^='0,2']")
    tab.click("#part-tiles")
    typed(tab, "C05", 2, 6)
    fill_table(tab)
    expect(tab).to_have_url(re.compile("/By%20keys$"))
    tab.click("#part-kind")
    tab.click(".own-kind .side.N")
    tab.click(".own-kind button:has-text('Add to the tiles')")
    tab.wait_for_selector(".own-kind li:has-text('Own1')")
    text = saved(tab)
    made = read_position("saved", text, check=False)
    laid = [write_board_line(made.game, tile, made.followers) for tile in made.tiles]
    assert laid[0].startswith(f"C42@0,2r{turned} white:herald.")
    assert laid[1].startswith("C05@2,6r")
    assert [(player.score, player.supply) for player in made.players] == [(0, 5), (27, 6)]
    assert made.order == ("C07", "C06")
    assert made.towers == (("32/33", 5),)
    assert made.game.changed_switches() == {}
    assert "path N" in [write_segment(one) for one in made.game.tile_set.kind("Own1").segments]
    shows = dict(zip([s.name for s in made.game.board.starts], made.game.shows, strict=True))
    assert (shows["18/19"], shows["6/7"]) == ("bare", "path")
    file = tmp_path / "by-keys.toml"
    file.write_text(text, encoding="utf-8")
    tab.reload()
    expect(tab).to_have_title(re.compile("By keys"))
    tab.keyboard.press("Control+z")
    tab.click("#part-file")
    tab.set_input_files("label:has-text('Open a file') input", file)
    tab.wait_for_selector(".file .good")
    assert saved(tab) == text


def test_what_is_being_typed_is_not_lost(opened: Opened) -> None:
    """The fields are drawn anew after each change, under the hands of who goes on typing."""
    tab = opened("edit")
    begin(tab, "castle")
    tab.click("#part-more")
    tab.focus(".players fieldset >> nth=0 >> label:has-text('Score') input")
    tab.keyboard.press("Control+a")
    for value in ("31", "5", "4"):
        tab.keyboard.type(value)
        with tab.expect_response("**/api/**") as reply:
            tab.keyboard.press("Tab")
            tab.keyboard.press("Control+a")
        reply.value.finished()
        tab.evaluate("new Promise((done) => setTimeout(done))")  # what is drawn on the reply
    numbers = [tab.locator(".players fieldset >> nth=0 >> input").nth(i) for i in range(3)]
    for number, value in zip(numbers, ("31", "5", "4"), strict=True):
        expect(number).to_have_value(value)
    expect(tab.locator(".problems")).to_contain_text("castle.setup.followers")
    state = read_position("saved", saved(tab), check=False).players[0]
    assert (state.score, state.supply, state.fresh_followers) == (31, 5, 4)


def test_problems_are_listed_while_they_are_made(opened: Opened) -> None:
    """A tile where none can lie is told with its rule, and undo takes it back."""
    tab = opened("edit")
    begin(tab, "carcassonne+tower")
    expect(tab.locator(".problems .good")).to_be_visible()
    tab.click(f"{cell(1, 0)}.chosen")
    tab.click(".kind[data-kind='E']")
    tab.click(cell(0, 1))
    tab.wait_for_selector(".cell[data-cell='0,1'][data-tile='E']", state="attached")
    tab.keyboard.press("r")
    expect(tab.locator(".problems")).to_contain_text("carcassonne.place")
    tab.click("#undo")
    expect(tab.locator(".problems .good")).to_be_visible()
    tab.click("#part-file")
    tab.fill("label:has-text('Or paste') textarea", "U@1,0r0 blue:farmer.EL\nbishop")
    tab.click("button:has-text('Read the text')")
    tab.wait_for_selector(".file .refused:has-text('bishop')")
    tab.fill("label:has-text('Or paste') textarea", "V@1,0r0")
    tab.click("button:has-text('Read the text')")
    tab.wait_for_selector("[data-cell='1,0'][data-tile='V']")
