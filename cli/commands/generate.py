"""``burgrave generate``: puzzles made from self-play."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_rules, complete_themes
from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import (
    ClusterOption,
    JsonOption,
    ProcessesOption,
    TimeOption,
    budget,
    workers,
)
from burgrave.cli.output import note, show
from burgrave.cli.progress import Pace
from burgrave.model.errors import QuestionError
from burgrave.model.registry import CASTLE, GameId

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists
    from burgrave.puzzles.making.endings import EndingWish
    from burgrave.puzzles.making.gathering import Store
    from burgrave.puzzles.making.generator import Wish
    from burgrave.puzzles.making.kinds import KindWish


NOT_FOR_LESSONS = (
    "game",
    "difficulty",
    "question",
    "tiles_left",
    "turns",
    "margin",
    "own_turns",
    "players",
    "endings",
    "tiles",
)
"""The options that only puzzles have. Lessons are as small as can be, in the game of their rule."""
FILES = (".json", ".toml", ".html", ".pdf")
"""Endings of file names, which no folder has."""


def generate(
    context: typer.Context,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR|FILE.jsonl",
            help="A folder, or a file with a puzzle on each line. An existing one is continued.",
        ),
    ],
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="THEME,...",
            help="Themes that a solution shows; one of them is enough. 'any' composes freely.",
            show_default=False,
            autocompletion=complete_themes,
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Make lessons on this rule instead.",
            show_default=False,
            autocompletion=complete_rules,
        ),
    ] = None,
    game: Annotated[GameId, typer.Option(help="The game of the puzzles.")] = CASTLE,
    count: Annotated[int, typer.Option(min=1, help="Number of puzzles.")] = 1,
    seed: Annotated[int, typer.Option(help="The same number gives the same puzzles.")] = 1,
    difficulty: Annotated[
        str, typer.Option(metavar="A-B", help="Difficulty from 1 (easy) to 5 (hard).")
    ] = "1-5",
    question: Annotated[
        str,
        typer.Option(
            metavar="force|best|KIND",
            help="force: best play to the end; best: one turn; or with --theme any help, series,"
            " inflict, add, history, last.",
        ),
    ] = "force",
    tiles_left: Annotated[int, typer.Option(min=1, help="Number of tiles to come.")] = 3,
    turns: Annotated[
        int | None,
        typer.Option(min=1, help="Tiles laid before the puzzle; a few, by lot, if not given."),
    ] = None,
    margin: Annotated[
        int, typer.Option(min=1, help="Points between the best first move and the next.")
    ] = 1,
    own_turns: Annotated[
        int,
        typer.Option(min=1, help="Own turns to be found, each the only best one."),
    ] = 1,
    players: Annotated[
        int, typer.Option(min=2, help="Players, of the kinds; more than 2 in Carcassonne alone.")
    ] = 2,
    endings: Annotated[
        bool,
        typer.Option(
            "--endings", help="Endings of whole games, with every tile where it was laid."
        ),
    ] = False,
    tiles: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Play with this tile set in place of the shipped tiles."),
    ] = None,
    jobs: ProcessesOption = None,
    cluster: ClusterOption = None,
    time: TimeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make puzzles with one best move that shows a theme; two engines prove each."""
    from burgrave.cli.beginnings import game_with
    from burgrave.model.files.locks import locked
    from burgrave.puzzles.making.gathering import begun, gather
    from burgrave.puzzles.making.rule_lessons import RuleWish

    if (theme is None) is (rule is None):
        raise QuestionError("give either --theme or --rule")
    easiest, hardest = _levels(difficulty)
    wish: RuleWish | EndingWish | KindWish | Wish
    if rule is not None:
        wish = RuleWish(rule=rule, seed=seed, version=_release())
    else:
        kind = _kind(theme or "", question, players, turns, margin, own_turns, endings=endings)
        wish = kind(
            game=game_with(game, players, tiles=tiles),
            seed=seed,
            tiles_left=tiles_left,
            tiles="" if tiles is None else str(tiles),
            easiest=easiest,
            hardest=hardest,
            version=_release(),
        )
    wish.check()
    idle = [name for name in NOT_FOR_LESSONS if _given(context, name)] if rule is not None else []
    if idle:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in idle)
        note(f"Lessons on a rule ignore {options}.")
    allowed, store = budget(time), _store(output)
    with locked(store.lock, output) as alone:
        kept = begun(wish, store)
        if not alone:
            note(f"{output}: cannot be locked here; let no other run write to it.")
        watch = allowed.start()
        pace = Pace(wanted=count, done=len(kept), name="puzzles", each=True)
        with (
            workers(jobs, cluster, apart=True) as pool,
            closing(gather(wish, kept, pool)) as candidates,
        ):
            while len(kept) < count and not watch.out:
                found = next(candidates)
                if found.puzzle is not None:
                    store.add(found.puzzle)
                    kept.append(found.puzzle)
                pace.tell(len(kept), f"candidate {found.index}")
    if len(kept) < count:
        note("Time is up; run the same command again to continue.")
    data: list[json_lists.MadePuzzle] = [
        {"id": p.id, "themes": list(p.themes), "difficulty": p.difficulty, "title": p.title}
        for p in kept[:count]
    ]
    lines = [f"{p.id:32} {p.difficulty} {', '.join(p.themes)}" for p in kept[:count]]
    show(data, "\n".join(lines), as_json=as_json)
    raise typer.Exit(ANSWERED if len(kept) >= count else NO)


