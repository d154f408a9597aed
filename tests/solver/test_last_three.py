"""What the last turn but two leads to after a reply is what it leads to when all is played."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from model.files.positions import load_position
from model.position import Position
from solver.budget import Budget
from solver.game_state import Turn
from solver.outlook import Goal, Order, Play, Task
from solver.progress import Reporter
from solver.search.castle import CastleGame, Played, Shown
from solver.search.chance import Reveal
from tests.solver.endings import ending, unknown

POSITIONS = Path(__file__).parents[2] / "benchmarks" / "positions"


def game_of(at: Position, goal: Goal) -> CastleGame:
    """Return a game against the opponent, order and face-down wall tiles left to chance."""
    watch, asker = Budget().start(), at.to_move
    task = Task(
        position=at,
        asker=asker,
        goal=goal,
        play=Play.AGAINST,
        order=Order.CHANCE,
        watch=watch,
        reporter=Reporter(),
    )
    return CastleGame(task)


def played(game: CastleGame, turn: Played, reply: Played, then: int) -> int | None:
    """Return what the end is worth after a turn, a reply and the best last turn, all played."""
    mark = game.mark()
    game.play(turn, last=False)
    same = game.again(reply)
    assert same is not None
    game.play(same, last=False)
    worths = []
    for last in game.listed(then, last=True):
        assert not isinstance(last, Reveal)
        before = game.mark()
        game.play(last, last=True)
        worths.append(game.end())
        game.undo(before)
    serving = game.serving
    game.undo(mark)
    if not worths:
        return None
    return max(worths) if serving else min(worths)


def compare(game: CastleGame, kinds: Sequence[int], rng: random.Random) -> int:
    """Compare a few turns for which the end is known; return how many."""
    first, second, last = kinds
    turns = game.turns(first, last=False)
    mark = game.mark()
    step(game, first, rng)
    replies = [
        turn for turn in game.turns(second, last=False) if not isinstance(turn, Reveal | Shown)
    ]
    game.undo(mark)
    compared = 0
    for reply in rng.sample(replies, min(3, len(replies))):
        found = list(game.replied(turns, reply, last))
        assert game.mark() == mark
        for turn, worth in rng.sample(found, min(8, len(found))):
            assert played(game, turn, reply, last) == worth
            compared += 1
    return compared


def step(game: CastleGame, kind: int, rng: random.Random) -> None:
    """Play any turn with a tile but one that takes a wall tile face down; pass if there is none."""
    turns = game.turns(kind, last=False)
    plain = [turn for turn in turns if isinstance(turn, Turn) and not turn.extra]
    if plain:
        game.play(rng.choice(plain), last=False)
    else:
        game.pass_turn()


def dealt(at: Position, rng: random.Random) -> Position:
    """Return a position with markers, keeps and wall tiles in hand dealt anew."""
    players = tuple(
        replace(
            player,
            score=rng.randrange(at.game.board.track),
            keep=rng.choice((0, 1, 3)),
            supply=min(player.supply, rng.choice((0, 1, 1, 3))),
            wall_tiles=tuple(sorted(rng.choices(range(1, 10), k=rng.randint(0, 4)))),
        )
        for player in at.players
    )
    return replace(at, players=players)


def test_replies_lead_where_they_lead_when_played() -> None:
    """In the castle, some turns after the frozen endings."""
    compared = 0
    for number, path in enumerate(sorted(POSITIONS.glob("k[456]-*.toml"))):
        rng = random.Random(number)
        at = dealt(load_position(path), rng)
        game = game_of(at, rng.choice((Goal.LEAD, Goal.WIN)))
        kinds = [game.state.board.kind_index[tile] for tile in at.order]
        for _ in range(3):
            compared += compare(game, rng.sample(kinds, 3), rng)
            step(game, rng.choice(kinds), rng)
    assert compared > 300


def test_replies_in_small_halls() -> None:
    """With any switches, and with wall tiles face down in some of them."""
    compared = 0
    for seed in range(1, 41):
        rng = random.Random(seed)
        at = ending(seed, 1000)
        if rng.random() < 0.3:
            at = replace(at, towers=unknown(at, rng, 3000).towers)
        game = game_of(at, rng.choice((Goal.LEAD, Goal.WIN)))
        kinds = [game.state.board.kind_index[tile] for tile in at.order]
        if len(kinds) >= 3 and not at.extra_turns:
            compared += compare(game, rng.sample(kinds, 3), rng)
    assert compared
