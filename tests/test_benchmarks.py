"""``python -m benchmarks``: its limits, its history and its tables, without timing anything."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from benchmarks import differential, solvers
from benchmarks.__main__ import PLAYED, QUICK, figures, jobs
from benchmarks.history import HISTORY, Figure, History, Release, load, save
from benchmarks.measuring import Sample, in_process, processor_time, until_stopped
from benchmarks.report import GROUPS, RESULTS, Measure, number, ratio, report, shown
from benchmarks.work import QUESTIONS, ask, positions

MEASURES = {measure.id: measure for group in GROUPS.values() for measure in group.measures}


def history() -> History:
    """Return two releases and a public engine."""
    return History(
        release=[
            Release(name="1.0", figures={"force-k4": Figure(median=3.0)}),
            Release(
                name="1.1",
                measured={"machine": "an abacus"},
                figures={
                    "force-k4": Figure(
                        median=0.5, least=0.4, most=0.6, asked=4, proved=4, limit=60, memory=90
                    ),
                    "force-k8": Figure(median=60.0, asked=3, proved=1, limit=60),
                    "games-castle": Figure(median=3000.0),
                },
            ),
        ],
        public=[Release(name="C++", figures={"games-castle": Figure(median=1500.0)})],
    )


def test_work_ends_with_its_processor_time() -> None:
    """It ends as with Ctrl-C; what comes afterwards is not limited."""
    with pytest.raises(KeyboardInterrupt), processor_time(0.05):
        work(10)
    work(0.1)


def work(seconds: float) -> None:
    """Use an amount of processor time."""
    started = time.process_time()
    while time.process_time() < started + seconds:
        pass


def test_a_busy_machine_ends_no_work() -> None:
    """While others work the clock goes on and the limit does not come nearer."""
    with processor_time(0.05):
        time.sleep(0.3)


@pytest.mark.parametrize("end", [None, signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_prints_what_it_found(
    end: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Time, Ctrl-C and ``timeout`` end the block alone; afterwards signals act as before."""
    before = signal.getsignal(signal.SIGTERM)
    with until_stopped(0.05 if end is None else None):
        if end is not None:
            signal.raise_signal(end)
        time.sleep(5)
        pytest.fail("the block was not left")
    assert capsys.readouterr() == ("", "\nstopped early\n")
    assert signal.getsignal(signal.SIGTERM) == before


