"""Random endings small enough to be played out by every engine, the slowest included."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

from burgrave.model.book import book_of
from burgrave.model.components import Follower, Rank
from burgrave.model.expansions.falcon.aeries import TOKENS
from burgrave.model.expansions.falcon.parts import FalconHoldings
from burgrave.model.expansions.falcon.switches import (
    AERIE_SHARED,
    AERIE_SUPPLY,
    CHAPEL_IS_BUILDING,
    GATE_START_SPACES,
    GATE_STOP,
    GATE_STOP_PLACE,
)
from burgrave.model.features import position_features
from burgrave.model.files.positions import load_position
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.laying import complete
from burgrave.model.places import placeable
from burgrave.model.position import PlayerState, Position
from burgrave.model.problems import problems
from burgrave.model.rule import Switch
from burgrave.model.rules.castle.setup import WALL_TILE_NUMBERS
from burgrave.model.switches import CASTLE_SWITCHES, ENCLOSED_HOLE_BLOCKS
from burgrave.model.tiles import TileKind
from burgrave.puzzles.files.library import find, position
from burgrave.solver.limits import Limits, OutOfTimeError
from burgrave.solver.questions.count import legal_lines
from burgrave.solver.simulation.walk import Walk
from tests.strategies import (
    FALCON_KNOWN,
    falcon_hall_game,
    falcon_opening,
    hall_game,
    opening,
    random_kind,
    random_step,
)

SIZES = ((3, 2), (2, 3), (4, 2), (3, 3), (4, 3), (5, 3))
"""Columns and rows of the halls."""
WITH_GATES = ((3, 3), (4, 3))
"""Likewise, where gates and start spaces are on cells of their own."""
TILES = (1, 2, 2, 3, 3, 3, 4)
"""Tiles to come."""
BY_ORDER = (CHAPEL_IS_BUILDING, AERIE_SHARED, AERIE_SUPPLY, GATE_STOP, GATE_STOP_PLACE)
"""Switches of The Falcon by which the order of scoring counts, or where tiles lie."""
SCARCE = ((12, 0), (0, 12), (11, 0), (0, 11), (6, 6))
"""Tokens of both players when the supply is nearly out."""
SHIPPED = tuple(f"castle-{number:02}" for number in range(1, 11))
"""Endings of whole games, of which the first tiles are kept."""
FROZEN = Path(__file__).parents[2] / "benchmarks" / "positions"
"""Where the endings lie for which the benchmark's figures are quoted."""
SMALL = max(width * height for width, height in SIZES)
"""Cells of the largest hall."""
IN_CASTLE = 12
"""One position of so many is in the castle, where a turn takes the rules engine 20 times as
long as in a hall."""


@cache
def ending(seed: int, most: int, *, falcon: bool = False) -> Position:
    """Return a position with 1 to 4 tiles to come in known order and every wall tile named.

    Args:
        seed: another seed, another position.
        most: lines to the end that it may have.
        falcon: whether it is one of The Castle with The Falcon.

    """
    rng = random.Random(seed)
    castle = seed % IN_CASTLE == 0 and not falcon
    tries = _castles(rng) if castle else _falcon_halls(rng) if falcon else _halls(rng)
    return next(at for at in tries if not problems(at) and _short(at, _lines(at, most)))


def falcon_castle(seed: int, tiles: int) -> Position:
    """Return an ending of The Falcon in the castle, with everything but the board dealt anew.

    Its tiles are any of the game, though there may be no more of them.

    Args:
        seed: another seed, another position.
        tiles: to come.

    """
    rng = random.Random(seed)
    at = load_position(rng.choice(sorted(FROZEN.glob("falcon-k*.toml"))))
    switches = _switches(rng, (*CASTLE_SWITCHES, *FALCON_KNOWN))
    # Where start spaces lie decides which board is possible.
    del switches[GATE_START_SPACES.name]
    order = tuple(rng.choice(at.game.tile_set.kinds).id for _ in range(tiles))
    at = replace(at, game=at.game.with_switches(switches), order=order)
    return armed(_crowned(at, rng), rng, range(4, 7))


