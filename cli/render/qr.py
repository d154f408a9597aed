"""A text as a QR code for a terminal, two rows of modules to a line of half blocks."""

from __future__ import annotations

import segno

_QUIET = 4
"""Modules of the light margin that the standard asks for (ISO/IEC 18004)."""
_BLOCKS = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
"""Light modules are drawn: most terminals are dark."""
_COLOURS = "\x1b[38;5;231;48;5;16m"
"""White on black, whatever the colours of the terminal."""


def qr_lines(text: str, *, colour: bool) -> list[str]:
    """Return the lines of a QR code, as wide as each other.

    Args:
        text: what a camera reads.
        colour: whether to set both colours; else light modules have the colour of the writing.

    """
    code = segno.make_qr(text, error="l", boost_error=False)
    rows = [[int(module) for module in row] for row in code.matrix_iter(border=_QUIET)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    pairs = zip(rows[::2], rows[1::2], strict=True)
    lines = ["".join(_BLOCKS[pair] for pair in zip(*two, strict=True)) for two in pairs]
    return [f"{_COLOURS}{line}\x1b[0m" for line in lines] if colour else lines
