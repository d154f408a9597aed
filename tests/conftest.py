"""Settings of all tests: examples that Hypothesis tries, its seed, and what Ctrl-C does."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.vendor.pretty import RepresentationPrinter

from burgrave.model.errors import QuestionError
from burgrave.model.files.lines import write_line
from burgrave.model.files.positions import write_position
from burgrave.model.position import Position
from burgrave.solver.limits import Clock

LONG = Path(__file__).parent / "data" / "slow.txt"
"""Tests that the quick rhythm leaves out, as last measured; see ``Measure``."""
FIRST = Path(__file__).parent / "data" / "first.txt"
"""Tests of whose cases the quick rhythm runs the first alone, likewise."""
MOST = 0.7
"""Seconds of processor time that a test of the quick rhythm takes at most, with all its cases."""
SEEDS = 8
"""Of so many cases that differ by a seed one is run, unless all tests are."""
EACH = {
    "test_a_broken_value_is_refused": 3,
    "test_a_checkout_runs_beside_modules_of_the_same_names": 2,
    "test_a_command_of_the_table_of_questions_answers": 3,
    "test_a_fault_is_told_in_words_and_the_question_asked_again": 3,
    "test_a_lesson_tells_both_verdicts": 4,
    "test_a_recorded_game_is_ours_at_every_decision": 3,
    "test_a_recorded_game_is_played_to_the_same_end": 3,
    "test_a_rule_decides_its_lesson": 8,
    "test_a_solve_is_answered_where_a_system_has_fewer_limits": 3,
    "test_a_stored_answer_is_found_anew": 16,
    "test_a_wrong_argument_is_refused": 3,
    "test_an_answer_holds_for_every_number": 8,
    "test_any_edit_of_the_answer_is_found_out": 6,
    "test_each_question_is_asked_and_answered": 2,
    "test_every_card_passes_on_every_engine_that_can_answer_it": 6,
    "test_every_entry_is_asked": 3,
    "test_levels_play_games_to_their_end": 2,
    "test_move_counts_are_frozen": 3,
    "test_random_games_end_and_are_taken_back": 2,
    "test_the_books_of_a_game_hold": 2,
    "test_the_commands_of_a_page_print_what_it_shows": 2,
    "test_the_example_of_a_command_runs": 2,
    "test_the_policy_beats_the_greedy_one": 3,
    "test_the_rules_engine_comes_to_the_stored_answer": 6,
    "test_the_schema_of_a_command_describes_its_answer": 4,
    "test_the_value_of_each_move_is_what_a_puzzle_says_of_it": 4,
    "test_the_value_sees_a_castle_as_the_reference_does": 2,
    "test_the_value_sees_a_plane_as_the_reference_does": 2,
    "test_what_is_looked_at_first_never_rejects_a_theme": 2,
    "test_what_is_shipped_can_be_drawn_by_its_id": 4,
}
"""The same of dear cases, by name of the test."""
TICKS = 100
"""Ticks of a second in ``/proc``, as Linux has them on every machine that runs the tests."""

# What passes here passes everywhere: but for the thorough profile the examples are always the same.
for name, tried in (("whole", 10), ("quick", 3), ("thorough", 1000)):
    settings.register_profile(
        name,
        deadline=None,
        derandomize=name != "thorough",
        max_examples=tried,
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "whole"))

# Without bytecode each worker, and each program that a test starts, would compile all sources anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# pytest-xdist sets COLUMNS, at which answers fold.
os.environ.pop("COLUMNS", None)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # So begin programs that a shell starts in the background. What a test starts begins likewise.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _whole(position: Position, printer: RepresentationPrinter, _cycle: bool) -> None:  # noqa: FBT001
    """Print a position of a failing example so that it can be pasted, or else its file."""
    try:
        printer.text(f"read_line({write_line(position)!r})")
    except QuestionError:
        printer.text(write_position(position))


# Hypothesis asks a value's class for this; ``repr`` is too short to try the example again.
Position._repr_pretty_ = _whole  # type: ignore[attr-defined]


@pytest.fixture
def an_hour_passes(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return what lets an hour pass on the clock of questions, at once and on any machine."""
    spent = Clock.spent
    return lambda: monkeypatch.setattr(Clock, "spent", lambda clock: spent(clock) + 3600)


