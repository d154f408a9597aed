"""What an encoding of connectivity is given and what it gives: the protocol of the model.

Parts are nodes, contacts are edges that are true or false in the end; a feature in the end
is a component, and its *leader* is its part of the highest number. Everything else about
features (completion, size, majority, return of followers) is made from this alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, TypeAlias

from solver.cpsat.base.instance import Instance
from solver.cpsat.base.logic import Lit, Logic
from solver.cpsat.shared.contacts import Contacts

Freed: TypeAlias = Mapping[tuple[int, int], Lit]
"""By part and tile: all who stood on the part have been taken from it before the tile's turn,
its feature being not complete. Left out where that is impossible."""
NOBODY: Freed = MappingProxyType({})
"""Nobody is taken from where he stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Which parts are one feature in the end, as literals fixed by the contacts."""

    within: Mapping[tuple[int, int], Lit]
    """within[r,v] for parts v ≤ r of one kind: r leads a feature in the end and v belongs to
    it. within[r,r]: r leads. What is impossible is left out. For each part v exactly one r
    holds. A part of a tile that lies nowhere touches nothing and leads itself."""

    def features(self, logic: Logic) -> Iterator[tuple[int, dict[int, Lit]]]:
        """Yield each part that may lead a feature, with those that may belong to it."""
        by_leader: dict[int, dict[int, Lit]] = defaultdict(dict)
        for (r, v), literal in self.within.items():
            if logic.value(literal) is not False:
                by_leader[r][v] = literal
        return ((r, by_leader[r]) for r in sorted(by_leader) if r in by_leader[r])


class Encoding(Protocol):
    """A way to say in formulas what is connected."""

    @property
    def name(self) -> str:
        """The name of the encoding and of the engine that uses it."""

    def join(
        self,
        logic: Logic,
        instance: Instance,
        touching: Contacts,
        claims: Mapping[int, Lit],
        freed: Freed = NOBODY,
    ) -> Joined:
        """Make the literals of what is one feature, and forbid followers on claimed features.

        The rule on free features: when tile t has been laid, and before its follower is
        placed, the feature of the segment claimed holds no follower. That feature is the
        component of the segment among the parts of tiles up to t and the old parts, by the
        contacts among these. A follower placed on it in an earlier turn stands there still
        unless he was taken: had he gone home, his feature had been complete and t could not
        have joined it. So for a claim on part v of tile t: no old part with followers and no
        part of an earlier tile with a claim, from which not all were taken before t, is
        connected to v through parts of tiles up to t.

        Args:
            logic: the model. Demand ``no(logic.law(ground.laws.free))`` or the rule.
            instance: the parts.
            touching: the contacts, exact; ``touching.touch`` has no edge for impossible ones.
            claims: for each new part that can be claimed: a follower is placed on it in its
                tile's turn, whoever places him. At most one of a tile's parts is claimed;
                the others are left out.
            freed: where followers are taken from the board.

        Returns:
            The features in the end. Every literal must be equivalent to its meaning, not
            only imply it, in every solution: scoring may be unwanted, and then a model that
            could look away would claim too much.

        """
