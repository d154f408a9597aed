"""Limits of final scores in Carcassonne, with The Tower or without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from burgrave.model.components import Node
from burgrave.model.features import Feature
from burgrave.model.geometry import Cell, ring
from burgrave.model.rules.carcassonne.farms import ADJACENT
from burgrave.model.rules.carcassonne.scoring import TILES, leaders
from burgrave.model.switches import COUNT_BY, FARMERS, FARMS, FIELD3_ONCE_SCOPE
from burgrave.model.tiles import Kind, Mark
from burgrave.model.worth import Worth
from burgrave.solver.reach.gains import PORTIONS, Gains, Schedule
from burgrave.solver.reach.ground import Ground, Meeting, Nodes

CLOISTER_WORTH = 9


class Rate(NamedTuple):
    """What a unit of a feature can bring, whatever marks come to it."""

    least: int
    """At the end at least."""
    end: int
    """Uncompleted at most."""
    done: int
    """Completed at most."""


def plane_most(ground: Ground, mine: int | None, theirs: int | None, turns: Schedule) -> Fraction:
    """Return the most by which a player's final score exceeds another's on a plane."""
    return Plane(ground, mine, theirs, turns).most()


class Plane:
    """The most by which a player's final score exceeds another's, as in ``most_ahead``."""

    def __init__(
        self, ground: Ground, mine: int | None, theirs: int | None, turns: Schedule
    ) -> None:
        """Begin without points."""
        self._ground, self._me, self._you = ground, mine, theirs
        self._way = ground.game.value(FARMS)
        self._city = 4 if self._way == "city4" else 3
        self._gains = Gains(ground, turns)
        self._farming = ground.game.value(FARMERS) == "on"
        self._table = ground.book.table(ground.game)
        self._marks = {kind: self._coming(kind, worth) for kind, worth in self._table.items()}
        """By kind the marks that may come to a feature and change its points."""
        self._whole: set[Nodes] = set()
        """The cities that may be completed for him."""

    def most(self) -> Fraction:
        """Return the limit."""
        gains, players = self._gains, self._ground.position.players
        gains.add(0 if self._me is None else players[self._me].score)
        gains.add(0 if self._you is None else -players[self._you].score)
        for feature, twice in self._growing():
            self._feature(feature, twice)
        if self._farming:
            for city, fields in self._near():
                self._farms(city, fields)
        if self._me is not None:
            for at, place in enumerate(self._ground.placed):
                for one in place.meetings:
                    self._tile(self._me, at, one)
        return gains.most

    def _growing(self) -> Iterator[tuple[Feature, int]]:
        """Yield the features but fields, with tiles that a joined one may have counted before."""
        book = self._ground.book
        seen: dict[Kind, set[Cell]] = {kind: set() for kind in book.incomplete}
        once = self._ground.game.value(COUNT_BY) == "tile"
        for one in self._ground.features:
            if one.kind in book.incomplete:
                open_now = once and bool(one.open_sides)
                yield one, len(one.cells & seen[one.kind]) if open_now else 0
                seen[one.kind] |= one.cells if open_now else set()

    def _scorers(self, *features: Feature) -> tuple[bool, bool]:
        """Tell whether the one and the other player would score features together now."""
        ground = self._ground
        won = leaders(ground.game, [ground.strength(one, *features) for one in ground.players])
        return self._me in won, self._you in won

    def _wins(self, *features: Feature) -> bool:
        """Tell whether the player can come to score features."""
        ground, me = self._ground, self._me
        if me is None or not features:
            return False
        counts = [
            0 if ground.captures else ground.strength(one, *features) for one in ground.players
        ]
        counts[me] = ground.gathered(me, *features)
        return me in leaders(ground.game, counts)

    def _best(self, points: int, *features: Feature) -> int:
        """Return the most points of features for the player less the other's, once they grow."""
        if not self._wins(*features):
            return 0
        ground, me, you = self._ground, self._me, self._you
        if me is None or you is None or ground.captures:
            return points
        # Who can only draw level scores with the other player.
        return points if ground.gathered(me, *features) > ground.strength(you, *features) else 0

    def _men(self, *features: Feature) -> list[Node]:
        """Return the followers on features whose capture may help the player."""
        return [man.node for one in features for man in one.followers if man.player != self._me]

    def _coming(self, kind: Kind, worth: Worth) -> frozenset[Mark]:
        """Return the marks on open features and on tiles to come that change the points."""
        ground = self._ground
        found = {mark for one in ground.features if one.kind is kind for mark in one.marks}
        for tile in ground.stock:
            found |= {mark for one in tile.segments if one.kind is kind for mark in one.marks}
        return frozenset(found & worth.by.keys())

    def _rate(self, kind: Kind, *marks: Mark) -> Rate:
        """Return what a unit of a feature with some marks can bring."""
        worth = self._table[kind]
        ways = [worth.by[mark] for mark in sorted(self._marks[kind])]
        if worth.by.keys().isdisjoint(marks):
            ways.append((worth.done, worth.end))
        ends = [end for _, end in ways]
        return Rate(min(ends), max(ends), max(done for done, _ in ways))

    def _feature(self, feature: Feature, twice: int) -> None:
        """Count the points of a road, city or cloister."""
        ground, gains = self._ground, self._gains
        mine, theirs = self._scorers(feature)
        places = ground.joining(feature)
        if feature.kind in self._table:
            worth, marks = self._table[feature.kind], Counter(feature.marks)
            units = worth.units(TILES(ground.game, feature), marks)
            each = worth.factor(feature.size, marks, complete=False)
            rate = self._rate(feature.kind, *feature.marks)
        else:
            units = ground.book.incomplete[feature.kind](ground.game, feature, ground.laid)
            each, rate = 1, Rate(1, 1, 1)
        sure = (units - twice) * theirs
        now = each * (units * mine - sure)
        grown = self._best(units, feature)
        best = max(now, rate.end * grown)
        if theirs and not mine and rate.least < each:
            # A mark makes it worth less for the other player.
            best = max(best, -rate.least * sure)
            places |= {*self._marking(feature)}
        gains.add(now)
        won = gains.touched(places, best - now, self._men(feature))
        # Where it brings nothing uncompleted, no column says whether he wins it.
        his = mine or won is not None or not rate.end
        if his and max(units * mine - sure, grown) > 0:
            more = units * (rate.done - each)
            whole = gains.filled(feature.empty_cells(), more, None if mine else won)
            if whole is not None:
                self._whole.add(feature.nodes)
        if feature.kind is Kind.CLOISTER and mine:
            for cell in ring(feature.anchor.cell) - ground.laid.keys() - ground.barred:
                gains.filled(frozenset((cell,)), 1)

    def _marking(self, feature: Feature) -> Iterator[int]:
        """Yield the places on which a tile brings a mark to a feature, or leads to one."""
        ground, marks = self._ground, self._marks[feature.kind]
        for at, leads in ground.touching.get(feature.nodes, {}).items():
            place = ground.placed[at]
            shown = (
                place.kind.segments[one.segment].marks
                for one in place.meetings
                if feature.nodes in one.joined
            )
            if leads or not marks.isdisjoint(mark for some in shown for mark in some):
                yield at

    def _near(self) -> Iterator[tuple[Feature, list[Feature]]]:
        """Yield the cities, each with the fields round it."""
        laid, board = self._ground.laid, self._ground.board
        near: dict[Nodes, list[Feature]] = {one.nodes: [] for one in board if one.kind is Kind.CITY}
        for field in self._ground.features:
            if field.kind is Kind.FIELD:
                touched = (city for at, index in field.nodes for city in ADJACENT(laid[at], index))
                for nodes in {board.at(city).nodes for city in touched}:
                    near[nodes].append(field)
        for nodes, fields in near.items():
            yield board.at(nodes[0]), fields

    def _farms(self, city: Feature, fields: Sequence[Feature]) -> None:
        """Count the points of a city for the fields round it."""
        ground, gains, each = self._ground, self._gains, self._city
        if cells := city.empty_cells():
            if self._me is None:
                return
            # Fields that are laid later can touch it too; by the third way tiles bring theirs.
            # Followers of his on fields that cannot grow score it all the same.
            his = ground.may_claim(self._me, Kind.FIELD) or ground.strength(self._me, *fields)
            paying = int(bool(his))
            if self._way == "field3":
                paying = sum(self._scorers(one)[0] or self._wins(one) for one in fields)
            gains.filled(cells, each * paying)
        elif self._way == "city4":
            self._stake(fields, self._scorers(*fields), self._best(each, *fields))
        elif self._way == "field3":
            for one in fields:
                self._stake([one], self._scorers(one), self._best(each, one))
        else:
            wins = any(self._scorers(one)[0] or self._wins(one) for one in fields)
            self._stake(fields, self._once(fields), each * wins)

    def _once(self, fields: Sequence[Feature]) -> tuple[bool, bool]:
        """Tell whether the players would score a city now that pays for one field."""
        ground = self._ground
        counts = [0 for _ in ground.players]
        for field in fields:
            men = [ground.strength(one, field) for one in ground.players]
            for one in leaders(ground.game, men):
                counts[one] = max(counts[one], men[one])
        won = leaders(ground.game, counts)
        if ground.game.value(FIELD3_ONCE_SCOPE) == "player":
            # A city pays once for each player.
            won = tuple(one for one, men in enumerate(counts) if men)
        return self._me in won, self._you in won

    def _stake(self, fields: Sequence[Feature], scorers: tuple[bool, bool], best: int) -> None:
        """Count the points of a complete city for fields, now and at best once one grows."""
        mine, theirs = scorers
        now = self._city * (mine - theirs)
        self._gains.add(now)
        self._gains.touched(self._ground.joining(*fields), best - now, self._men(*fields))

    def _tile(self, me: int, at: int, one: Meeting) -> None:
        """Count the points of a segment of a tile, on the place ``at``, by itself."""
        ground, gains, kind = self._ground, self._gains, self._ground.placed[at].kind
        if one.kind is Kind.CLOISTER:
            gains.own(at, CLOISTER_WORTH * PORTIONS * bool(ground.claims(me)), his=True)
            return
        farms = self._farming and ground.may_claim(me, Kind.FIELD)
        index = one.segment
        segment = kind.segments[index]
        if one.kind is Kind.FIELD and farms and self._way == "field3":
            gains.own(at, self._city * PORTIONS * len(kind.bordered(index)))
        if one.kind is Kind.CITY and farms and self._way != "field3" and not one.joined:
            # A complete city that is all to come has two ends on one side, or four parts.
            sides = len({port // 3 for port in segment.ports})
            gains.own(at, self._city * PORTIONS // (1, 2, 4, 4, 4)[sides])
        if not ground.may_claim(me, one.kind):
            return
        if one.kind in self._table:
            rate = self._rate(one.kind)
            units = self._table[one.kind].units(1, Counter(segment.marks))
            # They count as completed in a feature that can be.
            whole = all(nodes in self._whole for nodes in one.joined)
            gains.own(at, units * (rate.done if whole else rate.end) * PORTIONS)
