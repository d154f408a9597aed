"""How solves and the judge end: their processes are gone, whatever comes between."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys

import pytest

from burgrave.cli.serve import jobs
from burgrave.cli.serve.bodies import AskBody, ReplyBody
from burgrave.cli.serve.jobs import Job, Jobs, Judge, State

ASK = AskBody.model_validate({"question": "win", "position": {}})
REPLY = ReplyBody.model_validate({"position": {}, "level": 1})
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
SILENT = "import sys; sys.stdin.read()"
"""A process that answers nothing."""
ANSWERING = "print('{\"answer\": {}}', flush=True); " + SILENT
"""A process that answers, and does not end by itself."""


class Workers:
    """Processes that run a short program instead of a solve; each knows whether it is gone."""

    def __init__(self, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.program = program
        self.begun: list[asyncio.subprocess.Process] = []
        self.started = asyncio.Event()
        self.ending = asyncio.Event()
        """Set when the end of a process begins."""
        self.may_end = asyncio.Event()
        """The end of a process waits for it."""
        self._end = jobs._end
        monkeypatch.setattr(jobs, "worker", self.worker)
        monkeypatch.setattr(jobs, "_end", self.end)

    async def worker(self, *_: str) -> asyncio.subprocess.Process:
        """Start one."""
        command = sys.executable, "-c", self.program
        self.begun.append(await asyncio.create_subprocess_exec(*command, **PIPES))
        self.started.set()
        return self.begun[-1]

    async def end(self, process: asyncio.subprocess.Process, _: float) -> None:
        """End one, when it may end."""
        self.ending.set()
        try:
            await self.may_end.wait()
        finally:
            await self._end(process, 0.0)


def test_a_page_ends_after_the_process_of_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solve is over with its answer, but its process is not yet gone."""

    async def check() -> None:
        workers = Workers(ANSWERING, monkeypatch)
        queue = Jobs()
        job = queue.submit(ASK)
        await workers.ending.wait()
        assert job.state is State.DONE
        closing = asyncio.create_task(queue.close())
        cancelling = asyncio.create_task(queue.cancel(job))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not closing.done()
        assert not cancelling.done()
        workers.may_end.set()
        await asyncio.gather(closing, cancelling)
        assert job.state is State.DONE
        assert workers.begun[0].returncode == -signal.SIGKILL

    asyncio.run(check())


def test_a_solve_is_cancelled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another request for it waits for the same end, and does not break it off."""

    async def check() -> None:
        workers = Workers(SILENT, monkeypatch)
        queue = Jobs()
        job = queue.submit(ASK)
        await workers.started.wait()
        first = asyncio.create_task(queue.cancel(job))
        await workers.ending.wait()
        second = asyncio.create_task(queue.cancel(job))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert job.task is not None
        assert job.task.cancelling() == 1
        assert not first.done()
        assert not second.done()
        workers.may_end.set()
        await asyncio.gather(first, second)
        assert job.state is State.CANCELLED
        assert workers.begun[0].returncode == -signal.SIGKILL

    asyncio.run(check())


def test_a_judge_that_is_just_started_ends_with_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process is not known yet; whoever starts it takes it back."""

    async def check() -> bool:
        starting, gone = asyncio.Event(), asyncio.Event()

        async def slow(*_: str) -> asyncio.subprocess.Process:
            starting.set()
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                gone.set()
            raise AssertionError

        monkeypatch.setattr(jobs, "worker", slow)
        judge = Judge()
        judge.warm()
        await starting.wait()
        await judge.close()
        return gone.is_set()

    assert asyncio.run(check())


@pytest.mark.parametrize("ask", [ASK, REPLY], ids=["solve", "attempt"])
def test_a_solve_without_a_process_fails(
    monkeypatch: pytest.MonkeyPatch, ask: AskBody | ReplyBody
) -> None:
    """Where the system starts no more processes, whoever waits is told."""

    async def none(*_: str) -> asyncio.subprocess.Process:
        raise BlockingIOError

    async def check() -> Job:
        queue = Jobs()
        job = queue.submit(ask)
        assert job.task is not None
        await job.task
        await queue.close()
        return job

    monkeypatch.setattr(jobs, "worker", none)
    job = asyncio.run(check())
    assert (job.state, job.message) == (State.FAILED, jobs._BROKEN)


def test_the_end_of_a_process_is_left_to_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks whether a process has ended takes its exit code, and the loop complains."""

    async def check() -> int | None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", SILENT, **PIPES)
        monkeypatch.delattr(subprocess.Popen, "poll")
        await jobs._end(process, 0.0)
        jobs._kill(process)  # as the idle judge, which may be gone
        return process.returncode

    assert asyncio.run(check()) == -signal.SIGKILL
