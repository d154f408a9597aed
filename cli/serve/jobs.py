"""Solves: each in a process of its own that can be killed, a few at a time, the rest in a queue."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import sys
import time
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from cli.serve.bodies import Solvable
from cli.serve.limits import (
    GRACE_SECONDS,
    KEPT_JOBS,
    MOST_ANSWER_BYTES,
    SOLVES,
    SOLVES_WAITING,
)


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


HOME = os.pathsep.join(
    filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
)
"""The folder of this program for a process, installed or not.

An empty entry would be the folder in which the page was started."""
_PATIENCE = 2.0
"""Seconds within which a process must end after its answer."""
_BROKEN = "the solve broke down; it may have needed too much memory"
_OPEN = frozenset({State.WAITING, State.RUNNING})


class QueueFullError(Exception):
    """So many solves run and wait that no more are taken."""


@dataclass(slots=True, kw_only=True)
class Job:
    """A solve, from question to answer."""

    id: str
    ask: Solvable
    state: State = State.WAITING
    stage: str = ""
    found: str | None = None
    """The best value so far, not proved."""
    answer: dict[str, Any] | None = None
    message: str = ""
    """The reason for a missing answer."""
    note: str = ""
    """The notes of its process on the system."""
    begun: float = field(default_factory=time.monotonic)
    task: asyncio.Task[None] | None = None

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
            "seconds": round(time.monotonic() - self.begun, 1),
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

    def submit(self, ask: Solvable) -> Job:
        """Take a question.

        Raises:
            QueueFullError: too many are at work or wait.

        """
        if sum(not job.over for job in self._jobs.values()) >= SOLVES + SOLVES_WAITING:
            raise QueueFullError
        for old in [job for job in self._jobs.values() if job.over][: -KEPT_JOBS or None]:
            del self._jobs[old.id]
        job = Job(id=secrets.token_urlsafe(9), ask=ask)
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job))
        return job

    def find(self, job_id: str) -> Job | None:
        """Return a solve by its id, if it is kept."""
        return self._jobs.get(job_id)

    async def cancel(self, job: Job) -> None:
        """End a solve; its process is gone when this returns."""
        if job.task is not None and not job.over:
            job.task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await job.task
            job.state = State.CANCELLED

    async def close(self) -> None:
        """End all solves."""
        for job in list(self._jobs.values()):
            await self.cancel(job)

    async def _run(self, job: Job) -> None:
        """Wait for a slot, then let a process answer."""
        async with self._slots:
            job.state, job.begun = State.RUNNING, time.monotonic()
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # the folder that the page was started in holds no code of ours
                "-m",
                "cli.serve.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=MOST_ANSWER_BYTES,
                env={**os.environ, "PYTHONPATH": HOME},
            )
            patience = _PATIENCE
            try:
                async with asyncio.timeout(job.ask.seconds + GRACE_SECONDS):
                    await _listen(job, process)
            except TimeoutError:
                patience = 0.0
                job.state = State.FAILED
                job.message = "no answer came in the time; the solve was stopped"
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


async def _listen(job: Job, process: asyncio.subprocess.Process) -> None:
    """Ask the question and hear what the process tells, up to its last line.

    Raises:
        OSError: it does not listen.
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
        job.note = told.get("note", job.note)
        if "answer" in told:
            job.state, job.answer = State.DONE, told["answer"]
            return
        for state in (State.REFUSED, State.FAILED):
            if state in told:
                job.state, job.message = state, told[state]
                return
    job.state, job.message = State.FAILED, _BROKEN


async def _end(process: asyncio.subprocess.Process, patience: float) -> None:
    """Wait until a process is gone; kill it if it is not so soon.

    One that has told its answer goes by itself: to kill what is just ending would take its exit
    code away from the event loop.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(patience):
            await process.wait()
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
