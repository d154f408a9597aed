"""Themes are detected in solutions, and the page that defines them says what the code does."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from burgrave.model.components import Rank
from burgrave.model.engine import play
from burgrave.model.features import position_features
from burgrave.model.files.games import shipped_game
from burgrave.model.notation import read_move
from burgrave.model.position import Position
from burgrave.model.tiles import Kind
from burgrave.puzzles.files.library import find, puzzle, puzzle_entries
from burgrave.puzzles.selfplay.games import new_position
from burgrave.puzzles.selfplay.players import Player, Sensible, anew
from burgrave.puzzles.selfplay.rehearsal import Rehearsal
from burgrave.puzzles.study.study import Other, Step, Study, leader, study
from burgrave.puzzles.themes import THEMES, detected
from docs.generated import expand
from tests.players import Passable, random_player

LATER = {
    "exact-landing",
    "order-of-scoring",
    "fountain-doubling",
    "keep-race",
    "steal-a-majority",
    "unplaceable-tile",
    "tower-capture",
    "guard-protects",
    "ransom-in-time",
    "exchange",
}
"""Themes for which scenes are sought where the key brings them about in the plainest way."""
PAGE = expand(
    (Path(__file__).parents[2] / "docs" / "reference" / "themes.md").read_text(encoding="utf-8")
)


def test_the_page_defines_every_theme() -> None:
    """Each theme has its line, with the words of its detector; there are 20 at least."""
    rows = re.findall(r"^\| `([a-z-]+)`( \(elementary\))? \| .* \| (.*) \|$", PAGE, re.MULTILINE)
    told = {name: (text, bool(mark)) for name, mark, text in rows}
    assert told == {n: (one.definition, one.elementary) for n, one in THEMES.items()}
    assert len(THEMES) >= 20


def rich(name: str, rng: Random) -> Position:
    """Return a position some turns into a game of careless players, wall tiles in hand."""
    game = shipped_game(name)
    sensible = anew(Sensible(looseness=0.5))
    careless: Player = random_player if rng.random() < 0.5 else sensible
    player = Passable(reserve=0, looseness=0.7) if game.board.endless else careless
    position = new_position(game, rng)
    for _ in range(rng.randint(10, 24)):
        position = play(position, player(position, rng)).position
    states = list(position.players)
    if not game.board.endless and rng.random() < 0.5:
        hand = tuple(sorted(rng.sample((1, 2, 3, 8), 2)))
        states[position.to_move] = replace(states[position.to_move], wall_tiles=hand)
    if rng.random() < 0.5:
        mover = states[position.to_move]
        states[position.to_move] = replace(mover, supply=min(mover.supply, rng.randint(0, 1)))
    return replace(position, order=position.order[:3], players=tuple(states))


@pytest.mark.parametrize(
    "name",
    ["castle", "castle+falcon", "carcassonne", "carcassonne+tower", "carcassonne+inns+tower"],
)
def test_what_is_looked_at_first_never_rejects_a_theme(name: str) -> None:
    """Whatever line is played: where a theme is detected its position and key are let through."""
    rng = Random(f"possible {name}")
    seen: Counter[str] = Counter()
    for _ in range(5):
        position = rich(name, rng)
        for _ in range(6):
            walk = Rehearsal(position)
            at, steps, first = position, [], walk.looks()
            # Turns that do something are rarer than those that do nothing.
            first.sort(key=lambda look: (look.place.joins, look.takes, look.points, rng.random()))
            key = rng.choice(first[-8:] if rng.random() < 0.6 else first)
            # A puzzle always refutes the turn that wins most points.
            most = max((one for one in first if one is not key), key=lambda one: one.points)
            others = [walk.move(most), walk.move(rng.choice(first))]
            look = key
            while True:
                steps.append(Step.of(at, walk.move(look)))
                walk.play(look)
                at = steps[-1].after
                looks = walk.looks()
                if not looks:
                    break
                look = max(looks, key=lambda one: (one.points, rng.random()))
            study = Study(
                position=position,
                steps=tuple(steps),
                value=Fraction(0),
                others=tuple(Other(step=Step.of(position, m), value=Fraction(0)) for m in others),
            )
            for theme in THEMES.values():
                if name in theme.games and theme.detect(study):
                    seen[theme.name] += 1
                    assert theme.possible(position), theme.name
                    assert theme.glimpsed(key, first), theme.name
                    assert theme.name in LATER or theme.placed(key.place), theme.name
    assert len(seen) > 3, seen


def test_no_shipped_puzzle_would_be_passed_over() -> None:
    """The positions of all shipped puzzles let their themes through."""
    found = [puzzle(find(entry.id)) for entry in puzzle_entries()]
    assert len(found) > 60
    for one in found:
        for name in one.themes:
            assert THEMES[name].possible(one.position), (one.id, name)


def shows(puzzle_id: str, theme: str) -> bool:
    """Tell whether a theme occurs in the solution of a shipped puzzle, its idea or not."""
    solution = study(puzzle(find(puzzle_id)))
    return solution is not None and THEMES[theme].detect(solution)


def test_the_rival_of_three_players_comes_next() -> None:
    """Who moves after the player who is asked, and after the last one the first."""
    for puzzle_id in ("green-never-moves", "three-at-one-table"):
        solution = study(puzzle(find(puzzle_id)))
        assert solution is not None
        assert solution.rival == (0, 1, 2, 0)[solution.asker + 1]


def test_a_theme_is_about_the_very_feature() -> None:
    """Another feature on the same tiles, or another farm, may score what the key's does not."""
    assert not shows("tower-and-path-in-one-move", "court-majority")
    # Blue's field is taken over there, and touches no completed city.
    assert not shows("both-hold-the-same-tile", "farm-takeover")
    for puzzle_id in ("three-against-four", "both-ends-of-a-long-path"):
        assert shows(puzzle_id, "keep-race")
    assert shows("whose-field-will-it-be", "steal-a-majority")
    # Blue's field there touches the two cities that pay him.
    assert shows("the-farmer-and-the-tower", "farm-takeover")


def test_a_feature_that_brings_one_point_is_scored_too() -> None:
    """A house of one tile is completed by the squire who claims it."""
    at = puzzle(find("two-markets-in-hand")).position
    at = play(at, read_move(at, "K14@2,0r0 merchant.N")).position
    step = Step.of(at, read_move(at, "K33@3,0r0 squire.S"))
    assert [(feature.kind, event.points) for feature, event in step.scored()] == [(Kind.HOUSE, 1)]


def test_what_most_tries_show_too_is_no_idea() -> None:
    """A court is shared after the key there and after most of the refuted moves, played out."""
    good = puzzle(find("white-s-next-tile"))
    solution = study(good)
    assert solution is not None
    tried = [THEMES["court-majority"].detect(solution.tried(other)) for other in solution.others]
    assert 2 * sum(tried) > len(tried)
    assert "court-majority" not in detected(good)
    bare = replace(good, refutations=tuple(replace(one, line=()) for one in good.refutations))
    assert "court-majority" in detected(bare)


def test_the_big_follower_is_two_in_themes_too() -> None:
    """A tie of one big and one ordinary follower was told where the big one leads."""
    at = puzzle(find("the-field-south-of-the-road")).position
    big = next(one for one in at.followers if one.rank is Rank.BIG)
    field = position_features(at).at(big.node)
    assert sorted(one.player for one in field.followers) == [0, 1]
    assert leader(at.game, field) == big.player
