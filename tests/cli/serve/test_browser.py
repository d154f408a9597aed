"""Playing, asking and setting up in a real browser, as a person does it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from model.files.positions import read_position
from model.notation import write_board_line
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


def begin(tab: Tab, game: str) -> None:
    """Begin an empty board of a game in the editor."""
    tab.click("#part-file")
    tab.select_option(".fresh label:has-text('Game') select", game)
    tab.select_option(".fresh label:has-text('Tiles') select", "empty")
    tab.click(".fresh button:has-text('Begin')")
    tab.click("#part-tiles")
    tab.wait_for_selector(f".kind[aria-label^='{'C01' if game == 'castle' else 'X'} ']")
    tab.click("#part-more")
    expect(tab.locator("label:has-text('Next tiles') input")).to_have_value("")
    tab.click("#part-tiles")


def lay(tab: Tab, kind: str, x: int, y: int) -> None:
    """Lay a tile by choosing it and then a cell."""
    tile = tab.locator(f".kind[aria-label^='{kind} ']")
    if tile.get_attribute("aria-pressed") != "true":
        tile.click()
    tab.click(cell(x, y))
    tab.wait_for_selector(f".chosen h3:has-text('{kind} on {x},{y}')")


def saved(tab: Tab) -> str:
    """Return the file that saving brings."""
    tab.click("#part-file")
    with tab.expect_download() as download:
        tab.click("button:has-text('Save as TOML')")
    return download.value.path().read_text(encoding="utf-8")


def test_a_position_is_set_up_by_clicks_and_saved(opened: Opened, tmp_path: Path) -> None:
    """What was set up is in the file, and opening the file brings the same file back."""
    tab = opened("edit")
    begin(tab, "castle")
    lay(tab, "C42", 0, 2)
    tab.keyboard.press("r")
    tab.wait_for_selector("[data-cell='0,2'][data-rotation='1']")
    tab.keyboard.press("r")
    tab.wait_for_selector("[data-cell='0,2'][data-rotation='2']")
    tab.click(".segments li:has-text('path') >> nth=0 >> button")
    tab.wait_for_selector("[data-follower^='0,2']")
    lay(tab, "C05", 2, 6)
    tab.click("#part-more")
    tab.fill(".players fieldset >> nth=1 >> label:has-text('Score') input", "27")
    tab.keyboard.press("Tab")
    tab.fill("label:has-text('Next tiles') input", "C07 C06")
    tab.keyboard.press("Tab")
    tab.click("summary:has-text('Wall tiles')")
    tab.select_option("label:has-text('Tower 32/33') select", "5")
    tab.click("summary:has-text('start spaces')")
    tab.select_option("label:has-text('Space 18/19') select", "bare")
    tab.fill("label:has-text('Title') input", "By clicks")
    tab.keyboard.press("Tab")
    expect(tab.locator(".problems .good")).to_be_visible()
    text = saved(tab)
    made = read_position("saved", text)
    laid = [write_board_line(made.game, tile, made.followers) for tile in made.tiles]
    assert laid[0].startswith("C42@0,2r2 white:herald.")
    assert laid[1] == "C05@2,6r0"
    assert [(player.score, player.supply) for player in made.players] == [(0, 5), (27, 6)]
    assert made.order == ("C07", "C06")
    assert made.towers == (("32/33", 5),)
    assert made.game.changed_switches() == {}
    shows = dict(zip([s.name for s in made.game.board.starts], made.game.shows, strict=True))
    assert (shows["18/19"], shows["6/7"]) == ("bare", "path")
    file = tmp_path / "by-clicks.toml"
    file.write_text(text, encoding="utf-8")
    tab.keyboard.press("Control+z")
    expect(tab).not_to_have_title(re.compile("By clicks"))
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
    lay(tab, "E", 0, 1)
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
