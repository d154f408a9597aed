"""What becomes of each feature: when it is complete, and who has more followers on it.

All is said of a *leader*, the part of the highest number: in a solution only the leaders
that lead a feature count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from model.tiles import Kind
from solver.cpsat.logic import Lit, Logic, no, weighted
from solver.cpsat.timeline.claims import Claims
from solver.cpsat.timeline.contacts import Contacts
from solver.cpsat.timeline.ground import Ground, OldPart
from solver.cpsat.timeline.joining import Joined
from solver.cpsat.timeline.laying import Laying
from solver.cpsat.timeline.rings import Rings


@dataclass(frozen=True, slots=True, kw_only=True)
class Led:
    """The feature that a part leads, if it leads one."""

    leader: int
    kind: Kind
    members: Mapping[int, Lit]
    """within[r,·]: the parts that belong to it."""
    done: Mapping[int, Lit]
    """By tile: it is complete and scored in play, once the tile's turn is over. Empty for
    what can never be complete, courts among them."""
    wins: tuple[Lit, Lit]
    """Who has more followers on it in the end, by player."""
    on: tuple[Mapping[int, Lit], Mapping[int, Lit]]
    """By player and foothold: he has it on this feature. A foothold is an old part on which
    he has followers, by its number, or a turn in which he places one, by ``turn_key``."""

    @property
    def complete(self) -> Lit:
        """Whether it is complete in the end."""
        return self.done[max(self.done)] if self.done else False


def turn_key(ground: Ground, tile: int) -> int:
    """Return the foothold that is the follower of a turn: after all old parts."""
    return len(ground.old) + tile


def leading(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    ground: Ground,
    lie: Laying,
    touching: Contacts,
    joined: Joined,
    claims: Claims,
    rings: Rings,
) -> tuple[Led, ...]:
    """Return for every part what becomes of the feature that it leads."""
    found = []
    for leader, members in joined.features(logic):
        on = (
            _footholds(logic, ground, claims, members, 0),
            _footholds(logic, ground, claims, members, 1),
        )
        ahead = _strengths(ground, on)
        found.append(
            Led(
                leader=leader,
                kind=ground.parts[leader].kind,
                members=members,
                done=_done(logic, ground, lie, touching, members, leader, rings),
                wins=(
                    _positive(logic, ahead),
                    _positive(logic, [(-weight, literal) for weight, literal in ahead]),
                ),
                on=on,
            )
        )
    return tuple(found)


def _done(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    ground: Ground,
    lie: Laying,
    touching: Contacts,
    members: Mapping[int, Lit],
    leader: int,
    rings: Rings,
) -> dict[int, Lit]:
    """Return done[t] ↔ leads and AND_v (v within → v is shut by t), and no hole in it."""
    part = ground.parts[leader]
    if part.kind is Kind.COURT:
        return {}
    first = 0
    laid: Lit = True
    if isinstance(part, OldPart):
        if not part.feature.inside:
            return {}
    else:
        first, laid = part.tile, lie.laid[part.tile]
    done: dict[int, Lit] = {}
    for tile in range(first, len(ground.kinds)):
        shut = [
            logic.any_of((no(literal), touching.shut[tile][v])) for v, literal in members.items()
        ]
        hole = rings.hole(logic, lie, part.kind, members, tile)
        done[tile] = logic.all_of((members[leader], laid, *shut, no(hole)))
    return done


def _footholds(
    logic: Logic, ground: Ground, claims: Claims, members: Mapping[int, Lit], player: int
) -> dict[int, Lit]:
    """Return whether each foothold of a player is on the feature with these members."""
    found: dict[int, Lit] = {}
    turns: dict[int, list[Lit]] = defaultdict(list)
    for v, literal in members.items():
        part = ground.parts[v]
        if isinstance(part, OldPart):
            if part.feature.strength(player):
                found[v] = literal
        else:
            turns[part.tile].append(logic.all_of((literal, claims.by[player][v])))
    for tile, ways in turns.items():
        found[turn_key(ground, tile)] = logic.any_of(ways)
    return {key: literal for key, literal in found.items() if literal is not False}


def _strengths(
    ground: Ground, on: tuple[Mapping[int, Lit], Mapping[int, Lit]]
) -> list[tuple[int, Lit]]:
    """Return by how many followers the first player is ahead, as a sum of literals."""
    terms: list[tuple[int, Lit]] = []
    for player, sign in ((0, 1), (1, -1)):
        for key, literal in on[player].items():
            old = key < len(ground.old)
            strength = ground.old[key].feature.strength(player) if old else 1
            terms.append((sign * strength, literal))
    return terms


def _positive(logic: Logic, terms: Sequence[tuple[int, Lit]]) -> Lit:
    """Return whether Σ weight · literal > 0."""
    high = sum(weight for weight, _ in terms if weight > 0)
    if high == 0:
        return False
    if all(weight > 0 for weight, _ in terms):
        return logic.any_of(literal for _, literal in terms)
    return logic.within(weighted(terms), 1, high)


def gone_home(
    logic: Logic, ground: Ground, led: Iterable[Led], *, on_tie: bool
) -> dict[tuple[int, int], Lit]:
    """Return for parts and tiles whether what stands there went home by the turn's end.

    home[v,t] ↔ OR_r within[r,v] and done[r,t] and (somebody wins r, or ties go home too)
    """
    ways: dict[tuple[int, int], list[Lit]] = defaultdict(list)
    for one in led:
        goes = True if on_tie else logic.any_of(one.wins)
        for tile, done in one.done.items():
            if done is False:
                continue
            for v, literal in one.members.items():
                part = ground.parts[v]
                if isinstance(part, OldPart) and not part.feature.followers:
                    continue
                ways[v, tile].append(logic.all_of((literal, done, goes)))
    return {key: logic.any_of(literals) for key, literals in ways.items()}
