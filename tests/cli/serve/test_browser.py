"""The page in a real browser, as somebody works with it."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, expect, sync_playwright
from playwright.sync_api import Page as Tab

from cli.serve.entrance import own_addresses
from model.files.positions import read_position
from model.notation import write_board_line
from puzzles import tutor
from puzzles.library import find, position, puzzle
from puzzles.puzzle_files import puzzle_data
from solver.questions import forced
from tests.cli.serve.conftest import ROOT, Page, ended_page, shown_page

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
CLIENT = ROOT / "cli" / "serve" / "client"
EXAMPLES = ROOT / "docs" / "examples"
PATIENCE = 30_000
"""Milliseconds in which a busy machine does what is waited for."""
FIRST_VIEW = 300_000
"""Bytes that the first view may have."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="no /usr/bin/chromium; .ci/run installs it"),
]
Opened = Callable[..., Tab]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the browser once."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser, page: Page) -> Iterator[Opened]:
    """Open the page; anything that its console says fails the test."""
    contexts, said = [], []

    def hear(message: ConsoleMessage) -> None:
        # That a text cannot be read is an answer, which the browser tells of all the same.
        if message.type in {"error", "warning"} and "status of 422" not in message.text:
            said.append(message.text)

    def one(mode: str = "play", width: int = 1200, height: int = 900, **more: Any) -> Tab:
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.on("console", hear)
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.goto(page.url)
        tab.wait_for_selector(".spot.legal")
        if mode != "play":
            tab.click(f"#tab-{mode}")
        return tab

    yield one
    for context in contexts:
        context.close()
    assert said == []


def cell(x: int, y: int) -> str:
    """Return the selector of a cell."""
    return f'.spot[data-cell="{x},{y}"]'


def load(tab: Tab, text: str) -> None:
    """Put a position on the board by pasting its file."""
    tab.click("#tab-play")
    tab.click("#part-file")
    tab.fill("label:has-text('Or paste') textarea", text)
    tab.click("button:has-text('Read the text')")
    tab.wait_for_selector(".file .good")
    tab.click("#part-turn")


def test_the_first_view_is_small(opened: Opened, page: Page) -> None:
    """What crosses the wire before the board is there, none of it from outside."""
    tab = opened()
    names = {file.name for file in CLIENT.glob("*.js")} - {"main.js"}
    ahead = tab.locator("link[rel=modulepreload]").evaluate_all(
        "(links) => links.map((one) => one.getAttribute('href'))"
    )
    assert ahead == [f"/static/{name}" for name in sorted(names)]  # none waits for another
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


def test_a_puzzle_is_tried_and_solved(opened: Opened) -> None:
    """A weaker move is told what it loses, hints help, a right move is played to the end."""
    tab = opened("train")
    asked = puzzle(find("where-does-he-go"))
    tab.wait_for_selector(".asked:has-text('legal?')")  # beginners are asked something simple
    tab.click("#part-puzzles")
    tab.click(f".choices button:has-text('{asked.title}')")
    tab.wait_for_selector(f".asked:has-text('{asked.words}')")
    tab.wait_for_selector(".place:has-text('Choose a lit cell')")
    tab.click(cell(5, 2))
    tab.click(".place .chip:has-text('No follower')")
    assert tab.locator(".place .gain").count() == 0
    tab.click("button:has-text('This is my move')")
    tab.wait_for_selector(".verdict.bad")
    expect(tab.locator(".feedback")).to_contain_text("It loses 2")
    expect(tab.locator(".feedback")).to_contain_text("Rating \N{MINUS SIGN}")
    tab.click("button:has-text('Hint')")
    expect(tab.locator(".hints li")).to_have_text([tutor.hints(asked)[0]])
    tab.click("button:has-text('Try again')")
    tab.wait_for_selector(".place:has-text('Choose a lit cell')")
    tab.click(cell(5, 2))
    tab.click(".place .chip:has-text('herald N')")
    tab.click("button:has-text('This is my move')")
    tab.wait_for_selector(".verdict.good")
    expect(tab.locator(".feedback")).to_contain_text("Final scoring")
    expect(tab.locator(".solution")).to_contain_text(asked.explanation[:40])
    assert serious(tab) == []
    tab.reload()
    tab.wait_for_selector(f".asked:has-text('{asked.words}')")
    tab.click("#part-puzzles")
    expect(tab.locator(".puzzles")).to_contain_text("1 of ")
    tab.click("#part-progress")
    for theme in asked.themes:
        row = tab.locator(f".survey tr:has-text('{theme.replace('-', ' ')}')")
        expect(row).to_contain_text("0 %")
    with tab.expect_download() as download:
        tab.click("button:has-text('Export')")
    kept = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert kept["puzzles"]["library/where-does-he-go"]["solved"]
    assert kept["player"]["rating"] < 1200


