"""Workers of Dask: plain ``dask worker`` processes that a scheduler knows, or local ones.

Dask hands a task of a lost worker to another one. What a lost scheduler had is lost; finished
results are with this program already.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from ssl import SSLError
from typing import TYPE_CHECKING, Any

from burgrave.model.naming import quoted
from burgrave.solver.kernel.store import LOGGER, digest_of
from burgrave.solver.limits import now
from burgrave.solver.pool import LostError, WorkersError, wanted_while
from burgrave.solver.workers.processes import starting
from burgrave.solver.workers.tasks import in_words

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

CLUSTER_EXTRA = (
    "--cluster needs the extra 'cluster': in the folder of Burgrave's sources run"
    ' pip install ".[cluster]"'
)
ADDRESSES = "give the address of a scheduler, tcp://HOST:8786, or local, or local:N"
SAME_VERSIONS = "install the same release with the same Python here and there"
ANSWER_SECONDS = 5.0
"""Seconds in which a scheduler must answer."""
COUNT_SECONDS = 2.0
"""Seconds between two counts of the workers."""
LOCAL_WORKERS = 64
"""Local workers that may be asked for."""
TASK_CALL = "__import__('burgrave.solver.workers.cluster', fromlist=['work']).work(wanted, task)"
"""The task as Dask reads it: names of Burgrave in it would end a worker without Burgrave."""
COMPARED_STOREYS = ("cli", "puzzles", "solver", "model")
COMPARED_ENDINGS = ("py", "json", "toml")
_LOCAL_ADDRESS = re.compile(r"local(?::(.*))?", re.DOTALL)
_ONE_TASK = threading.Lock()
"""Held by the task that runs in a worker: other threads of it wait."""


@cache
def versions() -> dict[str, str]:
    """Return what must be the same in this program and in its workers.

    The sources count, not the number of the release alone: in a checkout they change without it.
    """
    try:
        release = version("burgrave")
    except PackageNotFoundError:
        release = "not installed"
    rooms = [Path(str(resources.files(f"burgrave.{storey}"))) for storey in COMPARED_STOREYS]
    files = [file for room in rooms for ending in COMPARED_ENDINGS for file in _files(room, ending)]
    digest = digest_of(part for name, file in sorted(files) for part in (name, file.read_bytes()))
    python = ".".join(map(str, sys.version_info[:2]))
    return {"burgrave": release, "its sources": digest, "Python": python}


def _files(room: Path, ending: str) -> list[tuple[bytes, Path]]:
    """Return the files of a storey with their names below it."""
    return [
        (f"{room.name}/{file.relative_to(room).as_posix()}".encode(), file)
        for file in room.rglob(f"*.{ending}")
    ]


def work(wanted: dict[str, str], task: bytes) -> Any:
    """Do a task in a worker.

    Args:
        wanted: the versions of the program that asks.
        task: pickled: a function and its arguments.

    Raises:
        WorkersError: this worker has other versions; the task is not even read.

    """
    from distributed import get_worker

    worker = get_worker()
    mine = versions()
    different = [
        f"{name} {mine[name]} and not {wanted[name]}" for name in mine if mine[name] != wanted[name]
    ]
    if different:
        raise WorkersError(
            f"the worker {worker.address} has {', '.join(different)}; {SAME_VERSIONS}"
        )
    key = worker.get_current_task()

    def waited_for() -> bool:
        state = worker.state.tasks.get(key)
        return state is not None and state.state != "cancelled"

    with _ONE_TASK, wanted_while(waited_for):
        function, args = pickle.loads(task)  # noqa: S301 -- whoever reaches it may run code here
        return function(*args)


class Cluster:
    """The workers of a Dask scheduler."""

    deaths = 1  # Dask itself tries a task with four workers

    def __init__(self, address: str) -> None:
        """Reach a scheduler, or start local workers.

        Args:
            address: ``tcp://host:8786``, ``local`` or ``local:N``.

        Raises:
            WorkersError: the extra is missing, the address is none, or nobody answers there.

        """
        self.name = f"--cluster {address or quoted(address)}"
        try:
            import distributed  # noqa: F401 -- an extra
        except ImportError:
            raise WorkersError(CLUSTER_EXTRA) from None
        except Exception as error:  # its files of settings may hold anything
            told = " ".join(in_words(error).split())
            raise WorkersError(f"{self.name}: Dask's settings cannot be read: {told}") from error
        for name in [*logging.root.manager.loggerDict]:
            if name.partition(".")[0] in {"distributed", "tornado"}:
                # What a user needs to know of lost workers and schedulers is said here.
                logging.getLogger(name).setLevel(logging.CRITICAL)
        self._local: LocalCluster | None = None
        local = _LOCAL_ADDRESS.fullmatch(address)
        self._client: Client = self._started(local[1]) if local else self._reached(address)
        self._counted, self._width = 0.0, 0

    def _started(self, number: str | None) -> Client:
        """Start local workers."""
        from dask.system import CPU_COUNT
        from distributed import Client, LocalCluster
        from distributed.system import MEMORY_LIMIT

        count = CPU_COUNT if number is None else int(number) if number.isdecimal() else 0
        if not 1 <= count <= LOCAL_WORKERS:
            raise WorkersError(f"{self.name}: give a number of workers from 1 to {LOCAL_WORKERS}")
        try:
            with starting():  # Dask's thread, which starts workers now and later, blocks Ctrl-C
                self._local = LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    memory_limit=MEMORY_LIMIT // max(count, CPU_COUNT),
                    dashboard_address=":0",  # any free port
                    silence_logs=logging.CRITICAL,
                )
                return Client(self._local, set_as_default=False)
        except Exception as error:  # full disks, taken ports, missing memory
            raise WorkersError(f"{self.name}: cannot be started: {in_words(error)}") from error

    def _reached(self, address: str) -> Client:
        """Reach a scheduler that runs already."""
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port

        try:
            known = get_address_host_port(address)[1] in range(1, 1 << 16)
        except ValueError:
            known = False
        if not known:
            raise WorkersError(f"{self.name}: {ADDRESSES}")
        try:
            found = asyncio.run(_identity(address))
            if found == "Scheduler":
                return Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
        except Exception as error:  # noqa: BLE001 -- whatever listens there may answer anything
            found = _refusal(error)
        raise WorkersError(f"{self.name}: {found}")

    @property
    def width(self) -> int:
        """The number of workers, counted from time to time; at least 1, for which tasks wait."""
        if now() - self._counted > COUNT_SECONDS:
            with suppress(Exception):  # that the scheduler is gone is told by the next result
                self._width = len(self._client.nthreads())
            self._counted = now()
            if not self._width:
                _tell_waiting(self.name)
        return max(1, self._width)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Let a worker call a function.

        Raises:
            WorkersError: the scheduler is gone.

        """
        task = pickle.dumps((function, args), pickle.HIGHEST_PROTOCOL)
        try:
            return self._client.submit(
                eval, TASK_CALL, {"task": task, "wanted": versions()}, pure=False
            )
        except Exception as error:
            raise self._gone(error) from error

    def result(self, future: Future[Any]) -> Any:
        """Return the result of a finished task.

        Raises:
            LostError: four workers ended while they had it.
            WorkersError: the scheduler is gone, or a worker differs from this program.

        """
        from distributed import KilledWorker

        try:
            return future.result()
        except KilledWorker:
            raise LostError from None
        except WorkersError as error:
            raise WorkersError(f"{self.name}: {error}") from None
        except (ImportError, AttributeError) as error:
            told = f"a worker has no Burgrave, or an older one ({error})"
            raise WorkersError(f"{self.name}: {told}; {SAME_VERSIONS}") from None
        except Exception as error:
            raise self._gone(error) from error

    def _gone(self, error: Exception) -> WorkersError:
        """Return the error that tells of a lost scheduler."""
        told = "the scheduler is gone; what is finished is kept, and the same command goes on"
        LOGGER.debug("%s", in_words(error))
        return WorkersError(f"{self.name}: {told}")

    def cancel(self, futures: list[Future[Any]]) -> None:
        """Forget tasks: those that wait never begin, and one at work hears it by ``wanted``."""
        with suppress(Exception):  # a scheduler that is gone has forgotten them
            self._client.cancel(futures)

    def close(self) -> None:
        """Leave the scheduler; end local workers, whatever they do."""
        with suppress(Exception):
            self._client.close(timeout=ANSWER_SECONDS)
        if self._local is not None:
            with suppress(Exception):
                self._local.close(timeout=ANSWER_SECONDS)


