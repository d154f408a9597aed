"""The page in the table's network: nobody without the token learns anything."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import parse_qs, urlsplit

import pytest
import segno

from burgrave.cli.commands import serve
from burgrave.cli.render.qr import qr_lines
from burgrave.cli.serve import entrance
from burgrave.cli.serve.bodies import AskBody
from burgrave.cli.serve.entrance import Entrance, Visitor, own_addresses, private_address
from burgrave.cli.serve.guard import Guard
from burgrave.cli.serve.jobs import Jobs, QueueFullError
from burgrave.cli.serve.limits import MOST_SETS, VISITOR_JOBS, VISITOR_REQUESTS, VISITOR_SOLVES
from burgrave.cli.serve.puzzle_sets import PuzzleSets
from burgrave.cli.serve.server import listening
from burgrave.model.errors import QuestionError
from burgrave.puzzles.files.library import puzzle_entries
from burgrave.puzzles.files.puzzle_files import read_puzzle
from tests.cli.conftest import Burgrave
from tests.cli.serve.conftest import LOOKS, WAIT, Reply, ended_page, shown_page

JSON = {"Content-Type": "application/json"}
ADDRESS = next(iter(own_addresses()), None)
networked = pytest.mark.skipif(ADDRESS is None, reason="this machine is in no private network")


class Table:
    """A page in the network, and who asks it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        assert parts.port is not None
        self.host, self.port = parts.hostname, parts.port
        (self.token,) = parse_qs(parts.query)["token"]

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Reply:
        """Send a request as it is; an underscore in the name of a header is a hyphen."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = HTTPConnection(self.host, self.port, timeout=WAIT)
        try:
            connection.request(method, path, body, named)
            response = connection.getresponse()
            told = {k.lower(): v for k, v in response.getheaders()}
            return Reply(response.status, told, response.read())
        finally:
            connection.close()

    def enter(self) -> str:
        """Open the page as with the printed address; return the cookie."""
        reply = self.ask("GET", f"/?token={self.token}")
        assert (reply.status, reply.headers["location"], reply.body) == (303, "/", b"")
        return reply.headers["set-cookie"]


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    """Run a page in the network."""
    assert ADDRESS is not None
    process, url = shown_page("--lan", "--address", ADDRESS)
    found = Table(url)
    for _ in range(LOOKS):
        try:
            found.ask("GET", "/")
            break
        except OSError:
            time.sleep(0.05)
    yield found
    ended_page(process)


PATHS = (
    "/",
    "/static/app.js",
    "/static/pictures.css",
    "/api/start",
    "/api/games",
    "/api/sets/library",
    "/api/jobs/x",
    "/nothing",
)


@networked
def test_who_has_the_token_gets_the_page_and_the_cookie_hides_it(table: Table) -> None:
    """The address lets in once; then the cookie does, and scripts cannot read it."""
    cookie = table.enter()
    assert "; HttpOnly" in cookie
    assert "; SameSite=Strict" in cookie
    assert table.token not in cookie
    cookie = cookie.partition(";")[0]
    own = f"http://{table.host}:{table.port}"
    for path in PATHS[:6]:
        assert table.ask("GET", path, Cookie=cookie, Origin=own).status == 200, path
    again = table.ask("GET", f"/?token={table.token}", Cookie=cookie)
    assert (again.status, "set-cookie" in again.headers) == (303, False)  # the session goes on


@networked
def test_no_token_no_answer(table: Table) -> None:
    """Without the token, with a wrong one or one in the wrong place: an empty answer."""
    name, _, value = table.enter().partition(";")[0].partition("=")
    session, _, signature = value.partition(".")
    tries: list[dict[str, str]] = [
        {},
        {"Cookie": name},
        {"Cookie": f"{name}="},
        {"Cookie": f"{name}=."},
        {"Cookie": f"{name}={table.token}"},
        {"Cookie": f"{name}={session}"},
        {"Cookie": f"{name}={session}x.{signature}"},
        {"Cookie": f"{name}={session}.{signature[:-1]}"},
        {"Cookie": f"{name}={session}.\xe9"},
        {"Cookie": f"other={value}"},
        {"Cookie": f"token={table.token}"},
        {"Authorization": f"Bearer {table.token}"},
        {"X-Token": table.token},
    ]
    # A wrong guess is answered late, so not every path is tried with every header.
    none: dict[str, str] = {}
    asked = [*((path, none) for path in PATHS), *((PATHS[0], headers) for headers in tries)]
    for path, headers in asked:
        reply = table.ask("GET", path, **headers)
        assert (reply.status, reply.body) == (401, b""), (path, headers)
        assert "set-cookie" not in reply.headers
        assert "etag" not in reply.headers
    wrong = table.token[:-1] + ("A" if table.token[-1] != "A" else "B")
    for path in (
        f"/?token={wrong}",
        "/?token=",
        "/?token=%ff",
        f"/?Token={table.token}",
        f"/api/start?token={table.token}",
        f"/static/app.js?token={table.token}",
        f"//?token={table.token}",
    ):
        reply = table.ask("GET", path)
        assert (reply.status, reply.body) == (401, b""), path
    for method in ("HEAD", "POST", "PUT", "DELETE", "OPTIONS"):
        reply = table.ask(method, f"/?token={table.token}", b"{}", Content_Type="application/json")
        assert (reply.status, reply.body) == (401, b""), method
    for path in ("/api/jobs", "/api/view", "/api/attempts", "/api/sets", "/api/links/record"):
        assert table.ask("POST", path, b"{}", Content_Type="application/json").status == 401


@networked
def test_foreign_names_and_pages_are_refused_with_the_token_too(table: Table) -> None:
    """No other Host, not this machine's own names, and no other Origin; nor a reason."""
    cookie = table.enter().partition(";")[0]
    for headers in (
        {"Host": "example.org"},
        {"Host": f"localhost:{table.port}"},
        {"Host": f"127.0.0.1:{table.port}"},
        {"Host": table.host},
        {"Host": f"{table.host}:1"},
        {"Host": f"{table.host}.example.org:{table.port}"},
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Origin": f"http://{table.host}"},
        {"Origin": f"http://127.0.0.1:{table.port}"},
        {"Sec_Fetch_Site": "cross-site"},
    ):
        for path in ("/", "/api/start", f"/?token={table.token}"):
            reply = table.ask("GET", path, Cookie=cookie, **headers)
            assert (reply.status, reply.body) == (403, b""), (path, headers)
            assert "set-cookie" not in reply.headers


