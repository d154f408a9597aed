"""What tests of the page in a browser share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page as Tab

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
PATIENCE = 30_000
"""Milliseconds in which a busy machine does what is waited for."""
Opened = Callable[..., Tab]
"""The type of the fixture ``opened``."""

needs_browser = pytest.mark.skipif(
    not CHROMIUM.exists(), reason="no /usr/bin/chromium; .ci/run installs it"
)


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
