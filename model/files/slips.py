"""Common slips of people who write TOML by hand, and how each is mended."""

from __future__ import annotations

import re

_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_WORD = re.compile(r"[A-Za-z](?:[\w-]|,(?=-?\d)|[@.])*")
"""A word that stands without quotes where a value is expected, such as ``tthh-ew@2,1``."""
_CURLY = re.compile("[\u2018-\u201f\u00ab\u00bb]")
_TEXT = re.compile(r"""("[^"]*"?|'[^']*'?)""")
_KEY = re.compile(r"(?:^|[{,])\s*(\d+/\d+)\s*[=:]")
"""A corner tower or a start space as a key without quotes."""


def mended(text: str, message: str) -> str:
    """Return how the fault that tomllib found is mended, empty if no common slip is behind it.

    Args:
        text: the file.
        message: what tomllib says, with line and column.

    """
    found = _PLACE.search(message)
    if found is None:
        return ""
    line = text.split("\n")[int(found[1]) - 1]
    rest = line[int(found[2]) - 1 :]
    if _CURLY.search(line):
        return 'Quotes are straight: "tthh".'
    if message.startswith("Unclosed array") and rest.startswith(('"', "'")):
        return f"A comma is missing before {_TEXT.findall(rest)[0]}."
    if message.startswith("Illegal character '\\n'"):
        return "The closing quote is missing."
    if message.startswith("Expected '='"):
        if key := _KEY.search(line):
            return f'Write "{key[1]}" in quotes.'
        return "A key is followed by = and its value." if rest.lstrip().startswith(":") else ""
    if message.startswith("Invalid initial character for a key part") and "{" in line:
        last = rest.startswith("}")
        return "No comma stands before }." if last else "A table in braces stands on one line."
    return _bare(rest) if message.startswith("Invalid value") else ""


def _bare(rest: str) -> str:
    """Return what is wrong where a value is expected and a word without quotes stands."""
    word = _WORD.match(rest)
    if word is None:
        return ""
    if re.match(r"\s*=", rest[word.end() :]):
        return f"The list before {word[0]} lacks its closing ]."
    return f'Write "{word[0]}" in quotes.'
