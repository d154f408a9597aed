"""What becomes of each feature: when it is complete, and who has most followers on it.

All is said of a *leader*, the part of the highest number: in a solution only the leaders that
lead a feature count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from model.geometry import Cell
from model.tiles import Kind
from solver.cpsat.logic import Lit, Logic, no
from solver.cpsat.plane.board import ring
from solver.cpsat.plane.majority import leaders
from solver.cpsat.plane.timeline.play import Claims, Home
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
    """By player and foothold: he has it on this feature. A foothold is an old part on which
    he has followers, by its number, or after all old parts a turn in which he places one."""
    wins: tuple[Lit, ...]
    """By player: he has most followers on it in the end."""

    @property
    def complete(self) -> Lit:
        """Whether it is complete in the end."""
        return self.done[max(self.done)] if self.done else False


def strength(ground: Ground, foothold: int, player: int) -> int:
    """Return how many followers a player has at a foothold of his."""
    old = foothold < len(ground.old)
    return ground.old[foothold].feature.strength(player) if old else 1


def leading(  # noqa: PLR0913, PLR0917 -- the parts of the model
    logic: Logic,
    ground: Ground,
    lie: Laying,
    touching: Contacts,
    joined: Joined,
    claims: Claims,
) -> tuple[Led, ...]:
    """Return for every part what becomes of the feature that it leads."""
    by_leader: dict[int, dict[int, Lit]] = defaultdict(dict)
    for (r, v), literal in joined.within.items():
        if logic.value(literal) is not False:
            by_leader[r][v] = literal
    found = []
    for part in ground.parts:
        members = by_leader[part.number]
        if part.number not in members:
            continue
        on = tuple(
            _footholds(logic, ground, claims, members, player)
            for player in range(len(ground.position.players))
        )
        counts = [
            [(strength(ground, key, player), literal) for key, literal in mine.items()]
            for player, mine in enumerate(on)
        ]
        found.append(
            Led(
                leader=part.number,
                kind=part.kind,
                members=members,
                done=_done(logic, ground, lie, touching, members, part.number),
                on=on,
                wins=tuple(
                    logic.all_of((members[part.number], won))
                    for won in leaders(logic, ground.position.game, counts)
                ),
            )
        )
    return tuple(found)


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
            turns[part.tile].append(logic.all_of((literal, claims.by[player].get(v, False))))
    for tile, ways in turns.items():
        found[len(ground.old) + tile] = logic.any_of(ways)
    return {key: literal for key, literal in found.items() if literal is not False}


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
