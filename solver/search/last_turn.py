"""The best last turn of a game of The Castle, from facts about single cells.

What the last tile does on a cell depends on what it meets there alone: which features it
completes, and what the players hold afterwards instead of what they held before. Such
*effects* are worked out once for as long as no tile is laid that changes what the cell meets
(``BoardState.disturbed``), and once for whatever it meets. What an effect is worth in final
scoring depends on the situation alone: scores, keeps, wall tiles, and what is held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from model.geometry import PORTS
from solver.final_value import Held, holdings, larger_keep, settled
from solver.flags import Flags
from solver.game_state import NUMBERS, GameState
from solver.scoring_plans import Claim, Landing, plans
from solver.state import flood
from solver.tables import COURT, HOUSE

MOST = 1 << 17
"""Entries that a table may have before it is begun anew."""

Gain = tuple[int, int, int, int]
"""A completed feature that somebody scores: winner, points, kind, and tiles for a keep."""
Holding = tuple[int, int, int]
"""A feature that counts in final scoring: player, kind, and what it is worth."""


class Effect(NamedTuple):
    """What laying the last tile does."""

    gains: tuple[Gain, ...] = ()
    lost: tuple[Holding, ...] = ()
    """What was held before and is not held any more."""
    won: tuple[Holding, ...] = ()
    """What is held instead."""


class Menu(NamedTuple):
    """The effects that a tile may have on a cell."""

    quiet: frozenset[Effect]
    """Those by which no marker moves."""
    loud: frozenset[Effect]
    """Those by which a marker moves."""


Worth = tuple[tuple[int, int], ...]
"""What effects bring at best: White's lead beyond his lead on the track before, and the sign with
which the largest empty area adds to it."""


class _Features:
    """Stands for a board on which completed features are numbered."""

    def __init__(self, gains: Sequence[Gain]) -> None:
        """Number the features."""
        self.kind = [kind for _, _, kind, _ in gains]
        self.anchor = range(len(gains))


@dataclass(slots=True)
class Situation:
    """All that final scoring looks at but the empty area; attributes as in ``GameState``."""

    flags: Flags
    landing: Landing
    score: list[int]
    keep: list[int]
    hand: list[int]
    fresh_hand: list[int]
    towers: list[int]
    turn: list[int]
    held: Held
    up: bool
    """Whether the player to move wants White's lead to be large."""
    known: dict[frozenset[Effect], Worth] = field(default_factory=dict)
    board: _Features = field(default_factory=lambda: _Features(()))
    at_gate: list[int] = field(default_factory=lambda: [0, 0])
    gates: tuple[int, ...] = ()
    stops_on_gate: bool = False

    def worth(self, effects: frozenset[Effect]) -> Worth:
        """Return what the best of some effects bring, by the sign of the empty area."""
        found = self.known.get(effects)
        if found is None:
            best: dict[int, int] = {}
            for effect in effects:
                for lead, sign in self._ends(effect):
                    if sign not in best or (lead > best[sign]) is self.up:
                        best[sign] = lead
            found = self.known[effects] = tuple((lead, sign) for sign, lead in best.items())
        return found

    def _ends(self, effect: Effect) -> Iterator[tuple[int, int]]:
        """Yield what an effect brings for each way to score what it completes."""
        held = {key: list(values) for key, values in self.held.items()}
        for player, kind, value in effect.lost:
            held[player, kind].remove(value)
        for player, kind, value in effect.won:
            held.setdefault((player, kind), []).append(value)
        keep = list(self.keep)
        for winner, _, kind, size in effect.gains:
            if kind == HOUSE:
                keep[winner] = max(keep[winner], size)
        self.board = _Features(effect.gains)
        claims = [Claim(root, gain[0], gain[1]) for root, gain in enumerate(effect.gains)]
        before = self.score[0] - self.score[1]
        for plan in plans(self, claims):
            tiles = [h + f for h, f in zip(self.hand, self.fresh_hand, strict=True)]
            for tower, player in plan.takes if self.flags.last_turn_tiles else ():
                tiles[player * NUMBERS + self.towers[tower]] += 1
            white, black = settled(self.flags, plan.scores, tiles, held)
            larger = larger_keep(self.flags, keep, tiles)
            yield white - black - before, 0 if larger is None else 1 - 2 * larger