def test_differential_prints_its_tables_when_time_is_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before, a stopped run printed a traceback alone."""
    monkeypatch.setattr("sys.argv", ["differential", "--positions", "9", "--time", "0.01"])
    assert differential.main() == 0
    assert capsys.readouterr().out.startswith("0 of 9 positions")


def two_samples(name: str) -> list[tuple[str, Sample]]:
    """Return two samples of a measure."""
    return [(name, Sample(1.0)), (name, Sample(2.0, proved=False))]


def test_a_process_of_its_own_sends_what_it_measures() -> None:
    """Every sample arrives, with the memory that the process holds."""
    samples, memory = in_process(two_samples, "force-k4", seconds=10)
    assert samples == two_samples("force-k4")
    assert memory > 1


def test_samples_become_figures() -> None:
    """Those of one measure are put together; a question without a sample is not proved."""
    samples = [*two_samples("force-k4"), ("step-castle", Sample(7.12345))]
    made = figures(samples, asked=3, limit=60.0)
    assert made["force-k4"] == Figure(median=2, least=1, most=60, asked=3, proved=1, limit=60)
    assert made["step-castle"].least == 7.123
    rate = figures([("games-castle", Sample(5)), ("games-castle", Sample(8))])
    assert rate["games-castle"] == Figure(median=6.5, least=5, most=8)


def test_the_file_of_the_history_fits_its_schema_and_the_measures() -> None:
    """Each figure belongs to a measure; RESULTS.md is made from the file as it is."""
    kept = load(HISTORY)
    for release in (*kept.release, *kept.public):
        assert set(release.figures) <= set(MEASURES), release.name
    assert RESULTS.read_text(encoding="utf-8") == report(kept, kept.release[-1].name)


def test_a_history_is_written_and_read_again(tmp_path: Path) -> None:
    """Nothing is lost on the way."""
    save(history(), tmp_path / "history.toml")
    assert load(tmp_path / "history.toml") == history()


@pytest.mark.parametrize(
    "text",
    [
        "release = []",
        'public = []\n[[release]]\nname = "1"\nfigures = {force-k4 = {median = -1.0}}',
        'public = []\n[[release]]\nname = "1"\nfigures = {force-k4 = {median = 1.0, most = 0.5}}',
        'public = []\n[[release]]\nname = "1"\nfigures = {force-k4 = {median = 1.0, last = 2.0}}',
        'public = []\n[[release]]\nname = "1"\nfigures = {force = {median = 1.0}}',
        'public = []\n[[release]]\nname = "1"\nfigures = {force-k4 = {median = 1.0, proved = 2}}',
        'public = []\n[[release]]\nname = "1"\nfigures = {}\n[[release]]\nname = "1"\nfigures = {}',
        "no toml",
    ],
)
def test_a_bad_history_is_refused(tmp_path: Path, text: str) -> None:
    """No key is missing, unknown or impossible."""
    path = tmp_path / "history.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError):
        load(path)


def test_new_figures_replace_those_of_the_same_measure_alone() -> None:
    """Other measures keep theirs, and a release that is not there yet becomes the last."""
    new = {"force-k4": Figure(median=0.25)}
    again = history().with_figures("1.1", new, {"machine": "another"}, "loud")
    assert [one.name for one in again.release] == ["1.0", "1.1"]
    assert again.release[1].figures == history().release[1].figures | new
    assert again.release[1].note == "loud"
    assert again.with_figures("1.1", {}, {}).release[1].note == "loud"
    later = history().with_figures("1.2", new, {})
    assert [one.name for one in later.release] == ["1.0", "1.1", "1.2"]
    before = later.before("1.2")
    assert before is not None
    assert before.name == "1.1"
    assert later.before("1.0") is None
    assert set(history().only("1.1", {"force-k8"}).release[1].figures) == {"force-k8"}


def test_the_tables_name_ratios_proofs_and_public_engines() -> None:
    """A ratio above 1 is better for times and rates alike; a median without proof is a bound."""
    lines = report(history(), "1.1").splitlines()
    assert "- machine: an abacus" in lines
    assert "| The Castle, 4 tiles left | 0.5 | 0.4 to 0.6 | 4 of 4 | 60 | 90 | 3 | 6 |" in lines
    assert "| The Castle, 8 tiles left | > 60 |  | 1 of 3 | 60 |  |  |  |" in lines
    assert "| The Castle | 3,000 |  |  |  | C++: 1,500 (2 times better) |" in lines
    assert "| `force`: The Castle, 4 tiles left (s) | 3 | 0.5 |" in lines
    with pytest.raises(ValueError, match="no release '2'"):
        report(history(), "2")


def test_tables_have_as_many_cells_in_each_line() -> None:
    """Markdown shows a table whose lines differ as plain text."""
    width = 0
    for line in report(history(), "1.1").splitlines():
        cells = line.count("|") if line.startswith("|") else 0
        assert cells in {0, width} or width == 0
        width = cells


def test_ratios_and_numbers() -> None:
    """Half the time and twice the rate are both two times better."""
    small, large = Figure(median=0.5), Figure(median=1.0)
    assert ratio(Measure("force-k4", "a time"), small, large) == "2"
    assert ratio(Measure("games-castle", "a rate", per_second=True), small, large) == "0.5"
    assert ratio(Measure("force-k4", "a time"), Figure(median=0), large) == ""
    assert [number(value) for value in (0.01234, 9.876, 12345.6)] == ["0.0123", "9.88", "12,346"]
    assert shown(Figure(median=60, asked=4, proved=2)) == "> 60"
    assert shown(Figure(median=60, asked=3, proved=2)) == "60"


@pytest.mark.long
@pytest.mark.slow
def test_each_measure_is_measured_once() -> None:
    """Every group has work, and every question has positions."""
    todo = jobs(GROUPS, QUICK)
    assert set(todo) >= {one for one in MEASURES if MEASURES[one].group not in PLAYED}
    assert len(jobs(PLAYED, QUICK)) == len(jobs(PLAYED[:1], QUICK)) == 4
    for one, measure in MEASURES.items():
        assert one == measure.id
        if measure.group in QUESTIONS:
            assert positions(one), one


def test_positions_have_the_tiles_that_a_measure_names() -> None:
    """Of a bag in Carcassonne so many tiles are taken; a recorded game ends so far before."""
    assert {len(at.order) for at in positions("force-k6")} == {6}
    assert {(len(at.order), len(at.bag)) for at in positions("lead-k2")} == {(0, 2)}
    assert {len(at.order) for at in positions("max-tower-k3")} == {3}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["force-k4", "expect-k3", "lead-k1", "max-tower-k3"])
def test_each_question_is_asked_and_answered(name: str) -> None:
    """An answer on one position comes with a proof."""
    assert [(one, sample.proved) for one, sample in ask(name, 1, 20)] == [(name, True)]


def test_real_solvers_move_a_puzzle_from_its_difficulty() -> None:
    """Those who miss an easy puzzle raise it; few tries, or even ones, move it little."""
    missed = {
        f"{number}.json": json.dumps(
            {
                "player": {"rating": 1500},
                "puzzles": {
                    "library/easy": {"tries": 1, "first": False},
                    "library/fair": {"tries": 2, "first": number % 2 == 0},
                    "library/seen": {"tries": 0},
                    "own/easy": {"tries": 1, "first": True},
                },
            }
        )
        for number in range(20)
    }
    found = solvers.tries(missed)
    assert {name: len(some) for name, some in found.items()} == {"easy": 20, "fair": 20}
    assert solvers.fitted(1, []) == solvers.usual(1)
    assert (
        solvers.fitted(1, found["easy"][:1]) < solvers.usual(2) < solvers.fitted(1, found["easy"])
    )
    assert abs(solvers.fitted(3, found["fair"]) - 1500) < 1
    told = list(solvers.lines({"easy": 1, "fair": 3}, found))
    assert told[1].split() == ["1", "20", "0%"]
    assert told[3].split() == ["3", "20", "50%"]
    assert [line.split()[:3] for line in told[8:]] == [["easy", "1", "20"]]
    with pytest.raises(SystemExit, match=r"x\.json: is no training"):
        solvers.tries({"x.json": "[]"})