def _crowned(at: Position, rng: random.Random) -> Position:
    """Return a position in which more kings and falconers stand, and players have some tokens."""
    followers, players = list(at.followers), []
    for index, state in enumerate(at.players):
        own = [
            i
            for i, (_, player, _, rank) in enumerate(followers)
            if (player, rank) == (index, Rank.FOLLOWER)
        ]
        rng.shuffle(own)
        left = set(state.specials)
        for rank in state.specials:
            if own and rng.random() < 0.5:
                one = own.pop()
                followers[one] = followers[one]._replace(rank=rank)
                left.remove(rank)
        specials = tuple(rank for rank in state.specials if rank in left)
        won = FalconHoldings(tokens=rng.randrange(4))
        players.append(replace(state, specials=specials).with_part(won))
    return replace(at, followers=tuple(sorted(followers)), players=tuple(players))


def unknown(at: Position, rng: random.Random, most: int) -> Position:
    """Return a position with the order of its tiles forgotten, and some wall tiles face down.

    Args:
        at: a position in which everything is known.
        rng: where chance comes from.
        most: lines to the end that it may have, every draw counted; the last tiles are left
            out until it has no more.

    """
    towers = at.towers
    if rng.random() < 0.5:
        towers = tuple((name, number if rng.random() < 0.5 else 0) for name, number in towers)
        most //= 4
    known = rng.choice(((0, 1), (1, 0), (1, 0)))
    for tiles, first in product(range(len(at.order), 0, -1), known):
        bag = tuple(sorted(at.order[first:tiles]))
        found = replace(at, order=at.order[:first], bag=bag, towers=towers)
        if _short(found, _lines(at, most)):
            return found
    return replace(at, order=at.order[:1], towers=towers)


def late(
    rng: random.Random, tiles: int, kinds: Sequence[TileKind], *, falcon: bool
) -> Position | None:
    """Return an ending in a small hall with tiles of some kinds; None if there was no room.

    Args:
        rng: where chance comes from.
        tiles: to come.
        kinds: the kinds of tiles.
        falcon: whether it is one of The Castle with The Falcon.

    """
    switches = _switches(rng, (*CASTLE_SWITCHES, *(FALCON_KNOWN if falcon else ())))
    size = rng.choice(WITH_GATES)
    game = (falcon_hall_game if falcon else hall_game)(rng, switches, size)
    game = replace(game, tile_set=replace(game.tile_set, kinds=tuple(kinds)))
    found = _late(game, rng, tiles, empty=tiles + rng.randint(0, 2))
    return None if found is None else armed(found, rng, range(1, 4))


def _lines(at: Position, most: int) -> int:
    """Return how many lines to the end are short enough: fewer where a turn is slow."""
    return most if len(at.game.board.cells) <= SMALL else most // 20


def _halls(rng: random.Random) -> Iterator[Position]:
    """Yield endings in nearly full small halls with random tiles, all with as many tiles left."""
    tiles = rng.choice(TILES)
    while True:
        game = hall_game(rng, _switches(rng, CASTLE_SWITCHES), rng.choice(SIZES))
        if found := _late(game, rng, tiles, empty=tiles + rng.randint(-1, 2)):
            yield armed(found, rng, range(1, 4))


def _falcon_halls(rng: random.Random) -> Iterator[Position]:
    """Yield likewise endings of The Falcon; in half of them the last wall tiles bring tokens."""
    contest = rng.random() < 0.5
    tiles = rng.choice((1, 1, 2)) if contest else rng.choice(TILES)
    while True:
        switches = _switches(rng, (*CASTLE_SWITCHES, *FALCON_KNOWN))
        if rng.random() < 0.5:
            switches |= {switch.name: rng.choice(switch.values) for switch in BY_ORDER}
        # So many tokens that a lead meets the limit are taken with many aeries alone.
        rich = switches[AERIE_SUPPLY.name] == "capped" or rng.random() < 0.3
        game = falcon_hall_game(rng, switches, rng.choice(WITH_GATES), rich=rich)
        empty = tiles + (rng.randint(2, 5) if contest else rng.randint(-1, 2))
        if found := _late(game, rng, tiles, empty):
            if contest:
                found = armed(_crowded(found, rng), rng, range(4, 7))
            else:
                found = armed(found, rng, range(1, 4))
            yield _with_tokens(found, rng)


