"""The engine asks the book for everything that differs between games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from burgrave.model.book import Conduct, RuleBook, book_of
from burgrave.model.engine import canonical, judge, legal_moves, play
from burgrave.model.files.games import shipped_game
from burgrave.model.final import final_scoring
from burgrave.model.games import Game
from burgrave.model.position import Position
from burgrave.model.problems import problems, remarks
from burgrave.model.registry import GAMES
from burgrave.model.rule import Rule
from burgrave.puzzles.cards.deck import cards
from burgrave.puzzles.selfplay.games import new_position

DATA = {
    *("all", "roles", "sides", "ranks", "most_players", "start_tile", "ransom"),
    *("tokens", "table", "borders", "gaps", "without", "player_parts", "position_parts"),
}
"""Entries that are no functions, the kinds of parts, the rule that a message names, and what others
than the engine ask: points and borders for other engines, gaps for people, games without a rule
for lessons."""
RULES_OF = {
    "castle": {"actions", "harvest", "marked", "marked_end"},
    "carcassonne": {
        *("wall_tiles", "march", "factors", "keep_factor", "bars", "in_vain", "collect", "pile"),
        *("token_end", "phases", "arrange", "place_notes", "keep_times", "with_pile"),
    },
}
"""By base the entries about what its board does not have; the others are asked on both."""


def spied(entry: Any, name: str, asked: set[str]) -> Any:
    """Return an entry of a book that notes when it is asked."""

    def noted(ask: Callable[..., Any]) -> Callable[..., Any]:
        def spy(*args: Any, **kwargs: Any) -> Any:
            asked.add(name)
            return ask(*args, **kwargs)

        return spy

    if isinstance(entry, Rule):
        return replace(entry, enforce=noted(entry.enforce))
    if isinstance(entry, Conduct):
        parts = {field.name: getattr(entry, field.name) for field in fields(entry)}
        return replace(entry, **{k: spied(v, f"{name}.{k}", asked) for k, v in parts.items()})
    if isinstance(entry, Mapping):
        return {key: spied(each, f"{name}[{key}]", asked) for key, each in entry.items()}
    if isinstance(entry, tuple) and hasattr(entry, "_replace"):
        return entry._replace(rule=spied(entry.rule, name, asked))
    if isinstance(entry, tuple):
        return tuple(spied(each, f"{name}[{i}]", asked) for i, each in enumerate(entry))
    return noted(entry) if callable(entry) else entry


def names(entry: Any, name: str) -> set[str]:
    """Return the names of all functions of an entry, as ``spied`` notes them."""
    if isinstance(entry, Mapping):
        return {one for key, each in entry.items() for one in names(each, f"{name}[{key}]")}
    if isinstance(entry, Conduct):
        parts = {field.name: getattr(entry, field.name) for field in fields(entry)}
        return {one for key, each in parts.items() for one in names(each, f"{name}.{key}")}
    if isinstance(entry, tuple) and not hasattr(entry, "_replace"):
        return {one for i, each in enumerate(entry) for one in names(each, f"{name}[{i}]")}
    return {name} if callable(entry) or isinstance(entry, tuple) else set()


def watched(game: Game, asked: set[str]) -> Game:
    """Return a game with a book of spies."""
    book = book_of(game)
    entries = {f.name: getattr(book, f.name) for f in fields(RuleBook) if f.name not in DATA}
    return replace(
        game,
        rules=replace(book, **{name: spied(e, name, asked) for name, e in entries.items()}),
    )


def played_out(position: Position, rng: Random) -> None:
    """Play a game at random to its end, and ask all that can be asked of each position."""
    wrong = next(iter(legal_moves(position)))
    while moves := list(islice(legal_moves(position), rng.choice((3, 400)))):
        move = rng.choice(moves)
        judge(position, move)
        canonical(position, move)
        judge(position, replace(wrong, rotation=(wrong.rotation + 1) % 4))
        position = play(position, move).position
        remarks(position)
        problems(position)
        if not position.order and not position.bag:
            break
    final_scoring(position)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_every_entry_is_asked(game_id: str) -> None:
    """What a game brings to the book is asked in play or in final scoring of that game."""
    game, book = shipped_game(game_id), book_of(shipped_game(game_id))
    entries = {f.name for f in fields(RuleBook)} - DATA - RULES_OF[game.base]
    there = {one for entry in entries for one in names(getattr(book, entry), entry)}
    if game.expansions:
        base = book_of(shipped_game(game.base))
        there -= {one for entry in entries for one in names(getattr(base, entry), entry)}
    asked: set[str] = set()
    spies = watched(game, asked)
    spies.with_switches({})
    rng = Random(1)
    played_out(new_position(spies, rng), rng)
    for card in cards():
        if card.position.game.id == game_id and there - asked:
            at = replace(card.position, game=watched(card.position.game, asked))
            for move in islice(legal_moves(at), 40):
                play(at, move)
                judge(at, move)
                canonical(at, move)
    assert there - asked == set()
