"""A page that runs, as a process of its own, and a client that asks it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, expect, sync_playwright
from playwright.sync_api import Page as Tab

from burgrave.cli.serve import worker
from burgrave.cli.serve.worker import STAY
from burgrave.puzzles.warming import warm
from tests.cli.serve.browsing import CHROMIUM, FLAGS, PATIENCE, Opened

ROOT = Path(__file__).parents[3]
WAIT = PATIENCE / 1000
"""Seconds in which a busy machine does what is waited for."""
LOOKS = 20 * PATIENCE // 1000
"""Looks for what is waited for, one each 0.05 seconds."""


@dataclass(frozen=True)
class Reply:
    """An answer of the page."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        """Return its JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Page:
    """A page that runs."""

    url: str
    pid: int

    @property
    def port(self) -> int:
        """Return its port."""
        port = urlsplit(self.url).port
        assert port is not None
        return port

    def raw(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Reply:
        """Send a request as it is."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Reply(
                response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()
            )
        finally:
            connection.close()

    def get(self, path: str) -> Reply:
        """Ask for something."""
        return self.raw("GET", path)

    def post(self, path: str, data: Any) -> Reply:
        """Ask with a body."""
        headers = {"Content-Type": "application/json"}
        return self.raw("POST", path, json.dumps(data).encode(), headers)

    def start(self) -> dict[str, Any]:
        """Return the position that the page opens with."""
        return dict(self.get("/api/start").data["position"])

    def new(self, game: str, **more: Any) -> dict[str, Any]:
        """Return a fresh position."""
        return dict(self.post("/api/new", {"game": game, **more}).data["position"])

    def solves(self) -> list[int]:
        """Return the processes that the page has started for one question each."""
        return [child for child, words in self._workers() if STAY not in words]

    def judges(self) -> list[int]:
        """Return the processes that judge attempts at puzzles."""
        return [child for child, words in self._workers() if STAY in words]

    def _workers(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the processes that the page has started, each with its command line.

        A process that begins has the command line of the page and then none for a moment; one that
        has ended has none until the page hears of it. The system's list of children may leave one
        out while another ends, so all processes are asked for their parent.
        """
        for told in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # the process has just ended
                parent = int(told.read_bytes().rpartition(b")")[2].split()[1])
                words = told.with_name("cmdline").read_bytes().decode().split("\0")
                if parent == self.pid and worker.__name__ in words:
                    yield int(told.parent.name), words

    def solving(self, *, wanted: bool) -> None:
        """Wait until a solve is at work, or none."""
        for _ in range(LOOKS):
            if bool(self.solves()) == wanted:
                return
            time.sleep(0.05)
        raise AssertionError(f"a solve is at work: {not wanted}")

    def ended(self, job: str) -> dict[str, Any]:
        """Wait until a solve is over and return it."""
        for _ in range(LOOKS):
            data = dict(self.get(f"/api/jobs/{job}").data)
            if data["state"] not in {"waiting", "running"}:
                return data
            time.sleep(0.05)
        raise AssertionError("the solve does not end")


def shown_page(*options: str) -> tuple[subprocess.Popen[str], str]:
    """Start a page; return its process and the address that it prints as JSON."""
    command = "from burgrave.cli.app import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", command, "serve", "--port", "0", "--no-browser", "--json", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    shown = ""
    while "}" not in shown:
        line = process.stdout.readline()
        assert line, process.stderr.read() if process.stderr else ""
        shown += line
    return process, json.loads(shown)["url"]


def ended_page(process: subprocess.Popen[str]) -> None:
    """End a page with Ctrl-C; it ends well and has said nothing more."""
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=WAIT)
    assert (process.returncode, out, errors) == (0, "", "")


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    """Run a page; nothing but its address may come from it."""
    # A solve of a test would otherwise wait for its search to be compiled.
    warm()
    process, url = shown_page("--site", "https://a.example/b")
    running = Page(url.rstrip("/"), process.pid)
    for _ in range(LOOKS):
        try:
            running.get("/api/start")
            break
        except OSError:
            time.sleep(0.05)
    yield running
    ended_page(process)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the browser once."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def opened(browser: Browser, page: Page) -> Iterator[Opened]:
    """Open the page; anything that its console says fails the test."""
    contexts, said = [], []

    def hear(message: ConsoleMessage) -> None:
        # That a text cannot be read is an answer, which the browser tells of all the same; so is
        # that a set of puzzles is not there.
        told = any(f"status of {status}" in message.text for status in (404, 422))
        if message.type in {"error", "warning"} and not told:
            said.append(message.text)

    def one(
        mode: str = "play",
        width: int = 1200,
        height: int = 900,
        url: str = f"{page.url}/#/play",
        ready: str = ".spot.legal",
        **more: Any,
    ) -> Tab:
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(PATIENCE)
        tab.on("console", hear)
        tab.on("pageerror", lambda error: said.append(str(error)))
        tab.goto(url)
        tab.wait_for_selector(ready)
        if mode != "play":
            tab.click(f"#tab-{mode}")
        return tab

    yield one
    for context in contexts:
        context.close()
    assert said == []
