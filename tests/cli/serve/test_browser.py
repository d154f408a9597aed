"""Playing and asking in a real browser, as a person does it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from burgrave.puzzles.files.library import find, position
from burgrave.solver.questions import forced
from tests.cli.serve.browsing import Opened, cell, load, needs_browser, to_lay
from tests.cli.serve.conftest import Page

DOM = Path(__file__).parents[3] / "cli" / "serve" / "client" / "dom.js"
FIRST_VIEW = 150_000
"""Bytes that the first view may have."""

pytestmark = [pytest.mark.slow, needs_browser]


def test_the_first_view_is_small(opened: Opened, page: Page) -> None:
    """What crosses the wire before the board is there, none of it from outside."""
    tab = opened(url=page.url, ready=".ways")
    urls = tab.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert all(url.startswith(page.url) for url in urls)
    size = tab.evaluate(
        "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
        ".reduce((sum, one) => sum + one.transferSize, 0)"
    )
    assert 0 < size < FIRST_VIEW


def test_the_focus_goes_to_no_other_button(opened: Opened) -> None:
    """What is drawn anew keeps it by its words, or by its place while nothing came or went."""
    tab, source = opened(), DOM.read_text("utf-8")
    steady = source[source.index("const FIELDS") : source.index("/** Let the browser save")]
    focused = (
        f"([before, now, at]) => {{ {steady.replace('export ', '')}"
        """
        const part = document.body.appendChild(document.createElement("div"));
        const draw = (names) => part.replaceChildren(...names.map(
            (name) => Object.assign(document.createElement("button"), { textContent: name })));
        draw(before);
        part.children[at].focus();
        steady(part, () => draw(now));
        return part.contains(document.activeElement) ? document.activeElement.textContent : "";
    }"""
    )
    for before, now, at, found in (
        (["Hint 0", "Next"], ["Hint 1", "Next"], 0, "Hint 1"),
        (["Hint 0", "Answer"], ["Answer", "Next", "Solution"], 1, "Answer"),
        (["Hint 0", "Answer"], ["Next", "Puzzle of the day", "Solution"], 1, ""),
        (["Try", "Try"], ["Try", "Try"], 1, "Try"),
    ):
        assert tab.evaluate(focused, [before, now, at]) == found, (before, now)


def test_a_place_tells_what_it_scores_and_a_turn_is_played(opened: Opened) -> None:
    """Resting on a lit cell tells, choosing it lists, playing goes on; undo goes back."""
    tab = opened()
    tab.hover(cell(4, 4))
    tab.wait_for_selector("#status:has-text('Up to')")
    tab.click(cell(4, 4))
    tab.wait_for_selector(".place .notation:has-text('K35@4,4r')")
    tab.click(".action button:has-text('Play')")
    tab.wait_for_selector(to_lay("Black", "K04"))
    expect(tab.locator(cell(4, 4))).to_have_class(re.compile("last"))
    tab.keyboard.press("Control+z")
    tab.wait_for_selector(to_lay("White", "K35"))


def test_keys_are_enough(opened: Opened) -> None:
    """A cell is reached by arrows, chosen by Enter, and the tile turned by R."""
    tab = opened()
    tab.focus(cell(4, 4))
    tab.keyboard.press("ArrowUp")
    assert tab.evaluate("document.activeElement.dataset.cell") == "4,5"
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".place .notation:has-text('K35@4,4r0')")
    tab.keyboard.press("r")
    tab.wait_for_selector(".place .notation:has-text('K35@4,4r1')")
    tab.keyboard.press("Escape")
    tab.wait_for_selector(".place:has-text('Choose a lit cell')")


def test_an_illegal_place_tells_every_rule(opened: Opened, page: Page) -> None:
    """The rules and their sources are those of the API."""
    tab = opened()
    tab.click(cell(0, 9))
    tab.wait_for_selector(".place .findings li")
    shown = tab.locator(".place .findings li").all_text_contents()
    move = tab.inner_text(".place h3 .notation")
    told = page.post("/api/judge", {"position": page.start(), "move": move}).data["violations"]
    assert told
    rules = [link.get_attribute("title") for link in tab.locator(".place .findings a").all()]
    assert rules == [one["rule"] for one in told]
    for one, text in zip(told, shown, strict=True):
        assert one["message"][1:] in text
        assert one["source"] in text


def test_a_question_gets_the_answer_of_the_solver(opened: Opened) -> None:
    """The value, the first moves and a line that can be stepped through."""
    tab = opened()
    at_hand = position(find("castle-04"))
    answer = forced(at_hand, every=True)
    tab.click("#part-ask")
    tab.select_option("label:has-text('Question') select", "force")
    tab.select_option("label:has-text('Time limit') select", "300")
    tab.check("label:has-text('value of each') input")
    tab.click("button.ask")
    tab.wait_for_selector(".answer h3.good")
    assert f"wins by {answer.value} points" in tab.inner_text(".answer h3")
    assert tab.locator(".answer .moves > li").count() == len(answer.first)
    worths = {str(one.move.cell): 0 for one in answer.first}
    expect(tab.locator(".worth")).to_have_count(len(worths))
    expect(tab.locator(f"{cell(3, 4)} .worth")).to_have_text(str(answer.value))
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
    tab.wait_for_selector(".hand strong:has-text('Red, if this is drawn'):has(:text-is('V'))")
    tab.click(".tocome .bar button")
    cells = page.post("/api/fits", {"position": keys}).data["cells"]
    expect(tab.locator(".worth")).to_have_count(len(cells))
    none = sum(not one["left"] for one in cells)
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


def test_an_estimate_grows_and_ends_when_it_is_enough(opened: Opened, page: Page) -> None:
    """The best move so far stands on the board with its lead; what was found is the answer."""
    tab = opened()
    keys = page.new("carcassonne", unknown=True)
    keys["bag"] = {"D": 2, "V": 4, "U": 4}
    load(tab, page.post("/api/write", {"position": keys}).data["text"])
    tab.click("#part-ask")
    expect(tab.locator("option:has-text('can be forced')")).to_be_disabled()
    expect(tab.locator(".asking")).to_contain_text("Not now: What can be forced to the end.")
    tab.select_option("label:has-text('Question') select", "evaluate")
    tab.select_option("label:has-text('Time limit') select", "300")
    tab.select_option("label:has-text('Playouts') select", "16000")
    tab.click("button.ask")
    expect(tab.locator(".answer .bound")).to_contain_text("games played")
    expect(tab.locator(".sheet .ghost, .sheet .move").first).to_be_attached()
    tab.click("button:has-text('Enough')")
    tab.wait_for_selector(".answer h3.bound:has-text('estimate')")
    assert not page.solves()


@pytest.mark.parametrize("fault", ["no server", "no JSON", "refused"])
def test_a_fault_is_told_in_words_and_the_question_asked_again(
    browser: Browser, page: Page, fault: str
) -> None:
    """Neither the browser's own words nor those of a parser are shown."""

    def answer(route: Route) -> None:
        if fault == "no server":
            route.abort()
        elif fault == "no JSON":
            route.fulfill(status=503, body="Service Unavailable")
        else:
            route.fulfill(status=503, json={"error": "ask again in a moment", "problems": []})

    tab = browser.new_page()
    tab.goto(f"{page.url}/#/play")
    tab.wait_for_selector(".spot.legal")
    tab.click("#part-ask")
    tab.route("**/api/jobs", answer)
    tab.click("button.ask")
    told = "ask again in a moment" if fault == "refused" else "The page's server does not answer."
    expect(tab.locator(".answer .refused")).to_contain_text(told)
    tab.unroute("**/api/jobs")
    tab.click("button.ask")
    tab.wait_for_selector(".answer h3.good")
    tab.close()
