"""Solves: answered, cancelled, killed, turned away, and the page working meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from burgrave.cli.render.evaluation import evaluation_data
from burgrave.cli.render.game_answers import game_answer_data
from burgrave.cli.render.turn_answers import turn_answer_data
from burgrave.cli.serve import jobs
from burgrave.cli.serve.app import application
from burgrave.cli.serve.bodies import AskBody, AttemptBody, ReplyBody, RetryBody
from burgrave.cli.serve.documents import document
from burgrave.cli.serve.jobs import Jobs
from burgrave.cli.serve.limits import MOST_SECONDS, SOLVES, SOLVES_WAITING
from burgrave.cli.serve.practising import replied, tried_again
from burgrave.cli.serve.puzzle_sets import SHIPPED, PuzzleSets
from burgrave.cli.serve.questions import answered
from burgrave.cli.serve.trainer import judged_at_once
from burgrave.cli.serve.warming import ATTEMPTS
from burgrave.model.draws import as_seen
from burgrave.model.engine import judge
from burgrave.model.notation import read_move, write_move
from burgrave.puzzles.files.library import find, position, puzzle
from burgrave.puzzles.games import levels
from burgrave.solver.limits import Limits, Reporter
from burgrave.solver.questions import best, evaluate, expected, forced
from tests.cli.serve.conftest import LOOKS, ROOT, WAIT, Page

UNTIMED = ("seconds",)


def asked(page: Page, shipped: str, **more: Any) -> dict[str, Any]:
    """Ask a question of a shipped position; return the solve."""
    keys = page.post("/api/read", {"text": find(shipped).text}).data["position"]
    return dict(page.post("/api/jobs", {"position": keys, "seconds": MOST_SECONDS, **more}).data)


def begun(page: Page) -> dict[str, Any]:
    """Ask what nobody answers soon; return the solve."""
    keys = page.new("castle", seed=4)
    ask = {"question": "max", "position": keys, "seconds": MOST_SECONDS}
    return dict(page.post("/api/jobs", ask).data)


def long_one(page: Page) -> dict[str, Any]:
    """Ask what nobody answers soon; return the solve once a process is at work."""
    page.solving(wanted=False)  # those of other tests
    job = begun(page)
    page.solving(wanted=True)
    return job


def gone(pid: int) -> bool:
    """Tell whether a process is no more."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def silent(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without the sentences of its moves, which the page alone has."""
    said = [one["says"] for one in (*answer["moves"], *answer["guess"])]
    assert all(one.startswith("White lays ") for one in said)
    moves = [{key: told for key, told in one.items() if key != "says"} for one in answer["moves"]]
    return {**answer, "moves": moves, "guess": [one["notation"] for one in answer["guess"]]}


def test_the_answers_are_those_of_the_solver(page: Page) -> None:
    """Best move and best play, with the line to step through."""
    at_hand = position(find("castle-04"))
    jobs = {
        "force": asked(page, "castle-04", question="force"),
        "best": asked(page, "castle-04", question="best", top=3),
    }
    wanted = {
        "force": game_answer_data(at_hand, forced(at_hand)),
        "best": turn_answer_data(at_hand, best(at_hand, top=3)),
    }
    for question, job in jobs.items():
        ended = page.ended(job["id"])
        assert ended["state"] == "done", ended["message"]
        answer = silent(ended["answer"])
        for key, value in wanted[question].items():
            assert answer[key] == value or key in UNTIMED, key
    answer = page.ended(jobs["force"]["id"])["answer"]
    assert [step["notation"] for step in answer["steps"]] == answer["line"]
    last = page.post("/api/view", {"position": answer["steps"][-1]["position"]}).data
    assert list(last["final"]["scores"].values()) == answer["scores"]


def test_an_evaluation_is_that_of_the_command() -> None:
    """Near the end the values are proved, and the page says so."""
    at_hand = position(find("castle-04"))
    ask = AskBody.model_validate({"question": "evaluate", "position": document(at_hand)})
    answer = silent(answered(ask, Reporter()))
    wanted = evaluation_data(at_hand, evaluate(at_hand, budget=Limits(seconds=60.0)))
    for key, value in wanted.items():
        assert answer[key] == value or key in UNTIMED, key
    assert (answer["status"], answer["engine"]) == ("proved", wanted["by"])


def test_an_opponent_plays_the_move_of_its_level() -> None:
    """It answers a position as a browser holds it."""
    at_hand = position(find("castle-04"))
    for number in (1, 2):
        body = ReplyBody.model_validate({"position": document(at_hand), "level": number})
        wanted = write_move(at_hand, levels.answer(at_hand, levels.LEVELS[number]).move)
        found = replied(body)
        assert found["move"] == wanted
        assert found["seconds"] >= 0


