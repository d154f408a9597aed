"""Exchange and ransom prisoners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from burgrave.model.expansions.tower.actions import TOWER_RULES
from burgrave.model.naming import times
from burgrave.model.position import PlayerState, Position, Ransom
from burgrave.model.rule import Finding, rule
from burgrave.model.switches import EXCHANGE_RATIO, RANSOM_WINDOW

_SECTION = f"{TOWER_RULES}, 'The prisoners'"
PRICE_OF_A_FOLLOWER = 3


@rule("tower.exchange", _SECTION, EXCHANGE_RATIO)
def EXCHANGE(position: Position, captor: int, owner: int) -> tuple[PlayerState, ...]:
    """Two players who each hold a prisoner of the other exchange them at once, one for one.

    Nobody can refuse, and there is no chain over a third player. The follower just taken goes
    straight home, and one of the captor's comes home. Which one makes no difference, as all
    followers are alike. With ``exchange_ratio`` at ``all`` all of the captor's
    come home for it.

    Passes: the opponent holds three; one comes home, two stay, and he gets his own back.
    Fails: both keep a prisoner of the other.
    """
    players = list(position.players)
    held = list(players[owner].prisoners)
    if captor not in held:
        players[captor] = _with_prisoner(players[captor], owner)
        return tuple(players)
    back = held.count(captor) if position.game.value(EXCHANGE_RATIO) == "all" else 1
    for _ in range(back):
        held.remove(captor)
    players[owner] = replace(
        players[owner], prisoners=tuple(held), supply=players[owner].supply + 1
    )
    players[captor] = replace(players[captor], supply=players[captor].supply + back)
    return tuple(players)


def _with_prisoner(state: PlayerState, owner: int) -> PlayerState:
    """Return a player with one more prisoner."""
    return replace(state, prisoners=tuple(sorted((*state.prisoners, owner))))


@rule("tower.exchange.rest", _SECTION)
def MUTUAL(position: Position) -> Iterator[Finding]:
    """Between two turns no two players hold prisoners of each other, and nobody his own.

    Passes: Red holds Blue's, Blue holds Green's.
    Fails: Red holds Blue's, Blue holds Red's.
    """
    names = position.game.players
    for index, state in enumerate(position.players):
        at = f"{names[index]}.prisoners"
        for owner in sorted(set(state.prisoners)):
            holder = position.game.name(index)
            if owner == index:
                message = f"{holder} holds a follower of his own prisoner"
                yield MUTUAL.finding(message, at=at)
            elif not 0 <= owner < len(names):
                message = f"{holder} holds a follower of player {owner}, who is not in the game"
                yield MUTUAL.finding(message, at=at)
            elif owner < index and index in position.players[owner].prisoners:
                yield MUTUAL.finding(
                    f"{holder} and {position.game.name(owner)} hold prisoners of"
                    " each other, which are exchanged at once",
                    at=at,
                )


@rule("tower.ransom.once", _SECTION)
def ONCE(position: Position, ransoms: Sequence[Ransom]) -> Iterator[Finding]:
    """A player may buy back one follower from one opponent, once in a turn.

    Passes: one of two followers that two opponents hold.
    Fails: both in one turn.
    """
    if len(ransoms) > 1:
        name = position.game.name(position.to_move)
        yield ONCE.finding(f"{name} buys back {len(ransoms)} followers in one turn")


@rule("tower.ransom.window", _SECTION, RANSOM_WINDOW)
def WINDOW(position: Position, ransoms: Sequence[Ransom]) -> Iterator[Finding]:
    """A player pays a ransom on his own turn: before the action or after scoring.

    Points just won may pay for it, but the follower is then for the next turn. With the
    switch at ``before_action`` it is paid before the action or not at all.

    Passes: a player with 1 point scores 4 and buys a follower back.
    Fails: a ransom in an opponent's turn.
    """
    late = any(ransom.late for ransom in ransoms)
    if late and position.game.value(RANSOM_WINDOW) == "before_action":
        yield WINDOW.finding("a ransom is paid before the action or not at all")


@rule("tower.ransom.prisoner", _SECTION)
def PRISONER(position: Position, ransoms: Sequence[Ransom]) -> Iterator[Finding]:
    """A player buys back only a follower of his own, and the opponent cannot refuse.

    It is in the supply at once and may be used in the same turn. Prisoners are otherwise
    neither placed nor traded.

    Passes: a ransomed follower is placed on the tile just laid.
    Fails: buying another player's follower free.
    """
    mover = position.to_move
    for ransom in ransoms:
        captor = ransom.captor
        if not 0 <= captor < len(position.players) or (
            mover not in position.players[captor].prisoners
        ):
            yield PRISONER.finding(
                f"{_name(position, captor)} holds no follower of {position.game.name(mover)}"
            )


def _name(position: Position, player: int) -> str:
    """Return the name of a player, also of one who does not play."""
    known = 0 <= player < len(position.players)
    return position.game.name(player) if known else f"player {player}"


@rule("tower.ransom.price", _SECTION)
def PRICE(position: Position, ransoms: Sequence[Ransom]) -> Iterator[Finding]:
    """A ransom costs 3 points, which the captor gets; a player with less cannot pay.

    Passes: a player with exactly 3 points pays and has 0.
    Fails: a player with 2 points pays.
    """
    score = position.players[position.to_move].score
    for _ in ransoms:
        if score < PRICE_OF_A_FOLLOWER:
            yield PRICE.finding(
                f"{position.game.name(position.to_move)} has {times(score, 'point')};"
                f" a ransom costs {PRICE_OF_A_FOLLOWER}"
            )
        score -= PRICE_OF_A_FOLLOWER


def paid(position: Position, ransoms: Sequence[Ransom]) -> Position:
    """Return the position after legal ransoms of the player to move."""
    players = list(position.players)
    mover = position.to_move
    for ransom in ransoms:
        captor = ransom.captor
        held = list(players[captor].prisoners)
        held.remove(mover)
        players[captor] = replace(
            players[captor],
            prisoners=tuple(held),
            score=players[captor].score + PRICE_OF_A_FOLLOWER,
        )
        players[mover] = replace(
            players[mover],
            supply=players[mover].supply + 1,
            score=players[mover].score - PRICE_OF_A_FOLLOWER,
        )
    return replace(position, players=tuple(players))
