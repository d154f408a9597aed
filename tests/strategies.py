"""Hypothesis strategies for games, legal positions and whole games of The Castle.

A failing example names its game by seed, turns and switches, and shrinks to an early turn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from hypothesis import strategies as st

from burgrave.model.boards import Board, CornerTower, Gate, StartSpace
from burgrave.model.book import book_of
from burgrave.model.castle.plans import Plan, plans
from burgrave.model.castle.rewards import claims_of
from burgrave.model.components import Rank
from burgrave.model.draws import draws
from burgrave.model.engine import play
from burgrave.model.errors import IllegalMoveError
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.falcon.switches import FALCON_SWITCHES
from burgrave.model.features import position_features
from burgrave.model.files.games import shipped_game
from burgrave.model.files.tilesets import kind_problems
from burgrave.model.games import Game
from burgrave.model.geometry import Cell, Side, middle
from burgrave.model.laying import lay
from burgrave.model.placement import Placement
from burgrave.model.places import places
from burgrave.model.position import Deployment, Move, PlayerState, Position
from burgrave.model.results import Played
from burgrave.model.rules.castle.wall_tiles import EXTRA_TURN, unseen
from burgrave.model.switches import CASTLE_SWITCHES, ENCLOSED_HOLE_BLOCKS
from burgrave.model.tiles import Kind, Mark, Segment, TileKind, TileSet
from burgrave.solver.engines import ONLY_BY

SEEDS = st.integers(min_value=0, max_value=2**32 - 1)
"""Seeds of everything random."""

SWITCH_VALUES = st.fixed_dictionaries(
    {}, optional={switch.name: st.sampled_from(switch.values) for switch in CASTLE_SWITCHES}
)
"""Values of some switches; the others keep their default."""

CASTLE_SWITCH_VALUES = SWITCH_VALUES.map(
    lambda values: {name: v for name, v in values.items() if name != ENCLOSED_HOLE_BLOCKS.name}
)
"""The same for the whole castle, without the switch that costs seconds a game there."""


class Step(NamedTuple):
    """A turn of a random game."""

    before: Position
    move: Move
    played: Played


def hall(width: int, height: int) -> Board:
    """Return a small rectangular castle with three start spaces and a track of 30 spaces."""
    cells = tuple(sorted(Cell(x, y) for x in range(width) for y in range(height)))
    starts = (
        StartSpace(name="2/3", cell=Cell(0, height // 2), side=Side.W),
        StartSpace(name="12/13", cell=Cell(width // 2, height - 1), side=Side.N),
        StartSpace(name="22/23", cell=Cell(width - 1, 0), side=Side.E),
    )
    towers = tuple(
        CornerTower(
            name=f"{space}/{space + 1}",
            spaces=(space, space + 1),
            corner=Cell(0, 0),
            holds_tile=space > 0,
        )
        for space in range(0, 30, 3)
    )
    return Board(
        id="hall", title="a hall", note="", cells=cells, track=30, towers=towers, starts=starts
    )


def random_kind(rng: random.Random, kind_id: str, *, squares: bool = True) -> TileKind:
    """Return a kind of tile with random segments, such as a file could hold.

    Args:
        rng: where chance comes from.
        kind_id: its name.
        squares: whether it may have a square; without one, every path has two ends.

    """
    sides = [side for side in Side if rng.random() < 0.4]
    if not squares and len(sides) == 1:
        sides = []
    segments = [*_grounds(rng, sides), *_paths(rng, sides, squares=squares)]
    if rng.random() < 0.3:
        segments.append(Segment(kind=rng.choice((Kind.HOUSE, Kind.TOWER, Kind.COURT))))
    rng.shuffle(segments)
    paths = [i for i, segment in enumerate(segments) if segment.kind is Kind.PATH]
    short = [i for i in paths if len(segments[i].ports) < 2]
    into = paths if squares and rng.random() < 0.4 else short
    kind = TileKind(
        id=kind_id,
        count=rng.randint(1, 3),
        segments=tuple(segments),
        squares=(tuple(into),) if into else (),
    )
    assert not kind_problems(kind)
    return kind


def _grounds(rng: random.Random, path_sides: Sequence[Side]) -> Iterator[Segment]:
    """Yield the towers, houses and courts that fill what the paths leave."""
    grounds: dict[tuple[Kind, int], list[int]] = {}
    labels = rng.choice((1, 2, 2))
    kinds = rng.choice(((Kind.TOWER, Kind.HOUSE, Kind.COURT),) * 3 + ((Kind.COURT,), (Kind.TOWER,)))
    for side in Side:
        whole = tuple(range(3 * side, 3 * side + 3))
        halves = side not in path_sides and len(kinds) > 1 and rng.random() < 0.3
        parts = (whole[:1], whole[2:]) if halves or side in path_sides else (whole,)
        shown = rng.sample(kinds, 2) if halves else rng.choices(kinds, k=len(parts))
        for kind, part in zip(shown, parts, strict=True):
            grounds.setdefault((kind, rng.randrange(labels)), []).extend(part)
    for (kind, _), ports in grounds.items():
        markets = rng.choice((0, 0, 1, 2)) if kind is Kind.COURT else 0
        yield Segment(kind=kind, ports=tuple(ports), marks=(Mark.MARKET,) * markets)


def _paths(rng: random.Random, sides: Sequence[Side], *, squares: bool) -> Iterator[Segment]:
    """Yield one path through all path sides, or one for each."""
    ends = [middle(side) for side in sides]
    split = squares and rng.random() < 0.5
    for ports in [[end] for end in ends] if split else [ends] if ends else []:
        marks = (Mark.FOUNTAIN,) if rng.random() < 0.3 else ()
        yield Segment(kind=Kind.PATH, ports=tuple(ports), marks=marks)


def hall_game(
    rng: random.Random, switches: dict[str, str] | None = None, size: tuple[int, int] = (4, 3)
) -> Game:
    """Return The Castle in a small hall with random tiles and random start spaces."""
    castle = shipped_game("castle")
    kinds = tuple(random_kind(rng, f"K{index:02}") for index in range(8))
    board = hall(*size)
    game = replace(
        castle,
        board=board,
        tile_set=TileSet(id="random", title="random tiles", note="", kinds=kinds),
        shows=tuple(rng.choice(castle.picture_kinds).id for _ in board.starts),
    )
    return game.with_switches(switches or {})


def castle_with(
    rng: random.Random, switches: dict[str, str] | None = None, own_kinds: int = 0
) -> Game:
    """Return The Castle with its tile set, random kinds added to it, and its switches."""
    game = shipped_game("castle")
    own = tuple(random_kind(rng, f"Own{index:02}") for index in range(own_kinds))
    tile_set = replace(game.tile_set, kinds=game.tile_set.kinds + own)
    return replace(game, tile_set=tile_set).with_switches(switches or {})


def opening(game: Game, rng: random.Random, *, tiles: int | None = None) -> Position:
    """Return a position before the first tile, with random scores and wall tiles.

    Args:
        game: the game.
        rng: where chance comes from.
        tiles: how many tiles are to be drawn; None for all of the set.

    """
    stack = list(game.tile_set.all_tiles())
    rng.shuffle(stack)
    stack = stack[:tiles]
    known = rng.choice((len(stack), len(stack), rng.randint(0, len(stack)), 0))
    wall_tiles = [number for number in range(1, 10) for _ in range(2)]
    rng.shuffle(wall_tiles)
    towers = []
    hands: tuple[list[int], list[int]] = ([], [])
    for tower in game.board.towers:
        if tower.holds_tile:
            number = wall_tiles.pop()
            place = rng.choice(("tower", "tower", "hidden", "white", "black"))
            if place in {"white", "black"}:
                hands[place == "black"].append(number)
            else:
                towers.append((tower.name, number if place == "tower" else 0))
    players = tuple(
        PlayerState(
            score=rng.randrange(game.board.track),
            wall_tiles=tuple(sorted(hand)),
            specials=game.specials,
        )
        for hand in hands
    )
    return Position(
        game=game,
        players=players,
        to_move=rng.randrange(2),
        order=tuple(stack[:known]),
        bag=tuple(sorted(stack[known:])),
        towers=tuple(towers),
    )


def random_step(position: Position, rng: random.Random) -> Step:
    """Play a random legal move, found without listing all of them."""
    move, played = next(_playable(position, rng))
    reveals = _reveals(position, played, rng)
    if reveals:
        move = replace(move, reveals=reveals)
        played = play(position, move)
    return Step(position, move, played)


def _playable(position: Position, rng: random.Random) -> Iterator[tuple[Move, Played]]:
    """Yield legal moves of one random cell, rotation and follower, played."""
    draw = rng.choice(list(draws(position)))
    if draw.tile is None:
        move = Move(discards=draw.discards)
        yield move, play(position, move)
        return
    laid = rng.choice(list(places(position, draw.tile)))
    placement = lay(position, laid, position_features(position), draw.discards)
    followers = rng.choice(deployments(placement))
    choices = [
        Move(
            discards=draw.discards,
            declared=declared,
            tile=draw.tile,
            cell=laid.cell,
            rotation=laid.rotation,
            followers=followers,
            scoring=plan,
            extra_turns=extra,
        )
        for plan in plans(position, claims_of(placement, followers))
        for extra in range(placement.mover.wall_tiles.count(EXTRA_TURN) + 1)
        for declared in sorted(_declarations(plan, extra))
    ]
    rng.shuffle(choices)
    for move in choices:
        # Not every choice is legal: switches forbid chains and demand declarations.
        try:
            played = play(position, move)
        except IllegalMoveError:
            continue
        yield move, played


def deployments(placement: Placement) -> list[tuple[Deployment, ...]]:
    """Return no follower and every legal follower on the tile just laid."""
    tile, game = placement.tile, placement.position.game
    options = [
        (Deployment(tile.cell, index, book_of(game).roles[segment.kind], rank),)
        for index, segment in enumerate(tile.kind.segments)
        for rank in (Rank.FOLLOWER, *game.specials)
    ]
    return [
        (),
        *(
            option
            for option in options
            if not any(list(law(placement, option)) for law in book_of(game).deployment)
        ),
    ]


def _declarations(plan: Plan, extra: int) -> set[tuple[int, ...]]:
    """Return what may be declared before the draw: nothing, or all that is used."""
    doubling = [number for step in plan for number in step.wall_tiles]
    ones = [EXTRA_TURN] * extra
    return {(), tuple(sorted(doubling)), tuple(ones), tuple(sorted(ones + doubling))}


def _reveals(position: Position, played: Played, rng: random.Random) -> tuple[tuple[str, int], ...]:
    """Return numbers for the face-down wall tiles that were taken, or sometimes for none."""
    left = dict(played.position.towers)
    taken = [name for name, number in position.towers if not number and name not in left]
    pool = list(unseen(position).elements())
    rng.shuffle(pool)
    if rng.random() < 0.3:
        return ()
    return tuple(sorted((name, pool.pop()) for name in taken))


def named(position: Position) -> Position:
    """Return a position in which every wall tile in hand has a number that was not seen."""
    pool = iter((+unseen(position)).elements())

    def told(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(number or next(pool) for number in numbers))

    players = tuple(
        replace(
            state,
            wall_tiles=told(state.wall_tiles),
            fresh_wall_tiles=told(state.fresh_wall_tiles),
        )
        for state in position.players
    )
    return replace(position, players=players)


def walk(position: Position, rng: random.Random, turns: int | None = None) -> Iterator[Step]:
    """Yield the turns of a random game.

    Args:
        position: where it begins.
        rng: where chance comes from.
        turns: how many turns at most; None for a whole game.

    """
    while not position.over and turns != 0:
        step = random_step(position, rng)
        yield step
        position = step.played.position
        turns = None if turns is None else turns - 1


def after(position: Position, rng: random.Random, turns: int) -> Position:
    """Return the position after some random turns."""
    for step in walk(position, rng, turns):
        position = step.played.position
    return position


FALCON_KNOWN = tuple(
    switch
    for switch in FALCON_SWITCHES
    if not any((switch.name, value) in ONLY_BY for value in switch.values)
)
"""The switches of The Falcon of which every engine knows all values."""
FALCON_SWITCH_VALUES = st.fixed_dictionaries(
    {},
    optional={
        switch.name: st.sampled_from(switch.values) for switch in (*CASTLE_SWITCHES, *FALCON_KNOWN)
    },
)
"""Values of some switches of The Castle with The Falcon."""


def with_gates(board: Board) -> Board:
    """Return a hall with four gates, which have the names of those in the castle."""
    x, y = max(board.cells)
    sides = (
        (Cell(0, y), Side.W),
        (Cell(x, y), Side.N),
        (Cell(x, y - 1), Side.E),
        (Cell(1, 0), Side.S),
    )
    names = ("27/28", "47/48", "69/70", "91/92")
    gates = tuple(
        Gate(
            name=name,
            after=after,
            start=StartSpace(name=name, cell=cell, side=side),
            shows="chapel",
        )
        for name, after, (cell, side) in zip(names, (5, 14, 20, 27), sides, strict=True)
    )
    return replace(board, gates=gates)


def falcon_kind(rng: random.Random, kind_id: str, *, rich: bool = False) -> TileKind:
    """Return a random kind of tile, mostly with chapels and aeries.

    Args:
        rng: where chance comes from.
        kind_id: its id.
        rich: whether it has many aeries.

    """
    plain = random_kind(rng, kind_id)
    segments = tuple(
        Segment(kind=Kind.CHAPEL, ports=segment.ports)
        if segment.kind is not Kind.PATH and rng.random() < 0.3
        else segment
        for segment in plain.segments
    )
    if kind_problems(replace(plain, segments=segments)):
        segments = plain.segments  # two halves of a side would both be chapels
    indices = range(len(segments))
    aeries = [
        tuple(sorted(rng.sample(indices, min(len(segments), rng.choice((1, 1, 2, 3))))))
        for _ in range(rng.choice((2, 4, 8) if rich else (0, 0, 1, 1, 2)))
    ]
    kind = replace(plain, segments=segments, aeries=tuple(aeries))
    assert not kind_problems(kind)
    return kind


def falcon_hall_game(
    rng: random.Random,
    switches: dict[str, str] | None = None,
    size: tuple[int, int] = (4, 3),
    *,
    rich: bool = False,
) -> Game:
    """Return The Castle with The Falcon in a small hall with gates and random tiles.

    Args:
        rng: where chance comes from.
        switches: those that are changed.
        size: columns and rows.
        rich: whether tiles have many aeries.

    """
    falcon = shipped_game("castle+falcon")
    board = with_gates(hall(*size))
    kinds = tuple(falcon_kind(rng, f"K{index:02}", rich=rich) for index in range(8))
    game = replace(
        falcon,
        board=board,
        tile_set=TileSet(id="random", title="random tiles", note="", kinds=kinds),
        shows=tuple(rng.choice(falcon.picture_kinds).id for _ in board.starts),
    )
    return game.with_switches(switches or {})


def falcon_with(rng: random.Random, switches: dict[str, str] | None = None) -> Game:
    """Return the real castle with gates and 78 tiles, switches set, start spaces at random."""
    falcon = shipped_game("castle+falcon")
    pictures = [kind.id for kind in falcon.picture_kinds]
    game = replace(falcon, shows=tuple(rng.choice(pictures) for _ in falcon.shows))
    return game.with_switches(switches or {})


def falcon_opening(game: Game, rng: random.Random, *, tiles: int | None = None) -> Position:
    """Return a position before the first tile in which tokens have been taken."""
    position = opening(game, rng, tiles=tiles)
    held = rng.choice(((0, 0), (5, 6), (12, 0), (0, 11), (6, 6)))
    pairs = zip(position.players, held, strict=True)
    return replace(position, players=tuple(p.with_part(FalconHoldings(tokens=n)) for p, n in pairs))


@st.composite
def falcon_hall_games(draw: st.DrawFn) -> list[Step]:
    """Whole random games with gates, chapels, aeries, kings and falconers in a small hall."""
    rng = random.Random(draw(SEEDS))
    game = falcon_hall_game(rng, draw(FALCON_SWITCH_VALUES))
    return list(walk(falcon_opening(game, rng), rng, draw(st.integers(min_value=1, max_value=20))))


@st.composite
def falcon_hall_positions(draw: st.DrawFn) -> Position:
    """Positions of such games with at least one tile to come."""
    rng = random.Random(draw(SEEDS))
    position = falcon_opening(falcon_hall_game(rng, draw(FALCON_SWITCH_VALUES)), rng)
    for step in walk(position, rng, draw(st.integers(min_value=0, max_value=8))):
        position = position if step.played.position.over else step.played.position
    return position


@st.composite
def falcon_games(draw: st.DrawFn) -> list[Step]:
    """Whole random games with all 78 tiles and random switches."""
    rng = random.Random(draw(SEEDS))
    switches = draw(FALCON_SWITCH_VALUES)
    switches.pop(ENCLOSED_HOLE_BLOCKS.name, None)
    return list(walk(opening(shipped_game("castle+falcon").with_switches(switches), rng), rng))


@st.composite
def hall_games(draw: st.DrawFn) -> list[Step]:
    """Whole random games in a small hall: random tiles, start spaces, switches, wall tiles."""
    rng = random.Random(draw(SEEDS))
    game = hall_game(rng, draw(SWITCH_VALUES))
    return list(walk(opening(game, rng), rng, draw(st.integers(min_value=1, max_value=20))))


@st.composite
def castle_games(draw: st.DrawFn) -> list[Step]:
    """Whole random games in the castle with its 60 tiles and random switches."""
    rng = random.Random(draw(SEEDS))
    return list(walk(opening(castle_with(rng, draw(CASTLE_SWITCH_VALUES)), rng), rng))


@st.composite
def hall_positions(
    draw: st.DrawFn, switches: st.SearchStrategy[dict[str, str]] = SWITCH_VALUES
) -> Position:
    """Positions of random games in a small hall with at least one tile to come."""
    rng = random.Random(draw(SEEDS))
    position = opening(hall_game(rng, draw(switches)), rng)
    for step in walk(position, rng, draw(st.integers(min_value=0, max_value=8))):
        position = position if step.played.position.over else step.played.position
    return position


@st.composite
def castle_positions(draw: st.DrawFn, own_kinds: int = 12) -> Position:
    """Positions of random games in the castle, with random kinds beside the shipped ones."""
    rng = random.Random(draw(SEEDS))
    game = castle_with(rng, draw(CASTLE_SWITCH_VALUES), own_kinds=own_kinds)
    return after(opening(game, rng, tiles=60), rng, draw(st.integers(min_value=0, max_value=60)))
