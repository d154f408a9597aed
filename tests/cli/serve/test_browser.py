"""The page in a real browser, as somebody works with it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, expect, sync_playwright
from playwright.sync_api import Page as Tab

from puzzles.library import find, position
from solver.questions import forced
from tests.cli.serve.conftest import Page

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
FIRST_VIEW = 300_000
"""Bytes that the first view may have."""

pytestmark = pytest.mark.skipif(
    not CHROMIUM.exists(), reason="no /usr/bin/chromium; .ci/run installs it"
)
Opened = Callable[..., Tab]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the browser once."""
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser, page: Page) -> Iterator[Opened]:
    """Open the page; anything that its console says fails the test."""
    contexts, said = [], []

    def hear(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            said.append(message.text)

    def one(mode: str = "ask", width: int = 1200, height: int = 900) -> Tab:
        context = browser.new_context(viewport={"width": width, "height": height})
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(15_000)
        tab.on("console", hear)
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.goto(page.url)
        tab.wait_for_selector(".spot.legal")
        if mode != "ask":
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
    """Put a position on the board, as opening a file does."""
    tab.evaluate(
        "async (text) => { const { post } = await import('/static/api.js');"
        " const { position } = await post('/api/read', { text });"
        " await window.burgrave.modes.ask.session.set(position); }",
        text,
    )


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
    tab.click("button:has-text('Play') >> nth=0")
    tab.wait_for_selector("text=Black lays C35")
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
    answer = forced(at_hand)
    tab.select_option("label:has-text('Question') select", "force")
    tab.click(".asking button.main")
    tab.wait_for_selector(".answer h3.good")
    assert f"{answer.value} points of lead" in tab.inner_text(".answer h3")
    assert tab.locator(".answer .moves > li").count() == len(answer.first)
    assert tab.locator(".answer .line > li").count() == len(answer.line)
    laid = tab.locator(".sheet .cell[data-tile]")
    before = laid.count()
    for _ in answer.line:
        tab.click("[aria-label='One turn on']")
    expect(laid).to_have_count(before + len(answer.line))


def test_a_cancelled_question_ends_its_process(opened: Opened, page: Page) -> None:
    """Cancel stops the work at once, and another question is answered."""
    tab = opened()
    load(tab, page.post("/api/write", {"position": page.new("castle", seed=4)}).data["text"])
    tab.wait_for_selector("h2:has-text('shuffled by 4')")
    tab.select_option("label:has-text('Question') select", "max")
    tab.select_option("label:has-text('Time limit') select", "300")
    tab.click(".asking button.main")
    for _ in range(100):
        if page.solves():
            break
        time.sleep(0.05)
    assert page.solves()
    tab.click("button:has-text('Cancel')")
    tab.wait_for_selector(".answer:has-text('cancelled')")
    assert not page.solves()


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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_keeps_people_out(opened: Opened, theme: str) -> None:
    """Contrast, names, roles and the rest of what axe-core knows."""
    tab = opened()
    tab.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    tab.click(cell(6, 7))
    tab.wait_for_selector(".turn")
    assert serious(tab) == []


@pytest.mark.parametrize("width", [390, 900, 1600])
def test_nothing_runs_over_the_edge(opened: Opened, width: int) -> None:
    """From phone to large screen the page is as wide as the window."""
    tab = opened(width=width)
    tab.click(cell(6, 7))
    tab.wait_for_selector(".turn")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
