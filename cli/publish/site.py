"""The files of a published copy of the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib import resources
from typing import Any

from burgrave.cli.publish import preview, stock
from burgrave.cli.publish.boards import Board
from burgrave.cli.publish.kept import recorded
from burgrave.cli.publish.pieces import Pieces
from burgrave.cli.publish.rules import cases, rules
from burgrave.cli.serve import catalogue, documents, trainer
from burgrave.cli.serve.bodies import AboutPosition
from burgrave.cli.serve.bundle import bundle
from burgrave.cli.serve.puzzle_sets import PuzzleSets
from burgrave.cli.serve.static import MAIN, SCRIPT, START, assets, modules
from burgrave.model.files.toml import FORMAT
from burgrave.model.pictures import Theme, stylesheet
from burgrave.model.registry import GAMES
from burgrave.solver.limits import Limits

LIST = "site.json"
"""The file that tells what a published copy consists of."""
_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:;"
    " img-src 'self' file: data:; base-uri 'none'; form-action 'none'"
)
"""Scripts, styles and pictures of the copy alone; no connection to anywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A published copy.

    Attributes:
        files: the contents of the files, by their paths with forward slashes.
        puzzles: the ids of the puzzles.
        unjudged: puzzles with moves that the copy offers and cannot judge.

    """

    files: dict[str, bytes]
    puzzles: tuple[str, ...]
    unjudged: tuple[str, ...]


def site(  # noqa: PLR0913, PLR0917 -- what the command knows
    sets: PuzzleSets,
    set_id: str,
    title: str,
    budget: Limits,
    told: Callable[[int, int], None],
    address: str | None = None,
    shown: Sequence[Board] = (),
) -> Site:
    """Return the copy of a set of puzzles with the rules; the same for the same puzzles.

    Args:
        sets: the sets of puzzles.
        set_id: the set.
        title: the heading.
        budget: time and effort for the values of the moves of one turn.
        told: hears often how many puzzles are done, and of how many; what it raises ends the work.
        address: where the copy will stand, with a slash at its end; None if that is not known.
        shown: positions and games that the copy shows too.

    """
    chosen = sets.find(set_id)
    heads = chosen.data()["puzzles"]
    files = _page(title, set_id, boards=bool(shown))
    first = chosen.puzzle(heads[0]["id"]).position
    board = None if address is None else preview.picture(first)
    if board is not None:
        files[preview.PREVIEW] = board
    about_it = preview.described(title, len(heads))
    lines = preview.head(title, about_it, address, pictured=board is not None)
    files[START] = files[START].replace(b"<title>", f"{lines}\n    <title>".encode())
    tiles: list[dict[str, Any]] = []
    unjudged = []
    for number, head in enumerate(heads, start=1):
        hear = partial(told, number - 1, len(heads))
        hear()
        replies, unknown = recorded(sets, set_id, head["id"], budget, hear)
        files[f"data/puzzle-{number}.js"] = _script(f"puzzle-{number}", replies)
        small = trainer.picture(sets, set_id, head["id"])
        files[f"data/picture-{number}.js"] = _script(f"picture-{number}", small)
        tiles.append(documents.set_keys(replies["views"][0]["document"]))
        if unknown:
            unjudged.append(head["id"])
    told(len(heads), len(heads))
    for number, one in enumerate(shown, start=1):
        files[f"data/board-{number}.js"] = _script(f"board-{number}", one.data)
        tiles.append(documents.set_keys(one.data["views"][0]["document"]))
    # A link may show any game.
    tiles += [{"burgrave": FORMAT, "type": "position", "game": game} for game in GAMES]
    tiles = [bare for at, bare in enumerate(tiles) if bare not in tiles[:at]]
    for number, game in enumerate(GAMES, start=1):
        files[f"data/stamps-{number}.js"] = _script(f"stamps-{number}", stock.pictures(game))
    for number, bare in enumerate(tiles, start=1):
        files[f"data/tiles-{number}.js"] = _script(f"tiles-{number}", _tiles(bare))
    files["data/set.js"] = _script(
        "set",
        {
            **listing(sets, set_id),
            "tiles": tiles,
            "games": GAMES,
            "boards": [{"id": one.id, "title": one.title} for one in shown],
        },
    )
    files["data/style.js"] = _script("style", {"css": stylesheet(Theme.LIGHT)})
    files["data/rules.js"] = _script("rules", rules())
    for name, data in cases():
        files[f"data/cases-{name}.js"] = _script(f"cases-{name}", data)
    ids = tuple(head["id"] for head in heads)
    about = {"burgrave": 1, "type": "site", "title": title, "puzzles": ids}
    files[LIST] = (json.dumps({**about, "files": sorted(files)}, indent=2) + "\n").encode()
    return Site(files=dict(sorted(files.items())), puzzles=ids, unjudged=tuple(unjudged))


def listing(sets: PuzzleSets, set_id: str) -> dict[str, Any]:
    """Return the list of a set, with the lists of the sets beside it, by their ids."""
    told = sets.find(set_id).data()
    beside = {"sets": told["sets"]}
    others = {one["id"]: {**sets.find(one["id"]).data(), **beside} for one in told["sets"]}
    return {**told, "others": others}


def _tiles(keys: dict[str, Any]) -> dict[str, Any]:
    """Return a set of tiles as the page gets it, their pictures as the numbers of pieces."""
    pieces = Pieces()
    told = catalogue.tiles(AboutPosition(position=keys))
    for kind in told["kinds"]:
        kind["svg"] = pieces.take(kind["svg"])
    return {**told, "pieces": pieces.texts}


def _script(name: str, data: dict[str, Any]) -> bytes:
    """Return a file of data as a script that hands it over."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"burgrave({json.dumps(name)},{text});\n".encode()


def _page(title: str, set_id: str, *, boards: bool) -> dict[str, bytes]:
    """Return the page itself: its start, its styles and pictures, and one script."""
    files = {path.removeprefix("/static/"): one.content for path, one in assets().items()}
    folder = resources.files("burgrave.cli.publish") / "client"
    stand_ins = {
        "api.js": (folder / "published.js").read_text(encoding="utf-8"),
        "views.js": (folder / "views.js").read_text(encoding="utf-8"),
        "boards.js": (folder / "boards.js").read_text(encoding="utf-8"),
        "drawings.js": (folder / "drawings.js").read_text(encoding="utf-8"),
    }
    files[SCRIPT] = bundle({**modules(), **stand_ins}, MAIN).encode()
    files[START] = _start(files.pop("/").decode(), title, set_id, boards=boards).encode()
    return files


def _start(html: str, title: str, set_id: str, *, boards: bool) -> str:
    """Return the start of the page, for a copy."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    for old, new in (
        ("/static/", ""),
        ("<html ", f'<html data-set="{escape(set_id)}"{" data-boards" * boards} '),
        ('<meta charset="utf-8">', f'<meta charset="utf-8">\n    {policy}'),
        ("<title>Burgrave</title>", f"<title>{escape(title)}</title>"),
        ("<h1>Burgrave</h1>", f"<h1>{escape(title)}</h1>"),
    ):
        assert old in html
        html = html.replace(old, new)
    return html
