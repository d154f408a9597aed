"""The big follower of Inns & Cathedrals, and the sixth player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from burgrave.model.components import Follower, Rank
from burgrave.model.expansions.inns.switches import BIG_FOLLOWERS
from burgrave.model.expansions.inns.worth import INNS_RULES
from burgrave.model.games import Game
from burgrave.model.position import Position
from burgrave.model.rule import Finding, rule

_SECTION = f"{INNS_RULES}, 'Large followers', as later editions tell it"
SIX = 6
"""Players with the sixth set of followers."""


@rule("inns.setup.big", _SECTION, BIG_FOLLOWERS)
def BIG(position: Position) -> Iterator[Finding]:
    """Each player has one big follower besides the seven others, 8 to place in all.

    On towers and as a prisoner he is among them.

    Passes: six ordinary followers in the supply, one on the board, the big one held prisoner.
    Fails: a big follower on the board and one in the supply.
    """
    game = position.game
    for index, state in enumerate(position.players):
        there = state.available(Rank.BIG) + position.away()[index, Rank.BIG]
        if there > game.specials.count(Rank.BIG):
            yield BIG.finding(
                f"{game.name(index)} has {there} big followers; the game gives him"
                f" {game.specials.count(Rank.BIG)}",
                at=f"{game.players[index]}.specials",
            )


@rule("inns.big.weight", _SECTION)
def WEIGHT(game: Game, follower: Follower) -> int:  # noqa: ARG001
    """The big follower counts as two in every majority, in play and at the end, on fields too.

    He changes who scores, never how much. On towers and as a prisoner it means nothing.

    Passes: a big knight against two knights: both players score.
    Fails: a big knight against one knight: the other player scores.
    """
    return 2 if follower.rank is Rank.BIG else 1


def arranged(before: Callable[[Game], Game] | None) -> Callable[[Game], Game]:
    """Return the changes of a game by its switches: without big followers nobody has one."""

    def found(game: Game) -> Game:
        changed = game if before is None else before(game)
        others = [rank for rank in changed.specials if rank is not Rank.BIG]
        big = [Rank.BIG] if game.value(BIG_FOLLOWERS) == "on" else []
        return replace(changed, specials=tuple(sorted((*others, *big))))

    return found