def test_another_try_at_a_mistake_is_judged_by_the_expected_lead() -> None:
    """Right is what is as good as the best move; another one is told what it loses."""
    at_hand = position(find("castle-04"))
    found = expected(as_seen(at_hand))
    (best_move, *_, poor, poorest) = sorted(found.first, key=lambda one: -one.value)
    turn = {
        "played": write_move(at_hand, poorest.move),
        "best": write_move(at_hand, best_move.move),
    }
    for one in (best_move, poor, poorest):
        keys = {"position": document(at_hand), "answer": write_move(at_hand, one.move), **turn}
        told = tried_again(RetryBody.model_validate(keys))
        assert told["right"] is (one.value == best_move.value)
        lost = f"{float(best_move.value - one.value):.1f}"
        assert one is not poor or f"loses {lost} points of lead (proved)" in told["told"]


@pytest.mark.usefixtures("out_of_time")
def test_what_is_known_of_a_stopped_search_is_told() -> None:
    """That nothing useful is proved, how to estimate, and a first move that is a guess."""
    keys = document(position(find("castle-09")))
    ask = AskBody.model_validate({"question": "force", "position": keys, "seconds": 60})
    answer = answered(ask, Reporter())
    assert (answer["status"], answer["moves"], len(answer["guess"])) == ("unknown", [], 1)
    assert "`burgrave evaluate` estimates the lead" in answer["text"][0]
    assert [f"  {sentence}" for sentence in answer["limits"]] == answer["text"][1:2]


def test_a_question_that_cannot_be_asked_is_refused_in_words(page: Page) -> None:
    """The reason is that of the solver."""
    keys = page.new("castle", unknown=True)
    job = page.post("/api/jobs", {"question": "force", "position": keys}).data
    ended = page.ended(job["id"])
    assert (ended["state"], ended["answer"]) == ("refused", None)
    assert "not known" in ended["message"]


def test_a_cancelled_solve_is_gone(page: Page) -> None:
    """When the page says so, its process has ended."""
    job = long_one(page)
    (pid,) = page.solves()
    told = page.raw("DELETE", f"/api/jobs/{job['id']}").data
    assert told["state"] == "cancelled"
    assert gone(pid)
    assert not page.solves()
    assert page.get(f"/api/jobs/{job['id']}").data["state"] == "cancelled"


def test_a_killed_solve_is_told_and_the_page_goes_on(page: Page) -> None:
    """The crash of a process harms no other job."""
    job = long_one(page)
    (pid,) = page.solves()
    os.kill(pid, signal.SIGKILL)
    ended = page.ended(job["id"])
    assert (ended["state"], ended["answer"]) == ("failed", None)
    assert "broke down" in ended["message"]
    assert page.get("/api/games").status == 200


def test_fifty_ask_at_once(page: Page) -> None:
    """Each is taken or told to wait, and light requests are answered meanwhile.

    Who waits may give up; the others are answered.
    """
    over = page.new("castle", seed=1)
    del over["order"]
    ask = {"question": "win", "position": over}

    def send(_: int) -> Any:
        return page.post("/api/jobs", ask)

    long = [long_one(page), *(begun(page) for _ in range(SOLVES - 1))]
    with ThreadPoolExecutor(50) as pool:
        replies = list(pool.map(send, range(50)))
    taken = [reply.data["id"] for reply in replies if reply.status == 202]
    told_to_wait = [reply for reply in replies if reply.status == 503]
    assert (len(taken), len(told_to_wait)) == (SOLVES_WAITING, 50 - SOLVES_WAITING)
    assert all(int(reply.headers["retry-after"]) > 0 for reply in told_to_wait)
    keys = page.start()
    for _ in range(20):
        assert page.post("/api/view", {"position": keys}).status == 200
    assert {page.get(f"/api/jobs/{job}").data["state"] for job in taken} == {"waiting"}
    for job in [*taken[SOLVES:], *(job["id"] for job in long)]:
        assert page.raw("DELETE", f"/api/jobs/{job}").data["state"] == "cancelled"
    assert all(page.ended(job)["state"] == "done" for job in taken[:SOLVES])


def run(ask: AskBody, *, grace: float, monkeypatch: pytest.MonkeyPatch) -> jobs.Job:
    """Let a solve run to its end in this process."""
    monkeypatch.setattr(jobs, "GRACE_SECONDS", grace)

    async def one() -> jobs.Job:
        queue = jobs.Jobs()
        job = queue.submit(ask)
        assert job.task is not None
        await job.task
        return job

    return asyncio.run(one())