def pytest_configure(config: pytest.Config) -> None:
    """Let Hypothesis try few examples in the quick rhythm, and compile before workers start."""
    if config.option.markexpr == "not slow" and "HYPOTHESIS_PROFILE" not in os.environ:
        settings.load_profile("quick")
    if os.environ.get("MEASURE_TESTS"):
        config.pluginmanager.register(Measure())
    if config.getoption("numprocesses", None) and not config.option.collectonly:
        _compile()


def pytest_collection_finish() -> None:
    """Let the search for garbage pass by what stays: thousands of tests and all modules."""
    gc.freeze()


def _compile() -> None:
    """Compile for each family of games side by side; workers would wait for each other."""
    from burgrave.puzzles.warming import warm  # noqa: PLC0415 -- loads numba
    from burgrave.solver.kernel.compiling import cache_folder  # noqa: PLC0415 -- likewise

    if not any(cache_folder().glob("*.code")):
        warm()


class Measure:
    """Measures the tests of the quick rhythm, and adds those that are slow to a file.

    ``MEASURE_TESTS=1 python -m pytest -m "not slow"`` does it, in one process, with code that is
    compiled already. Of a test whose cases together take too long the first one stays; a test whose
    first case does is left out. Every file of tests keeps its quickest one, whatever it takes, and
    a test marked ``every_case`` all its cases. A line without a test goes.
    """

    def __init__(self) -> None:
        self.spent: dict[str, dict[str, list[float]]] = {}
        self.known: set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note which tests there are; a test of a file that was not collected may be there too."""
        names = {_name(item) for item in items}
        files = {name.split("::")[0] for name in names}
        listed = _names(LONG) | _names(FIRST)
        self.known = names | {name for name in listed if name.split("::")[0] not in files}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Measure a test with its fixtures and the programs that it starts."""
        file, name = _name(item).split("::", 1)
        before = _spent()
        result = yield
        if not item.get_closest_marker("every_case"):
            self.spent.setdefault(file, {}).setdefault(name, []).append(_spent() - before)
        return result

    def pytest_sessionfinish(self) -> None:
        """Write the slow tests, and those of whose cases the first one stays."""
        slow, first = ({*_names(listed)} & self.known for listed in (LONG, FIRST))
        for file, spent in self.spent.items():
            quickest = min(spent, key=lambda name: spent[name][0])
            for name, cases in spent.items():
                if len(cases) > 1 and sum(cases) > MOST:
                    first.add(f"{file}::{name}")
                if cases[0] > MOST and name != quickest:
                    slow.add(f"{file}::{name}")
        for listed, names in ((LONG, slow), (FIRST, first - slow)):
            listed.write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")


def _spent() -> float:
    """Return the processor time of this process and of those that it started.

    A page that still runs is found where the system lists its processes as files.
    """
    return sum(os.times()[:4]) + _running(os.getpid())


def _running(process: int) -> float:
    """Return the processor time of the processes that a process started and that still run."""
    spent = 0.0
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a process has just ended
            for child in file.read_text(encoding="utf-8").split():
                told = Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2]
                spent += sum(map(int, told.split()[11:15])) / TICKS + _running(int(child))
    return spent


def _name(item: pytest.Item) -> str:
    """Return file and name of a test, without the case."""
    return item.nodeid.partition("[")[0]


def _names(listed: Path) -> frozenset[str]:
    """Return the tests of a list, as last measured."""
    return frozenset(listed.read_text(encoding="utf-8").split("\n")) - {""}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what was measured so: whole tests, and all cases of a test but the first.

    A test marked ``every_case`` is quick in all its cases, whatever they take.

    Of cases that differ by a seed the first and each eighth after it are part of CI's run, and of
    dear ones as many as ``EACH`` says; ``-m ""`` runs all, and what is marked as long.
    """
    begun: Counter[str] = Counter()
    slow, first = _names(LONG), _names(FIRST)
    for item in items:
        name = _name(item)
        later = begun[name] and name in first and not item.get_closest_marker("every_case")
        if name in slow or later:
            item.add_marker("slow")
        every = SEEDS if _seeded(item) else EACH.get(name.rpartition("::")[2], 1)
        if begun[name] % every:
            item.add_marker("long")
        if item.get_closest_marker("long"):
            item.add_marker("slow")
        begun[name] += 1


def _seeded(item: pytest.Item) -> bool:
    """Tell whether a test has a case for each of several seeds."""
    case = getattr(item, "callspec", None)
    return case is not None and "seed" in case.params