@networked
def test_every_answer_is_safe_and_loopback_is_shut(table: Table) -> None:
    """The headers of the page stand on refusals too; it listens on the one address alone."""
    for reply in (table.ask("GET", "/"), table.ask("GET", f"/?token={table.token}")):
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", table.port), timeout=5)


@networked
def test_a_solve_of_one_session_is_not_there_for_another(table: Table) -> None:
    """Neither its state nor its end is in another's hands."""
    mine, other = (table.enter().partition(";")[0] for _ in range(2))
    body = b'{"question": "win", "position": {}}'
    job = table.ask("POST", "/api/jobs", body, Cookie=mine, **JSON).data["id"]
    assert len(job) >= 20
    for method in ("GET", "DELETE"):
        assert table.ask(method, f"/api/jobs/{job}", Cookie=other).status == 404
        assert table.ask(method, f"/api/jobs/{job}").status == 401
    assert table.ask("GET", f"/api/jobs/{job}", Cookie=mine).data["id"] == job
    ended = table.ask("DELETE", f"/api/jobs/{job}", Cookie=mine).data
    assert ended["state"] in {"cancelled", "refused"}


def test_one_machine_does_not_take_the_place_of_others() -> None:
    """Its solves and its kept answers are limited by its address, however many sessions it has."""

    async def check() -> None:
        queue = Jobs()
        ask = AskBody.model_validate({"question": "win", "position": {}})
        friend = queue.submit(ask, Visitor("friend", "10.0.0.2"))
        await queue.cancel(friend)
        for number in range(3 * VISITOR_JOBS):
            job = queue.submit(ask, Visitor(f"s{number}", "10.0.0.3"))
            await queue.cancel(job)
        assert (
            sum(job.visitor != friend.visitor for job in queue._jobs.values()) <= VISITOR_JOBS + 1
        )
        assert queue.find(friend.id, friend.visitor) is friend
        assert queue.find(friend.id, Visitor("x", "10.0.0.2")) is None
        assert queue.find(friend.id) is None
        for number in range(VISITOR_SOLVES):
            queue.submit(ask, Visitor(f"t{number}", "10.0.0.3"))
        with pytest.raises(QueueFullError, match="of yours"):
            queue.submit(ask, Visitor("more", "10.0.0.3"))
        queue.submit(ask, friend.visitor)
        await queue.close()

    asyncio.run(check())


