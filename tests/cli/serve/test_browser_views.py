"""Trainer, review, rules and the frame of the page in a real browser, as a person meets them."""

from __future__ import annotations

import json
import re
import socket
import time
from importlib import resources
from pathlib import Path
from random import Random
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from burgrave.cli.beginnings import game_of as carcassonne
from burgrave.cli.beginnings import untouched
from burgrave.cli.render.rules import found_rules
from burgrave.cli.reviews import game_of
from burgrave.cli.serve.entrance import own_addresses
from burgrave.cli.serve.static import modules
from burgrave.model.draws import as_seen
from burgrave.model.engine import legal_moves
from burgrave.model.files.lines import write_line
from burgrave.model.files.positions import read_record, write_position
from burgrave.model.notation import write_move
from burgrave.model.rules.index import RULES
from burgrave.puzzles.cards.deck import cards
from burgrave.puzzles.files.library import find, puzzle
from burgrave.puzzles.files.puzzle_files import puzzle_data
from burgrave.puzzles.games.levels import LEVELS
from burgrave.puzzles.games.matches import Match
from burgrave.puzzles.words import tutor
from burgrave.solver.limits import NO_LIMIT
from burgrave.solver.questions import evaluate
from tests.cli.conftest import Burgrave
from tests.cli.serve.browsing import PATIENCE, Opened, cell, enlarged, load, needs_browser
from tests.cli.serve.conftest import LOOKS, ROOT, Page, ended_page, shown_page

EXAMPLES = ROOT / "docs" / "examples"
MISTAKES = ROOT / "tests" / "data" / "cli" / "mistake.toml"
"""The last three turns of a game. The first two are mistakes."""

pytestmark = [pytest.mark.slow, needs_browser]


def test_a_puzzle_is_tried_and_solved(opened: Opened) -> None:
    """A weaker move is told what it loses, hints help, a right move is played to the end."""
    tab = opened("train")
    asked = puzzle(find("six-points-or-seven"))
    tab.wait_for_selector(".asked:has-text('legal?')")  # beginners are asked something simple
    tab.click("#part-puzzles")
    tab.click(f".choices button:has-text('{asked.title}')")
    tab.wait_for_selector(f".asked:has-text('{asked.words}')")
    tab.wait_for_selector(".place:has-text('Choose a lit cell')")
    tab.click(cell(6, 9))
    tab.press(".place .chip:has-text('No follower')", "Enter")
    expect(tab.locator(".place .chip:has-text('No follower')")).to_be_focused()  # though drawn anew
    assert tab.locator(".place .gain").count() == 0
    tab.press("button:has-text('This is my move')", "Enter")
    expect(tab.locator("#body")).to_be_focused()
    tab.wait_for_selector(".verdict.bad")
    expect(tab.locator(".feedback")).to_contain_text("It loses 3")
    expect(tab.locator(".feedback")).to_contain_text("Rating \N{MINUS SIGN}")
    # Until the line was played, what is told of it moves the buttons below.
    expect(tab.locator(".feedback")).to_contain_text("Final scoring")
    tab.click("button:has-text('Hint')")
    expect(tab.locator(".hints li")).to_have_text([tutor.hints(asked)[0]])
    tab.click("button:has-text('Try again')")
    tab.wait_for_selector(".place:has-text('Choose a lit cell')")
    tab.click("summary:has-text('Write the answer')")
    tab.fill(".row-form input", "K14 6,9 r0 merchant N")
    tab.click("button:has-text('Answer')")
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
    assert kept["puzzles"]["library/six-points-or-seven"]["solved"]
    assert kept["player"]["rating"] < 1200


def tried(tab: Tab, move: str, follower: str) -> None:
    """Lay a tile with a follower, and say that this is the move."""
    place, _, _ = move.partition(" ")
    x, y, _ = map(int, re.findall(r"-?\d+", place.partition("@")[2]))
    tab.wait_for_selector(".place:has-text('Choose a lit cell')")
    tab.click(cell(x, y))
    while (shown := tab.inner_text(".place h3 .notation")) != place:  # the next rotation that fits
        tab.click(".action [aria-label='Turn the tile']")
        expect(tab.locator(".place h3 .notation")).not_to_have_text(shown)
    tab.click(f".place .chip:has-text('{follower}')")
    tab.click("button:has-text('This is my move')")


