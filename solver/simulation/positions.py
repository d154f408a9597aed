"""From an incremental state back to a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from model.book import book_of
from model.components import Aerie, Follower, Node, Rank, Tower
from model.features import Feature, feature_of
from model.geometry import PORTS
from model.position import PlayerState, Position
from model.rules.carcassonne.followers import ROLES
from model.tiles import PlacedTile
from solver.falcon.state import AT_HAND, EACH, RESTING, FalconState
from solver.game_state import NUMBERS, RANKS, GameState
from solver.plane.state import PlaneState
from solver.plane.tables import KINDS as PLANE_KINDS
from solver.plane.towers import TowerState
from solver.tables import KINDS


def castle_position(state: GameState, start: Position) -> Position:
    """Return where a game in a castle stands, as far as the state knows.

    Args:
        state: the game, some turns on.
        start: the position that the state was made from.

    Returns:
        The position; its tiles to come and its discarded tiles are still those of the start.

    """
    board, t = state.board, state.board.tables
    players = tuple(_player(state, index) for index in (0, 1))
    towers = tuple(
        (tower.name, number)
        for tower, number in zip(state.game.board.towers, state.towers, strict=True)
        if number >= 0
    )
    begun = Counter((*start.spent, *_wall_tiles(start.players, start.towers)))
    gone = state.gone[0] if isinstance(state, FalconState) else 0
    return replace(
        start,
        tiles=tuple(
            sorted(
                (
                    PlacedTile(cell=t.cells[cell], kind=t.kinds[lie // 4], rotation=lie % 4)
                    for cell, lie in enumerate(board.lie[: t.inside])
                    if lie >= 0
                ),
                key=lambda tile: tile.cell,
            )
        ),
        followers=tuple(sorted(_castle_followers(state))),
        players=players,
        to_move=state.turn[0],
        towers=towers,
        spent=tuple(sorted((begun - Counter(_wall_tiles(players, towers))).elements())),
        extra_turns=state.turn[1],
        in_extra_turn=bool(state.turn[2]),
        taken_aeries=tuple(sorted(Aerie(t.cells[bit // PORTS], bit % PORTS) for bit in bits(gone))),
    )


def _wall_tiles(players: Iterable[PlayerState], towers: Iterable[tuple[str, int]]) -> Iterator[int]:
    """Yield the wall tiles in hands and on corner towers."""
    yield from (number for _, number in towers)
    for state in players:
        yield from (*state.wall_tiles, *state.fresh_wall_tiles)


def _player(state: GameState, player: int) -> PlayerState:
    """Return what a player has besides the followers on the board."""
    hands = slice(player * NUMBERS, (player + 1) * NUMBERS)
    return PlayerState(
        score=state.score[player],
        supply=state.supply[player],
        keep=state.keep[player],
        wall_tiles=_numbers(state.hand[hands]),
        fresh_wall_tiles=_numbers(state.fresh_hand[hands]),
        fresh_followers=state.fresh_men[player],
        specials=_ranks(state, player, AT_HAND),
        fresh_specials=_ranks(state, player, RESTING),
        tokens=state.tokens[player] if isinstance(state, FalconState) else 0,
        at_gate=bool(state.at_gate[player]),
    )


def _numbers(counts: Sequence[int]) -> tuple[int, ...]:
    """Return wall tiles by how many there are of each number."""
    return tuple(number for number, count in enumerate(counts) for _ in range(count))


def _ranks(state: GameState, player: int, where: int) -> tuple[Rank, ...]:
    """Return which of a player's king and falconer are in a place off the board."""
    if not isinstance(state, FalconState):
        return ()
    here = state.specials[player * EACH : (player + 1) * EACH]
    return tuple(sorted(RANKS[rank] for rank, at in enumerate(here, start=1) if at == where))


def _castle_followers(state: GameState) -> Iterator[Follower]:
    """Yield the followers on the board."""
    t, roles = state.board.tables, book_of(state.game).roles
    ranked = [(i // state.men_each, Rank.FOLLOWER, node) for i, node in enumerate(state.posts)]
    if isinstance(state, FalconState):
        ranked += [(i // EACH, RANKS[i % EACH + 1], at) for i, at in enumerate(state.specials)]
    for player, rank, node in ranked:
        if node >= 0:
            cell, segment = divmod(node, PORTS)
            kind = KINDS[state.board.kind[node]]
            yield Follower(Node(t.cells[cell], segment), player, roles[kind], rank)


def castle_claimed(state: GameState, position: Position) -> tuple[Feature, ...]:
    """Return the features on which followers stand.

    Args:
        state: a game in a castle.
        position: where it stands.

    """
    board, t = state.board, state.board.tables

    def nodes(root: int) -> Iterator[Node]:
        for cell in bits(board.mask[root]):
            for segment in range(len(t.segments[board.lie[cell] // 4])):
                if board.find(cell * PORTS + segment) == root:
                    yield Node(t.cells[cell], segment)

    return _claimed(map(nodes, state.occupied()), position)


def plane_position(state: PlaneState, start: Position) -> Position:
    """Return where a game of Carcassonne stands, as far as the state knows.

    Args:
        state: the game, with or without The Tower, some turns on.
        start: the position that the state was made from.

    Returns:
        The position; its tiles to come and its discarded tiles are still those of the start.

    """
    board, kinds = state.board, state.board.tables.kinds
    tower = state if isinstance(state, TowerState) else None
    everyone = range(state.players)
    laid = ((board.place(cell), board.lie[cell]) for cell in sorted(board.cell))
    return replace(
        start,
        tiles=tuple(
            PlacedTile(cell=cell, kind=kinds[lie // 4], rotation=lie % 4) for cell, lie in laid
        ),
        followers=tuple(sorted(_plane_followers(state))),
        players=tuple(
            PlayerState(
                score=state.score[player],
                supply=state.supply[player],
                pieces=tower.pieces[player] if tower else 0,
                prisoners=_numbers(tower.held[player * len(everyone) :][: len(everyone)])
                if tower
                else (),
            )
            for player in everyone
        ),
        to_move=state.turn[0],
        built=tuple(_built(tower)) if tower else (),
    )


def _plane_followers(state: PlaneState) -> Iterator[Follower]:
    """Yield the followers on the board."""
    for post, node in enumerate(state.posts):
        if node >= 0:
            role = ROLES[PLANE_KINDS[state.board.what[node]]]
            yield Follower(state.board.segment(node), post // state.each, role)


def _built(state: TowerState) -> Iterator[Tower]:
    """Yield the towers that have been begun, by cell."""
    for cell in sorted(state.board.cell):
        if height := state.height[cell]:
            guard = state.guard[cell]
            yield Tower(
                cell=state.board.place(cell),
                height=height,
                guard=guard if guard >= 0 else None,
                closed=bool(state.shut[cell]),
            )


def plane_claimed(state: PlaneState, position: Position) -> tuple[Feature, ...]:
    """Return the features on which followers stand.

    Args:
        state: a game of Carcassonne.
        position: where it stands.

    """
    board = state.board
    roots = {board.find(node) for node in state.posts if node >= 0}
    return _claimed((map(board.segment, bits(board.nodes[root])) for root in roots), position)


def _claimed(groups: Iterable[Iterable[Node]], position: Position) -> tuple[Feature, ...]:
    """Return features, given by their segments, in the order of the first of them."""
    laid, standing = position.laid(), {one.node: [one] for one in position.followers}
    found = [
        feature_of(tuple(sorted(nodes)), laid, standing, position.game.board) for nodes in groups
    ]
    return tuple(sorted(found, key=lambda feature: feature.nodes[0]))


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
