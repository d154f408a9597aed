"""Pictures of the page for the docs: three games at three widths, one of them dark.

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


class Shot(NamedTuple):
    """A picture to be made."""

    game: str
    """Name of the position in docs/examples."""
    width: int
    height: int
    theme: str


SHOTS = (
    Shot("full-castle", 1280, 800, "light"),
    Shot("falcon-game", 768, 1024, "dark"),
    Shot("tower-game", 360, 740, "light"),
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
        )
        tab.goto(url)
        tab.click(".spot.legal >> nth=1")
        tab.wait_for_selector(".turns .turn")
        tab.mouse.move(5, 5)
        tab.evaluate("scrollTo(0, 0)")
        tab.screenshot(path=path)
        tab.close()
    return path


def main() -> None:
    """Make all pictures."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for shot in SHOTS:
            print(take(browser, shot))
        browser.close()


if __name__ == "__main__":
    main()
