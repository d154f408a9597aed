"""One script of the modules of the page: one request, and no module waits for another.

It is a classic script, because a page from the disk may not load modules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
_COMMON = re.compile(r"^module\.exports = (\w+);$", re.MULTILINE)
"""The export of a library of others, which imports nothing."""
_LEFT = re.compile(r"^(?:import|export|module|exports)\b.*|\brequire\(.*", re.MULTILINE)
"""A form of import or export that this module does not know."""


def bundle(modules: Mapping[str, str], entry: str) -> str:
    """Return the text of a script that does what a module does with all that it imports.

    Each module becomes a function that is called once, after those that it imports. Modules that
    nobody imports are left out.

    Args:
        modules: the texts of the modules, by the names of their files.
        entry: the module to begin with.

    Raises:
        ValueError: a module imports or exports in another way than those of the page do, or they
            import each other in a circle.

    """
    written: dict[str, str] = {}
    _write(modules, entry, written, ())
    body = "".join(written.values())
    return f'"use strict";\n(() => {{\nconst modules = {{}};\n{body}}})();\n'


def _write(
    modules: Mapping[str, str], name: str, written: dict[str, str], above: tuple[str, ...]
) -> None:
    """Write a module after those that it imports."""
    if name in above:
        raise ValueError(f"modules import each other: {' > '.join((*above, name))}")
    if name in written:
        return
    text = modules[name]
    for found in _IMPORT.finditer(text):
        _write(modules, found[2], written, (*above, name))
    names = [found[2] for found in _EXPORT.finditer(text)]
    names += _COMMON.findall(text)
    text = _COMMON.sub("", _IMPORT.sub(_taken, text))
    text = _EXPORT.sub(r"\1 \2", text)
    if left := _LEFT.search(text):
        raise ValueError(f"{name}: {left[0]}")
    told = ", ".join(names)
    written[name] = f'modules["{name}"] = (() => {{\n{text}return {{ {told} }};\n}})();\n'


def _taken(found: re.Match[str]) -> str:
    """Return an import as the assignment that it becomes."""
    names = re.sub(r"(\w+) as (\w+)", r"\1: \2", found[1])
    return f'const {{{names}}} = modules["{found[2]}"];\n'
