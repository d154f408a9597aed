"""Rules, switches, findings and events."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from burgrave.model.components import Node
    from burgrave.model.geometry import Cell

P = ParamSpec("P")
R = TypeVar("R", covariant=True)  # noqa: PLC0105 -- named as in ParamSpec examples


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A point on which the sources are silent or can be read in two ways."""

    name: str
    question: str
    """The point that it settles, for people who have never seen its name."""
    readings: Mapping[str, str] = field(hash=False)
    """What each allowed value says, as a clause that answers the question; the default first."""
    why: str
    """The reason for the switch."""

    @property
    def values(self) -> tuple[str, ...]:
        """Allowed values, the default first."""
        return tuple(self.readings)

    @property
    def default(self) -> str:
        """The value that holds unless a position says otherwise."""
        return self.values[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A rule's statement on a move or a position: a violation, or the reason why it is allowed."""

    rule: str
    """Id of the rule."""
    message: str
    """One plain sentence that names cells, sides and pieces."""
    source: str
    """The source of the rule."""
    cells: tuple[Cell, ...] = ()
    """The cells of the finding."""
    at: str = ""
    """For a position: the place in the file, ``board[3]``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a turn or in final scoring."""

    rules: tuple[str, ...]
    """Ids of the rules that made it happen."""
    text: str
    """One plain sentence."""
    player: int | None = None
    """Index of the player it concerns."""
    points: int = 0
    """Points the player wins by it."""
    tokens: int = 0
    """Aerie tokens the player takes by it."""
    cells: tuple[Cell, ...] = ()
    anchor: Node | None = None
    """The first segment of the finding's feature; None without a feature."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Generic[P, R]):
    """A rule with its id, its source and the function that enforces it.

    Calling the rule calls the function. The function's docstring is the rule's text.
    """

    id: str
    source: str
    switches: tuple[Switch, ...]
    enforce: Callable[P, R]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Apply the rule, or its replacement."""
        others = _INSTEAD.get()
        enforce: Callable[P, R] = others.get(self.id, self.enforce) if others else self.enforce
        return enforce(*args, **kwargs)

    @property
    def text(self) -> str:
        """The rule in words: the docstring of its function."""
        return inspect.cleandoc(self.enforce.__doc__ or "")

    @property
    def sentence(self) -> str:
        """The rule in one sentence."""
        return self.text.split("\n\n", maxsplit=1)[0].replace("\n", " ")

    def place(self) -> tuple[str, int]:
        """Return the file that enforces the rule and the line in it."""
        path = inspect.getsourcefile(self.enforce) or ""
        return path, inspect.getsourcelines(self.enforce)[1]

    def __reduce__(self) -> tuple[Callable[[str, str], object], tuple[str, str]]:
        """Go to another process as the name under which its module keeps it."""
        return _named, (self.enforce.__module__, self.enforce.__qualname__)

    def finding(self, message: str, cells: tuple[Cell, ...] = (), at: str = "") -> Finding:
        """Return a finding of this rule."""
        return Finding(rule=self.id, message=message, source=self.source, cells=cells, at=at)


def _named(module: str, name: str) -> object:
    """Return the value of a name in a module."""
    return getattr(import_module(module), name)


def rule(rule_id: str, source: str, *switches: Switch) -> Callable[[Callable[P, R]], Rule[P, R]]:
    """Make the decorated function a rule.

    Args:
        rule_id: its id, ``castle.place.path``.
        source: its source.
        switches: the switches on which it depends.

    """

    def make(enforce: Callable[P, R]) -> Rule[P, R]:
        return Rule(id=rule_id, source=source, switches=switches, enforce=enforce)

    return make


_INSTEAD: ContextVar[Mapping[str, Callable[..., Any]]] = ContextVar(
    "instead", default=MappingProxyType({})
)
"""The functions that replace rules, by id."""


def replaced() -> bool:
    """Tell whether other functions stand in the place of rules here."""
    return bool(_INSTEAD.get())


@contextmanager
def instead(others: Mapping[str, Callable[..., Any]]) -> Iterator[None]:
    """Let other functions stand in the place of rules, in this thread and within a block.

    The reference engine then says what would be by other rules. Other engines have their own
    knowledge of the rules.

    Args:
        others: by id of a rule a function of its arguments.

    """
    token = _INSTEAD.set(others)
    try:
        yield
    finally:
        _INSTEAD.reset(token)
