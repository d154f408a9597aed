"""The process of one solve: a question on standard input, progress and the answer on output.

It ends when it is killed, at its limits, or at the end of its input, after the page has gone.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
from contextlib import suppress
from fractions import Fraction
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NoReturn

from burgrave.cli.serve.limits import GRACE_SECONDS, MOST_SECONDS, SOLVE_BYTES

if TYPE_CHECKING:
    from burgrave.solver.limits import Reporter

STAY = "--stay"
"""The argument of a process that answers one question after the other."""
_LOADING = "loading the solver"
_POLITENESS = 5
"""The niceness of a solve against the page itself (``os.nice``)."""


def tell(**data: Any) -> None:
    """Write one line of JSON."""
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


class _Stages(logging.Handler):
    """Tells as a stage what the kernel says of compiled code."""

    def emit(self, record: logging.LogRecord) -> None:
        """Tell a message."""
        tell(stage=record.getMessage())


def limit_means(*, polite: bool) -> str:
    """Take no more memory and time than a solve may have.

    Args:
        polite: whether to leave the processor to the page; who judges attempts keeps a user
            waiting, but not for long.

    Returns:
        A sentence on limits that the system lacks; empty if it has all.

    """
    if polite:
        with suppress(AttributeError, OSError):  # Windows has no such thing
            os.nice(_POLITENESS)
    try:
        import resource  # noqa: PLC0415 -- not on every system
    except ImportError:
        return "This system limits neither the memory nor the processor time of a solve."
    seconds = int(MOST_SECONDS + GRACE_SECONDS) * (os.cpu_count() or 1)
    limits = {
        "RLIMIT_AS": (SOLVE_BYTES, "memory"),
        "RLIMIT_CPU": (seconds, "processor time"),
        "RLIMIT_CORE": (0, "memory images"),
    }
    refused = []
    for name, (most, what) in limits.items():
        try:
            number = getattr(resource, name)
            hard = resource.getrlimit(number)[1]
            # Existing limits can be tightened but not lifted.
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(number, (bound, bound))
        except (AttributeError, OSError, ValueError):
            refused.append(what)
    return f"This system does not limit the {' and the '.join(refused)} of a solve." * bool(refused)


def end_with_input() -> None:
    """End the process as soon as no reader of the answer is left."""
    sys.stdin.buffer.read()
    os._exit(1)


def main() -> None:
    """Answer the question on standard input; with ``--stay`` one question after the other."""
    stays = STAY in sys.argv[1:]
    # A page in the background hears no Ctrl-C; a solve that is to end with what it has does.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    logging.getLogger("burgrave").addHandler(_Stages())
    unlimited = limit_means(polite=not stays)
    if unlimited:
        tell(note=unlimited)
    if stays:
        stay()
    # UTF-8 on every system, as the page writes it.
    line = sys.stdin.buffer.readline()
    tell(stage=_LOADING)
    threading.Thread(target=end_with_input, daemon=True).start()
    respond(line)
    os._exit(0)


def stay() -> NoReturn:
    """Answer questions until nobody asks any more, with everything loaded beforehand."""
    from burgrave.cli.serve.warming import attempts  # noqa: PLC0415 -- loads late

    waiting: SimpleQueue[bytes] = SimpleQueue()

    def hear() -> None:
        for line in sys.stdin.buffer:
            waiting.put(line)
        os._exit(1)

    threading.Thread(target=hear, daemon=True).start()
    tell(stage=_LOADING)
    with suppress(Exception):  # a question says better what does not work
        for asked in attempts():
            _answer(asked)
    tell(ready=True)
    while True:
        respond(waiting.get())


def respond(line: bytes) -> None:
    """Tell the answer to a question."""
    try:
        tell(answer=_answer(line))
    except KeyboardInterrupt:  # nothing was found yet
        tell(refused="It was stopped before anything was found.")
    except Exception as error:  # noqa: BLE001 -- a bug ends one solve and not the page
        tell(**_failure(error))
    sys.stdout.flush()


def _answer(line: bytes) -> dict[str, Any]:
    """Answer a question, and report progress; what only other questions need is not loaded."""
    from pydantic import TypeAdapter

    from burgrave.cli.serve.bodies import (  # noqa: PLC0415
        HarvestBody,
        ReplyBody,
        RetryBody,
        ReviewBody,
        Solvable,
        Trial,
    )

    asked: Solvable = TypeAdapter(Solvable).validate_json(line)
    if isinstance(asked, Trial):
        from burgrave.cli.serve.trainer import attempted  # noqa: PLC0415

        return attempted(asked)
    if isinstance(asked, ReplyBody | RetryBody):
        from burgrave.cli.serve.practising import replied, tried_again  # noqa: PLC0415

        return replied(asked) if isinstance(asked, ReplyBody) else tried_again(asked)
    if isinstance(asked, HarvestBody | ReviewBody):
        from burgrave.cli.serve.reviewing import harvested, reviewed  # noqa: PLC0415

        if isinstance(asked, HarvestBody):
            return harvested(asked, _telling())
        return reviewed(asked, _telling(), lambda turn: tell(part=turn))
    from burgrave.cli.serve.questions import answered  # noqa: PLC0415

    return answered(asked, _telling())


def _telling() -> Reporter:
    """Return a reporter that tells every stage, better value and first estimate."""
    from burgrave.solver.limits import Reporter, Sketch  # noqa: PLC0415 -- loads late

    class Telling(Reporter):
        """Tells in lines of JSON."""

        def stage(self, name: str) -> None:
            tell(stage=name)

        def found(self, value: int | Fraction) -> None:
            tell(found=str(value))

        def sketched(self, answer: Sketch) -> None:
            tell(sketch=answer._asdict())

    return Telling()


def _failure(error: Exception) -> dict[str, str]:
    """Return the message for a question that has no answer."""
    from burgrave.model.errors import BurgraveError  # noqa: PLC0415 -- may be what is out of memory

    if isinstance(error, BurgraveError):
        return {"refused": str(error)}
    if isinstance(error, MemoryError):
        return {"failed": "the solve needs more memory than it may have"}
    return {"failed": f"the solve failed: {type(error).__name__}: {error}"}


if __name__ == "__main__":
    main()
