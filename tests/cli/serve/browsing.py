"""What tests of the page in a browser share."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

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
PATIENCE = 240_000
"""Milliseconds in which a busy machine does what is waited for; solves are polite to all others."""
Opened = Callable[..., Tab]
"""The type of the fixture ``opened``."""

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")

needs_browser = pytest.mark.skipif(
    not CHROMIUM.exists(), reason="no /usr/bin/chromium; .ci/run installs it"
)


def until(tab: Tab, holds: Callable[[], bool]) -> None:
    """Wait until something holds that no selector tells."""
    for _ in range(PATIENCE // 50):
        if holds():
            return
        tab.wait_for_timeout(50)
    raise AssertionError("it does not come to hold")


def enlarged(tab: Tab, fingers: Callable[[], None]) -> None:
    """Let fingers enlarge the board."""

    def width() -> float:
        box = tab.locator(".frame").bounding_box()
        assert box is not None
        return box["width"]

    before = width()
    fingers()
    until(tab, lambda: width() > 1.5 * before)


def cell(x: int, y: int) -> str:
    """Return the selector of a cell."""
    return f'.spot[data-cell="{x},{y}"]'


def to_lay(player: str, tile: str) -> str:
    """Return the selector of the words that a player is to lay a tile."""
    return f".hand strong:has-text('{player} lays'):has(.notation:text-is('{tile}'))"


def load(tab: Tab, text: str) -> None:
    """Put a position on the board by pasting its file."""
    tab.click("#tab-play")
    tab.click("#part-file")
    tab.fill("label:has-text('Or paste') textarea", text)
    tab.click("button:has-text('Read the text')")
    tab.wait_for_selector(".file .good")
    tab.click("#part-turn")


def begin(tab: Tab, game: str, players: int | None = None) -> None:
    """Begin an empty board of a game in the editor."""
    tab.click("#part-file")
    tab.select_option(".fresh label:has-text('Game') select", game)
    tab.select_option(".fresh label:has-text('Tiles') select", "empty")
    if players:
        tab.select_option(".fresh label:has-text('Players') select", str(players))
    tab.click(".fresh button:has-text('Begin')")
    tab.wait_for_selector(f".kind[data-kind='{'K01' if game.startswith('castle') else 'X'}']")
    tab.click("#part-more")
    tab.click("button:has-text('Empty the bag')")  # which would count itself
    tab.click("summary:has-text('In words')")
    expect(tab.locator("label:has-text('Next tiles') input")).to_have_value("")
    tab.click("#part-board")


def saved(tab: Tab) -> str:
    """Return the file that saving brings."""
    tab.click("#part-file")
    with tab.expect_download() as download:
        tab.click("button:has-text('Save as TOML')")
    return download.value.path().read_text(encoding="utf-8")


def serious(tab: Tab) -> list[str]:
    """Return what axe-core finds that is serious or critical."""
    tab.evaluate(AXE)
    found = tab.evaluate(
        "axe.run({ preload: false }).then((found) => JSON.stringify(found.violations))"
    )
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:120] for node in one['nodes'][:3]]}"
        for one in json.loads(found)
        if one["impact"] in {"serious", "critical"}
    ]
