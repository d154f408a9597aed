"""The turns of a saved game of JCloisterZone, played one by one while they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from burgrave.model.engine import play
from burgrave.model.errors import FileError, IllegalMoveError, NotationError
from burgrave.model.formats.jcloisterzone import Message, Reader, kind_of
from burgrave.model.formats.save_schema import SaveFile
from burgrave.model.formats.save_support import application
from burgrave.model.formats.saved_draws import ENOUGH, DisagreementError, Stack
from burgrave.model.notation import write_move
from burgrave.model.places import placeable
from burgrave.model.position import Move, Position


@dataclass(slots=True)
class Played:
    """Collect the turns of a save."""

    name: str
    """The file, for errors."""
    start: Position
    """The first position; all tiles are in the bag until the drawn ones are known."""
    stack: Stack
    reader: Reader
    believing: bool
    """Whether the numbers of the save say which tiles were drawn."""
    position: Position
    """The current position."""
    in_hand: bool = False
    """Whether the tile of the turn after the last is known."""
    moves: list[str] = field(default_factory=list)
    homeless: set[str] = field(default_factory=set)
    """Kinds of tiles without a place at some draw of which nothing is known."""

    def fail(self, fault: str) -> NoReturn:
        """Refuse the turn that is being read."""
        raise FileError(self.name, [f"replay: turn {len(self.moves) + 1}{fault}"])

    def draw(self, laid: str | None) -> tuple[tuple[str, ...], str | None]:
        """Draw until a tile has a place.

        Args:
            laid: the tile that was laid, by its name there; None if none was.

        Returns:
            The tiles without a place, and the one with a place; None if it is not known
            which it is, or nothing is left.

        """
        discards: list[str] = []
        while not self.stack.over:
            code = self._next(laid)
            if code is None:
                break
            tile = kind_of(self.position.game, code).id
            has_place = code == laid or placeable(self.position, tile)
            if has_place and laid in {None, code}:
                return tuple(discards), tile
            if has_place:
                if len(self.stack.drawn) > len(self.stack.listed):
                    raise DisagreementError
                self.fail(f": {laid} is laid, and gameAnnotations.drawOrder says {code}")
            discards.append(tile)
        return tuple(discards), None

    def _next(self, laid: str | None) -> str | None:
        """Take the next tile, that which was laid if nothing else says which it is."""
        try:
            numbered = len(self.stack.drawn) >= len(self.stack.listed)
            code = self.stack.next()
            if code is not None:
                self.stack.confirmed += numbered and code == laid
                return code
            bag = set(self.position.bag) - self.homeless
            self.homeless |= {tile for tile in bag if not placeable(self.position, tile)}
            return laid if laid is None else self._taken(laid)
        except ValueError:
            self.fail(": more tiles of a kind are drawn than the sets have")
        except NotationError as error:
            self.fail(f": {error.problem}: {error.text}")

    def _taken(self, code: str) -> str:
        """Take a tile that a player has laid from the stack."""
        kind_of(self.position.game, code)
        return self.stack.take(code)

    def play(self, messages: Sequence[Message]) -> None:
        """Play a whole turn."""
        laid = _laid(messages)
        discards, tile = self.draw(laid)
        if laid is not None and tile is None:
            self.fail(": a tile is laid when the game is over")
        try:
            move = replace(self.reader.move(self.position, messages), discards=discards)
            played = play(self.position, move)
        except NotationError as error:
            self.fail(f": {error.problem}: {error.text}")
        except IllegalMoveError as error:
            found = "; ".join(f"{each.message} [{each.rule}]" for each in error.findings)
            self.fail(f" breaks the rules: {found}")
        self.moves.append(write_move(self.position, move))
        self.position = played.position
        number = messages[-1]["payload"].get("random")
        self.stack.number = number if self.believing else None

    def end(self, unfinished: Sequence[Message]) -> None:
        """Find the tile in hand and the end of the game; then set the order."""
        discards, tile = self.draw(_laid(unfinished))
        self.in_hand = tile is not None
        if self.believing and self.stack.confirmed < ENOUGH:
            raise DisagreementError
        if tile is None and not unfinished:
            if not self.stack.over and not any(
                placeable(self.position, each) for each in set(self.position.bag)
            ):
                discards = self.position.bag
                for code in list(self.stack.left):
                    self.stack.take(code)
            if discards and self.stack.over:
                last = Move(discards=discards)
                self.moves.append(write_move(replace(self.position, order=discards, bag=()), last))
        self._set_order()

    def _set_order(self) -> None:
        """Begin the game with the tiles in the known order of their draw."""
        stack, game = self.stack, self.start.game
        while len(stack.drawn) < len(stack.listed) and not stack.over:
            self._next(None)
        if stack.ends is not None and not stack.over:
            fault = (
                f"gameAnnotations.endTurn: the game ends after {stack.ends} draws, and which tiles"
                f" the last {stack.ends - len(stack.drawn)} are is not said: play it to its end, or"
                " remove the key"
            )
            raise FileError(self.name, [fault])
        order = [kind_of(game, code).id for code in stack.drawn]
        left = [] if stack.over else [kind_of(game, code).id for code in stack.left]
        self.start = replace(self.start, order=tuple(order), bag=tuple(sorted(left)))


def _laid(messages: Sequence[Message]) -> str | None:
    """Return the tile that is laid in a turn, by its name there."""
    codes = [m["payload"]["tileId"] for m in messages if m["type"] == "PLACE_TILE"]
    return codes[0] if codes else None


def played(
    name: str,
    file: SaveFile,
    start: Position,
    turns: Sequence[Sequence[Message]],
    unfinished: Sequence[Message],
) -> Played:
    """Play the turns of a save; its numbers say which tiles were drawn, if they can be believed.

    Args:
        name: the file as the user named it, for errors.
        file: the save.
        start: the table before the first draw, all tiles in the bag.
        turns: the decisions of each whole turn.
        unfinished: those of the turn in which the game was saved.

    Raises:
        FileError: a decision is not legal; the error of the first attempt.

    """
    first: FileError | None = None
    try:
        return _attempt(name, file, start, turns, unfinished, believing=True)
    except DisagreementError:
        pass
    except FileError as error:
        # Numbers that name wrong tiles can be what makes a decision illegal.
        first = error
    try:
        return _attempt(name, file, start, turns, unfinished, believing=False)
    except FileError as error:
        raise first or error from None


def _attempt(  # noqa: PLR0913 -- what is played, and how
    name: str,
    file: SaveFile,
    start: Position,
    turns: Sequence[Sequence[Message]],
    unfinished: Sequence[Message],
    *,
    believing: bool,
) -> Played:
    """Play the turns of a save, with its numbers or without.

    Raises:
        FileError: a decision is not legal.
        DisagreementError: the numbers cannot be believed.

    """
    game = Played(
        name=name,
        start=start,
        stack=_stack(name, file, start, believing=believing),
        reader=Reader(start.game),
        believing=believing,
        position=start,
    )
    for messages in turns:
        game.play(messages)
    game.end(unfinished)
    return game


def _stack(name: str, file: SaveFile, start: Position, *, believing: bool) -> Stack:
    """Return the tiles to be drawn."""
    listed = list(file.gameAnnotations.drawOrder)
    ends = file.gameAnnotations.endTurn
    if listed and listed[-1] == "#END":
        listed.pop()
        ends = len(listed)
    codes = {kind.id: kind.code for kind in start.game.tile_set.kinds}
    left = [codes[tile] for tile in start.bag]
    for set_id in file.setup.sets:
        for garden, plain in application().gardens.get(set_id, {}).items():
            left.remove(plain)
            left.append(garden)
    for code in listed:
        if code not in left and code not in codes.values():
            raise FileError(name, [f"gameAnnotations.drawOrder: the sets have no tile {code}"])
    return Stack(
        left=sorted(left),
        listed=listed,
        ends=ends,
        number=file.initialRandom if believing else None,
    )