def test_a_solve_that_overstays_is_stopped(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an engine does, its time is limited from outside."""
    ask = AskBody(question="force", position=page.start(), seconds=0.001)
    ended = run(ask, grace=0.0, monkeypatch=monkeypatch)
    assert (str(ended.state), ended.answer) == ("failed", None)
    assert "in the time" in ended.message


def test_a_question_loads_what_it_needs() -> None:
    """The best move of a turn waits for no compiled code, which other questions need."""
    keys = document(position(find("castle-04")))
    answered = (
        "import sys; from burgrave.cli.serve.worker import _answer\n"
        "_answer(sys.stdin.buffer.read()); sys.stdout.write(f\"loaded {'numba' in sys.modules}\")"
    )
    done = subprocess.run(
        [sys.executable, "-c", answered],
        cwd=ROOT,
        input=json.dumps({"question": "best", "position": keys}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("loaded False")


def worker(line: str, before: str = "") -> subprocess.Popen[str]:
    """Start the process of a solve as the page does."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"from burgrave.cli.serve import worker\n{before}\nworker.main()"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process


def test_a_solve_has_limited_memory(page: Page) -> None:
    """A solve that needs more than it may have ends without an answer."""
    ask = json.dumps({"question": "max", "position": page.new("castle", seed=4), "seconds": 20})
    with worker(ask, "worker.SOLVE_BYTES = 160_000_000") as process:
        assert process.stdout is not None
        # Its input stays open: with the end of it the solve ends.
        told = [json.loads(line) for line in process.stdout]
    assert not any("answer" in line for line in told)
    assert process.returncode != 1  # which is its end with its input


def test_a_question_is_read_in_the_encoding_of_the_page(page: Page) -> None:
    """Whatever the system reads texts in: Windows has an encoding of its own."""
    ask = json.dumps({"question": "best", "position": page.start() | {"title": "Brücke"}})
    before = "import sys; sys.stdin.reconfigure(encoding='ascii', errors='strict')"
    with worker(json.dumps(json.loads(ask), ensure_ascii=False), before) as process:
        assert process.stdout is not None
        told = [json.loads(line) for line in process.stdout]
    assert "answer" in told[-1]


LIMITS = {
    "no such module": "import sys; sys.modules['resource'] = None",
    "every limit refused": (
        "import resource\ndef no(*_): raise ValueError('current limit exceeds maximum limit')\n"
        "resource.setrlimit = no"
    ),
    "no limit of memory": "import resource; del resource.RLIMIT_AS",
    "no niceness": "import os; del os.nice",
    "a lower limit": (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3_000_000_000,) * 2)"
    ),
}
"""Systems that limit less than Linux does, or more than is asked for."""


@pytest.mark.parametrize("system", LIMITS)
def test_a_solve_is_answered_where_a_system_has_fewer_limits(page: Page, system: str) -> None:
    """A note says what is not limited; a lower limit stays and needs none."""
    ask = json.dumps({"question": "best", "position": page.start()})
    with worker(ask, LIMITS[system]) as process:
        assert process.stdout is not None
        # Its input stays open: with the end of it the solve ends.
        told = [json.loads(line) for line in process.stdout]
    notes = [line["note"] for line in told if "note" in line]
    assert "answer" in told[-1]
    assert len(notes) == (system not in {"no niceness", "a lower limit"})
    assert all("does not limit the memory" in n or "limits neither" in n for n in notes)


