"""The Castle as a search by chance walks it: turns in which a face-down wall tile is taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import NamedTuple

from model.rules.castle.wall_tiles import EXTRA_TURN, unseen
from solver.game_state import NUMBERS, GameState, Turn
from solver.outlook import Goal, Play, Task
from solver.scoring_plans import Plan, spelled_out
from solver.search.chance import Reveal
from solver.search.last_three import Replied, calm_options
from solver.search.last_turn import LastTurns
from solver.search.last_two import best_of_two
from solver.search.situation import FACE_DOWN, FaceDownError
from solver.states import game_state, totals


class Shown(NamedTuple):
    """A turn with the numbers of the face-down wall tiles that it takes."""

    turn: Turn
    numbers: tuple[tuple[int, int], ...]
    """Corner tower and number."""


MOST = 1 << 40
"""More points than a game can bring: ``docs/bounds.md``."""

Played = Turn | Shown
Option = Played | Reveal[Played]


class _Way(NamedTuple):
    """One way to end a turn."""

    turn: Turn
    tokens: tuple[tuple[str, object], ...]
    """Decisions and wall tiles turned over, in order."""


def take_over(task: Task, state: GameState) -> None:
    """Let the asker take the next turn in a solitaire; not after the last turn of a game.

    Final scoring asks who had the last turn.
    """
    if task.play is Play.SOLITAIRE and state.turn[0] != task.asker:
        for index, now in enumerate((task.asker, 0, 0)):
            state.board.put(state.turn, index, now)


class CastleGame:
    """A game of The Castle with an asker.

    Attributes:
        state: the position.
        pool: by number the wall tiles that nobody has seen.

    """

    def __init__(self, task: Task) -> None:
        """Take over the position of a task."""
        position = task.begin(task.position)
        self.task = task
        self.state = game_state(position)
        self.last_turns = LastTurns(self.state, (self._rises(0), self._rises(1)))
        seen = unseen(position)
        most = sum(abs(player.score) for player in position.players) + MOST
        self._limits = -most, most
        self.pool = [seen[number] for number in range(NUMBERS)]

    @property
    def hidden(self) -> int:
        """Return the number of face-down wall tiles on towers."""
        return self.state.towers.count(FACE_DOWN)

    @property
    def serving(self) -> bool:
        """Whether the player to move chooses for the asker."""
        return self.task.serves(self.state.turn[0])

    def _rises(self, player: int) -> bool:
        """Tell whether a player wants White's lead to be large."""
        return self.task.serves(player) is (self.task.asker == 0)

    def mark(self) -> int:
        """Return the point to which ``undo`` takes back."""
        return self.state.mark()

    def undo(self, mark: int) -> None:
        """Take back everything since ``mark``."""
        self.state.undo(mark)

    def placeable(self, kind: int) -> bool:
        """Tell whether a kind of tile has a place."""
        return next(self.state.board.places(kind), None) is not None

    def turns(self, kind: int, *, last: bool) -> Sequence[Option]:
        """Return every turn with a tile, one of those that claim the same feature."""
        return self._unfolded(self.state.turns(kind, last=last, alike=False))

    def listed(self, kind: int, *, last: bool) -> Sequence[Option]:
        """Return every turn with a tile as the rules engine lists them."""
        return self._unfolded(self.state.turns(kind, last=last))

    def play(self, turn: Played, *, last: bool) -> None:
        """Play a turn."""
        state = self.state
        if isinstance(turn, Shown):
            for tower, number in turn.numbers:
                state.board.put(state.towers, tower, number)
                state.board.put(self.pool, number, self.pool[number] - 1)
            turn = turn.turn
        mover = state.turn[0]
        state.play(turn, last=last)
        if self.last_turns.able:
            self.last_turns.looks.step(turn, mover, state.board.disturbed)
        if not last:
            take_over(self.task, state)

    def pass_turn(self) -> None:
        """End the game with a turn for which no tile is left that has a place."""
        self.state.pass_turn()

    def end(self) -> int:
        """Return what the end of the game is worth."""
        return self.task.worth(*totals(self.state))

    def stand(self) -> int:
        """Return what the scores on the track are worth."""
        return self.task.worth(*self.state.score)

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the most that any end is worth."""
        if self.task.goal is Goal.WIN:
            return 1 - self.task.decisive, 1 + self.task.decisive
        return self._limits

    def again(self, turn: Played) -> Turn | None:
        """Return a turn with the same tile, place and follower; None if there is none now.

        Of the ways to score it the one with the largest lead is taken.
        """
        state = self.state
        if isinstance(turn, Shown) or not state.board.empty >> turn.cell & 1:
            return None
        if self.last_turns.able and not turn.extra:
            option = self.last_turns.option(turn)
            if option is None or option.calm:
                return option and turn._replace(plan=Plan((state.score[0], state.score[1])))
        if turn.rotation not in state.board.rotations(turn.cell, turn.kind):
            return None
        there = turn.cell, turn.kind, turn.rotation
        found = [
            same
            for same in state.turns_on(*there, last=False, alike=False, segment=turn.segment)
            if (same.rank, same.extra) == (turn.rank, turn.extra)
        ]
        same = max(found, key=self.promise, default=None)
        if same is not None and any(state.towers[t] == FACE_DOWN for t, _ in same.plan.takes):
            return None
        return same

    def promise(self, turn: Option) -> int:
        """Return a rough worth of a turn for the player to move."""
        turn = turn.named if isinstance(turn, Reveal) else turn
        turn = turn.turn if isinstance(turn, Shown) else turn
        mover, scores = self.state.turn[0], turn.plan.scores
        lead = scores[mover] - scores[1 - mover]
        return 4 * lead + 3 * len(turn.plan.takes) + 2 * (turn.segment >= 0)

    def last(self, kind: int, low: int, high: int) -> int | None:
        """Return what the end is worth after the best last turn with a tile."""
        if not self.last_turns.able:
            return None
        try:
            lead = self.last_turns.best(kind, *self._leads(low, high))
        except FaceDownError:
            return None
        assert lead is not None
        return self.task.worth(lead, 0)

    def last_two(
        self, kind: int, then: int, low: int, high: int
    ) -> tuple[int, Played | None] | None:
        """Return what the end is worth after the best last turn but one; see ``Star2``."""
        state = self.state
        mover, pending, _ = state.turn
        another = pending or state.hand[mover * NUMBERS + EXTRA_TURN]
        if another or self.task.play is Play.SOLITAIRE or not self.last_turns.able:
            return None
        window = self._leads(low, high)
        mark, follow = self.mark(), partial(self._follow, then)
        try:
            lead, turn = best_of_two(self.last_turns, kind, then, window, follow)
        except FaceDownError:
            self.undo(mark)
            return None
        return self.task.worth(lead, 0), turn

    def replied(
        self, options: Sequence[Option], reply: Played, then: int
    ) -> Iterator[tuple[Turn, int]]:
        """Yield turns with what the end is worth after a reply; see ``star.Replied``."""
        state, turns = self.state, self.last_turns
        mover, *extra = state.turn
        plain = {
            (turn.cell, turn.rotation, turn.segment): turn
            for turn in options
            if isinstance(turn, Turn) and not turn.extra
        }
        opposed = self.task.play is Play.AGAINST
        if not plain or any(extra) or not opposed or not turns.able or isinstance(reply, Shown):
            return
        found = calm_options(turns, next(iter(plain.values())).kind)
        mark = self.mark()
        state.board.put(state.turn, 0, 1 - mover)
        same = self.again(reply)
        if same is not None and not same.extra:
            self.play(same, last=False)
            off = state.board.disturbed | 1 << same.cell
            calm = {
                plain[shape]: option
                for shape, option in found.items()
                if shape in plain and not off >> shape[0] & 1
            }
            # Where a wall tile is taken that nobody has seen, the turns are played.
            with suppress(FaceDownError):
                for turn, lead in Replied(turns, then).ends(calm):
                    yield turn, self.task.worth(lead, 0)
        self.undo(mark)

    def _follow(self, then: int, turn: Turn, low: int, high: int) -> int:
        """Return White's lead at the end after a turn and the best last turn, in a window."""
        self.task.watch.tick()
        mark = self.mark()
        self.play(turn, last=False)
        lead = self.last_turns.best(then, low, high)
        if lead is None:
            self.pass_turn()
            white, black = totals(self.state)
            lead = white - black
        self.undo(mark)
        return lead

    def _leads(self, low: int, high: int) -> tuple[int, int]:
        """Return White's leads at or beyond which a worth is at or beyond the end of a window."""
        if self.task.goal is Goal.WIN:
            # All leads on one side of a draw are worth the same.
            won = 1 + self.task.decisive
            low = -1 if low < 0 else 0 if low < won else MOST
            high = 1 if high > 0 else 0 if high > 2 - won else -MOST
        return (low, high) if self.task.asker == 0 else (-high, -low)

    def _unfolded(self, turns: list[Turn]) -> Sequence[Option]:
        """Return turns, those that take face-down wall tiles up to where they are shown."""
        if not self.hidden:
            return turns
        found: list[Option] = []
        for _, same in groupby(turns, key=lambda turn: (turn[:4], turn.rank)):
            group = list(same)
            taken = {tower for turn in group for tower, _ in turn.plan.takes}
            if any(self.state.towers[tower] == FACE_DOWN for tower in taken):
                found += self._shown(list(self._ways(group)), 0, ())
            else:
                found += group
        return found

    def _ways(self, group: Sequence[Turn]) -> Iterator[_Way]:
        """Yield every way to end the turns with one tile, cell, rotation and follower."""
        state = self.state
        extras: dict[object, list[int]] = {}
        for turn in group:
            known = extras.setdefault(turn.plan.doubled, [])
            if turn.extra not in known:
                known.append(turn.extra)
        first = group[0]
        mark = state.mark()
        state.board.lay(first.cell, first.kind, first.rotation)
        anchor = state.board.anchor
        claims = sorted(first.plan.claims, key=lambda claim: anchor[claim.root])
        every = list(spelled_out(state, claims))
        state.undo(mark)
        for plan, taken in every:
            for extra in extras.get(plan.doubled, ()):
                turn = first._replace(plan=plan, extra=extra)
                tokens: list[tuple[str, object]] = [("declared", state.move(turn).declared)]
                shown: set[int] = set()
                for step, takes in zip(plan.steps, taken, strict=True):
                    tokens.append(("scored", step))
                    new = {t for t, _ in takes if state.towers[t] == FACE_DOWN} - shown
                    tokens += [("shown", tower) for tower in sorted(new)]
                    shown |= new
                yield _Way(turn, (*tokens, ("extra", extra)))

    def _shown(
        self, ways: Sequence[_Way], depth: int, numbers: tuple[tuple[int, int], ...]
    ) -> tuple[Option, ...]:
        """Return the choices that are left in a turn, each up to where a wall tile is shown.

        Args:
            ways: the ways to end the turn that begin as it began.
            depth: decisions and wall tiles shown so far.
            numbers: those of the wall tiles shown, by tower.

        """
        groups: dict[tuple[tuple[str, object], ...], list[_Way]] = {}
        for way in ways:
            ahead = way.tokens[depth:]
            until = next((i for i, (what, _) in enumerate(ahead) if what == "shown"), len(ahead))
            groups.setdefault(ahead[:until], []).append(way)
        return tuple(
            self._case(group, depth + len(decided), numbers) for decided, group in groups.items()
        )

    def _case(
        self, group: Sequence[_Way], depth: int, numbers: tuple[tuple[int, int], ...]
    ) -> Option:
        """Return the choice of which the ways of a group are the continuations."""
        first = group[0]
        if len(first.tokens) == depth:
            return Shown(first.turn, numbers) if numbers else first.turn
        tower = first.tokens[depth][1]
        assert isinstance(tower, int)
        left = list(self.pool)
        for _, number in numbers:
            left[number] -= 1
        return Reveal(
            first.turn,
            tuple(
                (ways, self._shown(group, depth + 1, (*numbers, (tower, number))))
                for number, ways in enumerate(left)
                if ways > 0
            ),
        )
