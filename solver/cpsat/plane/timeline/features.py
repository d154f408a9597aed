"""What becomes of each feature: when it is complete, and who has most followers on it.

All is said of a *leader*, the part of the highest number: in a solution only the leaders that
lead a feature count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from model.geometry import Cell, ring
from model.tiles import Kind
from solver.cpsat.logic import Lit, Logic, no
from solver.cpsat.plane.majority import leaders
from solver.cpsat.plane.timeline.play import Claims, Home
from solver.cpsat.plane.timeline.towers import Towers
from solver.cpsat.timeline.contacts import Contacts
from solver.cpsat.timeline.ground import Ground, OldPart
from solver.cpsat.timeline.joining import Joined
from solver.cpsat.timeline.laying import Laying


@dataclass(frozen=True, slots=True, kw_only=True)
class Led:
    """The feature that a part leads, if it leads one."""

    leader: int
    kind: Kind
    members: Mapping[int, Lit]
    """within[r,·]: the parts that belong to it."""
    done: Mapping[int, Lit]
    """By tile: it is complete once the tile's turn is over. Empty for fields."""
    on: tuple[Mapping[int, Lit], ...]
    """By player and unit: it is his and stands on this feature until that is scored."""
    wins: tuple[Lit, ...]
    """By player: he has most followers on it in the end."""

    @property
    def complete(self) -> Lit:
        """Whether it is complete in the end."""
        return self.done[max(self.done)] if self.done else False


def leading(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    ground: Ground,
    lie: Laying,
    touching: Contacts,
    joined: Joined,
    claims: Claims,
    towers: Towers,
) -> tuple[Led, ...]:
    """Return for every part what becomes of the feature that it leads."""
    found = []
    for leader, members in joined.features(logic):
        on = tuple(
            _standing(logic, ground, claims, towers, members, player)
            for player in range(len(ground.position.players))
        )
        counts = [[(1, literal) for literal in mine.values()] for mine in on]
        found.append(
            Led(
                leader=leader,
                kind=ground.parts[leader].kind,
                members=members,
                done=_done(logic, ground, lie, touching, members, leader),
                on=on,
                wins=tuple(
                    logic.all_of((members[leader], won))
                    for won in leaders(logic, ground.position.game, counts)
                ),
            )
        )
    return tuple(found)


def _standing(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    ground: Ground,
    claims: Claims,
    towers: Towers,
    members: Mapping[int, Lit],
    player: int,
) -> dict[int, Lit]:
    """Return whether each follower of a player stands on the feature with these members.

    Who is taken from it, stood there before it was complete, or it never is.
    """
    ways: dict[int, list[Lit]] = defaultdict(list)
    for v, literal in members.items():
        part = ground.parts[v]
        if isinstance(part, OldPart):
            for follower in part.feature.followers:
                if follower.player == player:
                    ways[towers.units.followers[follower.node]].append(literal)
        else:
            mine = claims.by[player].get(v, False)
            ways[towers.units.placed(part.tile)].append(logic.all_of((literal, mine)))
    found = {
        unit: logic.all_of((logic.any_of(literals), no(towers.taken(logic, unit))))
        for unit, literals in ways.items()
    }
    return {unit: literal for unit, literal in found.items() if literal is not False}


def _done(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    ground: Ground,
    lie: Laying,
    touching: Contacts,
    members: Mapping[int, Lit],
    leader: int,
) -> dict[int, Lit]:
    """Return when a feature is complete.

    done[t] ↔ leads and AND_v (v within → v is shut by t); of a cloister: its ring is full.
    """
    part = ground.parts[leader]
    if part.kind is Kind.FIELD:
        return {}
    if part.kind is Kind.CLOISTER and not isinstance(part, OldPart):
        return {
            t: logic.any_of(
                logic.all_of((literal, *(around(ground, lie, cell, t))))
                for cell, literal in lie.at[part.tile].items()
            )
            for t in range(part.tile, len(ground.kinds))
        }
    first, laid = (0, True) if isinstance(part, OldPart) else (part.tile, lie.laid[part.tile])
    return {
        t: logic.all_of(
            (
                members[leader],
                laid,
                *(logic.any_of((no(lit), touching.shut[t][v])) for v, lit in members.items()),
            )
        )
        for t in range(first, len(ground.kinds))
    }


def around(ground: Ground, lie: Laying, cell: Cell, tile: int) -> list[Lit]:
    """Return for each cell round a cell whether a tile lies there once a turn is over."""
    return [lie.full(c, tile) if c in ground.empty else True for c in sorted(ring(cell))]


def gone_home(logic: Logic, ground: Ground, led: Iterable[Led]) -> Home:
    """Return for parts and tiles whether what stands there went home by the turn's end.

    home[v,t] ↔ OR_r within[r,v] and done[r,t]
    """
    ways: dict[tuple[int, int], list[Lit]] = defaultdict(list)
    for one in led:
        for tile, done in one.done.items():
            for v, literal in one.members.items():
                part = ground.parts[v]
                if done is not False and (not isinstance(part, OldPart) or part.feature.followers):
                    ways[v, tile].append(logic.all_of((literal, done)))
    return {key: logic.any_of(literals) for key, literals in ways.items()}
