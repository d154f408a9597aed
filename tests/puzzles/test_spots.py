"""Places of a tile on a plane, told at speed, are those of the looks at every turn."""

from __future__ import annotations

from random import Random

import pytest

from puzzles.candidates.scenes import game_named
from puzzles.selfplay.games import new_position
from puzzles.selfplay.prospects import on_spot, spots
from puzzles.selfplay.rehearsal import Rehearsal


@pytest.mark.parametrize("name", ["carcassonne", "carcassonne+tower"])
def test_spots_tell_the_leads_of_all_turns(name: str) -> None:
    """With and without a follower, and turn by turn, the lead is that of the look."""
    rng = Random(f"spots {name}")
    walk = Rehearsal(new_position(game_named(name), rng))
    seen = set()
    for _ in range(40):
        looks = walk.looks()
        by_turn = {look.turn: look for look in looks}
        found = spots(walk)
        told = {(spot.at, spot.cell, spot.rotation) for spot in found}
        assert told == {(look.at, look.place.cell, look.place.rotation) for look in looks}
        for spot in found:
            outcomes = on_spot(walk, spot)
            for one in outcomes:
                look = by_turn[one.turn]
                assert one[:-1] == look[3:-1]
            bare = outcomes[0]
            assert bare.lead == spot.lead
            assert not any((bare.claims, bare.builds, bare.guards, bare.ransoms))
            claims = [one.lead for one in outcomes if one.claims and not one.ransoms]
            assert max(claims, default=None) == spot.claimed
            seen.add(spot.claimed is None)
            scored: set[object] = set()
            for one in outcomes:
                move = walk.move(one)
                scoring = (
                    move.followers,
                    frozenset(taken for taken in move.captures if taken.segment is not None),
                    frozenset(bought.captor for bought in move.ransoms),
                )
                assert one.apart == (bool(move.guards) or scoring not in scored)
                scored.add(scoring)
        # Followers stand on most features soon, so that tiles join and complete claimed ones.
        claiming = [look for look in looks if look.claims] if rng.random() < 0.7 else looks
        walk.play(rng.choice(claiming or looks))
    assert seen == {True, False}
