"""Take the pictures of the page anew: ``python docs/pictures/page.py``, from any folder.

It needs Playwright and Chromium. Each picture shows an example in a size and a theme, with the tile
in hand tried on a cell.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
PICTURES = {
    "full-castle": ((1280, 800), "light", "1,8"),
    "falcon-game": ((768, 1024), "dark", "4,7"),
    "tower-game": ((360, 740), "light", "2,4"),
}
"""By example the size, the theme, and the cell that is chosen."""


def take(browser: Browser, name: str) -> None:
    """Show an example on a page of its own and take its picture."""
    (width, height), theme, cell = PICTURES[name]
    example = str(HERE.parent / "examples" / f"{name}.toml")
    command = ["-m", "burgrave", "serve", example, "--port", "0", "--no-browser", "--json"]
    page = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)  # noqa: S603 -- this program
    assert page.stdout is not None
    shown = ""
    while "}" not in shown:
        shown += page.stdout.readline()
    view = {"width": width, "height": height}
    touch = width < height
    context = browser.new_context(viewport=view, color_scheme=theme, has_touch=touch)
    tab = context.new_page()
    tab.goto(json.loads(shown)["url"])
    tab.click(f'.spot.legal[data-cell="{cell}"]')
    tab.wait_for_selector(".turns button")
    tab.wait_for_timeout(1000)  # the points that cells can bring, and every motion
    tab.screenshot(path=HERE / f"page-{name}.png")
    context.close()
    page.terminate()
    page.wait()


with sync_playwright() as driver:
    started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    for example in PICTURES:
        take(started, example)
    started.close()
