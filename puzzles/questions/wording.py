"""Turns, features and points in the words of a teacher, with the notation in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from burgrave.model.book import book_of
from burgrave.model.components import Rank, Role, titled
from burgrave.model.games import Game
from burgrave.model.geometry import Side, middle
from burgrave.model.naming import a_noun
from burgrave.model.notation import write_move
from burgrave.model.position import Capture, Move, Position
from burgrave.model.rule import Event

FEATURE = re.compile(r"\b(city|road|cloister|court|path|house|tower|chapel)\b")
"""The kinds of features, as events of scoring name them."""
EMPTY = "the largest empty area"
"""What a keep or an aerie token scores at the end."""
TWO = 2
"""Things that a sentence names at most."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def counted(number: int, noun: str) -> str:
    """Return a number with a noun: small numbers as words."""
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{word} {noun}{'' if number == 1 else 's'}"


def points(number: int | Fraction) -> str:
    """Return a number of points, a fraction as a decimal number if it is short."""
    value = Fraction(number)
    told = f"{float(value):g}" if value == Fraction(f"{float(value):g}") else str(value)
    return "1 point" if number == 1 else f"{told} points"


def listed(parts: Sequence[str]) -> str:
    """Return parts as an enumeration: ``a, b and c``."""
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def turn(position: Position, move: Move, notation: str = "") -> str:
    """Return a turn as a predicate: ``lays U on 1,0 with a thief (U@1,0r0 thief.E)``.

    Args:
        position: the position before it.
        move: the turn, which may break a rule.
        notation: its notation, if it is not to be written anew.

    """
    deeds = []
    if move.ransoms and not move.ransoms[0].late:
        deeds.append(f"buys {of_rank(move.ransoms[0].rank)} back")
    if move.discards:
        deeds.append(f"finds no place for {listed(move.discards)}")
    if move.tile is None:
        deeds += [] if move.discards else ["has no tile to lay"]
    else:
        manned = [f"with {placed(one.role, one.rank)}" for one in move.followers]
        other = move.pieces or move.guards
        deeds.append(" ".join((f"lays {move.tile} on {move.cell}", *manned)))
        state = position.players[position.to_move]
        if not manned and not other and (state.supply or state.specials):
            deeds[-1] += " without a follower"
    deeds += [f"raises the tower on {cell}" for cell in move.pieces]
    for one in move.captures:
        deeds.append(f"captures {_captured(position, one)}")
        deeds += [] if one.back is None else [f"gets {_his(one.back)} home for him"]
    deeds += [f"closes the tower on {cell} with {of_rank(rank)}" for cell, rank in move.guards]
    used = sorted(number for one in move.scoring for number in one.wall_tiles)
    if used:
        deeds.append(f"uses wall tile {listed([*map(str, used)])}")
    if move.extra_turns:
        deeds.append("takes another turn by wall tile 1")
    if move.ransoms and move.ransoms[0].late:
        deeds.append(f"buys {of_rank(move.ransoms[0].rank)} back")
    return f"{listed(deeds)} ({notation or write_move(position, move)})"


def placed(role: Role, rank: Rank) -> str:
    """Return a follower who is placed: ``a thief``, or ``the big follower as a thief``."""
    # Notation tells the rank alone, and each player has one big follower, for every role.
    if rank is Rank.BIG:
        return f"{_his(rank)} as {a_noun(str(role))}"
    return a_noun(titled(role, rank))


def _his(rank: Rank) -> str:
    """Return the follower of a rank where a game has several ranks: ``the big follower``."""
    return "an ordinary follower" if rank is Rank.FOLLOWER else f"the {rank.called}"


def of_rank(rank: Rank) -> str:
    """Return a follower of a rank: ``a follower``, ``the big follower``."""
    return "a follower" if rank is Rank.FOLLOWER else _his(rank)


def _captured(position: Position, taken: Capture) -> str:
    """Return the follower who is captured, with his owner: two may stand on one tile."""
    for one in position.followers:
        if (*one.node,) == taken[:2] and one.player != position.to_move:
            return f"{position.game.name(one.player)}'s {one.title} on {taken.cell}"
    return f"a follower on {taken.cell}"


