"""What the page refuses, and that nothing it is sent breaks it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from starlette.requests import Request

from burgrave.cli.serve import puzzle_sets, replies
from burgrave.cli.serve.bodies import ViewBody
from burgrave.cli.serve.guard import Guard
from burgrave.cli.serve.limits import MOST_BYTES, MOST_TILES
from burgrave.cli.serve.puzzle_sets import PuzzleSet, PuzzleSets
from burgrave.cli.serve.server import address, listening
from burgrave.model.errors import QuestionError
from burgrave.puzzles.files import library
from tests.cli.conftest import Burgrave
from tests.cli.serve.conftest import Page

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "example.org"},
        {"Host": "localhost.example.org:{port}"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": ""},
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_foreign_requests_are_refused(page: Page, headers: dict[str, str]) -> None:
    """Neither another name for this machine nor another page gets an answer."""
    sent = {name: value.format(port=page.port) for name, value in headers.items()}
    for path in ("/", "/api/start"):
        assert page.raw("GET", path, headers=sent).status in {400, 403}
    assert page.raw("POST", "/api/view", b"{}", {**JSON, **sent}).status in {400, 403}


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}"])
def test_its_own_page_is_answered(page: Page, host: str) -> None:
    """Both names of this machine will do, with the page's own origin."""
    own = host.format(port=page.port)
    headers = {"Host": own, "Origin": f"http://{own}", "Sec-Fetch-Site": "same-origin"}
    assert page.raw("GET", "/api/start", headers=headers).status == 200


def test_every_answer_carries_the_safe_headers(page: Page) -> None:
    """No inline script or style, no sniffing, no frame, no other page."""
    for reply in (
        page.get("/"),
        page.get("/static/app.js"),
        page.get("/api/games"),
        page.get("/nothing"),
        page.raw("GET", "/", headers={"Host": "example.org"}),
    ):
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"
    assert b"style=" not in page.get("/").body
    assert b"<script>" not in page.get("/").body


