"""The best last turn of a game of The Castle, from facts about single cells.

What the last tile does on a cell depends on what it meets there alone: which features it
completes, and what the players hold afterwards instead of what they held before. These
effects are worked out once for as long as no tile is laid that changes what the cell meets
(``BoardState.disturbed``), and once for whatever it meets. What they are worth is looked up
by the situation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from model.games import CASTLE
from model.geometry import PORTS
from solver.final_value import Held, holdings
from solver.game_state import GameState, Turn
from solver.scoring_plans import Plan
from solver.search.situation import (
    LEAD,
    Effect,
    Gain,
    Holding,
    Measure,
    Scored,
    Situation,
    Worth,
    measured,
)
from solver.state import flood
from solver.tables import COURT, NOTHING

MOST = 1 << 15
"""Entries that a table may have before it is begun anew."""


class Offer(NamedTuple):
    """A way to lay a tile on a cell."""

    rotation: int
    segment: int
    """The segment on which a follower is placed, or -1."""
    effect: Effect
    disturbed: int
    """The cells on which a tile would then meet something else, as bits."""
    calm: bool
    """Whether no follower goes home."""


class Menu(NamedTuple):
    """What a tile may do on a cell."""

    offers: tuple[Offer, ...]
    quiet: frozenset[Effect]
    """The effects by which no marker moves."""
    loud: frozenset[Effect]
    """The effects by which a marker moves."""


def worth_of(menu: Menu, quiet: Situation, loud: Situation) -> Worth:
    """Return what the best that a tile may do on a cell brings.

    Args:
        menu: what it may do.
        quiet: the situation, as effects see it that move no marker.
        loud: the situation, as others see it.

    """
    if not menu.loud:
        return quiet.worth(menu.quiet)
    return quiet.worth(menu.quiet) + loud.worth(menu.loud)


class LastTurns:
    """Finds the best last turn in the positions of one search.

    Attributes:
        state: the position.
        stamp: by cell a number that changes with what a tile would meet there.

    """

    def __init__(self, state: GameState, ups: tuple[bool, bool], measure: Measure = LEAD) -> None:
        """Know nothing of a position yet.

        Args:
            state: the position.
            ups: by player whether he wants the value to be large.
            measure: what the value is.

        """
        self.state = state
        self.ups = ups
        self.measure = measure
        self.stamp = [0] * state.board.tables.inside
        self.stamps = 0
        self.menus: dict[tuple[int, int, int, int, bool], Menu] = {}
        self.known: dict[object, Menu] = {}
        self.situations: dict[object, Situation] = {}
        self.scored: dict[object, dict[tuple[Gain, ...], Scored]] = {}
        self.areas: dict[int, int] = {}

    @property
    def able(self) -> bool:
        """Whether the best last turn can be found here.

        Not with The Falcon, where a feature looks further than it reaches, or where wall tiles
        must be played.
        """
        state = self.state
        if state.game.id != CASTLE:
            return False
        return not state.board.holes_block and state.flags.optional

    def disturb(self) -> None:
        """Hear that a tile was laid."""
        board, stamp = self.state.board, self.stamp
        self.stamps += 1
        for cell in bits(board.disturbed):
            board.put(stamp, cell, self.stamps)

    def best(self, kind: int, low: int, high: int) -> int | None:
        """Return the value of the end after the best last turn.

        Args:
            kind: index of the kind of the last tile.
            low: values at or below it need not be told apart.
            high: values at or above it need not be told apart.

        Returns:
            The value, or a bound beyond an end of the window; None if the tile has no place.

        Raises:
            FaceDownError: a wall tile may be taken that nobody has seen.

        """
        mover = self.state.turn[0]
        before = measured(self.state.score, self.measure)
        quiet, loud = self.now()
        cells = ((cell, worth_of(menu, quiet, loud)) for cell, menu in self.menus_of(kind, mover))
        more = self.best_of(cells, mover, low - before, high - before)
        return None if more is None else before + more

    def best_of(
        self, cells: Iterable[tuple[int, Worth]], mover: int, low: int, high: int
    ) -> int | None:
        """Return what the best last turn of a player adds to the value; None if there is none.

        Args:
            cells: what the last tile brings on each cell.
            mover: the player.
            low: as for ``best``, of what is added.
            high: likewise.

        """
        up, area, empty = self.ups[mover], self.area, self.state.board.empty
        best: int | None = None
        for cell, ends in cells:
            for more, sign in ends:
                value = more + sign * area(empty & ~(1 << cell)) if sign else more
                if best is None or (value > best if up else value < best):
                    best = value
            if best is not None and (best >= high if up else best <= low):
                break
        return best

    def offer(self, turn: Turn) -> Offer | None:
        """Return the way to lay a tile that a turn names, if the player to move has it now.

        Args:
            turn: a turn that was possible elsewhere; its cell is empty.

        """
        mover = self.state.turn[0]
        menu = self._menu(turn.cell, turn.kind, mover, free=self.state.supply[mover] > 0)
        for offer in menu.offers:
            if offer[:2] == (turn.rotation, turn.segment):
                return offer
        return None

    def turns(self, cell: int, kind: int, offer: Offer) -> list[Turn]:
        """Return the turns that take an offer, for a player who can have no extra turn.

        Args:
            cell: where the tile is laid.
            kind: index of its kind.
            offer: one of those of the cell.

        """
        state, rotation, segment = self.state, offer.rotation, offer.segment
        if offer.calm:
            plan = Plan((state.score[0], state.score[1]))
            return [Turn(cell, kind, rotation, segment, plan, 0)]
        return state.turns_on(cell, kind, rotation, last=False, alike=False, segment=segment)

    def menus_of(self, kind: int, mover: int, *, placed: int = 0) -> Iterator[tuple[int, Menu]]:
        """Yield what a player may do with a tile on each cell with a place, known ones first.

        Args:
            kind: index of the kind of the tile.
            mover: the player.
            placed: how many of the followers in his supply he has placed before.

        """
        state, stamp, menus = self.state, self.stamp, self.menus
        # Those who came home late are usable before either player's next turn.
        free = state.supply[mover] + (mover != state.turn[0]) * state.fresh_men[mover] > placed
        unknown: list[int] = []
        for cell in bits(state.board.empty & state.board.tables.usable):
            menu = menus.get((cell, stamp[cell], kind, mover, free))
            if menu is None:
                unknown.append(cell)
            elif menu.offers:
                yield cell, menu
        for cell in unknown:
            menu = self._menu(cell, kind, mover, free=free)
            if menu.offers:
                yield cell, menu

    def area(self, empty: int) -> int:
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

    def now(self) -> tuple[Situation, Situation]:
        """Return the situation, as effects see it that move no marker and as others see it."""
        state = self.state
        return self.situation(
            state.turn[0], (tuple(state.hand), tuple(state.fresh_hand)), holdings(state)
        )

    def situation(
        self, mover: int, hands: tuple[tuple[int, ...], tuple[int, ...]], held: Held
    ) -> tuple[Situation, Situation]:
        """Return a situation with the scores, keeps and towers of the state.

        Args:
            mover: the player to move.
            hands: the wall tiles that may be used, and those that may not be used yet.
            held: what the players hold.

        Returns:
            The situation as effects see it that move no marker, and as others see it.

        """
        state = self.state
        what = tuple(sorted((key, tuple(sorted(values))) for key, values in held.items()))
        quiet = (mover, tuple(state.keep), hands, what)
        track = (mover, hands[0], tuple(state.score), tuple(state.towers))
        loud = (quiet, track)
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
                    hand=list(hands[0]),
                    fresh_hand=list(hands[1]),
                    towers=list(state.towers),
                    turn=[mover, 0, 0],
                    held=held,
                    up=self.ups[mover],
                    measure=self.measure,
                    scored=self._scored(track),
                )
            found.append(situation)
        return found[0], found[1]

    def _scored(self, track: object) -> dict[tuple[Gain, ...], Scored]:
        """Return the ways to score that situations with one track share."""
        if len(self.scored) >= MOST:
            self.scored.clear()
        return self.scored.setdefault(track, {})

    def _menu(self, cell: int, kind: int, mover: int, *, free: bool) -> Menu:
        """Return what a tile may do on a cell, kept for as long as it is not disturbed."""
        here = (cell, self.stamp[cell], kind, mover, free)
        menu = self.menus.get(here)
        if menu is None:
            menu = self.menu(cell, kind, mover, free=free)
            if len(self.menus) >= MOST:
                self.menus.clear()
            self.menus[here] = menu
        return menu

    def menu(self, cell: int, kind: int, mover: int, *, free: bool) -> Menu:
        """Return what a tile may do on a cell, whether or not ``disturb`` heard what was laid.

        Args:
            cell: an empty cell.
            kind: index of the kind of the tile.
            mover: the player.
            free: whether he has a follower to place.

        """
        key = (cell, kind, mover, free, *self._met(cell))
        menu = self.known.get(key)
        if menu is None:
            offers = tuple(self._offers(cell, kind, mover, free=free))
            menu = Menu(
                offers,
                frozenset(offer.effect for offer in offers if not offer.effect.gains),
                frozenset(offer.effect for offer in offers if offer.effect.gains),
            )
            if len(self.known) >= MOST:
                self.known.clear()
            self.known[key] = menu
        return menu

    def _met(self, cell: int) -> list[int]:
        """Return all that a tile on a cell meets: tiles, and the features that face it."""
        board = self.state.board
        t, men, lies, parent = board.tables, board.men, board.lie, board.parent
        found: list[int] = []
        for side, other, _ in t.around[cell]:
            lie = lies[other]
            found.append(lie)
            if lie < 0:
                continue
            for segment in t.edges[lie * 4 + (side + 2) % 4]:
                root = other * PORTS + segment
                while parent[root] != root:
                    root = parent[root]
                found += (
                    root,
                    board.mask[root],
                    board.faces[root] & board.empty,
                    board.fountains[root],
                    board.markets[root],
                    men[2 * root],
                    men[2 * root + 1],
                )
        return found

    def _offers(self, cell: int, kind: int, mover: int, *, free: bool) -> Iterator[Offer]:
        """Yield what a tile may do on a cell, by rotation and follower."""
        board = self.state.board
        before = self._before(cell)
        lost = [holding for holding in before.values() if holding is not None]
        for rotation in board.rotations(cell, kind):
            mark = self.state.mark()
            done = set(board.lay(cell, kind, rotation))
            disturbed = board.disturbed
            gains: list[Gain] = []
            won: list[Holding] = []
            after = {board.find(root) for root in before}
            for root in after:
                balance = board.men[2 * root] - board.men[2 * root + 1]
                if balance:
                    self._comes(root, int(balance < 0), done, gains, won)
            calm = not gains and not after & done
            yield Offer(rotation, NOTHING, _effect(gains, lost, won), disturbed, calm)
            seen = set(after)
            for segment in range(len(board.tables.segments[kind])) if free else ():
                root = board.find(cell * PORTS + segment)
                if root not in seen:
                    seen.add(root)
                    more, held = list(gains), list(won)
                    self._comes(root, mover, done, more, held)
                    quiet = calm and root not in done
                    yield Offer(rotation, segment, _effect(more, lost, held), disturbed, quiet)
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
