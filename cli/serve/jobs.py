"""Solves: each in a process of its own that can be killed, a few at a time, the rest in a queue."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import signal
import sys
import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from burgrave.cli.serve.bodies import Quick, Solvable
from burgrave.cli.serve.entrance import Visitor
from burgrave.cli.serve.limits import (
    ENOUGH_SECONDS,
    GRACE_SECONDS,
    IDLE_SECONDS,
    KEPT_JOBS,
    MOST_ANSWER_BYTES,
    SHORT_SECONDS,
    SHORTEST_SECONDS,
    SOLVES,
    SOLVES_WAITING,
    VISITOR_JOBS,
    VISITOR_SOLVES,
)
from burgrave.cli.serve.worker import STAY
from burgrave.model.files.paths import HOME


class State(StrEnum):
    """The stage of a solve."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    """It has an answer."""
    REFUSED = "refused"
    """The question cannot be asked of this position."""
    FAILED = "failed"
    """Its process broke down, or took too long and was killed."""
    CANCELLED = "cancelled"


PATH = os.pathsep.join(filter(None, [str(HOME), os.environ.get("PYTHONPATH", "")]))
"""The folder of this program for a process, installed or not.

An empty entry would be the folder in which the page was started."""
_PATIENCE = 2.0
"""Seconds within which a process must end after its answer."""
_LOOK = 0.1
"""Seconds between two looks at a process that gets ready."""
_BROKEN = "the solve broke down; it may have needed too much memory"
_LATE = "no answer came in the time; the solve was stopped"
_OPEN = frozenset({State.WAITING, State.RUNNING})


class QueueFullError(Exception):
    """So many solves run and wait that no more are taken; the message says whose."""


@dataclass(slots=True, kw_only=True)
class Job:
    """A solve, from question to answer."""

    id: str
    ask: Solvable
    visitor: Visitor | None = None
    """Who asked from the network; None on this machine alone."""
    state: State = State.WAITING
    stage: str = ""
    found: str | None = None
    """The best value so far, not proved."""
    sketch: dict[str, Any] | None = None
    """The best move so far of an estimate, with its lead and the games played."""
    parts: list[dict[str, Any]] = field(default_factory=list)
    """The finished parts of a long answer: the turns of a review, what is known of an attempt."""
    answer: dict[str, Any] | None = None
    message: str = ""
    """The reason for a missing answer."""
    note: str = ""
    """The notes of its process on the system."""
    begun: float = field(default_factory=time.monotonic)
    task: asyncio.Task[None] | None = None
    process: asyncio.subprocess.Process | None = None
    """Its process, while that is at work for it alone."""

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.state not in _OPEN

    def data(self) -> dict[str, Any]:
        """Return its current state."""
        return {
            "id": self.id,
            "question": self.ask.question,
            "state": str(self.state),
            "stage": self.stage,
            "found": self.found,
            "sketch": self.sketch,
            "seconds": round(time.monotonic() - self.begun, 1),
            "parts": self.parts,
            "answer": self.answer,
            "message": self.message,
        }


class Jobs:
    """All solves of a page."""

    def __init__(self) -> None:
        """Begin without any."""
        self._jobs: dict[str, Job] = {}
        self._slots = asyncio.Semaphore(SOLVES)
        self._notes: set[str] = set()
        self.judge = Judge()

    def submit(self, ask: Solvable, visitor: Visitor | None = None) -> Job:
        """Take a question.

        Args:
            ask: the question.
            visitor: who asks from the network; None on this machine alone.

        Raises:
            QueueFullError: too many are at work or wait.

        """
        if sum(not job.over for job in self._jobs.values()) >= SOLVES + SOLVES_WAITING:
            raise QueueFullError("enough questions are being answered; ask again in a moment")
        kept, theirs = KEPT_JOBS, list(self._jobs.values())
        if visitor is not None:
            kept = VISITOR_JOBS
            theirs = [
                job for job in theirs if job.visitor and job.visitor.address == visitor.address
            ]
            if sum(not job.over for job in theirs) >= VISITOR_SOLVES:
                raise QueueFullError(
                    f"{VISITOR_SOLVES} questions of yours are being answered; wait or end one"
                )
        for old in [job for job in theirs if job.over][: -kept or None]:
            del self._jobs[old.id]
        job = Job(id=secrets.token_urlsafe(16), ask=ask, visitor=visitor)
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job))
        return job

    async def soon(self, job: Job) -> None:
        """Wait a moment for a short solve, so that nobody asks again for what is nearly there.

        The moment is shorter where a part of the answer is known already.
        """
        if job.task is not None:
            await asyncio.wait({job.task}, timeout=SHORTEST_SECONDS if job.parts else SHORT_SECONDS)

    def find(self, job_id: str, visitor: Visitor | None = None) -> Job | None:
        """Return a solve by its id, if it is kept and was asked for in the same session."""
        job = self._jobs.get(job_id)
        session = None if visitor is None else visitor.session
        asked = None if job is None or job.visitor is None else job.visitor.session
        return job if session == asked else None

    async def cancel(self, job: Job) -> None:
        """End a solve; its process is gone when this returns."""
        if job.task is None:
            return
        # A second request must not interrupt the end of the process that the first one began.
        if not job.over and not job.task.cancelling():
            job.task.cancel()
        await asyncio.wait({job.task})
        if not job.over:
            job.state = State.CANCELLED

    async def enough(self, job: Job) -> None:
        """Let a solve end with what it has found, as Ctrl-C does; it is killed if it lingers.

        Where a process cannot be interrupted, it is killed at once.
        """
        if job.over or job.task is None:
            return
        if job.process is not None and _interrupted(job.process):
            await asyncio.wait({job.task}, timeout=ENOUGH_SECONDS)
        if not job.over:
            await self.cancel(job)

    async def close(self) -> None:
        """End all solves."""
        for job in list(self._jobs.values()):
            await self.cancel(job)
        await self.judge.close()

    async def _run(self, job: Job) -> None:
        """Wait for a slot, then let a process answer."""
        if isinstance(job.ask, Quick):
            await self.judge.answer(job)
            self._pass_on(job.note)
            return
        async with self._slots:
            job.state, job.begun = State.RUNNING, time.monotonic()
            try:
                process = await worker()
            except OSError:  # the system starts no more
                job.state, job.message = State.FAILED, _BROKEN
                return
            job.process, patience = process, _PATIENCE
            try:
                async with asyncio.timeout(job.ask.seconds + GRACE_SECONDS):
                    await _listen(job, process)
            except TimeoutError:
                patience = 0.0
                job.state = State.FAILED
                job.message = _LATE
            except asyncio.CancelledError:
                patience = 0.0
                raise
            except (OSError, ValueError):  # it is gone, or its answer is
                job.state, job.message = State.FAILED, _BROKEN
            finally:
                self._pass_on(job.note)
                await _end(process, patience)

    def _pass_on(self, note: str) -> None:
        """Show a note once to the user who started the page."""
        if note and note not in self._notes:
            self._notes.add(note)
            sys.stderr.write(f"{note}\n")


class Judge:
    """The one process for attempts and opponents' moves: it stays, so that nobody waits for it."""

    def __init__(self) -> None:
        """Begin without the process."""
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._starting: asyncio.Task[asyncio.subprocess.Process] | None = None
        self._ending: asyncio.TimerHandle | None = None
        self._stage = ""
        self._note = ""

    def warm(self) -> None:
        """Start the process if there is none, so that it is ready for the first attempt."""
        if self._starting is None or (
            self._starting.done()
            and (self._process is None or self._process.returncode is not None)
        ):
            self._starting = asyncio.create_task(self._started())

    def data(self) -> dict[str, Any]:
        """Return whether the process is ready, and what it prepares."""
        ready = self._starting is not None and self._starting.done()
        return {"ready": ready, "stage": "" if ready else self._stage}

    async def answer(self, job: Job) -> None:
        """Let the process answer; one that breaks down is replaced once.

        A question that is taken back while the process still starts leaves it alone.
        """
        async with self._lock:
            job.state, job.begun = State.RUNNING, time.monotonic()
            for _ in range(2):
                with contextlib.suppress(OSError, ValueError):
                    process = await self._ready(job)
                    try:
                        async with asyncio.timeout(job.ask.seconds + GRACE_SECONDS):
                            await _listen(job, process)
                    except TimeoutError:
                        job.state, job.message = State.FAILED, _LATE
                        await self._renew()
                    except asyncio.CancelledError:
                        await self._renew()
                        raise
                    return
                await self._stop(_PATIENCE)
            job.state, job.message = State.FAILED, _BROKEN

    async def close(self) -> None:
        """End the process."""
        async with self._lock:
            await self._stop()

    async def _started(self) -> asyncio.subprocess.Process:
        """Start the process and hear what it prepares, until it is ready or gone."""
        self._process = process = await worker(STAY)
        self._let_rest(process)
        assert process.stdout is not None
        while line := await process.stdout.readline():
            told = json.loads(line)
            self._stage = told.get("stage", "")
            self._note = told.get("note", self._note)
            if "ready" in told:
                break
        return process

    async def _ready(self, job: Job) -> asyncio.subprocess.Process:
        """Return the process when it is ready; a question meanwhile tells what it prepares."""
        self.warm()
        assert self._starting is not None
        while not self._starting.done():
            job.stage = self._stage
            await asyncio.wait({self._starting}, timeout=_LOOK)
        job.stage, job.note = "", self._note
        process = self._starting.result()
        self._let_rest(process)
        return process

    def _let_rest(self, process: asyncio.subprocess.Process) -> None:
        """End the process if nobody needs it for long."""
        if self._ending is not None:
            self._ending.cancel()
        self._ending = asyncio.get_running_loop().call_later(IDLE_SECONDS, _kill, process)

    async def _renew(self) -> None:
        """Stop what the process does, and start another one for the next question."""
        await self._stop()
        self.warm()

    async def _stop(self, patience: float = 0.0) -> None:
        """End the process, if there is one; kill it if it is not gone so soon."""
        if self._ending is not None:
            self._ending.cancel()
        starting, self._starting = self._starting, None
        try:
            if starting is not None:
                starting.cancel()
                # It may be starting the process just now, which nobody else would end.
                await asyncio.gather(starting, return_exceptions=True)
        finally:
            process, self._process = self._process, None
            if process is not None:
                await _end(process, patience)


