"""``burgrave warm``: compile everything beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burgrave.cli.options import JsonOption
from burgrave.cli.output import note, show

if TYPE_CHECKING:
    from burgrave.cli.render import json_lists


def warm(as_json: JsonOption = False) -> None:
    """Compile the code of all games beforehand, so that no question waits for it."""
    import time

    from burgrave.puzzles.warming import warm as compile_all
    from burgrave.solver.kernel.compiling import cache_folder

    started = time.monotonic()
    note("compiling code for this machine: about a minute, a few seconds if it was done before")
    compile_all()
    seconds = time.monotonic() - started
    data: json_lists.Warmed = {"folder": str(cache_folder()), "seconds": round(seconds, 3)}
    show(data, f"All code is compiled, in {data['folder']}", as_json=as_json)
