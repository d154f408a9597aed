"""Configuration of the documentation site; see CONTRIBUTING.md for how it is built."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

project = "Burgrave"
author = "the authors of Burgrave"
project_copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["examples/*", "_build"]
language = "en-GB"

smartquotes = False  # "--line" is an option, not a dash

html_theme = "furo"
html_title = "Burgrave"
html_show_sphinx = False
html_static_path: list[str] = []

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
myst_url_schemes = ["http", "https"]
nitpicky = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
napoleon_google_docstring = True
napoleon_numpy_docstring = False


def _draw(_app: Any) -> None:
    """Draw the pictures of the rules' cards."""
    from docs.generated import draw_pictures  # noqa: PLC0415 -- the path is set above

    draw_pictures()


def _expand(_app: Any, _name: str, source: list[str]) -> None:
    """Replace the comments of a page that ask for generated parts."""
    from docs.generated import expand  # noqa: PLC0415 -- the path is set above

    source[0] = expand(source[0])


def setup(app: Any) -> None:
    """Register what Sphinx calls for each page."""
    app.connect("builder-inited", _draw)
    app.connect("source-read", _expand)