async def worker(*arguments: str) -> asyncio.subprocess.Process:
    """Start a process that answers questions."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # the folder that the page was started in holds no code of ours
        "-m",
        "burgrave.cli.serve.worker",
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=MOST_ANSWER_BYTES,
        env={**os.environ, "PYTHONPATH": PATH},
    )


async def _listen(job: Job, process: asyncio.subprocess.Process) -> None:
    """Send the question and read the process's lines up to the last.

    Raises:
        OSError: it does not listen, or is gone before its answer. The job is not over then:
            whoever asks may let another process answer.
        ValueError: it tells nothing that can be read.

    """
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(job.ask.model_dump_json().encode() + b"\n")
    await process.stdin.drain()
    while line := await process.stdout.readline():
        told = json.loads(line)
        job.stage = told.get("stage", job.stage)
        job.found = told.get("found", job.found)
        job.sketch = told.get("sketch", job.sketch)
        job.note = told.get("note", job.note)
        if "part" in told:
            job.parts.append(told["part"])
        if "answer" in told:
            job.state, job.answer = State.DONE, told["answer"]
            return
        for state in (State.REFUSED, State.FAILED):
            if state in told:
                job.state, job.message = state, told[state]
                return
    raise ConnectionResetError


async def _end(process: asyncio.subprocess.Process, patience: float) -> None:
    """Wait until a process is gone; kill it if it is not so soon, or if nobody waits any more."""
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await process.wait()
    finally:
        _kill(process)
        await process.wait()


def _interrupted(process: asyncio.subprocess.Process) -> bool:
    """Interrupt a process as Ctrl-C does; tell whether the system knows how."""
    if sys.platform == "win32" or process.returncode is not None:
        return False
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGINT)
    return True


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill a process, if it is not gone.

    ``Process.kill`` asks first whether the process has ended. In Python 3.11 this takes the exit
    code away from the event loop, which complains on standard error.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            if hasattr(signal, "SIGKILL"):
                os.kill(process.pid, signal.SIGKILL)
            else:  # Windows
                process.kill()
