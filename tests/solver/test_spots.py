"""Places of a tile on a plane, told at speed, are those of the looks at every turn."""

from __future__ import annotations

from random import Random

import pytest

from puzzles.scenes import game_named
from puzzles.selfplay import new_position
from solver.questions import Rehearsal, on_spot, spots


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
        assert told == {(look.at, look.turn.cell, look.turn.rotation) for look in looks}
        for spot in found:
            outcomes = on_spot(walk, spot)
            for one in outcomes:
                look = by_turn[one.turn]
                assert (one.at, one.lead, one.claims, one.builds) == (
                    look.at,
                    look.lead,
                    look.claims,
                    look.builds,
                )
            bare = [one for one in outcomes if one.turn == one.turn.__class__(*one.turn[:3])]
            assert [one.lead for one in bare] == [spot.lead]
            claims = [one.lead for one in outcomes if one.claims and one.turn.captor < 0]
            assert max(claims, default=None) == spot.claimed
            seen.add(spot.claimed is None)
        # Followers stand on most features soon, so that tiles join and complete claimed ones.
        claiming = [look for look in looks if look.claims] if rng.random() < 0.7 else looks
        walk.play(rng.choice(claiming or looks))
    assert seen == {True, False}
