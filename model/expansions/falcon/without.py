"""How a game goes without a rule of The Falcon."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from burgrave.model.book import March, Without, book_of
from burgrave.model.components import Follower, Marker, Rank
from burgrave.model.expansions.falcon.aeries import HAND_BACK, TAKE_TOKENS
from burgrave.model.expansions.falcon.gates import GATES
from burgrave.model.expansions.falcon.specials import FALCONER, TIE
from burgrave.model.games import Game
from burgrave.model.rule import Rule


def _gates_counted(game: Game) -> Game:
    """Return a game in which each gate is a space of the track."""

    def march(game: Game, marker: Marker, gained: int) -> March:
        return March(Marker(marker.score + gained - len(GATES(game, marker, gained))))

    return replace(game, rules=replace(book_of(game), march=march))


def _not_handed_back(game: Game, held: Sequence[int], player: int, taken: int) -> tuple[int, ...]:  # noqa: ARG001
    """Add tokens to those of a player."""
    return tuple(number + taken * (index == player) for index, number in enumerate(held))


def _all_ranks(followers: Sequence[Follower], winner: int | None) -> frozenset[Rank]:  # noqa: ARG001
    """Let kings and falconers of everybody act."""
    return frozenset(follower.rank for follower in followers) - {Rank.FOLLOWER}


WITHOUT: Mapping[Rule[..., Any], Without] = {
    GATES: Without(game=_gates_counted),
    TAKE_TOKENS: Without(lambda *_: ()),
    HAND_BACK: Without(_not_handed_back),
    FALCONER: Without(lambda *_: 0, pays=True),
    TIE: Without(_all_ranks),
}
"""By rule; the others' entries in the book say so."""