def test_a_note_of_the_solves_is_told_once(
    page: Page, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To whoever has started the page."""
    queue = Jobs()
    for note in ("", "No limits.", "No limits."):
        queue._pass_on(note)
    assert capsys.readouterr().err == "No limits.\n"


def reply(
    method: str, path: str, question: dict[str, Any], *, ended: bool
) -> tuple[int, dict[str, str], Any]:
    """Ask an application that is not yet running, or no longer, and opens with the position."""
    app = application(question["position"], PuzzleSets())
    messages: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(question).encode(), "more_body": False}

    async def send(message: Any) -> None:
        messages.append(message)

    async def run_lifespan() -> None:
        events = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

        async def next_event() -> Any:
            return next(events)

        await app({"type": "lifespan", "state": {}}, next_event, send)

    async def ask() -> None:
        if ended:
            await run_lifespan()
            messages.clear()
        headers = [(b"host", b"localhost:1"), (b"content-type", b"application/json")]
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "server": ("localhost", 1),
            "scheme": "http",
            "root_path": "",
        }
        await app(scope, receive, send)

    asyncio.run(ask())
    begin, *rest = messages
    found = {name.decode().lower(): value.decode() for name, value in begin["headers"]}
    return begin["status"], found, json.loads(b"".join(part["body"] for part in rest))


@pytest.mark.parametrize("when", ["starts", "ends"])
@pytest.mark.parametrize("method", ["GET", "DELETE", "POST"])
def test_a_page_that_starts_or_ends_asks_to_wait(page: Page, method: str, when: str) -> None:
    """Status 503 with Retry-After: nothing is begun that nobody would end."""
    question = {"question": "best", "position": page.start()}
    path = "/api/jobs" if method == "POST" else "/api/jobs/x"
    status, headers, data = reply(method, path, question, ended=when == "ends")
    assert status == 503
    assert int(headers["retry-after"]) > 0
    assert "starting or ending" in data["error"]


def test_a_solve_ends_with_the_page(page: Page) -> None:
    """When nobody listens any more there is no reason to go on."""
    keys = page.new("castle", seed=4)
    ask = json.dumps({"question": "max", "position": keys, "seconds": MOST_SECONDS})
    with worker(ask, "pass") as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=WAIT) == 1


@pytest.mark.parametrize(("name", "move"), ATTEMPTS)
def test_the_judge_rehearses_what_needs_a_search(name: str, move: str) -> None:
    """A stored answer would load nothing."""
    asked = AttemptBody(set=SHIPPED, puzzle=name, answer=move, played=[])
    known = judged_at_once(PuzzleSets(), asked)
    assert not known.whole
    assert known.response is not None
    assert not known.response["right"]
    found = puzzle(find(name))
    assert judge(found.position, read_move(found.position, move)).legal


def test_a_first_move_that_is_not_stored_gets_its_verdict_before_the_search() -> None:
    """A shipped puzzle stores every best one; other sets wait for the judge."""
    sets, (name, move) = PuzzleSets(), ATTEMPTS[0]
    own = sets.take("mine", [puzzle(find(name))]).id
    for home, known in ((SHIPPED, True), (own, False)):
        told = judged_at_once(sets, AttemptBody(set=home, puzzle=name, answer=move))
        assert not told.whole
        assert (told.response is not None) is known
        if told.response is not None:
            assert (told.response["right"], told.response["lost"]) == (False, None)


SLOW = """
import json, os, sys
def tell(**data): print(json.dumps(data), flush=True)
tell(stage="compiling")
sys.stdin.readline()
tell(ready=True)
for line in sys.stdin:
    tell(answer={"pid": os.getpid()})
"""
"""A judge that is ready when something lets it."""


def test_who_gives_up_while_the_judge_gets_ready_leaves_it_alone(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question hears what is compiled; the next one is answered by the same process."""
    begun = []

    async def slow(*_: str) -> asyncio.subprocess.Process:
        pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
        begun.append(await asyncio.create_subprocess_exec(sys.executable, "-c", SLOW, **pipes))
        return begun[-1]

    monkeypatch.setattr(jobs, "worker", slow)
    monkeypatch.setattr(jobs, "_LOOK", 0.01)
    ask = ReplyBody(position=page.start(), level=1)

    async def both() -> jobs.Job:
        queue = Jobs()
        first = queue.submit(ask)
        for _ in range(LOOKS):
            await asyncio.sleep(0.01)
            if first.stage == "compiling":
                break
        await queue.cancel(first)
        second = queue.submit(ask)
        begun[0].stdin.write(b"\n")
        assert second.task is not None
        await second.task
        await queue.close()
        return second

    answered = asyncio.run(both())
    assert answered.answer == {"pid": begun[0].pid}
    assert len(begun) == 1


GONE = """
import json, sys
print(json.dumps({"ready": True}), flush=True)
sys.stdin.readline()
"""
"""A process that ends at its question, without an answer."""


def test_an_attempt_is_not_over_while_another_judge_may_answer_it(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A judge that breaks down is replaced once; whoever asks meanwhile hears of no failure."""
    states = []

    async def fleeting(*_: str) -> asyncio.subprocess.Process:
        pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
        return await asyncio.create_subprocess_exec(sys.executable, "-c", GONE, **pipes)

    async def watched(process: asyncio.subprocess.Process, patience: float) -> None:
        states.append(job.state)
        await end(process, patience)

    async def broken() -> None:
        await jobs.Judge().answer(job)

    end = jobs._end
    monkeypatch.setattr(jobs, "worker", fleeting)
    monkeypatch.setattr(jobs, "_end", watched)
    job = jobs.Job(id="one", ask=ReplyBody(position=page.start(), level=1))
    asyncio.run(broken())
    assert states == ["running", "running"]
    assert (job.state, job.message) == ("failed", jobs._BROKEN)
