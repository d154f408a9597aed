"""Convert positions of The Castle to states, and moves to turns and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.book import book_of
from model.components import Node, Rank
from model.games import Game
from model.geometry import PORTS
from model.position import Deployment, Move, Position, ScoreStep
from model.rules.castle.wall_tiles import EXTRA_TURN, unseen
from model.switches import WALL_1_DECLARE, WALL_DOUBLE_DECLARE
from solver.kernel.bits import SPAN
from solver.kernel.castle_board import find, lay
from solver.kernel.castle_state import ABSENT, AT_HAND, CASTLE_STATE, NUMBERS, RESTING
from solver.kernel.castle_tables import MEN, MISSING, cells_of, covers, tables_of
from solver.kernel.castle_turns import (
    EXTRA,
    KIND,
    KIND_MASK,
    PASS,
    PLAN_NUMBER,
    PLAN_NUMBERS,
    RANK,
    ROTATION,
    SEGMENT,
    spell,
    turns,
)
from solver.kernel.records import LISTED, numbers_of, record, room

__all__ = ["covers", "move_of", "refusal", "state_of", "tables_of", "turn_of", "turn_over"]

NAMED_RANKS = (Rank.FOLLOWER, Rank.FALCONER, Rank.KING)
"""Index → rank of a follower; the index is the rank's number in a turn."""
BEFORE = "before_draw"


def refusal(position: Position) -> str | None:
    """Describe the part of a position that exceeds a state's room; None if all fits."""
    for number, player in enumerate(position.players):
        owned = player.supply + player.fresh_followers
        owned += sum(
            follower.player == number and follower.rank is Rank.FOLLOWER
            for follower in position.followers
        )
        if owned > MEN:
            return f"{owned} followers of {position.game.name(number)}"
    return None