def test_it_listens_on_this_machine_alone() -> None:
    """The socket is bound to loopback; a port in use is told as unusable input."""
    with listening(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        assert address(listener).startswith("http://127.0.0.1:")
        with pytest.raises(QuestionError, match="--port"):
            listening(listener.getsockname()[1])


def test_without_the_server_library_there_is_a_message(
    burgrave: Burgrave, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 2 and what to install."""
    monkeypatch.setattr("burgrave.cli.commands.serve.find_spec", lambda _: None)
    answer = burgrave("serve", "--no-browser")
    assert (answer.code, answer.out) == (2, "")
    assert 'pip install ".[page]"' in answer.err


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/etc/passwd",
        "/static/app.js%00.html",
        "/api/sets/library/..%2f..%2fpyproject",
        "/api/sets/%2fetc%2fpasswd",
    ],
)
def test_no_path_reaches_a_file(page: Page, path: str) -> None:
    """What is not in the table is not there."""
    reply = page.get(path)
    assert reply.status == 404
    assert b"root:" not in reply.body


def test_bodies_are_limited(page: Page) -> None:
    """Size, type and form; a board has no more tiles than a table."""
    many = b'{"text": "' + b"x" * MOST_BYTES + b'"}'
    assert page.raw("POST", "/api/read", many, JSON).status == 413
    assert page.raw("POST", "/api/read", b'{"text": "x"}').status == 415
    assert page.raw("POST", "/api/read", b"{" * 5000, JSON).status == 400
    assert page.raw("POST", "/api/read", b'{"text": "\\ud800"}', JSON).status == 400
    assert page.raw("POST", "/api/jobs", b'{"seconds": NaN}', JSON).status == 400
    keys = page.new("carcassonne", seed=1)
    keys["board"] = [f"U@{x},0r0" for x in range(MOST_TILES + 1)]
    reply = page.post("/api/view", {"position": keys})
    assert (reply.status, "tiles on the board" in reply.data["error"]) == (422, True)


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a request is answered as such and holds nothing up."""
    monkeypatch.setattr(replies, "BODY_SECONDS", 0.05)

    async def never() -> Any:
        await asyncio.sleep(60)

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", b"application/json")]}
    with pytest.raises(replies.RefusalError) as refused:
        asyncio.run(replies.body(Request(scope, never), ViewBody))
    assert refused.value.status == 408


def test_half_a_request_leaves_the_page_working(page: Page) -> None:
    """A connection that breaks off is forgotten."""
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", page.port)) as wire:
            wire.sendall(
                b"POST /api/view HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\n{"
            )
    assert page.get("/api/games").status == 200


EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
FULL = [(EXAMPLES / name).read_text() for name in ("falcon-game.toml", "tower-game.toml")]
JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 1, 10**30, 1.5, "", "K01", "castle", "carcassonne", "\0", "💥", "a" * 500,
    "3,4", "3,4.N", "K07@3,4r0 white:knight.N", "white", "0,-1:2 green", [], {}, [[]], {"a": 1},
    ["K01"] * 20, {"K01": 99}, [1, 2, 3], [9] * 12, "-5,5.0", "knight", ["path N S", "court"],
)  # fmt: skip


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places of everything in a value."""
    yield here
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield from places(value[key], (*here, key))


def twist(value: Any, like: Sequence[str], chance: Random) -> Any:
    """Return something in place of a value, often of its type."""
    if chance.random() < 0.3:
        return chance.choice(JUNK)
    if isinstance(value, int):
        return chance.choice((value - 1, value + 1, chance.randrange(10), -value))
    if isinstance(value, str):
        changed = "".join(str(chance.randrange(10)) if c.isdigit() else c for c in value)
        return chance.choice((changed, chance.choice(like), value[: len(value) // 2]))
    if isinstance(value, list):
        return chance.choice((value[::-1], value + value[:3], value[1:], value[: len(value) // 2]))
    return value


def twisted(data: Any, chance: Random) -> Any:
    """Return a copy of a request in which something is not as it should be."""
    found = deepcopy(data)
    all_places = [place for place in places(found) if place]
    if not all_places:
        return chance.choice(JUNK)
    *way, last = chance.choice(all_places)
    inside = found
    for key in way:
        inside = inside[key]
    strings = [text for text in inside if isinstance(text, str)]
    if chance.random() < 0.1:
        del inside[last]
    else:
        inside[last] = twist(inside[last], strings or ["K01"], chance)
    return found


def test_twisted_requests_are_answered(page: Page) -> None:
    """Whatever comes, the answer is no fault of the page and does not take long."""
    chance = Random(7)
    games = ("castle", "castle+falcon", "carcassonne", "carcassonne+tower")
    positions = [page.new(game, seed=3) for game in games]
    positions += [page.new(game, unknown=True) for game in games]
    positions += [
        page.start(),
        *(page.post("/api/read", {"text": t}).data["position"] for t in FULL),
    ]
    asked: list[tuple[str, dict[str, Any]]] = [
        ("/api/view", {"cells": [[1, 1]], "legal": [[0, 0]], "line": ["K01@0,2r0"], "room": 2}),
        ("/api/places", {"tile": "K01"}),
        ("/api/turns", {"tile": "D", "cell": [0, 1], "rotation": 1}),
        ("/api/fits", {}),
        ("/api/judge", {"move": "K35@3,4r0 knight.N =3,4.N*2 +1 ?12/13:4"}),
        ("/api/play", {"moves": ["K35@3,4r0", "pass"]}),
        ("/api/write", {"format": "json"}),
        ("/api/tiles", {}),
        ("/api/links", {}),
        ("/api/links/record", {"text": "K01@3,4r0"}),
        ("/api/read", {"text": "K01@3,4r0\nK02@3,5r1 white:knight.N"}),
        ("/api/new", {"game": "castle", "seed": 1}),
    ]
    fine = 0
    for _ in range(600):
        path, more = chance.choice(asked)
        data: Any = {"position": chance.choice(positions), **more}
        for _ in range(chance.randrange(1, 4)):
            data = twisted(data, chance)
        reply = page.post(path, data)  # which waits some seconds at most
        assert reply.status < 500, (path, data, reply.body)
        assert reply.status == 200 or reply.data["error"], (path, data)
        fine += reply.status == 200
    assert 60 < fine < 540  # neither all nonsense nor none


def test_noise_is_answered(page: Page) -> None:
    """Meaningless bytes, and unknown methods and paths."""
    chance = Random(11)
    paths = ("/", "/api/view", "/api/jobs", "/api/jobs/x", "/api/rules/x", "/static/app.js")
    for _ in range(100):
        method = chance.choice(("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "BREW"))
        body = bytes(chance.randrange(256) for _ in range(chance.randrange(40)))
        assert 200 <= page.raw(method, chance.choice(paths), body, JSON).status < 500
    assert json.loads(page.get("/api/games").body)["games"]


DEEP: dict[str, Any] = {}
for _ in range(300):
    DEEP = {"a": DEEP}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "EOF"),
        (b'{"position": NaN}', "column 14"),
        (b'{"position": {"title": 1e999}}', "JSON"),
        (json.dumps({"position": DEEP}).encode(), "recursion limit"),
    ],
    ids=["empty", "no number", "infinity", "deep"],
)
@pytest.mark.parametrize("path", ["/api/view", "/api/tiles", "/api/write", "/api/jobs"])
def test_what_is_no_usable_json_is_told_with_its_fault(
    page: Page, path: str, body: bytes, says: str
) -> None:
    """Every request with a body gets the same answer: it is the user's fault, and which one."""
    reply = page.raw("POST", path, body, JSON)
    assert reply.status == 400
    assert says in reply.data["error"]


def test_the_faults_of_a_body_are_told_as_those_of_files(page: Page) -> None:
    """No message has a name from the code."""
    for body in ([], 1, None, "x", True):
        reply = page.post("/api/view", body)
        assert (reply.status, "must be a JSON object" in reply.data["error"]) == (422, True)
    reply = page.post("/api/view", {"zzz": 1})
    assert reply.data["error"] == "position: is missing\nzzz: no such key"


@pytest.mark.parametrize(
    "path",
    [
        "/api/nothing",
        "/api/sets/nothing",
        "/api/sets/library/nothing",
        "/api/sets/library/nothing/solution",
        "/api/sets/library/two-markets-in-hand/hints/3",
        "/api/sets/library/two-markets-in-hand/hints/-1",
        "/api/sets/library/two-markets-in-hand/hints/" + "9" * 5000,
        "/api/rules/nothing",
        "/api/cards/nothing",
        "/api/jobs/nothing",
    ],
)
def test_what_is_not_there_is_not_found(page: Page, path: str) -> None:
    """An unknown address, and an unknown id in a known one."""
    reply = page.get(path)
    assert reply.status == 404
    assert reply.data["error"] not in {"", "Not Found"}


def test_a_wrong_method_is_told_with_the_right_ones(page: Page) -> None:
    """Both of a solve are named, though they do different things."""
    for path, methods in (("/api/view", {"POST"}), ("/api/jobs/x", {"GET", "HEAD", "DELETE"})):
        reply = page.raw("PUT", path, b"{}", JSON)
        assert reply.status == 405
        assert set(reply.headers["allow"].split(", ")) == methods
        assert reply.headers["allow"] in reply.data["error"]


def test_a_request_that_the_end_of_the_page_breaks_off_is_answered() -> None:
    """The server cancels it and would print a traceback if it got no answer."""
    sent: list[Any] = []

    async def never(*_: Any) -> None:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    async def check() -> None:
        headers = [(b"host", b"localhost:1")]
        scope = {"type": "http", "server": ("127.0.0.1", 1), "headers": headers}
        answer = asyncio.create_task(Guard(never)(scope, never, send))
        await asyncio.sleep(0)
        answer.cancel()
        await answer

    asyncio.run(check())
    assert [message.get("status") for message in sent] == [503, None]


def test_sets_that_are_opened_at_once_do_not_disturb_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one that comes while an older set is dropped waits until that is done."""
    monkeypatch.setattr(puzzle_sets, "MOST_SETS", 1)
    first, second, third = map(library.puzzle, library.puzzle_entries()[:3])
    sets = PuzzleSets()
    other = Thread(target=sets.take, args=("third", [third]))

    class Meanwhile(dict[str, PuzzleSet]):
        """Lets another thread open a set as soon as the oldest one is looked for."""

        def __iter__(self) -> Iterator[str]:
            oldest = list(super().__iter__())[:1]
            if other.ident is None:
                other.start()
                other.join(0.1)  # it cannot end before this one does
            return iter(oldest)

    sets.take("first", [first])
    sets._opened = Meanwhile(sets._opened)
    sets.take("second", [second])
    other.join()
    assert len(sets._opened) == 1
