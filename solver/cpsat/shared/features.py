"""What becomes of each feature: who has most followers on it, and when it is complete.

All is said of a *leader*, the part of the highest number: in a solution only the leaders that
lead a feature count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from model.tiles import Kind
from solver.cpsat.base.instance import Instance, OldPart
from solver.cpsat.base.logic import Lit, Logic, Term, at_least, no
from solver.cpsat.shared.contacts import Contacts
from solver.cpsat.shared.placement import PlacementVars

Home: TypeAlias = Mapping[tuple[int, int], Lit]
"""By part and tile: what stands on the part has gone home when the tile's turn is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureVars:
    """The feature that a part leads, if it leads one."""

    leader: int
    kind: Kind
    members: Mapping[int, Lit]
    """within[r,·]: the parts that belong to it."""
    done: Mapping[int, Lit]
    """By tile: it is complete and scored in play, once the tile's turn is over. Empty for what
    can never be complete."""
    on: tuple[Mapping[int, Lit], ...]
    """By player and foothold: he has it on this feature until that is scored. A foothold is a
    follower, or all followers of a player on an old part; each family numbers its own."""
    wins: tuple[Lit, ...]
    """By player: he has most followers on it in the end."""

    @property
    def complete(self) -> Lit:
        """Whether it is complete in the end."""
        return self.done[max(self.done)] if self.done else False


def leaders(logic: Logic, counts: Sequence[Sequence[Term]], *, shared: bool) -> list[Lit]:
    """Return for each player whether he has most followers, at least one.

    Args:
        logic: the model.
        counts: by player, his followers as a sum.
        shared: whether all who are level win, or none of them.

    """
    found = []
    for player, mine in enumerate(counts):
        others = [theirs for who, theirs in enumerate(counts) if who != player and theirs]
        ahead = [
            at_least(logic, [*mine, *((-w, lit) for w, lit in theirs)], 0 if shared else 1)
            for theirs in others
        ]
        # Who is ahead of somebody has a follower.
        some = at_least(logic, mine, 1) if shared or not others else True
        found.append(logic.all_of((some, *ahead)))
    return found


def completion(  # noqa: PLR0913, PLR0917 -- the parts of the formula
    logic: Logic,
    instance: Instance,
    placement: PlacementVars,
    touching: Contacts,
    leader: int,
    members: Mapping[int, Lit],
    *,
    hole: Callable[[int], Lit] = lambda _: False,
) -> dict[int, Lit]:
    """Return by tile whether the feature that a part leads is complete once its turn is over.

    done[t] ↔ leads and AND_v (v within → v is shut by t), and no hole in it.

    Args:
        logic: the model.
        instance: the position and the tiles to come.
        placement: where the tiles lie.
        touching: which parts face no empty cell any more.
        leader: the part.
        members: the parts that may belong to its feature.
        hole: by tile, whether an empty cell keeps the feature open.

    """
    part = instance.parts[leader]
    first, laid = (0, True) if isinstance(part, OldPart) else (part.tile, placement.laid[part.tile])
    return {
        t: logic.all_of(
            (
                members[leader],
                laid,
                *(logic.any_of((no(lit), touching.shut[t][v])) for v, lit in members.items()),
                no(hole(t)),
            )
        )
        for t in range(first, len(instance.kinds))
    }


def gone_home(
    logic: Logic, instance: Instance, features: Iterable[FeatureVars], *, on_tie: bool = True
) -> Home:
    """Return for parts and tiles whether what stands there went home by the turn's end.

    home[v,t] ↔ OR_r within[r,v] and done[r,t] and (somebody wins r, or ties go home too)
    """
    ways: dict[tuple[int, int], list[Lit]] = defaultdict(list)
    for one in features:
        goes = True if on_tie else logic.any_of(one.wins)
        for tile, done in one.done.items():
            for v, literal in one.members.items():
                part = instance.parts[v]
                if done is not False and (not isinstance(part, OldPart) or part.feature.followers):
                    ways[v, tile].append(logic.all_of((literal, done, goes)))
    return {key: logic.any_of(literals) for key, literals in ways.items()}
