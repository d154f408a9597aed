"""The tables of ``RESULTS.md``, made from the history of figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.history import Figure, History, Release

RESULTS = Path(__file__).parent / "RESULTS.md"
KEPT = {
    "Estimates": RESULTS.with_name("estimates.md"),
    "Marks of a review": RESULTS.with_name("marks.md"),
}
"""Tables that their own commands keep, by the heading for readers."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that is measured."""

    id: str
    """Its name in the history; it begins with the group."""
    title: str
    """The heading for readers."""
    per_second: bool = False
    """Whether the figure is a rate, of which more is better; otherwise it is a time."""

    @property
    def group(self) -> str:
        """Return the group to which it belongs."""
        return self.id.split("-")[0]


@dataclass(frozen=True, slots=True)
class Group:
    """Measures with one table."""

    title: str
    unit: str
    about: str
    """The method of measurement."""
    measures: tuple[Measure, ...]


GAMES = {
    "carcassonne": "Carcassonne, 2 players, farms",
    "tower": "The Tower, 2 players, farms",
    "castle": "The Castle",
    "falcon": "The Falcon",
}
GROUPS = {
    "games": Group(
        "Random games",
        "games a second",
        "Every legal turn is listed and one is chosen by lot. User CPU of one core.",
        tuple(Measure(f"games-{name}", title, per_second=True) for name, title in GAMES.items()),
    ),
    "turns": Group(
        "Turns listed",
        "turns a second",
        "Counted in the same random games.",
        tuple(Measure(f"turns-{name}", title, per_second=True) for name, title in GAMES.items()),
    ),
    "step": Group(
        "A turn and its undoing",
        "ns",
        "Mean of all legal turns with each kind of tile left after 30 turns. A turn is the tile,"
        " the follower and the scoring; in 0.1.0 the tile alone is measured. User CPU.",
        tuple(Measure(f"step-{name}", title) for name, title in GAMES.items()),
    ),
    "playouts": Group(
        "Playouts",
        "playouts a second",
        "Games of the policy against itself to the end, from the middle of a game that it played."
        " User CPU of one core.",
        tuple(Measure(f"playouts-{name}", title, per_second=True) for name, title in GAMES.items()),
    ),
    "force": Group(
        "`force`",
        "s",
        "Proved lead with best play of both, order known. Seconds of user CPU, program loaded.",
        (
            *(Measure(f"force-k{k}", f"The Castle, {k} tiles left") for k in range(4, 10)),
            *(Measure(f"force-tower-k{k}", f"The Tower, {k} tiles left") for k in (3, 4)),
        ),
    ),
    "expect": Group(
        "`expect`, every first move",
        "s",
        "Exact expected lead of each first move of The Castle; the tile in hand is known."
        " Seconds of user CPU, program loaded.",
        tuple(Measure(f"expect-k{k}", f"The Castle, {k} tiles left") for k in (3, 4, 5)),
    ),
    "lead": Group(
        "Expected lead of Carcassonne",
        "s",
        "Exact expected lead of each first move; all tiles are in the bag. Seconds of user CPU,"
        " program loaded; the engine alone, without replay by the rules engine.",
        tuple(Measure(f"lead-k{k}", f"Carcassonne, tiles left: {k}") for k in (1, 2, 3, 4)),
    ),
    "max": Group(
        "`max` of The Tower",
        "s",
        "The most points of the player to move at the end of recorded games of 2 to 6 players,"
        " order known, everybody helping. Seconds of user CPU, program loaded.",
        tuple(Measure(f"max-tower-k{k}", f"The Tower, {k} tiles left") for k in (3, 4)),
    ),
    "start": Group(
        "Start",
        "s",
        "A whole command on an ending of The Castle with three tiles left, compiled code on disk."
        " Processor time, user and system.",
        (
            Measure("start-help", "`burgrave --help`"),
            Measure("start-check", "`burgrave check POSITION MOVE`"),
            Measure("start-moves", "`burgrave moves POSITION`"),
            Measure("start-best", "`burgrave best POSITION`"),
            Measure("start-force", "`burgrave force POSITION`"),
        ),
    ),
    "compile": Group(
        "First compilation",
        "s",
        "A whole command with an empty cache folder. Processor time, user and system.",
        (
            Measure("compile-castle", "The Castle and The Falcon: `force`"),
            Measure("compile-carcassonne", "Carcassonne and The Tower: `expect`"),
        ),
    ),
}
"""All groups, by the first word of their measures."""


