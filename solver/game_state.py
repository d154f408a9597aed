"""A game as an incremental state: players, wall tiles, turns and their undo.

It lists the same turns as the reference engine, in the same canonical form, and plays and
takes them back without building a position. Which tile comes when is left to the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from model.book import book_of
from model.components import Node, Rank
from model.geometry import PORTS
from model.position import Deployment, Move, Position, ScoreStep
from model.rules.castle.wall_tiles import EXTRA_TURN
from solver.flags import Flags, flags
from solver.scoring_plans import Claim, Landing, Plan, plans
from solver.state import BoardState
from solver.tables import HOUSE, KINDS, NOTHING, PATH, TOWER

RANKS = (Rank.FOLLOWER, Rank.FALCONER, Rank.KING)
"""What a follower may be, by the number that stands for it in a turn."""
NUMBERS = 10
"""Wall tile numbers, 0 for one that nobody has seen."""


class Turn(NamedTuple):
    """A turn of the search: what is laid, claimed and scored."""

    cell: int
    kind: int
    """Index of the kind of tile."""
    rotation: int
    segment: int
    """The segment on which a follower is placed, or -1."""
    plan: Plan
    extra: int
    """Wall tiles 1 played."""
    rank: int = 0
    """What the follower is: 0 for an ordinary one; others are those of the expansion."""


class GameState:
    """A position that turns can be played on and taken back.

    Attributes:
        board: tiles, features and followers.
        supply: by player the followers that may be placed.
        fresh_men: by player the followers that came home too late to be used yet.
        score: by player.
        keep: by player.
        hand: by ``player * 10 + number`` the wall tiles that may be used.
        fresh_hand: likewise those taken too late to be used yet.
        towers: by corner tower the number of its wall tile, 0 if unknown, or -1.
        turn: player to move, extra turns to come, whether this is an extra turn.
        posts: by ``player * followers + i`` the node on which a follower stands, or -1.
        at_gate: by player, whether the marker has been stopped on a gate.
        gates: the spaces after which a gate stops markers.
        stops_on_gate: whether they stop on the gate itself.
        ordinary_at_last: whether none but ordinary followers may be placed in the last turn.

    """

    board_type = BoardState

    def __init__(self, position: Position) -> None:
        """Take over a position."""
        self.game = position.game
        self.flags: Flags = flags(position.game)
        self.board = self.board_type(position)
        self.supply = [player.supply for player in position.players]
        self.fresh_men = [player.fresh_followers for player in position.players]
        self.score = [player.score for player in position.players]
        self.keep = [player.keep for player in position.players]
        self.hand = [p.wall_tiles.count(n) for p in position.players for n in range(NUMBERS)]
        self.fresh_hand = [
            p.fresh_wall_tiles.count(n) for p in position.players for n in range(NUMBERS)
        ]
        there = dict(position.towers)
        self.towers = [there.get(tower.name, NOTHING) for tower in self.game.board.towers]
        self.landing = self._landing()
        self.at_gate = [int(player.at_gate) for player in position.players]
        self.gates: tuple[int, ...] = ()
        self.stops_on_gate = False
        self.ordinary_at_last = False
        self.turn = [position.to_move, position.extra_turns, int(position.in_extra_turn)]
        self.men_each = self.game.followers
        self.posts = [NOTHING] * (2 * self.men_each)
        for follower in position.followers:
            if follower.rank is Rank.FOLLOWER:
                self.posts[self._free_post(follower.player)] = self.board.node(follower.node)

    def _landing(self) -> Landing:
        """Return by space of the track the corner tower on it, or -1."""
        spaces = [NOTHING] * self.game.board.track
        for index, tower in enumerate(self.game.board.towers):
            for space in tower.spaces:
                spaces[space] = index
        return tuple(spaces)

    def _free_post(self, player: int) -> int:
        """Return a place in ``posts`` for a follower of a player."""
        return self.posts.index(NOTHING, player * self.men_each, (player + 1) * self.men_each)

    def stands(self, player: int) -> list[int]:
        """Return the nodes on which the followers of a player stand."""
        own = self.posts[player * self.men_each : (player + 1) * self.men_each]
        return [node for node in own if node >= 0]

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""
        return len(self.board.journal)

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""
        self.board.undo(mark)

    def turns(self, kind: int, *, last: bool, alike: bool = True) -> list[Turn]:
        """Return every legal turn that lays a tile of a kind.

        Args:
            kind: index of the kind.
            last: whether no tile is left after this one.
            alike: whether turns that differ only in the segment of one and the same feature
                on which the follower stands are all listed, or the first of them alone.

        """
        return [
            turn
            for cell, rotation in self.board.places(kind)
            for turn in self.turns_on(cell, kind, rotation, last=last, alike=alike)
        ]

    def turns_on(  # noqa: PLR0913 -- a place, and which of its turns
        self,
        cell: int,
        kind: int,
        rotation: int,
        *,
        last: bool,
        alike: bool = True,
        idle: Callable[[int, int], bool] | None = None,
        segment: int | None = None,
    ) -> list[Turn]:
        """Return every legal turn that lays a tile of a kind in one place.

        Args:
            cell: where it may be laid.
            kind: index of the kind.
            rotation: in which it may be laid there.
            last: whether no tile is left after this one.
            alike: as for ``turns``.
            idle: tells of the root of a feature and a rank, with the tile laid, whether turns
                that place such a follower there are left out; None leaves out none.
            segment: the only one that is asked for, -1 for no follower; None for all.

        """
        mark = self.mark()
        done = self.board.lay(cell, kind, rotation)
        asked = self.claimable(cell, kind, done, last=last, alike=alike)
        if segment is not None:
            asked = (one for one in asked if one[0] == segment)
        if idle is not None:
            asked = (one for one in asked if one[0] < 0 or not idle(*one[1:]))
        found = self.scored((cell, kind, rotation), done, asked, last=last)
        self.undo(mark)
        return found

    def scored(
        self,
        place: tuple[int, int, int],
        done: Sequence[int],
        claimable: Iterable[tuple[int, int, int]],
        *,
        last: bool,
    ) -> list[Turn]:
        """Return every legal turn that has begun with a tile which lies there already.

        Args:
            place: the cell, the kind of the tile and its rotation.
            done: roots of the features that it completes.
            claimable: the followers that are placed, as ``claimable`` yields them.
            last: whether no tile is left after it.

        """
        found = []
        for segment, root, rank in claimable:
            claims = self.claims(done, root)
            found += [
                Turn(*place, segment, plan, extra, rank)
                for plan in plans(self, claims)
                for extra in self._extras(claims, plan, last=last)
            ]
        return found

    def claimable(
        self, cell: int, kind: int, done: Sequence[int], *, last: bool, alike: bool
    ) -> Iterator[tuple[int, int, int]]:
        """Yield no follower, then each segment of the new tile with each rank that may claim it.

        Args:
            cell: where the tile has just been laid.
            kind: index of its kind.
            done: roots of the features that it completes.
            last: whether no tile is left after it.
            alike: as for ``turns``.

        Yields:
            Segment, root and rank; the first two are -1 for no follower.

        """
        yield NOTHING, NOTHING, 0
        able = self.ranks(self.turn[0], last=last)
        for segment, root in self._free(cell, kind, alike=alike) if able else ():
            for rank in range(able.bit_length()):
                if able >> rank & 1 and not (rank and root in done):
                    yield segment, root, rank

    def ranks(self, player: int, *, last: bool) -> int:
        """Return the ranks of the followers that a player may place, as bits.

        Args:
            player: the player.
            last: whether no tile is left after that of the turn.

        """
        ordinary = int(self.supply[player] > 0)
        return ordinary if last and self.ordinary_at_last else ordinary | self._specials(player)

    def _specials(self, player: int) -> int:  # noqa: ARG002 -- in The Castle nobody has any
        """Return the ranks but the ordinary one that a player has at hand, as bits."""
        return 0

    def occupied(self) -> set[int]:
        """Return the roots of the features on which somebody stands."""
        find = self.board.find
        return {find(node) for node in self.posts if node >= 0}

    def returning(self, player: int, cell: int) -> bool:
        """Tell whether a tile on a cell may give a player a rank that he cannot place now."""
        if self.supply[player]:
            return False
        late = self.fresh_men[player] > 0
        return late or any(self._meets(node, cell) for node in self.stands(player))

    def _meets(self, node: int, cell: int) -> bool:
        """Tell whether a tile on a cell meets the feature of a node."""
        return self.board.faces[self.board.find(node)] >> cell & 1 > 0

    def _free(self, cell: int, kind: int, *, alike: bool) -> Iterator[tuple[int, int]]:
        """Yield each segment of the new tile, with its root, on whose feature nobody stands."""
        men = self.board.men
        seen: set[int] = set()
        for segment in range(len(self.board.tables.segments[kind])):
            root = self.board.find(cell * PORTS + segment)
            free = not men[2 * root] and not men[2 * root + 1]
            if free and (alike or root not in seen):
                seen.add(root)
                yield segment, root

    def claims(self, done: Sequence[int], claimed: int) -> list[Claim]:
        """Return what the completed features bring, those that nobody scores excepted.

        Args:
            done: roots of the completed features.
            claimed: root of the feature on which a follower is placed this turn, or -1.

        """
        men, mover = self.board.men, self.turn[0]
        found = []
        for root in done:
            balance = men[2 * root] - men[2 * root + 1]
            if root == claimed:
                balance += 1 - 2 * mover
            if balance:
                found.append(self.claim(root, int(balance < 0)))
        return found

    def claim(self, root: int, winner: int) -> Claim:
        """Return what a path, tower or house brings its scorer."""
        return Claim(root, winner, self.worth(root))

    def worth(self, root: int) -> int:
        """Return the points of a path, tower or house without wall tiles."""
        board = self.board
        size = board.mask[root].bit_count()
        kind = board.kind[root]
        if kind == TOWER or (kind == PATH and board.fountains[root]):
            return 2 * size
        return size

    def barren(self, root: int, rank: int) -> bool:  # noqa: ARG002 -- ranks differ in tokens alone
        """Tell whether a court of today brings the holder nothing in final scoring.

        Args:
            root: the court.
            rank: what his follower is.

        """
        return not self.board.markets[root]

    def _extras(self, claims: Sequence[Claim], plan: Plan, *, last: bool) -> Iterator[int]:
        """Yield how many wall tiles 1 may be played with a plan."""
        mover, pending, in_extra = self.turn
        ones = self.hand[mover * NUMBERS + EXTRA_TURN]
        if not self.flags.optional and self._holds_back(claims, plan):
            return
        for extra in range(ones + 1):
            so_far = extra + pending + in_extra
            if extra and not self.flags.chain and so_far > 1:
                return
            could = extra < ones and not last and (self.flags.chain or not so_far)
            if self.flags.optional or not could:
                yield extra

    def _holds_back(self, claims: Sequence[Claim], plan: Plan) -> bool:
        """Tell whether a plan keeps a wall tile 2 or 3 that it could use."""
        mover = self.turn[0]
        used = [number for root, numbers in plan.doubled for number in numbers]
        mine = {root for root, _ in plan.doubled}
        for number, kind in ((2, TOWER), (3, HOUSE)):
            held = self.hand[mover * NUMBERS + number] - used.count(number)
            for claim in claims:
                mine_to_double = claim.winner == mover and claim.doublable
                fits = mine_to_double and self.board.kind[claim.root] == kind
                if held > 0 and fits and claim.root not in mine:
                    return True
        return False

    def play(self, turn: Turn, *, last: bool) -> None:
        """Play a turn.

        Args:
            turn: one of ``turns``.
            last: whether no tile is left after this one.

        """
        self.go_on(turn, self.board.lay(turn.cell, turn.kind, turn.rotation), last=last)

    def go_on(self, turn: Turn, done: Sequence[int], *, last: bool) -> None:
        """Play what follows the tile of a turn.

        Args:
            turn: the turn; its tile lies there already.
            done: roots of the features that it completes.
            last: whether no tile is left after it.

        """
        put, mover = self.board.put, self.turn[0]
        if turn.segment >= 0:
            self.place(turn.rank, turn.cell * PORTS + turn.segment)
        plan = turn.plan
        for player in (0, 1):
            if plan.scores[player] != self.score[player]:
                put(self.score, player, plan.scores[player])
        for claim in self.claims(done, NOTHING):
            self._grow_keep(claim)
        back = self._go_home(done)
        for root, numbers in plan.doubled:
            winner = next(claim.winner for claim in plan.claims if claim.root == root)
            for number in numbers:
                self._spend(winner, number)
        for _ in range(turn.extra):
            self._spend(mover, EXTRA_TURN)
        extra = self.turn[1] + turn.extra
        goes_on = extra > 0 and not last
        self._rest(plan, back, waiting=mover if goes_on else NOTHING, last=last)
        put(self.turn, 0, mover if goes_on else 1 - mover)
        put(self.turn, 1, extra - 1 if goes_on else 0)
        put(self.turn, 2, int(goes_on))

    def place(self, rank: int, node: int) -> None:
        """Take a follower of the mover out of the supply and put him on a node."""
        index = 2 * self.board.find(node) + self.turn[0]
        self.board.put(self.board.men, index, self.board.men[index] + 1)
        self._post(rank, node)

    def _post(self, rank: int, node: int) -> None:
        """Remember on which node a follower of the mover stands, who leaves the supply."""
        assert not rank
        mover = self.turn[0]
        self.board.put(self.supply, mover, self.supply[mover] - 1)
        self.board.put(self.posts, self._free_post(mover), node)

    def _spend(self, player: int, number: int) -> None:
        """Take a wall tile out of a player's hand."""
        index = player * NUMBERS + number
        self.board.put(self.hand, index, self.hand[index] - 1)

    def _grow_keep(self, claim: Claim) -> None:
        """Move the scorer's keep if a house is larger than his."""
        board = self.board
        if board.kind[claim.root] != HOUSE:
            return
        mask = board.mask[claim.root]
        if not self.flags.start_in_keep:
            mask &= (1 << board.tables.inside) - 1
        if mask.bit_count() > self.keep[claim.winner]:
            board.put(self.keep, claim.winner, mask.bit_count())

    def _go_home(self, done: Sequence[int]) -> list[int]:
        """Take the followers off completed features; return how many came home by player."""
        board, men = self.board, self.board.men
        back = [0, 0]
        for root in done:
            here = men[2 * root], men[2 * root + 1]
            if here == (0, 0) or (here[0] == here[1] and not self.flags.return_on_tie):
                continue
            for player in (0, 1):
                if here[player]:
                    back[player] += here[player]
                    board.put(men, 2 * root + player, 0)
            for post, node in enumerate(self.posts):
                if node >= 0 and board.find(node) == root:
                    board.put(self.posts, post, NOTHING)
        return back

    def _rest(self, plan: Plan, back: Sequence[int], *, waiting: int, last: bool) -> None:
        """Give each player the followers and wall tiles of the turn, to be used now or later.

        Args:
            plan: what was taken.
            back: followers that came home, by player.
            waiting: the player who goes on with an extra turn, or -1.
            last: whether the game ends with this turn.

        """
        put, towers = self.board.put, self.towers
        for player in (0, 1):
            rests = player == waiting and not self.flags.extra_is_next
            if rests and back[player]:
                put(self.fresh_men, player, self.fresh_men[player] + back[player])
            elif not rests:
                self._use_fresh(player, back[player])
            late = rests or (last and not self.flags.last_turn_tiles)
            goes_to = self.fresh_hand if late else self.hand
            for tower, taker in plan.takes:
                if taker == player:
                    index = player * NUMBERS + towers[tower]
                    put(goes_to, index, goes_to[index] + 1)
                    put(towers, tower, NOTHING)

    def _use_fresh(self, player: int, back: int) -> None:
        """Make what a player got earlier usable, with the followers that came home now."""
        put = self.board.put
        home = back + self.fresh_men[player]
        if home:
            put(self.supply, player, self.supply[player] + home)
        if self.fresh_men[player]:
            put(self.fresh_men, player, 0)
        for index in range(player * NUMBERS, (player + 1) * NUMBERS):
            if self.fresh_hand[index]:
                put(self.hand, index, self.hand[index] + self.fresh_hand[index])
                put(self.fresh_hand, index, 0)

    def pass_turn(self) -> None:
        """End the game with a turn for which no tile is left that has a place."""
        for player in (0, 1):
            self._use_fresh(player, 0)
        self.board.put(self.turn, 0, 1 - self.turn[0])
        self.board.put(self.turn, 1, 0)
        self.board.put(self.turn, 2, 0)

    def move(self, turn: Turn, discards: tuple[str, ...] = ()) -> Move:
        """Return a turn that is not played yet as the move that the reference engine lists."""
        t = self.board.tables
        kind, cell = t.kinds[turn.kind], t.cells[turn.cell]
        followers: tuple[Deployment, ...] = ()
        if turn.segment >= 0:
            role = book_of(self.game).roles[KINDS[t.segments[turn.kind][turn.segment]]]
            followers = (Deployment(cell, turn.segment, role, RANKS[turn.rank]),)
        declared = [EXTRA_TURN] * turn.extra if self.flags.declare_one else []
        if self.flags.declare_doubling:
            mine = {claim.root for claim in turn.plan.claims if claim.winner == self.turn[0]}
            doubled = [numbers for root, numbers in turn.plan.doubled if root in mine]
            declared += [number for numbers in doubled for number in numbers]
        return Move(
            discards=discards,
            declared=tuple(sorted(declared)),
            tile=kind.id,
            cell=cell,
            rotation=turn.rotation,
            followers=followers,
            scoring=tuple(
                ScoreStep(Node(t.cells[anchor // PORTS], anchor % PORTS), numbers)
                for anchor, numbers in turn.plan.steps
            ),
            extra_turns=turn.extra,
        )
