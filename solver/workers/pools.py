"""The workers that a user asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from burgrave.solver.pool import Pool


@contextmanager
def workers(jobs: int = 0, cluster: str | None = None) -> Iterator[Pool | None]:
    """Yield workers that end with the block; None stands for this process.

    Args:
        jobs: processes of this machine; 0 for none.
        cluster: the address of a Dask scheduler, ``tcp://host:8786``; ``local`` or ``local:N`` for
            Dask's workers on this machine; None for no cluster.

    Raises:
        WorkersError: the cluster cannot be had.

    """
    pool: Cluster | Processes
    if cluster is not None:
        from burgrave.solver.workers.cluster import Cluster  # noqa: PLC0415 -- an extra

        pool = Cluster(cluster)
    elif jobs:
        from burgrave.solver.workers.processes import Processes  # noqa: PLC0415 -- for few commands

        pool = Processes(jobs)
    else:
        yield None
        return
    try:
        yield pool
    finally:
        pool.close()
