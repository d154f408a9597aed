"""Quarter codes: a tile of The Castle in one word, ``tthh-ew``.

The four letters are the quarters of the tile, clockwise from the north-west: ``h`` house, ``t``
tower, ``c`` court, ``k`` chapel (The Falcon). A hyphen and sides name the arms of paths, which run
from the middle of a side to the middle of the tile. Neighbouring quarters of one kind without an
arm between them are one segment. Last come signs: ``o`` the arms end in a square, ``x`` they are
two curves, N to W and E to S (``y``: N to E and S to W), ``m`` a market on the largest court,
``f`` a fountain on the path, ``a`` an aerie in the middle of the tile, which adjoins all its
segments (The Falcon).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from burgrave.model.games import Game
from burgrave.model.geometry import Side, middle
from burgrave.model.naming import suggestion
from burgrave.model.tiles import Kind, Mark, Segment, TileKind, TileSet

LETTERS = {"h": Kind.HOUSE, "t": Kind.TOWER, "c": Kind.COURT, "k": Kind.CHAPEL}
"""Kind of a quarter by its letter."""
ARMS = {"n": Side.N, "e": Side.E, "s": Side.S, "w": Side.W}
"""Side that an arm crosses, by its letter."""
SIGNS = "oxymfa"
"""The letters that may follow the arms, in their order."""
QUARTERS = ((11, 0), (2, 3), (5, 6), (8, 9))
"""The two ports of each quarter, clockwise from the north-west."""
CURVES = {
    "x": ((Side.N, Side.W), (Side.E, Side.S)),
    "y": ((Side.N, Side.E), (Side.S, Side.W)),
}
"""By sign the sides that each of two curves joins."""
_SHAPED = re.compile(r"[a-z]{4}[htck]?(-[a-z]*)?[oxymfa]*", re.IGNORECASE)
_ENOUGH = 3
"""Quarters that must be right for a word to be meant as a code."""
NEAR = 4
"""Codes that are named at most where none is right."""
_SIZES = ("", "quarter", "half", "three-quarter", "full")
_NUMBERS = ("", "a", "two", "three", "four")


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What a quarter code shows."""

    segments: tuple[Segment, ...]
    """The paths, then the quarters clockwise from the north-west."""
    squares: tuple[tuple[int, ...], ...] = ()
    """As in ``TileKind``."""
    aeries: tuple[tuple[int, ...], ...] = ()
    """As in ``TileKind``."""


def read_quarters(code: str) -> Picture:
    """Return what a quarter code shows.

    >>> [str(segment.kind) for segment in read_quarters("tthh-ew").segments]
    ['path', 'tower', 'house']

    Args:
        code: the code, in letters of either case.

    Raises:
        ValueError: it is no code; the message says what is wrong and where.

    """
    kinds, arms, signs = _parts(code)
    paths = _paths(code, arms, signs)
    groups = list(_groups(kinds, arms, signs))
    market = _market(code, [group for group in groups if kinds[group[0]] is Kind.COURT], signs)
    built = any(kind is not Kind.COURT for kind in kinds)
    if len(arms) == 1 and "o" not in signs and not built:
        raise ValueError(f"{code}: the path ends nowhere: add o for a square, or a building")
    fountain = (Mark.FOUNTAIN,) if "f" in signs else ()
    segments = [Segment(kind=Kind.PATH, ports=path, marks=fountain) for path in paths]
    segments += [
        Segment(
            kind=kinds[group[0]],
            ports=tuple(sorted(_ports(group, arms))),
            marks=(Mark.MARKET,) if group == market else (),
        )
        for group in groups
    ]
    return Picture(
        segments=tuple(segments),
        squares=(tuple(range(len(paths))),) if "o" in signs else (),
        aeries=(tuple(range(len(segments))),) if "a" in signs else (),
    )


def _parts(code: str) -> tuple[list[Kind], list[Side], str]:
    """Split a code into the kinds of its quarters, its arms and its signs.

    Raises:
        ValueError: a letter is wrong or stands in the wrong place.

    """
    word = code.lower()
    quarters, hyphen, rest = word[:4], word[4:5] == "-", word[4:].removeprefix("-")
    for letter in quarters:
        if letter not in LETTERS:
            raise ValueError(
                f"{code}: '{letter}' is no quarter; a quarter is h (house), t (tower), c (court)"
                " or k (chapel)"
            )
    if len(quarters) < len(QUARTERS) or rest[:1] in {*LETTERS}:
        number = len(word) - len(word.lstrip("".join(LETTERS)))
        raise ValueError(f"{code}: 4 quarters come first, here are {number}")
    letters = "".join(letter for letter in rest if letter in ARMS) if hyphen else ""
    signs = rest.removeprefix(letters)
    for sign in signs:
        if sign in ARMS:
            wrong = "arms stand together" if hyphen else "arms follow a hyphen, as in tthh-ew"
            raise ValueError(f"{code}: {wrong}")
        if sign not in SIGNS:
            raise ValueError(
                f"{code}: '{sign}' is no sign; o is a square, x or y two curves, m a market,"
                " f a fountain, a an aerie"
            )
    if hyphen and not letters:
        raise ValueError(f"{code}: arms follow the hyphen: n, e, s, w")
    if len(set(rest)) < len(rest):
        twice = next(letter for letter in rest if rest.count(letter) > 1)
        raise ValueError(f"{code}: '{twice}' stands twice")
    return [LETTERS[letter] for letter in quarters], sorted(ARMS[one] for one in letters), signs


