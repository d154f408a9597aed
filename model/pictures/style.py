"""The looks of pictures: colours by theme, and the rules that use them."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from burgrave.model.tiles import Kind

PLAYER_COLOURS = ("white", "black", "red", "blue", "green", "yellow", "grey")
"""The colours that players are called by."""

LIGHT = {
    "sheet": "#ffffff",
    "cell": "#f1eadb",
    "grid": "#ddd2bc",
    "text": "#2e2a24",
    "faint": "#746a58",
    "card": "#fffdf8",
    "card-edge": "#ddd2bc",
    "ink": "#2f2a22",
    "tile-edge": "#2f2a22",
    "tower": "#7f90ab",
    "tower-edge": "#333f52",
    "house": "#de9a70",
    "house-edge": "#77391b",
    "court": "#d6e2ae",
    "court-edge": "#6f8446",
    "chapel": "#b193c9",
    "chapel-edge": "#4b3266",
    "path": "#fbf4e0",
    "path-edge": "#85724c",
    "field": "#bfd998",
    "field-edge": "#55803a",
    "city": "#d3a066",
    "city-edge": "#673d16",
    "cloister": "#efe5d0",
    "cloister-edge": "#7a3b2a",
    "road": "#fdf9ee",
    "road-edge": "#6f6a5c",
    "stone": "#ece9e2",
    "stone-edge": "#35312b",
    "roof": "#a8412c",
    "water": "#4fa3d1",
    "gold": "#f2c230",
    "shield": "#2c62b8",
    "falcon": "#8a3510",
    "wall": "#bdb6a8",
    "wall-edge": "#57524a",
    "joint": "#9d9585",
    "number": "#2a2620",
    "keep": "#8c8474",
    "mark": "#c2185b",
    "legal": "#00795a",
    "arrow": "#a8124a",
    "pale": "#ffffff",
    "white": "#ffffff",
    "white-ink": "#1d1d1d",
    "white-hatch": "#ffffff",
    "black": "#1f1f25",
    "black-ink": "#ffffff",
    "black-hatch": "#1f1f25",
    "red": "#c8202b",
    "red-ink": "#ffffff",
    "red-hatch": "#a01720",
    "blue": "#0072b2",
    "blue-ink": "#ffffff",
    "blue-hatch": "#005a8f",
    "green": "#009e73",
    "green-ink": "#ffffff",
    "green-hatch": "#00694c",
    "yellow": "#f0e442",
    "yellow-ink": "#2a2300",
    "yellow-hatch": "#f7ee5b",
    "grey": "#9a9a9a",
    "grey-ink": "#111111",
    "grey-hatch": "#5c5c5c",
}
"""Every colour by the name of its CSS variable, which begins with ``--bv-``.

