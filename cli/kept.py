"""Answers kept in a file of lines, so that an interrupted command goes on from them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Generic, TypeVar

from burgrave.cli.output import writable
from burgrave.model.errors import FileError, NotationError
from burgrave.model.files.paths import PathKind, path_kind, reason
from burgrave.puzzles.cards.verdict import Verdict
from burgrave.solver.pool import Pool
from burgrave.solver.workers.cluster import versions
from burgrave.solver.workers.tasks import Done, ordered

Item = TypeVar("Item")
Result = TypeVar("Result")


class Kept(Generic[Item, Result]):
    """The results of a command, each kept in a file when it is known.

    The first line of the file tells the command with its options and the sources of the program.
    """

    def __init__(
        self,
        file: Path | None,
        about: Mapping[str, object],
        *,
        key: Callable[[Item], str],
        told: Callable[[Result], object],
        read: Callable[[Any], Result],
    ) -> None:
        """Read what an earlier run kept.

        Args:
            file: the file; None to keep nothing.
            about: ``answers``: the name of the command; the options that change a result.
            key: returns a text that tells items apart.
            told: returns a result as values for JSON.
            read: returns the result of such values; a ``ValueError``, ``LookupError``,
                ``TypeError`` or ``NotationError`` says that they are none.

        Raises:
            FileError: it keeps something else, or cannot be read.
            QuestionError: no file can be written there.

        """
        self.file, self._key, self._told = file, key, told
        self._known: dict[str, Result] = {}
        self._head: tuple[Mapping[str, object], ...] = ()
        if file is None:
            return
        writable(file, force=True)  # results are added to a file that is there
        head = {**about, "sources": versions()["its sources"]}
        command = str(about["answers"])
        lines = [] if path_kind(file) is PathKind.NOTHING else finished(file, command)
        if not lines:
            self._head = (head,)  # written with the first result
        elif lines[0] != head:
            other = "line 1: keeps answers of another command, release or other options"
            raise FileError(str(file), [f"{other}; name another file"])
        for number, line in enumerate(lines[1:], start=2):
            try:
                self._known[line["item"]] = read(line["result"])
            except (ValueError, LookupError, TypeError, NotationError):
                raise FileError(str(file), [_none(number, command)]) from None

    def __len__(self) -> int:
        """Return the number of results that are known."""
        return len(self._known)

    def get(self, item: Item) -> Result | None:
        """Return the result of an item; None if it is not known."""
        return self._known.get(self._digest(item)) if self._known else None

    def of(
        self, answer: Callable[[Item], Result], items: Sequence[Item], pool: Pool | None
    ) -> Generator[Done[Item, Result], None, None]:
        """Yield the results of items in their order: those that are kept, and new ones.

        Args:
            answer: returns the result of an item.
            items: the items.
            pool: the workers; None for this process.

        Raises:
            WorkersError: the workers are gone.

        """
        known = [self.get(item) for item in items]
        new = [item for item, kept in zip(items, known, strict=True) if kept is None]
        with closing(ordered(answer, new, pool)) as results:
            for item, kept in zip(items, known, strict=True):
                yield next(results) if kept is None else Done(item=item, value=kept)

    def add(self, item: Item, result: Result) -> None:
        """Keep the result of an item, if it is not known yet.

        Raises:
            FileError: it cannot be written.

        """
        if (digest := self._digest(item)) in self._known:
            return
        self._known[digest] = result
        if self.file is not None:
            self._write(*self._head, {"item": digest, "result": self._told(result)})
            self._head = ()

    def _digest(self, item: Item) -> str:
        """Return a digest of what tells items apart."""
        return hashlib.sha256(self._key(item).encode()).hexdigest()[:16]

    def _write(self, *lines: Mapping[str, object]) -> None:
        """Add lines; what a full disk leaves of one is taken away the next time.

        Raises:
            FileError: it cannot be written.

        """
        assert self.file is not None
        try:
            with self.file.open("a", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{json.dumps(line)}\n" for line in lines)
        except OSError as error:
            raise FileError(str(self.file), [f"cannot be written: {reason(error)}"]) from error


def kept_verdicts(
    file: Path | None, about: Mapping[str, object], key: Callable[[Item], str]
) -> Kept[Item, list[Verdict]]:
    """Return the verdicts on puzzles or cards; arguments and errors are those of ``Kept``."""
    return Kept(file, about, key=key, told=_verdicts_told, read=_verdicts)


def _verdicts_told(verdicts: Sequence[Verdict]) -> list[dict[str, object]]:
    """Return verdicts as values for JSON."""
    names = Verdict.__dataclass_fields__
    return [{name: getattr(one, name) for name in names} for one in verdicts]


def _verdicts(data: Sequence[Mapping[str, Any]]) -> list[Verdict]:
    """Return verdicts that were kept."""
    return [Verdict(**{**one, "rules": tuple(one["rules"])}) for one in data]


def _none(number: int, command: str) -> str:
    """Return what is said of a line that a command has not written."""
    return f"line {number} is no answer of burgrave {command}"


def lines_of(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, however large.

    Raises:
        FileError: it cannot be read.

    """
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise FileError(str(path), [f"cannot be read: {reason(error)}"]) from error


def finished(path: Path, command: str) -> list[dict[str, Any]]:
    """Return the lines that a command wrote; a last one that was cut off is taken away.

    Raises:
        FileError: it holds something else.

    """
    whole, found = 0, []
    for number, line in enumerate(lines_of(path), start=1):
        if not line.endswith(b"\n"):
            _cut(path, whole)
            break
        whole += len(line)
        try:
            found.append(dict(json.loads(line)))
        except (ValueError, TypeError):
            raise FileError(str(path), [_none(number, command)]) from None
    return found


def _cut(path: Path, size: int) -> None:
    """Take away what a file holds after its first bytes.

    Raises:
        FileError: it cannot be written.

    """
    try:
        os.truncate(path, size)
    except OSError as error:
        raise FileError(str(path), [f"cannot be written: {reason(error)}"]) from error