def number(value: float) -> str:
    """Return a number with three significant digits, or all digits before the point."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def shown(figure: Figure) -> str:
    """Return a median; with ``>`` if as many questions are not proved that it is only a bound."""
    bounded = figure.asked is not None and 2 * (figure.proved or 0) <= figure.asked
    return ("> " if bounded else "") + number(figure.median)


def ratio(measure: Measure, now: Figure, other: Figure) -> str:
    """Return the ratio by which a figure is better than another; below 1 it is worse."""
    better, worse = (now, other) if measure.per_second else (other, now)
    return "" if worse.median == 0 else f"{number(better.median / worse.median)}"


def row(cells: Iterable[object]) -> str:
    """Return a line of a Markdown table."""
    return f"| {' | '.join(map(str, cells))} |"


def _span(figure: Figure) -> str:
    """Return least and most of a figure."""
    if figure.least is None or figure.most is None:
        return ""
    return f"{number(figure.least)} to {number(figure.most)}"


def _publicly(history: History, measure: Measure, now: Figure) -> str:
    """Return the figures of public engines, each with the ratio to it."""
    return "; ".join(
        f"{engine.name}: {number(figure.median)} ({ratio(measure, now, figure)} times better)"
        for engine in history.public
        if (figure := engine.figures.get(measure.id)) is not None
    )


def _table(group: Group, history: History, now: Release, before: Release | None) -> Iterator[str]:
    """Yield the lines of a group's table."""
    measures = [measure for measure in group.measures if measure.id in now.figures]
    asked = any(now.figures[measure.id].asked for measure in measures)
    known = [_publicly(history, measure, now.figures[measure.id]) for measure in measures]
    head = ["", f"median, {group.unit}", "least to most"]
    head += ["proved", "limit, s", "MB"] if asked else []
    head += [before.name if before else "before", "times better"]
    head += ["public engines"] if any(known) else []
    yield row(head)
    yield row(["---", *["---:"] * (len(head) - 1 - any(known)), *["---"] * any(known)])
    for measure, public in zip(measures, known, strict=True):
        figure = now.figures[measure.id]
        old = before.figures.get(measure.id) if before else None
        cells = [measure.title, shown(figure), _span(figure)]
        if asked:
            limit = "" if figure.limit is None else number(figure.limit)
            cells += [f"{figure.proved} of {figure.asked}", limit, str(figure.memory or "")]
        cells += ["", ""] if old is None else [shown(old), ratio(measure, figure, old)]
        yield row([*cells, public] if any(known) else cells)


def report(history: History, name: str) -> str:
    """Return ``RESULTS.md`` for a release of the history.

    Raises:
        ValueError: the history has no such release.

    """
    now = next((one for one in history.release if one.name == name), None)
    if now is None:
        raise ValueError(f"no release {name!r} in the history")
    before = history.before(name)
    lines = [
        f"# Results: {name}",
        "",
        "Made by `python -m benchmarks --write`; do not edit. Times and limits are of the",
        "processor, not of the clock. *Times better* is the ratio of the medians to the release",
        "before; below 1 this release is worse. `>` marks a lower bound of a median, where half of",
        "the questions or more are not proved within the limit.",
        "",
    ]
    lines += [f"- {key}: {value}" for key, value in now.measured.items()]
    lines += [f"- {one.name}: {one.note}" for one in (now, before) if one and one.note]
    lines += [f"- {engine.name}: {engine.note}" for engine in history.public if engine.note]
    for group in GROUPS.values():
        if any(measure.id in now.figures for measure in group.measures):
            lines += ["", f"## {group.title}", "", group.about, ""]
            lines += _table(group, history, now, before)
    for title, file in KEPT.items():
        lines += ["", f"## {title}", "", *file.read_text(encoding="utf-8").splitlines()]
    if len(history.release) > 1:
        lines += ["", "## History", "", "Medians of all releases, in the units above.", ""]
        lines += _past(history)
    return "\n".join(lines) + "\n"


def _past(history: History) -> Iterator[str]:
    """Yield a table of the medians of all releases."""
    yield row(["", *(release.name for release in history.release)])
    yield row(["---", *["---:"] * len(history.release)])
    for group in GROUPS.values():
        for measure in group.measures:
            found = [release.figures.get(measure.id) for release in history.release]
            if any(found):
                cells = ["" if one is None else shown(one) for one in found]
                yield row([f"{group.title}: {measure.title} ({group.unit})", *cells])