Players have the colours of Okabe and Ito, which the colour-blind tell apart.
"""
_DARK = {
    "sheet": "#1f2227",
    "cell": "#2a2e35",
    "grid": "#3d434c",
    "text": "#ece7dd",
    "faint": "#a39c8e",
    "card": "#2a2e35",
    "card-edge": "#4b515b",
    "ink": "#14120f",
    "tile-edge": "#14120f",
    "tower": "#60718c",
    "tower-edge": "#141c28",
    "house": "#b9744a",
    "house-edge": "#3d1a08",
    "court": "#98a86c",
    "court-edge": "#3f4d22",
    "chapel": "#8a69a6",
    "chapel-edge": "#2a183d",
    "path": "#e6dcc2",
    "path-edge": "#4d4029",
    "field": "#7f9e5c",
    "field-edge": "#2f4a1d",
    "city": "#a87a45",
    "city-edge": "#38200a",
    "cloister": "#cfc3aa",
    "road": "#eae3d1",
    "road-edge": "#45413a",
    "wall": "#6f6a61",
    "wall-edge": "#16140f",
    "joint": "#565149",
    "number": "#f4efe4",
    "keep": "#57514a",
    "legal": "#4fd69a",
    "mark": "#ff5c97",
    "arrow": "#ff5c97",
}
"""The colours that differ in the dark."""
_BLACK = (
    *("text", "ink", "number", "mark", "legal", "arrow", "stone-edge"),
    *("wall-edge", "tile-edge", "card-edge"),
    *(f"{kind}-edge" for kind in Kind),
    *(f"{name}-hatch" for name in PLAYER_COLOURS),
)
_PRINT = {
    **dict.fromkeys(("sheet", "cell", "card", "court", "field", "path", "road"), "#ffffff"),
    **dict.fromkeys(("cloister", "stone", "gold"), "#ffffff"),
    **dict.fromkeys(_BLACK, "#000000"),
    "tower": "#a9a9a9",
    "house": "#d4d4d4",
    "chapel": "#bdbdbd",
    "city": "#c4c4c4",
    "wall": "#e4e4e4",
    "keep": "#8a8a8a",
    "roof": "#555555",
    "water": "#9a9a9a",
    "shield": "#333333",
    "falcon": "#222222",
    "grid": "#cccccc",
    "joint": "#b5b5b5",
    "faint": "#4d4d4d",
    "red": "#8c8c8c",
    "blue": "#4d4d4d",
    "green": "#c9c9c9",
    "green-ink": "#000000",
    "yellow": "#f2f2f2",
    "yellow-ink": "#000000",
    "grey": "#b0b0b0",
}
"""The colours that differ in black and white print."""


class Theme(StrEnum):
    """The colours of a picture that carries them."""

    AUTO = "auto"
    """Light, and dark where whoever looks prefers dark."""
    LIGHT = "light"
    DARK = "dark"
    PRINT = "print"
    """Black and white: greys, and patterns for players."""


COLOURS = {
    Theme.LIGHT: LIGHT,
    Theme.DARK: LIGHT | _DARK,
    Theme.PRINT: LIGHT | _PRINT,
}
"""The colours of each theme that has its own."""

_FONT = "font-family:'DejaVu Sans',Verdana,Arial,sans-serif"
_RULES = f"""
.bv text{{{_FONT};text-anchor:middle;fill:$text}}
.bv path{{stroke-linejoin:round}}
.bv .sheet{{fill:$sheet}}
.bv .bold{{font-weight:bold}}
.bv .begin{{text-anchor:start}}
.bv .end{{text-anchor:end}}
.bv .faint{{fill:$faint}}
.bv .empty{{fill:$cell;stroke:$grid;stroke-width:1.5}}
.bv .card{{fill:$card;stroke:$card-edge;stroke-width:2}}
.bv .turn{{fill:$card;stroke:$arrow;stroke-width:4}}
.bv .tile-edge{{fill:none;stroke:$tile-edge;stroke-width:1.2;stroke-opacity:.2}}
.bv .rim-edge{{fill:none;stroke:$tile-edge;stroke-width:2;stroke-opacity:.6}}
.bv .line{{fill:none;stroke-linecap:butt}}
.bv .wide{{stroke-width:17}}
.bv .narrow{{stroke-width:11}}
.bv .stripe-edge{{stroke-width:8;stroke:$ink}}
.bv .stripe{{stroke-width:5}}
.bv .dash0{{stroke-dasharray:14 8}}
.bv .dash1{{stroke-dasharray:26 6}}
.bv .dash2{{stroke-dasharray:5 5}}
.bv .dash3{{stroke-dasharray:18 5 5 5}}
.bv .dash4{{stroke-dasharray:10 14}}
.bv .dash5{{stroke-dasharray:18 5 5 5 5 5}}
.bv .done{{opacity:.72}}
.bv .tint{{fill-opacity:.34}}
.bv .pale-tint{{fill-opacity:.14}}
.bv .hatch{{fill:none;stroke-width:3;stroke-linecap:round;stroke-opacity:.8}}
.bv .wide-hatch{{fill:none;stroke-width:2.4;stroke-linecap:round;stroke-opacity:.6}}
.bv .stone{{fill:$stone;stroke:$stone-edge;stroke-width:2}}
.bv .battlement{{fill:none;stroke:$stone-edge;stroke-width:4.5;stroke-dasharray:4.4 4.4}}
.bv .dark{{fill:$stone-edge}}
.bv .roof{{fill:$roof;stroke:$stone-edge;stroke-width:1.6}}
.bv .water{{fill:$water;stroke:$stone;stroke-width:3}}
.bv .rim{{fill:none;stroke:$stone-edge;stroke-width:1.4}}
.bv .gold{{fill:$gold;stroke:$stone-edge;stroke-width:1.6}}
.bv .shield{{fill:$shield;stroke:$pale;stroke-width:2}}
.bv .falcon{{fill:$falcon;stroke:$pale;stroke-width:1}}
.bv .nest{{fill:$gold;stroke:$stone-edge;stroke-width:2}}
.bv .pale{{fill:$pale}}
.bv .wall{{fill:$wall}}
.bv .joint{{fill:none;stroke:$joint;stroke-width:1.6}}
.bv .lip{{fill:none;stroke:$wall-edge;stroke-width:3}}
.bv .merlon{{fill:none;stroke:$wall;stroke-width:12;stroke-dasharray:16 9}}
.bv .merlon-edge{{fill:none;stroke:$wall-edge;stroke-width:16;stroke-dasharray:18 7}}
.bv .plate{{fill:$wall;stroke:$wall-edge;stroke-width:3}}
.bv .plate-ring{{fill:none;stroke:$wall-edge;stroke-width:8;stroke-dasharray:11 8}}
.bv .number{{fill:$number;font-size:19px}}
.bv .name{{fill:$faint;font-size:17px;fill-opacity:.75}}
.bv .gate{{fill:$keep}}
.bv .bars{{fill:none;stroke:$stone-edge;stroke-width:3}}
.bv .tool{{fill:none;stroke:$stone-edge;stroke-width:3.2;stroke-linecap:round}}
.bv .halo{{fill:none;stroke:$pale;stroke-width:7;stroke-opacity:.9;stroke-linecap:round}}
.bv .cage{{fill:none;stroke:$stone-edge;stroke-width:2.2}}
.bv .body{{stroke:$stone-edge;stroke-width:2.6}}
.bv .body.black{{stroke:$pale}}
.bv .letter{{font-weight:bold}}
.bv .marked{{fill:$mark;fill-opacity:.16;stroke:$mark;stroke-width:6}}
.bv .glow{{fill:$mark;fill-opacity:.34;stroke:$mark;stroke-width:5}}
.bv .glow-line{{fill:none;stroke:$mark;stroke-width:13;stroke-opacity:.6}}
.bv .legal{{fill:$legal;fill-opacity:.2;stroke:$legal;stroke-width:4;stroke-dasharray:10 6}}
.bv .ghost{{opacity:.7}}
.bv .ghost-edge{{fill:none;stroke:$arrow;stroke-width:5;stroke-dasharray:14 7}}
.bv .arrow{{fill:none;stroke:$arrow;stroke-width:8;stroke-opacity:.9;stroke-linecap:round}}
.bv .arrow-head{{fill:$arrow}}
.bv .badge{{fill:$arrow;stroke:$pale;stroke-width:2.5}}
.bv .on-badge{{fill:$pale;font-weight:bold}}
.bv .hit{{fill:none;stroke:none;pointer-events:all}}
.bv .hit-line{{fill:none;stroke:none;stroke-width:24;pointer-events:stroke}}
"""


def _rules() -> list[str]:
    """Return all rules, colours still by name."""
    rules = _RULES.strip().splitlines()
    for kind in Kind:
        edge = f"${kind}-edge"
        rules += [
            f".bv .area-{kind}{{fill:${kind}}}",
            f".bv .edge-{kind}{{fill:none;stroke:{edge};stroke-width:4}}",
            f".bv .side-{kind}{{stroke:{edge}}}",
            f".bv .way-{kind}{{stroke:${kind}}}",
        ]
    for name in PLAYER_COLOURS:
        rules += [
            f".bv .{name}{{fill:${name}}}",
            f".bv .{name}-ink{{fill:${name}-ink}}",
            f".bv .{name}-hatch{{stroke:${name}-hatch}}",
            f".bv .{name}-way{{stroke:${name}}}",
        ]
    return rules


def style_of(drawn: str, theme: Theme) -> str:
    """Return the rules that a picture needs, in fixed colours, which every program understands.

    Args:
        drawn: the elements of the picture.
        theme: its colours.

    """
    used = {name for found in re.findall(r'class="([^"]*)"', drawn) for name in found.split()}
    used.add("sheet")
    rules = [
        rule
        for rule in _rules()
        if used.issuperset(re.findall(r"\.([a-z][a-z0-9-]*)", _head(rule)))
    ]
    first = LIGHT if theme is Theme.AUTO else COLOURS[theme]
    text = "\n".join(_coloured(rule, first) for rule in rules)
    if theme is Theme.AUTO:
        dark = [_coloured(rule, COLOURS[Theme.DARK]) for rule in rules if _changes(rule)]
        text += "\n@media (prefers-color-scheme:dark){\n" + "\n".join(dark) + "\n}"
    return text


def _head(rule: str) -> str:
    """Return the classes of a rule, without the class of every picture."""
    return rule.partition("{")[0].removeprefix(".bv")


def _changes(rule: str) -> bool:
    """Tell whether a rule has another colour in the dark."""
    return not _DARK.keys().isdisjoint(re.findall(r"\$([a-z-]+)", rule))


def _coloured(rule: str, colours: dict[str, str]) -> str:
    """Return a rule with its colours."""
    return re.sub(r"\$([a-z-]+)", lambda match: colours[match[1]], rule)


@cache
def stylesheet(theme: Theme = Theme.AUTO) -> str:
    """Return the rules of all pictures for a page whose pictures carry none.

    Each colour is a CSS variable, ``var(--bv-tower,#7f90ab)``, which the page may set.

    Args:
        theme: with AUTO the pictures follow ``data-theme`` of the page's root, ``light`` or
            ``dark``, and without it the system; any other theme is fixed.

    """
    base = LIGHT if theme is Theme.AUTO else COLOURS[theme]
    rules = [
        re.sub(r"\$([a-z-]+)", lambda match: f"var(--bv-{match[1]},{base[match[1]]})", rule)
        for rule in _rules()
    ]
    if theme is Theme.AUTO:
        dark = ";".join(f"--bv-{name}:{colour}" for name, colour in _DARK.items())
        system = f':where(:root:not([data-theme="light"])){{{dark}}}'
        rules += [
            f':where(:root[data-theme="dark"]){{{dark}}}',
            f"@media (prefers-color-scheme:dark){{{system}}}",
        ]
    return "\n".join(rules) + "\n"
