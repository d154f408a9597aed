"""Review, rules and the frame of the page in a real browser, as a person meets them."""

from __future__ import annotations

import json
import re
import socket
import time
from pathlib import Path
from random import Random
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect
from playwright.sync_api import Page as Tab

from burgrave.cli.beginnings import game_of as carcassonne
from burgrave.cli.beginnings import untouched
from burgrave.cli.render.rules import found_rules
from burgrave.cli.reviews import game_of
from burgrave.cli.serve.entrance import own_addresses
from burgrave.model.engine import legal_moves
from burgrave.model.files.lines import write_line
from burgrave.model.files.positions import read_record, write_position
from burgrave.model.notation import write_move
from burgrave.model.rules.index import RULES
from burgrave.puzzles.cards.deck import cards
from burgrave.puzzles.files.library import find
from burgrave.puzzles.games.levels import LEVELS
from burgrave.puzzles.games.matches import Match
from burgrave.solver.limits import NO_LIMIT
from tests.cli.serve.browsing import (
    PATIENCE,
    Opened,
    cell,
    enlarged,
    load,
    needs_browser,
    serious,
    to_lay,
)
from tests.cli.serve.conftest import LOOKS, ROOT, Page, ended_page, shown_page

EXAMPLES = ROOT / "docs" / "examples"
MISTAKES = ROOT / "tests" / "data" / "cli" / "mistake.toml"
"""The last three turns of a game. The first two are mistakes."""
REVIEWED = MISTAKES.with_name("mistake_review.json")
"""The turns of its review."""

pytestmark = [pytest.mark.slow, needs_browser]


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
    told = json.loads(REVIEWED.read_text(encoding="utf-8"))
    kept = json.dumps({"text": MISTAKES.read_text(encoding="utf-8"), "reviewed": told[:2]})
    tab.evaluate("(kept) => localStorage.setItem('burgrave.review', kept)", kept)
    tab.reload()
    tab.click("#foot button:has-text('Go on')")  # with the last turn
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
    played = game_of(str(MISTAKES)).turns[0][1]
    assert played.cell is not None
    tab.click(cell(*played.cell))
    tab.click("#foot button:has-text('Try this move')")
    tab.wait_for_selector(".verdict.bad:has-text('there is better')")
    tab.click("button:has-text('Show the better move')")
    expect(tab.locator("#body")).to_contain_text("Better: Red lays")
    expect(tab.locator("#body p .notation").last).to_have_text(told[0]["best"])
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
        tab.dblclick(".typed button:has-text('Play')")  # which is one move

    lay(write_move(position, move))
    expect(tab.locator(".played .said")).to_have_count(2)
    match = Match.begun(position, 1).played(move)[0]
    match = match.played(match.reply(LEVELS[1], NO_LIMIT).move)[0]
    tab.click("#undo")  # two turns back: to that of the person
    tab.wait_for_selector(to_lay("Red", "T"))
    tab.click("#redo")
    tab.click("button:has-text('Let Blue move')")
    tab.wait_for_selector(to_lay("Red", "L"))
    lay(next(write_move(match.now, one) for one in legal_moves(match.now)))
    tab.click("button:has-text('To the result')")
    tab.wait_for_selector(".won")
    assert serious(tab) == []
    with tab.expect_download() as download:
        tab.click("button:has-text('Save the record')")
    assert len(read_record("game", download.value.path().read_text("utf-8")).moves) == 3
    with tab.expect_download() as download:
        tab.click("button:has-text('Save its picture')")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    tab.reload()
    tab.click("button:has-text('Review this game')")
    tab.wait_for_selector("#foot .spin")
    tab.click("#foot button:has-text('Cancel')")
    expect(tab.locator("#foot")).to_contain_text("/ 3")


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


CUT_NAMES = """[...document.querySelectorAll(".strip .name")].some((name) =>
  getComputedStyle(name).clipPath === "none" && name.scrollWidth > name.clientWidth)"""
"""Whether the name of a player is seen in part."""
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
                assert not tab.evaluate(CUT_NAMES), (shipped, mode)
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
    tab.wait_for_selector(to_lay("Black", "K04"))