def test_a_published_puzzle_is_played_from_a_disk(
    opened: Opened, burgrave: Burgrave, few_cards: None, tmp_path: Path
) -> None:
    """A wrong move is refuted, a right one answered by the opponent; the rules are there."""
    asked = puzzle(find("round-the-corner"))
    assert burgrave("publish", str(tmp_path / "site"), asked.id).code == 0
    start = (tmp_path / "site").as_uri()
    tab = opened(url=f"{start}/index.html")
    assert tab.locator("#views a").all_inner_texts() == ["Trainer", "Rules"]
    wrong = next(one for one in asked.refutations if len(one.move.split()) == 1)
    tried(tab, wrong.move, "No follower")
    tab.wait_for_selector(".verdict.bad")
    expect(tab.locator(".steps .line li")).to_have_count(len(wrong.line))
    tab.click("button:has-text('Try again')")
    told = json.loads(
        (tmp_path / "site/data/puzzle-1.js").read_text("utf-8").partition(",")[2][:-3]
    )
    other, reply = next(
        (move, told["reply"]["move"])
        for move, told in told["stops"][0]["answers"].items()
        if told.get("reply") and move.count(" ") == 0
    )
    tried(tab, other, "No follower")
    tab.wait_for_selector(f".feedback:has-text('replies {reply}')")
    place = reply.split()[0].partition("@")[2]
    shown = tab.locator(f'.spot.last[data-cell="{place.partition("r")[0]}"]')
    expect(shown.locator(".shade")).to_have_class(re.compile(rf"\br{place[-1]}\b"))
    expect(shown.locator(".stand")).to_have_count(reply.count(" "))
    expect(tab.locator(".grid .shade")).to_have_count(2)
    first, reply, second, _ = asked.answer.line
    tab.click("button:has-text('Try again')")
    tried(tab, first, first.split()[1].replace(".", " "))
    tab.wait_for_selector(f".feedback:has-text('replies {reply}')")
    tab.reload()
    tab.wait_for_selector(".asked:has-text('to move again')")
    tried(tab, second, second.split()[1].replace(".", " "))
    tab.wait_for_selector(".steps:has-text('best play to the end')")
    expect(tab.locator(".solution")).to_contain_text(asked.explanation.partition(".")[0])
    tab.click(f".solution button:has-text('Not {wrong.move}')")
    shown_line = tab.locator(".solution li .line li").all_inner_texts()
    assert [one.partition(": ")[2] for one in shown_line] == list(wrong.line)
    expect(tab.locator(".sheet .badge")).to_have_count(len(wrong.line))
    tab.goto(f"{start}/index.html#/rules/castle.follower.free")
    expect(tab.locator(".rule-detail .example svg")).to_have_count(2)
    for words in ("fountain", "castle.place", "ca-17", "a meeple on a finished town?"):
        wanted, _ = found_rules(words, RULES, cards())
        tab.fill("#rule-words", words)
        expect(tab.locator(".entry code")).to_have_text([rule.id for rule in wanted])
    assert tab.locator("button:has-text('Try it on the board')").count() == 0
    urls = tab.evaluate("[...document.scripts, ...document.images].map((one) => one.src)")
    assert len(urls) >= 5  # the page, the set, a puzzle, its tiles, the rules
    assert all(url.startswith(start) for url in urls)


def test_own_puzzles_are_a_set_with_a_link(opened: Opened, page: Page, tmp_path: Path) -> None:
    """A file of the generator opens, and its address brings it back."""
    tab = opened("train")
    file = tmp_path / "class.jsonl"
    names = ("tower-and-path-in-one-move", "a-house-at-the-end-of-the-path")
    lines = [f"{json.dumps(puzzle_data(puzzle(find(name))))}\n" for name in names]
    file.write_text("".join(lines), encoding="utf-8")
    tab.wait_for_selector(".asked")
    tab.click("#part-puzzles")
    tab.set_input_files("label:has-text('file of puzzles') input", file)
    tab.wait_for_url(re.compile(r"#/train/[0-9a-f]{12}/a-house-at-the-end-of-the-path"))
    there = tab.url.rpartition("/")[0]
    tab.goto(f"{page.url}/#/train/daily")
    tab.wait_for_selector("h2:has-text('puzzle of 20')")
    tab.goto(there)
    tab.wait_for_url(re.compile(rf"{re.escape(there)}/"))
    tab.click("#part-puzzles")
    expect(tab.locator(".choices li")).to_have_count(2)
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.click("button:has-text('Copy the link')")
    expect(tab.locator(".part")).to_contain_text("The link is in the clipboard")
    link = tab.evaluate("navigator.clipboard.readText()")
    assert "/#/train/packed:" in link
    assert len(link) < 8100
    tab.evaluate("localStorage.clear()")  # as in the browser of somebody else
    tab.goto(f"{page.url}/#/train/daily")
    tab.wait_for_selector("h2:has-text('puzzle of 20')")
    tab.goto(link)
    tab.wait_for_url(re.compile(rf"{re.escape(there)}/"))


