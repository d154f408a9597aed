"""From request to answer: bodies read within limits, work done in threads, errors as messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread
from pydantic import ValidationError  # noqa: TID253 -- the request models
from pydantic_core import from_json
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from burgrave.cli.render.findings import finding_data
from burgrave.cli.serve.bodies import Body
from burgrave.cli.serve.documents import Problem, problem, problems_of
from burgrave.cli.serve.limits import (
    BODY_SECONDS,
    LIGHT_THREADS,
    LIGHT_WAITING,
    MOST_BYTES,
    RETRY_SECONDS,
)
from burgrave.cli.serve.refusals import RefusalError
from burgrave.model.errors import BurgraveError, FileError, FindingsError

B = TypeVar("B", bound=Body)
T = TypeVar("T")
_FAULTS = {"missing": "is missing", "extra_forbidden": "no such key"}
"""Faults of a body, by pydantic's names, in the words that files have for them."""


class BusyError(RefusalError):
    """More is asked than can be answered now."""

    def __init__(self, message: str) -> None:
        """Ask to come again later."""
        super().__init__(503, message)


def refused(error: RefusalError) -> Response:
    """Return the answer to a request that is refused."""
    headers = {"Retry-After": str(RETRY_SECONDS)} if error.status in {429, 503} else {}
    data = {"error": str(error), "problems": error.problems}
    return JSONResponse(data, error.status, headers)


async def body(request: Request, model: type[B]) -> B:
    """Read the body of a request.

    Raises:
        RefusalError: it is no JSON, too large, too slow, or of a wrong form.

    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        # The form of another page cannot send this type.
        raise RefusalError(415, "the body must be of type application/json")
    data = _parsed(await _bytes(request))
    if not isinstance(data, dict):
        raise RefusalError(422, "the body must be a JSON object: { … }")
    try:
        return model.model_validate(data)
    except ValidationError as error:
        parts = error.errors(include_url=False, include_input=False, include_context=False)
        problems = [
            problem(_FAULTS.get(part["type"], part["msg"]), ".".join(map(str, part["loc"])))
            for part in parts
        ]
        lines = [f"{one['at']}: {one['message']}".removeprefix(": ") for one in problems]
        raise RefusalError(422, "\n".join(lines), problems) from error


async def _bytes(request: Request) -> bytes:
    """Return the bytes of a body.

    Raises:
        RefusalError: there are too many, or they come too slowly.

    """
    found = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                found += chunk
                if len(found) > MOST_BYTES:
                    raise RefusalError(413, f"the body is larger than {MOST_BYTES} bytes")
    except TimeoutError as error:
        raise RefusalError(408, "the body did not come in time") from error
    except ClientDisconnect as error:
        raise RefusalError(400, "the body broke off") from error
    return bytes(found)


def _parsed(data: bytes) -> Any:
    """Parse JSON.

    Raises:
        RefusalError: it is none, is nested too deeply, or holds what could not be sent back.

    """
    try:
        # This parser refuses NaN, half a surrogate pair, and what is nested too deeply to be sent
        # back. It reads 1e999 as infinity.
        found = from_json(data, allow_inf_nan=False)
        json.dumps(found, allow_nan=False)
    except ValueError as error:
        raise RefusalError(400, f"the body cannot be read as JSON: {error}") from error
    return found


class Light:
    """Runs short work in a few threads, so that the page answers while others think."""

    def __init__(self) -> None:
        """Begin with all threads free."""
        self._threads = CapacityLimiter(LIGHT_THREADS)

    async def do(self, work: Callable[[], dict[str, Any]]) -> Response:
        """Answer with the result of some work, as ``run`` does it."""
        return JSONResponse(await self.run(work))

    async def run(self, work: Callable[[], T]) -> T:
        """Do some work.

        Raises:
            RefusalError: too much waits already, or a user's input cannot be used.

        """
        if self._threads.statistics().tasks_waiting >= LIGHT_WAITING:
            raise BusyError("too many requests at once")
        return await to_thread.run_sync(work, limiter=self._threads)


def explained(error: BurgraveError) -> RefusalError:
    """Return an error of the library as an answer, with every problem that it lists."""
    problems: Sequence[Problem] = ()
    if isinstance(error, FileError):
        problems = problems_of(error)
    elif isinstance(error, FindingsError):
        problems = [dict(finding_data(finding)) for finding in error.findings]
    return RefusalError(422, str(error), problems)
