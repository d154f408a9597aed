"""Pictures of the page for the docs: three games, a solved puzzle, and a reviewed game.

Run as ``python -m benchmarks.page_pictures``; it needs /usr/bin/chromium. Review the pictures
before you commit them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

DOCS = Path(__file__).parents[1] / "docs"
CHROMIUM = Path("/usr/bin/chromium")
SETTLING = 1500
"""Milliseconds in which all motion on the page has ended."""


class Shot(NamedTuple):
    """A picture to be made."""

    game: str
    """Name of the position in docs/examples."""
    width: int
    height: int
    theme: str
    cell: str
    """The cell on which the tile in hand is tried."""


SHOTS = (
    Shot("full-castle", 1280, 800, "light", "1,8"),
    Shot("falcon-game", 768, 1024, "dark", "4,7"),
    Shot("tower-game", 360, 740, "light", "2,4"),
)


@contextmanager
def served(position: Path) -> Iterator[str]:
    """Run a page that opens with a position."""
    command = [sys.executable, "-u", "-c", "from burgrave.cli.app import main; main()", "serve"]
    command += [str(position), "--port", "0", "--no-browser", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        shown = ""
        while "}" not in shown:
            shown += process.stdout.readline()
        try:
            yield json.loads(shown)["url"]
        finally:
            process.terminate()


def take(browser: Browser, shot: Shot) -> Path:
    """Make a picture with a tile on trial; return its file."""
    path = DOCS / "pictures" / f"page-{shot.game}.png"
    with served(DOCS / "examples" / f"{shot.game}.toml") as url:
        tab = browser.new_page(
            viewport={"width": shot.width, "height": shot.height},
            color_scheme="dark" if shot.theme == "dark" else "light",
            has_touch=shot.width < shot.height,
        )
        tab.goto(url)
        tab.click(f'.spot.legal[data-cell="{shot.cell}"]')
        tab.wait_for_selector(".action .main")
        tab.mouse.move(5, 5)
        tab.wait_for_timeout(SETTLING)
        tab.screenshot(path=path)
        tab.close()
    return path


def solved(browser: Browser, url: str) -> Path:
    """Make a picture of a puzzle with its solution, step by step; return its file."""
    path = DOCS / "pictures" / "page-trainer.png"
    tab = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
    tab.goto(f"{url}#/train/library/farmer-thief-or-knight")
    tab.click("button:has-text('Show the solution')")
    for _ in range(3):
        tab.click("[aria-label='One turn on']")
    tab.mouse.move(5, 5)
    tab.wait_for_timeout(SETTLING)
    tab.screenshot(path=path)
    tab.close()
    return path


def reviewed(browser: Browser, url: str) -> Path:
    """Make a picture of a turn of the sample game with its review; return its file."""
    path = DOCS / "pictures" / "page-review.png"
    tab = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="dark")
    tab.goto(f"{url}#/review")
    tab.click("button:has-text('sample game')")
    tab.click("#body .moves li:nth-child(38) button")
    tab.click("#part-turn")
    tab.click("button:has-text('Show the better move')")
    tab.wait_for_selector("#body p .notation")
    tab.wait_for_timeout(SETTLING)
    tab.screenshot(path=path)
    tab.close()
    return path


def main() -> None:
    """Make all pictures."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for shot in SHOTS:
            print(take(browser, shot))
        with served(DOCS / "examples" / "full-castle.toml") as url:
            print(solved(browser, url))
            print(reviewed(browser, url))
        browser.close()


if __name__ == "__main__":
    main()
