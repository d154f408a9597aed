"""Words of messages: similar names for an unknown name, numbers with their nouns."""

from __future__ import annotations

from collections.abc import Iterable
from re import sub

_SUGGESTED = 3
"""Names that are suggested at most."""
_LISTED = 12
"""Most names in a full list, if no name resembles the typed one."""
_LONGEST = 60
"""Characters that are shown of a name."""
_ALIKE = 0.6
"""The required likeness of names, from 0 to 1 (``difflib``)."""
_BEHIND = 0.1
"""The largest distance of a suggestion from the likeliest."""


def times(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> times(1, "rule"), times(2, "rule")
    ('1 rule', '2 rules')
    """
    return f"{number} {noun if number == 1 else plural(noun)}"


def a_noun(noun: str) -> str:
    """Return a noun with its indefinite article.

    >>> a_noun("inn"), a_noun("cathedral")
    ('an inn', 'a cathedral')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def plural(noun: str) -> str:
    """Return the plural of a noun.

    >>> plural("city"), plural("way"), plural("tower place")
    ('cities', 'ways', 'tower places')
    """
    changes = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return f"{noun[:-1]}ies" if changes else f"{noun}s"


def alike(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that a mistyped name may stand for, the likeliest first.

    Names that differ in case and leading zeros alone stand for nothing else. Names of which a part
    begins with what was given come before names spelled much like it.

    >>> alike("k5", ["K05", "K50"])
    ['K05']
    >>> alike("keeps", ["keep", "court", "tiles"])
    ['keep']
    >>> alike("CASTLE-4", ["castle-04", "castle-05", "falcon-04"])
    ['castle-04']
    >>> alike("strikes", ["the-tower-strikes", "one-for-one"])
    ['the-tower-strikes']
    """
    from difflib import SequenceMatcher  # noqa: PLC0415 -- few commands meet an unknown name

    spelled = {each.lower(): each for each in known}
    given = name.lower()[:_LONGEST]
    if same := [spelled[each] for each in spelled if _numbered(each) == _numbered(given)]:
        return same[:_SUGGESTED]
    ratios = {each: SequenceMatcher(a=each, b=given).ratio() for each in spelled}
    least = max(_ALIKE, max(ratios.values(), default=0.0) - _BEHIND)
    close = sorted((each for each in spelled if ratios[each] >= least), key=lambda e: -ratios[e])
    begun = sorted(
        (each for each in spelled if len(given) > 1 and _begins(each, given)),
        key=lambda each: (not each.startswith(given), each),
    )
    return [spelled[each] for each in dict.fromkeys([*begun, *close])][:_SUGGESTED]


def _numbered(name: str) -> str:
    """Return a name without the leading zeros of its numbers."""
    return sub(r"(?<!\d)0+(?=\d)", "", name)


def _begins(name: str, given: str) -> bool:
    """Tell whether a name, or a part of it behind a hyphen or a full stop, begins so."""
    parts = [name, *(name[at + 1 :] for at, sign in enumerate(name) if sign in "-._")]
    return any(part.startswith(given) for part in parts)


def suggestion(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return a hint for an unknown name, to follow a sentence.

    Args:
        name: what was given.
        known: all names of that sort.
        otherwise: a sentence on where to find them, for when no name is alike and they are many.

    >>> suggestion("markt", ["market", "keep"])
    ' Did you mean market?'
    >>> suggestion("tower", ["market", "keep"])
    ' There are market, keep.'
    """
    names = list(known)
    found = alike(name, names)
    if found:
        *most, last = found
        return f" Did you mean {', '.join(most)}{' or ' * bool(most)}{last}?"
    if len(names) <= _LISTED:
        return f" There are {', '.join(names)}."
    return f" {otherwise}" if otherwise else ""


def quoted(name: str) -> str:
    """Return a name in quotes, cut off if it is long."""
    return f"'{name if len(name) <= _LONGEST else name[:_LONGEST] + '…'}'"
