"""Games that other programs recorded: which program it is, and its reader."""

from __future__ import annotations

from burgrave.model.errors import FileError
from burgrave.model.files.toml import parse
from burgrave.model.formats.arena import ARENA, is_log, read_log
from burgrave.model.formats.imported import Imported
from burgrave.model.formats.lab import LAB, is_link, read_link

JCLOISTERZONE = "JCloisterZone"
PROGRAMS = (JCLOISTERZONE, ARENA, LAB)


def program(name: str, text: str) -> str | None:
    """Return the program that wrote a game; None for a file of Burgrave.

    Args:
        name: the file as the user named it, for errors.
        text: TOML, JSON, or a link.

    Raises:
        FileError: it is none of these.

    """
    if is_link(text):
        return LAB
    data = parse(name, text)
    if "appVersion" in data:
        return JCLOISTERZONE
    return ARENA if is_log(data) else None


def read_foreign(name: str, text: str) -> Imported:
    """Read a game that another program recorded, and play it.

    Args:
        name: the file as the user named it, for errors.
        text: the save, the log or the link.

    Raises:
        FileError: no such game, one with an expansion that is not known, or an illegal turn; each
            with its place.

    """
    found = program(name, text)
    if found == LAB:
        return read_link(name, text)
    if found == ARENA:
        return read_log(name, parse(name, text))
    if found == JCLOISTERZONE:
        from burgrave.model.formats.saves import read_save  # noqa: PLC0415 -- saves only: their form takes time

        return read_save(name, text)
    raise FileError(name, [f"is no game of {', '.join(PROGRAMS[:-1])} or {PROGRAMS[-1]}"])