def test_a_puzzle_of_two_moves_is_played_against_the_reply(opened: Opened, page: Page) -> None:
    """The opponent answers on the board, and the second move is asked for."""
    tab = opened()
    asked = puzzle(find("shared-fields"))
    tab.goto(f"{page.url}/#/train/library/shared-fields")
    first, reply, second, _ = asked.answer.line
    for move in (first, second):
        tab.fill(".row-form input", move)
        tab.click("button:has-text('Answer')")
        if move == first:
            tab.wait_for_selector(f".feedback:has-text('replies {reply}')")
            tab.wait_for_selector(".asked:has-text('to move again')")
    tab.wait_for_selector(".steps:has-text('best play to the end')")
    tab.go_back()
    tab.wait_for_selector("#part-turn")


def test_own_puzzles_are_a_set_with_a_link(opened: Opened, page: Page, tmp_path: Path) -> None:
    """A file of the generator opens, and its address brings it back."""
    tab = opened("train")
    file = tmp_path / "class.jsonl"
    names = ("landing-order", "a-path-needs-a-path")
    lines = [f"{json.dumps(puzzle_data(puzzle(find(name))))}\n" for name in names]
    file.write_text("".join(lines), encoding="utf-8")
    tab.wait_for_selector(".asked")
    tab.click("#part-puzzles")
    tab.set_input_files("label:has-text('file of puzzles') input", file)
    tab.wait_for_url(re.compile(r"#/train/[0-9a-f]{12}/a-path-needs-a-path"))
    there = tab.url.rpartition("/")[0]
    tab.goto(f"{page.url}/#/train/daily")
    tab.wait_for_selector("h2:has-text('puzzle of 20')")
    tab.goto(there)
    tab.wait_for_url(re.compile(rf"{re.escape(there)}/"))
    tab.click("#part-puzzles")
    expect(tab.locator(".choices li")).to_have_count(2)


def test_ratings_are_those_of_the_paper(opened: Opened) -> None:
    """The example of Glickman's paper, with its three games."""
    tab = opened()
    found = tab.evaluate(
        """async () => {
            const { rated } = await import("/static/glicko.js");
            const games = [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]];
            return rated({ rating: 1500, deviation: 200, volatility: 0.06 },
                games.map(([rating, deviation, score]) => ({ rating, deviation, score })));
        }"""
    )
    assert round(found["rating"], 2) == 1464.05
    assert round(found["deviation"], 2) == 151.52
    assert round(found["volatility"], 5) == 0.06


def test_a_game_is_reviewed(opened: Opened) -> None:
    """Its turns are gone through, each gets its value, and a reload keeps them."""
    tab = opened("review")
    tab.set_input_files("label:has-text('Open a record') input", EXAMPLES / "two-farms.jcz")
    tab.wait_for_selector("#foot :text('0 / 3')")
    tab.click("[aria-label='One turn on']")
    tab.wait_for_selector("#body h3:has-text('E@0,1r2')")
    tab.click("#foot button:has-text('Review')")
    tab.wait_for_selector("#foot .spin", state="detached", timeout=8 * PATIENCE)
    expect(tab.locator(".graph polyline")).to_have_attribute(
        "points", re.compile(r"(\S+,\S+ ?){3}")
    )
    expect(tab.locator("#body")).to_contain_text("lead at the end")
    tab.reload()
    tab.wait_for_selector(".graph")
    tab.click("#part-moves")
    expect(tab.locator("#body ul li")).to_have_count(2)
    assert serious(tab) == []


AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def serious(tab: Tab) -> list[str]:
    """Return what axe-core finds that is serious or critical."""
    tab.evaluate(AXE)
    found = tab.evaluate("axe.run().then((found) => JSON.stringify(found.violations))")
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in json.loads(found)
        if one["impact"] in {"serious", "critical"}
    ]


def chosen(tab: Tab, mode: str) -> None:
    """Open a way of working and choose a cell, so that there is much to be seen."""
    tab.click(f"#tab-{mode}")
    tab.click(cell(6, 7) if mode == "play" else cell(4, 6))
    tab.wait_for_selector(".turn" if mode == "play" else ".segments")


def test_nothing_keeps_people_out(opened: Opened) -> None:
    """Contrast, names, roles and the rest of what axe-core knows, light and dark."""
    tab = opened()
    for mode in ("play", "edit"):
        chosen(tab, mode)
        for theme in ("light", "dark"):
            tab.emulate_media(color_scheme=theme)
            expect(tab.locator("html")).to_have_attribute("data-theme", theme)
            assert serious(tab) == [], (mode, theme)


