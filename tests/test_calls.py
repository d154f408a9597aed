"""Wrong calls of every public function: each ends with a ``BurgraveError``, none with an answer.

The calls are made from the signatures, so a new function joins by itself.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import StrEnum
from inspect import signature
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest

import burgrave
from burgrave import BurgraveError
from burgrave.calls import Calls
from burgrave.model.errors import FileError, IllegalMoveError, NotationError
from burgrave.model.rule import Finding

FUNCTIONS = sorted(
    name
    for name in burgrave.__all__
    if callable(getattr(burgrave, name)) and not isinstance(getattr(burgrave, name), type)
)
CASTLE, PLANE = "eight-points-or-six", "the-city-that-lacks-one-tile"
HELD = {burgrave.Position, burgrave.Move, burgrave.Wish, burgrave.View}
"""Values with fields that functions take."""
WRONG: tuple[Any, ...] = (None, "leed", "", 3, -1, 7, 2.5, math.nan, True, b"x", object(), [], {})
"""Values of all sorts; of most annotations most of them are wrong."""
checks = Calls(burgrave._Names())


def position() -> burgrave.Position:
    """Return a position before its last tile."""
    return burgrave.load(CASTLE)


def hints(name: str) -> dict[str, Any]:
    """Return the annotations of a public function by parameter."""
    return checks.hints(getattr(burgrave, name).__wrapped__)


def fits(value: Any, hint: Any) -> bool:
    """Tell whether a value is of the type of an annotation; written apart from the program."""
    kind = get_origin(hint) or hint
    if kind in {Union, UnionType}:
        return any(fits(value, one) for one in get_args(hint))
    if kind in {Any, object}:
        return True
    if kind is float:
        return type(value) is int or (type(value) is float and math.isfinite(value))
    if kind is int:
        return type(value) is int
    if issubclass(kind, StrEnum):
        return value in [*kind]
    if kind is Path:
        return isinstance(value, str | Path)
    if kind in {tuple, Sequence, Iterable, list}:
        return (
            isinstance(value, Iterable)
            and not isinstance(value, str | bytes | dict)
            and not [*value]
        )
    return isinstance(value, kind)


def right(hint: Any, at: burgrave.Position) -> Any:
    """Return a value of the type of an annotation."""
    kind = get_origin(hint) or hint
    made = {
        burgrave.Position: at,
        burgrave.Move: burgrave.moves(at)[0],
        str: "K04@1,0r0",
        int: 1,
        burgrave.Wish: burgrave.Wish(),
        burgrave.View: burgrave.View(),
        object: burgrave.Wish(),
        burgrave.Node: burgrave.Node(at.tiles[0].cell, 0),
    }
    if kind in {Union, UnionType}:
        return right(get_args(hint)[0], at)
    if kind in {Iterable, Sequence, tuple, list}:
        return ((at, made[burgrave.Move]),)
    return made[kind]


def required(name: str, at: burgrave.Position) -> dict[str, Any]:
    """Return the arguments that a function must have."""
    known = hints(name)
    given = {
        one.name: right(known[one.name], at)
        for one in signature(getattr(burgrave, name)).parameters.values()
        if one.default is one.empty and one.name in known
    }
    quick = {"source": CASTLE, "playouts": 20, "told": 1, "cards": ("CA-36",), "game": "castle"}
    quick = quick if known.get("game") is str else {**quick, "game": given.get("game")}
    return given | {key: quick[key] for key in quick.keys() & known.keys()}


def called(name: str, given: dict[str, Any]) -> Any:
    """Call a function; a generator is run to its end."""
    found = getattr(burgrave, name)(**given)
    return [*found] if isinstance(found, Iterator) else found


def refused(name: str, given: dict[str, Any]) -> str:
    """Return the message that refuses a call; empty if it is answered."""
    try:
        called(name, given)
    except BurgraveError as error:
        return str(error) or "without a word"
    return ""


def broken(value: Any, depth: int = 2) -> Iterator[Any]:
    """Yield a value with each field wrong in turn, and those of its first parts."""
    named = isinstance(value, tuple) and hasattr(value, "_fields")
    if is_dataclass(value) and not isinstance(value, burgrave.Game | burgrave.TileKind):
        names = [one.name for one in fields(value) if one.init]
    elif named:
        names = [*value._fields]  # type: ignore[attr-defined] # a named tuple
    else:
        return
    known = checks.hints(type(value))
    for name in names:
        old = getattr(value, name)
        worse: list[Any] = [one for one in WRONG if not fits(one, known[name])]
        if type(old) is int:
            worse += [-1, 99]
        if depth and isinstance(old, tuple) and old:
            first = [*broken(old[0], depth - 1)] or [object(), "nonsense", -7]
            worse += [(one, *old[1:]) for one in first]
        elif depth:
            worse += broken(old, depth - 1)
        for one in worse:
            try:
                yield value._replace(**{name: one}) if named else replace(value, **{name: one})
            except (TypeError, AttributeError, BurgraveError):
                continue  # the constructor refuses it


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_argument_is_refused(name: str) -> None:
    """Whatever is given: the answer of a right value, or an error for users."""
    given = required(name, position())
    for parameter, hint in hints(name).items():
        for wrong in WRONG:
            if wrong == [] and parameter == "cards":
                continue  # no card is every card: that takes a minute
            error = refused(name, {**given, parameter: wrong})
            assert error or fits(wrong, hint), f"{name}({parameter}={wrong!r}) is answered"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_missing_or_surplus_argument_is_refused(name: str) -> None:
    """Python's own error would name functions inside the program."""
    given = required(name, position())
    public = getattr(burgrave, name)
    with pytest.raises(BurgraveError, match=rf"{name}: no argument 'nonsense'\."):
        public(**given, nonsense=1)
    with pytest.raises(BurgraveError, match=r"too many|multiple values"):
        public(*[None] * 30)
    means = signature(public).parameters.values()
    if any(one.default is one.empty and one.kind is not one.VAR_KEYWORD for one in means):
        with pytest.raises(BurgraveError, match=f"{name}: missing a required argument"):
            public()


