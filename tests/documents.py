"""The documents as the tests read them: pages, and the examples on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
"""Every page whose examples must run."""
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_VARYING = (
    (re.compile(r"\d+(\.\d\d)? s$"), "T s"),
    (re.compile(r"[\d,]+ nodes"), "N nodes"),
    (re.compile(r'"(nodes|seconds)": [\d.]+'), r'"\1": N'),
)
_PROGRESS = re.compile(r"^(so far|compiling)\b")


@dataclass(frozen=True, slots=True)
class Example:
    """A command of a page and the output shown below it."""

    command: str
    output: str
    """The lines shown; empty if the page shows none."""


def name(page: Path) -> str:
    """Return the path of a page from the project's folder, with forward slashes."""
    return page.relative_to(ROOT).as_posix()


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a text in one language."""
    return [body for found, body in _BLOCK.findall(text) if found == language]


def examples(text: str) -> list[Example]:
    """Return the commands in the ``console`` blocks of a text, in order."""
    found = []
    for block in blocks(text, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append(Example(command, output.rstrip("\n")))
    return found


def lines(text: str) -> list[str]:
    """Return the lines of an output without progress, and without times and nodes."""
    kept = [line.rstrip() for line in text.rstrip().splitlines() if not _PROGRESS.match(line)]
    for pattern, word in _VARYING:
        kept = [pattern.sub(word, line) for line in kept]
    return kept


def agrees(shown: str, printed: str) -> bool:
    """Tell whether a page shows what was printed; ``...`` and a last line ``…`` stand for more."""
    wanted, got = lines(shown), lines(printed)
    if wanted[-1:] == ["…"]:
        wanted.pop()
        got = got[: len(wanted)]
    return len(wanted) == len(got) and all(
        real.startswith(line.removesuffix("...")) and (line.endswith("...") or line == real)
        for line, real in zip(wanted, got, strict=True)
    )
