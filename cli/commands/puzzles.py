"""``burgrave puzzles``: the shipped puzzles, and datasets of puzzles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import (
    complete_filters,
    complete_positions,
    complete_puzzles,
    complete_themes,
)
from burgrave.cli.exits import ANSWERED, NO
from burgrave.cli.options import ForceOption, JsonOption
from burgrave.cli.output import note, show, writable
from burgrave.model.errors import QuestionError
from burgrave.model.naming import times

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists
    from burgrave.puzzles.files.datasets import Dataset, StoredHead
    from burgrave.puzzles.files.library import Entry


def puzzles(
    filters: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DATASET] [FILTER]...",
            help="A dataset in place of the shipped puzzles; then ids, sets, games, themes,"
            " questions or difficulties, like: castle 2-4.",
            show_default=False,
            autocompletion=complete_filters,
        ),
    ] = None,
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="THEME,...",
            help="Puzzles that show one of these themes.",
            show_default=False,
            autocompletion=complete_themes,
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME,...", help="Puzzles of these games.", show_default=False),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option(
            metavar="QUESTION,...", help="Puzzles that ask one of these.", show_default=False
        ),
    ] = None,
    difficulty: Annotated[
        str | None,
        typer.Option(
            metavar="A-B", help="Difficulty from 1 (easy) to 5 (hard).", show_default=False
        ),
    ] = None,
    like: Annotated[
        str | None,
        typer.Option(
            metavar="POSITION",
            help="Find this position, turned and mirrored too: a file, - or an id.",
            show_default=False,
            autocompletion=complete_positions,
        ),
    ] = None,
    new: Annotated[
        list[str] | None,
        typer.Option(
            "--add",
            metavar="FILE",
            help="Add puzzles to the dataset: files, folders, other datasets, ids or sets.",
            show_default=False,
            autocompletion=complete_puzzles,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.jsonl",
            help="Write the puzzles found to this file, one a line.",
            show_default=False,
        ),
    ] = None,
    force: ForceOption = False,
    sets: Annotated[
        bool,
        typer.Option("--sets", help="List the sets instead. The name of a set is a filter."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """List puzzles, shipped ones or those of a dataset; filters choose among them."""
    named = {"theme": theme, "game": game, "question": question, "difficulty": difficulty}
    words = filters or []
    chooses = any(value is not None for value in named.values())
    if sets:
        if words or chooses or like is not None or new or output is not None:
            raise QuestionError("--sets lists all shipped sets and takes no filter or option")
        _show_sets(as_json=as_json)
        return

    from burgrave.puzzles.files.datasets import opened

    place, words = _dataset_of(words, new=bool(new))
    if new and (words or chooses or like is not None or output is not None):
        raise QuestionError("--add takes the dataset alone: no filter, --like or --output")
    if new and place is not None:
        from burgrave.cli.datasets import added, added_data, added_text

        found = added(place, new)
        show(added_data(found), added_text(found), as_json=as_json)
        return
    if like is not None and (words or chooses or output is not None):
        raise QuestionError("--like searches all puzzles: leave out filters and --output")
    dataset = None if place is None else opened(place)
    if like is not None:
        from burgrave.cli.datasets import like as likened

        data, text = likened(like, dataset)
        show(data, text, as_json=as_json)
        raise typer.Exit(ANSWERED if any(one["match"] != "look" for one in data) else NO)
    if output is not None and output.suffix.lower() != ".jsonl":
        raise QuestionError(f"{output}: a file of puzzles ends in .jsonl")
    writable(output, force=force)
    if dataset is not None:
        _stored(dataset, words, named, output, as_json=as_json)
    else:
        _shipped(words, named, output, as_json=as_json)


def _dataset_of(words: Sequence[str], *, new: bool) -> tuple[Path | None, list[str]]:
    """Return the dataset that the first of some words names, and the other words.

    Args:
        words: the arguments of the command.
        new: whether the first word names a dataset even if nothing is there.

    Raises:
        QuestionError: a dataset is wanted and none is named.

    """
    from burgrave.puzzles.files.datasets import is_dataset

    if new and not words:
        raise QuestionError("--add needs a dataset: burgrave puzzles DATASET --add FILE.jsonl")
    place = Path(words[0]) if words else None
    # No filter has a slash or a dot.
    if place and (new or is_dataset(place) or place.suffix or len(place.parts) > 1):
        return place, [*words[1:]]
    return None, [*words]


def _shipped(
    words: list[str], named: dict[str, str | None], output: Path | None, *, as_json: bool
) -> None:
    """List or write shipped puzzles."""
    from burgrave.cli.datasets import shipped_texts
    from burgrave.cli.render.puzzle_heads import entry_head
    from burgrave.puzzles.files.library import select

    found = select(words, named)
    if output is not None:
        _write(output, shipped_texts(found), as_json=as_json)
        return
    data: list[json_lists.ShippedPuzzle] = [
        {**entry_head(entry), "file": entry.file} for entry in found
    ]
    show(data, _listed(found), as_json=as_json)


def _stored(
    dataset: Dataset,
    words: list[str],
    named: dict[str, str | None],
    output: Path | None,
    *,
    as_json: bool,
) -> None:
    """List or write puzzles of a dataset."""
    from burgrave.cli.render.puzzle_heads import entry_head
    from burgrave.puzzles.files.filters import chosen

    asks = bool(words) or any(value is not None for value in named.values())
    known = dataset.known(words) if asks else {}
    wanted = chosen(words, named, known, f"burgrave puzzles {dataset.path} lists them.")
    if output is not None:
        _write(output, dataset.texts(wanted), as_json=as_json)
        return
    found = [*dataset.heads(wanted)]
    data: list[json_lists.PuzzleHead] = [entry_head(one) for one in found] if as_json else []
    show(data, "" if as_json else _listed(found), as_json=as_json)
    note(f"{len(found)} of {times(dataset.puzzles, 'puzzle')}")


def _listed(found: Iterable[Entry | StoredHead]) -> str:
    """Return a line for each puzzle."""
    lines = (
        f"{one.id:32} {one.difficulty or '-'} {one.game:18} {one.edition:8}"
        f"{one.question:8} {one.title} ({', '.join(one.themes) or 'no theme'})"
        for one in found
    )
    return "\n".join(lines) or "No puzzle fits all these filters."


def _write(output: Path, texts: Iterator[str], *, as_json: bool) -> None:
    """Write puzzles to a file, and tell how many."""
    from burgrave.cli.datasets import write_found

    count = write_found(output, texts)
    data: json_lists.WrittenPuzzles = {"file": str(output), "puzzles": count}
    show(data, f"{times(count, 'puzzle')} in {output}", as_json=as_json)


def _show_sets(*, as_json: bool) -> None:
    """List the shipped sets with their stories."""
    from burgrave.puzzles.files.sets import shipped_sets

    found = shipped_sets()
    data: list[json_lists.ShippedSet] = [
        {"id": one.id, "title": one.title, "story": one.story, "puzzles": list(one.puzzles)}
        for one in found
    ]
    lines = [f"{one.id:20} {len(one.puzzles):3}  {one.title}. {one.story}" for one in found]
    show(data, "\n".join(lines), as_json=as_json)