def test_ratings_are_those_of_the_paper(opened: Opened) -> None:
    """The example of Glickman's paper, with its three games, by the library that the page uses."""
    tab = opened()
    found = tab.evaluate(
        "() => { const module = {};"
        + modules()["glicko2-lite.js"]
        + "return rate(1500, 200, 0.06, [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]]); }"
    )
    assert round(found["rating"], 2) == 1464.05
    assert round(found["rd"], 2) == 151.52
    assert round(found["vol"], 5) == 0.06


def test_a_game_is_reviewed_and_its_mistakes_are_tried_again(opened: Opened) -> None:
    """A slider goes through the turns, which get their values; a better move is asked for."""
    tab = opened("edit")
    tab.click("#part-file")
    refused: list[str] = []
    tab.on("console", lambda message: refused.append(message.text))
    tab.set_input_files("label:has-text('Open a file') input", EXAMPLES / "two-farms.jcz")
    tab.wait_for_selector("#foot :text('0 / 3')")
    assert refused == []
    tab.focus(".slider")
    tab.keyboard.press("ArrowRight")
    tab.wait_for_selector("#body :text('E@0,1r2')")
    tab.click("button:has-text('Ask about this position')")
    expect(tab).to_have_title(re.compile("after turn 1"))
    tab.go_back()
    tab.click("#part-open")
    tab.set_input_files("label:has-text('Open a record') input", MISTAKES)
    tab.wait_for_selector("#foot :text('0 / 3')")
    tab.click("#foot button:has-text('Review')")
    tab.wait_for_selector("#foot .spin", state="detached", timeout=8 * PATIENCE)
    tab.click("#part-turn")
    tab.click("[aria-label='One turn on']")
    expect(tab.locator(".graph polyline")).to_have_attribute(
        "points", re.compile(r"(\S+,\S+ ?){3}"), timeout=8 * PATIENCE
    )
    expect(tab.locator("#body")).to_contain_text("lead at the end")
    tab.reload()
    tab.wait_for_selector(".graph")
    tab.click("#part-moves")
    expect(tab.locator("#body ul li")).to_have_count(2)
    assert serious(tab) == []
    tab.click("button:has-text('Walk through mistakes')")
    tab.wait_for_selector("h3:has-text('Mistake 1 of 2: turn 1')")
    position, played = game_of(str(MISTAKES)).turns[0]
    assert played.cell is not None
    tab.click(cell(*played.cell))
    tab.click("#foot button:has-text('Try this move')")
    tab.wait_for_selector(".verdict.bad:has-text('there is better')")
    tab.click("button:has-text('Show the better move')")
    found = evaluate(as_seen(position))
    better = write_move(position, found.moves[0].move)
    expect(tab.locator("#body")).to_contain_text(f"Better: {better}")
    assert serious(tab) == []
    tab.click("button:has-text('Next mistake')")
    tab.wait_for_selector("h3:has-text('Mistake 2 of 2')")
    tab.click("#foot button:has-text('End')")
    tab.wait_for_selector("#foot :text('1 / 3')")
    tab.click("#part-moves")
    tab.click("button:has-text('Make puzzles of them')")
    tab.wait_for_url(re.compile(r"#/train/[0-9a-f]{12}/game-turn-1"), timeout=8 * PATIENCE)


