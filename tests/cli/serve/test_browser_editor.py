"""Setting up a position in a real browser: by keys, by taps, and by carrying."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import Position, expect

from burgrave.model.expansions.tower.parts import Towers
from burgrave.model.files.positions import read_position
from burgrave.model.notation import write_board_line
from burgrave.model.pictures import follower_spots
from burgrave.model.quarters import quarters_of
from burgrave.model.tiles import PlacedTile
from tests.cli.serve.browsing import (
    PATIENCE,
    Opened,
    begin,
    cell,
    enlarged,
    load,
    needs_browser,
    saved,
    serious,
)

pytestmark = [pytest.mark.slow, needs_browser]


def typed(tab: Tab, kind: str, x: int, y: int) -> None:
    """Lay a tile by its letters."""
    tab.focus(cell(x, y))
    tab.keyboard.type(kind)
    tab.wait_for_selector(f".cell[data-cell='{x},{y}'][data-tile='{kind}']", state="attached")


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


@pytest.mark.long
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
    for player, name in enumerate(wanted.game.players):
        fingers.tap(f".tray [data-figure='{name} follower']")
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


class Hand:
    """Fingers on the glass, by the events that a screen sends."""

    def __init__(self, tab: Tab) -> None:
        """Begin with none."""
        self.tab = tab
        self.glass = tab.context.new_cdp_session(tab)

    def at(self, x: int, y: int) -> tuple[float, float]:
        """Return where the middle of a cell is."""
        box = self.tab.locator(cell(x, y)).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """Put fingers on points, or move them there; without points they leave."""
        at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.glass.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})

    def draw(self, *cells: tuple[int, int]) -> None:
        """Draw a finger over cells."""
        for number, place in enumerate(cells):
            self.touch("Move" if number else "Start", self.at(*place))
        self.touch("End")

    def spread(self, left: tuple[float, float], right: tuple[float, float]) -> None:
        """Draw two fingers apart."""
        self.touch("Start", left, right)
        self.touch("Move", (left[0] - 50, left[1]), (right[0] + 50, right[1]))
        self.touch("End")

    def hold(self, x: int, y: int) -> None:
        """Press long on a cell, until what lies there is lifted."""
        self.touch("Start", self.at(x, y))
        self.tab.wait_for_selector(".carried")
        expect(self.tab.locator(".spot.left")).to_have_attribute("data-cell", f"{x},{y}")

    def brush(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Move from a cell to another before a press is long, on a busy machine too."""
        clock = self.tab.clock
        clock.install()
        clock.pause_at(time.time() + PATIENCE)
        self.touch("Start", self.at(*start))
        self.touch("Move", self.at(*end))
        clock.run_for(1000)
        clock.resume()

    def carry(self, x: int, y: int) -> None:
        """Move what is carried to a cell, and let it go there."""
        self.touch("Move", self.at(x, y))
        expect(self.tab.locator(".spot.aimed")).to_have_attribute("data-cell", f"{x},{y}")
        self.touch("End")


def test_a_finger_draws_a_row_turns_and_moves_tiles(opened: Opened) -> None:
    """A row of cells takes one tile after another; taps and keys turn and move a tile."""
    tab = opened("edit", 360, 740, has_touch=True, is_mobile=True)
    begin(tab, "castle")
    tab.evaluate(
        "addEventListener('touchmove', (event) => { window.ours = event.defaultPrevented; })"
    )
    Hand(tab).draw((3, 3), (4, 3), (4, 4))
    assert tab.evaluate("ours")  # else a quick stroke is a fling, and the next tap is lost
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
        kind = ("K14", "K37", "K45")[number]
        tab.tap(f".palette[data-place='{x},{y} {number}'] .kind[data-kind='{kind}']")
        tab.wait_for_selector(tile(x, y, kind), state="attached")
    turns = tab.locator(".rotations .kind")
    wanted = turns.first.get_attribute("data-turn")
    turns.first.tap()
    tab.wait_for_selector(f"{tile(4, 4, 'K45')}[data-rotation='{wanted}']", state="attached")
    tab.tap(cell(3, 3))
    tab.tap("button[aria-label='Move it (M)']")
    tab.tap(cell(3, 4))
    tab.wait_for_selector(tile(3, 4, "K14"), state="attached")
    tab.focus(cell(3, 4))
    for key in ("m", "ArrowDown", "Enter"):
        tab.keyboard.press(key)
    tab.wait_for_selector(tile(3, 3, "K14"), state="attached")
    expect(tab.locator(".sheet .cell[data-tile]")).to_have_count(3)


CARRIED = """
burgrave = 1
type = "position"
game = "carcassonne+tower"
players = ["red", "blue"]
board = ["D@0,0r0", "V@1,0r1 red:thief.S", "TW02@0,-1r0"]
built = ["0,-1:2"]
"""
"""The start tile, a road with a follower, and a tower."""


