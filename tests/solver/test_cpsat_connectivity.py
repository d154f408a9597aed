"""Features at the end: each encoding against the rules engine, and both in one model.

The model of placement and contact is fixed to lines of random play. The encoding must then agree
with the graph of features, in a single solution. With both
encodings in one model, a solve proves that no line at all tells them apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import pytest

from burgrave.model.components import Follower, Node
from burgrave.model.features import position_features
from burgrave.model.laying import lay
from burgrave.model.placement import Placement
from burgrave.model.places import placeable, places
from burgrave.model.position import Deployment, Position
from burgrave.model.rules.castle.followers import ROLES, UNCLAIMED
from burgrave.model.switches import CASTLE_SWITCHES
from burgrave.model.tiles import PlacedTile
from burgrave.solver.cpsat.base.connectivity import BY_RANK, BY_TURN, Encoding, Within
from burgrave.solver.cpsat.base.cp import CpModel, Lit, Literal, Logic, holding, no, possible
from burgrave.solver.cpsat.base.instance import Instance, survey
from burgrave.solver.cpsat.base.placement import PlacementVars, contacts, place_tiles
from tests.strategies import after, hall_game, opening

ENCODINGS: tuple[Encoding, ...] = (BY_RANK, BY_TURN)
ENCODING = pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda one: one.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Placement, contacts, connectivity and claims, without anything else."""

    logic: Logic
    ground: Instance
    lie: PlacementVars
    claims: Mapping[int, Lit]
    joined: tuple[Within, ...]
    """By encoding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn of a line: the tile, if it had a place, and which segments could be claimed."""

    placement: Placement | None
    free: frozenset[int]
    claimed: int | None


def model(position: Position, *encodings: Encoding) -> Model:
    """Return the model of all ways to lay the tiles of a position and to claim."""
    logic = Logic()
    ground = survey(position, len(position.order))
    lie = place_tiles(logic, ground)
    touching = contacts(lie)
    claims: dict[int, Lit] = {}
    for tile in range(len(ground.kinds)):
        for part in ground.new_of(tile):
            claims[part.number] = logic.decision(f"claim{part.number}")
            logic.clause(no(claims[part.number]), lie.laid[tile])
        logic.model.add_at_most_one(claims[part.number] for part in ground.new_of(tile))
    joined = tuple(one.join(lie, touching, claims, {}) for one in encodings)
    return Model(logic=logic, ground=ground, lie=lie, claims=claims, joined=joined)


def ending(seed: int, tiles: int) -> Position:
    """Return a random position in a small hall, with its tiles to come in known order."""
    rng = random.Random(seed)
    switches = {switch.name: rng.choice(switch.values) for switch in CASTLE_SWITCHES}
    size = rng.choice(((2, 2), (3, 2), (3, 3), (4, 3), (5, 4)))
    while True:
        found = after(opening(hall_game(rng, switches, size), rng), rng, rng.randrange(9))
        left = (*found.order, *found.bag)[:tiles]
        if len(left) == tiles:
            return replace(found, order=left, bag=())


def line(at: Position, rng: random.Random) -> tuple[tuple[Turn, ...], Position]:
    """Play the tiles at random; followers stay where they are, and nothing is scored."""
    turns = []
    for tile in at.order:
        if not placeable(at, tile):
            turns.append(Turn(placement=None, free=frozenset(), claimed=None))
            continue
        placement = lay(at, rng.choice(list(places(at, tile))), position_features(at))
        free = frozenset(free_segments(placement))
        claimed = rng.choice((None, *sorted(free), *sorted(free)))
        turns.append(Turn(placement=placement, free=free, claimed=claimed))
        at = replace(
            at,
            tiles=tuple(sorted((*at.tiles, placement.tile), key=lambda tile: tile.cell)),
            followers=(*at.followers, *standing(placement.tile, claimed)),
        )
    return tuple(turns), at


def free_segments(placement: Placement) -> Iterator[int]:
    """Yield the segments of a tile just laid whose features hold no follower."""
    for index, segment in enumerate(placement.tile.kind.segments):
        deployment = Deployment(placement.tile.cell, index, ROLES[segment.kind])
        if not list(UNCLAIMED(placement, (deployment,))):
            yield index