def state_of(position: Position) -> Any:
    """Return a position as a state, one record of ``CASTLE_STATE``.

    Args:
        position: a position of a game that the kernel covers.

    """
    game, t = position.game, tables_of(position.game)
    s = record(CASTLE_STATE)
    s.players = 2
    s.empty[:] = t.all_inside
    s.held[:] = t.at_start
    s.lie[:] = MISSING
    s.care[:] = t.must
    s.wants[:] = t.wants
    index = {cell: number for number, cell in enumerate(cells_of(game))}
    numbers = numbers_of(game)
    pictures = {kind.id: t.kinds + number for number, kind in enumerate(game.picture_kinds)}
    for tile in game.pictures:
        lay(s, t, index[tile.cell], int(pictures[tile.kind.id]) * 4 + tile.rotation)
    for tile in position.tiles:
        lay(s, t, index[tile.cell], numbers[tile.kind.id] * 4 + tile.rotation)
    s.joins = 0
    _put_players(s, position)
    nodes: dict[int, int] = {0: 0, 1: 0}
    for follower in position.followers:
        node = index[follower.node.cell] * PORTS + follower.node.segment
        rank = NAMED_RANKS.index(follower.rank)
        s.men[find(s, node)] += (2 if rank and t.count_twice else 1) << 8 * follower.player
        if rank:
            s.now.special[follower.player, rank] = node
        else:
            s.now.post[follower.player, nodes[follower.player]] = node
            nodes[follower.player] += 1
    each = int(t.aeries_each)
    for aerie in position.taken_aeries:
        place = index[aerie.cell] * each + aerie.number
        s.now.gone[place // SPAN] |= 1 << place % SPAN
    return s


def _put_players(s: Any, position: Position) -> None:
    """Write the players' holdings, the player to move, and the wall tiles on the towers."""
    now = s.now
    for number, player in enumerate(position.players):
        now.score[number] = player.score
        now.supply[number] = player.supply
        now.fresh_men[number] = player.fresh_followers
        now.keep[number] = player.keep
        now.at_gate[number] = player.at_gate
        now.tokens[number] = player.tokens
        now.hand[number] = [player.wall_tiles.count(n) for n in range(NUMBERS)]
        now.fresh_hand[number] = [player.fresh_wall_tiles.count(n) for n in range(NUMBERS)]
        now.special[number, 0] = ABSENT
        for rank, name in enumerate(NAMED_RANKS[1:], start=1):
            here = RESTING if player.resting(name) else ABSENT
            now.special[number, rank] = AT_HAND if player.available(name) else here
    there = dict(position.towers)
    now.tower[:] = MISSING
    for number, tower in enumerate(position.game.board.towers):
        now.tower[number] = there.get(tower.name, MISSING)
    now.post[:] = MISSING
    now.pending = MISSING
    now.mover = position.to_move
    now.extra = position.extra_turns
    now.in_extra = position.in_extra_turn


def turn_over(s: Any, position: Position) -> None:
    """Set a state so that taking a face-down wall tile turns it over.

    Without this call the wall tile stays unseen, and its number stays 0.

    Args:
        s: the state of a position.
        position: the position.

    """
    towers = dict(position.towers)
    for number, tower in enumerate(position.game.board.towers):
        if towers.get(tower.name) == 0:
            s.now.covered |= 1 << number
    pool = unseen(position)
    s.now.unseen[:] = [max(0, pool[number]) for number in range(NUMBERS)]


def move_of(s: Any, t: Any, game: Game, turn: int, discards: tuple[str, ...] = ()) -> Move:
    """Return a turn, before it is played, as the reference's move.

    Args:
        s: the state in which the turn is legal.
        t: the tables.
        game: the game.
        turn: one that ``turns`` lists.
        discards: tiles drawn before it that had no place.

    """
    if turn < 0:
        return Move(discards=discards)
    cells = cells_of(game)
    kind, cell = game.tile_set.kinds[turn >> KIND & KIND_MASK], cells[turn & 127]
    followers: tuple[Deployment, ...] = ()
    segment = (turn >> SEGMENT & 15) - 1
    if segment >= 0:
        role = book_of(game).roles[kind.segments[segment].kind]
        followers = (Deployment(cell, segment, role, NAMED_RANKS[turn >> RANK & 3]),)
    spell(s, t, turn)
    chosen = s.plan[turn >> PLAN_NUMBER & PLAN_NUMBERS]
    extra = turn >> EXTRA & 31
    declared = [EXTRA_TURN] * extra if game.value(WALL_1_DECLARE) == BEFORE else []
    early = game.value(WALL_DOUBLE_DECLARE) == BEFORE
    steps = []
    order = [int(one) for one in chosen.order[: s.claims]]
    if not chosen.whole_order:
        order = sorted(
            (one for one in range(s.claims) if chosen.used[one]),
            key=lambda one: s.claim_winner[one] != s.now.mover,
        )
    for one in order:
        anchor = int(s.claim_anchor[one])
        numbers = (int(s.claim_doubler[one]),) * int(chosen.used[one])
        steps.append(ScoreStep(Node(cells[anchor // PORTS], anchor % PORTS), numbers))
        if early and s.claim_winner[one] == s.now.mover:
            declared += numbers
    return Move(
        discards=discards,
        declared=tuple(sorted(declared)),
        tile=kind.id,
        cell=cell,
        rotation=turn >> ROTATION & 3,
        followers=followers,
        scoring=tuple(steps),
        extra_turns=extra,
    )


def turn_of(s: Any, position: Position, move: Move) -> int:
    """Return a move as a turn.

    Args:
        s: the state in which it is legal.
        position: any position of the game.
        move: a move as the reference lists it, whatever it turns over.

    Raises:
        KeyError: the state has no such turn.

    """
    if move.tile is None or move.cell is None:
        return PASS
    game, t, wanted = position.game, tables_of(position.game), replace(move, reveals=())
    cell, kind, out = cells_of(game).index(move.cell), numbers_of(game)[move.tile], room(LISTED)
    # Other turns are legal in the last turn, but a turn's number means the same.
    for last in (False, True):
        end = turns(s, t, kind, last, True, out, out[:0], 0)
        for turn in out[:end].tolist():
            there = turn & 127 == cell and turn >> ROTATION & 3 == move.rotation
            if there and move_of(s, t, game, turn, move.discards) == wanted:
                return int(turn)
    raise KeyError(move)
