"""The random games reach what the properties are about."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from burgrave.model.final import final_scoring
from burgrave.model.rule import Event
from burgrave.model.switches import CASTLE_SWITCHES
from tests.strategies import hall_game, named, opening, random_kind, walk


@pytest.mark.slow
def test_random_games_reach_the_rules() -> None:
    """Sixty games in a small hall apply every rule that brings or refuses points in play.

    Wall tiles are taken, face-down ones too, and wall tiles 1 to 3 are used. Both players score in
    one turn, and ties occur. Followers come home, tiles have no place, and keeps move.
    """
    seen: Counter[str] = Counter()
    for seed in range(60):
        rng = random.Random(seed)
        switches = {switch.name: rng.choice(switch.values) for switch in CASTLE_SWITCHES}
        for step in walk(opening(hall_game(rng, switches), rng), rng):
            events: tuple[Event, ...] = step.played.events
            seen.update(rule for event in events for rule in event.rules)
            scorers = {event.player for event in events if event.points}
            seen["tied"] += any("is tied" in event.text for event in events)
            seen["both score"] += scorers == {0, 1}
            seen["named order"] += len(step.move.scoring) > 1
            seen["revealed"] += bool(step.move.reveals)
            seen["declared"] += bool(step.move.declared)
            seen["extra turn"] += step.played.position.in_extra_turn
            if step.played.position.over:
                seen.update(
                    rule
                    for event in final_scoring(named(step.played.position)).events
                    for rule in event.rules
                )
    wanted = {
        "both score", "named order", "revealed", "declared", "extra turn", "tied",
        "castle.place.none", "castle.path.score", "castle.tower.score", "castle.house.score",
        "castle.score.majority", "castle.score.order", "castle.return", "castle.keep",
        "castle.wall.take", "castle.wall.hidden", "castle.wall.1", "castle.wall.2", "castle.wall.3",
        "castle.wall.4", "castle.wall.5", "castle.wall.6", "castle.wall.7", "castle.wall.8",
        "castle.wall.9", "castle.end.keep", "castle.end.courts", "castle.end.incomplete",
    }  # fmt: skip
    assert {name for name in wanted if not seen[name]} == set()


def test_random_kinds_differ() -> None:
    """Random kinds have squares, fountains, markets, inner segments, and equal rotations."""
    rng = random.Random(0)
    kinds = [random_kind(rng, f"K{index}") for index in range(300)]
    assert {len(kind.rotations()) for kind in kinds} == {1, 2, 4}
    assert {len(kind.squares) for kind in kinds} == {0, 1}
    marks = Counter(mark for kind in kinds for s in kind.segments for mark in s.marks)
    assert min(marks.values()) > 20
    assert any(not segment.ports for kind in kinds for segment in kind.segments)
    assert any(len(segment.ports) == 1 for kind in kinds for segment in kind.segments)