def standing(tile: PlacedTile, claimed: int | None) -> Iterator[Follower]:
    """Yield the follower who claims a segment."""
    if claimed is not None:
        role = ROLES[tile.kind.segments[claimed].kind]
        yield Follower(Node(tile.cell, claimed), 0, role)


def laid(built: Model, turns: tuple[Turn, ...]) -> CpModel:
    """Return the model with each tile where it lies in a line."""
    literals: list[Lit] = []
    for tile, turn in enumerate(turns):
        if turn.placement is None:
            literals.append(no(built.lie.laid[tile]))
        else:
            spot = turn.placement.tile.cell, turn.placement.tile.rotation
            literals.append(built.lie.x[tile][spot])
    assert all(one is not False for one in literals)
    return holding(built.logic.model, unknown(literals))


def unknown(literals: Iterable[Lit]) -> list[Literal]:
    """Return those literals that are variables."""
    return [one for one in literals if not isinstance(one, bool)]


def claiming(built: Model, claimed: Mapping[int, int | None]) -> list[Literal]:
    """Return literals that say which segments are claimed, by tile, and no others."""
    chosen = {part.number for part in built.ground.new if claimed.get(part.tile) == part.segment}
    return unknown(one if number in chosen else no(one) for number, one in built.claims.items())


def leaders(built: Model, turns: tuple[Turn, ...], end: Position) -> dict[int, int]:
    """Return the leader of each part on the board, by the graph of features."""
    found = position_features(end)
    feature = {}
    for part in built.ground.parts:
        if part.old:
            feature[part.number] = found.at(part.feature.nodes[0]).nodes
        elif (placement := turns[part.tile].placement) is not None:
            feature[part.number] = found.at(Node(placement.tile.cell, part.segment)).nodes
    return {
        v: max(w for w, other in feature.items() if other == nodes) for v, nodes in feature.items()
    }


@ENCODING
@pytest.mark.parametrize("seed", range(40))
def test_features_in_the_end_are_those_of_the_graph(seed: int, encoding: Encoding) -> None:
    """Each part has the leader that the graph gives it, and cannot have another."""
    rng = random.Random(seed)
    built = model(ending(seed, 1 + seed % 4), encoding)
    turns, end = line(built.ground.position, rng)
    fixed = holding(
        laid(built, turns),
        claiming(built, {tile: turn.claimed for tile, turn in enumerate(turns)}),
    )
    assert possible(fixed, None)
    (within,) = built.joined
    led = leaders(built, turns, end)
    wrong: list[Lit] = []
    for v, r in led.items():
        others = [members[v] for s, members in within.items() if v in members and s != r]
        wrong += [no(within[r][v]), *others]
    assert all(one is not True for one in wrong)
    fixed.add_bool_or(unknown(wrong))
    assert not possible(fixed, None)


@ENCODING
@pytest.mark.parametrize("seed", range(40))
def test_claims_are_those_of_the_rules_engine(seed: int, encoding: Encoding) -> None:
    """After the same claims in earlier turns, the same segments can be claimed in each turn."""
    rng = random.Random(seed)
    built = model(ending(seed, 1 + seed % 4), encoding)
    turns, _ = line(built.ground.position, rng)
    fixed = laid(built, turns)
    for tile, turn in enumerate(turns):
        if turn.placement is None:
            continue
        earlier = {before: turns[before].claimed for before in range(tile)}
        free = {
            index
            for index in range(len(turn.placement.tile.kind.segments))
            if possible(holding(fixed, claiming(built, {**earlier, tile: index})), None)
        }
        assert free == turn.free


@pytest.mark.parametrize("seed", range(40))
def test_no_line_tells_the_encodings_apart(seed: int) -> None:
    """Whatever tiles and followers do, both encodings name the same leaders."""
    built = model(ending(seed, 1 + seed % 4), *ENCODINGS)
    assert possible(built.logic.model, None)
    one, other = built.joined
    built.logic.clause(
        *(
            differ(built.logic, one.get(r, {}).get(v, False), other.get(r, {}).get(v, False))
            for r in sorted({*one, *other})
            for v in range(r + 1)
        )
    )
    assert not possible(built.logic.model, None)


def differ(logic: Logic, one: Lit, other: Lit) -> Lit:
    """Return whether exactly one of two literals holds."""
    return logic.any_of((logic.all_of((one, no(other))), logic.all_of((no(one), other))))