def _castles(rng: random.Random) -> Iterator[Position]:
    """Yield endings in the castle: shipped ones, with odd tiles among those to come."""
    while True:
        shipped = position(find(rng.choice(SHIPPED)))
        own = tuple(random_kind(rng, f"Own{index:02}") for index in range(4))
        kinds = (*shipped.game.tile_set.kinds, *own)
        game = replace(shipped.game, tile_set=replace(shipped.game.tile_set, kinds=kinds))
        # A walled-in hole is looked for in every feature, which takes long in the castle.
        switches = {
            **_switches(rng, CASTLE_SWITCHES),
            ENCLOSED_HOLE_BLOCKS.name: ENCLOSED_HOLE_BLOCKS.default,
        }
        left = [*shipped.order, *shipped.bag, *(kind.id for kind in own)]
        order = tuple(rng.sample(left, rng.choice((1, 1, 2))))
        found = replace(shipped, game=game.with_switches(switches), order=order, bag=())
        yield armed(found, rng, range(1, 4))


def _switches(rng: random.Random, known: Sequence[Switch]) -> dict[str, str]:
    """Return a value for each switch: all default, a few changed, or any."""
    changed = rng.choice((0.0, 0.2, 0.6))
    return {
        switch.name: rng.choice(switch.values) if rng.random() < changed else switch.default
        for switch in known
    }


def _late(game: Game, rng: random.Random, tiles: int, empty: int) -> Position | None:
    """Return a position of a random game: so many tiles to come, few cells empty, if there is one.

    Args:
        game: the game.
        rng: where chance comes from.
        tiles: to come.
        empty: maximum number of empty cells.

    """
    at = falcon_opening(game, rng) if game.specials else opening(game, rng)
    while len(game.board.cells) - len(at.tiles) > max(1, empty):
        at = random_step(at, rng).played.position
        if len(at.order) + len(at.bag) < tiles:
            return None
    left = [*at.order, *at.bag]
    rng.shuffle(left)
    if rng.random() < 0.7:
        # Between the walls of a small hall most random tiles have no place.
        left.sort(key=lambda tile: not placeable(at, tile))
    order = left[:tiles]
    rng.shuffle(order)
    return replace(at, order=tuple(order), bag=())


def armed(at: Position, rng: random.Random, wanted: Container[int]) -> Position:
    """Return a position with followers, wall tiles and markers dealt anew.

    Args:
        at: a position.
        rng: where chance comes from.
        wanted: the numbers of wall tiles that in half of the cases are dealt first.

    """
    names = [tower.name for tower in at.game.board.towers if tower.holds_tile]
    deck = [number for number in WALL_TILE_NUMBERS for _ in range(2)]
    rng.shuffle(deck)
    if rng.random() < 0.5:
        # Tiles 1 to 3 act within a turn, so they matter most for a search; 4 to 6 bring tokens.
        deck.sort(key=lambda number: number in wanted)
    rich = rng.random() < 0.75
    hands = [[deck.pop() for _ in range(rng.randint(1, 3) if rich else 0)] for _ in at.players]
    most = len(names) - sum(map(len, hands))
    held = rng.sample(names, rng.randint(1, min(7, most))) if rich else []
    towers = tuple((name, deck.pop()) for name in names if name in held)
    plenty = rng.random() < 0.5
    players = [_player(at, index, hands[index], rng, plenty=plenty) for index in range(2)]
    if rng.random() < 0.8:
        players = [_near_tower(state, at, held, rng) for state in players]
    return replace(
        at,
        players=tuple(players),
        towers=towers,
        spent=tuple(sorted(deck[: rng.randint(0, most - len(towers))])),
        extra_turns=rng.choice((0,) * 8 + (1, 2)),
        in_extra_turn=rng.random() < 0.1,
    )


