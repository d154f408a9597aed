"""Falcon aeries and their tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from burgrave.model.claims import Occasion, Pile, Scored
from burgrave.model.components import Aerie
from burgrave.model.expansions.falcon.gates import FALCON_RULES_2013
from burgrave.model.expansions.falcon.parts import Aeries, FalconHoldings
from burgrave.model.expansions.falcon.specials import FALCONER
from burgrave.model.expansions.falcon.switches import (
    AERIE_END_ORDER,
    AERIE_SCOPE,
    AERIE_SHARED,
    AERIE_SUPPLY,
)
from burgrave.model.games import Game
from burgrave.model.naming import times
from burgrave.model.position import Position
from burgrave.model.rule import Event, Finding, rule
from burgrave.model.rules.castle.ending import END_ORDER
from burgrave.model.rules.castle.keeps import largest_empty_area
from burgrave.model.switches import EMPTY_AREA_ADJACENCY

_SECTION = f"{FALCON_RULES_2013}, 'Falcon aeries'"
TOKENS = 12
"""Aerie tokens in the game."""


@rule("falcon.tiles", f"{FALCON_RULES_2013}, 'Contents'", AERIE_SHARED)
def AERIES_THERE(position: Position) -> Iterator[Finding]:
    """There are 18 more tiles, with chapel parts and falcon aeries; 78 tiles in all.

    A taken aerie lies on a tile of the board. Aeries are taken only if each brings a single token
    (switch ``aerie_shared``).

    Passes: the first aerie of a tile on the board is taken.
    Fails: the second aerie of a tile that shows one is taken.
    """
    if position.part(Aeries).taken_aeries and position.game.value(AERIE_SHARED) == "each":
        yield AERIES_THERE.finding(
            "aeries are taken, but each brings a token to every feature (switch aerie_shared)",
            at="taken_aeries",
        )
    for index, aerie in enumerate(position.part(Aeries).taken_aeries):
        tile = position.tile_at(aerie.cell)
        if tile is None or aerie.number >= len(tile.kind.aeries):
            yield AERIES_THERE.finding(
                f"there is no aerie {aerie.number} on {aerie.cell}",
                (aerie.cell,),
                at=f"taken_aeries[{index}]",
            )


@rule("falcon.aerie.take", _SECTION, AERIE_SCOPE, AERIE_SHARED)
def TAKE_TOKENS(scored: Scored, gone: frozenset[Aerie]) -> tuple[Aerie, ...]:
    """The scorer of a feature takes an aerie token for each aerie beside it.

    An aerie counts once for a feature, and for every feature it adjoins (switch
    ``aerie_shared``). Courts count too, and features that wall tiles 4 to 6 score, even for 0
    points. The German text names completed areas only (switch ``aerie_scope``). In final scoring
    the
    player of the last turn takes his tokens for courts first, as in a turn, and then those
    for wall tiles.

    Passes: a path of 4 tiles with one aerie brings 1 token.
    Fails: a tied path brings a token.
    """
    game = scored.game
    only_completed = game.value(AERIE_SCOPE) == "completed"
    if only_completed and scored.occasion is not Occasion.COMPLETED:
        return ()
    aeries = scored.feature.aeries
    if game.value(AERIE_SHARED) == "first":
        return tuple(aerie for aerie in aeries if aerie not in gone)
    return aeries


@rule("falcon.aerie.supply", _SECTION, AERIE_SUPPLY)
def HAND_BACK(game: Game, held: Sequence[int], player: int, taken: int) -> tuple[int, ...]:
    """If the 12 tokens run out, both players give back the same number.

    Only the difference counts. They give back as few as they can. A lead beyond the tokens is kept
    as a number, or ends at 12 by the switch.

    Passes: 6 to 5, and 3 more for the first: he leads by 4.
    Fails: he takes the last token only and leads by 2.
    """
    now = [number + taken * (index == player) for index, number in enumerate(held)]
    over = sum(now) - TOKENS
    if over > 0:
        back = min(*now, -(-over // len(now)))
        now = [number - back for number in now]
    if game.value(AERIE_SUPPLY) == "capped":
        now = [min(number, TOKENS) for number in now]
    return tuple(now)


def tokens_there_are(position: Position) -> Iterator[Finding]:
    """Yield a finding if the players have more tokens than they can have."""
    held = [state.part(FalconHoldings).tokens for state in position.players]
    most = TOKENS if position.game.value(AERIE_SUPPLY) == "capped" or min(held) else max(held)
    if sum(held) > max(most, TOKENS):
        yield HAND_BACK.finding(
            f"the players have {' and '.join(map(str, held))} aerie tokens; there are {TOKENS}",
            at=f"{position.game.players[0]}.tokens",
        )


def pile_of(position: Position) -> Pile:
    """Return the tokens of a position."""
    held = tuple(state.part(FalconHoldings).tokens for state in position.players)
    return Pile(held, frozenset(position.part(Aeries).taken_aeries))


def with_pile(position: Position, pile: Pile) -> Position:
    """Return a position with other tokens; itself if they are the same."""
    if pile == pile_of(position):
        return position
    pairs = zip(position.players, pile.held, strict=True)
    players = tuple(state.with_part(FalconHoldings(tokens=tokens)) for state, tokens in pairs)
    return replace(position, players=players).with_part(
        Aeries(taken_aeries=tuple(sorted(pile.gone)))
    )


def collect(pile: Pile, scored: Scored) -> tuple[Pile, Event | None]:
    """Let the scorer of a feature take its tokens, those of a falconer included."""
    game, player = scored.game, scored.winner
    aeries, more = TAKE_TOKENS(scored, pile.gone), FALCONER(scored)
    gone = pile.gone
    if game.value(AERIE_SHARED) == "first":
        gone |= frozenset(aeries)
    if not aeries and not more:
        return pile, None
    taken = len(aeries) + more
    held = HAND_BACK(game, pile.held, player, taken)
    rules = [TAKE_TOKENS.id] if aeries else []
    rules += [FALCONER.id] if more else []
    if list(held) != [n + taken * (index == player) for index, n in enumerate(pile.held)]:
        rules.append(HAND_BACK.id)
    back = pile.held[1 - player] - held[1 - player]
    returned = f", they run out and each player gives {back} back" if back else ""
    event = Event(
        rules=tuple(rules),
        text=f"{game.name(player)} takes {times(taken, 'aerie token')} for the {scored.feature}"
        f"{returned}, now {' to '.join(map(str, held))}",
        player=player,
        tokens=taken,
        cells=tuple(sorted(scored.feature.cells)),
        anchor=scored.feature.anchor,
    )
    return Pile(held, gone), event


@rule("falcon.aerie.end", _SECTION, AERIE_END_ORDER, EMPTY_AREA_ADJACENCY)
def TOKEN_END(position: Position, held: Sequence[int]) -> tuple[int | None, int]:
    """At the end the player with more tokens scores the largest connected empty area.

    It comes after courts and wall tiles 4 to 6 (switch ``aerie_end_order``). Equal numbers:
    nobody. Keep and tokens may both pay for the same area.

    Passes: 4 tokens to 2 and an area of 9 cells bring 9.
    Fails: 3 tokens to 3 bring anything.
    """
    area = largest_empty_area(position)
    most = max(held)
    winner = list(held).index(most) if list(held).count(most) == 1 else None
    return winner, area


def phases(game: Game) -> tuple[str, ...]:
    """Return the phases of final scoring with that of the tokens."""
    if game.value(AERIE_END_ORDER) == "first":
        return ("tokens", *END_ORDER(game))
    return (*END_ORDER(game), "tokens")
