"""Pieces on a board and beside it: followers, markers, aeries."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from burgrave.model.geometry import Cell


class Node(NamedTuple):
    """A segment on the board: the cell of its tile and its index on it."""

    cell: Cell
    segment: int


class _Word(StrEnum):
    """Base of the words for pieces; their ``repr`` can be pasted into code."""

    def __repr__(self) -> str:
        """Return class and member, ``Role.KNIGHT``."""
        return f"{type(self).__name__}.{self.name}"


class Role(_Word):
    """The role of a follower, by the feature he stands on."""

    HERALD = "herald"
    """On a path."""
    KNIGHT = "knight"
    """On a tower, or in a city."""
    SQUIRE = "squire"
    """On a house."""
    MERCHANT = "merchant"
    """On a court, lying down."""
    PREACHER = "preacher"
    """On a chapel."""
    THIEF = "thief"
    """On a road."""
    MONK = "monk"
    """In a cloister."""
    FARMER = "farmer"
    """On a field, lying down."""


class Rank(_Word):
    """The rank of a special follower; it does not depend on his feature."""

    FOLLOWER = "follower"
    """One of the six that a player has of a kind."""
    KING = "king"
    """He doubles points (The Falcon expansion)."""
    FALCONER = "falconer"
    """He brings an aerie token (The Falcon expansion)."""
    BIG = "big"
    """He counts as two in a majority (Inns & Cathedrals)."""

    @property
    def called(self) -> str:
        """Its name in sentences."""
        return "big follower" if self is Rank.BIG else str(self)


class Follower(NamedTuple):
    """A follower on the board."""

    node: Node
    player: int
    role: Role
    rank: Rank = Rank.FOLLOWER

    @property
    def title(self) -> str:
        """His name in sentences: that of his rank if he has one, else that of his role."""
        return titled(self.role, self.rank)


def titled(role: Role, rank: Rank) -> str:
    """Return the name of a follower in sentences: that of his rank if he has one."""
    return str(role) if rank is Rank.FOLLOWER else rank.called


def worded(role: Role, rank: Rank) -> str:
    """Return the word for a follower in notation: that of his rank if he has one."""
    return str(role if rank is Rank.FOLLOWER else rank)


class Prisoner(NamedTuple):
    """A follower held prisoner."""

    owner: int
    """Index of the player whose follower it is."""
    rank: Rank = Rank.FOLLOWER


class Aerie(NamedTuple):
    """A falcon aerie on the board: the cell of its tile and its index on it."""

    cell: Cell
    number: int


class Marker(NamedTuple):
    """The place of a scoring marker."""

    score: int
    at_gate: bool = False
    """Whether it stands on the gate after that number."""
