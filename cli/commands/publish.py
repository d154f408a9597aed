"""``burgrave publish``: the trainer and the rules as a static site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from burgrave.cli.completion import complete_publishable
from burgrave.cli.options import JsonOption
from burgrave.cli.output import show
from burgrave.model.naming import times

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists

_TITLE = "Burgrave"
_SECONDS = 60.0
"""Seconds for the values of the moves of one turn."""


def publish(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The folder to write.", show_default=False)
    ],
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLES]...",
            help="Files with puzzles, ids of shipped ones, or sets; all shipped ones if left out.",
            show_default=False,
            autocompletion=complete_publishable,
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(help="The heading of the site; that of the set if one is named."),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            "--site",
            metavar="URL",
            help="The address at which the site will stand, for links to it with a picture.",
            show_default=False,
        ),
    ] = None,
    shown: Annotated[
        list[str] | None,
        typer.Option(
            "--show",
            metavar="FILE",
            help="A position or a game that the site shows too, at an address of its own.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a site that was published there before.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the trainer and the rules as a site for any web host, or to open from a disk."""
    from burgrave.cli import sources
    from burgrave.cli.progress import in_stages, interrupts
    from burgrave.cli.publish import folder as place
    from burgrave.cli.publish.boards import boards
    from burgrave.cli.publish.preview import web_address
    from burgrave.cli.publish.site import LIST, site
    from burgrave.cli.serve.puzzle_sets import SHIPPED, PuzzleSets
    from burgrave.solver.limits import Limits

    place.check(folder, LIST, force=force)
    site_address = None if address is None else web_address(address)
    own = boards(shown or [])
    sets = PuzzleSets()
    chosen = sets.find(SHIPPED)
    heading = _TITLE if title is None else title
    if puzzles:
        named = [one for one in map(sources.shipped_set, puzzles) if one is not None]
        found = sources.all_puzzles(puzzles)
        if len(puzzles) == len(named) == 1:
            (only,) = named
            heading = only.title if title is None else title
            chosen = sets.take(heading, found, stays=True, story=only.story)
        else:
            chosen = sets.take(heading, found, stays=True, among=named)
    with interrupts() as interrupted, in_stages() as stages:

        def tell(done: int, wanted: int) -> None:
            if interrupted:
                raise KeyboardInterrupt
            stages.at(f"puzzles: {done} of {wanted}" if done < wanted else "rules and tiles")

        made = site(
            sets,
            chosen.id,
            heading,
            Limits(seconds=_SECONDS),
            tell,
            site_address,
            own,
        )
    place.write(folder, made.files)
    size = sum(map(len, made.files.values()))
    data: json_lists.PublishedSite = {
        "folder": str(folder),
        "puzzles": list(made.puzzles),
        "files": len(made.files),
        "bytes": size,
        "unjudged": list(made.unjudged),
        "boards": [one.id for one in own],
    }
    text = (
        f"{times(len(made.puzzles), 'puzzle')} in {folder}: {len(made.files)} files,"
        f" {size / 1e6:.1f} MB. Open {folder / 'index.html'} in a browser."
    )
    where = "index.html" if site_address is None else site_address
    text += "".join(f"\n{one.title}: {where}#/boards/{one.id}" for one in own)
    if made.unjudged:
        text += (
            f"\nSome moves could not be valued, and the site says so: {', '.join(made.unjudged)}"
        )
    show(data, text, as_json=as_json)