def _kind(
    theme: str,
    question: str,
    players: int,
    turns: int | None,
    margin: int,
    own_turns: int,
    *,
    endings: bool,
) -> partial[EndingWish] | partial[KindWish] | partial[Wish]:
    """Return a wish for puzzles with what options of its kind ask.

    Raises:
        QuestionError: an option does not go with the others.

    """
    from burgrave.puzzles.making.endings import EndingWish
    from burgrave.puzzles.making.generator import Wish
    from burgrave.puzzles.making.kinds import KINDS, KindWish
    from burgrave.solver.problem import TWO

    if endings:
        if question != "force" or turns is not None or own_turns > 1 or players > TWO:
            raise QuestionError(
                "--endings is for two players and --question force, without --turns and --own-turns"
            )
        return partial(EndingWish, theme=theme, margin=margin)
    if question in KINDS or players > TWO:
        if theme != "any" or margin > 1:
            raise QuestionError(f"--question {question} takes --theme any, and no --margin")
        return partial(KindWish, question=question, turns=turns)
    return partial(Wish, theme=theme, question=question, turns=turns, margin=margin, own=own_turns)


def _given(context: typer.Context, name: str) -> bool:
    """Tell whether an option was given by the user."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _release() -> str:
    """Return the version of the program; empty if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("burgrave")
    except PackageNotFoundError:
        return ""


def _levels(text: str) -> tuple[int, int]:
    """Return the two ends of a range of difficulties.

    Raises:
        QuestionError: it is no such range.

    """
    from burgrave.puzzles.study.difficulty import levels

    found = levels(text)
    return found[0], found[-1]


def _store(path: Path) -> Store:
    """Return the store of puzzles: a file of lines if its name ends in .jsonl, else a folder."""
    from burgrave.model.files.paths import PathKind, path_kind
    from burgrave.puzzles.making.gathering import Folder, Lines

    there = path_kind(path)
    if path.suffix.lower() != ".jsonl":
        if there not in {PathKind.NOTHING, PathKind.FOLDER}:
            raise QuestionError(f"{path}: is no folder; a file of puzzles ends in .jsonl")
        if path.suffix.lower() in FILES and there is PathKind.NOTHING:
            raise QuestionError(f"{path}: a file of puzzles ends in .jsonl, a folder not like this")
        return Folder(path)
    if there not in {PathKind.NOTHING, PathKind.FILE}:
        raise QuestionError(f"{path}: is no file; name one, or a folder")
    if path_kind(path.parent) is not PathKind.FOLDER:
        raise QuestionError(f"{path}: there is no folder {path.parent}")
    return Lines(path)