@pytest.mark.parametrize("source", [CASTLE, PLANE])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_broken_value_is_refused(name: str, source: str) -> None:
    """A position, move or wish with one wrong field brings no error from within."""
    at = burgrave.load(source)
    given = required(name, at)
    for parameter, hint in hints(name).items():
        for value in [right(one, at) for one in (hint, *get_args(hint)) if one in HELD]:
            for wrong in broken(value):
                refused(name, {**given, parameter: wrong})


@pytest.mark.parametrize("source", [CASTLE, PLANE])
def test_a_review_refuses_broken_turns(source: str) -> None:
    """The values stand in pairs there."""
    at = burgrave.load(source)
    move = burgrave.moves(at)[0]
    games = [((wrong, move),) for wrong in broken(at, 0)]
    for game in [*games, *(((at, wrong),) for wrong in broken(move))]:
        refused("review", {"game": game, "playouts": 20})
    assert refused("review", {"game": ((at, replace(move, extra_turns=3)),)})


def test_text_stands_for_a_member_of_an_enumeration() -> None:
    """The value by a text is that by the member, for every engine."""
    at = position()
    for engine in ("cpsat", "state", "reference"):
        for goal in (burgrave.Goal.POINTS, burgrave.Goal.LEAD):
            by_text = burgrave.best(at, goal=str(goal), engine=engine)  # type: ignore[arg-type]
            assert by_text.value == burgrave.best(at, goal=goal, engine=engine).value
    assert burgrave.best(at, goal="points").value == 8  # type: ignore[arg-type]
    assert burgrave.best(at, goal="LEAD").goal is burgrave.Goal.LEAD  # type: ignore[arg-type]
    with pytest.raises(burgrave.CallError, match=r"no 'leed'\. Did you mean lead\?"):
        burgrave.best(at, goal="leed")  # type: ignore[arg-type]


def test_text_within_a_value_becomes_a_member_too() -> None:
    """``"knight" == Role.KNIGHT``, but the rules look at identity."""
    at = burgrave.load("path-house-and-tower")
    move = burgrave.read_move(at, "K04@1,0r0 knight.N")
    one = move.followers[0]._replace(role="knight", rank="follower")  # type: ignore[arg-type]
    assert burgrave.play(at, replace(move, followers=(one,))) == burgrave.play(at, move)


@pytest.mark.parametrize(
    "limits",
    [
        {"seconds": -1},
        {"seconds": math.nan},
        {"seconds": math.inf},
        {"seconds": "3"},
        {"jobs": -2},
        {"jobs": 0},
        {"jobs": True},
        {"nodes": -1},
        {"nodes": 2.5},
    ],
)
def test_limits_that_mean_nothing_are_refused(limits: dict[str, Any]) -> None:
    """They would be kept in silence."""
    with pytest.raises(burgrave.CallError, match=f"{next(iter(limits))} = "):
        burgrave.Limits(**limits)


def test_an_impossible_position_is_refused_and_can_still_be_drawn() -> None:
    """Forty tiles of a kind are no position; a picture or a list of its faults is wanted."""
    at = replace(position(), bag=("K01",) * 40)
    for name in set(FUNCTIONS) - burgrave._OF_DRAFTS:
        if "position" in hints(name):
            with pytest.raises(burgrave.IllegalPositionError, match=r"K01 .*is there 40 times"):
                called(name, {**required(name, position()), "position": at})
    assert burgrave.problems(at)[0].rule == "castle.setup.tiles"
    assert "K02" in burgrave.board_svg(at)


def test_a_number_of_another_library_is_a_number() -> None:
    """numpy's whole numbers are taken for Python's."""
    import numpy as np

    assert burgrave.best(position(), top=np.int64(1)).value == 8  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "error",
    [
        FileError("a.toml", ["line 1: no", "line 2: neither"]),
        NotationError("K99@1,1", 2, "no such tile"),
        IllegalMoveError([Finding(rule="castle.place.path", message="no", source="book")]),
        burgrave.QuestionError("no"),
        burgrave.CallError("no"),
    ],
)
def test_an_error_can_be_pickled(error: BurgraveError) -> None:
    """A process of a pool hands it back."""
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))


def test_a_public_function_can_be_pickled() -> None:
    """A pool of processes gets it by its public name."""
    for name in FUNCTIONS:
        public = getattr(burgrave, name)
        assert pickle.loads(pickle.dumps(public)) is public