def dragged(hand: Hand, start: str, end: tuple[int, int], kind: str) -> None:
    """Drag a tile to a cell with the mouse."""
    tab = hand.tab
    tab.locator(start).hover()
    tab.mouse.down()
    tab.mouse.move(*hand.at(*end), steps=3)
    expect(tab.locator(".carried")).to_have_count(1)
    tab.mouse.up()
    tab.wait_for_selector(tile(*end, kind), state="attached")


def test_tiles_and_followers_are_carried(opened: Opened) -> None:
    """A long press lifts, a mouse drags; what leaves the board or is given up goes back."""
    tab = opened("edit", 360, 740, has_touch=True, is_mobile=True)
    load(tab, CARRIED)
    tab.click("#tab-edit")
    hand, carried = Hand(tab), tab.locator(".carried")
    lying = tab.locator(".sheet .cell[data-tile]")

    def lies(*wanted: str) -> None:
        expect(tab.locator(".cell[data-cell='1,0'][data-tile='V']")).to_be_attached()
        expect(lying).to_have_count(3)
        expect(carried).to_have_count(0)
        expect(tab.locator(".spot.left, .spot.aimed")).to_have_count(0)

    hand.hold(1, 0)
    hand.touch("Move", (180, 700))  # below the board
    hand.touch("End")
    lies()
    hand.hold(1, 0)
    hand.touch("Start", hand.at(1, 0), hand.at(0, 0))  # a second finger
    lies()
    hand.touch("End")
    hand.hold(1, 0)
    tab.keyboard.press("Escape")
    lies()
    hand.touch("Move", hand.at(1, 1))
    hand.touch("End")
    lies()
    hand.brush((1, 0), (1, 1))
    lies()
    hand.touch("End")
    hand.hold(1, 0)
    hand.carry(1, 1)
    tab.wait_for_selector(tile(1, 1, "V"), state="attached")
    expect(tab.locator("[data-follower^='1,1']")).to_have_count(1)
    tab.tap(cell(1, 1))
    expect(tab.locator(cell(1, 1))).to_have_class(re.compile("chosen"))
    # While figures are put, a long press lifts one of them.
    tab.tap(".tray [data-figure='red follower']")
    hand.hold(1, 1)
    hand.carry(0, 0)
    tab.wait_for_selector("[data-follower^='0,0']")
    tab.keyboard.press("Escape")
    enlarged(tab, lambda: hand.spread((150, 150), (200, 150)))
    tab.tap("[aria-label='Whole board']")
    # The mouse lifts at once, from the list and from the board.
    dragged(hand, ".palette .kind[data-kind='E']", (0, 1), "E")
    dragged(hand, cell(0, 1), (-1, 0), "E")
    dragged(hand, cell(0, -1), (1, -1), "TW02")
    held = read_position("saved", saved(tab), check=False)
    assert {write_board_line(held.game, one, held.followers) for one in held.tiles} == {
        "D@0,0r0 red:thief.E",
        "V@1,1r2",  # the tap turned it
        "E@-1,0r2",  # as it had to lie on the first cell
        "TW02@1,-1r0",
    }
    assert [(one.cell, one.height) for one in held.part(Towers).built] == [((1, -1), 2)]


def fill_table(tab: Tab) -> None:
    """Fill in fields of what lies beside the board."""
    tab.click("#part-more")
    tab.fill(".players fieldset >> nth=1 >> label:has-text('Score') input", "27")
    tab.keyboard.press("Tab")
    tab.fill("label:has-text('Next tiles') input", "K07 K06")
    tab.keyboard.press("Tab")
    tab.click("summary:has-text('Wall tiles')")
    tab.select_option("label:has-text('Tower 32/33') select", "5")
    tab.click("summary:has-text('start spaces')")
    tab.select_option("label:has-text('Space 18/19') select", "bare")
    tab.fill("label:has-text('Title') input", "By keys")
    tab.keyboard.press("Tab")
    expect(tab.locator(".problems .good")).to_be_visible()