def _paths(code: str, arms: Sequence[Side], signs: str) -> list[tuple[int, ...]]:
    """Return the ports of each path.

    Raises:
        ValueError: the signs do not fit the arms.

    """
    ports = [middle(arm) for arm in arms]
    shapes = [sign for sign in signs if sign in {"o", *CURVES}]
    if len(shapes) > 1:
        raise ValueError(f"{code}: {' and '.join(shapes)} exclude each other")
    if "f" in signs and (not arms or shapes):
        raise ValueError(f"{code}: f needs one path; write segments for a fountain on one of more")
    if "o" in signs:
        if not arms:
            raise ValueError(f"{code}: o needs arms that end in the square")
        return [(port,) for port in ports]
    if shapes:
        if len(arms) < len(Side):
            raise ValueError(f"{code}: {shapes[0]} needs four arms, -nesw{shapes[0]}")
        return [tuple(sorted(map(middle, curve))) for curve in CURVES[shapes[0]]]
    return [tuple(ports)] if arms else []


def _groups(kinds: Sequence[Kind], arms: Collection[Side], signs: str) -> Iterator[tuple[int, ...]]:
    """Yield the quarters of each segment, in the order of the first one.

    Args:
        kinds: the kind of each quarter.
        arms: the sides that paths cross.
        signs: between two curves the quarters that none of them encloses are joined.

    """
    joined = [
        {side, (side + 1) % 4}
        for side in Side
        if side not in arms and kinds[side] is kinds[(side + 1) % 4]
    ]
    # Quarter i lies left of side i, seen from the middle; quarter i + 1 lies right of it.
    for sign, between in (("x", (1, 3)), ("y", (0, 2))):
        if sign in signs and kinds[between[0]] is kinds[between[1]]:
            joined.append(set(between))
    left = list(range(len(kinds)))
    while left:
        group = {left[0]}
        while more := [pair for pair in joined if len(pair & group) == 1]:
            group.update(*more)
        yield tuple(sorted(group))
        left = [quarter for quarter in left if quarter not in group]


def _ports(group: Collection[int], arms: Collection[Side]) -> Iterator[int]:
    """Yield the ports of a segment: those of its quarters, and sides that are its own."""
    for quarter in group:
        yield from QUARTERS[quarter]
    for side in Side:
        if side not in arms and {side, (side + 1) % 4} <= set(group):
            yield middle(side)


def _market(code: str, courts: Sequence[tuple[int, ...]], signs: str) -> tuple[int, ...] | None:
    """Return the court with the market, None if there is no market.

    Raises:
        ValueError: there is no court, or no largest one.

    """
    if "m" not in signs:
        return None
    if not courts:
        raise ValueError(f"{code}: m is a market, which stands on a court; here is no court")
    size = max(map(len, courts))
    largest = [court for court in courts if len(court) == size]
    if len(largest) > 1:
        raise ValueError(
            f"{code}: m means the largest court, and {len(largest)} are equally large;"
            " write segments"
        )
    return largest[0]


def quarters_of(kind: TileKind, rotation: int = 0) -> str:
    """Return the quarter code of a kind of tile as it lies, empty if no code says what it shows.

    Args:
        kind: the kind.
        rotation: clockwise quarter turns.

    """
    letters = {shown: letter for letter, shown in LETTERS.items()}
    shown = [kind.at(ports[0], rotation) for ports in QUARTERS]
    if any(index < 0 or kind.segments[index].kind not in letters for index in shown):
        return ""
    quarters = "".join(letters[kind.segments[index].kind] for index in shown)
    arms = "".join(name for name, side in ARMS.items() if kind.has_path(side, rotation))
    marks = {mark for one in kind.segments for mark in one.marks}
    signs = (
        ("o", bool(kind.squares)),
        *((sign, _curved(kind, rotation) == set(curves)) for sign, curves in CURVES.items()),
        ("m", Mark.MARKET in marks),
        ("f", Mark.FOUNTAIN in marks),
        ("a", bool(kind.aeries)),
    )
    code = quarters + ("-" if arms else "") + arms + "".join(sign for sign, there in signs if there)
    try:
        shape = shown_by(code).shape(0)
    except ValueError:
        return ""
    return code if shape == kind.shape(rotation) else ""