def test_a_game_is_played_to_its_end_and_reviewed(opened: Opened) -> None:
    """A level answers each turn, nobody sees what comes, the end is scored, and a review begins."""
    tab = opened()
    position, move = game_of(str(MISTAKES)).turns[0]
    load(tab, write_position(position))
    tab.click("#part-game")
    for seat, level in enumerate(("0", "1")):
        tab.select_option(f".seat >> nth={seat} >> select", level)
    tab.click("button:has-text('Play on from here')")
    expect(tab.locator(".queue .small")).to_have_count(0)  # though the file names the order
    expect(tab.locator(".queue")).to_contain_text("2 in the bag")

    def lay(text: str) -> None:
        tab.eval_on_selector(".typed", "(one) => { one.open = true; }")
        tab.fill("label:has-text('Move in notation') input", text)
        tab.click(".typed button:has-text('Play')")

    lay(write_move(position, move))
    expect(tab.locator(".played .said")).to_have_count(2)
    match = Match.begun(position, 1).played(move)[0]
    match = match.played(match.reply(LEVELS[1], NO_LIMIT))[0]
    tab.click("#undo")  # two turns back: to that of the person
    expect(tab.locator(".hand strong")).to_have_text("Red lays T")
    tab.click("#redo")
    tab.click("button:has-text('Let Blue move')")
    expect(tab.locator(".hand strong")).to_have_text("Red lays L")
    lay(next(write_move(match.now, one) for one in legal_moves(match.now)))
    tab.click("button:has-text('To the result')")
    tab.wait_for_selector(".won")
    assert serious(tab) == []
    with tab.expect_download() as download:
        tab.click("button:has-text('Save the record')")
    assert len(read_record("game", download.value.path().read_text("utf-8")).moves) == 3
    tab.reload()
    tab.click("button:has-text('Review this game')")
    tab.wait_for_selector("#foot .spin")
    tab.click("#foot button:has-text('Cancel')")
    expect(tab.locator("#foot")).to_contain_text("/ 3")


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
    tab.click(cell(6, 7) if mode == "play" else cell(4, 3))
    tab.wait_for_selector(".place .chips" if mode == "play" else ".now .what")


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
    tab.click(cell(4, 4))
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        expect(tab.locator(".action .main")).to_be_in_viewport(ratio=1)
    tab.set_viewport_size({"width": 360, "height": 740})
    tab.click("[title='Whole board']")
    whole = tab.evaluate(
        "['.spot', '.frame', '.zoom', '.tools'].map((one) => document.querySelector(one)"
        ".getBoundingClientRect().toJSON())"
    )
    assert whole[0]["width"] >= 23.9  # of a cell, where the whole castle is seen
    assert whole[1]["width"] * whole[1]["height"] > 0.3 * 360 * 740
    assert whole[2]["right"] <= whole[1]["left"] < whole[1]["right"] <= whole[3]["left"]
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.emulate_media(media="print")
    board, told = tab.locator("div.sheet").bounding_box(), tab.locator("#body").bounding_box()
    assert board is not None
    assert told is not None
    assert 0 < board["height"] < told["y"] < told["y"] + told["height"]
    assert not tab.locator(".tabs, .action .main, .zoom").filter(visible=True).count()
    tab.emulate_media(media="screen")
    tab.click("#tab-review")  # where no game is open
    expect(tab.locator(".sheet svg")).to_have_count(0)
    tab.click("#tab-play")
    tab.wait_for_selector(".sheet svg")
    assert not tab.locator(".score.counting").count()  # nobody won points on the way