def a_move(game: Game) -> str:
    """Return the form of an answer that is a move, with an example of the game."""
    north, roles, kinds = middle(Side.N), book_of(game).roles, game.tile_set.kinds
    for kind in kinds:
        index = kind.at(north, 0)
        if index >= 0:
            role = roles[kind.segments[index].kind]
            return f"a move, like {kind.id}@3,4r0 {role}.N"
    return f"a move, like {kinds[0].id}@3,4r0"


def noun(event: Event) -> str:
    """Return the kind of thing for which an event brings points: ``city``, ``field``."""
    family = event.rules[0]
    if family.startswith("carcassonne.farm"):
        return "field"
    if "largest empty area" in event.text:
        return "empty area"
    if "ransom" in family:
        return "ransom"
    found = FEATURE.search(event.text)
    if "uses wall tile" in event.text:
        return "wall tile"
    return found[0] if found is not None else "rest"


def named(event: Event) -> str:
    """Return the thing for which an event brings points, with its place."""
    kind = noun(event)
    if kind == "empty area":
        return EMPTY
    found = FEATURE.search(event.text)
    place = f" at {event.anchor.cell}" if event.anchor is not None else ""
    if kind == "wall tile":
        number = re.search(r"wall tile \d+", event.text)
        on = f" on the {found[0]}{place}" if found is not None else ""
        return f"{number[0] if number is not None else kind}{on}"
    return f"the field by the city{place}" if kind == "field" else f"the {kind}{place}"


def several(thing: str, kind: str) -> str:
    """Return two things of one name in one word: ``the roads at 0,1`` for ``the road at 0,1``."""
    plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
    return thing.replace(kind, plural, 1)


def fields(events: Sequence[Event]) -> str:
    """Return fields that pay for several cities: ``the fields by the cities at 0,0 and 1,0``."""
    cells = dict.fromkeys(str(one.anchor.cell) for one in events if one.anchor is not None)
    if len(cells) == 1 and len(events) == TWO:
        return f"the field by both cities at {listed([*cells])}"
    return f"the fields by the cities at {listed([*cells])}"


def scored(event: Event) -> str:
    """Return the points of an event with their thing: ``3 for the road of 2 tiles at 0,1``."""
    found = re.search(r"scores (the .*?): ", event.text)
    # A cloister or an empty area says nothing by its tiles.
    thing = named(event) if found is None else found[1].replace("cloister of 1 tile", "cloister")
    if thing == EMPTY and "token" in event.text:
        thing = f"{EMPTY} by aerie tokens"
    if found is not None and " at " not in thing and event.anchor is not None:
        thing = f"{thing} at {event.anchor.cell}"
    return f"{event.points} for {thing}"


def all_scored(position: Position, events: Iterable[Event]) -> Iterator[str]:
    """Yield for each player what events bring him, in sentences without their full stop."""
    won: dict[int, list[Event]] = {}
    for event in events:
        if event.player is None or not event.points:
            continue
        if event.points < 0:
            yield f"{position.game.name(event.player)} pays {-event.points} for {named(event)}"
        else:
            won.setdefault(event.player, []).append(event)
    for player, mine in won.items():
        farms = [event for event in mine if noun(event) == "field"]
        things = [scored(event) for event in mine if event not in farms[1:]]
        if len(farms) > 1:
            paid = sum(event.points for event in farms)
            things[things.index(scored(farms[0]))] = f"{paid} for {fields(farms)}"
        for at in range(0, len(things), TWO):
            verb = "also scores" if at else "scores"
            yield f"{position.game.name(player)} {verb} {listed(things[at : at + TWO])}"


def brought(position: Position, events: Sequence[Event]) -> Iterator[str]:
    """Yield what a turn brings at once: points, wall tiles, tokens, a keep."""
    for event in events:
        if event.tokens or "takes wall tile" in event.text or "keep goes to" in event.text:
            yield f"{event.text}."
    for told in all_scored(position, events):
        yield f"{told}."
