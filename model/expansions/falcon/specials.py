"""King and falconer of The Falcon: where they may stand and what they bring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burgrave.model.claims import Occasion, Scored, Turn
from burgrave.model.components import Follower, Node, Rank
from burgrave.model.expansions.falcon.gates import FALCON_RULES_2013
from burgrave.model.expansions.falcon.switches import (
    FALCONER_NEEDS_AERIE,
    FALCONER_ON_COURTS,
    FOUNTAIN_IS_DOUBLING,
    KING_BARS_DOUBLING,
    KING_DOUBLES_COURTS,
    KING_DOUBLES_KEEP,
    KING_WITH_TILE_7,
    SPECIAL_COUNTS,
    SPECIAL_LAST_TURN,
    SPECIAL_ON_WALL_SCORED,
)
from burgrave.model.games import Game
from burgrave.model.placement import Placement
from burgrave.model.position import Deployment, Position
from burgrave.model.rule import Finding, rule
from burgrave.model.tiles import Kind, Mark

_SECTION = f"{FALCON_RULES_2013}, 'King and Falconer'"
_COURTS = (Occasion.COURT, Occasion.COURT_WITH_TILE)


@rule("falcon.setup.followers", _SECTION)
def SPECIALS(position: Position) -> Iterator[Finding]:
    """Each player has a king and a falconer besides the 6 followers, 8 to place in all.

    Passes: a king on the board and a falconer in the supply.
    Fails: a king on the board and a king in the supply.
    """
    game = position.game
    for index, state in enumerate(position.players):
        for rank in Rank:
            if rank is Rank.FOLLOWER:
                continue
            standing = sum((f.player, f.rank) == (index, rank) for f in position.followers)
            total = state.available(rank) + state.resting(rank) + standing
            if total > game.specials.count(rank):
                yield SPECIALS.finding(
                    f"{game.name(index)} has {total} {rank}s; the game gives him"
                    f" {game.specials.count(rank)}",
                    at=f"{game.players[index]}.specials",
                )


@rule("falcon.special.not-now", _SECTION, SPECIAL_LAST_TURN)
def NOT_NOW(placement: Placement, deployments: tuple[Deployment, ...]) -> Iterator[Finding]:
    """King and falconer may not be placed on a feature that is scored in the same turn.

    Final scoring is no part of the last turn (switch ``special_last_turn``), and an extra
    turn is another turn.

    Passes: a king on an open tower.
    Fails: a king on a tower that this tile completes.
    """
    position = placement.position
    left = len(position.order) + len(position.bag) - len(placement.discards) - 1
    last = left <= 0 and position.game.value(SPECIAL_LAST_TURN) == "off"
    for deployment in deployments:
        if deployment.rank is Rank.FOLLOWER:
            continue
        feature = placement.after.by_node.get(Node(deployment.cell, deployment.segment))
        if feature is not None and feature in placement.completed:
            yield NOT_NOW.finding(
                f"the {deployment.rank} stands on the {feature} that this tile completes, which is"
                " scored in the same turn",
                (deployment.cell,),
            )
        elif last:
            yield NOT_NOW.finding(
                f"the {deployment.rank} is placed in the last turn of the game (switch"
                f" {SPECIAL_LAST_TURN.name})",
                (deployment.cell,),
            )


@rule("falcon.special.tie", _SECTION, SPECIAL_COUNTS)
def TIE(followers: Sequence[Follower], winner: int | None) -> frozenset[Rank]:
    """On a tie there are neither points nor tokens, kings and falconers or not.

    A king and a falconer count as one follower each, or as two (switch ``special_counts``).
    Only those of the scorer do anything.

    Passes: a king and a knight against a knight score the doubled tower.
    Fails: a king against a knight scores anything.
    """
    if winner is None:
        return frozenset()
    return frozenset(f.rank for f in followers if f.player == winner) - {Rank.FOLLOWER}


def counts(game: Game, follower: Follower) -> int:
    """Return the number of followers that one counts as in a majority."""
    special = follower.rank is not Rank.FOLLOWER
    return 2 if special and game.value(SPECIAL_COUNTS) == "two" else 1


def keep_factor(scored: Scored) -> int:
    """Return the factor of the scorer's house for his keep."""
    king = Rank.KING in TIE(scored.followers, scored.winner)
    return keep_times(scored.game) if king else 1


def keep_times(game: Game) -> int:
    """Return the highest factor of a house for a keep."""
    return 2 if game.value(KING_DOUBLES_KEEP) == "on" else 1


def in_vain(followers: Sequence[Follower]) -> tuple[str, ...]:
    """Return the rule by which kings and falconers on a tied feature bring nothing."""
    special = any(follower.rank is not Rank.FOLLOWER for follower in followers)
    return (TIE.id,) if special and not TIE(followers, None) else ()