async def _identity(address: str) -> str:
    """Return what answers at an address: ``Scheduler``, ``Worker``."""
    from distributed import Security
    from distributed.core import rpc

    arguments = Security().get_connection_args("client")
    async with rpc(address, timeout=ANSWER_SECONDS, connection_args=arguments) as there:
        answer = await asyncio.wait_for(there.identity(), 2 * ANSWER_SECONDS)
    found = str(answer["type"])
    return found if found == "Scheduler" else f"a {found.lower()} is there, and no scheduler"


def _refusal(error: Exception) -> str:
    """Return why nothing is reached at an address."""
    from distributed.comm.core import CommClosedError, FatalCommClosedError

    unencrypted = (FatalCommClosedError, SSLError, TypeError, RuntimeError, FileNotFoundError)
    if isinstance(error, unencrypted):  # each release of Dask has another of them
        told = "the file of a certificate or key is missing"
        if not isinstance(error, FileNotFoundError):
            told = str(error.__cause__ or error)
        return f"cannot be encrypted: {told}; see distributed.comm.tls in Dask's settings"
    if isinstance(error, CommClosedError):
        told = "what listens there closes the connection: it is no scheduler, or one that encrypts"
        return f"{told}, tls://HOST:8786"
    return f"no scheduler answers there within {ANSWER_SECONDS:.0f} s; 'dask scheduler' starts one"


@cache
def _tell_waiting(name: str) -> None:
    """Tell once that nobody is there to work."""
    LOGGER.warning("%s: no worker is there yet; 'dask worker ADDRESS' starts one", name)
