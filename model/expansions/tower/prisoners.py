"""Exchange and ransom prisoners."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from burgrave.model.components import Prisoner, Rank
from burgrave.model.expansions.tower.actions import TOWER_RULES
from burgrave.model.expansions.tower.parts import TowerHoldings, oldest_first
from burgrave.model.expansions.tower.switches import (
    EXCHANGE_CHOICE,
    EXCHANGE_RATIO,
    EXCHANGE_SIZES,
    RANSOM_WINDOW,
)
from burgrave.model.expansions.tower.towers import taken_by
from burgrave.model.games import Game
from burgrave.model.naming import times
from burgrave.model.position import Capture, Move, PlayerState, Position, Ransom
from burgrave.model.rule import Finding, rule
from burgrave.model.stage import Stage

_SECTION = f"{TOWER_RULES}, 'The prisoners'"
PRICE_OF_A_FOLLOWER = 3


@rule("tower.exchange", _SECTION, EXCHANGE_RATIO)
def EXCHANGE(
    position: Position, captor: int, taken: Prisoner, back: Rank | None = None
) -> tuple[PlayerState, ...]:
    """Two players who each hold a prisoner of the other exchange them at once, one for one.

    Nobody can refuse, and there is no chain over a third player. The follower just taken goes
    straight home, and one of the captor's comes home. With ``exchange_ratio`` at ``all`` all of
    the captor's come home for it.

    Passes: the opponent holds three; one comes home, two stay, and he gets his own back.
    Fails: both keep a prisoner of the other.
    """
    held = exchanged(position, captor, taken)
    if not held:
        return kept(position, captor, taken)
    one = (back or held[0],)
    home = held if position.game.value(EXCHANGE_RATIO) == "all" else one
    players = list(position.players)
    owner = players[taken.owner]
    left = owner.part(TowerHoldings).freed(captor, home)
    players[taken.owner] = owner.with_part(left).with_back([taken.rank])
    players[captor] = players[captor].with_back(home)
    return tuple(players)


def kept(
    position: Position,
    captor: int,
    taken: Prisoner,
    back: Rank | None = None,  # noqa: ARG001
) -> tuple[PlayerState, ...]:
    """Return the players once one keeps a follower prisoner, without an exchange."""
    players = list(position.players)
    held = players[captor].part(TowerHoldings).with_prisoner(taken, position.game)
    players[captor] = players[captor].with_part(held)
    return tuple(players)


@rule("tower.exchange.sizes", f"{_SECTION}; the rules know no sizes", EXCHANGE_SIZES)
def SIZES(game: Game, held: tuple[Rank, ...], taken: Rank) -> tuple[Rank, ...]:
    """A follower is exchanged for any other, whatever their ranks.

    With the switch ``exchange_sizes`` at ``same`` only for one of its own rank; otherwise both
    stay prisoners.

    Passes: a big follower for an ordinary one.
    Fails: the same, with the switch.
    """
    # A game without followers of a rank does not have the switch.
    same = game.specials and game.value(EXCHANGE_SIZES) == "same"
    return of_one_size(game, held, taken) if same else held


def of_one_size(game: Game, held: tuple[Rank, ...], taken: Rank) -> tuple[Rank, ...]:  # noqa: ARG001
    """Return the followers of one's rank alone."""
    return tuple(rank for rank in held if rank is taken)


def exchanged(position: Position, captor: int, taken: Prisoner) -> tuple[Rank, ...]:
    """Return the ranks of the captor's followers that can come home for one just taken.

    Without a choice the first one does.
    """
    held = position.players[taken.owner].part(TowerHoldings).held(captor)
    return SIZES(position.game, held, taken.rank)


@rule(
    "tower.exchange.choice", f"{_SECTION}; the rules know no ranks", EXCHANGE_RATIO, EXCHANGE_CHOICE
)
def CHOICE(stage: Stage, move: Move) -> Iterator[Finding]:
    """A captor whose followers of several ranks are held says which of them comes home.

    He is their owner; the player who holds them has no say. With the switch ``exchange_choice`` at
    ``captor`` the player who holds them says it, within the turn of the other. At ``oldest`` the
    one who was taken first comes home, and nobody has a choice.

    Passes: of a big and an ordinary follower the big one comes home.
    Fails: neither is named.
    """
    game, name = stage.position.game, stage.mover_name
    for capture in move.captures:
        ranks = choices(stage, capture)
        if capture.back is not None and capture.back not in ranks:
            first = ": the one taken first does" if ranks and oldest_first(game) else ""
            yield CHOICE.finding(
                f"no {capture.back.called} of {name} comes home by this exchange{first}",
                (capture.cell,),
            )
        elif capture.back is None and len(ranks) > 1:
            named = " or ".join(f":{rank}" for rank in ranks)
            yield CHOICE.finding(
                f"{name} has followers of several ranks among the prisoners:"
                f" {_asked(stage, capture)}, {named} after the capture",
                (capture.cell,),
            )


def _asked(stage: Stage, capture: Capture) -> str:
    """Return the demand to name who comes home by a capture, with the player who has the choice."""
    game, taken = stage.position.game, taken_by(stage, capture)
    if taken is None or game.value(EXCHANGE_CHOICE) == "owner":
        return "name the one that comes home"
    return f"{game.name(taken.owner)}, who holds them, says which one comes home; name it"


def choices(stage: Stage, capture: Capture) -> tuple[Rank, ...]:
    """Return the ranks of which one comes home by a capture, sorted; none if there is no choice."""
    taken, position = taken_by(stage, capture), stage.position
    if taken is None or taken.owner == position.to_move:
        return ()
    if position.game.value(EXCHANGE_RATIO) == "all":
        return ()
    held = exchanged(position, position.to_move, taken)
    return held[:1] if oldest_first(position.game) else tuple(sorted(set(held)))


@rule("tower.exchange.rest", _SECTION)
def MUTUAL(position: Position) -> Iterator[Finding]:
    """Between two turns no two players hold prisoners of each other, and nobody his own.

    Passes: Red holds Blue's, Blue holds Green's.
    Fails: Red holds Blue's, Blue holds Red's.
    """
    names = position.game.players
    for index, state in enumerate(position.players):
        at = f"{names[index]}.prisoners"
        holder, holdings = position.game.name(index), state.part(TowerHoldings)
        for owner in sorted({one.owner for one in holdings.prisoners}):
            if owner == index:
                message = f"{holder} holds a follower of his own prisoner"
                yield MUTUAL.finding(message, at=at)
            elif not 0 <= owner < len(names):
                message = f"{holder} holds a follower of player {owner}, who is not in the game"
                yield MUTUAL.finding(message, at=at)
            elif owner < index and any(
                exchanged(position, index, Prisoner(owner, rank)) for rank in holdings.held(owner)
            ):
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
            ransom.rank not in position.players[captor].part(TowerHoldings).held(mover)
        ):
            yield PRISONER.finding(
                f"{_name(position, captor)} holds no {ransom.rank.called} of"
                f" {position.game.name(mover)}"
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
        left = players[captor].part(TowerHoldings).freed(mover, (ransom.rank,))
        paid_for = replace(players[captor], score=players[captor].score + PRICE_OF_A_FOLLOWER)
        players[captor] = paid_for.with_part(left)
        payer = players[mover].with_back([ransom.rank])
        players[mover] = replace(payer, score=payer.score - PRICE_OF_A_FOLLOWER)
    return replace(position, players=tuple(players))
