"""Moves as people type them: every form that can mean one legal move alone.

``read_move`` reads the notation of files. Here a cell, a rotation or a port may stand apart (``K35
3,4 r0 herald N``). The next tile, the rotation, the role or the segment of a follower may be left
out if only one legal move fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from burgrave.model.book import book_of
from burgrave.model.draws import draws
from burgrave.model.engine import judge
from burgrave.model.errors import NotationError
from burgrave.model.naming import alike, suggestion
from burgrave.model.notation import read_move, write_move
from burgrave.model.position import Move, Position
from burgrave.model.quarters import named
from burgrave.model.tiles import TileKind

_CELL = r"\(?\s*-?\d{1,3}\s*,\s*-?\d{1,3}\s*\)?"
_PORT = r"(?:[nesw][lr]?(?!\w)|\#\d{1,2})"
_TOKEN = re.compile(
    rf"""
    (?P<whole>                            # words of the notation that are complete in themselves
        -(?=[a-z])[\w-]+                  # a tile that had no place
      | =\s*{_CELL}[.\s]*{_PORT}(?:\s*\*\s*\d)*
      | \^\s*{_CELL}
      | x(?=[-(\d]){_CELL}[.\s]*(?:guard|{_PORT})
      | guard[@\s]*{_CELL}
      | ransom[:\s]+\#?(?:(?!late\b)\w+)(?:[:\s]+late\b)?
      | [!+]\s*\d
      | \?\s*\d+/\d+\s*[:=\s]\s*\d
      | pass(?!\w)
    )
  | (?P<rotation>r\s*[0-9](?!\w))
  | (?P<gap>[\s@.,;:]+)
  | (?P<cell>{_CELL})
  | (?P<word>\#?\w[\w-]*)
  | (?P<other>.)
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_FILLERS = frozenset({"at", "on", "to", "with"})
_PORT_WORD = re.compile(_PORT, re.IGNORECASE)
_TURNS = frozenset("0123")
_IN_NOTATION = re.compile(r"[\w-]+@-?\d")
"""A tile in notation: an error then refers to the text unchanged."""
_SPREAD = re.compile(r"(?:^|\s)(?:[a-z]+|#\d+|[=^!+?])(?=\s|$)", re.IGNORECASE)
"""A word that notation joins to another."""
_ROTATED = re.compile(r"(?:\d|\s)r\d", re.IGNORECASE)
"""A rotation that is written down."""
_SHOWN = 6
"""Candidates that a message lists at most."""


@dataclass(slots=True)
class _Draft:
    """The parts of a move in a text; None for a part left out."""

    kind: str | None = None
    cell: str | None = None
    rotation: str | None = None
    followers: list[tuple[str | None, str, str | None]] = field(default_factory=list)
    """Title, place (``@3,4`` for another tile, else empty) and port of each follower."""
    whole: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether nothing is left out that notation demands."""
        named = all(title and port for title, _, port in self.followers)
        return named and None not in {self.kind, self.rotation}


def read_typed(position: Position, text: str) -> Move:
    """Read a move in any form that is unambiguous.

    Args:
        position: the position before the move; it must be possible.
        text: the move.

    Returns:
        The move that the text spells out in notation, whether legal or not. If words are left out:
        the one legal move that fits or, if none is legal, the one that breaks the fewest rules.

    Raises:
        NotationError: the text is no move, or several legal moves fit; they are listed.
        IllegalMoveError: the tile has no cell of its own, ``K07@2.5,3``.

    """
    try:
        move = read_move(position, text)
    except NotationError as error:
        if _IN_NOTATION.search(text) and not _SPREAD.search(text):
            raise
        draft = _parse(position, text)
        if draft.cell is None:
            raise error from None
    else:
        if move.cell is None or _ROTATED.search(text):
            return move
        draft = _parse(position, text)
    candidates = list(dict.fromkeys(_candidates(position, draft)))
    return (
        read_move(position, candidates[0]) if draft.complete else _fit(position, text, candidates)
    )


def _parse(position: Position, text: str) -> _Draft:
    """Return the parts of a move that a text names.

    Raises:
        NotationError: a word means nothing here; the error points at it.

    """
    draft = _Draft()
    tokens = [token for token in _TOKEN.finditer(text) if token.lastgroup != "gap"]
    tokens = [token for token in tokens if token[0].lower() not in _FILLERS]
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        sort, word = token.lastgroup, _tight(token[0])
        if sort == "whole":
            draft.whole.append(_joined(word))
        elif sort == "cell" and draft.cell is None:
            draft.cell = word.strip("()")
        elif sort == "rotation" and draft.rotation is None:
            draft.rotation = word
        elif sort == "word":
            at += _word(position, draft, token, tokens[at:])
        else:
            raise _meaningless(position, text, token)
    return draft


def _word(
    position: Position, draft: _Draft, token: re.Match[str], rest: list[re.Match[str]]
) -> int:
    """Add the meaning of a word to a draft: a tile, a follower, a segment or a rotation.

    Returns:
        Number of tokens behind the word that belong to it.

    """
    word = token[0]
    after = rest[0] if rest else None
    names_tile = draft.kind is None and _tile(position, word) is not None
    if names_tile and not (_is_title(position, word) and after and _is_port(after)):
        draft.kind = word
        return 0
    if _is_title(position, word):
        return _follower(draft, word, rest)
    if _PORT_WORD.fullmatch(word):
        draft.followers.append((None, "", word))
        return 0
    if word in _TURNS and draft.cell is not None and draft.rotation is None:
        draft.rotation = f"r{word}"
        return 0
    raise _meaningless(position, token.string, token)


def _follower(draft: _Draft, title: str, rest: list[re.Match[str]]) -> int:
    """Add a follower to a draft; return how many tokens his place takes."""
    place, used = "", 0
    # The first cell of a move is that of its tile: only a further one can be the follower's.
    if draft.cell is not None and rest and rest[0].lastgroup == "cell":
        cell = _tight(rest[0][0]).strip("()")
        place, used = "" if cell == draft.cell else f"@{cell}", 1
    port = rest[used] if len(rest) > used and _is_port(rest[used]) else None
    draft.followers.append((title, place, port[0] if port else None))
    return used + (port is not None)


def _is_port(token: re.Match[str]) -> bool:
    """Tell whether a token names a segment."""
    return token.lastgroup == "word" and _PORT_WORD.fullmatch(token[0]) is not None


def _titles(position: Position) -> list[str]:
    """Return the words for followers of a game."""
    roles = book_of(position.game).roles.values()
    return [*dict.fromkeys(map(str, roles)), *map(str, position.game.specials)]


def _is_title(position: Position, word: str) -> bool:
    """Tell whether a word names a follower, written out or by the first letter of a role."""
    roles = {role.value[0] for role in book_of(position.game).roles.values()}
    return word.lower() in {*_titles(position), *roles}


def _tight(word: str) -> str:
    """Return a word of a move without spaces in it."""
    return "".join(word.split())


def _joined(word: str) -> str:
    """Return a word that was written with spaces as notation spells it."""
    word = re.sub(r"[()]", "", word)
    word = re.sub(r"^(ransom)[:]*(?=[#\w])", r"\1:", word, flags=re.IGNORECASE)
    word = re.sub(r"(?<=\w)(?<!:)late$", ":late", word, flags=re.IGNORECASE)
    word = re.sub(r"^guard@?(?=-?\d)", "guard@", word, flags=re.IGNORECASE)
    return re.sub(r"^([=x]-?\d+,-?\d+)\.*(?=[a-z#])", r"\1.", word, flags=re.IGNORECASE)


def _meaningless(position: Position, text: str, token: re.Match[str]) -> NotationError:
    """Return the error about a word that is no part of a move."""
    word = token[0].strip()
    known = [*_titles(position), *(kind.id for kind in position.game.tile_set.kinds)]
    helps = f".{suggestion(word, known)}" if alike(word, known) else ""
    return NotationError(text, token.start(), f"'{word}' is no part of a move{helps}")


def _candidates(position: Position, draft: _Draft) -> Iterator[str]:
    """Yield in notation every move that a draft may mean."""
    for word, kind in _kinds(position, draft):
        # A quarter code shows the tile as it lies.
        turned = kind.rotations() if word.lower() == kind.id.lower() else (0,)
        turns = [draft.rotation] if draft.rotation else [f"r{turn}" for turn in turned]
        places = [_places(position, kind, *follower) for follower in draft.followers]
        for turn, *followers in product(turns, *places):
            yield " ".join([f"{word}@{draft.cell}{turn}", *followers, *draft.whole])


def _kinds(position: Position, draft: _Draft) -> list[tuple[str, TileKind]]:
    """Return the kinds of tiles that may be meant, by their names in notation.

    That is the one named, else what can come next.
    """
    if draft.kind is not None:
        kind = _tile(position, draft.kind)
        return [] if kind is None else [(draft.kind, kind)]
    drawn = [draw.tile for draw in draws(position) if draw.tile is not None]
    return [(tile, position.game.tile_set.kind(tile)) for tile in drawn]


def _tile(position: Position, word: str) -> TileKind | None:
    """Return the kind of tile that a word names, None if it names none."""
    try:
        found = named(position.game.tile_set, word)
    except ValueError:
        return None
    return None if found is None else found[0]


def _places(
    position: Position, kind: TileKind, title: str | None, place: str, port: str | None
) -> list[str]:
    """Return in notation the ways to place a follower of whom something may be left out."""
    roles = dict.fromkeys(book_of(position.game).roles.values())
    titles = [title] if title else [str(role) for role in roles]
    ports = [port] if port else [f"#{index}" for index in range(len(kind.segments))]
    return [f"{one}{place}.{where}" for one, where in product(titles, ports)]


def _fit(position: Position, text: str, candidates: list[str]) -> Move:
    """Return the one legal move among candidates, else the one with the fewest faults."""
    read: dict[str, Move] = {}
    faults: dict[str, int] = {}
    wrong: NotationError | None = None
    for candidate in candidates:
        try:
            move = read_move(position, candidate)
        except NotationError as error:
            wrong = wrong or error
            continue
        spelled = write_move(position, move)
        read[spelled] = move
        faults[spelled] = len(judge(position, move).violations)
    if not read:
        raise wrong or NotationError(text, 0, "no tile that comes next has a place")
    legal = [spelled for spelled, number in faults.items() if not number]
    if len(legal) > 1:
        more = f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
        raise NotationError(
            text,
            0,
            f"several legal moves fit: {', '.join(legal[:_SHOWN])}{more}; write one of them",
        )
    return read[min(faults, key=faults.__getitem__)]