class LastTurns:
    """Finds the best last turn in the positions of one search.

    Attributes:
        state: the position.
        stamp: by cell a number that changes with what a tile would meet there.

    """

    def __init__(self, state: GameState) -> None:
        """Know nothing of a position yet."""
        self.state = state
        self.stamp = [0] * state.board.tables.inside
        self.stamps = 0
        self.menus: dict[tuple[int, int, int, int, bool], Menu] = {}
        self.known: dict[object, Menu] = {}
        self.situations: dict[object, Situation] = {}
        self.areas: dict[int, int] = {}

    @property
    def able(self) -> bool:
        """Whether the best last turn can be found here.

        Not where a feature looks further than it reaches, where wall tiles must be played, or
        where one lies face down.
        """
        state = self.state
        return not state.board.holes_block and state.flags.optional and 0 not in state.towers

    def disturb(self) -> None:
        """Hear that a tile was laid."""
        board, stamp = self.state.board, self.stamp
        self.stamps += 1
        for cell in bits(board.disturbed):
            board.put(stamp, cell, self.stamps)

    def best(self, kind: int, enough: int | None, *, up: bool) -> int | None:
        """Return White's lead at the end after the best last turn.

        Args:
            kind: index of the kind of the last tile.
            enough: a lead with which the player to move is content; None if he is not.
            up: whether he wants it to be large.

        Returns:
            The lead; None if the tile has no place.

        """
        state = self.state
        before = state.score[0] - state.score[1]
        quiet, loud = self._situations(up=up)
        empty = state.board.empty
        best: int | None = None
        for cell, menu in self._offers(kind):
            for effects, situation in ((menu.quiet, quiet), (menu.loud, loud)):
                for lead, sign in situation.worth(effects) if effects else ():
                    value = before + lead
                    if sign:
                        value += sign * self._area(empty & ~(1 << cell))
                    if best is None or (value > best if up else value < best):
                        best = value
            if best is None or enough is None:
                continue
            if best >= enough if up else best <= enough:
                break
        return best

    def _offers(self, kind: int) -> Iterator[tuple[int, Menu]]:
        """Yield what a tile may do on each cell, first where it is known."""
        state, stamp, menus = self.state, self.stamp, self.menus
        mover = state.turn[0]
        free = state.supply[mover] > 0
        unknown: list[int] = []
        for cell in bits(state.board.empty & state.board.tables.usable):
            menu = menus.get((cell, stamp[cell], kind, mover, free))
            if menu is not None:
                yield cell, menu
            else:
                unknown.append(cell)
        for cell in unknown:
            menu = self._menu(cell, kind, mover, free=free)
            if len(menus) >= MOST:
                menus.clear()
            menus[cell, stamp[cell], kind, mover, free] = menu
            yield cell, menu

    def _area(self, empty: int) -> int:
        """Return the size of the largest empty area."""
        found = self.areas.get(empty)
        if found is None:
            if len(self.areas) >= MOST:
                self.areas.clear()
            left, found = empty, 0
            linked = self.state.board.tables.linked
            while left.bit_count() > found:
                area = flood(linked, left & -left, left)
                found = max(found, area.bit_count())
                left &= ~area
            self.areas[empty] = found
        return found

    def _situations(self, *, up: bool) -> tuple[Situation, Situation]:
        """Return the situation as effects see it that move no marker, and as others see it."""
        state = self.state
        held = holdings(state)
        what = tuple(sorted((key, tuple(sorted(values))) for key, values in held.items()))
        hands = tuple(state.hand), tuple(state.fresh_hand)
        quiet = (up, state.turn[0], tuple(state.keep), hands, what)
        loud = (quiet, tuple(state.score), tuple(state.towers))
        found = []
        for key in (quiet, loud):
            situation = self.situations.get(key)
            if situation is None:
                if len(self.situations) >= MOST:
                    self.situations.clear()
                situation = self.situations[key] = Situation(
                    flags=state.flags,
                    landing=state.landing,
                    score=list(state.score),
                    keep=list(state.keep),
                    hand=list(state.hand),
                    fresh_hand=list(state.fresh_hand),
                    towers=list(state.towers),
                    turn=list(state.turn),
                    held=held,
                    up=up,
                )
            found.append(situation)
        return found[0], found[1]

    def _menu(self, cell: int, kind: int, mover: int, *, free: bool) -> Menu:
        """Return what a tile may do on a cell, worked out once for whatever it meets there."""
        key = (cell, kind, mover, free, *self._meets(cell))
        menu = self.known.get(key)
        if menu is None:
            if len(self.known) >= MOST:
                self.known.clear()
            effects = set(self._effects(cell, kind, mover, free=free))
            menu = self.known[key] = Menu(
                frozenset(effect for effect in effects if not effect.gains),
                frozenset(effect for effect in effects if effect.gains),
            )
        return menu

    def _meets(self, cell: int) -> Iterator[tuple[int, ...]]:
        """Yield all that a tile on a cell meets: tiles, and the features that face it."""
        board = self.state.board
        t, men = board.tables, board.men
        for side, other, _ in t.around[cell]:
            lie = board.lie[other]
            if lie < 0:
                yield (side,)
                continue
            for segment in t.edges[lie * 4 + (side + 2) % 4]:
                root = board.find(other * PORTS + segment)
                yield (
                    side,
                    lie,
                    root,
                    board.mask[root],
                    board.faces[root] & board.empty,
                    board.fountains[root],
                    board.markets[root],
                    men[2 * root],
                    men[2 * root + 1],
                )

    def _effects(self, cell: int, kind: int, mover: int, *, free: bool) -> Iterator[Effect]:
        """Yield what a tile may do on a cell, by rotation and follower."""
        board = self.state.board
        before = self._before(cell)
        for rotation in board.rotations(cell, kind):
            mark = self.state.mark()
            done = set(board.lay(cell, kind, rotation))
            gains: list[Gain] = []
            won: list[Holding] = []
            for root in {board.find(root) for root in before}:
                balance = board.men[2 * root] - board.men[2 * root + 1]
                if balance:
                    self._comes(root, int(balance < 0), done, gains, won)
            lost = [holding for holding in before.values() if holding is not None]
            yield self._effect(gains, lost, won)
            nodes = range(cell * PORTS, cell * PORTS + len(board.tables.segments[kind]))
            for root in {board.find(node) for node in nodes} if free else ():
                if not (board.men[2 * root] or board.men[2 * root + 1]):
                    more, held = list(gains), list(won)
                    self._comes(root, mover, done, more, held)
                    yield self._effect(more, lost, held)
            board.undo(mark)

    def _before(self, cell: int) -> dict[int, Holding | None]:
        """Return the features with followers that face a cell, and what they are worth now."""
        board = self.state.board
        t, men = board.tables, board.men
        found: dict[int, Holding | None] = {}
        for side, other, _ in t.around[cell]:
            lie = board.lie[other]
            for segment in t.edges[lie * 4 + (side + 2) % 4] if lie >= 0 else ():
                root = board.find(other * PORTS + segment)
                white, black = men[2 * root], men[2 * root + 1]
                if white or black:
                    what = (int(white < black), board.kind[root], self._value(root))
                    found[root] = what if white != black else None
        return found

    def _value(self, root: int) -> int:
        """Return what a feature is worth in final scoring."""
        board = self.state.board
        return board.markets[root] if board.kind[root] == COURT else self.state.worth(root)

    def _comes(
        self, root: int, player: int, done: set[int], gains: list[Gain], won: list[Holding]
    ) -> None:
        """Add what a player has of a feature with the last tile on the board."""
        board = self.state.board
        kind = board.kind[root]
        if root in done:
            mask = board.mask[root]
            if not self.state.flags.start_in_keep:
                mask &= (1 << board.tables.inside) - 1
            gains.append((player, self.state.worth(root), kind, mask.bit_count()))
        else:
            won.append((player, kind, self._value(root)))

    @staticmethod
    def _effect(gains: list[Gain], lost: list[Holding], won: list[Holding]) -> Effect:
        """Return an effect with what is lost and won at once left out."""
        less, more = Counter(lost), Counter(won)
        return Effect(
            tuple(sorted(gains)),
            tuple(sorted((less - more).elements())),
            tuple(sorted((more - less).elements())),
        )


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1
