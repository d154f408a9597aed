"""``--cluster``: the same answers from the workers of Dask, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from burgrave.cli.exits import UNUSABLE
from burgrave.solver.pool import Pool
from burgrave.solver.workers import pools
from tests.cli.conftest import Burgrave

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GAME = str(EXAMPLES / "two-farms.jcz")
COMMANDS = {
    "generate": ["--rule", "carcassonne.place.edge", "--count", "1", "-o", "made.jsonl"],
    "solve": 2 * [str(EXAMPLES / "to-the-door.toml")],
    "verify": ["RB-01", "RB-02"],
    "review": [GAME, str(EXAMPLES / "to-the-door.toml"), "--playouts", "100"],
}


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool | None]:
    """Return a worker of a real cluster, started once for all tests."""
    pytest.importorskip("distributed")
    with pools.workers(cluster="local:1") as pool:
        yield pool


@pytest.mark.slow
@pytest.mark.parametrize("command", list(COMMANDS))
def test_a_cluster_answers_the_same(
    burgrave: Burgrave,
    pool: Pool,
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also the files are the same; a game that cannot be read is left out."""
    args = [command, *COMMANDS[command], "--json"]
    told = []
    for more in (["--jobs", "1"], ["--cluster", "local:1"]):
        place = tmp_path / more[0]
        place.mkdir()
        monkeypatch.chdir(place)
        if more[0] == "--cluster":
            monkeypatch.setattr(pools, "workers", lambda *_: nullcontext(pool))
        answer = burgrave(*args, *more)
        told.append((answer.code, answer.out, [file.read_bytes() for file in place.iterdir()]))
    assert told[0] == told[1]


@pytest.mark.slow
def test_workers_search_first_moves(
    burgrave: Burgrave, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = burgrave("force", "castle-04", "--json").data
    monkeypatch.setattr(pools, "workers", lambda *_: nullcontext(pool))
    spread = burgrave("force", "castle-04", "--json", "--cluster", "local:1").data
    for one in (alone, spread):
        del one["seconds"], one["nodes"]
    assert spread == alone


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--nodes", "5"], "--nodes and --cluster exclude each other"),
        (["--engine", "exhaustive"], "--engine exhaustive has no use for --cluster"),
        (["--jobs", "2"], "--jobs and --cluster exclude each other"),
    ],
)
def test_what_does_not_go_with_a_cluster_is_refused(
    burgrave: Burgrave, more: list[str], message: str
) -> None:
    told = burgrave("force", "castle-04", "--cluster", "local", *more)
    assert told.code == UNUSABLE
    assert message in told.err


@pytest.mark.every_case
@pytest.mark.parametrize("command", list(COMMANDS))
def test_a_cluster_that_cannot_be_had_is_refused(
    burgrave: Burgrave, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line and exit 2, and nothing is written."""
    pytest.importorskip("distributed")
    monkeypatch.chdir(tmp_path)
    args = [command, *COMMANDS[command]]
    both = burgrave(*args, "--cluster", "local", "--jobs", "2")
    none = burgrave(*args, "--cluster", "localhost")
    assert (both.code, none.code) == (UNUSABLE, UNUSABLE)
    assert both.err == "Error: --jobs and --cluster exclude each other: a cluster has its workers\n"
    assert none.err == (
        "Error: --cluster localhost: give the address of a scheduler, tcp://HOST:8786, or local, or"
        " local:N\n"
    )
    assert not [*tmp_path.iterdir()]
