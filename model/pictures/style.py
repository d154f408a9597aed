"""The colours of pictures as one style sheet, in fixed colours or as CSS variables."""

from __future__ import annotations

import re
from functools import cache

from model.tiles import Kind

COLOURS = {
    "sheet": "#fbf8f1",
    "cell": "#f3ecdd",
    "grid": "#cbbfa6",
    "text": "#2e2a24",
    "faint": "#746a58",
    "card": "#fffdf8",
    "card-edge": "#d5c9b0",
    "tile-edge": "#4a4438",
    "tower": "#73829a",
    "tower-edge": "#38434f",
    "house": "#dc9467",
    "house-edge": "#7c3f1f",
    "court": "#cfdda0",
    "court-edge": "#7d9150",
    "chapel": "#9678b4",
    "chapel-edge": "#4b3266",
    "path": "#f7efd9",
    "path-edge": "#8f7c55",
    "field": "#b3d489",
    "field-edge": "#55803a",
    "city": "#c98f52",
    "city-edge": "#6f431a",
    "cloister": "#e8dcc4",
    "cloister-edge": "#7a3b2a",
    "road": "#fbf6e9",
    "road-edge": "#6f6a5c",
    "stone": "#e9e6df",
    "stone-edge": "#3d3a35",
    "roof": "#a8412c",
    "water": "#4fa3d1",
    "gold": "#f2c230",
    "shield": "#2c62b8",
    "falcon": "#9c3d10",
    "wall": "#b9b2a4",
    "wall-edge": "#6b6558",
    "keep": "#8c8474",
    "mark": "#d81b60",
    "legal": "#1a8a5a",
    "arrow": "#b3134b",
    "white": "#ffffff",
    "white-ink": "#1d1d1d",
    "black": "#26262b",
    "black-ink": "#ffffff",
    "red": "#c92a2a",
    "red-ink": "#ffffff",
    "blue": "#1f5fbf",
    "blue-ink": "#ffffff",
    "green": "#2f9e44",
    "green-ink": "#0b1f0f",
    "yellow": "#f6d32d",
    "yellow-ink": "#2a2300",
    "grey": "#9a9a9a",
    "grey-ink": "#111111",
}
"""Every colour by the name of its CSS variable, which begins with ``--bv-``."""

PLAYER_COLOURS = ("white", "black", "red", "blue", "green", "yellow", "grey")
"""The colours that players are called by."""

_FONT = "font-family:'DejaVu Sans',Verdana,Arial,sans-serif"
_RULES = f"""
.bv text{{{_FONT};text-anchor:middle;fill:$text}}
.bv .sheet{{fill:$sheet}}
.bv .bold{{font-weight:bold}}
.bv .begin{{text-anchor:start}}
.bv .end{{text-anchor:end}}
.bv .faint{{fill:$faint}}
.bv .empty{{fill:$cell;stroke:$grid;stroke-width:1}}
.bv .card{{fill:$card;stroke:$card-edge;stroke-width:2}}
.bv .turn{{fill:$card;stroke:$arrow;stroke-width:4}}
.bv .tile-edge{{fill:none;stroke:$tile-edge;stroke-width:1.6;stroke-opacity:.55}}
.bv .line{{fill:none;stroke-linecap:butt;stroke-linejoin:round}}
.bv .wide{{stroke-width:15}}
.bv .narrow{{stroke-width:10.5}}
.bv .stone{{fill:$stone;stroke:$stone-edge;stroke-width:2}}
.bv .battlement{{fill:none;stroke:$stone-edge;stroke-width:4.5;stroke-dasharray:4.4 4.4}}
.bv .dark{{fill:$stone-edge}}
.bv .roof{{fill:$roof;stroke:$stone-edge;stroke-width:1.6;stroke-linejoin:round}}
.bv .water{{fill:$water;stroke:$stone;stroke-width:3}}
.bv .rim{{fill:none;stroke:$stone-edge;stroke-width:1.4}}
.bv .gold{{fill:$gold;stroke:$stone-edge;stroke-width:1.5;stroke-linejoin:round}}
.bv .shield{{fill:$shield;stroke:$white;stroke-width:2}}
.bv .falcon{{fill:$falcon;stroke:$stone-edge;stroke-width:1;stroke-linejoin:round}}
.bv .nest{{fill:$gold;stroke:$stone-edge;stroke-width:2}}
.bv .pale{{fill:$white}}
.bv .wall{{fill:$wall;stroke:$wall-edge;stroke-width:1.5}}
.bv .gate{{fill:$keep;stroke:$wall-edge;stroke-width:1.5}}
.bv .bars{{fill:none;stroke:$stone-edge;stroke-width:3}}
.bv .tool{{fill:none;stroke:$stone-edge;stroke-width:2.6}}
.bv .cage{{fill:none;stroke:$stone-edge;stroke-width:2.2}}
.bv .tool,.bv .halo{{stroke-linecap:round;stroke-linejoin:round}}
.bv .halo{{fill:none;stroke:$white;stroke-width:6;stroke-opacity:.85}}
.bv .body{{stroke:$stone-edge;stroke-width:2;stroke-linejoin:round}}
.bv .letter{{font-weight:bold}}
.bv .marked{{fill:$mark;fill-opacity:.16;stroke:$mark;stroke-width:6}}
.bv .glow{{fill:$mark;fill-opacity:.42;stroke:$mark;stroke-width:3}}
.bv .glow-line{{fill:none;stroke:$mark;stroke-width:13;stroke-opacity:.6}}
.bv .legal{{fill:$legal;fill-opacity:.2;stroke:$legal;stroke-width:4;stroke-dasharray:10 6}}
.bv .ghost{{opacity:.62}}
.bv .ghost-edge{{fill:none;stroke:$arrow;stroke-width:5;stroke-dasharray:14 7}}
.bv .arrow{{fill:none;stroke:$arrow;stroke-width:7;stroke-opacity:.85;stroke-linecap:round}}
.bv .arrow-head{{fill:$arrow;fill-opacity:.95}}
.bv .badge{{fill:$arrow;stroke:$white;stroke-width:2.5}}
.bv .on-badge{{fill:$white;font-weight:bold}}
"""


def _rules() -> str:
    """Return all rules, colours still by name."""
    rules = [_RULES.strip()]
    for kind in Kind:
        edge = f"${kind}-edge"
        rules += [
            f".bv .area-{kind}{{fill:${kind}}}",
            f".bv .edge-{kind}{{fill:none;stroke:{edge};stroke-width:2.6}}",
            f".bv .side-{kind}{{stroke:{edge}}}",
            f".bv .way-{kind}{{stroke:${kind}}}",
        ]
    for colour in PLAYER_COLOURS:
        rules += [f".bv .{colour}{{fill:${colour}}}", f".bv .{colour}-ink{{fill:${colour}-ink}}"]
    return "\n".join(rules)


@cache
def stylesheet(*, themed: bool = True) -> str:
    """Return the rules of all pictures.

    Args:
        themed: whether colours are CSS variables like ``var(--bv-tower, #73829a)``, for dark and
            light pages. Fixed colours work in every program that shows SVG.

    """

    def colour(match: re.Match[str]) -> str:
        name = match[1]
        return f"var(--bv-{name},{COLOURS[name]})" if themed else COLOURS[name]

    return re.sub(r"\$([a-z-]+)", colour, _rules())