def _player(
    at: Position, index: int, hand: list[int], rng: random.Random, *, plenty: bool
) -> PlayerState:
    """Return a player with the wall tiles dealt, and few followers or many."""
    state = at.players[index]
    standing = [f.rank for f in at.followers if f.player == index].count(Rank.FOLLOWER)
    supply = rng.randint(2, 5) if plenty else rng.choice((0, 1, 1, 2))
    supply = min(supply, at.game.followers - standing)
    fresh = len(hand) if rng.random() < 0.2 else 0
    return replace(
        state,
        supply=supply,
        fresh_followers=min(rng.choice((0, 0, 0, 1)), at.game.followers - standing - supply),
        keep=rng.choice((state.keep, 0, 1, 2)),
        score=rng.randrange(at.game.board.track),
        at_gate=False,
        wall_tiles=tuple(sorted(hand[fresh:])),
        fresh_wall_tiles=tuple(sorted(hand[:fresh])),
    )


def _near_tower(
    state: PlayerState, at: Position, held: list[str], rng: random.Random
) -> PlayerState:
    """Return the player with the marker a few spaces before a tower with a wall tile, if any."""
    towers = [tower for tower in at.game.board.towers if tower.name in held]
    if not towers:
        return state
    score = at.game.board.track + rng.choice(towers).spaces[0] - rng.randint(1, 4)
    return replace(state, score=score)


def _crowded(at: Position, rng: random.Random) -> Position:
    """Return a position with followers on more of its uncompleted features."""
    laid, found = at.laid(), list(at.followers)
    for feature in position_features(at):
        free = not feature.followers and not complete(at, feature, laid)
        cells = [node for node in feature.nodes if at.tile_at(node.cell)]
        player = rng.randint(0, 1)
        left = at.game.followers - sum(follower.player == player for follower in found)
        if free and cells and left > 0 and rng.random() < 0.7:
            found.append(Follower(cells[0], player, book_of(at.game).roles[feature.kind]))
    return replace(at, followers=tuple(sorted(found)))


def _with_tokens(at: Position, rng: random.Random) -> Position:
    """Return a position of The Falcon with tokens dealt anew and some markers at gates."""
    players = []
    scarce = at.game.value(AERIE_SUPPLY) == "capped" and rng.random() < 0.7
    held = rng.choice(SCARCE) if scarce else _nearly_even(at, rng)
    for state, tokens in zip(at.players, held, strict=True):
        score, at_gate = state.score, False
        if rng.random() < 0.4:
            spaces = rng.randint(0, 4)
            score = at.game.board.track + rng.choice(at.game.board.gates).after - spaces
            stops = at.game.value(GATE_STOP) == "on" and at.game.value(GATE_STOP_PLACE) == "on_gate"
            at_gate = stops and not spaces and rng.random() < 0.5
        won = FalconHoldings(tokens=tokens)
        players.append(replace(state, score=score, at_gate=at_gate).with_part(won))
    return replace(at, players=tuple(players))


def _nearly_even(at: Position, rng: random.Random) -> tuple[int, int]:
    """Return tokens with which they are nearly even at the end of a random line."""
    end = replace(at, players=tuple(s.with_part(FalconHoldings()) for s in at.players))
    while not end.over:
        end = random_step(end, rng).played.position
    first, second = final_scoring(end).tokens
    lead = first - second + rng.randint(-1, 1)
    return min(max(0, -lead), TOKENS), min(max(0, lead), TOKENS)


def _short(at: Position, lines: int) -> bool:
    """Tell whether a position has at most so many lines to the end, and any choice."""
    # Lines are counted at their last turn but one, and few of those turns are the only one.
    clock = Limits(nodes=4 + lines // 8).start()
    tiles = len(at.order) + len(at.bag)
    try:
        found = legal_lines(Walk(at), tiles, at.order, Counter(at.bag), clock)
        return 1 < sum(found) <= lines
    except OutOfTimeError:
        return False
