"""The application behind the page: its routes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from burgrave.cli.serve import (
    catalogue,
    documents,
    editing,
    practising,
    reviewing,
    rulebook,
    static,
    table,
    trainer,
)
from burgrave.cli.serve.bodies import (
    AboutMatch,
    AboutPosition,
    AskBody,
    AttemptBody,
    Body,
    FittingBody,
    HarvestBody,
    KindBody,
    MatchBody,
    MoveBody,
    NewBody,
    PictureBody,
    PlacesBody,
    PlayBody,
    ReadBody,
    RecordBody,
    ReplyBody,
    RetryBody,
    ReviewBody,
    RulesBody,
    SetBody,
    Solvable,
    TurnsBody,
    ViewBody,
    WriteBody,
)
from burgrave.cli.serve.entrance import Entrance, Visitor
from burgrave.cli.serve.guard import Guard
from burgrave.cli.serve.jobs import Job, Jobs, QueueFullError
from burgrave.cli.serve.limits import KEPT_LOOKS
from burgrave.cli.serve.puzzle_sets import PuzzleSets
from burgrave.cli.serve.refusals import RefusalError
from burgrave.cli.serve.replies import BusyError, Light, body, explained, refused
from burgrave.model.errors import BurgraveError

B = TypeVar("B", bound=Body)
Endpoint = Callable[[Request], Awaitable[Response]]


def application(  # noqa: PLR0913 -- what the command knows
    start: dict[str, Any],
    sets: PuzzleSets,
    first: str | None = None,
    entrance: Entrance | None = None,
    *,
    named: bool = True,
    site: str | None = None,
) -> ASGIApp:
    """Return the application.

    Args:
        start: the keys of the position that the page opens with.
        sets: the sets of puzzles.
        first: the id of the set that the page opens with; None to open with the position.
        entrance: the way in from the network; None for a page of this machine alone.
        named: whether the user named the position; else a first screen comes before it.
        site: the address of a published copy that shows what links hold; None for none.

    """
    light = Light()
    begin = {"position": start, "set": first, "named": named, "site": site}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.jobs = jobs = Jobs()
        preparing = asyncio.create_task(_make_ready(app, first_view))
        try:
            yield
        finally:
            # First, so that no solve starts without a process that ends it.
            app.state.jobs = None
            await jobs.close()
            await preparing

    look = remembered(ViewBody, table.view)
    tiles = remembered(AboutPosition, catalogue.tiles)

    def first_view() -> None:
        look(ViewBody(position=start))
        tiles(AboutPosition(position=documents.set_keys(start)))

    def posted(path: str, model: type[B], work: Callable[[B], dict[str, Any]]) -> Route:
        async def endpoint(request: Request) -> Response:
            return await light.do(partial(work, await body(request, model)))

        return Route(path, endpoint, methods=["POST"])

    def got(path: str, work: Callable[..., dict[str, Any]]) -> Route:
        async def endpoint(request: Request) -> Response:
            return await light.do(partial(work, **request.path_params))

        return Route(path, endpoint, methods=["GET"])

    async def attempt(request: Request) -> Response:
        """Judge an attempt: at once if the puzzle tells all, else as a solve."""
        asked = await body(request, AttemptBody)
        known = await light.run(partial(trainer.judged_at_once, sets, asked))
        if known.whole:
            return JSONResponse({"state": "done", "answer": known.response})
        question = await light.run(partial(trainer.trial, sets, asked))
        job = _submitted(request, question, known.response)
        await _jobs(request).soon(job)
        return JSONResponse(job.data(), 200 if job.over else 202)

    async def puzzle_set(request: Request) -> Response:
        """List a set, and start the judge if it has ended: the user is about to try a puzzle."""
        asked = dict(request.query_params)
        found = await light.run(lambda: sets.find(request.path_params["set_id"]).data(asked))
        _jobs(request).judge.warm()
        return JSONResponse(found)

    app = Starlette(
        routes=[
            *(Route(path, static.show) for path in static.assets()),
            got("/api/start", lambda: begin),
            Route("/api/ready", ready, methods=["GET"]),
            got("/api/games", catalogue.games),
            got("/api/sample", reviewing.sample),
            posted("/api/new", NewBody, catalogue.new),
            posted("/api/tiles", AboutPosition, tiles),
            posted("/api/read", ReadBody, catalogue.read),
            posted("/api/write", WriteBody, table.write),
            posted("/api/view", ViewBody, look),
            posted("/api/picture", PictureBody, table.drawn),
            posted("/api/links", AboutPosition, partial(table.linked, site)),
            posted("/api/links/record", RecordBody, partial(reviewing.linked_record, site)),
            posted("/api/places", PlacesBody, table.places),
            posted("/api/fitting", FittingBody, editing.fitting),
            posted("/api/fits", AboutPosition, table.fits),
            posted("/api/kind", KindBody, editing.kind_made),
            posted("/api/turns", TurnsBody, table.turns),
            posted("/api/rules", RulesBody, rulebook.found),
            got("/api/rules/{rule_id}", rulebook.told),
            got("/api/cards/{card_id}", rulebook.case),
            posted("/api/judge", MoveBody, table.judged),
            posted("/api/play", PlayBody, table.played),
            posted("/api/matches", MatchBody, practising.turn_played),
            posted("/api/matches/record", AboutMatch, practising.recorded),
            solved("/api/jobs", AskBody),
            Route("/api/attempts", attempt, methods=["POST"]),
            solved("/api/reviews", ReviewBody),
            solved("/api/harvests", HarvestBody),
            solved("/api/replies", ReplyBody),
            solved("/api/retries", RetryBody),
            posted("/api/record", RecordBody, reviewing.opened_record),
            Route("/api/jobs/{job_id}", begun, methods=["GET", "DELETE"]),
            Route("/api/jobs/{job_id}/enough", enough, methods=["POST"]),
            posted("/api/sets", SetBody, lambda asked: sets.add(asked.title, asked.text).data()),
            Route("/api/sets/{set_id}", puzzle_set, methods=["GET"]),
            got("/api/sets/{set_id}/{puzzle_id}", partial(trainer.puzzle, sets)),
            got("/api/sets/{set_id}/{puzzle_id}/picture", partial(trainer.picture, sets)),
            got("/api/sets/{set_id}/{puzzle_id}/hints/{number}", partial(trainer.hint, sets)),
            got("/api/sets/{set_id}/{puzzle_id}/solution", partial(trainer.solution, sets)),
        ],
        middleware=[Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers={
            RefusalError: _refused,
            BurgraveError: _explained,
            HTTPException: _not_so,
            Exception: _failed,
        },
        lifespan=lifespan,
    )
    return Guard(app, entrance)


async def _make_ready(app: Starlette, first_view: Callable[[], object]) -> None:
    """Do beforehand what a user would wait for: the first view, the judge, all else."""
    await asyncio.to_thread(first_view)
    if app.state.jobs is not None:
        app.state.jobs.judge.warm()
    await asyncio.to_thread(catalogue.prepare)
    await asyncio.to_thread(rulebook.prepare)


def remembered(
    model: type[B], work: Callable[[B], dict[str, Any]]
) -> Callable[[B], dict[str, Any]]:
    """Return some work that keeps its last results: a position is looked at again and again."""

    @lru_cache(maxsize=KEPT_LOOKS)
    def by_text(text: str) -> dict[str, Any]:
        return work(model.model_validate_json(text))

    return lambda asked: by_text(asked.model_dump_json())


def solved(
    path: str, model: type[AskBody | ReviewBody | HarvestBody | ReplyBody | RetryBody]
) -> Route:
    """Return the route on which questions of one form begin a solve."""

    async def endpoint(request: Request) -> Response:
        return JSONResponse(_submitted(request, await body(request, model)).data(), 202)

    return Route(path, endpoint, methods=["POST"])


def _submitted(request: Request, question: Solvable, known: dict[str, Any] | None = None) -> Job:
    """Begin a solve.

    Args:
        request: who asks.
        question: the question.
        known: a part of the answer that is known already.

    Raises:
        BusyError: too many are at work or wait.

    """
    try:
        job = _jobs(request).submit(question, _visitor(request))
    except QueueFullError as error:
        raise BusyError(str(error)) from error
    job.parts += [known] if known else []
    return job


async def begun(request: Request) -> Response:
    """Tell how far a solve is, or end it; its process is gone then when the answer comes."""
    job = _job(request)
    if request.method == "DELETE":
        await _jobs(request).cancel(job)
    return JSONResponse(job.data())


async def ready(request: Request) -> Response:
    """Tell whether the solver is ready, or what it prepares: it compiles code once a machine."""
    return JSONResponse(_jobs(request).judge.data())


async def enough(request: Request) -> Response:
    """Let a solve end with what it has, and tell what that is."""
    job = _job(request)
    await _jobs(request).enough(job)
    return JSONResponse(job.data())


def _jobs(request: Request) -> Jobs:
    """Return the solves of the page.

    Raises:
        BusyError: the page is starting or ending.

    """
    found: Jobs | None = getattr(request.app.state, "jobs", None)
    if found is None:
        raise BusyError("the page is starting or ending; ask again in a moment")
    return found


def _visitor(request: Request) -> Visitor | None:
    """Return the sender of a request from the network; None on a page of this machine alone."""
    found: Visitor | None = getattr(request.state, "visitor", None)
    return found


def _job(request: Request) -> Job:
    """Return the solve that a request names.

    Raises:
        RefusalError: there is none of that id, or another session asked for it.

    """
    job = _jobs(request).find(request.path_params["job_id"], _visitor(request))
    if job is None:
        raise RefusalError(404, "there is no such solve; its answer may be too old")
    return job


async def _refused(_: Request, error: Exception) -> Response:
    """Answer with a message."""
    assert isinstance(error, RefusalError)
    return refused(error)


async def _explained(_: Request, error: Exception) -> Response:
    """Answer with the message of the library."""
    assert isinstance(error, BurgraveError)
    return refused(explained(error))


async def _not_so(_: Request, error: Exception) -> Response:
    """Answer an unknown path or method."""
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    told = {
        404: "this page has nothing at this address",
        405: f"this address cannot be asked with this method, but with {headers.get('Allow')}",
    }.get(error.status_code, error.detail)
    return JSONResponse({"error": told, "problems": []}, error.status_code, headers)


async def _failed(_: Request, __: Exception) -> Response:
    """Answer after a bug of this program; the server prints its traceback."""
    return JSONResponse(
        {"error": "the page has a bug here; its server told more", "problems": []}, 500
    )
