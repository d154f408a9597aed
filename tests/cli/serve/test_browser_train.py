"""Trainer and published copy in a real browser, as a person meets them."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from burgrave.cli.drawings import Drawing, drawing_named, link
from burgrave.cli.render.rules import found_rules
from burgrave.cli.serve.static import modules
from burgrave.model.rules.index import RULES
from burgrave.puzzles.cards.deck import cards
from burgrave.puzzles.files.adding import add
from burgrave.puzzles.files.library import find, puzzle
from burgrave.puzzles.files.puzzle_files import puzzle_data
from burgrave.puzzles.words import hints as telling
from tests.cli.conftest import Burgrave
from tests.cli.serve.browsing import Opened, cell, needs_browser, serious
from tests.cli.serve.conftest import ROOT, Page, shown_page

EXAMPLES = ROOT / "docs" / "examples"
SAMPLE = str(ROOT / "cli" / "serve" / "sample.toml")

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
    expect(tab.locator(".hints li")).to_have_text([telling.hints(asked)[0]])
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
    games = [str(EXAMPLES / "two-farms.jcz"), str(EXAMPLES / "two-ways.toml")]
    shown = [word for game in games for word in ("--show", game)]
    made = burgrave("publish", str(tmp_path / "site"), asked.id, *shown)
    assert (made.code, "index.html#/boards/two-farms" in made.out) == (0, True)
    start = (tmp_path / "site").as_uri()
    tab = opened(url=f"{start}/index.html")
    assert tab.locator("#views a").all_inner_texts() == ["Trainer", "Boards", "Rules"]
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
    expect(tab.locator(".feedback .notation")).to_have_text(reply)
    place = reply.split()[0].partition("@")[2]
    shown = tab.locator(f'.spot.last[data-cell="{place.partition("r")[0]}"]')
    expect(shown.locator(".shade")).to_have_class(re.compile(rf"\br{place[-1]}\b"))
    expect(shown.locator(".stand")).to_have_count(reply.count(" "))
    expect(tab.locator(".grid .shade")).to_have_count(2)
    first, reply, second, _ = asked.answer.line
    tab.click("button:has-text('Try again')")
    tried(tab, first, first.split()[1].replace(".", " "))
    expect(tab.locator(".feedback .notation")).to_have_text(reply)
    tab.reload()
    tab.wait_for_selector(".asked:has-text('to move again')")
    tried(tab, second, second.split()[1].replace(".", " "))
    tab.wait_for_selector(".steps:has-text('best play to the end')")
    expect(tab.locator(".solution")).to_contain_text(asked.explanation.partition(".")[0])
    tab.click(f".solution button:has(.notation:text-is('{wrong.move}'))")
    expect(tab.locator(".solution li .line li .notation")).to_have_text(list(wrong.line))
    expect(tab.locator(".sheet .badge")).to_have_count(len(wrong.line))
    tab.goto(f"{start}/index.html#/boards/two-ways")
    expect(tab.locator("#body .players li")).to_have_count(2)
    tab.click("#body a:not([aria-current])")
    expect(tab.locator(".steps .line li")).to_have_count(3)
    tab.click("[aria-label='One turn on']")
    expect(tab.locator(".spot.last")).to_have_count(1)
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


SHOWN = r"""() => [...document.querySelectorAll(".sheet .cell, .sheet .piece")].map((one) => {
  const { tile, cell, rotation } = one.dataset;
  if (tile) return [tile, ...cell.split(",").map(Number), Number(rotation)];
  const turns = one.querySelector("g").className.baseVal[1];
  return [...one.getAttribute("transform").match(/-?\d+/g), turns].map(Number);
})"""
"""The stamps on the board: those of tiles with their ids."""


def hostile(good: Drawing) -> Iterator[Drawing]:
    """Yield what no link of ours holds, each with one fault."""
    (name, x, y, turns), *_ = good["stamps"]
    for stamp in (
        ["X<b>", x, y, 0],
        [name, 10**9, y, 0],
        [name, 0.5, y, 0],
        [name, x, y, 4],
        [name],
    ):
        yield {**good, "stamps": [stamp]}
    yield {**good, "stamps": [[name, x, y, turns]] * 601}
    yield {**good, "stamps": []}
    yield {**good, "game": "__proto__"}
    yield {**good, "title": {"toString": 1}}
    yield {**good, "says": ["x" * 600]}
    yield {**good, "scores": [1]}
    yield {**good, "players": ["white", "white"]}
    yield {**good, "mover": -1}
    yield {**good, "end": {"scores": [0, 0], "events": [["x", 1e9]]}}
    yield {**good, "script": ""}
    yield {key: value for key, value in good.items() if key != "says"}
    step = {key: good[key] for key in ("scores", "mover")} | {"says": "", "notation": "", "on": []}
    yield {**good, "steps": [{**step, "events": [], "off": [len(good["stamps"])]}]}
    yield {**good, "x": "y" * 600_000}


def test_a_published_copy_opens_what_links_hold(
    opened: Opened, burgrave: Burgrave, few_cards: None, tmp_path: Path
) -> None:
    """A position, a game turn by turn, from a disk; hostile links are refused in a sentence."""
    assert burgrave("publish", str(tmp_path / "site"), "nothing-but-curves").code == 0
    start = f"{(tmp_path / 'site').as_uri()}/index.html"
    tab = opened(url=start, ready=".asked", width=390, color_scheme="dark")
    assert tab.locator("#views a").all_inner_texts() == ["Trainer", "Rules"]
    for name in ("falcon-game", "tower-game"):
        drawn = drawing_named(str(EXAMPLES / f"{name}.toml"))
        tab.goto(link(start, drawn))
        expect(tab.locator("h2")).to_have_text(drawn["title"])
        shown = tab.evaluate(SHOWN)
        tiles = {kind[0] for kind in shown if isinstance(kind[0], str)}
        wanted = [stamp if stamp[0] in tiles else stamp[1:] for stamp in drawn["stamps"]]
        assert sorted(map(str, shown)) == sorted(map(str, wanted))
    assert serious(tab) == []
    game = drawing_named(SAMPLE)
    tab.goto(link(start, game))
    expect(tab.locator(".steps .line li")).to_have_count(len(game["steps"]))
    tab.focus("[aria-label='One turn on']")
    tab.keyboard.press("n")
    expect(tab.locator("#status")).to_have_text(game["steps"][0]["says"])
    tab.click(f".steps .line li:nth-child({len(game['steps'])}) button")
    final = ", ".join(
        f"{name.capitalize()} {score}"
        for name, score in zip(game["players"], game["end"]["scores"], strict=True)
    )
    expect(tab.locator(".steps")).to_contain_text(final)
    expect(tab.locator(".sheet .cell")).to_have_count(len(game["steps"]) + 1)
    tab.go_back()
    expect(tab.locator("h2")).to_have_text(drawn["title"])
    told = "This link is cut off or damaged"
    whole = link("", drawn)
    for text in (
        whole[:-30],
        whole[:40] + "!",
        f"#/boards/packed:{'A' * 50_000}",
        *(link("", one) for one in hostile(drawn)),
    ):
        tab.evaluate("(hash) => { location.hash = hash; }", text)
        expect(tab.locator(".refused")).to_contain_text(told)
        tab.evaluate("document.querySelector('.refused').remove()")
    for other in ({"version": 2}, {"tiles": "00000000"}):
        tab.goto(link(start, {**drawn, **other}))
        expect(tab.locator(".refused")).to_contain_text("with other pictures")
    words = "<img src=x onerror=alert(1)>"
    tab.goto(link(start, {**drawn, "title": words, "says": [words], "players": [words, "a", "b"]}))
    expect(tab.locator("h2")).to_have_text(words)
    assert tab.locator("img").count() == 0


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
    with tab.expect_download() as download:  # an address of this machine leads nobody here
        tab.click("button:has-text('Save this set')")
    assert download.value.path().read_text("utf-8") == file.read_text("utf-8")
    squeeze = zlib.compressobj(wbits=-15)
    whole = json.dumps({"title": "class", "text": file.read_text("utf-8")}).encode()
    packed = urlsafe_b64encode(squeeze.compress(whole) + squeeze.flush()).decode().rstrip("=")
    link = f"{page.url}/#/train/packed:{packed}"
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


def test_a_dataset_is_filtered_by_the_server(opened: Opened, tmp_path: Path) -> None:
    """Filters and orders ask anew; an address opens a puzzle that the list does not show."""
    names = ("market-day", "eight-points-or-six", "whose-field-will-it-be")
    add(tmp_path / "many", [puzzle(find(name)) for name in names], lambda _: None)
    process, url = shown_page(str(tmp_path / "many"))
    try:
        tab = opened(url=url, ready=".asked")
        tab.click("#part-puzzles")
        expect(tab.locator(".choices li")).to_have_count(3)
        expect(tab.locator(".puzzles")).to_contain_text("Puzzles that fit: 3. Listed: 3.")
        tab.select_option("select:has([value='castle'])", "castle")
        expect(tab.locator(".choices li")).to_have_count(2)
        tab.select_option("select:has([value='best'])", "best")
        expect(tab.locator(".choices li")).to_have_count(1)
        expect(tab.locator(".puzzles")).to_contain_text("Puzzles that fit: 1. Listed: 1.")
        tab.select_option("select:has([value='hard'])", "hard")
        there = tab.url.rpartition("/")[0]
        tab.goto(f"{there}/whose-field-will-it-be")
        tab.wait_for_selector("h2:has-text('Whose field will it be?')")
        tab.goto(f"{there}/no-such-puzzle")
        expect(tab.locator("#status")).to_contain_text("no-such-puzzle")
        tab.close()  # which would ask on
    finally:
        process.terminate()
        process.communicate()