@rule(
    "falcon.king",
    _SECTION,
    FOUNTAIN_IS_DOUBLING,
    SPECIAL_ON_WALL_SCORED,
    SPECIAL_COUNTS,
    KING_DOUBLES_KEEP,
)
def KING(scored: Scored) -> int:
    """The king doubles the points of a feature that his player scores.

    He is placed in place of a follower and counts as one (switch ``special_counts``). A
    fountain is a rate of 2 a tile and no doubling (switch ``fountain_is_doubling``). He doubles
    features that wall tiles 4 to 6 score too (switch ``special_on_wall_scored``). He does not
    double the
    keep's size (switch ``king_doubles_keep``).

    Passes: a path of 3 tiles with a fountain and a king brings 12.
    Fails: a tower is doubled by the king of a player who does not score it.
    """
    game = scored.game
    if Rank.KING not in TIE(scored.followers, scored.winner) or scored.occasion in _COURTS:
        return 1
    if scored.occasion is Occasion.END_TILE and game.value(SPECIAL_ON_WALL_SCORED) == "off":
        return 1
    fountain = scored.feature.kind is Kind.PATH and scored.feature.count(Mark.FOUNTAIN) > 0
    if fountain and game.value(FOUNTAIN_IS_DOUBLING) == "on":
        return 1
    return 2


@rule(
    "falcon.king.court",
    f"{_SECTION}; the rules do not speak of courts",
    KING_DOUBLES_COURTS,
    KING_WITH_TILE_7,
)
def KING_COURT(scored: Scored) -> int:
    """A king on a court doubles its points at the end, with wall tile 7 too.

    Switch ``king_doubles_courts`` off: he does not; ``king_with_tile_7`` off: not on a
    court on which wall tile 7 is used.

    Passes: a court with 2 markets and a king brings 12, with tile 7 16.
    Fails: with the first switch off the same court brings 12.
    """
    game = scored.game
    if Rank.KING not in TIE(scored.followers, scored.winner) or scored.occasion not in _COURTS:
        return 1
    if game.value(KING_DOUBLES_COURTS) == "off":
        return 1
    tiled = scored.occasion is Occasion.COURT_WITH_TILE
    return 1 if tiled and game.value(KING_WITH_TILE_7) == "off" else 2


@rule("falcon.falconer", _SECTION, FALCONER_NEEDS_AERIE, FALCONER_ON_COURTS, SPECIAL_ON_WALL_SCORED)
def FALCONER(scored: Scored) -> int:
    """The falconer brings the player who scores his feature one more aerie token.

    He does so even without an aerie (switch ``falconer_needs_aerie``), on courts (switch
    ``falconer_on_courts``) and on features that wall tiles 4 to 6 score (switch
    ``special_on_wall_scored``). King and falconer on one feature both act.

    Passes: a chapel with 2 aeries and a falconer brings 3 tokens.
    Fails: a token comes from the falconer of a player who does not score the feature.
    """
    game = scored.game
    if Rank.FALCONER not in TIE(scored.followers, scored.winner):
        return 0
    if game.value(FALCONER_NEEDS_AERIE) == "on" and not scored.feature.aeries:
        return 0
    if scored.occasion in _COURTS and game.value(FALCONER_ON_COURTS) == "off":
        return 0
    tiled = scored.occasion is Occasion.END_TILE
    return 0 if tiled and game.value(SPECIAL_ON_WALL_SCORED) == "off" else 1


def bars(game: Game, followers: Sequence[Follower], winner: int | None) -> bool:
    """Tell whether a king keeps wall tiles 2 and 3 from doubling a feature."""
    kings = {follower.player for follower in followers if follower.rank is Rank.KING}
    if winner is None:
        return False
    return bool(kings) if game.value(KING_BARS_DOUBLING) == "any" else winner in kings


@rule("falcon.wall.once", f"{FALCON_RULES_2013}, 'Wall Tiles'", KING_BARS_DOUBLING)
def ONCE(turn: Turn) -> Iterator[Finding]:
    """A feature is doubled at most once: by one of wall tiles 2 and 3, or by the king.

    The English rules bar the tiles 'when scoring with the king', the scorer's own. The German rules
    bar them in any scoring with a king (switch ``king_bars_doubling``).

    Passes: tile 2 on a tower that is won two to one against a king.
    Fails: tile 2 on a tower with the scorer's own king; by the German rules, with the other's king
        too.
    """
    for step, claim in turn.steps():
        if step.wall_tiles and not claim.doublable:
            yield ONCE.finding(
                f"a king stands on the {claim.feature} at {step.node.cell}, so wall tile"
                f" {step.wall_tiles[0]} may not double it",
                (step.node.cell,),
            )