def test_a_finger_finds_cells_and_buttons(opened: Opened) -> None:
    """On a phone buttons are 44 px, a tap plays, and two fingers enlarge the board."""
    tab = opened(width=360, height=740, has_touch=True, is_mobile=True)
    for button in tab.locator("button:visible, nav a:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40, button.inner_text()
        assert max(box["width"], box["height"]) >= 44, button.inner_text()
    tab.tap(cell(4, 4))
    tab.wait_for_selector(".stand")
    glass = tab.context.new_cdp_session(tab)

    def spread() -> None:
        for kind, *apart in (("Start", 40), ("Move", 50), ("Move", 80), ("Move", 120), ("End",)):
            points = [{"x": 180 + side * one, "y": 200} for one in apart for side in (-1, 1)]
            glass.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    enlarged(tab, spread)
    tab.tap(".action .main")
    tab.wait_for_selector("text=Black lays K04")


def test_taps_hit_the_follower_that_is_meant(opened: Opened, page: Page) -> None:
    """On a phone a board of 25 tiles is enlarged, and taps scattered by 5 px hit 11 of 12."""
    match = Match.begun(untouched(carcassonne("carcassonne", 2))[1], 4)
    while len(match.now.tiles) < 25:
        match, _ = match.played(match.reply(LEVELS[1], NO_LIMIT))
    url = f"{page.url}/#/play/{quote(write_line(match.seen))}"
    tab = opened(url=url, width=360, height=740, has_touch=True, is_mobile=True)
    chance, meant, hit = Random(1), 0, 0
    for place in range(3):
        tab.tap("[title='Whole board']")
        tab.tap(f".spot.legal >> nth={place}")
        tab.wait_for_selector(".stand.follower")
        for number in range(min(4, tab.locator(".stand.follower").count())):
            box = tab.locator(".stand.follower").nth(number).bounding_box()
            assert box is not None
            aim = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            tab.touchscreen.tap(*(way + chance.uniform(-5, 5) for way in aim))
            shown = tab.locator(".stand.follower").nth(number).get_attribute("class") or ""
            meant, hit = meant + 1, hit + ("picked" in shown)
        tab.tap("[aria-label^='Take the tile back']")
    assert meant >= 6
    assert hit >= meant * 11 / 12


def test_reload_and_back_lose_nothing(opened: Opened, page: Page) -> None:
    """The address holds the position; what is undone, reloaded or gone back to comes again."""
    tab = opened()
    start = tab.url
    tab.click(cell(4, 4))
    tab.click(".action .main")
    tab.wait_for_selector("text=Black lays K04")
    tab.wait_for_url(re.compile("/#/play/burgrave:1:castle:black:74-71:"))
    played = tab.url
    tab.reload()
    tab.wait_for_selector("text=Black lays K04")
    tab.go_back()
    tab.wait_for_selector("text=White lays K35")
    tab.wait_for_url(start)
    tab.go_forward()
    tab.wait_for_selector("text=Black lays K04")
    tab.click("#undo")
    tab.wait_for_selector("text=White lays K35")
    tab.goto(page.url)  # the first screen, with the table beside it
    assert serious(tab) == []
    tab.click("#tab-play")
    tab.wait_for_selector("text=White lays K35")
    tab.click("#redo")
    tab.wait_for_selector("text=Black lays K04")
    other = tab.context.browser
    assert other is not None
    elsewhere = other.new_context().new_page()
    elsewhere.set_default_timeout(PATIENCE)
    elsewhere.goto(played)
    elsewhere.wait_for_selector("text=Black lays K04")
    elsewhere.context.close()
    tab.goto(f"{page.url}/#/play/burgrave:1:castle:white:0-0:0:nonsense")
    expect(tab.locator("#status")).to_contain_text("address holds no position")
    tab.wait_for_selector("text=Black lays K04")


def test_a_broken_rule_leads_to_its_text_and_a_case_to_the_board(opened: Opened) -> None:
    """Words find a rule, its case is tried in two taps, and the verdict links to the rule."""
    tab = opened(width=360, height=740, has_touch=True, is_mobile=True)
    tab.tap("#tab-rules")
    tab.fill("#rule-words", "feature already holds")
    tab.tap(".entry:has-text('castle.follower.free')")
    tab.wait_for_selector(".rule-detail h2:has-text('No follower is placed on a feature')")
    expect(tab.locator(".case .findings a.rule").first).to_have_text("castle.follower.free")
    expect(tab.locator(cell(2, 10))).to_have_class(re.compile("wrong"))
    for width, height in SIZES:
        tab.set_viewport_size({"width": width, "height": height})
        for seen in (".viewport", "#head", "#body", "#foot .main"):
            expect(tab.locator(seen)).to_be_in_viewport(ratio=1)
    tab.set_viewport_size({"width": 360, "height": 740})
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        assert serious(tab) == []
    tab.tap(".example >> nth=0")
    expect(tab.locator(".case .findings.wrong")).to_have_count(0)
    tab.tap(".example >> nth=1")
    tab.tap("#foot .main")
    tab.wait_for_selector(".spot.legal")
    tab.wait_for_url(re.compile("/#/play"))
    tab.tap(cell(2, 10))
    tab.tap(".denied:has-text('squire')")
    link = tab.locator(".denial a.rule:has-text('castle.follower.free')")
    box = link.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    expect(tab.locator(cell(2, 0))).to_have_class(re.compile("wrong"))
    link.tap()
    tab.wait_for_selector(".rule-detail h2:has-text('No follower is placed on a feature')")
    tab.go_back()
    tab.wait_for_selector(".spot.legal")


@pytest.mark.skipif(not own_addresses(), reason="this machine is in no private network")
def test_the_printed_address_lets_in_a_phone_and_hides_the_token(browser: Browser) -> None:
    """The cookie comes with the first answer, a reload works, and a share shows the address."""
    process, url = shown_page("--lan", "--address", own_addresses()[0])
    said = []
    try:
        context = browser.new_context(viewport={"width": 360, "height": 740})
        tab = context.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.on("console", lambda message: said.append(message.text))
        tab.on("pageerror", lambda error: said.append(str(error)))
        for _ in range(LOOKS):
            try:
                socket.create_connection(
                    (urlsplit(url).hostname, urlsplit(url).port), timeout=5
                ).close()
                break
            except OSError:
                time.sleep(0.05)
        tab.goto(url)
        tab.click("#tab-play")
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
