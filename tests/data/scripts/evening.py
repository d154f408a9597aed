"""A script as users write it: what a club played in an evening, in one pass."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from fractions import Fraction

import burgrave
from burgrave import Answer, Goal, Limits, Move, Position, Status


def told(position: Position) -> list[str]:
    """Return what a player wants to know of a position."""
    legal: list[Move] = burgrave.moves(position)
    answer: Answer = burgrave.best(position, goal=Goal.POINTS, budget=Limits(seconds=60))
    value: Fraction | None = answer.value
    proved = "proved" if answer.status is Status.OPTIMAL else "a bound"
    lines = [str(position), f"{len(legal)} moves; best: {value} points ({proved})"]
    for root in answer.first:
        text = burgrave.write_move(position, root.move)
        verdict = burgrave.check(position, text)
        after = burgrave.play(position, root.move)
        scores = [player.score for player in after.position.players]
        lines.append(f"  {text}: legal {verdict.legal}, then {scores}")
        lines += [f"    {event.text}" for event in after.events]
    return lines


def ending(position: Position) -> str:
    """Return how a position with known tiles ends with best play, and for whom."""
    lead = burgrave.force(position).value
    odds = burgrave.win(position).odds
    most = burgrave.max(position).value
    mean = burgrave.expect(position, every=False).value
    assert odds is not None
    return f"lead {lead}, win {odds.win}, at most {most}, expected {mean}"


def main(names: Iterable[str]) -> int:
    """Tell of each position; return how many could not be read."""
    failed = 0
    for name in names:
        try:
            position = burgrave.load(name)
        except burgrave.BurgraveError as error:
            print(error, file=sys.stderr)
            failed += 1
            continue
        assert burgrave.load(burgrave.write_line(position)) == position
        print(*told(position), sep="\n")
        if len(position.order) == 1 and not position.bag:
            print(ending(position))
        print(burgrave.draw(position, ascii_only=True).splitlines()[0])
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