def test_tiles_to_come_are_picked_from_pictures(opened: Opened) -> None:
    """On a phone; the bag counts itself, whichever comes first, until it is changed by hand.

    *New* comes before the tiles, also for keys. The table is shared as a link to a site.
    """
    allowed = ["clipboard-read", "clipboard-write"]
    tab = opened("edit", 360, 740, has_touch=True, is_mobile=True, permissions=allowed)
    tab.tap("#part-file")
    tab.select_option(".fresh label:has-text('Game') select", "carcassonne")
    tab.select_option(".fresh label:has-text('Tiles') select", "empty")
    tab.tap(".fresh button:has-text('Begin')")
    tab.wait_for_selector(".now button:has-text('New')")
    tab.focus("#part-board")
    reached = []
    for _ in range(8):
        tab.keyboard.press("Tab")
        reached.append(tab.locator("*:focus").inner_text())
    assert "New" in reached
    tab.tap(".kind[data-kind='D']")
    tab.tap("#part-more")
    bag = tab.locator(".stock-of h4 >> nth=1")
    expect(bag).to_have_text("In the bag: 70")
    tab.tap("button:has-text('Pick a tile')")
    tab.tap("[aria-label='K, 3 left: pick it']")
    expect(bag).to_have_text("In the bag: 69")
    tab.tap("button:has-text('Done')")
    tab.tap("#undo")
    expect(bag).to_have_text("In the bag: 70")
    tab.tap("summary:has-text('What it holds')")
    tab.tap("[aria-label='X: take it out']")
    expect(bag).to_have_text("In the bag: 69")
    tab.tap("button:has-text('Rest of the set')")
    expect(bag).to_have_text("In the bag: 70")
    assert serious(tab) == []
    tab.tap("#part-file")
    tab.tap("text=Share the address")
    expect(tab.locator("#status")).to_contain_text("holds the whole position")
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("https://a.example/b/#/boards/packed:")


def test_a_position_is_set_up_by_keys_and_saved(opened: Opened, tmp_path: Path) -> None:
    """Letters lay tiles, figures put followers; opening the saved file brings the same back."""
    tab = opened("edit")
    begin(tab, "castle")
    typed(tab, "K19", 0, 2)
    tab.focus(cell(0, 2))
    before = tab.get_attribute(".cell[data-cell='0,2']", "data-rotation")
    tab.keyboard.press("r")
    turned = (int(before or "") + 1) % 4
    tab.wait_for_selector(f".cell[data-cell='0,2'][data-rotation='{turned}']", state="attached")
    tab.keyboard.press("1")
    tab.wait_for_selector("[data-follower^='0,2']")
    typed(tab, "K15", 2, 6)
    fill_table(tab)
    expect(tab).to_have_url(re.compile("/By%20keys$"))
    tab.click("#part-kind")
    tab.click(".own-kind .chip:has-text('path north')")
    tab.click(".own-kind button[aria-label='south-west: house']")
    tab.click(".own-kind button:has-text('Add to the tiles')")
    tab.wait_for_selector(".own-kind li:has-text('Own1')")
    text = saved(tab)
    made = read_position("saved", text, check=False)
    laid = [write_board_line(made.game, tile, made.followers) for tile in made.tiles]
    assert laid[0].startswith(f"K19@0,2r{turned} white:herald.")
    assert laid[1].startswith("K15@2,6r")
    assert [(player.score, player.supply) for player in made.players] == [(0, 5), (27, 6)]
    assert made.order == ("K07", "K06")
    assert made.towers == (("32/33", 5),)
    assert made.game.changed_switches() == {}
    assert quarters_of(made.game.tile_set.kind("Own1")) == "ccch-n"
    shows = dict(zip([s.name for s in made.game.board.starts], made.game.shows, strict=True))
    assert (shows["18/19"], shows["6/7"]) == ("bare", "house-court-market")
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
    tab.wait_for_selector(".problems [title='castle.setup.followers']")
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
    tab.wait_for_selector(".problems [title^='carcassonne.place']")
    tab.click("#undo")
    expect(tab.locator(".problems .good")).to_be_visible()
    tab.click("#part-file")
    tab.fill("label:has-text('Or paste') textarea", "U@1,0r0 blue:farmer.EL\nbishop")
    tab.click("button:has-text('Read the text')")
    tab.wait_for_selector(".file .refused:has-text('bishop')")
    tab.fill("label:has-text('Or paste') textarea", "V@1,0r0")
    tab.click("button:has-text('Read the text')")
    tab.wait_for_selector("[data-cell='1,0'][data-tile='V']")
    # On a monk, who stands at the edge of his cloister, no farmer is meant.
    tab.fill("label:has-text('Or paste') textarea", "B@0,-1r0")
    tab.click("button:has-text('Read the text')")
    tab.wait_for_selector(tile(0, -1, "B"), state="attached")
    tab.click("#part-board")
    tab.click(".tray [data-figure='red follower']")
    box = tab.locator(cell(0, -1)).bounding_box()
    assert box is not None
    for standing in (1, 0):
        at: Position = {"x": 0.69 * box["width"], "y": 0.6 * box["height"]}
        tab.click(cell(0, -1), position=at)
        expect(tab.locator("[data-follower='0,-1,0']")).to_have_count(standing)
        expect(tab.locator("[data-follower]")).to_have_count(standing)