def _curved(kind: TileKind, rotation: int) -> set[tuple[Side, ...]]:
    """Return the sides that each path of a tile crosses as it lies, in the order of ``CURVES``."""
    return {
        tuple(Side(port // 3) for port in kind.turned(index, rotation))
        for index, segment in enumerate(kind.segments)
        if segment.kind is Kind.PATH
    }


def named(tiles: TileSet, word: str) -> tuple[TileKind, int] | None:
    """Return the kind of tile that a word names, with a rotation.

    An id names a kind as it is printed. A quarter code names the kind that shows it, at the
    rotation at which it shows it.

    Args:
        tiles: the set.
        word: an id in any case, or a quarter code.

    Returns:
        The kind and its clockwise quarter turns; None if no kind of the set is meant.

    Raises:
        ValueError: the word looks like a quarter code and is none.

    """
    for kind in tiles.kinds:
        if kind.id.lower() == word.lower():
            return kind, 0
    if not is_meant(word) or not any(map(quarters_of, tiles.kinds)):
        return None
    try:
        shape = shown_by(word).shape(0)
    except ValueError as error:
        near = _near(tiles, word)
        raise ValueError(f"{error}. {near}" if near else str(error)) from None
    for kind in tiles.kinds:
        for rotation in range(4):
            if kind.shape(rotation) == shape:
                return kind, rotation
    return None


def like(tiles: TileSet, code: str) -> Iterator[str]:
    """Yield the quarter codes of the tiles of a set that have the quarters of a code.

    Args:
        tiles: the set.
        code: a word of at least four letters.

    """
    for kind in tiles.kinds:
        turned = (quarters_of(kind, rotation) for rotation in range(4))
        yield from [found for found in turned if found[:4] == code[:4].lower()][:1]


def _near(tiles: TileSet, code: str) -> str:
    """Return a sentence with the tiles that may be meant by a code, empty if there are none.

    Quarters go clockwise. Who reads them row by row swaps the last two.
    """
    rows = code[:2] + code[3:4] + code[2:3] + code[4:]
    if rows.lower() in map(str.lower, like(tiles, rows)):
        return f"Quarters go clockwise: did you mean {rows}?"
    signs = {*code[4:].lower()}

    def far(other: str) -> tuple[int, int]:
        return len(signs - {*other[4:]}), len(signs ^ {*other[4:]})

    near = ", ".join(sorted(like(tiles, code), key=far)[:NEAR])
    return f"With these quarters there are {near}." if near else ""


def no_tile(game: Game, name: str) -> str:
    """Return the message about a name that no tile of a game has."""
    told = f"the set {game.tile_set.id} has no tile {name}"
    if is_meant(name):
        other = "None has these quarters; a tile of your own stands under kinds."
        return f"{told}. {_near(game.tile_set, name) or other}"
    return told + (game.foreign(name) or f".{suggestion(name, sorted(game.tile_set.ids()))}")


def titled(kind: TileKind) -> str:
    """Return the id of a kind of tile, with its quarter code if there is one.

    >>> titled(shown_by("tthh"))
    'tthh'
    """
    code = quarters_of(kind)
    return f"{kind.id} ({code})" if code not in {"", kind.id} else kind.id


def is_meant(word: str) -> bool:
    """Tell whether a word is meant as a quarter code, also as one with a mistake.

    >>> is_meant("tthx-ew"), is_meant("K01")
    (True, False)
    """
    right = sum(letter in LETTERS for letter in word.lower()[: len(QUARTERS)])
    return right >= _ENOUGH and _SHAPED.fullmatch(word) is not None


def shown_by(code: str) -> TileKind:
    """Return the kind of tile that a quarter code shows; the code is its id.

    Raises:
        ValueError: it is no code.

    """
    picture = read_quarters(code)
    return TileKind(
        id=code,
        title=described(picture),
        segments=picture.segments,
        squares=picture.squares,
        aeries=picture.aeries,
    )


def described(picture: Picture) -> str:
    """Return what a quarter code shows in words.

    >>> described(read_quarters("hhct-eswo"))
    'half house, quarter court, quarter tower; three paths to a square'
    """
    areas = Counter(
        (_SIZES[sum(port % 3 == 0 for port in one.ports)], f"{one.kind}", bool(one.marks))
        for one in picture.segments
        if one.kind is not Kind.PATH
    )
    words = [
        f"{_NUMBERS[count]} {size} {kind}s"
        if count > 1
        else f"{size} {kind}{' with a market' if market else ''}"
        for (size, kind, market), count in areas.items()
    ]
    paths = [one for one in picture.segments if one.kind is Kind.PATH]
    told = _path_words(paths, square=bool(picture.squares))
    aerie = ["an aerie"] if picture.aeries else []
    return "; ".join([", ".join(words), *told, *aerie])


def _path_words(paths: Sequence[Segment], *, square: bool) -> list[str]:
    """Return the paths of a tile in words, none if there is no path."""
    if not paths:
        return []
    if square:
        return [f"{_NUMBERS[len(paths)]} {'paths' if len(paths) > 1 else 'path'} to a square"]
    if len(paths) > 1:
        return ["two curves"]
    path = paths[0]
    straight = len(path.ports) == 2 and path.ports[1] - path.ports[0] == 6  # noqa: PLR2004
    shapes = ("", "a path to a building", "a curve", "a fork", "a crossing")
    shape = "a straight path" if straight else shapes[len(path.ports)]
    return [f"{shape}{' with a fountain' if path.marks else ''}"]