SIZES = ((360, 740), (768, 1024), (1440, 900))
"""A phone, a tablet and a desk."""


def test_one_screen_holds_board_task_and_answer(opened: Opened) -> None:
    """At three sizes nothing scrolls but parts of the panel, whatever is played or asked."""
    tab = opened()
    for shipped in ("falcon-01", "castle-04"):
        load(tab, find(shipped).text)
        for mode in ("edit", "train", "play"):
            tab.click(f"#tab-{mode}")
            for width, height in SIZES:
                tab.set_viewport_size({"width": width, "height": height})
                root = tab.evaluate(
                    "(({scrollWidth, scrollHeight}) => [scrollWidth, scrollHeight])"
                    "(document.documentElement)"
                )
                assert root == [width, height], (shipped, mode)
                for seen in (".viewport", "#head", "#body"):
                    expect(tab.locator(seen)).to_be_in_viewport(ratio=1)
    tab.click(cell(6, 7))
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        expect(tab.locator(".action .main")).to_be_in_viewport(ratio=1)


def test_a_finger_finds_cells_and_buttons(opened: Opened) -> None:
    """On a phone buttons are 44 px, a tap plays, and two fingers enlarge the board."""
    tab = opened(width=360, height=740, has_touch=True, is_mobile=True)
    for button in tab.locator("button:visible, nav a:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40, button.inner_text()
        assert max(box["width"], box["height"]) >= 44, button.inner_text()
    tab.tap(cell(6, 8))
    tab.wait_for_selector(".turn")
    frame = tab.locator(".frame")
    before = frame.bounding_box()
    assert before is not None
    fingers = tab.context.new_cdp_session(tab)
    for kind, apart in (("Start", 40), ("Move", 50), ("Move", 80), ("Move", 120), ("End", None)):
        points = (
            [] if apart is None else [{"x": 180 - apart, "y": 200}, {"x": 180 + apart, "y": 200}]
        )
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    after = frame.bounding_box()
    assert after is not None
    assert after["width"] > 1.5 * before["width"]
    tab.tap(".action .main")
    tab.wait_for_selector("text=Black lays C35")


def test_reload_and_back_lose_nothing(opened: Opened, page: Page) -> None:
    """The address holds the position; what is undone, reloaded or gone back to comes again."""
    tab = opened()
    start = tab.url
    tab.click(cell(6, 7))
    tab.click(".action .main")
    tab.wait_for_selector("text=Black lays C35")
    assert "/#/play/burgrave:1:castle:black:52-69:" in tab.url
    played = tab.url
    tab.reload()
    tab.wait_for_selector("text=Black lays C35")
    tab.go_back()
    tab.wait_for_selector("text=White lays C22")
    assert tab.url == start
    tab.go_forward()
    tab.wait_for_selector("text=Black lays C35")
    tab.click("#undo")
    tab.wait_for_selector("text=White lays C22")
    tab.goto(page.url)
    tab.wait_for_selector("text=White lays C22")
    tab.click("#redo")
    tab.wait_for_selector("text=Black lays C35")
    other = tab.context.browser
    assert other is not None
    elsewhere = other.new_context().new_page()
    elsewhere.goto(played)
    elsewhere.wait_for_selector("text=Black lays C35")
    elsewhere.context.close()
    tab.goto(f"{page.url}/#/play/burgrave:1:castle:white:0-0:0:nonsense")
    expect(tab.locator("#status")).to_contain_text("address holds no position")
    tab.wait_for_selector("text=Black lays C35")


@pytest.mark.skipif(not own_addresses(), reason="this machine is in no private network")
def test_the_printed_address_lets_in_a_phone_and_hides_the_token(browser: Browser) -> None:
    """The cookie comes with the first answer, a reload works, and a share shows the address."""
    process, url = shown_page("--lan", "--address", own_addresses()[0])
    said = []
    try:
        context = browser.new_context(viewport={"width": 360, "height": 740})
        tab = context.new_page()
        tab.on("console", lambda message: said.append(message.text))
        tab.on("pageerror", lambda error: said.append(str(error)))
        for _ in range(600):
            try:
                socket.create_connection(
                    (urlsplit(url).hostname, urlsplit(url).port), timeout=5
                ).close()
                break
            except OSError:
                time.sleep(0.05)
        tab.goto(url)
        tab.wait_for_selector(".spot.legal")
        assert "token" not in tab.url
        tab.reload()
        tab.wait_for_selector(".spot.legal")
        assert tab.evaluate("document.cookie") == ""
        tab.click("text=File")
        tab.click("text=Share the address")
        expect(tab.locator("#status")).to_contain_text("Copy this address: http://")
        context.close()
    finally:
        ended_page(process)
    assert said == []
