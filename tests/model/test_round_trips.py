"""Text and back: position files, moves in notation, final scoring in notation."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burgrave.model.castle.final import best_uses
from burgrave.model.engine import play
from burgrave.model.features import position_features
from burgrave.model.files.games import shipped_game, with_tiles
from burgrave.model.files.positions import (
    Record,
    read_position,
    read_record,
    write_position,
    write_record,
)
from burgrave.model.final import final_scoring
from burgrave.model.notation import read_final, read_move, write_final, write_move
from burgrave.model.position import Position
from burgrave.model.registry import GAMES
from tests.strategies import (
    SEEDS,
    Step,
    after,
    castle_games,
    castle_positions,
    falcon_games,
    falcon_hall_games,
    hall_games,
)


@given(castle_positions())
@settings(max_examples=4)
def test_a_position_survives_its_file(position: Position) -> None:
    """A position read from the file written of it is equal, as TOML and as JSON."""
    for as_json in (False, True):
        text = write_position(position, title="a position", as_json=as_json)
        assert read_position("file", text) == position
        assert (
            write_position(read_position("file", text), title="a position", as_json=as_json) == text
        )


@given(falcon_games())
@settings(max_examples=1)
def test_a_position_of_the_falcon_survives_its_file(game: list[Step]) -> None:
    """Kings, falconers, tokens, taken aeries and markers on gates are in the file."""
    for step in game[::9]:
        position = step.played.position
        assert read_position("file", write_position(position)) == position
        assert read_position("file", write_position(position, as_json=True)) == position


@given(st.one_of(hall_games(), falcon_hall_games()), SEEDS)
def test_a_move_survives_notation(game: list[Step], seed: int) -> None:
    """A move read from its text is equal, in any case of letters and order of words.

    Words of one kind keep their order. Features are scored in the written order, and tiles leave
    the game in the order of their draw.
    """
    rng = random.Random(seed)
    for step in game:
        text = write_move(step.before, step.move)
        assert read_move(step.before, text) == step.move
        assert read_move(step.before, text.upper()) == step.move
        assert read_move(step.before, text.lower()) == step.move
        assert read_move(step.before, shuffled(text, rng)) == step.move


def shuffled(text: str, rng: random.Random) -> str:
    """Return the words of a move in another order, those that begin alike in the same."""
    words = text.split()
    places = list(range(len(words)))
    rng.shuffle(places)
    for sign in "-=":
        of_kind = sorted(i for i in places if words[i].startswith(sign))
        where = [n for n, i in enumerate(places) if words[i].startswith(sign)]
        for place, index in zip(where, of_kind, strict=True):
            places[place] = index
    return "   ".join(words[i] for i in places)


@given(castle_games())
@settings(max_examples=1)
def test_a_record_survives_its_file_and_replays(game: list[Step]) -> None:
    """A whole game written as a record replays to the same position and the same totals."""
    # What the players said that they used is compared; tiles without a number are used by nobody.
    end = game[-1].played.position
    final = final_scoring(end, best_uses(end, position_features(end)))
    record = Record(
        title="a game",
        note="two lines\nof words",
        position=game[0].before,
        moves=tuple(write_move(step.before, step.move) for step in game),
        final=write_final(game[-1].played.position, final.uses),
        result=final.scores,
    )
    for as_json in (False, True):
        assert read_record("file", write_record(record, as_json=as_json)) == record
    position = record.position
    for text in record.moves:
        position = play(position, read_move(position, text)).position
    assert position == game[-1].played.position
    assert final_scoring(position, read_final(position, record.final or "")).scores == record.result


@given(st.one_of(hall_games(), falcon_hall_games()))
def test_final_scoring_survives_notation(game: list[Step]) -> None:
    """The wall tiles used in final scoring, read from their text, are equal."""
    position = after(game[-1].played.position, random.Random(1), 60)
    uses = best_uses(position, position_features(position))
    assert read_final(position, write_final(position, uses)) == uses
    assert read_final(position, write_final(position, uses).upper()) == uses


@pytest.mark.parametrize("name", GAMES)
def test_a_game_comes_back_in_another_process(name: str) -> None:
    """With its players, switches, edition and tiles; the rules are those of that process."""
    game = shipped_game(name)
    changed = game.with_switches({switch.name: switch.values[-1] for switch, _ in game.switches})
    kinds = game.tile_set.kinds[:3] if not game.board.endless else game.tile_set.kinds
    for one in (game, changed, with_tiles(game, replace(game.tile_set, kinds=kinds))):
        assert pickle.loads(pickle.dumps(one)) == one