def test_requests_of_one_machine_are_limited() -> None:
    """One more than allowed is told to come again; others are answered meanwhile."""
    way = Entrance("10.0.0.1", 80, "secret")
    name, _, value = way.pass_on().partition(";")[0].partition("=")

    async def check() -> None:
        release = asyncio.Event()

        async def slow(scope, receive, send) -> None:
            await release.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        guard = Guard(slow, way)

        async def ask(client: str) -> int:
            heard = []

            async def send(message) -> None:
                heard.append(message)

            headers = [(b"host", b"10.0.0.1:80"), (b"cookie", f"{name}={value}".encode())]
            scope = {"type": "http", "method": "GET", "path": "/api/start", "query_string": b""}
            scope |= {"headers": headers, "server": ("10.0.0.1", 80), "client": (client, 1)}
            await guard(scope, None, send)
            return heard[0]["status"]

        held = [asyncio.create_task(ask("10.0.0.3")) for _ in range(VISITOR_REQUESTS)]
        await asyncio.sleep(0)
        assert await ask("10.0.0.3") == 429
        other = asyncio.create_task(ask("10.0.0.4"))
        await asyncio.sleep(0)
        release.set()
        assert set(await asyncio.gather(*held, other)) == {200}
        assert not guard._at_work

    asyncio.run(check())


@pytest.mark.parametrize(
    "named",
    ["0.0.0.0", "127.0.0.1", "8.8.8.8", "169.254.1.1", "::1", "localhost", "", "255.255.255.255"],
)
def test_only_one_private_address_will_do(named: str) -> None:
    """Neither all addresses of the machine nor one of the open network."""
    with pytest.raises(QuestionError, match="private network"):
        private_address(named)


def test_the_address_is_found_or_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is taken; of several one must be named; without any there is no page."""
    for found, told in (
        (["192.168.1.20"], None),
        (["10.0.0.2", "192.168.1.20"], "--address: 10.0.0.2, 192.168.1.20"),
        ([], "no private network"),
    ):
        monkeypatch.setattr(entrance, "own_addresses", lambda found=found: found)
        if told is None:
            assert private_address(None) == "192.168.1.20"
        else:
            with pytest.raises(QuestionError, match=told):
                private_address(None)
    with pytest.raises(QuestionError, match="no such address"):
        listening(0, "10.255.255.253")


def test_an_address_without_lan_is_refused(burgrave: Burgrave) -> None:
    """Loopback stays the only address."""
    answer = burgrave("serve", "--address", "192.168.1.20", "--no-browser")
    assert (answer.code, answer.out) == (2, "")
    assert "--lan" in answer.err


def test_the_blocks_are_the_modules_of_the_code() -> None:
    """Read back from the blocks, the code is that of the library, with its margin."""
    url = Entrance.at("192.168.178.123", 8642).url
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    rows = []
    for line in qr_lines(url, colour=False):
        rows += zip(*(halves[block] for block in line), strict=True)
    margin = (0, 0, 0, 0)
    code = segno.make_qr(url, error="l", boost_error=False)
    inner = [margin + tuple(map(int, row)) + margin for row in code.matrix]
    light = (0,) * len(inner[0])
    assert rows[:4] == [light] * 4
    assert rows[4 : 4 + len(inner)] == inner
    assert set(rows[4 + len(inner) :]) == {light}
    assert len(rows) - len(inner) >= 8


def test_the_code_fits_the_terminal_and_its_colours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """NO_COLOR leaves the blocks alone; a narrow terminal gets a sentence."""
    url = Entrance.at("192.168.178.123", 8642).url
    lines = qr_lines(url, colour=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(len(lines[0])))
    monkeypatch.delenv("NO_COLOR", raising=False)
    serve._show_code(url)
    out = capsys.readouterr().out
    assert re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines() == lines
    assert "\x1b[" in out
    monkeypatch.setenv("NO_COLOR", "1")
    serve._show_code(url)
    assert "\x1b[" not in capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", str(len(lines[0]) - 1))
    serve._show_code(url)
    told = capsys.readouterr()
    assert (told.out, "columns" in told.err) == ("", True)


def test_the_set_that_the_page_opens_with_stays() -> None:
    """However many sets visitors open, the class finds its own."""
    sets = PuzzleSets()
    entries = puzzle_entries()[: MOST_SETS + 2]
    assert len(entries) > MOST_SETS
    read = [read_puzzle(entry.id, entry.text) for entry in entries]
    first = sets.take("class", read[:1], stays=True)
    for puzzle in read:
        sets.take("other", [puzzle, read[0]] if puzzle is not read[0] else read[:2])
    assert sets.find(first.id) is first