def test_taps_hit_the_follower_that_is_meant(opened: Opened, page: Page) -> None:
    """On a phone a board of 25 tiles is enlarged, and taps scattered by 5 px hit 11 of 12."""
    match = Match.begun(untouched(carcassonne("carcassonne", 2))[1], 4)
    while len(match.now.tiles) < 25:
        match, _ = match.played(match.reply(LEVELS[2], NO_LIMIT).move)
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
    tab.wait_for_selector(to_lay("Black", "K04"))
    tab.wait_for_url(re.compile("/#/play/burgrave:1:castle:black:74-71:"))
    played = tab.url
    tab.reload()
    tab.wait_for_selector(to_lay("Black", "K04"))
    tab.go_back()
    tab.wait_for_selector(to_lay("White", "K35"))
    tab.wait_for_url(start)
    tab.go_forward()
    tab.wait_for_selector(to_lay("Black", "K04"))
    tab.click("#undo")
    tab.wait_for_selector(to_lay("White", "K35"))
    tab.goto(page.url)  # the first screen, with the table beside it
    assert serious(tab) == []
    tab.click("#tab-play")
    tab.wait_for_selector(to_lay("White", "K35"))
    tab.click("#redo")
    tab.wait_for_selector(to_lay("Black", "K04"))
    other = tab.context.browser
    assert other is not None
    elsewhere = other.new_context().new_page()
    elsewhere.set_default_timeout(PATIENCE)
    elsewhere.goto(played)
    elsewhere.wait_for_selector(to_lay("Black", "K04"))
    elsewhere.context.close()
    tab.goto(f"{page.url}/#/play/burgrave:1:castle:white:0-0:0:nonsense")
    expect(tab.locator("#status")).to_contain_text("address holds no position")
    tab.wait_for_selector(to_lay("Black", "K04"))
    # Who clicks before the page has begun is not taken back to the first screen.
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    tab.route("**/api/start", hold)
    tab.goto(f"{page.url}/?")
    tab.click(".way:has-text('Play')")
    late[0].continue_()
    tab.wait_for_selector(".spot.legal")
    expect(tab).to_have_url(re.compile("#/play"))
    expect(tab.locator(".seat").first).to_be_visible()


def test_a_broken_rule_leads_to_its_text_and_a_case_to_the_board(
    opened: Opened, page: Page
) -> None:
    """Words find a rule, its case is tried in two taps, and the verdict links to the rule."""
    tab = opened(width=360, height=740, has_touch=True, is_mobile=True)
    tab.tap("#tab-rules")
    tab.fill("#rule-words", "feature already holds")
    tab.tap(".entry:has-text('castle.follower.free')")
    tab.wait_for_selector(".rule-detail h2:has-text('No follower is placed on a feature')")
    link = tab.locator(".case .findings a.rule").first
    expect(link).to_have_attribute("title", "castle.follower.free")
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
    link = tab.locator(".denial a.rule[title='castle.follower.free']")
    box = link.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    expect(tab.locator(cell(2, 0))).to_have_class(re.compile("wrong"))
    link.tap()
    tab.wait_for_selector(".rule-detail h2:has-text('No follower is placed on a feature')")
    tab.go_back()
    tab.wait_for_selector(".spot.legal")
    # A point that is open is answered where its rule is read, and holds for the board at hand.
    tab.goto(f"{page.url}/#/rules/castle.return")
    asked = tab.locator(".question[data-switch='return_on_tie']")
    asked.locator("button:has-text('stay on the board')").tap()
    expect(asked.locator("[aria-pressed=true]")).to_contain_text("stay on the board")
    expect(tab.locator("#status")).to_contain_text("played by this answer")
    assert serious(tab) == []
    # A question leads to a board with its move on trial, of another game here.
    tab.tap("#part-rules")
    words = "can I place a follower on a completed city"
    tab.fill("#rule-words", words)
    found = [rule.id for rule in found_rules(words, RULES, cards())[0]]
    expect(tab.locator(".entry code")).to_have_text(found)
    tab.tap("button:has-text('Is this allowed?')")
    tab.wait_for_selector(".place .turns-of, .place .denial", state="attached")
    tab.goto(f"{page.url}/#/rules/carcassonne.follower.free")  # its case has no tower pieces
    expect(tab.locator(".case .strip .card")).to_have_count(2)


@pytest.mark.skipif(not own_addresses(), reason="this machine is in no private network")
def test_the_printed_address_lets_in_a_phone_and_hides_the_token(
    browser: Browser, tmp_path: Path
) -> None:
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
        tab.click("#tab-train")
        tab.click("#part-puzzles")
        file = tmp_path / "own.toml"
        file.write_text(find("six-points-or-seven").text, encoding="utf-8")
        tab.set_input_files("label:has-text('file of puzzles') input", file)
        tab.wait_for_url(re.compile("#/train/[0-9a-f]{12}/six-points-or-seven"))
        tab.click("#part-puzzles")
        tab.click("button:has-text('Copy the link')")
        expect(tab.locator(".part")).to_contain_text("/#/train/packed:")
        context.close()
    finally:
        ended_page(process)
    assert said == []
