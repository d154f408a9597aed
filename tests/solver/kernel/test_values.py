"""The learned value: the numbers that it weighs, beside the reference's; its weights as data."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from importlib.resources import files
from itertools import accumulate, product

import numpy as np
import pytest

from benchmarks.work import GAMES
from burgrave.model.errors import FileError
from burgrave.model.features import Feature, position_features
from burgrave.model.fitting import fits
from burgrave.model.position import Position
from burgrave.model.registry import BASES, split
from burgrave.model.registry import GAMES as IDS
from burgrave.model.tiles import Kind
from burgrave.solver.kernel.codec import Opened
from burgrave.solver.kernel.game import describe, play, undo
from burgrave.solver.kernel.playouts import (
    DESK,
    MOST_NUMBERS,
    REPLIES,
    count_kinds,
    reply,
    value,
)
from burgrave.solver.kernel.records import record
from burgrave.solver.limits import NO_LIMIT
from burgrave.solver.search.playouts import Field, run
from burgrave.solver.simulation.policy import weights
from burgrave.solver.simulation.values import learned, read_values, seen, values
from tests.late import late

VALUES = files("burgrave.solver.simulation").joinpath("values.json").read_text(encoding="utf-8")


def numbers(position: Position) -> dict[str, np.ndarray]:
    """Return by name the numbers of each player."""
    opened, desk = Opened(position), record(DESK)
    tiles = np.array([opened.kind(tile) for tile in (*position.order, *position.bag)])
    count_kinds(tiles, 0, tiles.size, desk)
    count = describe(opened.state, opened.tables, desk.coming, desk.numbers)
    names = seen(position.game.id)
    assert count == sum(size for _, size in names) <= MOST_NUMBERS
    ends = [*accumulate(size for _, size in names)]
    players = len(position.players)
    return {
        name: desk.numbers[:players, end - size : end].copy()
        for (name, size), end in zip(names, ends, strict=True)
    }


def dead(position: Position) -> list[Feature]:
    """Return the features with followers that face a cell which no tile to come fits."""
    blocked = {one.cell for one in fits(position) if not one.fits}
    return [
        feature
        for feature in position_features(position)
        if feature.followers and feature.empty_cells() & blocked
    ]


@pytest.mark.parametrize("name", ["carcassonne", "tower"])
def test_the_value_sees_a_plane_as_the_reference_does(name: str) -> None:
    trapped = 0
    for seed in range(1, 7):
        for tiles in (6, 15, 40):
            position = late(name, tiles, seed)
            found = numbers(position)
            gone = dead(position)
            for player in range(len(position.players)):
                for kind in (Kind.CITY, Kind.ROAD):
                    men = [one.number_of(player) for one in gone if one.kind is kind]
                    assert found[f"{kind.value}_trapped"][player] == sum(men)
                    trapped += sum(men)
                standing = sum(one.player == player for one in position.followers)
                farmers = sum(
                    one.number_of(player)
                    for one in position_features(position)
                    if one.kind is Kind.FIELD
                )
                assert found["field_men"][player] == farmers
                groups = ("city_men", "road_men", "city_trapped", "road_trapped")
                men = sum(found[group][player].sum() for group in groups)
                monks = sum(
                    one.number_of(player)
                    for one in position_features(position)
                    if one.kind is Kind.CLOISTER
                )
                assert men + farmers + monks == standing
                assert found["score"][player] == position.players[player].score
    assert trapped


@pytest.mark.parametrize("name", ["castle", "falcon"])
def test_the_value_sees_a_castle_as_the_reference_does(name: str) -> None:
    trapped = 0
    for seed in range(1, 7):
        for tiles in (6, 15, 30):
            position = _named(late(name, tiles, seed))
            found, gone = numbers(position), dead(position)
            for player, state in enumerate(position.players):
                hand = Counter((*state.wall_tiles, *state.fresh_wall_tiles))
                assert list(found["hand"][player][1:]) == [hand[one] for one in range(1, 10)]
                men = sum(one.number_of(player) for one in gone)
                assert found["trapped"][player].sum() == men
                trapped += men
                assert found["score"][player] == state.score
    assert trapped


def _named(position: Position) -> Position:
    """Return a position without wall tiles that lie face down."""
    towers = tuple((name, number or 2) for name, number in position.towers)
    return replace(position, towers=towers)


def test_learned_weights_fit_their_games() -> None:
    """Each base has some; a new game may do without, and its outlook alone judges."""
    kept = read_values("values.json", VALUES)
    assert {*BASES} <= {*kept} <= {*IDS}
    for game, by_players in kept.items():
        most = len(BASES[split(game)[0]].players)
        assert {*by_players} == {str(players) for players in range(2, most + 1)}
        assert learned(game)
        for players in (2, 3, 6):
            assert values(game, players).shape[1] == sum(size for _, size in seen(game))
            assert np.abs(values(game, players)).max() > 0


def test_a_damaged_file_of_weights_is_refused_with_its_place() -> None:
    at = '{"2": {"score": [['
    for right, wrong, told in (
        ("[", "", "is not JSON"),
        ('"values"', '"value"', "type: found 'value', expected 'values'"),
        (at, at.replace("2", "9"), "games.carcassonne.9"),
        (f'"carcassonne": {at}', f'"chess": {at}', "games: no game is named 'chess'"),
        (at, f"{at}true, ", "games.carcassonne.2.score[0]: 4 entries, expected at most 3"),
        (at, '{"2": {"score": [[NaN, 0, 0], [', "games.carcassonne.2.score[0][0]: "),
        (at, '{"2": {"score": [[0, 0, 0], [', "score: 2 entries, expected 1"),
        (at, '{"2": {"scores": [[', "games.carcassonne.2.score: is missing"),
    ):
        damaged = VALUES.replace("\n ", "").replace("{\n", "{").replace(right, wrong, 1)
        with pytest.raises(FileError) as caught:
            read_values("values.json", damaged)
        [problem] = caught.value.problems
        assert problem.startswith(told) or told in problem, problem


def test_a_game_without_weights_has_the_value_of_the_outlook() -> None:
    assert not learned("carcassonne+river")
    assert not values("carcassonne+river", 2).any()


@pytest.mark.parametrize("name", GAMES)
def test_cut_playouts_are_repeatable_and_near_whole_ones(name: str) -> None:
    position = late(name, 30, 3)
    turns, _, _ = Field(position, 1, 1).first_turns(position.order[:1], 1, None)
    means = []
    for cut in (False, True):
        field = Field(position, 1, 1, cut=cut)
        [(points, tiles)] = run(field, turns, 0, 100, NO_LIMIT.start())
        assert (field.results(turns[0], 50, 60)[0] == points[50:60]).all()
        means.append(field.leads(points).mean())
    assert (np.sort(tiles[0]) == np.sort(field.tiles)).all()
    assert abs(means[0] - means[1]) < 12


def test_a_cut_playout_begins_with_the_reply_that_the_value_likes_best() -> None:
    other = 0
    for name, seed in product(GAMES, range(1, 6)):
        position = _named(late(name, 30, seed))
        field, desk = Field(position, 0, 1), record(DESK)
        state, tables, tiles = field.opened.state, field.opened.tables, field.tiles
        judged_by, weighed_by = weights(position.game.id), values(position.game.id, 2)
        listed, _, _ = Field(position, 1, 1).first_turns(position.order[:1], REPLIES, None)
        mine, leads = position.to_move, []
        for turn in listed:
            assert turn is not None
            play(state, tables, turn, False)
            count_kinds(tiles, 1, tiles.size, desk)
            value(state, tables, tiles.size - 1, judged_by, weighed_by, desk)
            undo(state, tables)
            leads.append(desk.hope[mine] - desk.hope[1 - mine])
        best = listed[int(np.argmax(leads))]
        assert reply(state, tables, tiles, tiles.size, judged_by, weighed_by, desk) == best
        other += best != listed[0]
    assert other
