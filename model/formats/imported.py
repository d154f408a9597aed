"""A game that another program recorded, as all of its readers return it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from burgrave.model.files.positions import Record

_LONGEST_NAME = 16


class Claim(NamedTuple):
    """An assertion of a game of another program."""

    text: str
    holds: bool | None
    """Whether our rules say the same; None if they cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """A game of another program."""

    record: Record
    """Its whole turns."""
    remarks: tuple[str, ...] = ()
    """Gaps of the game, and parts that no record can hold, a sentence each."""
    claims: tuple[Claim, ...] = ()
    """What it says of points and options, compared with our rules."""


def spelled(names: Sequence[str]) -> tuple[str, ...]:
    """Return players' names in our files' spelling: small letters and figures, all different.

    >>> spelled(("Änne", "anne", "李", "7th Son"))
    ('anne', 'anne2', 'player3', 'p7thson')
    """
    found: list[str] = []
    for number, name in enumerate(names, start=1):
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        word = re.sub(r"[^a-z0-9_]", "", plain)[:_LONGEST_NAME] or f"player{number}"
        if not word[0].isalpha():
            word = f"p{word}"[:_LONGEST_NAME]
        if word in found:
            word = f"{word[: _LONGEST_NAME - 1]}{number}"
        found.append(word)
    return tuple(found)
